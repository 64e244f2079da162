/* SPDX-License-Identifier: Apache-2.0 */
/* The lattice core as a whole: known answers, agreement, hostile messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../hex.h"
#include "../rng.h"
#include "dke.h"
#include "fixture.h"
#include "sm3.h"
#include "sm3x.h"

enum { ANSWERS = 6 };

/*
 * The first 16 bytes of SHA-256 of m1, sk, ct, raw, and of raw as the initiator has it from a ct of
 * all 0xff and all zero; coins of pass 1 are 0, 1, 2, ..., of pass 2 byte i is 7i + 1 mod 256. From
 * exact integer arithmetic, not from this code.
 */
static const char *const known[DKEX_SETS][ANSWERS] = {
    {"dd79cd67ef3fb37c6bbfd8346b414105", "e117aad97f51728c20d2bc5aa7e8a044",
     "2ff81207ff89c8b59b96cdd624b946d3", "9fdac0c7ce8d89eda87ae527dee1a1c9",
     "af9613760f72635fbdb44a5a0a63c39f", "66687aadf862bd776c8fc18b8e9f8e20"},
    {"03cde1a80649c90512042b1a0ad6c23a", "44e6af48b2e409396652bf655b0be43b",
     "8a4b7246ced45435be74085e3cbefc71", "a045684865a14057082b837a393a804f",
     "af9613760f72635fbdb44a5a0a63c39f", "66687aadf862bd776c8fc18b8e9f8e20"},
    {"4c37d15b3ec5a8469fb90bbde37f85e6", "c6f4a22e68817aea582fa389f3b8ac77",
     "afb754a297b6ba68fa7995864e79e46f", "2dd28e2a94f10ef6af64a474f04cdcd9",
     "8667e718294e9e0df1d30600ba3eeb20", "f5a5fd42d16a20302798ef6ed309979b"},
};

struct exchange {
    uint8_t coins1[DKEX_MAX_COINS_BYTES], coins2[DKEX_MAX_COINS_BYTES];
    uint8_t m1[DKEX_MAX_M1_BYTES], sk[DKEX_MAX_EPHEMERAL_BYTES], ct[DKEX_MAX_M2_BYTES];
    uint8_t raw_a[DKEX_MAX_SECRET_BYTES], raw_b[DKEX_MAX_SECRET_BYTES];
};

static void run(struct exchange *x, const struct dkex_suite *suite, struct dkex_sm3 *s)
{
    assert_int_equal(dkex_dke_keygen(suite, s, x->m1, x->sk, x->coins1), DKEX_OK);
    assert_int_equal(dkex_dke_respond(suite, s, x->ct, x->raw_b, x->m1, x->coins2), DKEX_OK);
    dkex_dke_finish(suite, x->raw_a, x->sk, x->ct);
}

static void assert_digest(const uint8_t *data, size_t len, const char *expected)
{
    uint8_t digest[32];
    char hex[65];

    assert_true(EVP_Digest(data, len, digest, NULL, EVP_sha256(), NULL));
    test_hex_encode(hex, digest, 16);
    assert_string_equal(hex, expected);
}

static void test_known_answers(void **state)
{
    struct exchange x;
    struct dkex_sm3 s;

    (void)state;
    assert_int_equal(dkex_sm3_open(&s, fixture_sm3()), DKEX_OK);
    for (size_t i = 0; i < DKEX_MAX_COINS_BYTES; i++) {
        x.coins1[i] = (uint8_t)i;
        x.coins2[i] = (uint8_t)(7 * i + 1);
    }
    for (size_t set = 0; set < DKEX_SETS; set++) {
        const struct dkex_suite suite = fixture_suite(set);
        const struct dkex_params *p = suite.params;

        run(&x, &suite, &s);
        assert_digest(x.m1, p->m1_len, known[set][0]);
        assert_digest(x.sk, p->ephemeral_len, known[set][1]);
        assert_digest(x.ct, p->ct_len, known[set][2]);
        assert_digest(x.raw_a, p->n_len, known[set][3]);
        assert_digest(x.raw_b, p->n_len, known[set][3]);
        memset(x.ct, 0xff, sizeof(x.ct));
        dkex_dke_finish(&suite, x.raw_a, x.sk, x.ct);
        assert_digest(x.raw_a, p->n_len, known[set][4]);
        memset(x.ct, 0, sizeof(x.ct));
        dkex_dke_finish(&suite, x.raw_a, x.sk, x.ct);
        assert_digest(x.raw_a, p->n_len, known[set][5]);
    }
    dkex_sm3_close(&s);
}

static void test_agreement(void **state)
{
    struct test_rng rng = {9};
    struct exchange x;
    struct dkex_sm3 s;

    (void)state;
    assert_int_equal(dkex_sm3_open(&s, fixture_sm3()), DKEX_OK);
    for (size_t set = 0; set < DKEX_SETS; set++) {
        const struct dkex_suite suite = fixture_suite(set);

        for (unsigned round = 0; round < 300; round++) {
            test_rng_bytes(&rng, x.coins1, sizeof(x.coins1));
            test_rng_bytes(&rng, x.coins2, sizeof(x.coins2));
            run(&x, &suite, &s);
            assert_memory_equal(x.raw_a, x.raw_b, suite.params->n_len);
        }
    }
    dkex_sm3_close(&s);
}

