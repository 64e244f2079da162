/* SPDX-License-Identifier: Apache-2.0 */
/* Eight lanes. Two interleaved groups of eight would spill more than they hide. */
#include <immintrin.h>

#include "sm3x.h"

#define LANES 8

struct vec {
    __m256i x;
};

static inline struct vec vec_set1(uint32_t x)
{
    return (struct vec){_mm256_set1_epi32((int)x)};
}

static inline struct vec vec_load(const uint32_t *p)
{
    return (struct vec){_mm256_loadu_si256((const __m256i *)p)};
}

static inline struct vec vec_add(struct vec x, struct vec y)
{
    return (struct vec){_mm256_add_epi32(x.x, y.x)};
}

#define vec_rotl(v, n)                                                                             \
    ((struct vec){                                                                                 \
        _mm256_or_si256(_mm256_slli_epi32((v).x, (n)), _mm256_srli_epi32((v).x, 32 - (n)))})

static inline struct vec vec_xor(struct vec x, struct vec y)
{
    return (struct vec){_mm256_xor_si256(x.x, y.x)};
}

static inline struct vec vec_xor3(struct vec x, struct vec y, struct vec z)
{
    return vec_xor(vec_xor(x, y), z);
}

static inline struct vec vec_majority(struct vec x, struct vec y, struct vec z)
{
    __m256i either = _mm256_or_si256(x.x, y.x), both = _mm256_and_si256(x.x, y.x);

    return (struct vec){_mm256_or_si256(both, _mm256_and_si256(either, z.x))};
}

static inline struct vec vec_choose(struct vec x, struct vec y, struct vec z)
{
    return vec_xor(z, (struct vec){_mm256_and_si256(x.x, vec_xor(y, z).x)});
}

/* 8 x 8 words transposed: after two steps of unpacking, low[i] holds words 0 to 3 of the lanes i
 * and i + 4, high[i] words 4 to 7. */
static inline void vec_digests(uint8_t *out, const struct vec state[8])
{
    const __m256i swap = _mm256_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203,
                                           0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m256i quad[2][4];

    for (unsigned half = 0; half < 2; half++) {
        __m256i a = _mm256_shuffle_epi8(state[4 * half].x, swap);
        __m256i b = _mm256_shuffle_epi8(state[4 * half + 1].x, swap);
        __m256i c = _mm256_shuffle_epi8(state[4 * half + 2].x, swap);
        __m256i d = _mm256_shuffle_epi8(state[4 * half + 3].x, swap);
        __m256i ab0 = _mm256_unpacklo_epi32(a, b), ab1 = _mm256_unpackhi_epi32(a, b);
        __m256i cd0 = _mm256_unpacklo_epi32(c, d), cd1 = _mm256_unpackhi_epi32(c, d);

        quad[half][0] = _mm256_unpacklo_epi64(ab0, cd0);
        quad[half][1] = _mm256_unpackhi_epi64(ab0, cd0);
        quad[half][2] = _mm256_unpacklo_epi64(ab1, cd1);
        quad[half][3] = _mm256_unpackhi_epi64(ab1, cd1);
    }
    for (unsigned i = 0; i < 4; i++) {
        __m256i low = _mm256_permute2x128_si256(quad[0][i], quad[1][i], 0x20);
        __m256i high = _mm256_permute2x128_si256(quad[0][i], quad[1][i], 0x31);

        _mm256_storeu_si256((__m256i *)(out + (size_t)32 * i), low);
        _mm256_storeu_si256((__m256i *)(out + (size_t)32 * (i + 4)), high);
    }
}

#include "sm3x_simd.h"

const struct dkex_sm3x dkex_sm3x_avx2 = {.name = "avx2", .expand = expand};
