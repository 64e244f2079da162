/* SPDX-License-Identifier: Apache-2.0 */
/* KEYMGMT for the three key types: see provider-keymgmt(7). */
#include "key.h"

#include <string.h>

#include <openssl/core_names.h>
#include <openssl/params.h>

#include "keydata.h"

static OSSL_FUNC_keymgmt_free_fn free_key;
static OSSL_FUNC_keymgmt_has_fn has;
static OSSL_FUNC_keymgmt_match_fn match;
static OSSL_FUNC_keymgmt_validate_fn validate;
static OSSL_FUNC_keymgmt_dup_fn dup_key;
static OSSL_FUNC_keymgmt_load_fn load;
static OSSL_FUNC_keymgmt_gen_set_params_fn gen_set_params;
static OSSL_FUNC_keymgmt_gen_settable_params_fn gen_settable_params;
static OSSL_FUNC_keymgmt_gen_fn gen;
static OSSL_FUNC_keymgmt_gen_cleanup_fn gen_cleanup;

static void free_key(void *key)
{
    key_free(key);
}

/* Whether the key has all that the selection asks for; there are no domain parameters to miss. */
static int has(const void *keydata, int selection)
{
    const struct key *key = keydata;

    if (key == NULL)
        return 0;
    if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0 && !key->has_pub)
        return 0;
    return (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) == 0 || key->secret != NULL;
}

/* A private half always comes with its public one, so that comparing these is comparing keys. */
static int match(const void *keydata1, const void *keydata2, int selection)
{
    const struct key *a = keydata1, *b = keydata2;

    if (a->suite != b->suite)
        return 0;
    if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0)
        return 1;
    return a->has_pub && b->has_pub && memcmp(a->pub, b->pub, a->suite->params->pub_len) == 0;
}

/* Every string of the right length is a public key; a private half is checked, as is the pair. */
static int validate(const void *keydata, int selection, int checktype)
{
    const struct key *key = keydata;

    (void)checktype;
    if (!has(key, selection & OSSL_KEYMGMT_SELECT_KEYPAIR))
        return RAISE(key->prov, key->has_pub ? REASON_PRIVATE_KEY_REQUIRED : REASON_KEY_MISSING);
    return (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) == 0 || key_check(key);
}

static void *dup_key(const void *keydata, int selection)
{
    struct key *key = (struct key *)keydata; /* its count of references changes, nothing else */

    /* An empty one may be filled later, and the copy must not be. */
    if (!key->has_pub || (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0)
        return key_new(key->prov, key->suite);
    if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 || key->secret == NULL)
        return key_ref(key);
    return key_public_copy(key);
}

/* Takes the object that a decoder made over. */
static void *load(const void *reference, size_t reference_len)
{
    struct key *key;

    if (reference_len != sizeof(void *))
        return NULL;
    key = *(struct key **)reference;
    *(struct key **)reference = NULL;
    return key;
}

struct generation {
    struct provider *prov;
    const struct dkex_suite *suite;
    int has_seed;
    uint8_t seed[DKEX_SEED_BYTES];
};

static void *gen_init_for(void *provctx, size_t set, int selection, const OSSL_PARAM params[])
{
    struct provider *prov = provctx;
    struct generation *g;

    if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0) {
        RAISE(prov, REASON_KEY_MISSING); /* there are no domain parameters to generate */
        return NULL;
    }
    if ((g = provider_secure_zalloc(prov, sizeof(*g))) == NULL)
        return NULL;
    g->prov = prov;
    g->suite = &prov->suites[set];
    if (gen_set_params(g, params))
        return g;
    gen_cleanup(g);
    return NULL;
}

static int gen_set_params(void *genctx, const OSSL_PARAM params[])
{
    struct generation *g = genctx;
    const OSSL_PARAM *p = params != NULL ? OSSL_PARAM_locate_const(params, PARAM_SEED) : NULL;

    if (p == NULL)
        return 1;
    if (p->data_type != OSSL_PARAM_OCTET_STRING || p->data == NULL)
        return RAISE(g->prov, REASON_PARAMETER);
    if (p->data_size != DKEX_SEED_BYTES)
        return RAISE(g->prov, REASON_SEED_LENGTH);
    memcpy(g->seed, p->data, DKEX_SEED_BYTES);
    g->has_seed = 1;
    return 1;
}

