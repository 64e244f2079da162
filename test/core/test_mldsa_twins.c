/* SPDX-License-Identifier: Apache-2.0 */
/* Every kernel of ML-DSA and every lane of Keccak against the portable one: the same integers. */
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "mldsa/keccak_lanes.h"
#include "mldsa_backends.h"
#include "rng.h"

enum { N = MLDSA_N, Q = MLDSA_Q, ROUNDS = 300, GUARD = 64 };

static const struct mldsa_kernels *const twin = &dkex_mldsa_portable;

static void random_poly(struct mldsa_poly *r, int32_t max, unsigned round, struct test_rng *rng)
{
    for (unsigned i = 0; i < N; i++) {
        int32_t x = (int32_t)test_rng_below(rng, 2 * (uint32_t)max + 1) - max;

        r->c[i] = round % 4 == 0 ? (x < 0 ? -max : max) : x;
    }
}

static void test_transforms(void **state)
{
    struct test_rng rng = {51};

    (void)state;
    for (unsigned n = 0; n < backend_count; n++) {
        for (unsigned round = 0; round < ROUNDS; round++) {
            const unsigned len = 1 + round % 7;
            struct mldsa_poly a[7], b[7], x, y;

            random_poly(&x, Q - 1, round, &rng);
            y = x;
            backends[n]->ntt(&x);
            twin->ntt(&y);
            assert_memory_equal(&x, &y, sizeof(x));
            random_poly(&x, Q - 1, round, &rng);
            y = x;
            backends[n]->invntt(&x);
            twin->invntt(&y);
            assert_memory_equal(&x, &y, sizeof(x));
            for (unsigned j = 0; j < len; j++) {
                random_poly(&a[j], len == 1 ? 9 * Q - 1 : Q - 1, round, &rng);
                random_poly(&b[j], 9 * Q - 1, round / 4, &rng);
            }
            backends[n]->dot(&x, a, b, len);
            twin->dot(&y, a, b, len);
            assert_memory_equal(&x, &y, sizeof(x));
        }
    }
}

/* tau powers of X, the extremes of the exponent among them, times s at the ends of its range. */
static void test_add_product(void **state)
{
    struct test_rng rng = {52};

    (void)state;
    for (unsigned n = 0; n < backend_count; n++) {
        for (unsigned round = 0; round < ROUNDS; round++) {
            struct mldsa_challenge c = {.tau = round % 2 ? 39 : MLDSA_MAX_TAU};
            const int32_t bound = round % 3 == 0 ? 1 << 19 : (1 << 19) - 120;
            struct mldsa_poly s, a, x, y;
            struct mldsa_short twice;

            random_poly(&s, 2, round, &rng);
            random_poly(&a, (1 << 19) - 100, 1, &rng);
            for (unsigned i = 0; i < N; i++) {
                twice.c[i] = twice.c[2 * N + i] = (int8_t)s.c[i];
                twice.c[N + i] = (int8_t)-s.c[i];
            }
            for (unsigned t = 0; t < c.tau; t++)
                c.exponent[t] = (uint16_t)(t < 2 ? t * (2 * N - 1) : test_rng_below(&rng, 2 * N));
            assert_int_equal(backends[n]->add_product(&x, &a, &c, &twice, bound),
                             twin->add_product(&y, &a, &c, &twice, bound));
            assert_memory_equal(&x, &y, sizeof(x));
            assert_int_equal(backends[n]->add_product(&a, &a, &c, &twice, bound),
                             twin->exceeds(&y, bound));
            assert_memory_equal(&a, &y, sizeof(a));
        }
    }
}

/* Candidates at the bound and random ones, lengths and fillings of every kind; nothing is written
 * behind the polynomial. */
