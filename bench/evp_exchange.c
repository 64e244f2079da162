/* SPDX-License-Identifier: Apache-2.0 */
#include "evp_cost.h"

#include <stdio.h>
#include <string.h>

#include <openssl/conf.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <openssl/rand.h>

#include "warm.h"

static int failed(const char *what)
{
    fprintf(stderr, "dkex-evp-cost: %s failed\n", what);
    ERR_print_errors_fp(stderr);
    return -1;
}

OSSL_LIB_CTX *cost_library(void)
{
    /* Options of a provider come by configuration only, before OpenSSL 3.5. */
    static const char text[] = "openssl_conf = main\n"
                               "[main]\nproviders = providers\n"
                               "[providers]\ndefault = default_section\ndkex = dkex_section\n"
                               "[default_section]\nactivate = 1\n"
                               "[dkex_section]\nactivate = 1\ntest-entropy = yes\n";
    OSSL_LIB_CTX *lib = OSSL_LIB_CTX_new();
    BIO *in = BIO_new_mem_buf(text, -1);
    CONF *conf = NCONF_new_ex(lib, NULL);
    int ok;

    OPENSSL_load_builtin_modules();
    ok = lib != NULL && in != NULL && conf != NULL && NCONF_load_bio(conf, in, NULL) > 0 &&
         CONF_modules_load(conf, NULL, 0) > 0 && OSSL_PROVIDER_available(lib, "dkex");
    NCONF_free(conf);
    BIO_free(in);
    if (ok)
        return lib;
    failed("loading the provider dkex (is its folder in OPENSSL_MODULES?)");
    OSSL_LIB_CTX_free(lib);
    return NULL;
}

static EVP_PKEY *generate(OSSL_LIB_CTX *lib, const char *type)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(lib, type, NULL);
    EVP_PKEY *key = NULL;

    if (ctx != NULL && EVP_PKEY_keygen_init(ctx) == 1)
        EVP_PKEY_generate(ctx, &key);
    EVP_PKEY_CTX_free(ctx);
    return key;
}

static EVP_PKEY *public_half(OSSL_LIB_CTX *lib, const char *type, EVP_PKEY *key)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(lib, type, NULL);
    OSSL_PARAM *params = NULL;
    EVP_PKEY *half = NULL;

    if (ctx != NULL && EVP_PKEY_todata(key, EVP_PKEY_PUBLIC_KEY, &params) == 1 &&
        EVP_PKEY_fromdata_init(ctx) == 1)
        EVP_PKEY_fromdata(ctx, &half, EVP_PKEY_PUBLIC_KEY, params);
    OSSL_PARAM_free(params);
    EVP_PKEY_CTX_free(ctx);
    return half;
}

/* One side's keys, in all forms. */
static int make_side(EVP_PKEY **key, EVP_PKEY **pub, struct dkex_key *core, OSSL_LIB_CTX *lib,
                     const struct dkex_suite *suite, enum speed_keys keys)
{
    const struct dkex_params *p = suite->params;
    uint8_t pub_bytes[DKEX_MAX_PUB_BYTES], priv_bytes[DKEX_MAX_PRIV_BYTES];
    size_t len;

    *key = generate(lib, p->name);
    *pub = *key != NULL ? public_half(lib, p->name, *key) : NULL;
    if (*pub == NULL ||
        EVP_PKEY_get_octet_string_param(*key, OSSL_PKEY_PARAM_PUB_KEY, pub_bytes, sizeof(pub_bytes),
                                        &len) != 1 ||
        EVP_PKEY_get_octet_string_param(*key, OSSL_PKEY_PARAM_PRIV_KEY, priv_bytes,
                                        sizeof(priv_bytes), &len) != 1 ||
        warm_key_make(core, suite, pub_bytes, priv_bytes) != 0)
        return failed("making a key");
    if (keys == SPEED_COLD)
        *core = (struct dkex_key){.pub = core->pub, .priv = core->priv};
    return 0;
}

int cost_pair_make(struct cost_pair *pair, OSSL_LIB_CTX *lib, const struct dkex_suite *suite,
                   enum speed_keys keys)
{
    return make_side(&pair->a, &pair->a_pub, &pair->core.a, lib, suite, keys) == 0
               ? make_side(&pair->b, &pair->b_pub, &pair->core.b, lib, suite, keys)
               : -1;
}

int cost_draw(struct cost_coins *coins, OSSL_LIB_CTX *lib, const struct dkex_params *params)
{
    EVP_RAND_CTX *rand = RAND_get0_primary(lib);
    const unsigned bits = params->security_bits;

    if (EVP_RAND_generate(rand, coins->a, params->seed_len, bits, 0, NULL, 0) &&
        EVP_RAND_generate(rand, coins->b, params->seed_len + params->n_len, bits, 0, NULL, 0) &&
        EVP_RAND_generate(rand, coins->rnd_b, DKEX_RND_BYTES, bits, 0, NULL, 0) &&
        EVP_RAND_generate(rand, coins->rnd_a, DKEX_RND_BYTES, bits, 0, NULL, 0))
        return 0;
    return failed("drawing random bytes");
}

