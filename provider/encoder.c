/* SPDX-License-Identifier: Apache-2.0 */
#include "encoder.h"

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/x509.h>

#include "asn1.h"
#include "key.h"
#include "oid.h"

enum { SALT_BYTES = 16, ITERATIONS = PKCS5_DEFAULT_ITER, SALT_STRENGTH = 128 };

enum structure { PRIVATE_INFO, ENCRYPTED_INFO, PUBLIC_INFO };

struct encoder {
    struct provider *prov;
    enum structure structure;
    int pem;
    int encrypt;        /* a cipher was asked for */
    EVP_CIPHER *cipher; /* NULL if it could not be had */
};

int encoder_wants_private(int selection)
{
    return (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0;
}

int encoder_wants_public(int selection)
{
    return (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) == 0 &&
           (selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0;
}

static struct encoder *new_encoder(void *provctx, enum structure structure, int pem)
{
    struct encoder *e = OPENSSL_zalloc(sizeof(*e));

    if (e == NULL) {
        RAISE((struct provider *)provctx, REASON_MEMORY);
        return NULL;
    }
    e->prov = provctx;
    e->structure = structure;
    e->pem = pem;
    return e;
}

static void free_encoder(void *ctx)
{
    struct encoder *e = ctx;

    if (e == NULL)
        return;
    EVP_CIPHER_free(e->cipher);
    OPENSSL_free(e);
}

static int set_params(void *ctx, const OSSL_PARAM params[])
{
    struct encoder *e = ctx;
    const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, OSSL_ENCODER_PARAM_CIPHER);
    const OSSL_PARAM *q = OSSL_PARAM_locate_const(params, OSSL_ENCODER_PARAM_PROPERTIES);
    const char *name = NULL, *properties = NULL;

    if (p == NULL)
        return 1;
    if (!OSSL_PARAM_get_utf8_string_ptr(p, &name) ||
        (q != NULL && !OSSL_PARAM_get_utf8_string_ptr(q, &properties)))
        return RAISE(e->prov, REASON_PARAMETER);
    EVP_CIPHER_free(e->cipher);
    e->cipher = NULL;
    e->encrypt = name != NULL;
    if (name == NULL)
        return 1;
    e->prov->set_error_mark(e->prov->handle);
    e->cipher = EVP_CIPHER_fetch(e->prov->child, name, properties);
    e->prov->pop_error_to_mark(e->prov->handle);
    return e->cipher != NULL ? 1 : RAISE_TEXT(e->prov, REASON_CIPHER, name);
}

static const OSSL_PARAM *settable_params(void *provctx)
{
    static const OSSL_PARAM params[] = {
        OSSL_PARAM_utf8_string(OSSL_ENCODER_PARAM_CIPHER, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_ENCODER_PARAM_PROPERTIES, NULL, 0),
        OSSL_PARAM_END,
    };

    (void)provctx;
    return params;
}

/*
 * PBES2 with PBKDF2, as PKCS8_encrypt_ex makes it, but for salt and IV: that function would draw
 * them from the thread's generator of the child context, which provider_random says why to avoid.
 */
static X509_ALGOR *new_scheme(const struct encoder *e)
{
    uint8_t salt[SALT_BYTES], iv[EVP_MAX_IV_LENGTH];
    X509_ALGOR *scheme;

    if (!provider_random(e->prov, salt, sizeof(salt), SALT_STRENGTH) ||
        !provider_random(e->prov, iv, sizeof(iv), SALT_STRENGTH))
        return NULL;
    scheme =
        PKCS5_pbe2_set_iv_ex(e->cipher, ITERATIONS, salt, sizeof(salt), iv, -1, e->prov->child);
    if (scheme == NULL)
        RAISE(e->prov, REASON_ENCRYPTION);
    return scheme;
}

/* EncryptedPrivateKeyInfo; NULL with the reason raised. */
static X509_SIG *encrypt(const struct encoder *e, PKCS8_PRIV_KEY_INFO *info,
                         OSSL_PASSPHRASE_CALLBACK *callback, void *arg)
{
    const OSSL_PARAM none[] = {OSSL_PARAM_END};
    char passphrase[PEM_BUFSIZE];
    size_t len = 0;
    X509_ALGOR *scheme = NULL;
    X509_SIG *encrypted = NULL;

    if (e->cipher == NULL) {
        RAISE(e->prov, REASON_CIPHER);
    } else if (callback == NULL || !callback(passphrase, sizeof(passphrase), &len, none, arg)) {
        RAISE(e->prov, REASON_PASSPHRASE);
    } else if ((scheme = new_scheme(e)) != NULL) {
        encrypted = PKCS8_set0_pbe_ex(passphrase, (int)len, info, scheme, e->prov->child, NULL);
        if (encrypted == NULL) { /* else it owns the scheme */
            X509_ALGOR_free(scheme);
            RAISE(e->prov, REASON_ENCRYPTION);
        }
    }
    OPENSSL_cleanse(passphrase, sizeof(passphrase));
    return encrypted;
}

struct document {
    const char *pem_name;
    uint8_t *der;
    size_t len;
};

static int make_private(struct document *d, const struct encoder *e, const struct key *key,
                        OSSL_PASSPHRASE_CALLBACK *callback, void *arg)
{
    PKCS8_PRIV_KEY_INFO *info;
    X509_SIG *encrypted = NULL;
    int len = 0;

    if (key->secret == NULL)
        return RAISE(e->prov, REASON_PRIVATE_KEY_REQUIRED);
    if ((info = asn1_private_info(key)) == NULL)
        return 0;
    if (!e->encrypt) {
        d->pem_name = PEM_STRING_PKCS8INF;
        len = i2d_PKCS8_PRIV_KEY_INFO(info, &d->der);
    } else {
        d->pem_name = PEM_STRING_PKCS8;
        if ((encrypted = encrypt(e, info, callback, arg)) != NULL)
            len = i2d_X509_SIG(encrypted, &d->der);
    }
    if (len > 0)
        d->len = (size_t)len;
    else if (!e->encrypt || encrypted != NULL)
        RAISE(e->prov, REASON_ENCODING);
    X509_SIG_free(encrypted);
    PKCS8_PRIV_KEY_INFO_free(info);
    return len > 0;
}

static int write_document(const struct encoder *e, OSSL_CORE_BIO *core_out,
                          const struct document *d)
{
    BIO *out = BIO_new_from_core_bio(e->prov->child, core_out);
    int ok;

    if (out == NULL)
        return RAISE(e->prov, REASON_MEMORY);
    if (e->pem)
        ok = PEM_write_bio(out, d->pem_name, "", d->der, (long)d->len) > 0;
    else
        ok = BIO_write(out, d->der, (int)d->len) == (int)d->len;
    BIO_free(out);
    return ok ? 1 : RAISE(e->prov, REASON_ENCODING);
}

static int encode(void *ctx, OSSL_CORE_BIO *out, const void *object, const OSSL_PARAM abstract[],
                  int selection, OSSL_PASSPHRASE_CALLBACK *callback, void *arg)
{
    const struct encoder *e = ctx;
    const struct key *key = object;
    struct document d = {.pem_name = PEM_STRING_PUBLIC};
    int ok;

    (void)selection;
    if (abstract != NULL || key == NULL || !key->has_pub)
        return RAISE(e->prov, REASON_KEY_MISSING);
    if (e->structure == PUBLIC_INFO)
        ok = (d.len = asn1_public_info(&d.der, key)) != 0;
    else if (e->structure == ENCRYPTED_INFO && !e->encrypt)
        ok = RAISE(e->prov, REASON_CIPHER);
    else
        ok = make_private(&d, e, key, callback, arg);
    ok = ok && write_document(e, out, &d);
    OPENSSL_clear_free(d.der, d.len);
    return ok;
}

static int does_private(void *provctx, int selection)
{
    (void)provctx;
    return encoder_wants_private(selection);
}

static int does_public(void *provctx, int selection)
{
    (void)provctx;
    return encoder_wants_public(selection);
}

/* The six tables, which differ in structure and output alone. */
#define ENCODER(table, structure, pem, does_selection)                                             \
    static void *new_##table(void *provctx)                                                        \
    {                                                                                              \
        return new_encoder(provctx, structure, pem);                                               \
    }                                                                                              \
    static const OSSL_DISPATCH table[] = {                                                         \
        {OSSL_FUNC_ENCODER_NEWCTX, (void (*)(void))new_##table},                                   \
        {OSSL_FUNC_ENCODER_FREECTX, (void (*)(void))free_encoder},                                 \
        {OSSL_FUNC_ENCODER_SET_CTX_PARAMS, (void (*)(void))set_params},                            \
        {OSSL_FUNC_ENCODER_SETTABLE_CTX_PARAMS, (void (*)(void))settable_params},                  \
        {OSSL_FUNC_ENCODER_DOES_SELECTION, (void (*)(void))(does_selection)},                      \
        {OSSL_FUNC_ENCODER_ENCODE, (void (*)(void))encode},                                        \
        {0, NULL},                                                                                 \
    }

ENCODER(private_der, PRIVATE_INFO, 0, does_private);
ENCODER(private_pem, PRIVATE_INFO, 1, does_private);
ENCODER(encrypted_der, ENCRYPTED_INFO, 0, does_private);
ENCODER(encrypted_pem, ENCRYPTED_INFO, 1, does_private);
ENCODER(public_der, PUBLIC_INFO, 0, does_public);
ENCODER(public_pem, PUBLIC_INFO, 1, does_public);

#define OUTPUT(format) PROVIDER_PROPERTIES ",output=" format
#define STRUCTURE(format, name) OUTPUT(format) ",structure=" name
#define ENCODERS(names)                                                                            \
    {names, OUTPUT("text"), encoder_text, NULL},                                                   \
        {names, STRUCTURE("der", "EncryptedPrivateKeyInfo"), encrypted_der, NULL},                 \
        {names, STRUCTURE("pem", "EncryptedPrivateKeyInfo"), encrypted_pem, NULL},                 \
        {names, STRUCTURE("der", "PrivateKeyInfo"), private_der, NULL},                            \
        {names, STRUCTURE("pem", "PrivateKeyInfo"), private_pem, NULL},                            \
        {names, STRUCTURE("der", "SubjectPublicKeyInfo"), public_der, NULL},                       \
    {                                                                                              \
        names, STRUCTURE("pem", "SubjectPublicKeyInfo"), public_pem, NULL                          \
    }

const OSSL_ALGORITHM provider_encoders[] = {
    ENCODERS(NAMES_128),
    ENCODERS(NAMES_256),
    ENCODERS(NAMES_512),
    {NULL, NULL, NULL, NULL},
};
