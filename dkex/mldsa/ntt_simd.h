/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ML-DSA's NTT and products in vectors, over vec32_avx2.h or vec32_avx512.h. Every sum and product
 * is that of kernels_portable.c, coefficient by coefficient, so its bounds hold here, and results
 * are the same integers, not only the same residues. The order is the natural one.
 */
#ifndef DKEX_MLDSA_NTT_SIMD_H
#define DKEX_MLDSA_NTT_SIMD_H

#include "kernels.h"
#include "zetas.h"

enum {
    BLOCK = 32,               /* coefficients that the three widest layers leave together */
    VECS = BLOCK / LANES,     /* of a block: 4 or 2 */
    BLOCKS = MLDSA_N / BLOCK, /* 8 */
};

/* p / 2^32 mod q of 64-bit even and odd lanes; see mont_reduce of the portable file. */
static inline VEC mont_reduce(VEC even, VEC odd)
{
    const VEC qinv = vec_set1((int32_t)QINV), q = vec_set1(MLDSA_Q);
    VEC lo_even = vec_mul_even(even, qinv), lo_odd = vec_mul_even(odd, qinv);

    even = vec_sub64(even, vec_mul_even(lo_even, q));
    odd = vec_sub64(odd, vec_mul_even(lo_odd, q));
    return vec_high(even, odd);
}

/* x z / 2^32 mod q; z_odd: the odd lanes of z in even places. */
static inline VEC mont_mul(VEC x, VEC z, VEC z_odd)
{
    return mont_reduce(vec_mul_even(x, z), vec_mul_even(vec_odd(x), z_odd));
}

static inline void butterfly(VEC *lo, VEC *hi, VEC z, VEC z_odd)
{
    VEC t = mont_mul(*hi, z, z_odd);

    *hi = vec_sub(*lo, t);
    *lo = vec_add(*lo, t);
}

static inline void inverse_butterfly(VEC *lo, VEC *hi, VEC z, VEC z_odd)
{
    VEC difference = vec_sub(*hi, *lo);

    *lo = vec_add(*lo, *hi);
    *hi = mont_mul(difference, z, z_odd);
}

/*
 * Layer len < LANES of the pair-th pair of vectors, whose lanes are in the order that exchanges
 * down to len leave: ascending, in blocks of len, the block of *lo ahead of that of *hi. So zetas
 * of successive blocks follow each other. Those of a block of two lanes or more are alike in both.
 */
static inline __attribute__((always_inline)) void layer_within(VEC *lo, VEC *hi, unsigned pair,
                                                               unsigned len)
{
    VEC z = vec_repeat(zetas + MLDSA_N / 2 / len + pair * (LANES / len), len, 0);

    vec_exchange(lo, hi, len);
    butterfly(lo, hi, z, len == 1 ? vec_odd(z) : z);
}

/* Zetas are mirrored: block i of 128 / len has that of 256 / len - 1 - i. */
static inline __attribute__((always_inline)) void inverse_layer_within(VEC *lo, VEC *hi,
                                                                       unsigned pair, unsigned len)
{
    VEC z = vec_repeat(zetas + MLDSA_N / len - (pair + 1) * (LANES / len), len, 1);

    inverse_butterfly(lo, hi, z, len == 1 ? vec_odd(z) : z);
    vec_exchange(lo, hi, len);
}

/* Layers 16 down to 1 of block b. */
static inline __attribute__((always_inline)) void ntt_block(int32_t *c, unsigned b)
{
    VEC v[VECS];

    for (unsigned i = 0; i < VECS; i++)
        v[i] = vec_load(c + i * LANES);
    for (unsigned i = 0; i < VECS / 2; i++) {
        VEC z = vec_set1(zetas[BLOCKS + b]);

        butterfly(&v[i], &v[i + VECS / 2], z, z);
    }
    for (unsigned i = 0; i < VECS; i += 2) {
        const unsigned pair = (b * VECS + i) / 2;

        if (LANES == 8) { /* layer 8 is between whole vectors */
            VEC z = vec_set1(zetas[2 * BLOCKS + pair]);

            butterfly(&v[i], &v[i + 1], z, z);
        } else {
            layer_within(&v[i], &v[i + 1], pair, 8);
        }
        layer_within(&v[i], &v[i + 1], pair, 4);
        layer_within(&v[i], &v[i + 1], pair, 2);
        layer_within(&v[i], &v[i + 1], pair, 1);
        vec_join(&v[i], &v[i + 1]);
    }
    for (unsigned i = 0; i < VECS; i++)
        vec_store(c + i * LANES, v[i]);
}

