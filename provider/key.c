/* SPDX-License-Identifier: Apache-2.0 */
#include "key.h"

#include <string.h>

struct key *key_new(struct provider *prov, const struct dkex_suite *suite)
{
    struct key *key;

    if (atomic_load(&prov->failed)) {
        RAISE(prov, REASON_SELF_TEST);
        return NULL;
    }
    if ((key = provider_zalloc(prov, sizeof(*key))) == NULL)
        return NULL;
    key->prov = prov;
    key->suite = suite;
    atomic_init(&key->references, 1);
    return key;
}

struct key *key_ref(struct key *key)
{
    atomic_fetch_add(&key->references, 1);
    return key;
}

static void drop_secret(struct key *key)
{
    OPENSSL_secure_clear_free(key->secret, sizeof(*key->secret));
    key->secret = NULL;
}

void key_free(struct key *key)
{
    if (key == NULL || atomic_fetch_sub(&key->references, 1) > 1)
        return;
    drop_secret(key);
    OPENSSL_free(key);
}

struct key *key_public_copy(const struct key *key)
{
    struct key *copy = key_new(key->prov, key->suite);

    if (copy != NULL) {
        copy->has_pub = key->has_pub;
        memcpy(copy->pub, key->pub, sizeof(copy->pub));
    }
    return copy;
}

struct dkex_key key_view(const struct key *key)
{
    return (struct dkex_key){
        .pub = key->has_pub ? key->pub : NULL,
        .priv = key->secret != NULL ? key->secret->priv : NULL,
    };
}

/* 0 with the reason raised. */
static int new_secret(struct key *key)
{
    key->secret = provider_secure_zalloc(key->prov, sizeof(*key->secret));
    return key->secret != NULL;
}

/* Makes both halves from the seed in key->secret. */
static void expand_seed(struct key *key)
{
    dkex_key_generate(key->suite, key->pub, key->secret->priv, key->secret->seed);
    key->secret->has_seed = 1;
    key->has_pub = 1;
}

/* Leaves the key empty again. */
static int refuse(struct key *key, enum reason reason)
{
    drop_secret(key);
    key->has_pub = 0;
    return RAISE(key->prov, reason);
}

int key_fill(struct key *key, const struct key_parts *parts)
{
    const struct dkex_params *p = key->suite->params;

    if (parts->seed != NULL || parts->priv != NULL) {
        if (!new_secret(key))
            return 0;
    }
    if (parts->seed != NULL) {
        memcpy(key->secret->seed, parts->seed, DKEX_SEED_BYTES);
        expand_seed(key);
        if (parts->priv != NULL && CRYPTO_memcmp(key->secret->priv, parts->priv, p->priv_len) != 0)
            return refuse(key, REASON_SEED_MISMATCH);
        if (parts->pub != NULL && memcmp(key->pub, parts->pub, p->pub_len) != 0)
            return refuse(key, REASON_SEED_MISMATCH);
    } else if (parts->priv != NULL) {
        memcpy(key->secret->priv, parts->priv, p->priv_len);
        if (dkex_key_check(key->suite, key->pub, key->secret->priv) != DKEX_OK)
            return refuse(key, REASON_PRIVATE_KEY);
        if (parts->pub != NULL && memcmp(key->pub, parts->pub, p->pub_len) != 0)
            return refuse(key, REASON_KEY_MISMATCH);
    } else {
        memcpy(key->pub, parts->pub, p->pub_len);
    }
    key->has_pub = 1;
    return 1;
}

int key_generate(struct key *key)
{
    if (!new_secret(key))
        return 0;
    if (!provider_random(key->prov, key->secret->seed, DKEX_SEED_BYTES,
                         key->suite->params->security_bits)) {
        drop_secret(key);
        return 0;
    }
    expand_seed(key);
    return 1;
}

int key_check(const struct key *key)
{
    uint8_t pub[DKEX_MAX_PUB_BYTES];

    if (dkex_key_check(key->suite, pub, key->secret->priv) != DKEX_OK)
        return RAISE(key->prov, REASON_PRIVATE_KEY);
    return memcmp(pub, key->pub, key->suite->params->pub_len) == 0
               ? 1
               : RAISE(key->prov, REASON_KEY_MISMATCH);
}
