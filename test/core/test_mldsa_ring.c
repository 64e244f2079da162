/* SPDX-License-Identifier: Apache-2.0 */
/* The arithmetic under ML-DSA: every kernel that computes, against plain formulas. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

#include "mldsa_backends.h"
#include "rng.h"

enum { N = MLDSA_N, Q = MLDSA_Q };

static const int32_t gamma2s[] = {(Q - 1) / 88, (Q - 1) / 32};

static int64_t mod_q(int64_t x)
{
    return (x % Q + Q) % Q;
}

/* Polynomial `kind` with |x| <= max: extreme ones first, then random. */
enum { KINDS = 12 };

static void fill(struct mldsa_poly *r, unsigned kind, int32_t max, struct test_rng *rng)
{
    for (unsigned i = 0; i < N; i++) {
        uint32_t bit = kind == 2 ? i : kind == 3 ? i / 2 : kind == 4 ? i / 16 : i / 128;

        if (kind < 2)
            r->c[i] = kind == 0 ? max : -max;
        else if (kind < 6)
            r->c[i] = bit % 2 ? max : -max;
        else if (kind < 8)
            r->c[i] = test_rng_below(rng, 2) ? max : -max;
        else
            r->c[i] = (int32_t)test_rng_below(rng, 2 * (uint32_t)max + 1) - max;
    }
}

static void schoolbook(int64_t r[N], const struct mldsa_poly *a, const struct mldsa_poly *b)
{
    memset(r, 0, N * sizeof(r[0]));
    for (unsigned i = 0; i < N; i++) {
        for (unsigned j = 0; j < N; j++) {
            int64_t product = (int64_t)a->c[i] * b->c[j] % Q;

            r[(i + j) % N] += i + j < N ? product : -product; /* X^256 = -1 */
        }
    }
}

/* invntt's contract: the residue `expected`, reduced, exact where it is small when centred. */
static void check_centred(const struct mldsa_poly *r, const int64_t expected[N])
{
    for (unsigned i = 0; i < N; i++) {
        int64_t v = mod_q(expected[i]), centred = v > Q / 2 ? v - Q : v;
        const int64_t exact = (1 << 22) - (1 << 16);

        assert_int_equal(mod_q(r->c[i]), v);
        assert_in_range(r->c[i] + Q, 1, 2 * Q - 1);
        if (centred < exact && centred > -exact)
            assert_int_equal(r->c[i], centred);
        else
            assert_true(r->c[i] >= exact || r->c[i] <= -exact);
    }
}

static void test_product(void **state)
{
    struct test_rng rng = {11};

    (void)state;
    for (unsigned n = 0; n < backend_count; n++) {
        const struct mldsa_kernels *f = backends[n];

        for (unsigned ka = 0; ka < KINDS; ka++) {
            for (unsigned kb = 0; kb < KINDS; kb++) {
                static const int32_t magnitudes[] = {1, 1 << 19, Q - 1};
                struct mldsa_poly a, b, r;
                int64_t expected[N];

                fill(&a, ka, Q - 1, &rng);
                fill(&b, kb, magnitudes[(ka + kb) % 3], &rng);
                schoolbook(expected, &a, &b);
                f->ntt(&a);
                f->ntt(&b);
                for (unsigned i = 0; i < N; i++) {
                    assert_in_range(a.c[i] + 9 * Q, 1, 18 * Q - 1);
                    assert_in_range(b.c[i] + 9 * Q, 1, 18 * Q - 1);
                }
                f->dot(&r, &a, &b, 1);
                f->invntt(&r);
                check_centred(&r, expected);
            }
        }
    }
}

