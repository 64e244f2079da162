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
enum kind { ZERO, TOP, BOTTOM, ALTERNATING, SPIKE_FIRST, SPIKE_LAST, FULL_Q, NOISE, RANDOM, KINDS };

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
        case NOISE: /* the extremes of eta = 3 */
            a[i] = i % 2 ? 3 : -3;
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
                for (unsigned j = 0; j < MAX_K; j++) {
                    fill(a + j * n, (enum kind)x, n, q, &rng);
                    fill(b + j * n, (enum kind)y, n, q, &rng);
                }
                for (unsigned k = 1; k <= MAX_K; k++)
                    check_products(rings[r], a, b, k);
            }
        }
    }
}

/* brv(i): log2(n/2) bits reversed. */
static unsigned reversed(const struct dkex_ring *ring, unsigned i)
{
    unsigned r = 0;

    for (unsigned bit = 1, mirror = ring->n / 4; mirror > 0; bit <<= 1, mirror >>= 1)
        r |= (i & bit) != 0 ? mirror : 0;
    return r;
}

static int64_t zeta_power(const struct dkex_ring *ring, unsigned exponent)
{
    int64_t r = 1;

    for (unsigned i = 0; i < exponent; i++)
        r = r * (ring->q == 3329 ? 17 : 62) % ring->q;
    return r;
}

/* Factor i is X^2 less this. */
static int64_t factor_root(const struct dkex_ring *ring, unsigned i)
{
    return zeta_power(ring, 2 * reversed(ring, i) + 1);
}

/*
 * Plain residues on the wire: the packed NTT of a is a mod X^2 - zeta^(2 brv(i) + 1) at 2i, 2i + 1.
 */
static void test_ntt_values(void **state)
{
    struct test_rng rng = {2};
    alignas(DKEX_ALIGN) int16_t a[DKEX_MAX_N], hat[DKEX_MAX_N];
    uint8_t bytes[DKEX_POLY_MAX_BYTES];

    (void)state;
    for (size_t r = 0; r < RINGS; r++) {
        const unsigned n = rings[r]->n, q = rings[r]->q, width = rings[r]->d_a;

        fill(a, RANDOM, n, q, &rng);
        memcpy(hat, a, sizeof(hat));
        rings[r]->ntt(hat);
        rings[r]->pack_ntt(bytes, hat);
        for (unsigned i = 0; i < n / 2; i++) {
            const int64_t root = factor_root(rings[r], i);
            int64_t power = 1, even = 0, odd = 0;

            for (unsigned j = 0; j < n / 2; j++, power = power * root % q) {
                even += a[2 * j] * power;
                odd += a[2 * j + 1] * power;
            }
            assert_int_equal(packed_at(bytes, 2 * i, width), mod_q(even, q));
            assert_int_equal(packed_at(bytes, 2 * i + 1, width), mod_q(odd, q));
        }
    }
}

/* k products modulo factor i, of packed polynomials; the two residues of their sum. */
static void exact_dot(int32_t sum[2], const struct dkex_ring *ring, const uint8_t *a,
                      const uint8_t *b, unsigned k, unsigned i)
{
    const unsigned n = ring->n, w = ring->d_a;
    const int64_t root = factor_root(ring, i);
    int64_t even = 0, odd = 0;

    for (unsigned j = 0; j < k; j++) {
        const size_t at = j * n + 2 * i;
        const int64_t a0 = packed_at(a, at, w), a1 = packed_at(a, at + 1, w);
        const int64_t b0 = packed_at(b, at, w), b1 = packed_at(b, at + 1, w);

        even += a0 * b0 + a1 * b1 % ring->q * root;
        odd += a0 * b1 + a1 * b0;
    }
    sum[0] = mod_q(even, ring->q);
    sum[1] = mod_q(odd, ring->q);
}

/*
 * What a peer may put into the NTT domain directly, no forward NTT having reduced it: residues as
 * large as q - 1 in every place, where the sums of dot are at their largest.
 */
static void test_unpacked_products(void **state)
{
    enum { TOPS = 32, RANDOMS = 3 };
    struct test_rng rng = {13};
    alignas(DKEX_ALIGN) int16_t a[MAX_K * DKEX_MAX_N], b[MAX_K * DKEX_MAX_N], r[DKEX_MAX_N];
    uint8_t bytes[2][MAX_K * DKEX_POLY_MAX_BYTES], dotted[DKEX_POLY_MAX_BYTES];
    uint8_t returned[DKEX_POLY_MAX_BYTES];

    (void)state;
    for (unsigned round = 0; round < (TOPS + RANDOMS) * RINGS; round++) {
        const struct dkex_ring *ring = rings[round % RINGS];
        const unsigned n = ring->n, w = ring->d_a, kind = round / RINGS;

        /* q - 1 times q - 1 - kind everywhere: the same large sum in all places. Then random. */
        for (unsigned i = 0; i < MAX_K * n; i++) {
            set_packed(bytes[0], i, w, kind < TOPS ? ring->q - 1 : test_rng_below(&rng, ring->q));
            set_packed(bytes[1], i, w,
                       kind < TOPS ? ring->q - 1 - kind : test_rng_below(&rng, ring->q));
        }
        for (unsigned j = 0; j < MAX_K; j++) {
            assert_int_equal(ring->unpack_ntt(a + j * n, bytes[0] + j * (n * w / 8)), 1);
            assert_int_equal(ring->unpack_ntt(b + j * n, bytes[1] + j * (n * w / 8)), 1);
        }
        for (unsigned k = 1; k <= MAX_K; k++) {
            ring->dot(r, a, b, k);
            ring->pack_ntt(dotted, r);
            for (unsigned i = 0; i < n / 2; i++) {
                int32_t sum[2];

                exact_dot(sum, ring, bytes[0], bytes[1], k, i);
                assert_int_equal(packed_at(dotted, 2 * i, w), sum[0]);
                assert_int_equal(packed_at(dotted, 2 * i + 1, w), sum[1]);
            }
            /* The forward NTT, checked above, takes the inverse back to the same residues. */
            ring->dot_intt(r, a, b, k);
            for (unsigned i = 0; i < n; i++)
                assert_true(abs(r[i]) < (int)ring->q);
            ring->ntt(r);
            ring->pack_ntt(returned, r);
            assert_memory_equal(returned, dotted, n * w / 8);
        }
    }
}

