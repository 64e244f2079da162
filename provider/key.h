/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An identity key of the provider. Filled once, by generation or import, and never changed after:
 * threads share it by reference without a lock. What cannot be completed leaves the key empty.
 */
#ifndef PROVIDER_KEY_H
#define PROVIDER_KEY_H

#include "provider.h"

/* In the secure heap where the application has one with room, in ordinary memory otherwise. */
struct key_secret {
    uint8_t priv[DKEX_MAX_PRIV_BYTES];
    uint8_t seed[DKEX_SEED_BYTES];
    int has_seed;
};

struct key {
    struct provider *prov;
    const struct dkex_suite *suite;
    atomic_int references;
    int has_pub;
    uint8_t pub[DKEX_MAX_PUB_BYTES];
    struct key_secret *secret; /* NULL: the public half alone */
};

/* An empty key of the set, or NULL with the reason raised. */
struct key *key_new(struct provider *prov, const struct dkex_suite *suite);
struct key *key_ref(struct key *key);
void key_free(struct key *key); /* NULL is let be; the last reference wipes */

/* A copy of the public half alone. */
struct key *key_public_copy(const struct key *key);

/* The key as the core borrows it. */
struct dkex_key key_view(const struct key *key);

/* Halves as they come in: NULL where absent, of the right length each. */
struct key_parts {
    const uint8_t *pub, *priv, *seed;
};

/*
 * Fills the empty key from its parts, one at least: what is missing is computed, what is there
 * twice must agree. 1, or 0 with the reason raised and the key empty.
 */
int key_fill(struct key *key, const struct key_parts *parts);

/* The same from a fresh random seed. */
int key_generate(struct key *key);

/* Of a key with both halves: 1 if the private one is well-formed and belongs to the public one, or
 * 0 with the reason raised. */
int key_check(const struct key *key);

#endif