/* The sum of up to seven products at the ends of their ranges, and reduced. */
static void test_dot(void **state)
{
    struct test_rng rng = {12};
    struct mldsa_poly a[7], b[7], r;

    (void)state;
    for (unsigned n = 0; n < backend_count; n++) {
        const struct mldsa_kernels *f = backends[n];

        for (unsigned kind = 0; kind < KINDS * KINDS; kind++) {
            for (unsigned len = 1; len <= 7; len++) {
                for (unsigned j = 0; j < len; j++) {
                    fill(&a[j], kind / KINDS, len == 1 ? 9 * Q - 1 : Q - 1, &rng);
                    fill(&b[j], kind % KINDS, 9 * Q - 1, &rng);
                }
                f->dot(&r, a, b, len);
                for (unsigned i = 0; i < N; i++) {
                    int64_t sum = 0;

                    for (unsigned j = 0; j < len; j++)
                        sum += (int64_t)a[j].c[i] * b[j].c[i];
                    assert_int_equal(mod_q((int64_t)r.c[i] * (INT64_C(1) << 32)), mod_q(sum));
                    assert_in_range(r.c[i] + Q, 1, 2 * Q - 1);
                }
            }
        }
    }
}

/* ntt(invntt(x)) = 2^32 x, at the ends of invntt's range. */
static void test_inverse(void **state)
{
    struct test_rng rng = {13};

    (void)state;
    for (unsigned n = 0; n < backend_count; n++) {
        const struct mldsa_kernels *f = backends[n];

        for (unsigned kind = 0; kind < 200; kind++) {
            struct mldsa_poly x, y;

            fill(&x, kind, Q - 1, &rng);
            y = x;
            f->invntt(&y);
            f->ntt(&y);
            for (unsigned i = 0; i < N; i++)
                assert_int_equal(mod_q(y.c[i]), mod_q(x.c[i] * (INT64_C(1) << 32)));
        }
    }
}

static int32_t plain_decompose(int32_t *r0, int32_t r, int32_t gamma2)
{
    int32_t low = r % (2 * gamma2);

    if (low > gamma2)
        low -= 2 * gamma2;
    if (r - low == Q - 1) {
        *r0 = low - 1;
        return 0;
    }
    *r0 = low;
    return (r - low) / (2 * gamma2);
}

/*
 * Every residue r once: N of them a polynomial, the last one repeated to fill up; as r and, where
 * r is not 0, as r - q in every other polynomial.
 */
static void residues(struct mldsa_poly *w, int32_t first, int negative)
{
    for (int32_t i = 0; i < N; i++) {
        int32_t r = first + i < Q ? first + i : Q - 1;

        w->c[i] = negative && r != 0 ? r - Q : r;
    }
}

static void test_power2round(void **state)
{
    struct mldsa_poly t, t1, t0;

    (void)state;
    for (unsigned n = 0; n < backend_count; n++) {
        const struct mldsa_kernels *f = backends[n];

        for (int32_t first = 0; first < Q; first += N) {
            residues(&t, first, first / N % 2);
            f->power2round(&t1, &t0, &t);
            for (unsigned i = 0; i < N; i++) {
                int32_t r = t.c[i] < 0 ? t.c[i] + Q : t.c[i], low = r % 8192;

                if (low > 4096)
                    low -= 8192;
                if (t0.c[i] != low || t1.c[i] != (r - low) / 8192)
                    fail_msg("r = %d: %d, %d", (int)r, (int)t1.c[i], (int)t0.c[i]);
            }
        }
    }
}

