/* SPDX-License-Identifier: Apache-2.0 */
/* Two parties with identity keys, ready to talk, for tests of the state machine. */
#ifndef TEST_CORE_PAIR_H
#define TEST_CORE_PAIR_H

#include <string.h>

#include "../rng.h"
#include "dkex.h"
#include "fixture.h"

struct party {
    uint8_t pub[DKEX_MAX_PUB_BYTES], priv[DKEX_MAX_PRIV_BYTES];
    struct dkex_key key;
    struct dkex_handshake hs;
};

struct pair {
    struct dkex_suite suite;
    struct party a, b;
    uint8_t coins1[DKEX_MAX_COINS_BYTES], coins2[DKEX_MAX_COINS_BYTES], rnd[DKEX_RND_BYTES];
};

static inline void pair_identity(struct party *party, const struct dkex_suite *suite,
                                 struct test_rng *rng)
{
    uint8_t seed[DKEX_SEED_BYTES];

    test_rng_bytes(rng, seed, sizeof(seed));
    dkex_key_generate(suite, party->pub, party->priv, seed);
    party->key = (struct dkex_key){.pub = party->pub, .priv = party->priv};
}

/* New coins and two handshakes that wait for their roles, on the keys that the pair has. */
static inline void pair_open(struct pair *p, struct test_rng *rng)
{
    test_rng_bytes(rng, p->coins1, sizeof(p->coins1));
    test_rng_bytes(rng, p->coins2, sizeof(p->coins2));
    test_rng_bytes(rng, p->rnd, sizeof(p->rnd));
    assert_int_equal(dkex_handshake_open(&p->a.hs, &p->suite, fixture_sm3(), &p->a.key), DKEX_OK);
    assert_int_equal(dkex_handshake_open(&p->b.hs, &p->suite, fixture_sm3(), &p->b.key), DKEX_OK);
}

static inline void pair_init(struct pair *p, size_t set, struct test_rng *rng)
{
    p->suite = fixture_suite(set);
    pair_identity(&p->a, &p->suite, rng);
    pair_identity(&p->b, &p->suite, rng);
    pair_open(p, rng);
}

/* Roles and peers set, m1 made. */
static inline void pair_start(struct pair *p)
{
    assert_int_equal(dkex_handshake_start(&p->a.hs, DKEX_ROLE_INITIATOR, p->coins1), DKEX_OK);
    assert_int_equal(dkex_handshake_start(&p->b.hs, DKEX_ROLE_RESPONDER, NULL), DKEX_OK);
    assert_int_equal(dkex_handshake_set_peer(&p->a.hs, &p->b.key), DKEX_OK);
    assert_int_equal(dkex_handshake_set_peer(&p->b.hs, &p->a.key), DKEX_OK);
}

/* Hands what `from` has to send to `to`. */
static inline enum dkex_status pair_pass(struct pair *p, struct party *to, const struct party *from)
{
    uint8_t message[DKEX_MAX_M2_BYTES];

    memcpy(message, from->hs.out, from->hs.out_len);
    return dkex_handshake_step(&to->hs, message, from->hs.out_len, p->coins2, p->rnd);
}

static inline void pair_close(struct pair *p)
{
    dkex_handshake_close(&p->a.hs);
    dkex_handshake_close(&p->b.hs);
}

#endif
