/* SPDX-License-Identifier: Apache-2.0 */
/* NTT, products and noise of each ring against schoolbook arithmetic. */
#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../rng.h"
#include "rings.h"

enum { MAX_K = 4 };

/* Kinds of polynomials: the extremes that the contract allows, and random ones. */
enum kind { ZERO, TOP, BOTTOM, ALTERNATING, SPIKE_FIRST, SPIKE_LAST, FULL_Q, RANDOM, KINDS };

static void fill(int16_t *a, enum kind kind, unsigned n, unsigned q, struct test_rng *rng)
{
    const int16_t top = (int16_t)(q - 1);

    for (unsigned i = 0; i < n; i++) {
        switch (kind) {
        case TOP:
            a[i] = top;
            break;
        case BOTTOM:
            a[i] = (int16_t)-top;
            break;
        case ALTERNATING:
            a[i] = i % 2 ? top : (int16_t)-top;
            break;
        case SPIKE_FIRST:
            a[i] = i == 0 ? top : 0;
            break;
        case SPIKE_LAST:
            a[i] = i == n - 1 ? top : 0;
            break;
        case FULL_Q: /* decompress reaches q */
            a[i] = (int16_t)q;
            break;
        case RANDOM:
            a[i] = (int16_t)((int32_t)test_rng_below(rng, 2 * q - 1) - top);
            break;
        default:
            a[i] = 0;
        }
    }
}

/* dot_intt of k pairs, and dot brought back through unit vectors, against the exact sum. */
static void check_products(const struct dkex_ring *ring, const int16_t *a, const int16_t *b,
                           unsigned k)
{
    const unsigned n = ring->n, q = ring->q;
    alignas(DKEX_ALIGN) int16_t ah[MAX_K * DKEX_MAX_N], bh[MAX_K * DKEX_MAX_N];
    alignas(DKEX_ALIGN) int16_t r[DKEX_MAX_N], dotted[DKEX_MAX_N], one[DKEX_MAX_N];
    int32_t expected[DKEX_MAX_N] = {0}, product[DKEX_MAX_N];

    memcpy(ah, a, k * n * sizeof(*a));
    memcpy(bh, b, k * n * sizeof(*b));
    for (unsigned j = 0; j < k; j++) {
        schoolbook(product, a + j * n, b + j * n, n, q);
        for (unsigned i = 0; i < n; i++)
            expected[i] = mod_q((int64_t)expected[i] + product[i], q);
        ring->ntt(ah + j * n);
        ring->ntt(bh + j * n);
    }
    ring->dot_intt(r, ah, bh, k);
    ring->dot(dotted, ah, bh, k);
    for (unsigned i = 0; i < n; i++) {
        assert_true(abs(r[i]) < (int)q);
        assert_int_equal(mod_q(r[i], q), expected[i]);
    }
    /* dot is the same product in the NTT domain: times the NTT of 1 it comes back alike. */
    memset(one, 0, sizeof(one));
    one[0] = 1;
    ring->ntt(one);
    ring->dot_intt(r, dotted, one, 1);
    for (unsigned i = 0; i < n; i++)
        assert_int_equal(mod_q(r[i], q), expected[i]);
}

static void test_products(void **state)
{
    struct test_rng rng = {1};
    int16_t a[MAX_K * DKEX_MAX_N], b[MAX_K * DKEX_MAX_N];

    (void)state;
    for (size_t r = 0; r < RINGS; r++) {
        const unsigned n = rings[r]->n, q = rings[r]->q;

        for (int x = 0; x < KINDS; x++) {
            for (int y = 0; y < KINDS; y++) {
                const unsigned k = 1 + (unsigned)(x + y) % MAX_K;

                for (unsigned j = 0; j < k; j++) {
                    fill(a + j * n, (enum kind)x, n, q, &rng);
                    fill(b + j * n, (enum kind)y, n, q, &rng);
                }
                check_products(rings[r], a, b, k);
            }
        }
        for (unsigned k = 1; k <= MAX_K; k++) {
            for (unsigned j = 0; j < k; j++) {
                fill(a + j * n, RANDOM, n, q, &rng);
                fill(b + j * n, RANDOM, n, q, &rng);
            }
            check_products(rings[r], a, b, k);
        }
    }
}

