/* SPDX-License-Identifier: Apache-2.0 */
#include "keydata.h"

#include <openssl/core_names.h>
#include <openssl/params.h>

#include "key.h"

/*
 * One octet string of exactly len bytes; *out stays NULL where it is absent. 0 with the reason
 * raised for anything else.
 */
static int get_octets(const struct key *key, const uint8_t **out, const OSSL_PARAM params[],
                      const char *name, size_t len, enum reason bad_length)
{
    const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, name);

    if (p == NULL)
        return 1;
    if (p->data_type != OSSL_PARAM_OCTET_STRING || p->data == NULL)
        return RAISE(key->prov, REASON_PARAMETER);
    if (p->data_size != len)
        return RAISE(key->prov, bad_length);
    *out = p->data;
    return 1;
}

/*
 * As with OpenSSL's own key types, a selection of both halves takes a public one alone too: that is
 * how libcrypto moves public keys between providers.
 */
int keydata_import(void *keydata, int selection, const OSSL_PARAM params[])
{
    struct key *key = keydata;
    const struct dkex_params *p = key->suite->params;
    struct key_parts parts = {0};

    if (key->has_pub || key->secret != NULL || (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0)
        return RAISE(key->prov, REASON_PARAMETER);
    if (!get_octets(key, &parts.pub, params, OSSL_PKEY_PARAM_PUB_KEY, p->pub_len,
                    REASON_KEY_LENGTH))
        return 0;
    if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 &&
        (!get_octets(key, &parts.priv, params, OSSL_PKEY_PARAM_PRIV_KEY, p->priv_len,
                     REASON_KEY_LENGTH) ||
         !get_octets(key, &parts.seed, params, PARAM_SEED, DKEX_SEED_BYTES, REASON_SEED_LENGTH)))
        return 0;
    if (parts.priv == NULL && parts.seed == NULL &&
        (selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) == 0)
        return RAISE(key->prov, REASON_PRIVATE_KEY_REQUIRED);
    if (parts.pub == NULL && parts.priv == NULL && parts.seed == NULL)
        return RAISE(key->prov, REASON_KEY_MISSING);
    return key_fill(key, &parts);
}

#define PUBLIC_TYPES OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0)
#define PRIVATE_TYPES                                                                              \
    OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, NULL, 0),                                    \
        OSSL_PARAM_octet_string(PARAM_SEED, NULL, 0)

const OSSL_PARAM *keydata_types(int selection)
{
    static const OSSL_PARAM public_types[] = {PUBLIC_TYPES, OSSL_PARAM_END};
    static const OSSL_PARAM private_types[] = {PRIVATE_TYPES, OSSL_PARAM_END};
    static const OSSL_PARAM all_types[] = {PUBLIC_TYPES, PRIVATE_TYPES, OSSL_PARAM_END};

    switch (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) {
    case OSSL_KEYMGMT_SELECT_KEYPAIR:
        return all_types;
    case OSSL_KEYMGMT_SELECT_PUBLIC_KEY:
        return public_types;
    case OSSL_KEYMGMT_SELECT_PRIVATE_KEY:
        return private_types;
    default:
        return NULL;
    }
}

int keydata_export(void *keydata, int selection, OSSL_CALLBACK *callback, void *arg)
{
    struct key *key = keydata;
    const struct dkex_params *p = key->suite->params;
    OSSL_PARAM params[4];
    size_t n = 0;

    if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0 && key->has_pub)
        params[n++] =
            OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, key->pub, p->pub_len);
    if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 && key->secret != NULL) {
        params[n++] = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, key->secret->priv,
                                                        p->priv_len);
        if (key->secret->has_seed)
            params[n++] =
                OSSL_PARAM_construct_octet_string(PARAM_SEED, key->secret->seed, DKEX_SEED_BYTES);
    }
    if (n == 0)
        return RAISE(key->prov, (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0
                                    ? REASON_PRIVATE_KEY_REQUIRED
                                    : REASON_KEY_MISSING);
    params[n] = OSSL_PARAM_construct_end();
    return callback(params, arg);
}

const OSSL_PARAM *keydata_gettable_params(void *provctx)
{
    static const OSSL_PARAM params[] = {
        OSSL_PARAM_int(OSSL_PKEY_PARAM_BITS, NULL),
        OSSL_PARAM_int(OSSL_PKEY_PARAM_SECURITY_BITS, NULL),
        OSSL_PARAM_int(OSSL_PKEY_PARAM_MAX_SIZE, NULL),
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, NULL, 0),
        PUBLIC_TYPES,
        PRIVATE_TYPES,
        OSSL_PARAM_END,
    };

    (void)provctx;
    return params;
}

/* Nothing happens if the name is not asked for, or the key does not have that part. */
static int put_octets(const struct key *key, OSSL_PARAM params[], const char *name,
                      const uint8_t *data, size_t len)
{
    return data == NULL ||
           provider_put_octets(key->prov, OSSL_PARAM_locate(params, name), data, len);
}

static int put_number(const struct key *key, OSSL_PARAM params[], const char *name, size_t value)
{
    return provider_put_int(key->prov, OSSL_PARAM_locate(params, name), (int)value);
}

int keydata_get_params(void *keydata, OSSL_PARAM params[])
{
    const struct key *key = keydata;
    const struct dkex_params *p = key->suite->params;
    const struct key_secret *secret = key->secret;
    const uint8_t *pub = key->has_pub ? key->pub : NULL;
    const uint8_t *seed = secret != NULL && secret->has_seed ? secret->seed : NULL;

    return put_number(key, params, OSSL_PKEY_PARAM_BITS, 8 * p->pub_len) &&
           put_number(key, params, OSSL_PKEY_PARAM_SECURITY_BITS, p->security_bits) &&
           put_number(key, params, OSSL_PKEY_PARAM_MAX_SIZE, p->n_len) &&
           put_octets(key, params, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, pub, p->pub_len) &&
           put_octets(key, params, OSSL_PKEY_PARAM_PUB_KEY, pub, p->pub_len) &&
           put_octets(key, params, OSSL_PKEY_PARAM_PRIV_KEY, secret != NULL ? secret->priv : NULL,
                      p->priv_len) &&
           put_octets(key, params, PARAM_SEED, seed, DKEX_SEED_BYTES);
}

const OSSL_PARAM *keydata_settable_params(void *provctx)
{
    static const OSSL_PARAM none[] = {OSSL_PARAM_END};

    (void)provctx;
    return none;
}

/* Names that a key does not have are passed over, as everywhere in libcrypto. */
int keydata_set_params(void *keydata, const OSSL_PARAM params[])
{
    const struct key *key = keydata;

    for (const OSSL_PARAM *had = keydata_gettable_params(key->prov); had->key != NULL; had++) {
        if (params != NULL && OSSL_PARAM_locate_const(params, had->key) != NULL)
            return RAISE(key->prov, REASON_KEY_IS_FINAL);
    }
    return 1;
}
