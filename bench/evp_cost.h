/* SPDX-License-Identifier: Apache-2.0 */
/* The three ways of an exchange that dkex-evp-cost compares, and their libcrypto. */
#ifndef BENCH_EVP_COST_H
#define BENCH_EVP_COST_H

#include <openssl/evp.h>

#include "steps.h"

/* A library context with the providers "default" and "dkex", test-entropy = yes. NULL after
 * printing why. */
OSSL_LIB_CTX *cost_library(void);

/* Two identities, as libcrypto has them and as the core does. */
struct cost_pair {
    EVP_PKEY *a, *b, *a_pub, *b_pub; /* _pub: the public half alone */
    struct speed_pair core;
};

/* With expanded forms for the core if warm. 0, or -1 after printing what failed. */
int cost_pair_make(struct cost_pair *pair, OSSL_LIB_CTX *lib, const struct dkex_suite *suite,
                   enum speed_keys keys);

/* The coins of an exchange and, through EVP, whether the sides take them: as test-entropy, with
 * deterministic signatures. Else the provider draws. */
struct cost_coins {
    int shared;
    uint8_t a[DKEX_MAX_COINS_BYTES], b[DKEX_MAX_COINS_BYTES];
    uint8_t rnd_a[DKEX_RND_BYTES], rnd_b[DKEX_RND_BYTES];
};

/* The random bytes of an exchange, in as many calls and from the same kind of generator as the
 * provider draws them. 0, or -1 after printing what failed. */
int cost_draw(struct cost_coins *coins, OSSL_LIB_CTX *lib, const struct dkex_params *params);

/* Contexts new, role, peer, three messages, both derive, free. Writes A's secret. 1 or 0. */
int cost_evp_exchange(uint8_t *secret, OSSL_LIB_CTX *lib, const struct cost_pair *pair,
                      const struct dkex_params *params, const struct cost_coins *coins);

/* What libcrypto alone does about two derive contexts: the same calls with keys of X25519. */
struct cost_x25519 {
    EVP_PKEY *a, *b;
    EVP_PKEY_CTX *ctx; /* of a, with b as peer */
};

int cost_x25519_make(struct cost_x25519 *x, OSSL_LIB_CTX *lib);
/* Both sides: contexts new, init, peer, derive, free. 1 or 0. */
int cost_x25519_exchange(const struct cost_x25519 *x, OSSL_LIB_CTX *lib);
/* The mathematics in it: derive twice with a context at hand. 1 or 0. */
int cost_x25519_derive(const struct cost_x25519 *x);

#endif
