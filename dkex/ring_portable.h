/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NTT and products in Z_q[X]/(X^n + 1), portable. For the ring files alone, which define first
 *
 *     RING_N, RING_Q      n and q
 *     RING_QINV           q^-1 mod 2^16, signed
 *     RING_MONT           R = 2^16 mod q, centred
 *     RING_MONT2          R^2 mod q, centred
 *     RING_SCALE          R^2 / (n/2) mod q, centred
 *     RING_FORWARD_REDUCE the layer length after which the forward NTT reduces, see ntt
 *     RING_INVERSE_LAYERS how many inverse layers run between two reductions, see intt
 *     ring_zetas[n/2]     zeta^brv(i) * R mod q, centred; brv reverses log2(n/2) bits
 *
 * "Centred" is |x| <= (q-1)/2.
 */
#ifndef DKEX_RING_PORTABLE_H
#define DKEX_RING_PORTABLE_H

#include "ring.h"

/*
 * a * z / R mod q, exact, for any a and a centred z. The low halves of a * z and lo * q agree, so
 * the difference of the high halves is (a * z - lo * q) / 2^16, and
 *     |r| <= (2^15 * q/2 + 2^15 * q) / 2^16 = 3/4 q.
 */
static inline int16_t mont_mul(int16_t a, int16_t z)
{
    int16_t zq = (int16_t)(z * RING_QINV);
    int16_t lo = (int16_t)(a * zq);

    return (int16_t)((a * z >> 16) - (lo * RING_Q >> 16));
}

/* p / R mod q with |r| <= |p| / 2^16 + q/2; the caller shows that this fits in 16 bits. */
static inline int16_t mont_reduce(int32_t p)
{
    int16_t lo = (int16_t)((int16_t)p * RING_QINV);

    return (int16_t)((p - lo * RING_Q) >> 16);
}

/* The same residues, |r| <= 3/4 q. */
static void reduce(int16_t r[RING_N])
{
    for (unsigned i = 0; i < RING_N; i++)
        r[i] = mont_mul(r[i], RING_MONT);
}

/*
 * FIPS 203 Algorithm 9, for either ring. In: |r_i| <= q. A layer adds a product of at most 3/4 q to
 * every coefficient, so 4 layers reach q + 4 * 3/4 q = 4q and 7 layers 6.25q.
 *   q = 3329: 7 layers, 6.25q = 20806 < 2^15.
 *   q = 7681: 8 layers; after 4 at most 4q = 30724 < 2^15, then a reduction to 3/4 q, and 4 more
 *             layers reach 3.75q = 28804.
 * Out: |r_i| <= 3/4 q.
 */
static void ntt(int16_t r[RING_N])
{
    unsigned i = 1;

    for (unsigned len = RING_N / 2; len >= 2; len /= 2) {
        for (unsigned start = 0; start < RING_N; start += 2 * len) {
            int16_t zeta = ring_zetas[i++];
            int16_t *restrict lo = r + start, *restrict hi = r + start + len;

            for (unsigned j = 0; j < len; j++) {
                int16_t t = mont_mul(hi[j], zeta);

                hi[j] = (int16_t)(lo[j] - t);
                lo[j] = (int16_t)(lo[j] + t);
            }
        }
        if (len == RING_FORWARD_REDUCE)
            reduce(r);
    }
    reduce(r);
}

/*
 * FIPS 203 Algorithm 10 with the factor R^2 / (n/2) / R. In: |r_i| <= 3/4 q. A layer doubles the
 * bound of the sums (and of the differences, before their product brings these to 3/4 q).
 *   q = 3329: three layers reach 6q = 19974 < 2^15, then a reduction to 3/4 q.
 *   q = 7681: two layers reach 3q = 23043 < 2^15, then the same.
 * Out: |r_i| <= 3/4 q.
 */
static void intt(int16_t r[RING_N])
{
    unsigned i = RING_N / 2 - 1, layers = 0;

    for (unsigned len = 2; len <= RING_N / 2; len *= 2) {
        for (unsigned start = 0; start < RING_N; start += 2 * len) {
            int16_t zeta = ring_zetas[i--];
            int16_t *restrict lo = r + start, *restrict hi = r + start + len;

            for (unsigned j = 0; j < len; j++) {
                int16_t t = lo[j];

                lo[j] = (int16_t)(t + hi[j]);
                hi[j] = mont_mul((int16_t)(hi[j] - t), zeta);
            }
        }
        if (++layers % RING_INVERSE_LAYERS == 0)
            reduce(r);
    }
    for (unsigned j = 0; j < RING_N; j++)
        r[j] = mont_mul(r[j], RING_SCALE);
}

/*
 * r = R^-1 * sum of k products, FIPS 203 Algorithm 11. Factor 2i is X^2 - z and factor 2i + 1 is
 * X^2 + z with z = zeta^(2 brv(2i) + 1) = zetas[n/4 + i]: the last layer's own twiddle.
 *
 * With |a|, |b| < q: |a1 b1 / R| <= q^2 / 2^16 + q/2 < 0.62q, times |z| <= q/2 gives 0.31 q^2. So
 * each j adds at most 1.31 q^2 to an even sum and 2 q^2 to an odd one. After k = 4 of them all are
 * below 8 q^2, for q = 7681 just under 472 * 10^6 < 2^29, and the reduction, whose own product adds
 * at most 2^15 q < 2^28, gives |r| <= 8 q^2 / 2^16 + q/2 < 1.44q < 2^15.
 */
static void dot_mont(int16_t r[RING_N], const int16_t *restrict a, const int16_t *restrict b,
                     unsigned k)
{
    for (unsigned i = 0; i < RING_N / 4; i++) {
        int32_t z = ring_zetas[RING_N / 4 + i];
        int32_t sum[4] = {0};

        for (unsigned j = 0; j < k; j++) {
            const int16_t *x = a + j * RING_N + 4 * i, *y = b + j * RING_N + 4 * i;

            sum[0] += x[0] * y[0] + mont_reduce(x[1] * y[1]) * z;
            sum[1] += x[0] * y[1] + x[1] * y[0];
            sum[2] += x[2] * y[2] - mont_reduce(x[3] * y[3]) * z;
            sum[3] += x[2] * y[3] + x[3] * y[2];
        }
        for (unsigned j = 0; j < 4; j++)
            r[4 * i + j] = mont_reduce(sum[j]);
    }
}

static void dot(int16_t *r, const int16_t *a, const int16_t *b, unsigned k)
{
    dot_mont(r, a, b, k);
    for (unsigned i = 0; i < RING_N; i++)
        r[i] = mont_mul(r[i], RING_MONT2);
}

static void dot_intt(int16_t *r, const int16_t *a, const int16_t *b, unsigned k)
{
    dot_mont(r, a, b, k);
    reduce(r);
    intt(r);
}

static void add(int16_t *r, const int16_t *a)
{
    for (unsigned i = 0; i < RING_N; i++)
        r[i] = (int16_t)(r[i] + a[i]);
}

#endif