/* Adds the coins of a pass and the choice of deterministic signatures. Returns the next entry. */
static OSSL_PARAM *add_coins(OSSL_PARAM *p, const uint8_t *coins, size_t len)
{
    static int deterministic = 1;

    *p++ = OSSL_PARAM_construct_int("deterministic", &deterministic);
    *p++ = OSSL_PARAM_construct_octet_string("test-entropy", (uint8_t *)coins, len);
    return p;
}

/* coins: of the first pass, or NULL where the provider draws them. */
static EVP_PKEY_CTX *side(OSSL_LIB_CTX *lib, EVP_PKEY *own, EVP_PKEY *peer, const char *role,
                          const uint8_t *coins, size_t coins_len)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(lib, own, NULL);
    OSSL_PARAM params[4], *p = params;

    *p++ = OSSL_PARAM_construct_utf8_string("role", (char *)role, 0);
    if (coins != NULL)
        p = add_coins(p, coins, coins_len);
    *p = OSSL_PARAM_construct_end();
    if (ctx != NULL && EVP_PKEY_derive_init_ex(ctx, params) == 1 &&
        EVP_PKEY_derive_set_peer(ctx, peer) == 1)
        return ctx;
    EVP_PKEY_CTX_free(ctx);
    return NULL;
}

/* The message that from has to send goes to the other. */
static int pass(EVP_PKEY_CTX *to, EVP_PKEY_CTX *from)
{
    uint8_t message[DKEX_MAX_M2_BYTES];
    OSSL_PARAM out[] = {
        OSSL_PARAM_construct_octet_string("out-message", message, sizeof(message)),
        OSSL_PARAM_construct_end(),
    };
    OSSL_PARAM in[] = {
        OSSL_PARAM_construct_octet_string("in-message", message, 0),
        OSSL_PARAM_construct_end(),
    };

    if (EVP_PKEY_CTX_get_params(from, out) != 1)
        return 0;
    in[0].data_size = out[0].return_size;
    return EVP_PKEY_CTX_set_params(to, in) == 1;
}

int cost_evp_exchange(uint8_t *secret, OSSL_LIB_CTX *lib, const struct cost_pair *pair,
                      const struct dkex_params *params, const struct cost_coins *coins)
{
    const size_t s = params->seed_len, n = params->n_len;
    EVP_PKEY_CTX *a =
        side(lib, pair->a, pair->b_pub, "initiator", coins->shared ? coins->a : NULL, s);
    EVP_PKEY_CTX *b =
        side(lib, pair->b, pair->a_pub, "responder", coins->shared ? coins->b : NULL, s + n);
    uint8_t secret_b[DKEX_MAX_SECRET_BYTES];
    size_t len_a = n, len_b = n;
    int ok = a != NULL && b != NULL && pass(b, a) && pass(a, b) && pass(b, a) &&
             EVP_PKEY_derive(a, secret, &len_a) == 1 && EVP_PKEY_derive(b, secret_b, &len_b) == 1 &&
             memcmp(secret, secret_b, n) == 0;

    EVP_PKEY_CTX_free(a);
    EVP_PKEY_CTX_free(b);
    return ok;
}

static EVP_PKEY_CTX *x25519_side(OSSL_LIB_CTX *lib, EVP_PKEY *own, EVP_PKEY *peer)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(lib, own, NULL);

    if (ctx != NULL && EVP_PKEY_derive_init_ex(ctx, NULL) == 1 &&
        EVP_PKEY_derive_set_peer(ctx, peer) == 1)
        return ctx;
    EVP_PKEY_CTX_free(ctx);
    return NULL;
}

int cost_x25519_make(struct cost_x25519 *x, OSSL_LIB_CTX *lib)
{
    x->a = generate(lib, "X25519");
    x->b = generate(lib, "X25519");
    x->ctx = x->a != NULL && x->b != NULL ? x25519_side(lib, x->a, x->b) : NULL;
    return x->ctx != NULL ? 0 : failed("X25519");
}

static int derive(EVP_PKEY_CTX *ctx)
{
    uint8_t secret[32];
    size_t len = sizeof(secret);

    return EVP_PKEY_derive(ctx, secret, &len) == 1;
}

int cost_x25519_exchange(const struct cost_x25519 *x, OSSL_LIB_CTX *lib)
{
    EVP_PKEY_CTX *a = x25519_side(lib, x->a, x->b), *b = x25519_side(lib, x->b, x->a);
    int ok = a != NULL && b != NULL && derive(a) && derive(b);

    EVP_PKEY_CTX_free(a);
    EVP_PKEY_CTX_free(b);
    return ok;
}

int cost_x25519_derive(const struct cost_x25519 *x)
{
    return derive(x->ctx) && derive(x->ctx);
}