static inline __attribute__((always_inline)) void inverse_block(int32_t *c, unsigned b)
{
    VEC v[VECS];

    for (unsigned i = 0; i < VECS; i++)
        v[i] = vec_load(c + i * LANES);
    for (unsigned i = 0; i < VECS; i += 2) {
        const unsigned pair = (b * VECS + i) / 2;

        vec_split(&v[i], &v[i + 1]);
        inverse_layer_within(&v[i], &v[i + 1], pair, 1);
        inverse_layer_within(&v[i], &v[i + 1], pair, 2);
        inverse_layer_within(&v[i], &v[i + 1], pair, 4);
        if (LANES == 8) {
            VEC z = vec_set1(zetas[4 * BLOCKS - 1 - pair]);

            inverse_butterfly(&v[i], &v[i + 1], z, z);
        } else {
            inverse_layer_within(&v[i], &v[i + 1], pair, 8);
        }
    }
    for (unsigned i = 0; i < VECS / 2; i++) {
        VEC z = vec_set1(zetas[2 * BLOCKS - 1 - b]);

        inverse_butterfly(&v[i], &v[i + VECS / 2], z, z);
    }
    for (unsigned i = 0; i < VECS; i++)
        vec_store(c + i * LANES, v[i]);
}

/* The three widest layers: eight vectors a block apart. */
static inline void wide_layers(int32_t *c)
{
    VEC v[BLOCKS];

    for (unsigned i = 0; i < BLOCKS; i++)
        v[i] = vec_load(c + i * BLOCK);
    for (unsigned half = BLOCKS / 2, zeta = 1; half > 0; half /= 2) {
        for (unsigned start = 0; start < BLOCKS; start += 2 * half) {
            VEC z = vec_set1(zetas[zeta++]);

            for (unsigned i = start; i < start + half; i++)
                butterfly(&v[i], &v[i + half], z, z);
        }
    }
    for (unsigned i = 0; i < BLOCKS; i++)
        vec_store(c + i * BLOCK, v[i]);
}

static inline void inverse_wide_layers(int32_t *c)
{
    const VEC scale = vec_set1(SCALE);
    VEC v[BLOCKS];

    for (unsigned i = 0; i < BLOCKS; i++)
        v[i] = vec_load(c + i * BLOCK);
    for (unsigned half = 1, zeta = BLOCKS - 1; half < BLOCKS; half *= 2) {
        for (unsigned start = 0; start < BLOCKS; start += 2 * half) {
            VEC z = vec_set1(zetas[zeta--]);

            for (unsigned i = start; i < start + half; i++)
                inverse_butterfly(&v[i], &v[i + half], z, z);
        }
    }
    for (unsigned i = 0; i < BLOCKS; i++)
        vec_store(c + i * BLOCK, mont_mul(v[i], scale, scale));
}

static void ntt(struct mldsa_poly *r)
{
    for (unsigned j = 0; j < BLOCK; j += LANES)
        wide_layers(r->c + j);
    for (unsigned b = 0; b < BLOCKS; b++)
        ntt_block(r->c + b * BLOCK, b);
}

static void invntt(struct mldsa_poly *r)
{
    for (unsigned b = 0; b < BLOCKS; b++)
        inverse_block(r->c + b * BLOCK, b);
    for (unsigned j = 0; j < BLOCK; j += LANES)
        inverse_wide_layers(r->c + j);
}

static void dot(struct mldsa_poly *r, const struct mldsa_poly *a, const struct mldsa_poly *b,
                unsigned len)
{
    for (unsigned i = 0; i < MLDSA_N; i += LANES) {
        VEC even = vec_zero(), odd = vec_zero();

        for (unsigned j = 0; j < len; j++) {
            VEC x = vec_load(a[j].c + i), y = vec_load(b[j].c + i);

            even = vec_add64(even, vec_mul_even(x, y));
            odd = vec_add64(odd, vec_mul_even(vec_odd(x), vec_odd(y)));
        }
        vec_store(r->c + i, mont_reduce(even, odd));
    }
}

#endif
