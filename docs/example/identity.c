/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "identity.h"

#include <ctype.h>
#include <string.h>
#include <sys/stat.h>

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>

#include "report.h"

static BIO *open_file(const char *path)
{
    BIO *file = BIO_new_file(path, "r");

    if (file == NULL)
        complain_openssl(path);
    return file;
}

/* key, if it is of the set's type; else NULL, and key is freed. */
static EVP_PKEY *of_set(EVP_PKEY *key, const char *path, const struct set *set)
{
    if (key != NULL && EVP_PKEY_is_a(key, set->name))
        return key;
    if (key == NULL)
        complain_openssl(path);
    else
        complain("%s: not a key for %s", path, set->name);
    EVP_PKEY_free(key);
    return NULL;
}

EVP_PKEY *identity_read(const char *path, const struct set *set)
{
    BIO *file = open_file(path);
    EVP_PKEY *key;
    struct stat info;

    if (file == NULL)
        return NULL;
    if (stat(path, &info) == 0 && (info.st_mode & (S_IRWXG | S_IRWXO)) != 0)
        complain("warning: %s: others may read this private key: chmod 600", path);
    key = PEM_read_bio_PrivateKey(file, NULL, NULL, NULL);
    BIO_free(file);
    return of_set(key, path, set);
}

/* Whether the authorities in cafile vouch for the certificate. */
static int is_verified(X509 *certificate, const char *path, const char *cafile)
{
    X509_STORE *store = X509_STORE_new();
    X509_STORE_CTX *ctx = X509_STORE_CTX_new();
    int ok = 0;

    if (store == NULL || ctx == NULL || !X509_STORE_load_file(store, cafile) ||
        !X509_STORE_CTX_init(ctx, store, certificate, NULL))
        complain_openssl(cafile);
    else if (!(ok = X509_verify_cert(ctx) > 0))
        complain("%s: %s", path, X509_verify_cert_error_string(X509_STORE_CTX_get_error(ctx)));
    X509_STORE_CTX_free(ctx);
    X509_STORE_free(store);
    return ok;
}

static EVP_PKEY *read_certificate(BIO *file, const char *path, const char *cafile)
{
    X509 *certificate = PEM_read_bio_X509(file, NULL, NULL, NULL);
    EVP_PKEY *key = NULL;

    if (certificate == NULL)
        complain("%s: neither a fingerprint nor a file with a public key or certificate", path);
    else if (cafile == NULL)
        complain("%s: a certificate needs --CAfile", path);
    else if (is_verified(certificate, path, cafile) && (key = X509_get_pubkey(certificate)) == NULL)
        complain_openssl(path);
    X509_free(certificate);
    return key;
}

static int is_fingerprint(const char *word)
{
    size_t len = 0;

    while (isxdigit((unsigned char)word[len]))
        len++;
    return len == DIGEST_CHARS && word[len] == '\0';
}

int identity_peer(char hex[DIGEST_CHARS + 1], const char *word, const char *cafile,
                  const struct set *set)
{
    BIO *file;
    EVP_PKEY *key;
    int ok;

    if (is_fingerprint(word)) {
        memcpy(hex, word, DIGEST_CHARS + 1);
        return 1;
    }
    if ((file = BIO_new_file(word, "r")) == NULL) {
        ERR_clear_error();
        return complain("--peer %s: neither %d hexadecimal digits nor a file that can be read",
                        word, DIGEST_CHARS);
    }
    if ((key = PEM_read_bio_PUBKEY(file, NULL, NULL, NULL)) == NULL) {
        ERR_clear_error(); /* it was no public key */
        key = BIO_seek(file, 0) == 0 ? read_certificate(file, word, cafile) : NULL;
        if (key == NULL) {
            BIO_free(file);
            return 0;
        }
    }
    BIO_free(file);
    if ((key = of_set(key, word, set)) == NULL)
        return 0;
    ok = session_fingerprint(hex, key) || complain_openssl(word);
    EVP_PKEY_free(key);
    return ok;
}
