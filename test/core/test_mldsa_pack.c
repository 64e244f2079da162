/* SPDX-License-Identifier: Apache-2.0 */
/* ML-DSA's encodings against a packer that goes bit by bit; every malformed hint refused. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "mldsa/pack.h"
#include "mldsa_backends.h"
#include "rng.h"

enum { N = MLDSA_N, MAX_BYTES = 32 * 20, ROUNDS = 50 };

static const struct mldsa_params *const sets[] = {&dkex_mldsa44, &dkex_mldsa87};

/* Little-endian bits of v[0], v[1], ..., w each. */
static void bits(uint8_t out[MAX_BYTES], const uint32_t v[N], unsigned w)
{
    memset(out, 0, MAX_BYTES);
    for (unsigned i = 0; i < N * w; i++)
        out[i / 8] |= (uint8_t)((v[i / w] >> (i % w) & 1) << (i % 8));
}

/* Integers of `w` bits, not above max: all 0, all max, then random ones. */
static void integers(uint32_t v[N], unsigned round, uint32_t max, struct test_rng *rng)
{
    for (unsigned i = 0; i < N; i++)
        v[i] = round == 0 ? 0 : round == 1 ? max : test_rng_below(rng, max + 1);
}

static void test_polynomials(void **state)
{
    static const struct {
        unsigned width;
        uint32_t max;
        int32_t bias; /* bias - x is encoded; 0: x */
    } codecs[] = {
        {10, 1023, 0},                /* t1 */
        {3, 7, 2},                    /* s1, s2: valid up to 4, but all is read */
        {13, 8191, 4096},             /* t0 */
        {18, (1 << 18) - 1, 1 << 17}, /* z */
        {20, (1 << 20) - 1, 1 << 19},
    };
    struct test_rng rng = {21};
    uint32_t v[N];
    uint8_t expected[MAX_BYTES];
    struct mldsa_poly r, back;

    (void)state;
    for (unsigned n = 0; n < backend_count; n++) {
        for (unsigned c = 0; c < sizeof(codecs) / sizeof(codecs[0]); c++) {
            const unsigned width = codecs[c].width;

            for (unsigned round = 0; round < ROUNDS; round++) {
                uint8_t *out = malloc((size_t)32 * width); /* exact: a sanitizer sees its end */

                assert_non_null(out);
                integers(v, round, codecs[c].max, &rng);
                for (unsigned i = 0; i < N; i++)
                    r.c[i] = codecs[c].bias != 0 ? codecs[c].bias - (int32_t)v[i] : (int32_t)v[i];
                bits(expected, v, width);
                backends[n]->pack(out, &r, width, codecs[c].bias);
                assert_memory_equal(out, expected, (size_t)32 * width);
                backends[n]->unpack(&back, out, width, codecs[c].bias);
                assert_memory_equal(&back, &r, sizeof(r));
                free(out);
            }
        }
    }
}

static void test_w1(void **state)
{
    struct test_rng rng = {22};

    (void)state;
    for (unsigned s = 0, n = 0; n < backend_count; n += s, s ^= 1) {
        const uint32_t max = s == 0 ? 43 : 15;
        const unsigned width = s == 0 ? 6 : 4;

        for (unsigned round = 0; round < ROUNDS; round++) {
            uint32_t v[N];
            uint8_t w1[N], expected[MAX_BYTES], out[MAX_BYTES] = {0};

            integers(v, round, max, &rng);
            for (unsigned i = 0; i < N; i++)
                w1[i] = (uint8_t)v[i];
            bits(expected, v, width);
            assert_int_equal(backends[n]->w1_encode(out, w1, sets[s]->gamma2), 32 * width);
            assert_memory_equal(out, expected, MAX_BYTES);
        }
    }
}

/* Three bits hold 0 to 7; each of 5, 6, 7 is refused in each place. */
static void test_s_out_of_range(void **state)
{
    (void)state;
    for (unsigned at = 0, n = 0; n < backend_count; at = (at + 1) % N, n += at == 0) {
        for (uint32_t bad = 0; bad < 8; bad++) {
            uint32_t v[N];
            uint8_t in[MAX_BYTES];
            struct mldsa_poly s;

            for (unsigned i = 0; i < N; i++)
                v[i] = i == at ? bad : i % 5;
            bits(in, v, 3);
            assert_int_equal(mldsa_unpack_s(backends[n], &s, in), bad <= 4);
        }
    }
}

/* count ones at random places. */
static void random_hints(uint8_t hints[MLDSA_MAX_K][MLDSA_HINT_BYTES], unsigned k, unsigned count,
                         struct test_rng *rng)
{
    memset(hints, 0, MLDSA_MAX_K * sizeof(hints[0]));
    while (count > 0) {
        uint8_t *byte = &hints[test_rng_below(rng, k)][test_rng_below(rng, MLDSA_HINT_BYTES)];
        unsigned bit = 1u << test_rng_below(rng, 8);

        count -= !(*byte & bit);
        *byte |= (uint8_t)bit;
    }
}