static unsigned expansions, expansion_limit; /* calls so far, and how many succeed */

static enum dkex_status counted_expand(struct dkex_sm3 *s, uint8_t *out, const uint8_t *seed,
                                       size_t seed_len, const uint8_t *suffixes, size_t suffix_len,
                                       size_t count, uint32_t first, size_t blocks)
{
    if (expansions++ >= expansion_limit)
        return DKEX_ERR_SM3;
    return dkex_sm3x_portable.expand(s, out, seed, seed_len, suffixes, suffix_len, count, first,
                                     blocks);
}

static const struct dkex_sm3x counted = {.name = "counted", .expand = counted_expand};

static void assert_zero(const uint8_t *data, size_t len)
{
    for (size_t i = 0; i < len; i++)
        assert_int_equal(data[i], 0);
}

/* SM3 that fails for keygen's seed, the matrix or the noise: nothing is left in the outputs. */
static void test_sm3_failure(void **state)
{
    struct exchange x = {0};
    struct dkex_sm3 s, broken;

    (void)state;
    assert_int_equal(dkex_sm3_open(&s, fixture_sm3()), DKEX_OK);
    for (size_t set = 0; set < DKEX_SETS; set++) {
        struct dkex_suite suite = fixture_suite(set);
        const struct dkex_params *p = suite.params;

        run(&x, &suite, &s);
        suite.sm3x = &counted;
        for (expansion_limit = 0; expansion_limit < 3; expansion_limit++) {
            uint8_t m1[DKEX_MAX_M1_BYTES];

            broken = s;
            if (expansion_limit == 2)
                broken.md = NULL;
            memset(m1, 0xaa, sizeof(m1));
            memset(x.sk, 0xaa, sizeof(x.sk));
            expansions = 0;
            assert_int_equal(dkex_dke_keygen(&suite, &broken, m1, x.sk, x.coins1), DKEX_ERR_SM3);
            assert_int_equal(expansions, expansion_limit == 2 ? 0 : expansion_limit + 1);
            assert_zero(m1, p->m1_len);
            assert_zero(x.sk, p->ephemeral_len);

            memset(x.ct, 0xaa, sizeof(x.ct));
            memset(x.raw_b, 0xaa, sizeof(x.raw_b));
            expansions = 0;
            assert_int_equal(dkex_dke_respond(&suite, &broken, x.ct, x.raw_b, x.m1, x.coins2),
                             DKEX_ERR_SM3);
            assert_zero(x.ct, p->ct_len);
            assert_zero(x.raw_b, p->n_len);
        }
    }
    dkex_sm3_close(&s);
}

/* A coefficient of q, wherever it is in m1, is refused before anything is hashed; nothing comes
 * out. */
static void test_malformed_m1(void **state)
{
    struct exchange x = {0};
    struct dkex_sm3 s;

    (void)state;
    assert_int_equal(dkex_sm3_open(&s, fixture_sm3()), DKEX_OK);
    for (size_t set = 0; set < DKEX_SETS; set++) {
        struct dkex_suite suite = fixture_suite(set);
        const struct dkex_params *p = suite.params;

        suite.sm3x = &counted;
        expansions = 0;
        for (unsigned i = 0; i < p->k * p->n; i++) {
            memset(x.m1, 0, sizeof(x.m1));
            for (unsigned bit = 0; bit < p->d_a; bit++)
                x.m1[(i * p->d_a + bit) / 8] |=
                    (uint8_t)((p->q >> bit & 1u) << ((i * p->d_a + bit) % 8));
            memset(x.ct, 0xaa, sizeof(x.ct));
            memset(x.raw_b, 0xaa, sizeof(x.raw_b));
            assert_int_equal(dkex_dke_respond(&suite, &s, x.ct, x.raw_b, x.m1, x.coins2),
                             DKEX_ERR_MALFORMED);
            assert_int_equal(expansions, 0);
            assert_zero(x.ct, p->ct_len);
            assert_zero(x.raw_b, p->n_len);
            /* The same string is no ephemeral secret either. */
            assert_int_equal(dkex_dke_check_secret(&suite, x.m1), DKEX_ERR_MALFORMED);
        }
        memset(x.m1, 0, sizeof(x.m1));
        assert_int_equal(dkex_dke_check_secret(&suite, x.m1), DKEX_OK);
    }
    dkex_sm3_close(&s);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_agreement),
        cmocka_unit_test(test_sm3_failure),
        cmocka_unit_test(test_malformed_m1),
    };

    fixture_arguments(argc, argv);
    return cmocka_run_group_tests(tests, NULL, fixture_teardown);
}
