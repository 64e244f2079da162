/* SPDX-License-Identifier: Apache-2.0 */
/* The part to read first: all that a program needs of libcrypto for a DKEX handshake. */
#include "session.h"

#include <ctype.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>

const struct set sets[SETS] = {
    {"DKEX-128", 1312, 800, 3188, 2420},
    {"DKEX-256", 2592, 1568, 6195, 4627},
    {"DKEX-512", 2592, 3392, 7699, 4627},
};

const struct set *set_find(const char *word)
{
    for (size_t i = 0; i < SETS; i++) {
        if (strcmp(word, sets[i].name) == 0 || strcmp(word, strchr(sets[i].name, '-') + 1) == 0)
            return &sets[i];
    }
    return NULL;
}

void message_free(struct message *m)
{
    OPENSSL_clear_free(m->data, m->len);
    *m = (struct message){0};
}

EVP_PKEY *session_new_identity(const struct set *set)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, set->name, NULL);
    EVP_PKEY *key = NULL;

    if (ctx != NULL && EVP_PKEY_keygen_init(ctx) > 0)
        EVP_PKEY_generate(ctx, &key);
    EVP_PKEY_CTX_free(ctx);
    return key;
}

int session_export_public(struct message *out, EVP_PKEY *key)
{
    out->len = EVP_PKEY_get1_encoded_public_key(key, &out->data);
    return out->len > 0;
}

EVP_PKEY *session_import_public(const struct set *set, const struct message *in)
{
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, in->data, in->len),
        OSSL_PARAM_construct_end(),
    };
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, set->name, NULL);
    EVP_PKEY *key = NULL;

    if (ctx != NULL && EVP_PKEY_fromdata_init(ctx) > 0)
        EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_PUBLIC_KEY, params);
    EVP_PKEY_CTX_free(ctx);
    return key;
}

int session_digest(char hex[DIGEST_CHARS + 1], const unsigned char *data, size_t len)
{
    unsigned char digest[DIGEST_CHARS / 2];
    size_t digest_len = 0, hex_len;
    int ok = EVP_Q_digest(NULL, "SM3", NULL, data, len, digest, &digest_len) &&
             OPENSSL_buf2hexstr_ex(hex, DIGEST_CHARS + 1, &hex_len, digest, digest_len, '\0');

    for (char *c = hex; ok && *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
    return ok;
}

int session_fingerprint(char hex[DIGEST_CHARS + 1], EVP_PKEY *key)
{
    struct message pub = {0};
    int ok = session_export_public(&pub, key) && session_digest(hex, pub.data, pub.len);

    message_free(&pub);
    return ok;
}

/*
 * The peer is set before any of its messages, since its key is part of what is signed. For the
 * initiator the first message exists as soon as the role is set.
 */
EVP_PKEY_CTX *session_start(EVP_PKEY *own, EVP_PKEY *peer, const char *role)
{
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string("role", (char *)role, 0),
        OSSL_PARAM_construct_end(),
    };
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, own, NULL);

    if (ctx != NULL && EVP_PKEY_derive_init_ex(ctx, params) > 0 &&
        EVP_PKEY_derive_set_peer(ctx, peer) > 0)
        return ctx;
    EVP_PKEY_CTX_free(ctx);
    return NULL;
}

/* Asking for the size and then for the octets advances nothing: out-message is only copied. */
int session_message_out(struct message *out, EVP_PKEY_CTX *ctx)
{
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_octet_string("out-message", NULL, 0),
        OSSL_PARAM_construct_end(),
    };

    if (!EVP_PKEY_CTX_get_params(ctx, params))
        return 0;
    out->len = params[0].return_size;
    if ((out->data = OPENSSL_malloc(out->len)) == NULL)
        return 0;
    params[0] = OSSL_PARAM_construct_octet_string("out-message", out->data, out->len);
    return EVP_PKEY_CTX_get_params(ctx, params);
}

/*
 * A message that fails verification has wiped the handshake; one of a wrong length, or out of
 * turn, was refused and changed nothing. Either way the peer doesn't keep to the protocol: give up,
 * and start anew with a new context.
 */
int session_message_in(EVP_PKEY_CTX *ctx, const struct message *in)
{
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_octet_string("in-message", in->data, in->len),
        OSSL_PARAM_construct_end(),
    };

    return EVP_PKEY_CTX_set_params(ctx, params);
}

int session_secret(struct message *secret, EVP_PKEY_CTX *ctx)
{
    if (EVP_PKEY_derive(ctx, NULL, &secret->len) <= 0 ||
        (secret->data = OPENSSL_malloc(secret->len)) == NULL)
        return 0;
    return EVP_PKEY_derive(ctx, secret->data, &secret->len) > 0;
}
