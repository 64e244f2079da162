/* SPDX-License-Identifier: Apache-2.0 */
/* Four lanes. */
#include <immintrin.h>

#include "keccak_lanes.h"

#define LANES 4
#define VEC __m256i

#define vec_set1(x) _mm256_set1_epi64x((long long)(x))
#define vec_load(p) _mm256_loadu_si256((const __m256i *)(p))
#define vec_store(p, x) _mm256_storeu_si256((__m256i *)(p), (x))
#define vec_xor(x, y) _mm256_xor_si256((x), (y))
#define vec_xor3(x, y, z) _mm256_xor_si256(_mm256_xor_si256((x), (y)), (z))
#define vec_chi(x, y, z) _mm256_xor_si256((x), _mm256_andnot_si256((y), (z)))

/* Whole bytes are one shuffle. */
static inline __attribute__((always_inline)) __m256i vec_rotl(__m256i x, int n)
{
    const __m256i by8 = _mm256_set_epi64x(0x0e0d0c0b0a09080f, 0x0605040302010007,
                                          0x0e0d0c0b0a09080f, 0x0605040302010007);
    const __m256i by56 = _mm256_set_epi64x(0x080f0e0d0c0b0a09, 0x0007060504030201,
                                           0x080f0e0d0c0b0a09, 0x0007060504030201);

    if (n == 0)
        return x;
    if (n == 8)
        return _mm256_shuffle_epi8(x, by8);
    if (n == 56)
        return _mm256_shuffle_epi8(x, by56);
    return _mm256_or_si256(_mm256_slli_epi64(x, n), _mm256_srli_epi64(x, 64 - n));
}

#include "keccak_simd.h"

static void extract(uint8_t *out, size_t stride, const uint64_t *state, unsigned words)
{
    unsigned w = 0;

    for (; w + 4 <= words; w += 4) {
        const uint64_t *s = state + (size_t)w * LANES;
        __m256i r0 = vec_load(s), r1 = vec_load(s + 4), r2 = vec_load(s + 8), r3 = vec_load(s + 12);
        /* Words 0 and 1, then 2 and 3, of the lanes 0 and 2; of the lanes 1 and 3. */
        __m256i even01 = _mm256_unpacklo_epi64(r0, r1), even23 = _mm256_unpacklo_epi64(r2, r3);
        __m256i odd01 = _mm256_unpackhi_epi64(r0, r1), odd23 = _mm256_unpackhi_epi64(r2, r3);
        uint8_t *o = out + (size_t)8 * w;

        vec_store(o, _mm256_permute2x128_si256(even01, even23, 0x20));
        vec_store(o + stride, _mm256_permute2x128_si256(odd01, odd23, 0x20));
        vec_store(o + 2 * stride, _mm256_permute2x128_si256(even01, even23, 0x31));
        vec_store(o + 3 * stride, _mm256_permute2x128_si256(odd01, odd23, 0x31));
    }
    for (; w < words; w++) {
        for (unsigned lane = 0; lane < LANES; lane++)
            __builtin_memcpy(out + lane * stride + (size_t)8 * w, state + (size_t)w * LANES + lane,
                             8);
    }
}

const struct keccak_lanes dkex_keccak_avx2 = {
    .name = "avx2",
    .count = LANES,
    .permute = permute,
    .extract = extract,
};
