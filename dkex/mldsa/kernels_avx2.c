/* SPDX-License-Identifier: Apache-2.0 */
#include "vec32_avx2.h"

#include <string.h>

#include "keccak_lanes.h"
#include "ntt_simd.h"
#include "rounding_simd.h"

enum { MAX_PACKED_BYTES = 32 * 20 };

static inline __m256i iota(void)
{
    return _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
}

/* Byte indices, within a half of the vector, of four bytes from byte at of each lane. */
static inline __m256i four_bytes_from(__m256i at)
{
    return _mm256_add_epi32(_mm256_mullo_epi32(at, _mm256_set1_epi32(0x01010101)),
                            _mm256_set1_epi32(0x03020100));
}

/* Sixteen bytes from each place. */
static inline __m256i load_halves(const uint8_t *low, const uint8_t *high)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)low)),
                                   _mm_loadu_si128((const __m128i *)high), 1);
}

/* Eight candidates of three bytes at a time; almost always all of them are below q. */
static unsigned rej_ntt(struct mldsa_poly *a, unsigned have, const uint8_t *buf, size_t len)
{
    const __m256i in_half = _mm256_and_si256(iota(), _mm256_set1_epi32(3));
    const __m256i index = four_bytes_from(_mm256_mullo_epi32(in_half, _mm256_set1_epi32(3)));
    const __m256i mask = _mm256_set1_epi32(0x7fffff), q = _mm256_set1_epi32(MLDSA_Q);

    for (size_t i = 0; i < len && have < MLDSA_N; i += 24) {
        const unsigned candidates = len - i < 24 ? (unsigned)(len - i) / 3 : LANES;
        __m256i x = load_halves(buf + i, buf + i + 12);
        int32_t each[LANES];

        x = _mm256_and_si256(_mm256_shuffle_epi8(x, index), mask);
        if (candidates == LANES && have + LANES <= MLDSA_N &&
            vec_signs(_mm256_cmpgt_epi32(q, x)) == 0xff) {
            vec_store(a->c + have, x);
            have += LANES;
            continue;
        }
        vec_store(each, x);
        for (unsigned j = 0; j < candidates && have < MLDSA_N; j++) {
            if (each[j] < MLDSA_Q)
                a->c[have++] = each[j];
        }
    }
    return have;
}

/*
 * Half-bytes of 16 bytes are mapped to 2 - (z mod 5) by a table in a register, and the stretches
 * between two rejected ones are copied together: 32 values from each beginning, of which the next
 * stretch overwrites what is too much.
 */
static unsigned rej_bounded(struct mldsa_poly *s, unsigned have, const uint8_t *buf, size_t len)
{
    const __m256i bounded = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(2, 1, 0, -1, -2, 2, 1, 0, -1, -2, 2, 1, 0, -1, -2, 0));
    struct {
        int8_t value[2 * LANES * 8];    /* 32, and what a copy reads after them */
        int8_t taken[MLDSA_N + 2 * 32]; /* up to 31 too many, and what a copy writes */
    } t;
    unsigned got = 0;

    memset(t.value, 0, sizeof(t.value));
    for (size_t i = 0; i < len && have + got < MLDSA_N; i += 16) {
        const unsigned count = len - i < 16 ? 2 * (unsigned)(len - i) : 32;
        __m128i x = _mm_loadu_si128((const __m128i *)(buf + i)), nibble = _mm_set1_epi8(15);
        __m128i low = _mm_and_si128(x, nibble), high = _mm_and_si128(_mm_srli_epi16(x, 4), nibble);
        __m256i z = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_unpacklo_epi8(low, high)),
                                            _mm_unpackhi_epi8(low, high), 1);
        uint64_t ends = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(z, _mm256_set1_epi8(15)));
        unsigned from = 0;

        /* Half-bytes are independent: which ones are 15 says nothing of the rest, the secret. */
        DKEX_DECLASSIFY(&ends, sizeof(ends));
        vec_store(t.value, _mm256_shuffle_epi8(bounded, z));
        for (ends |= UINT64_C(1) << count; from < count; ends &= ends - 1) {
            const unsigned end = (unsigned)__builtin_ctzll(ends);

            vec_store(t.taken + got, vec_load(t.value + from));
            got += end - from;
            from = end + 1;
        }
    }
    if (got > MLDSA_N - have)
        got = MLDSA_N - have;
    for (unsigned i = 0; i < got; i++)
        s->c[have + i] = t.taken[i];
    dkex_cleanse(&t, sizeof(t));
    return have + got;
}

/* bias - x is (x ^ -1) + bias + 1, and x itself (x ^ 0) + 0: of either kind by its two constants.
 */
struct coding {
    __m256i flip, shift;
};

static inline struct coding coding_of(int32_t bias)
{
    return (struct coding){_mm256_set1_epi32(bias != 0 ? -1 : 0),
                           _mm256_set1_epi32(bias != 0 ? bias + 1 : 0)};
}

static inline __m256i code(struct coding c, __m256i x)
{
    return _mm256_add_epi32(_mm256_xor_si256(x, c.flip), c.shift);
}

/*
 * Eight integers are width bytes. The upper four begin at bit 4 width, which is byte width / 2,
 * four bits further if the width is odd. Reads past the end stay in the copy.
 */
