/* SPDX-License-Identifier: Apache-2.0 */
/* Norms, high and low bits, and products with challenges, over vec32_avx2.h or vec32_avx512.h. The
 * formulas are those of rounding.h unless a comment says otherwise. */
#ifndef DKEX_MLDSA_ROUNDING_SIMD_H
#define DKEX_MLDSA_ROUNDING_SIMD_H

#include <stdalign.h>

#include "../ct.h"
#include "kernels.h"

/* A lane of the result is negative where |x| >= bound. limit is bound - 1. */
static inline VEC beyond(VEC x, VEC limit)
{
    VEC sign = vec_sar(x, 31);

    return vec_sub(limit, vec_sub(vec_xor(x, sign), sign));
}

/* 1 if a lane of x is negative, else 0, without a branch. */
static inline int any_negative(VEC x)
{
    return (int)((0u - dkex_barrier_u32(vec_signs(x))) >> 31);
}

static int exceeds(const struct mldsa_poly *r, int32_t bound)
{
    const VEC limit = vec_set1(bound - 1);
    VEC any = vec_zero();

    for (unsigned i = 0; i < MLDSA_N; i += LANES)
        any = vec_or(any, beyond(vec_load(r->c + i), limit));
    return any_negative(any);
}

/* |c s| <= tau * 2 = beta <= 120, so the sums fit in a byte in any order. */
static int add_product(struct mldsa_poly *r, const struct mldsa_poly *a,
                       const struct mldsa_challenge *c, const struct mldsa_short *s, int32_t bound)
{
    enum { STEP = 4 * LANES, PARTS = MLDSA_N / STEP };
    const VEC limit = vec_set1(bound - 1);
    alignas(64) int8_t product[MLDSA_N];
    VEC sum[PARTS], any = vec_zero();

    for (unsigned i = 0; i < PARTS; i++)
        sum[i] = vec_zero();
    for (unsigned t = 0; t < c->tau; t++) {
        const int8_t *shifted = s->c + 2 * MLDSA_N - c->exponent[t];

        for (unsigned i = 0; i < PARTS; i++)
            sum[i] = vec_add8(sum[i], vec_load(shifted + i * STEP));
    }
    for (unsigned i = 0; i < PARTS; i++)
        vec_store(product + i * STEP, sum[i]);
    for (unsigned i = 0; i < MLDSA_N; i += LANES) {
        VEC x = vec_add(vec_load(a->c + i), vec_load_i8(product + i));

        any = vec_or(any, beyond(x, limit));
        vec_store(r->c + i, x);
    }
    dkex_cleanse(product, sizeof(product));
    return any_negative(any);
}

static inline VEC canonical(VEC x)
{
    return vec_add(x, vec_and(vec_sar(x, 31), vec_set1(MLDSA_Q)));
}

static void power2round(struct mldsa_poly *t1, struct mldsa_poly *t0, const struct mldsa_poly *t)
{
    const VEC half = vec_set1((1 << (MLDSA_D - 1)) - 1);

    for (unsigned i = 0; i < MLDSA_N; i += LANES) {
        VEC r = canonical(vec_load(t->c + i)), high = vec_shr(vec_add(r, half), MLDSA_D);

        vec_store(t1->c + i, high);
        vec_store(t0->c + i, vec_sub(r, vec_shl(high, MLDSA_D)));
    }
}

/*
 * High part of canonical r; *low is the rest. The quotient floor(t / (2 gamma2)), t = r + gamma2 -
 * 1 < 2^24, in 32 bits: 2 gamma2 = 93 * 2^11: u = t >> 11 < 2^13. m = ceil(2^20 / 93) = 11276 has
 * 93 m - 2^20 < 93 < 2^20 / 2^13, so floor(u / 93) = u m >> 20, and u m < 2^27. 2 gamma2 = 1023 *
 * 2^9: u = t >> 9 < 2^15. m = ceil(2^25 / 1023) = 32801 has 1023 m - 2^25 < 1023 < 2^25 / 2^15, so
 * floor(u / 1023) = u m >> 25, and u m < 2^15 * 2^15.01 < 2^31.
 */
