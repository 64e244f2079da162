/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vectors of eight int32_t: what ntt_simd.h and rounding_simd.h are written in. For kernels_avx2.c
 * alone; vec32_avx512.h has the same with sixteen.
 */
#ifndef DKEX_MLDSA_VEC32_H
#define DKEX_MLDSA_VEC32_H

#include <immintrin.h>
#include <stdint.h>

#define LANES 8
#define VEC __m256i

#define vec_zero() _mm256_setzero_si256()
#define vec_set1(x) _mm256_set1_epi32((int)(x))
#define vec_load(p) _mm256_loadu_si256((const __m256i *)(p))
#define vec_store(p, x) _mm256_storeu_si256((__m256i *)(p), (x))
#define vec_add(x, y) _mm256_add_epi32((x), (y))
#define vec_sub(x, y) _mm256_sub_epi32((x), (y))
#define vec_and(x, y) _mm256_and_si256((x), (y))
#define vec_or(x, y) _mm256_or_si256((x), (y))
#define vec_xor(x, y) _mm256_xor_si256((x), (y))
#define vec_andnot(x, y) _mm256_andnot_si256((x), (y)) /* ~x & y */
#define vec_mullo(x, y) _mm256_mullo_epi32((x), (y))
#define vec_shl(x, n) _mm256_slli_epi32((x), (n))
#define vec_shr(x, n) _mm256_srli_epi32((x), (n))
#define vec_sar(x, n) _mm256_srai_epi32((x), (n))

/* 64-bit products and sums of the even lanes; the odd lanes brought to the even ones. */
#define vec_mul_even(x, y) _mm256_mul_epi32((x), (y))
#define vec_add64(x, y) _mm256_add_epi64((x), (y))
#define vec_sub64(x, y) _mm256_sub_epi64((x), (y))
#define vec_odd(x) _mm256_srli_epi64((x), 32)

/* The high halves of the 64-bit lanes: of even to the even lanes, of odd to the odd ones. */
#define vec_high(even, odd) _mm256_blend_epi32(vec_odd(even), (odd), 0xaa)

/* Bytes as int32_t, signed or not, and back: lanes of 0..255 to bytes. */
#define vec_load_i8(p) _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(p)))
#define vec_load_u8(p) _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(p)))

static inline void vec_store_u8(uint8_t *p, __m256i x)
{
    __m256i half = _mm256_packus_epi32(x, x), quarter = _mm256_packus_epi16(half, half);

    _mm_storel_epi64((__m128i *)p, _mm_unpacklo_epi32(_mm256_castsi256_si128(quarter),
                                                      _mm256_extracti128_si256(quarter, 1)));
}

/* Bytes added as bytes: whole vectors. */
#define vec_add8(x, y) _mm256_add_epi8((x), (y))

/* Bit i is the sign of lane i. */
static inline uint32_t vec_signs(__m256i x)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(x));
}

/* All ones in lane i where bit i is set. */
static inline __m256i vec_of_bits(uint32_t bits)
{
    const __m256i each = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);

    return _mm256_cmpeq_epi32(_mm256_and_si256(vec_set1(bits), each), each);
}

/*
 * With x = [x0 x1 x2 ...] in blocks of len lanes, and y likewise: x = [x0 y0 x2 y2 ...] and y =
 * [x1 y1 x3 y3 ...]. len is 4, 2 or 1. Twice is nothing.
 */
static inline __attribute__((always_inline)) void vec_exchange(__m256i *x, __m256i *y, unsigned len)
{
    const __m256i a = *x, b = *y;

    if (len == 4) {
        *x = _mm256_permute2x128_si256(a, b, 0x20);
        *y = _mm256_permute2x128_si256(a, b, 0x31);
    } else if (len == 2) {
        *x = _mm256_unpacklo_epi64(a, b);
        *y = _mm256_unpackhi_epi64(a, b);
    } else {
        *x = _mm256_blend_epi32(a, _mm256_shuffle_epi32(b, 0xa0), 0xaa);
        *y = _mm256_blend_epi32(_mm256_shuffle_epi32(a, 0xf5), b, 0xaa);
    }
}

/* From 16 lanes in order to the even ones and the odd ones. */
static inline void vec_split(__m256i *x, __m256i *y)
{
    const __m256 a = _mm256_castsi256_ps(*x), b = _mm256_castsi256_ps(*y);

    *x = _mm256_permute4x64_epi64(_mm256_castps_si256(_mm256_shuffle_ps(a, b, 0x88)), 0xd8);
    *y = _mm256_permute4x64_epi64(_mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xdd)), 0xd8);
}

/* And back. */
static inline void vec_join(__m256i *x, __m256i *y)
{
    const __m256i low = _mm256_unpacklo_epi32(*x, *y), high = _mm256_unpackhi_epi32(*x, *y);

    *x = _mm256_permute2x128_si256(low, high, 0x20);
    *y = _mm256_permute2x128_si256(low, high, 0x31);
}

/* p[0], p[1], ... each len times; of down, p[LANES / len - 1] first. Eight are read. */
static inline __attribute__((always_inline)) __m256i vec_repeat(const int32_t *p, unsigned len,
                                                                int down)
{
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i index = _mm256_srli_epi32(lanes, len == 4 ? 2 : len == 2 ? 1 : 0);
    const __m256i last = vec_set1(LANES / len - 1);

    return _mm256_permutevar8x32_epi32(vec_load(p), down ? vec_sub(last, index) : index);
}

#endif
