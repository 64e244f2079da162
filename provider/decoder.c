/* SPDX-License-Identifier: Apache-2.0 */
/* DECODER: keys from DER; see provider-decoder(7). PEM and encryption are libcrypto's to undo. */
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/core_object.h>
#include <openssl/params.h>

#include "asn1.h"
#include "key.h"
#include "oid.h"

struct decoder {
    struct provider *prov;
    const struct dkex_suite *suite;
    int (*read)(struct key **key, struct provider *prov, const struct dkex_suite *suite, BIO *in);
};

static struct decoder *new_decoder(void *provctx, size_t set, const struct decoder *kind)
{
    struct provider *prov = provctx;
    struct decoder *d = OPENSSL_zalloc(sizeof(*d));

    if (d == NULL) {
        RAISE(prov, REASON_MEMORY);
        return NULL;
    }
    *d = *kind;
    d->prov = prov;
    d->suite = &prov->suites[set];
    return d;
}

static void free_decoder(void *ctx)
{
    OPENSSL_free(ctx);
}

/* No selection at all means that libcrypto tries whatever there is. */
static int does_private(void *provctx, int selection)
{
    (void)provctx;
    return selection == 0 || (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0;
}

static int does_public(void *provctx, int selection)
{
    (void)provctx;
    return selection == 0 || ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) == 0 &&
                              (selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0);
}

/* Hands the key to libcrypto, which gives it to `load` of the key type's KEYMGMT. */
static int deliver(struct key **key, const struct decoder *d, OSSL_CALLBACK *callback, void *arg)
{
    int type = OSSL_OBJECT_PKEY;
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_int(OSSL_OBJECT_PARAM_TYPE, &type),
        OSSL_PARAM_construct_utf8_string(OSSL_OBJECT_PARAM_DATA_TYPE,
                                         (char *)d->suite->params->name, 0),
        OSSL_PARAM_construct_octet_string(OSSL_OBJECT_PARAM_REFERENCE, key, sizeof(void *)),
        OSSL_PARAM_construct_end(),
    };

    return callback(params, arg);
}

/* 1: go on, be it with other decoders; 0: this is a key of ours, and a bad one. */
static int decode(void *ctx, OSSL_CORE_BIO *core_in, int selection, OSSL_CALLBACK *callback,
                  void *arg, OSSL_PASSPHRASE_CALLBACK *passphrase, void *passphrase_arg)
{
    const struct decoder *d = ctx;
    struct key *key = NULL;
    BIO *in = BIO_new_from_core_bio(d->prov->child, core_in);
    int ok;

    (void)selection;
    (void)passphrase;
    (void)passphrase_arg;
    if (in == NULL)
        return RAISE(d->prov, REASON_MEMORY);
    ok = d->read(&key, d->prov, d->suite, in);
    BIO_free(in);
    if (key != NULL)
        ok = deliver(&key, d, callback, arg);
    key_free(key); /* NULL once `load` has taken it */
    return ok;
}

/* The six tables, which differ in set and structure alone. */
#define DECODER(table, set, reader, does_selection)                                                \
    static void *new_##table(void *provctx)                                                        \
    {                                                                                              \
        return new_decoder(provctx, set, &(struct decoder){.read = (reader)});                     \
    }                                                                                              \
    static const OSSL_DISPATCH table[] = {                                                         \
        {OSSL_FUNC_DECODER_NEWCTX, (void (*)(void))new_##table},                                   \
        {OSSL_FUNC_DECODER_FREECTX, (void (*)(void))free_decoder},                                 \
        {OSSL_FUNC_DECODER_DOES_SELECTION, (void (*)(void))(does_selection)},                      \
        {OSSL_FUNC_DECODER_DECODE, (void (*)(void))decode},                                        \
        {0, NULL},                                                                                 \
    }

DECODER(private_128, 0, asn1_read_private, does_private);
DECODER(private_256, 1, asn1_read_private, does_private);
DECODER(private_512, 2, asn1_read_private, does_private);
DECODER(public_128, 0, asn1_read_public, does_public);
DECODER(public_256, 1, asn1_read_public, does_public);
DECODER(public_512, 2, asn1_read_public, does_public);

#define STRUCTURE(name) PROVIDER_PROPERTIES ",input=der,structure=" name

const OSSL_ALGORITHM provider_decoders[] = {
    {NAMES_128, STRUCTURE("PrivateKeyInfo"), private_128, NULL},
    {NAMES_256, STRUCTURE("PrivateKeyInfo"), private_256, NULL},
    {NAMES_512, STRUCTURE("PrivateKeyInfo"), private_512, NULL},
    {NAMES_128, STRUCTURE("SubjectPublicKeyInfo"), public_128, NULL},
    {NAMES_256, STRUCTURE("SubjectPublicKeyInfo"), public_256, NULL},
    {NAMES_512, STRUCTURE("SubjectPublicKeyInfo"), public_512, NULL},
    {NULL, NULL, NULL, NULL},
};
