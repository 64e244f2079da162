/* SPDX-License-Identifier: Apache-2.0 */
/* A on one backend, B on another, every pair: all bytes are those of a portable session. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../rng.h"
#include "dkex.h"
#include "fixture.h"

enum { SESSIONS = 25 };

/* All that a session draws, and all that comes out of it, unused ends zero. */
struct inputs {
    uint8_t seed_a[DKEX_SEED_BYTES], seed_b[DKEX_SEED_BYTES];
    uint8_t coins1[DKEX_MAX_COINS_BYTES], coins2[DKEX_MAX_COINS_BYTES];
    uint8_t rnd_a[DKEX_RND_BYTES], rnd_b[DKEX_RND_BYTES];
};

struct party {
    uint8_t pub[DKEX_MAX_PUB_BYTES], priv[DKEX_MAX_PRIV_BYTES];
    uint8_t ephemeral[DKEX_MAX_EPHEMERAL_BYTES];
    uint8_t raw[DKEX_MAX_SECRET_BYTES], transcript[DKEX_MAX_SECRET_BYTES];
    uint8_t secret[DKEX_MAX_SECRET_BYTES];
};

struct session {
    struct party a, b;
    uint8_t m1[DKEX_MAX_M1_BYTES], m2[DKEX_MAX_M2_BYTES], m3[DKEX_MAX_M3_BYTES];
};

/* Generates the key; the suite of the other side finds it good, and the same public half. */
static struct dkex_key identity(struct party *party, const struct dkex_suite *suite,
                                const struct dkex_suite *other, const uint8_t *seed)
{
    uint8_t pub[DKEX_MAX_PUB_BYTES];

    dkex_key_generate(suite, party->pub, party->priv, seed);
    assert_int_equal(dkex_key_check(other, pub, party->priv), DKEX_OK);
    assert_memory_equal(pub, party->pub, suite->params->pub_len);
    return (struct dkex_key){.pub = party->pub, .priv = party->priv};
}

static void finish(struct party *party, struct dkex_handshake *hs)
{
    memcpy(party->raw, hs->raw, sizeof(party->raw));
    memcpy(party->transcript, hs->transcript, sizeof(party->transcript));
    assert_int_equal(dkex_handshake_secret(hs, party->secret), DKEX_OK);
    dkex_handshake_close(hs);
}

static void run(struct session *s, const struct dkex_suite *suite_a,
                const struct dkex_suite *suite_b, const struct inputs *in)
{
    const struct dkex_params *p = suite_a->params;
    struct dkex_handshake a, b;
    struct dkex_key key_a, key_b;

    memset(s, 0, sizeof(*s));
    key_a = identity(&s->a, suite_a, suite_b, in->seed_a);
    key_b = identity(&s->b, suite_b, suite_a, in->seed_b);
    assert_int_equal(dkex_handshake_open(&a, suite_a, fixture_sm3(), &key_a), DKEX_OK);
    assert_int_equal(dkex_handshake_open(&b, suite_b, fixture_sm3(), &key_b), DKEX_OK);
    assert_int_equal(dkex_handshake_set_peer(&a, &key_b), DKEX_OK);
    assert_int_equal(dkex_handshake_set_peer(&b, &key_a), DKEX_OK);
    assert_int_equal(dkex_handshake_start(&a, DKEX_ROLE_INITIATOR, in->coins1), DKEX_OK);
    assert_int_equal(dkex_handshake_start(&b, DKEX_ROLE_RESPONDER, NULL), DKEX_OK);
    memcpy(s->m1, a.out, p->m1_len);
    memcpy(s->a.ephemeral, a.ephemeral, p->ephemeral_len);
    assert_int_equal(dkex_handshake_step(&b, s->m1, p->m1_len, in->coins2, in->rnd_b), DKEX_OK);
    memcpy(s->m2, b.out, p->m2_len);
    assert_int_equal(dkex_handshake_step(&a, s->m2, p->m2_len, NULL, in->rnd_a), DKEX_OK);
    memcpy(s->m3, a.out, p->m3_len);
    assert_int_equal(dkex_handshake_step(&b, s->m3, p->m3_len, NULL, NULL), DKEX_OK);
    finish(&s->a, &a);
    finish(&s->b, &b);
    assert_memory_equal(s->a.secret, s->b.secret, p->n_len);
}

/* One set of inputs on every ordered pair of backends. */
static void check_pairs(const struct dkex_params *p, const struct inputs *in,
                        const struct session *expected, struct session *got)
{
    for (size_t i = 0; dkex_suite_cpu(i) != NULL; i++) {
        for (size_t j = 0; dkex_suite_cpu(j) != NULL; j++) {
            struct dkex_suite a, b;

            assert_int_equal(dkex_suite_bind(&a, p, dkex_suite_cpu(i)), DKEX_OK);
            assert_int_equal(dkex_suite_bind(&b, p, dkex_suite_cpu(j)), DKEX_OK);
            run(got, &a, &b, in);
            if (memcmp(got, expected, sizeof(*got)) != 0)
                fail_msg("%s: A on %s with B on %s departs", p->name, a.cpu, b.cpu);
        }
    }
}

static void test_mixed(void **state)
{
    struct session *expected = malloc(sizeof(*expected)), *got = malloc(sizeof(*got));
    struct test_rng rng = {41};

    (void)state;
    assert_true(expected != NULL && got != NULL);
    for (size_t set = 0; set < DKEX_SETS; set++) {
        struct dkex_suite portable;

        assert_int_equal(dkex_suite_bind(&portable, &dkex_params[set], "portable"), DKEX_OK);
        for (unsigned session = 0; session < SESSIONS; session++) {
            struct inputs in;

            test_rng_bytes(&rng, (uint8_t *)&in, sizeof(in));
            run(expected, &portable, &portable, &in);
            check_pairs(portable.params, &in, expected, got);
        }
    }
    free(expected);
    free(got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mixed)};

    return cmocka_run_group_tests(tests, NULL, fixture_teardown);
}
