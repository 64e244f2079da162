/* SPDX-License-Identifier: Apache-2.0 */
/* Eight lanes. */
#include <immintrin.h>

#include "keccak_lanes.h"

#define LANES 8
#define VEC __m512i

#define vec_set1(x) _mm512_set1_epi64((long long)(x))
#define vec_load(p) _mm512_loadu_si512(p)
#define vec_store(p, x) _mm512_storeu_si512((p), (x))
#define vec_xor(x, y) _mm512_xor_si512((x), (y))
#define vec_xor3(x, y, z) _mm512_ternarylogic_epi64((x), (y), (z), 0x96)
#define vec_chi(x, y, z) _mm512_ternarylogic_epi64((x), (y), (z), 0xd2)
#define vec_rotl(x, n) _mm512_rol_epi64((x), (n))

#include "keccak_simd.h"

/* Eight words of eight lanes, transposed in place: r[i] becomes lane i's words. */
static inline void transpose(__m512i r[8])
{
    __m512i pair[8], quad[8];

    for (unsigned i = 0; i < 4; i++) { /* words 2i, 2i + 1 of the even lanes, of the odd ones */
        pair[i] = _mm512_unpacklo_epi64(r[2 * i], r[2 * i + 1]);
        pair[4 + i] = _mm512_unpackhi_epi64(r[2 * i], r[2 * i + 1]);
    }
    for (unsigned odd = 0; odd < 2; odd++) {
        const __m512i *p = pair + 4 * odd;

        /* Lanes 0 and 4 (and 1 and 5), then 2 and 6: words 0 to 3; the same of words 4 to 7. */
        quad[0] = _mm512_shuffle_i64x2(p[0], p[1], 0x88);
        quad[1] = _mm512_shuffle_i64x2(p[0], p[1], 0xdd);
        quad[2] = _mm512_shuffle_i64x2(p[2], p[3], 0x88);
        quad[3] = _mm512_shuffle_i64x2(p[2], p[3], 0xdd);
        r[odd] = _mm512_shuffle_i64x2(quad[0], quad[2], 0x88);
        r[odd + 2] = _mm512_shuffle_i64x2(quad[1], quad[3], 0x88);
        r[odd + 4] = _mm512_shuffle_i64x2(quad[0], quad[2], 0xdd);
        r[odd + 6] = _mm512_shuffle_i64x2(quad[1], quad[3], 0xdd);
    }
}

static void extract(uint8_t *out, size_t stride, const uint64_t *state, unsigned words)
{
    for (unsigned w = 0; w < words; w += 8) {
        const unsigned n = words - w < 8 ? words - w : 8;
        __m512i r[8];

        for (unsigned i = 0; i < 8; i++)
            r[i] = i < n ? vec_load(state + (size_t)(w + i) * LANES) : _mm512_setzero_si512();
        transpose(r);
        for (unsigned lane = 0; lane < LANES; lane++)
            _mm512_mask_storeu_epi64(out + lane * stride + (size_t)8 * w,
                                     (__mmask8)(0xffu >> (8 - n)), r[lane]);
    }
}

const struct keccak_lanes dkex_keccak_avx512 = {
    .name = "avx512",
    .count = LANES,
    .permute = permute,
    .extract = extract,
};
