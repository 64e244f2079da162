/* SPDX-License-Identifier: Apache-2.0 */
#include "vec32_avx512.h"

#include "keccak_lanes.h"
#include "ntt_simd.h"
#include "rounding_simd.h"

static inline __m512i iota(void)
{
    return _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

/* Byte indices of four bytes from byte at of each lane. */
static inline __m512i four_bytes_from(__m512i at)
{
    return _mm512_add_epi32(_mm512_mullo_epi32(at, _mm512_set1_epi32(0x01010101)),
                            _mm512_set1_epi32(0x03020100));
}

static inline unsigned least(size_t a, size_t b)
{
    return (unsigned)(a < b ? a : b);
}

/* The lowest n of 16, 64 bits. */
static inline __mmask16 first16(unsigned n)
{
    return (__mmask16)((1u << n) - 1);
}

static inline __mmask64 first64(unsigned n)
{
    return ~UINT64_C(0) >> (64 - n);
}

/* Sixteen candidates of three bytes at a time. */
static unsigned rej_ntt(struct mldsa_poly *a, unsigned have, const uint8_t *buf, size_t len)
{
    const __m512i index = four_bytes_from(_mm512_mullo_epi32(iota(), _mm512_set1_epi32(3)));
    const __m512i mask = _mm512_set1_epi32(0x7fffff), q = _mm512_set1_epi32(MLDSA_Q);

    for (size_t i = 0; i < len && have < MLDSA_N; i += 48) {
        const unsigned bytes = least(48, len - i);
        __m512i x = _mm512_maskz_loadu_epi8(first64(bytes), buf + i);
        __mmask16 below;
        unsigned count;

        x = _mm512_and_si512(_mm512_permutexvar_epi8(index, x), mask);
        below = _mm512_mask_cmplt_epi32_mask(first16(bytes / 3), x, q);
        count = least((unsigned)__builtin_popcount(below), MLDSA_N - have);
        _mm512_mask_storeu_epi32(a->c + have, first16(count),
                                 _mm512_maskz_compress_epi32(below, x));
        have += count;
    }
    return have;
}

/* Appends the first count <= 64 bytes of x, signed, as far as there is room. */
static inline unsigned append_bytes(struct mldsa_poly *s, unsigned have, __m512i x, unsigned count)
{
    const unsigned end = least(have + count, MLDSA_N);

    for (unsigned i = 0; i < 4 && have < end; i++) {
        const unsigned n = least(16, end - have);
        __m128i part = _mm512_castsi512_si128(x);

        _mm512_mask_storeu_epi32(s->c + have, first16(n), _mm512_cvtepi8_epi32(part));
        x = _mm512_shuffle_i64x2(x, x, 0x39); /* the next 16 bytes come first */
        have += n;
    }
    return have;
}

/* Sixty-four half-bytes at a time; 2 - (z mod 5) by a table in a register. */
static unsigned rej_bounded(struct mldsa_poly *s, unsigned have, const uint8_t *buf, size_t len)
{
    const __m512i bounded =
        _mm512_broadcast_i32x4(_mm_setr_epi8(2, 1, 0, -1, -2, 2, 1, 0, -1, -2, 2, 1, 0, -1, -2, 0));

    for (size_t i = 0; i < len && have < MLDSA_N; i += 32) {
        const unsigned bytes = least(32, len - i);
        __m512i x =
            _mm512_cvtepu8_epi16(_mm256_maskz_loadu_epi8((__mmask32)first64(bytes), buf + i));
        __mmask64 below;

        x = _mm512_or_si512(x, _mm512_slli_epi16(x, 4));
        x = _mm512_and_si512(x, _mm512_set1_epi8(15));
        below = _mm512_mask_cmplt_epu8_mask(first64(2 * bytes), x, _mm512_set1_epi8(15));
        /* Half-bytes are independent: which ones are 15 says nothing of the rest, the secret. */
        DKEX_DECLASSIFY(&below, sizeof(below));
        x = _mm512_shuffle_epi8(bounded, _mm512_maskz_compress_epi8(below, x));
        have = append_bytes(s, have, x, (unsigned)__builtin_popcountll(below));
    }
    return have;
}

/* bias - x is (x ^ -1) + bias + 1, and x itself (x ^ 0) + 0: of either kind by its two constants.
 */
struct coding {
    __m512i flip, shift;
};

static inline struct coding coding_of(int32_t bias)
{
    return (struct coding){_mm512_set1_epi32(bias != 0 ? -1 : 0),
                           _mm512_set1_epi32(bias != 0 ? bias + 1 : 0)};
}

static inline __m512i code(struct coding c, __m512i x)
{
    return _mm512_add_epi32(_mm512_xor_si512(x, c.flip), c.shift);
}

/* Integer j of sixteen begins at bit j width of 2 width bytes. */
static void unpack(struct mldsa_poly *r, const uint8_t *in, unsigned width, int32_t bias)
{
    const __m512i at = _mm512_mullo_epi32(iota(), _mm512_set1_epi32((int)width));
    const __m512i index = four_bytes_from(_mm512_srli_epi32(at, 3));
    const __m512i shift = _mm512_and_si512(at, _mm512_set1_epi32(7));
    const __m512i mask = _mm512_set1_epi32((int)((1u << width) - 1));
    const struct coding c = coding_of(bias);

    for (unsigned i = 0; i < MLDSA_N; i += LANES, in += (size_t)2 * width) {
        __m512i x = _mm512_maskz_loadu_epi8(first64(2 * width), in);

        x = _mm512_srlv_epi32(_mm512_permutexvar_epi8(index, x), shift);
        vec_store(r->c + i, code(c, _mm512_and_si512(x, mask)));
    }
}

/* Each pair of 64-bit lanes, integers of `bits` <= 63 bits, joined to one of twice as many. */
static inline __m512i join64(__m512i x, unsigned bits)
{
    const __m512i up = _mm512_set4_epi64(64, bits, 64, bits);
    const __m512i down = _mm512_set4_epi64(64 - bits, 0, 64 - bits, 0);
    const __m512i swapped = _mm512_shuffle_epi32(x, (_MM_PERM_ENUM)0x4e);

    return _mm512_or_si512(_mm512_sllv_epi64(swapped, up), _mm512_srlv_epi64(x, down));
}

/*
 * Two, then four integers are joined; of an odd width, whose fours end within a byte, eight. Then
 * the bytes in use, width / 2 or width of sixteen, move together.
 */
static void pack(uint8_t *out, const struct mldsa_poly *r, unsigned width, int32_t bias)
{
    const __m512i up = _mm512_set1_epi64(32 - width); /* of the lower half of each 64 bits */
    const __m512i fours = _mm512_setr_epi64(0, 2, 4, 6, 0, 2, 4, 6);
    const struct coding c = coding_of(bias);
    const __mmask64 used = width % 2 == 0 ? first64(width / 2) * UINT64_C(0x0001000100010001)
                                          : first64(width) * UINT64_C(0x10001);

    for (unsigned i = 0; i < MLDSA_N; i += LANES, out += (size_t)2 * width) {
        __m512i x = code(c, vec_load(r->c + i));

        x = _mm512_srlv_epi64(_mm512_sllv_epi32(x, up), up);
        x = join64(x, 2 * width);
        if (width % 2 != 0)
            x = join64(_mm512_permutexvar_epi64(fours, x), 4 * width);
        _mm512_mask_storeu_epi8(out, first64(2 * width), _mm512_maskz_compress_epi8(used, x));
    }
}

/* Pairs of bytes are joined to 8 bits; or to 12, and pairs of these to 24. */
static size_t w1_encode(uint8_t *out, const uint8_t w1[MLDSA_N], int32_t gamma2)
{
    const __mmask64 three_of_four = UINT64_C(0x7777777777777777);
    const int nibbles = gamma2 == (MLDSA_Q - 1) / 32;
    const unsigned bytes = nibbles ? 32 : 48; /* of 64 coefficients */

    for (unsigned i = 0; i < MLDSA_N; i += 64, out += bytes) {
        __m512i x = _mm512_loadu_si512(w1 + i);

        if (nibbles) {
            x = _mm512_maddubs_epi16(x, _mm512_set1_epi16(0x1001));
            _mm256_storeu_si256((__m256i *)out, _mm512_cvtepi16_epi8(x));
        } else {
            x = _mm512_maddubs_epi16(x, _mm512_set1_epi16(0x4001));
            x = _mm512_madd_epi16(x, _mm512_set1_epi32(0x10000001));
            _mm512_mask_storeu_epi8(out, first64(bytes),
                                    _mm512_maskz_compress_epi8(three_of_four, x));
        }
    }
    return (size_t)4 * bytes;
}

const struct mldsa_kernels dkex_mldsa_avx512 = {
    .name = "avx512",
    .keccak = &dkex_keccak_avx512,
    .ntt = ntt,
    .invntt = invntt,
    .dot = dot,
    .add_product = add_product,
    .rej_ntt = rej_ntt,
    .rej_bounded = rej_bounded,
    .exceeds = exceeds,
    .power2round = power2round,
    .decompose = decompose,
    .make_hint = make_hint,
    .use_hint = use_hint,
    .pack = pack,
    .unpack = unpack,
    .w1_encode = w1_encode,
};
