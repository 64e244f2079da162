/* SPDX-License-Identifier: Apache-2.0 */
/* Two interleaved groups of sixteen lanes: one waits while the other computes. */
#include <immintrin.h>

#include "sm3x.h"

#define LANES 32

struct vec {
    __m512i x, y;
};

static inline struct vec vec_set1(uint32_t x)
{
    __m512i v = _mm512_set1_epi32((int)x);

    return (struct vec){v, v};
}

static inline struct vec vec_load(const uint32_t *p)
{
    return (struct vec){_mm512_loadu_si512(p), _mm512_loadu_si512(p + 16)};
}

static inline struct vec vec_add(struct vec a, struct vec b)
{
    return (struct vec){_mm512_add_epi32(a.x, b.x), _mm512_add_epi32(a.y, b.y)};
}

#define vec_rotl(v, n) ((struct vec){_mm512_rol_epi32((v).x, (n)), _mm512_rol_epi32((v).y, (n))})

static inline struct vec vec_xor(struct vec a, struct vec b)
{
    return (struct vec){_mm512_xor_si512(a.x, b.x), _mm512_xor_si512(a.y, b.y)};
}

/* The truth table of a function of three bits: what it gives for (a, b, c) = 7, ..., 0. */
#define VEC_TERNARY(a, b, c, table)                                                                \
    ((struct vec){_mm512_ternarylogic_epi32((a).x, (b).x, (c).x, (table)),                         \
                  _mm512_ternarylogic_epi32((a).y, (b).y, (c).y, (table))})

static inline struct vec vec_xor3(struct vec a, struct vec b, struct vec c)
{
    return VEC_TERNARY(a, b, c, 0x96);
}

static inline struct vec vec_majority(struct vec a, struct vec b, struct vec c)
{
    return VEC_TERNARY(a, b, c, 0xe8);
}

static inline struct vec vec_choose(struct vec a, struct vec b, struct vec c)
{
    return VEC_TERNARY(a, b, c, 0xca);
}

/*
 * Sixteen lanes' words transposed. After two steps of unpacking, quad[0][i] holds words 0 to 3 of
 * the lanes i, i + 4, i + 8 and i + 12, quad[1][i] words 4 to 7.
 */
static inline void digests16(uint8_t *out, const __m512i s[8])
{
    const __m512i swap =
        _mm512_broadcast_i32x4(_mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203));
    const __m512i lanes01 = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    const __m512i lanes23 = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    __m512i quad[2][4];

    for (unsigned half = 0; half < 2; half++) {
        __m512i a = _mm512_shuffle_epi8(s[4 * half], swap);
        __m512i b = _mm512_shuffle_epi8(s[4 * half + 1], swap);
        __m512i c = _mm512_shuffle_epi8(s[4 * half + 2], swap);
        __m512i d = _mm512_shuffle_epi8(s[4 * half + 3], swap);
        __m512i ab0 = _mm512_unpacklo_epi32(a, b), ab1 = _mm512_unpackhi_epi32(a, b);
        __m512i cd0 = _mm512_unpacklo_epi32(c, d), cd1 = _mm512_unpackhi_epi32(c, d);

        quad[half][0] = _mm512_unpacklo_epi64(ab0, cd0);
        quad[half][1] = _mm512_unpackhi_epi64(ab0, cd0);
        quad[half][2] = _mm512_unpacklo_epi64(ab1, cd1);
        quad[half][3] = _mm512_unpackhi_epi64(ab1, cd1);
    }
    for (unsigned i = 0; i < 4; i++, out += 32) {
        __m512i low = _mm512_permutex2var_epi64(quad[0][i], lanes01, quad[1][i]);
        __m512i high = _mm512_permutex2var_epi64(quad[0][i], lanes23, quad[1][i]);

        _mm256_storeu_si256((__m256i *)out, _mm512_castsi512_si256(low));
        _mm256_storeu_si256((__m256i *)(out + 128), _mm512_extracti64x4_epi64(low, 1));
        _mm256_storeu_si256((__m256i *)(out + 256), _mm512_castsi512_si256(high));
        _mm256_storeu_si256((__m256i *)(out + 384), _mm512_extracti64x4_epi64(high, 1));
    }
}

static inline void vec_digests(uint8_t *out, const struct vec state[8])
{
    __m512i x[8], y[8];

    for (unsigned i = 0; i < 8; i++) {
        x[i] = state[i].x;
        y[i] = state[i].y;
    }
    digests16(out, x);
    digests16(out + 512, y);
}

#include "sm3x_simd.h"

const struct dkex_sm3x dkex_sm3x_avx512 = {.name = "avx512", .expand = expand};
