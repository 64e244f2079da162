/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix and noise against a plain sampler that reads the stream byte by byte. */
#include <limits.h>
#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../rng.h"
#include "fixture.h"
#include "rings.h"
#include "sample.h"
#include "sm3.h"
#include "sm3x.h"

enum { STREAM_BYTES = 4096 };

/*
 * The algorithm's rejection sampler over a stream long enough for any seed of the test. Returns the
 * bytes that it had to look at.
 */
static size_t exact_uniform(int32_t *r, const struct dkex_params *p, const uint8_t *stream)
{
    const unsigned group = p->d_a == 12 ? 3 : 13;
    size_t piece = p->d_a == 12 ? 510 : 1008, pos = 0;
    unsigned have = 0;

    for (; have < p->n; pos += piece, piece = 168) {
        size_t used = piece / group * group;

        for (unsigned i = 0; i < used * 8 / p->d_a && have < p->n; i++) {
            uint32_t c = packed_at(stream + pos, i, p->d_a);

            if (c < p->q)
                r[have++] = (int32_t)c;
        }
        for (size_t i = used; p->d_a == 13 && i + 1 < piece && have < p->n; i += 2) {
            uint32_t c = (stream[pos + i] | (uint32_t)stream[pos + i + 1] << 8) & 0x1fff;

            if (c < p->q)
                r[have++] = (int32_t)c;
        }
    }
    return pos;
}

/* Compares a sampled polynomial with residues, through its packed form. */
static void assert_poly(const struct dkex_ring *ring, const int16_t *r, const int32_t *expected)
{
    uint8_t bytes[DKEX_POLY_MAX_BYTES];

    ring->pack_ntt(bytes, r);
    for (unsigned i = 0; i < ring->n; i++)
        assert_int_equal(packed_at(bytes, i, ring->d_a), expected[i]);
}

/* Enough seeds that the first piece of q = 3329 falls short for some: one in a few hundred. */
static void test_matrix(void **state)
{
    struct test_rng rng = {7};
    alignas(DKEX_ALIGN) int16_t mat[DKEX_MAX_K * DKEX_MAX_K * DKEX_MAX_N];
    uint8_t seed[66], stream[STREAM_BYTES];
    int32_t expected[DKEX_MAX_N];
    struct dkex_sm3 s;

    (void)state;
    assert_int_equal(dkex_sm3_open(&s, fixture_sm3()), DKEX_OK);
    for (size_t set = 0; set < DKEX_SETS; set++) {
        const struct dkex_suite suite = fixture_suite(set);
        const struct dkex_params *p = suite.params;
        unsigned refills = 0;

        for (unsigned round = 0; round < 150; round++) {
            const int transposed = (int)(round & 1);

            test_rng_bytes(&rng, seed, p->seed_len);
            assert_int_equal(dkex_sample_matrix(&suite, &s, mat, seed, transposed), DKEX_OK);
            for (unsigned e = 0; e < p->k * p->k; e++) {
                unsigned i = e / p->k, j = e % p->k;

                seed[p->seed_len] = (uint8_t)(transposed ? i : j);
                seed[p->seed_len + 1] = (uint8_t)(transposed ? j : i);
                assert_int_equal(dkex_sm3_xof(&s, stream, sizeof(stream), seed, p->seed_len + 2),
                                 DKEX_OK);
                refills += exact_uniform(expected, p, stream) > (p->d_a == 12 ? 510 : 1008);
                assert_poly(suite.ring, mat + e * p->n, expected);
            }
        }
        printf("%s: %u polynomials went beyond their first piece\n", p->name, refills);
        if (p->d_a == 12)
            assert_true(refills > 0);
    }
    dkex_sm3_close(&s);
}

/* A stream whose bytes are 0xff every other time, so that about half of the candidates are q or
 * more and every polynomial takes several pieces. */
static void scarce_stream(uint8_t *stream, const uint8_t suffix[2])
{
    struct test_rng rng = {(uint64_t)suffix[0] << 8 | suffix[1]};

    test_rng_bytes(&rng, stream, STREAM_BYTES);
    for (size_t i = 0; i < STREAM_BYTES; i++)
        stream[i] |= test_rng_below(&rng, 2) != 0 ? 0xff : 0;
}

static unsigned scarce_calls, scarce_limit; /* calls so far, and how many succeed */

/* In the place of SM3: the scarce streams, by the contract of struct dkex_sm3x. */
static enum dkex_status scarce_expand(struct dkex_sm3 *s, uint8_t *out, const uint8_t *seed,
                                      size_t seed_len, const uint8_t *suffixes, size_t suffix_len,
                                      size_t count, uint32_t first, size_t blocks)
{
    const size_t skip = (size_t)(first - 1) * SM3_BYTES, len = blocks * SM3_BYTES;
    uint8_t stream[STREAM_BYTES];

    (void)s;
    (void)seed;
    (void)seed_len;
    if (scarce_calls++ >= scarce_limit)
        return DKEX_ERR_SM3;
    assert_int_equal(suffix_len, 2);
    assert_true(skip + len <= STREAM_BYTES);
    for (size_t j = 0; j < count; j++) {
        scarce_stream(stream, suffixes + j * suffix_len);
        memcpy(out + j * len, stream + skip, len);
    }
    return DKEX_OK;
}