/* An NTT that never reduces, in numbers wide enough not to wrap. */
struct lazy {
    const struct dkex_ring *ring;
    int32_t zetas[DKEX_MAX_N / 2]; /* zeta^brv(i) * 2^16, centred */
    int64_t inverse;               /* of q mod 2^16: Montgomery's product is (p - lo q) / 2^16 */
};

static struct lazy lazy_of(const struct dkex_ring *ring)
{
    struct lazy lazy = {.ring = ring, .inverse = 1};

    while (lazy.inverse * ring->q % 65536 != 1)
        lazy.inverse += 2;
    for (unsigned i = 0; i < ring->n / 2; i++)
        lazy.zetas[i] = centred(zeta_power(ring, reversed(ring, i)) * 65536, ring->q);
    return lazy;
}

/* The largest absolute value that its first layers meet on a. */
static int32_t lazy_growth(const struct lazy *lazy, const int16_t *a, unsigned layers)
{
    const unsigned n = lazy->ring->n;
    int32_t r[DKEX_MAX_N], largest = 0;
    unsigned block = 1;

    for (unsigned i = 0; i < n; i++)
        r[i] = a[i];
    for (unsigned len = n / 2; len >= n >> layers; len /= 2) {
        for (unsigned start = 0; start < n; start += 2 * len, block++) {
            for (unsigned j = start; j < start + len; j++) {
                int64_t p = (int64_t)r[j + len] * lazy->zetas[block];
                int64_t t = (p - (int16_t)(p * lazy->inverse) * (int64_t)lazy->ring->q) / 65536;

                r[j + len] = r[j] - (int32_t)t;
                r[j] += (int32_t)t;
                largest = abs(r[j]) > largest ? abs(r[j]) : largest;
            }
        }
    }
    return largest;
}

/* Climbs, coefficient by coefficient, to what those layers make largest; returns how large. Checks
 * some of the polynomials on the way that leave 16 bits, and the last one. */
static int32_t climb(const struct lazy *lazy, unsigned layers, struct test_rng *rng)
{
    enum { ROUNDS = 8, ATTEMPTS = 48, CHECKS = 32 };
    const unsigned n = lazy->ring->n, stride = n >> layers; /* these meet in coefficient 0 */
    const int32_t q = (int32_t)lazy->ring->q;
    alignas(DKEX_ALIGN) int16_t a[DKEX_MAX_N] = {0}, one[DKEX_MAX_N] = {1};
    int32_t best = 0;
    unsigned checked = 0;

    for (unsigned step = 0; step < ROUNDS * n / stride && checked < CHECKS; step++) {
        const unsigned i = step * stride % n;
        const int32_t before = best;

        for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
            const int16_t kept = a[i];
            int32_t growth;

            a[i] = (int16_t)((int32_t)test_rng_below(rng, 2 * lazy->ring->q + 1) - q);
            growth = lazy_growth(lazy, a, layers);
            if (growth > best)
                best = growth;
            else
                a[i] = kept;
        }
        if (best > before && best > INT16_MAX) {
            check_products(lazy->ring, a, one, 1);
            checked++;
        }
    }
    check_products(lazy->ring, a, one, 1);
    return best;
}

/*
 * Polynomials within the contract on which a forward NTT leaves 16 bits at q = 7681 if it reduces
 * after six, seven or all of its layers and not before. At q = 3329 no number of them does.
 */
static void test_growth(void **state)
{
    struct test_rng rng = {12};

    (void)state;
    for (size_t r = 0; r < RINGS; r++) {
        const struct lazy lazy = lazy_of(rings[r]);

        for (unsigned layers = 6; rings[r]->n >> layers >= 2; layers++) {
            const int32_t best = climb(&lazy, layers, &rng);

            printf("%s: %u lazy layers reach %d\n", rings[r]->name, layers, best);
            assert_int_equal(best > INT16_MAX, rings[r]->q == 7681);
        }
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
        cmocka_unit_test(test_products),          cmocka_unit_test(test_ntt_values),
        cmocka_unit_test(test_unpacked_products), cmocka_unit_test(test_growth),
        cmocka_unit_test(test_inverse_growth),    cmocka_unit_test(test_noise),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