static inline __attribute__((always_inline)) VEC decompose_vec(VEC *low, VEC r, int wide)
{
    const int32_t gamma2 = wide ? (MLDSA_Q - 1) / 32 : (MLDSA_Q - 1) / 88;
    const int32_t top = wide ? 16 : 44; /* (q-1) / (2 gamma2) */
    VEC t = vec_add(r, vec_set1(gamma2 - 1)), high, wraps;

    if (wide)
        high = vec_shr(vec_mullo(vec_shr(t, 9), vec_set1(32801)), 25);
    else
        high = vec_shr(vec_mullo(vec_shr(t, 11), vec_set1(11276)), 20);
    wraps = vec_sar(vec_sub(vec_set1(top - 1), high), 31);
    *low = vec_add(vec_sub(r, vec_mullo(high, vec_set1(2 * gamma2))), wraps);
    return vec_andnot(wraps, high);
}

static inline __attribute__((always_inline)) void decompose_all(uint8_t w1[MLDSA_N],
                                                                struct mldsa_poly *w, int wide)
{
    for (unsigned i = 0; i < MLDSA_N; i += LANES) {
        VEC low, high = decompose_vec(&low, canonical(vec_load(w->c + i)), wide);

        vec_store(w->c + i, low);
        vec_store_u8(w1 + i, high);
    }
}

static void decompose(uint8_t w1[MLDSA_N], struct mldsa_poly *w, int32_t gamma2)
{
    if (gamma2 == (MLDSA_Q - 1) / 32)
        decompose_all(w1, w, 1);
    else
        decompose_all(w1, w, 0);
}

/* Hints of one vector, LANES / 8 bytes, from and to the bits of an integer. */
static inline uint32_t load_bits(const uint8_t *p)
{
    return LANES == 8 ? p[0] : (uint32_t)(p[0] | p[1] << 8);
}

static inline void store_bits(uint8_t *p, uint32_t bits)
{
    p[0] = (uint8_t)bits;
    if (LANES > 8)
        p[1] = (uint8_t)(bits >> 8);
}

static unsigned make_hint(uint8_t hint[MLDSA_HINT_BYTES], const struct mldsa_poly *low,
                          const uint8_t w1[MLDSA_N], int32_t gamma2)
{
    const VEC end = vec_set1(gamma2), one = vec_set1(1);
    alignas(64) int32_t counts[LANES];
    VEC sum = vec_zero();
    int32_t count = 0;

    for (unsigned i = 0; i < MLDSA_N; i += LANES) {
        VEC x = vec_load(low->c + i), from_end = vec_add(end, x);
        VEC outside = vec_or(vec_sub(end, x), from_end);
        VEC at_end = vec_andnot(from_end, vec_sub(from_end, one));
        VEC not_zero = vec_sub(vec_zero(), vec_load_u8(w1 + i));
        VEC h = vec_sar(vec_or(outside, vec_and(at_end, not_zero)), 31);

        sum = vec_sub(sum, h);
        store_bits(hint + i / 8, vec_signs(h));
    }
    vec_store(counts, sum);
    for (unsigned i = 0; i < LANES; i++)
        count += counts[i];
    dkex_cleanse(counts, sizeof(counts));
    return (unsigned)count;
}

/* Up by one where low > 0 and down by one elsewhere, modulo (q-1) / (2 gamma2). */
static inline __attribute__((always_inline)) void
use_hint_all(uint8_t w1[MLDSA_N], const struct mldsa_poly *w, const uint8_t *hint, int wide)
{
    const int32_t m = wide ? 16 : 44;
    const VEC one = vec_set1(1);

    for (unsigned i = 0; i < MLDSA_N; i += LANES) {
        VEC low, high = decompose_vec(&low, canonical(vec_load(w->c + i)), wide);
        VEC step = vec_or(vec_sar(vec_sub(low, one), 31), one);

        high = vec_add(high, vec_and(step, vec_of_bits(load_bits(hint + i / 8))));
        high = vec_add(high, vec_and(vec_sar(high, 31), vec_set1(m)));
        high = vec_andnot(vec_sar(vec_sub(vec_set1(m - 1), high), 31), high);
        vec_store_u8(w1 + i, high);
    }
}

static void use_hint(uint8_t w1[MLDSA_N], const struct mldsa_poly *w,
                     const uint8_t hint[MLDSA_HINT_BYTES], int32_t gamma2)
{
    if (gamma2 == (MLDSA_Q - 1) / 32)
        use_hint_all(w1, w, hint, 1);
    else
        use_hint_all(w1, w, hint, 0);
}

#endif