/*
 * Plain residues on the wire: the packed NTT of a is a mod X^2 - zeta^(2 brv(i) + 1) at 2i, 2i + 1.
 */
static void test_ntt_values(void **state)
{
    static const unsigned zetas[RINGS] = {17, 62};
    struct test_rng rng = {2};
    alignas(DKEX_ALIGN) int16_t a[DKEX_MAX_N], hat[DKEX_MAX_N];
    uint8_t bytes[DKEX_POLY_MAX_BYTES];

    (void)state;
    for (size_t r = 0; r < RINGS; r++) {
        const unsigned n = rings[r]->n, q = rings[r]->q, width = rings[r]->d_a;
        unsigned bits = 0;

        while (2u << bits < n)
            bits++;
        fill(a, RANDOM, n, q, &rng);
        memcpy(hat, a, sizeof(hat));
        rings[r]->ntt(hat);
        rings[r]->pack_ntt(bytes, hat);
        for (unsigned i = 0; i < n / 2; i++) {
            unsigned exponent = 0;
            int64_t root = 1, power = 1, even = 0, odd = 0;

            for (unsigned j = 0; j < bits; j++)
                exponent |= (i >> j & 1) << (bits - 1 - j);
            for (unsigned j = 0; j < 2 * exponent + 1; j++)
                root = root * zetas[r] % q;
            for (unsigned j = 0; j < n / 2; j++, power = power * root % q) {
                even += a[2 * j] * power;
                odd += a[2 * j + 1] * power;
            }
            for (unsigned j = 0; j < 2; j++) {
                unsigned at = (2 * i + j) * width, value = 0;

                for (unsigned bit = 0; bit < width; bit++)
                    value |= ((unsigned)bytes[(at + bit) / 8] >> ((at + bit) % 8) & 1) << bit;
                assert_int_equal(value, mod_q(j == 0 ? even : odd, q));
            }
        }
    }
}

/* The largest absolute value that a lazy NTT, one that never reduces, meets on a. */
static int32_t lazy_growth(const int16_t *a, const struct dkex_ring *ring, unsigned zeta)
{
    const unsigned n = ring->n, q = ring->q;
    int32_t r[DKEX_MAX_N], zetas[DKEX_MAX_N / 2], largest = 0;
    int64_t inverse = 1; /* of q mod 2^16: Montgomery's product is (p - lo q) / 2^16 */
    unsigned block = 1;

    while (inverse * q % 65536 != 1)
        inverse += 2;
    for (unsigned i = 0; i < n / 2; i++) {
        unsigned exponent = 0;
        int64_t power = 65536 % q;

        for (unsigned bit = 1, mirror = n / 4; mirror > 0; bit <<= 1, mirror >>= 1)
            exponent |= (i & bit) != 0 ? mirror : 0;
        for (unsigned j = 0; j < exponent; j++)
            power = power * zeta % q;
        zetas[i] = centred(power, q);
    }
    for (unsigned i = 0; i < n; i++)
        r[i] = a[i];
    for (unsigned len = n / 2; len >= 2; len /= 2) {
        for (unsigned start = 0; start < n; start += 2 * len, block++) {
            for (unsigned j = start; j < start + len; j++) {
                int64_t p = (int64_t)r[j + len] * zetas[block];
                int64_t t = (p - (int16_t)(p * inverse) * (int64_t)q) / 65536;

                r[j + len] = r[j] - (int32_t)t;
                r[j] += (int32_t)t;
                largest = abs(r[j]) > largest ? abs(r[j]) : largest;
            }
        }
    }
    return largest;
}