static const OSSL_PARAM *gen_settable_params(void *genctx, void *provctx)
{
    static const OSSL_PARAM params[] = {
        OSSL_PARAM_octet_string(PARAM_SEED, NULL, 0),
        OSSL_PARAM_END,
    };

    (void)genctx;
    (void)provctx;
    return params;
}

static void *gen(void *genctx, OSSL_CALLBACK *callback, void *arg)
{
    struct generation *g = genctx;
    const struct key_parts parts = {.seed = g->seed};
    struct key *key;

    (void)callback; /* done before a progress report would arrive */
    (void)arg;
    if (!provider_first_use(g->prov) || (key = key_new(g->prov, g->suite)) == NULL)
        return NULL;
    if (g->has_seed ? key_fill(key, &parts) : key_generate(key))
        return key;
    key_free(key);
    return NULL;
}

static void gen_cleanup(void *genctx)
{
    OPENSSL_secure_clear_free(genctx, sizeof(struct generation));
}

/* The three tables, which differ in the set alone. */
#define KEYMGMT(bits, set)                                                                         \
    static void *new_##bits(void *provctx)                                                         \
    {                                                                                              \
        return key_new(provctx, &((struct provider *)provctx)->suites[set]);                       \
    }                                                                                              \
    static void *gen_init_##bits(void *provctx, int selection, const OSSL_PARAM params[])          \
    {                                                                                              \
        return gen_init_for(provctx, set, selection, params);                                      \
    }                                                                                              \
    static const char *operation_name_##bits(int operation)                                        \
    {                                                                                              \
        return operation == OSSL_OP_KEYEXCH ? "DKEX-" #bits : NULL;                                \
    }                                                                                              \
    const OSSL_DISPATCH provider_keymgmt_##bits[] = {                                              \
        {OSSL_FUNC_KEYMGMT_NEW, (void (*)(void))new_##bits},                                       \
        {OSSL_FUNC_KEYMGMT_FREE, (void (*)(void))free_key},                                        \
        {OSSL_FUNC_KEYMGMT_GEN_INIT, (void (*)(void))gen_init_##bits},                             \
        {OSSL_FUNC_KEYMGMT_GEN_SET_PARAMS, (void (*)(void))gen_set_params},                        \
        {OSSL_FUNC_KEYMGMT_GEN_SETTABLE_PARAMS, (void (*)(void))gen_settable_params},              \
        {OSSL_FUNC_KEYMGMT_GEN, (void (*)(void))gen},                                              \
        {OSSL_FUNC_KEYMGMT_GEN_CLEANUP, (void (*)(void))gen_cleanup},                              \
        {OSSL_FUNC_KEYMGMT_LOAD, (void (*)(void))load},                                            \
        {OSSL_FUNC_KEYMGMT_DUP, (void (*)(void))dup_key},                                          \
        {OSSL_FUNC_KEYMGMT_HAS, (void (*)(void))has},                                              \
        {OSSL_FUNC_KEYMGMT_MATCH, (void (*)(void))match},                                          \
        {OSSL_FUNC_KEYMGMT_VALIDATE, (void (*)(void))validate},                                    \
        {OSSL_FUNC_KEYMGMT_IMPORT, (void (*)(void))keydata_import},                                \
        {OSSL_FUNC_KEYMGMT_IMPORT_TYPES, (void (*)(void))keydata_types},                           \
        {OSSL_FUNC_KEYMGMT_EXPORT, (void (*)(void))keydata_export},                                \
        {OSSL_FUNC_KEYMGMT_EXPORT_TYPES, (void (*)(void))keydata_types},                           \
        {OSSL_FUNC_KEYMGMT_GET_PARAMS, (void (*)(void))keydata_get_params},                        \
        {OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS, (void (*)(void))keydata_gettable_params},              \
        {OSSL_FUNC_KEYMGMT_SET_PARAMS, (void (*)(void))keydata_set_params},                        \
        {OSSL_FUNC_KEYMGMT_SETTABLE_PARAMS, (void (*)(void))keydata_settable_params},              \
        {OSSL_FUNC_KEYMGMT_QUERY_OPERATION_NAME, (void (*)(void))operation_name_##bits},           \
        {0, NULL},                                                                                 \
    }

KEYMGMT(128, 0);
KEYMGMT(256, 1);
KEYMGMT(512, 2);
