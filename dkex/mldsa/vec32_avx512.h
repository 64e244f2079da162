/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors of sixteen int32_t, for kernels_avx512.c alone; vec32_avx2.h says what each does. */
#ifndef DKEX_MLDSA_VEC32_H
#define DKEX_MLDSA_VEC32_H

#include <immintrin.h>
#include <stdint.h>

#define LANES 16
#define VEC __m512i

#define vec_zero() _mm512_setzero_si512()
#define vec_set1(x) _mm512_set1_epi32((int)(x))
#define vec_load(p) _mm512_loadu_si512(p)
#define vec_store(p, x) _mm512_storeu_si512((p), (x))
#define vec_add(x, y) _mm512_add_epi32((x), (y))
#define vec_sub(x, y) _mm512_sub_epi32((x), (y))
#define vec_and(x, y) _mm512_and_si512((x), (y))
#define vec_or(x, y) _mm512_or_si512((x), (y))
#define vec_xor(x, y) _mm512_xor_si512((x), (y))
#define vec_andnot(x, y) _mm512_andnot_si512((x), (y))
#define vec_mullo(x, y) _mm512_mullo_epi32((x), (y))
#define vec_shl(x, n) _mm512_slli_epi32((x), (n))
#define vec_shr(x, n) _mm512_srli_epi32((x), (n))
#define vec_sar(x, n) _mm512_srai_epi32((x), (n))
#define vec_mul_even(x, y) _mm512_mul_epi32((x), (y))
#define vec_add64(x, y) _mm512_add_epi64((x), (y))
#define vec_sub64(x, y) _mm512_sub_epi64((x), (y))
#define vec_odd(x) _mm512_srli_epi64((x), 32)
#define vec_high(even, odd) _mm512_mask_blend_epi32(0xaaaa, vec_odd(even), (odd))
#define vec_load_i8(p) _mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)(p)))
#define vec_load_u8(p) _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(p)))
#define vec_store_u8(p, x) _mm_storeu_si128((__m128i *)(p), _mm512_cvtepi32_epi8(x))
#define vec_add8(x, y) _mm512_add_epi8((x), (y))
#define vec_signs(x) ((uint32_t)_mm512_movepi32_mask(x))
#define vec_of_bits(bits) _mm512_movm_epi32((__mmask16)(bits))

/* len is 8, 4, 2 or 1. */
static inline __attribute__((always_inline)) void vec_exchange(__m512i *x, __m512i *y, unsigned len)
{
    const __m512i a = *x, b = *y;

    if (len == 8) {
        *x = _mm512_shuffle_i64x2(a, b, 0x44);
        *y = _mm512_shuffle_i64x2(a, b, 0xee);
    } else if (len == 4) {
        *x = _mm512_permutex2var_epi64(a, _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), b);
        *y = _mm512_permutex2var_epi64(a, _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15), b);
    } else if (len == 2) {
        *x = _mm512_unpacklo_epi64(a, b);
        *y = _mm512_unpackhi_epi64(a, b);
    } else {
        *x = _mm512_mask_shuffle_epi32(a, 0xaaaa, b, (_MM_PERM_ENUM)0xa0);
        *y = _mm512_mask_shuffle_epi32(b, 0x5555, a, (_MM_PERM_ENUM)0xf5);
    }
}

static inline void vec_split(__m512i *x, __m512i *y)
{
    const __m512i even =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
    const __m512i a = *x, b = *y;

    *x = _mm512_permutex2var_epi32(a, even, b);
    *y = _mm512_permutex2var_epi32(a, odd, b);
}

static inline void vec_join(__m512i *x, __m512i *y)
{
    const __m512i low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(8));
    const __m512i a = *x, b = *y;

    *x = _mm512_permutex2var_epi32(a, low, b);
    *y = _mm512_permutex2var_epi32(a, high, b);
}

/* Sixteen are read. */
static inline __attribute__((always_inline)) __m512i vec_repeat(const int32_t *p, unsigned len,
                                                                int down)
{
    const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i index = _mm512_srli_epi32(lanes, len == 8 ? 3 : len == 4 ? 2 : len == 2 ? 1 : 0);
    const __m512i last = vec_set1(LANES / len - 1);

    return _mm512_permutexvar_epi32(down ? vec_sub(last, index) : index, vec_load(p));
}

#endif