static void test_decompose_and_use_hint(void **state)
{
    static const uint8_t none[MLDSA_HINT_BYTES];
    uint8_t all[MLDSA_HINT_BYTES], w1[N], used[N], unused[N];
    struct mldsa_poly w, w0;

    (void)state;
    memset(all, 0xff, sizeof(all));
    for (unsigned n = 0; n < backend_count; n++) {
        const struct mldsa_kernels *f = backends[n];

        for (int32_t first = 0; first < 2 * Q; first += N) {
            const int32_t gamma2 = gamma2s[first >= Q], m = (Q - 1) / (2 * gamma2);

            residues(&w, first % Q, first / N % 2);
            w0 = w;
            f->decompose(w1, &w0, gamma2);
            f->use_hint(used, &w, all, gamma2);
            f->use_hint(unused, &w, none, gamma2);
            for (unsigned i = 0; i < N; i++) {
                int32_t r = w.c[i] < 0 ? w.c[i] + Q : w.c[i];
                int32_t low, high = plain_decompose(&low, r, gamma2);

                if (w1[i] != high || w0.c[i] != low || unused[i] != high ||
                    used[i] != (high + (low > 0 ? 1 : m - 1)) % m)
                    fail_msg("r = %d: %d, %d", (int)r, (int)w1[i], (int)w0.c[i]);
            }
        }
    }
}

/*
 * Every high part with every low that can occur, |low| < 2 gamma2: the hint says whether the high
 * bits of the sum are others. So every residue occurs, with each w1 that leads to it.
 */
static void test_make_hint(void **state)
{
    struct mldsa_poly low;
    uint8_t w1[N], hint[MLDSA_HINT_BYTES];

    (void)state;
    for (unsigned n = 0; n < backend_count; n++) {
        const struct mldsa_kernels *f = backends[n];

        for (int g = 0; g < 2; g++) {
            const int32_t gamma2 = gamma2s[g], m = (Q - 1) / (2 * gamma2);

            for (int32_t high = 0; high < m; high++) {
                memset(w1, (int)high, sizeof(w1));
                for (int32_t first = 1 - 2 * gamma2; first < 2 * gamma2; first += N) {
                    unsigned count = 0;

                    for (int32_t i = 0; i < N; i++)
                        low.c[i] = first + i < 2 * gamma2 ? first + i : 0;
                    count = f->make_hint(hint, &low, w1, gamma2);
                    for (unsigned i = 0; i < N; i++) {
                        int32_t r0, sum = high * 2 * gamma2 + low.c[i];
                        unsigned bit = (unsigned)hint[i / 8] >> (i % 8) & 1;

                        sum += sum < 0 ? Q : sum >= Q ? -Q : 0;
                        if (bit != (plain_decompose(&r0, sum, gamma2) != high))
                            fail_msg("w1 %d, low %d: %u", (int)high, (int)low.c[i], bit);
                        count -= bit;
                    }
                    assert_int_equal(count, 0);
                }
            }
        }
    }
}

static void test_exceeds(void **state)
{
    static const int32_t bounds[] = {1, 95154, 131072 - 78, 524288 - 120, (1 << 24) - 1};

    (void)state;
    for (unsigned n = 0; n < backend_count; n++) {
        const struct mldsa_kernels *f = backends[n];

        for (unsigned k = 0; k < sizeof(bounds) / sizeof(bounds[0]); k++) {
            const int32_t at = bounds[k];
            struct mldsa_poly r = {{0}};

            for (unsigned i = 0; i < N; i++)
                r.c[i] = i % 2 ? at - 1 : 1 - at;
            assert_int_equal(f->exceeds(&r, at), 0);
            for (unsigned i = 0; i < N; i++) {
                const int32_t bad[] = {at, -at, (1 << 24) - 1, 1 - (1 << 24)};
                int32_t kept = r.c[i];

                for (unsigned m = 0; m < 4; m++) {
                    r.c[i] = bad[m];
                    assert_int_equal(f->exceeds(&r, at), 1);
                }
                r.c[i] = kept;
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_product),
        cmocka_unit_test(test_dot),
        cmocka_unit_test(test_inverse),
        cmocka_unit_test(test_power2round),
        cmocka_unit_test(test_decompose_and_use_hint),
        cmocka_unit_test(test_make_hint),
        cmocka_unit_test(test_exceeds),
    };

    print_message("SplitMix64 seeds 11 to 13\n");
    return cmocka_run_group_tests(tests, backends_setup, NULL);
}