static void unpack(struct mldsa_poly *r, const uint8_t *in, unsigned width, int32_t bias)
{
    const int half = (int)(width / 2);
    const __m256i base = _mm256_setr_epi32(0, 0, 0, 0, 8 * half, 8 * half, 8 * half, 8 * half);
    const __m256i at =
        _mm256_sub_epi32(_mm256_mullo_epi32(iota(), _mm256_set1_epi32((int)width)), base);
    const __m256i index = four_bytes_from(_mm256_srli_epi32(at, 3));
    const __m256i shift = _mm256_and_si256(at, _mm256_set1_epi32(7));
    const __m256i mask = _mm256_set1_epi32((int)((1u << width) - 1));
    const struct coding c = coding_of(bias);
    uint8_t copy[MAX_PACKED_BYTES + 16];

    memcpy(copy, in, (size_t)32 * width);
    memset(copy + (size_t)32 * width, 0, 16);
    in = copy;
    for (unsigned i = 0; i < MLDSA_N; i += LANES, in += width) {
        __m256i x = _mm256_shuffle_epi8(load_halves(in, in + half), index);

        x = _mm256_and_si256(_mm256_srlv_epi32(x, shift), mask);
        vec_store(r->c + i, code(c, x));
    }
    dkex_cleanse(copy, sizeof(copy));
}

/* Each pair of 64-bit lanes, integers of `bits` <= 40 bits, joined to one of twice as many. */
static inline __m256i join64(__m256i x, unsigned bits)
{
    const __m256i up = _mm256_setr_epi64x(bits, 64, bits, 64);
    const __m256i down = _mm256_setr_epi64x(0, 64 - bits, 0, 64 - bits);
    const __m256i swapped = _mm256_shuffle_epi32(x, 0x4e);

    return _mm256_or_si256(_mm256_sllv_epi64(swapped, up), _mm256_srlv_epi64(x, down));
}

/*
 * Two, then four integers are joined: 4 width bits in each half of the vector, whole bytes if the
 * width is even. If it is odd, 4 width < 64, and the halves are joined as integers. Writes past the
 * end stay in the copy.
 */
static void pack(uint8_t *out, const struct mldsa_poly *r, unsigned width, int32_t bias)
{
    const __m256i up = _mm256_set1_epi64x(32 - width); /* of the lower half of each 64 bits */
    const struct coding c = coding_of(bias);
    uint8_t copy[MAX_PACKED_BYTES + 16], *at = copy;

    for (unsigned i = 0; i < MLDSA_N; i += LANES, at += width) {
        __m256i x = code(c, vec_load(r->c + i));
        __m128i low, high;

        x = join64(_mm256_srlv_epi64(_mm256_sllv_epi32(x, up), up), 2 * width);
        low = _mm256_castsi256_si128(x);
        high = _mm256_extracti128_si256(x, 1);
        if (width % 2 == 0) {
            _mm_storeu_si128((__m128i *)at, low);
            _mm_storeu_si128((__m128i *)(at + width / 2), high);
        } else {
            uint64_t d0 = (uint64_t)_mm_cvtsi128_si64(low), d1 = (uint64_t)_mm_cvtsi128_si64(high);
            uint64_t joined[2] = {d0 | d1 << (4 * width), d1 >> (64 - 4 * width)};

            memcpy(at, joined, sizeof(joined));
        }
    }
    memcpy(out, copy, (size_t)32 * width);
    dkex_cleanse(copy, sizeof(copy));
}

/* Pairs of bytes are joined to 8 bits. */
static void encode4(uint8_t *out, const uint8_t w1[MLDSA_N])
{
    const __m256i weights = _mm256_set1_epi16(0x1001);

    for (unsigned i = 0; i < MLDSA_N; i += 64, out += 32) {
        __m256i x = _mm256_maddubs_epi16(vec_load(w1 + i), weights);
        __m256i y = _mm256_maddubs_epi16(vec_load(w1 + i + 32), weights);

        vec_store(out, _mm256_permute4x64_epi64(_mm256_packus_epi16(x, y), 0xd8));
    }
}

/* To 12 bits, and pairs of these to 24. */
static void encode6(uint8_t *out, const uint8_t w1[MLDSA_N])
{
    const __m256i three_of_four = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1));

    for (unsigned i = 0; i < MLDSA_N; i += 32, out += 24) {
        __m256i x = _mm256_maddubs_epi16(vec_load(w1 + i), _mm256_set1_epi16(0x4001));
        uint8_t halves[32];

        x = _mm256_madd_epi16(x, _mm256_set1_epi32(0x10000001));
        vec_store(halves, _mm256_shuffle_epi8(x, three_of_four));
        memcpy(out, halves, 12);
        memcpy(out + 12, halves + 16, 12);
    }
}

static size_t w1_encode(uint8_t *out, const uint8_t w1[MLDSA_N], int32_t gamma2)
{
    if (gamma2 == (MLDSA_Q - 1) / 32) {
        encode4(out, w1);
        return MLDSA_N * 4 / 8;
    }
    encode6(out, w1);
    return MLDSA_N * 6 / 8;
}

const struct mldsa_kernels dkex_mldsa_avx2 = {
    .name = "avx2",
    .keccak = &dkex_keccak_avx2,
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