/* Several pieces for every polynomial of every set, which SM3 gives to q = 7681 once in 2^66
 * polynomials; and the failure of any of the calls is passed on. */
static void test_refills(void **state)
{
    static const struct dkex_sm3x scarce = {.name = "scarce", .expand = scarce_expand};
    alignas(DKEX_ALIGN) int16_t mat[DKEX_MAX_K * DKEX_MAX_K * DKEX_MAX_N];
    uint8_t rho[64] = {0}, stream[STREAM_BYTES];
    int32_t expected[DKEX_MAX_N];
    struct dkex_sm3 s = {0};

    (void)state;
    for (size_t set = 0; set < DKEX_SETS; set++) {
        struct dkex_suite suite = fixture_suite(set);
        const struct dkex_params *p = suite.params;
        const size_t first = p->d_a == 12 ? 510 : 1008;
        unsigned calls;

        suite.sm3x = &scarce;
        for (int transposed = 0; transposed <= 1; transposed++) {
            scarce_calls = 0;
            scarce_limit = UINT_MAX;
            assert_int_equal(dkex_sample_matrix(&suite, &s, mat, rho, transposed), DKEX_OK);
            for (unsigned e = 0; e < p->k * p->k; e++) {
                const uint8_t i = (uint8_t)(e / p->k), j = (uint8_t)(e % p->k);
                const uint8_t suffix[2] = {transposed ? i : j, transposed ? j : i};

                scarce_stream(stream, suffix);
                assert_true(exact_uniform(expected, p, stream) > first + 168);
                assert_poly(suite.ring, mat + e * p->n, expected);
            }
        }
        calls = scarce_calls;
        for (scarce_limit = 0; scarce_limit < calls; scarce_limit++) {
            scarce_calls = 0;
            assert_int_equal(dkex_sample_matrix(&suite, &s, mat, rho, 1), DKEX_ERR_SM3);
            assert_int_equal(scarce_calls, scarce_limit + 1);
        }
    }
}

/* Streams made by hand: all rejected, all accepted, the last place filled by either reader. */
static void test_uniform_streams(void **state)
{
    int16_t r[DKEX_MAX_N];
    uint8_t stream[1008];

    (void)state;
    for (size_t i = 0; i < RINGS; i++) {
        const unsigned n = rings[i]->n;

        memset(stream, 0xff, sizeof(stream)); /* 4095 and 8191 are not below q */
        assert_int_equal(rings[i]->uniform(r, 5, stream, sizeof(stream)), 5);
        memset(stream, 0, sizeof(stream));
        assert_int_equal(rings[i]->uniform(r, 0, stream, sizeof(stream)), n);
        r[n - 1] = -1;
        assert_int_equal(rings[i]->uniform(r, n - 1, stream, 13), n);
        assert_int_equal(r[n - 1], 0);
        assert_int_equal(rings[i]->uniform(r, n, stream, sizeof(stream)), n);
        assert_int_equal(rings[i]->uniform(r, 0, stream, 0), 0);
    }
    /* A later piece of q = 7681: 12 groups of eight and six pairs, 102 candidates. */
    assert_int_equal(dkex_ring512_portable.uniform(r, 0, stream, 168), 102);
    memset(stream, 0xff, 156);
    stream[156] = 0x01; /* the first pair is 0x1e01 = 7681 = q, the second 0x1e00 with top bits */
    stream[157] = 0x1e;
    stream[158] = 0x00;
    stream[159] = 0xfe;
    assert_int_equal(dkex_ring512_portable.uniform(r, 0, stream, 168), 5);
    assert_int_equal(r[0], 7680);
}

static void test_noise(void **state)
{
    struct test_rng rng = {8};
    alignas(DKEX_ALIGN) int16_t r[(2 * DKEX_MAX_K + 1) * DKEX_MAX_N], expected[DKEX_MAX_N];
    uint8_t seed[65], stream[2 * 3 * DKEX_MAX_N / 8];
    struct dkex_sm3 s;

    (void)state;
    assert_int_equal(dkex_sm3_open(&s, fixture_sm3()), DKEX_OK);
    for (size_t set = 0; set < DKEX_SETS; set++) {
        const struct dkex_suite suite = fixture_suite(set);
        const struct dkex_params *p = suite.params;

        test_rng_bytes(&rng, seed, p->seed_len);
        assert_int_equal(dkex_sample_noise(&suite, &s, r, seed, 2 * p->k + 1), DKEX_OK);
        for (unsigned i = 0; i < 2 * p->k + 1; i++) {
            seed[p->seed_len] = (uint8_t)i;
            assert_int_equal(dkex_sm3_xof(&s, stream, 2 * p->eta * p->n / 8, seed, p->seed_len + 1),
                             DKEX_OK);
            suite.ring->cbd(expected, stream, p->eta);
            assert_memory_equal(r + i * p->n, expected, p->n * sizeof(*r));
        }
    }
    dkex_sm3_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrix),
        cmocka_unit_test(test_refills),
        cmocka_unit_test(test_uniform_streams),
        cmocka_unit_test(test_noise),
    };

    return cmocka_run_group_tests(tests, NULL, fixture_teardown);
}