static void test_hints(void **state)
{
    struct test_rng rng = {23};

    (void)state;
    for (unsigned s = 0; s < 2; s++) {
        const struct mldsa_params *p = sets[s];

        for (unsigned count = 0; count <= p->omega; count++) {
            uint8_t hints[MLDSA_MAX_K][MLDSA_HINT_BYTES], back[MLDSA_MAX_K][MLDSA_HINT_BYTES];
            uint8_t out[80 + MLDSA_MAX_K], again[80 + MLDSA_MAX_K];

            random_hints(hints, p->k, count, &rng);
            dkex_mldsa_hint_bit_pack(out, p, (const uint8_t(*)[MLDSA_HINT_BYTES])hints);
            assert_int_equal(out[p->omega + p->k - 1], count);
            assert_int_equal(dkex_mldsa_hint_bit_unpack(back, p, out), 1);
            assert_memory_equal(back, hints, p->k * sizeof(hints[0]));

            /* Canonical: whatever else is accepted packs to itself. */
            for (unsigned i = 0; i < 200; i++) {
                uint8_t changed[80 + MLDSA_MAX_K];

                memcpy(changed, out, p->omega + p->k);
                changed[test_rng_below(&rng, p->omega + p->k)] = (uint8_t)test_rng_u64(&rng);
                if (!dkex_mldsa_hint_bit_unpack(back, p, changed))
                    continue;
                dkex_mldsa_hint_bit_pack(again, p, (const uint8_t(*)[MLDSA_HINT_BYTES])back);
                assert_memory_equal(again, changed, p->omega + p->k);
            }
        }
    }
}

/* Polynomial 0 has 3, 7, 200; 1 none; 2 has 0, 255; none after. */
static void simple_hints(uint8_t *out, const struct mldsa_params *p)
{
    static const uint8_t places[] = {3, 7, 200, 0, 255};

    memset(out, 0, p->omega + p->k);
    memcpy(out, places, sizeof(places));
    out[p->omega] = out[p->omega + 1] = 3;
    memset(out + p->omega + 2, 5, p->k - 2);
}

static void test_malformed_hints(void **state)
{
    uint8_t hints[MLDSA_MAX_K][MLDSA_HINT_BYTES], in[80 + MLDSA_MAX_K];

    (void)state;
    for (unsigned s = 0; s < 2; s++) {
        const struct mldsa_params *p = sets[s];
        struct {
            const char *what;
            unsigned at;
            uint8_t value;
        } cases[] = {
            {"equal places", 1, 3},
            {"equal places", 2, 7},
            {"falling places", 0, 8},
            {"falling places", 2, 6},
            {"equal places in another polynomial", 3, 255},
            {"a count that falls", p->omega + 1, 2},
            {"a count that falls at the end", p->omega + p->k - 1, 4},
            {"a count above omega", p->omega + p->k - 1, (uint8_t)(p->omega + 1)},
            {"a count of 255", p->omega, 255},
            {"padding right behind", 5, 1},
            {"padding at the end", p->omega - 1, 255},
        };

        simple_hints(in, p);
        assert_int_equal(dkex_mldsa_hint_bit_unpack(hints, p, in), 1);
        for (unsigned c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
            simple_hints(in, p);
            assert_int_not_equal(in[cases[c].at], cases[c].value);
            in[cases[c].at] = cases[c].value;
            if (dkex_mldsa_hint_bit_unpack(hints, p, in))
                fail_msg("%s: %s accepted", p->name, cases[c].what);
        }
        for (unsigned at = 5; at < p->omega; at++) { /* every byte of padding */
            simple_hints(in, p);
            in[at] = 1;
            assert_int_equal(dkex_mldsa_hint_bit_unpack(hints, p, in), 0);
        }
        /* One place more than omega, rising into the counts themselves. */
        for (unsigned i = 0; i < p->omega; i++)
            in[i] = (uint8_t)i;
        memset(in + p->omega, (int)p->omega, p->k);
        assert_int_equal(dkex_mldsa_hint_bit_unpack(hints, p, in), 1);
        memset(in + p->omega, (int)p->omega + 1, p->k);
        assert_int_equal(dkex_mldsa_hint_bit_unpack(hints, p, in), 0);
        memset(in, 0xff, sizeof(in));
        assert_int_equal(dkex_mldsa_hint_bit_unpack(hints, p, in), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_polynomials),     cmocka_unit_test(test_w1),
        cmocka_unit_test(test_s_out_of_range),  cmocka_unit_test(test_hints),
        cmocka_unit_test(test_malformed_hints),
    };

    print_message("SplitMix64 seeds 21 to 23\n");
    return cmocka_run_group_tests(tests, backends_setup, NULL);
}