static void test_rejection(void **state)
{
    struct test_rng rng = {53};
    uint8_t buf[840 + MLDSA_SLACK_BYTES];
    struct {
        struct mldsa_poly r;
        uint8_t guard[GUARD];
    } x, y;

    (void)state;
    for (unsigned n = 0; n < backend_count; n++) {
        for (unsigned round = 0; round < 4 * ROUNDS; round++) {
            const unsigned have = test_rng_below(&rng, N);
            const size_t len3 = 3 * (size_t)test_rng_below(&rng, 281);
            const size_t len8 = 8 * (size_t)test_rng_below(&rng, 18);

            memset(&x, 0x5a, sizeof(x));
            y = x;
            test_rng_bytes(&rng, buf, sizeof(buf));
            for (size_t i = 0; i < 840 && round % 2 == 0; i += 3) { /* q - 1, q, q + 1 */
                uint32_t v = (uint32_t)Q - 1 + test_rng_below(&rng, 3);

                buf[i] = (uint8_t)v;
                buf[i + 1] = (uint8_t)(v >> 8);
                buf[i + 2] = (uint8_t)(v >> 16 | (buf[i + 2] & 0x80));
            }
            assert_int_equal(backends[n]->rej_ntt(&x.r, have, buf, len3),
                             twin->rej_ntt(&y.r, have, buf, len3));
            assert_int_equal(memcmp(&x, &y, have * sizeof(int32_t)), 0);
            assert_memory_equal(x.guard, y.guard, GUARD);
            for (unsigned i = have; i < twin->rej_ntt(&y.r, have, buf, len3); i++)
                assert_int_equal(x.r.c[i], y.r.c[i]);

            memset(&x, 0x5a, sizeof(x));
            y = x;
            if (round % 5 == 0)
                memset(buf, round % 2 ? 0xff : 0xf0, len8);
            assert_int_equal(backends[n]->rej_bounded(&x.r, have, buf, len8),
                             twin->rej_bounded(&y.r, have, buf, len8));
            assert_memory_equal(x.guard, y.guard, GUARD);
            for (unsigned i = 0; i < twin->rej_bounded(&y.r, have, buf, len8); i++)
                assert_int_equal(x.r.c[i], y.r.c[i]);
        }
    }
}

static void test_keccak_lanes(void **state)
{
    struct test_rng rng = {54};

    (void)state;
    for (unsigned n = 0; n < backend_count; n++) {
        const struct keccak_lanes *keccak = backends[n]->keccak;
        const unsigned lanes = keccak->count;

        assert_in_range(lanes, 1, KECCAK_MAX_LANES);
        for (unsigned round = 0; round < ROUNDS; round++) {
            alignas(KECCAK_LANES_ALIGN) uint64_t all[KECCAK_WORDS * KECCAK_MAX_LANES];
            uint64_t each[KECCAK_MAX_LANES][KECCAK_WORDS];
            const unsigned words = 1 + round % KECCAK_WORDS;
            const size_t stride = 8 * (size_t)words + round % 3;
            uint8_t *out = malloc((lanes - 1) * stride + 8 * (size_t)words);

            assert_non_null(out);
            for (unsigned i = 0; i < lanes; i++) {
                test_rng_bytes(&rng, (uint8_t *)each[i], sizeof(each[i]));
                for (unsigned w = 0; w < KECCAK_WORDS; w++)
                    all[w * lanes + i] = each[i][w];
            }
            keccak->permute(all);
            keccak->extract(out, stride, all, words);
            for (unsigned i = 0; i < lanes; i++) {
                uint8_t expected[8 * KECCAK_WORDS];

                dkex_keccak_portable.permute(each[i]);
                dkex_keccak_portable.extract(expected, 8 * (size_t)words, each[i], words);
                assert_memory_equal(out + i * stride, expected, 8 * (size_t)words);
            }
            free(out);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_transforms),
        cmocka_unit_test(test_add_product),
        cmocka_unit_test(test_rejection),
        cmocka_unit_test(test_keccak_lanes),
    };

    print_message("SplitMix64 seeds 51 to 54\n");
    return cmocka_run_group_tests(tests, backends_setup, NULL);
}