/*
 * A polynomial within the contract, climbed coefficient by coefficient, on which a lazy NTT leaves
 * 16 bits if any can: this is how the forward NTT at q = 7681 goes wrong when it reduces too late.
 */
static void test_growth(void **state)
{
    static const unsigned zetas[RINGS] = {17, 62};
    struct test_rng rng = {12};
    alignas(DKEX_ALIGN) int16_t a[DKEX_MAX_N] = {0}, one[DKEX_MAX_N] = {1};

    (void)state;
    for (size_t r = 0; r < RINGS; r++) {
        const unsigned n = rings[r]->n;
        const int16_t q = (int16_t)rings[r]->q;
        int32_t best = 0;

        memset(a, 0, sizeof(a));
        for (unsigned step = 0; step < 4 * n; step++) {
            const unsigned i = 2 * step % n; /* even ones meet in coefficient 0 */
            const int16_t before = a[i];

            for (unsigned attempt = 0; attempt < 8; attempt++) {
                const int16_t kept = a[i];
                int32_t growth;

                a[i] = (int16_t)(attempt == 0 ? q
                                 : attempt == 1
                                     ? -q
                                     : (int32_t)test_rng_below(&rng, 2 * rings[r]->q + 1) - q);
                growth = lazy_growth(a, rings[r], zetas[r]);
                if (growth > best)
                    best = growth;
                else
                    a[i] = kept;
            }
            if (a[i] != before && best > INT16_MAX)
                check_products(rings[r], a, one, 1);
        }
        check_products(rings[r], a, one, 1);
        printf("%s: a lazy NTT reaches %d\n", rings[r]->name, best);
        if (q == 7681)
            assert_true(best > INT16_MAX);
    }
}

/* Every residue in all places of the NTT domain at once, where the sums of the inverse add up. */
static void test_inverse_growth(void **state)
{
    alignas(DKEX_ALIGN) int16_t h[DKEX_MAX_N], one[DKEX_MAX_N] = {1};
    alignas(DKEX_ALIGN) int16_t unit[DKEX_MAX_N], r[DKEX_MAX_N];

    (void)state;
    for (size_t i = 0; i < RINGS; i++) {
        const struct dkex_ring *ring = rings[i];

        memset(one, 0, sizeof(one));
        one[0] = 1;
        ring->ntt(one);
        for (int32_t c = 1; c < (int32_t)ring->q; c++) {
            for (unsigned j = 0; j < ring->n; j++)
                h[j] = (int16_t)c;
            ring->dot_intt(r, h, one, 1);
            if (c == 1)
                memcpy(unit, r, sizeof(unit));
            for (unsigned j = 0; j < ring->n; j++)
                assert_int_equal(mod_q(r[j], ring->q), mod_q((int64_t)c * unit[j], ring->q));
        }
    }
}

static void test_noise(void **state)
{
    struct test_rng rng = {3};
    uint8_t buf[2 * 3 * DKEX_MAX_N / 8];
    int16_t r[DKEX_MAX_N];

    (void)state;
    for (size_t i = 0; i < RINGS; i++) {
        for (unsigned eta = 2; eta <= 3; eta++) {
            for (unsigned round = 0; round < 20; round++) {
                test_rng_bytes(&rng, buf, sizeof(buf));
                if (round < 2)
                    memset(buf, round == 0 ? 0 : 0xff, sizeof(buf));
                rings[i]->cbd(r, buf, eta);
                for (unsigned c = 0; c < rings[i]->n; c++) {
                    int expected = 0;

                    for (unsigned j = 0; j < 2 * eta; j++) {
                        unsigned bit = 2 * eta * c + j;

                        expected += (buf[bit / 8] >> (bit % 8) & 1) * (j < eta ? 1 : -1);
                    }
                    assert_int_equal(r[c], expected);
                }
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products), cmocka_unit_test(test_ntt_values),
        cmocka_unit_test(test_growth),   cmocka_unit_test(test_inverse_growth),
        cmocka_unit_test(test_noise),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
