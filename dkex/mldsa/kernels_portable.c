/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels.h"

#include "../ct.h"
#include "keccak_lanes.h"
#include "pack.h"
#include "rounding.h"
#include "zetas.h"

/*
 * p / 2^32 mod q for |p| < 2^31 q: (p - lo q) / 2^32 with lo = p q^-1 mod 2^32, signed, so
 * |r| <= |p| / 2^32 + q/2 < q.
 */
static inline int32_t mont_reduce(int64_t p)
{
    int32_t lo = (int32_t)((uint32_t)p * QINV);

    return (int32_t)((p - (int64_t)lo * MLDSA_Q) >> 32);
}

static inline int32_t mont_mul(int32_t a, int32_t b)
{
    return mont_reduce((int64_t)a * b);
}

/*
 * Two layers a pass, which halves the loads and stores. Of eight layers each adds a product below q
 * to |x| < q: |x| < 9q < 2^27. A product with |zeta| <= q/2 is below 4.5 q^2 < 2^31 q.
 */
static void ntt(struct mldsa_poly *r)
{
    for (size_t len = MLDSA_N / 4, blocks = 1; len >= 1; len /= 4, blocks *= 4) {
        for (size_t i = 0; i < blocks; i++) {
            const int32_t *low = zetas + 2 * (blocks + i);
            int32_t high = zetas[blocks + i];
            int32_t *c0 = r->c + 4 * len * i, *c1 = c0 + len, *c2 = c1 + len, *c3 = c2 + len;

            for (size_t j = 0; j < len; j++) {
                int32_t t2 = mont_mul(high, c2[j]), t3 = mont_mul(high, c3[j]);
                int32_t x0 = c0[j] + t2, x2 = c0[j] - t2;
                int32_t x1 = c1[j] + t3, x3 = c1[j] - t3;
                int32_t u1 = mont_mul(low[0], x1), u3 = mont_mul(low[1], x3);

                c0[j] = x0 + u1;
                c1[j] = x0 - u1;
                c2[j] = x2 + u3;
                c3[j] = x2 - u3;
            }
        }
    }
}

/*
 * Sums and differences double in each of eight layers: |x| <= 2^8 q = 2145386752 < 2^31, and a
 * product with |zeta| <= q/2 stays below 2^7 q^2 < 2^31 q = 256.25 q^2. The differences are taken
 * the other way round, for the inverse of zeta of block i is -zeta of the mirrored block. The last
 * product is at most 2^8 q SCALE < 2^47, so |r| <= 2^15 + q/2, which is centred.
 */
static void invntt(struct mldsa_poly *r)
{
    for (size_t len = 1, blocks = MLDSA_N / 4; blocks >= 1; len *= 4, blocks /= 4) {
        for (size_t i = 0; i < blocks; i++) {
            const size_t mirrored = 2 * blocks - 1 - i;
            const int32_t *low = zetas + 2 * mirrored;
            int32_t high = zetas[mirrored];
            int32_t *c0 = r->c + 4 * len * i, *c1 = c0 + len, *c2 = c1 + len, *c3 = c2 + len;

            for (size_t j = 0; j < len; j++) {
                int32_t x0 = c0[j] + c1[j], x1 = mont_mul(low[1], c1[j] - c0[j]);
                int32_t x2 = c2[j] + c3[j];
                int32_t x3 = mont_mul(low[0], c3[j] - c2[j]);

                c0[j] = x0 + x2;
                c1[j] = x1 + x3;
                c2[j] = mont_mul(high, x2 - x0);
                c3[j] = mont_mul(high, x3 - x1);
            }
        }
    }
    for (unsigned j = 0; j < MLDSA_N; j++)
        r->c[j] = mont_mul(r->c[j], SCALE);
}

/*
 * Row of A-hat times vector: 7 q 9q = 63 q^2; a challenge times one polynomial: (9q)^2. Both are
 * below 2^31 q = 256.25 q^2, as mont_reduce asks.
 */
static void dot(struct mldsa_poly *r, const struct mldsa_poly *a, const struct mldsa_poly *b,
                unsigned len)
{
    for (unsigned i = 0; i < MLDSA_N; i++) {
        int64_t sum = 0;

        for (unsigned j = 0; j < len; j++)
            sum += (int64_t)a[j].c[i] * b[j].c[i];
        r->c[i] = mont_reduce(sum);
    }
}

static int exceeds(const struct mldsa_poly *r, int32_t bound)
{
    uint32_t any = 0; /* bit 31: some bound - 1 - |x| is negative */

    for (unsigned i = 0; i < MLDSA_N; i++) {
        int32_t sign = r->c[i] >> 31;

        any |= (uint32_t)(bound - 1 - ((r->c[i] ^ sign) - sign));
    }
    return (int)(dkex_barrier_u32(any) >> 31);
}

/* |c s| <= tau * 2 = beta <= 120, so the sums fit in a byte in any order. */
static int add_product(struct mldsa_poly *r, const struct mldsa_poly *a,
                       const struct mldsa_challenge *c, const struct mldsa_short *s, int32_t bound)
{
    int8_t sum[MLDSA_N] = {0};
    int beyond;

    for (unsigned t = 0; t < c->tau; t++) {
        const int8_t *shifted = s->c + 2 * MLDSA_N - c->exponent[t];

        for (unsigned i = 0; i < MLDSA_N; i++)
            sum[i] = (int8_t)(sum[i] + shifted[i]);
    }
    for (unsigned i = 0; i < MLDSA_N; i++)
        r->c[i] = a->c[i] + sum[i];
    beyond = exceeds(r, bound);
    dkex_cleanse(sum, sizeof(sum));
    return beyond;
}

static unsigned rej_ntt(struct mldsa_poly *a, unsigned have, const uint8_t *buf, size_t len)
{
    for (size_t i = 0; i < len && have < MLDSA_N; i += 3) {
        int32_t x = buf[i] | buf[i + 1] << 8 | (buf[i + 2] & 0x7f) << 16;

        if (x < MLDSA_Q)
            a->c[have++] = x;
    }
    return have;
}

/*
 * 2 - (z mod 5) for z < 15, without a division: floor(z / 5) = 205 z >> 10, since 205 * 5 = 1025
 * and z < 1024 / 5.
 */
static int32_t bounded(uint32_t z)
{
    return 2 - (int32_t)(z - (205 * z >> 10) * 5);
}

static unsigned rej_bounded(struct mldsa_poly *s, unsigned have, const uint8_t *buf, size_t len)
{
    for (size_t i = 0; i < 2 * len && have < MLDSA_N; i++) {
        uint32_t z = buf[i / 2] >> (4 * (i & 1)) & 15;
        int rejected = z == 15;

        /* Nibbles are independent: which ones are 15 says nothing of the rest, the secret. */
        DKEX_DECLASSIFY(&rejected, sizeof(rejected));
        if (!rejected)
            s->c[have++] = bounded(z);
    }
    return have;
}

static void power2round(struct mldsa_poly *t1, struct mldsa_poly *t0, const struct mldsa_poly *t)
{
    for (unsigned i = 0; i < MLDSA_N; i++)
        t1->c[i] = mldsa_power2round(&t0->c[i], mldsa_canonical(t->c[i]));
}

static void decompose(uint8_t w1[MLDSA_N], struct mldsa_poly *w, int32_t gamma2)
{
    for (unsigned i = 0; i < MLDSA_N; i++)
        w1[i] = (uint8_t)mldsa_decompose(&w->c[i], mldsa_canonical(w->c[i]), gamma2);
}

static unsigned make_hint(uint8_t hint[MLDSA_HINT_BYTES], const struct mldsa_poly *low,
                          const uint8_t w1[MLDSA_N], int32_t gamma2)
{
    uint32_t count = 0;

    for (unsigned i = 0; i < MLDSA_N; i += 8) {
        uint32_t byte = 0;

        for (unsigned j = 0; j < 8; j++) {
            uint32_t h = mldsa_make_hint(low->c[i + j], w1[i + j], gamma2);

            byte |= h << j;
            count += h;
        }
        hint[i / 8] = (uint8_t)byte;
    }
    return count;
}

static void use_hint(uint8_t w1[MLDSA_N], const struct mldsa_poly *w,
                     const uint8_t hint[MLDSA_HINT_BYTES], int32_t gamma2)
{
    for (unsigned i = 0; i < MLDSA_N; i++)
        w1[i] =
            (uint8_t)mldsa_use_hint(hint[i / 8] >> (i % 8) & 1, mldsa_canonical(w->c[i]), gamma2);
}

/* How an integer of the encoding follows from a coefficient: bias - x, or x where bias is 0. */
static inline uint32_t encode(int32_t x, int32_t bias)
{
    return (uint32_t)(bias != 0 ? bias - x : x);
}

/* Eight integers of w bits are w bytes; w and bias are constants at every call. */
static inline void bit_pack(uint8_t *out, const struct mldsa_poly *r, unsigned w, int32_t bias)
{
    for (unsigned i = 0; i < MLDSA_N; i += 8) {
        uint64_t acc = 0;
        unsigned bits = 0;

        for (unsigned j = 0; j < 8; j++) {
            acc |= (uint64_t)encode(r->c[i + j], bias) << bits;
            for (bits += w; bits >= 8; bits -= 8, acc >>= 8)
                *out++ = (uint8_t)acc;
        }
    }
}

/*
 * Integer j of a group begins in byte jw / 8. Four bytes from there would pass the end of the
 * group for the last ones; w - 4 is the last place to read from, and the shift stays within 32 - w.
 */
static inline void bit_unpack(struct mldsa_poly *r, const uint8_t *in, unsigned w, int32_t bias)
{
    const uint32_t mask = (1u << w) - 1;

    for (unsigned i = 0; i < MLDSA_N; i += 8, in += w) {
        for (unsigned j = 0; j < 8; j++) {
            unsigned at = j * w / 8 <= w - 4 ? j * w / 8 : w - 4;
            uint32_t x = in[at] | (uint32_t)in[at + 1] << 8 | (uint32_t)in[at + 2] << 16 |
                         (uint32_t)in[at + 3] << 24;

            r->c[i + j] = (int32_t)encode((int32_t)(x >> (j * w - 8 * at) & mask), bias);
        }
    }
}

/* Eight integers of 3 bits are one read. */
static void unpack3(struct mldsa_poly *r, const uint8_t *in, int32_t bias)
{
    for (unsigned i = 0; i < MLDSA_N; i += 8, in += 3) {
        uint32_t group = in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16;

        for (unsigned j = 0; j < 8; j++)
            r->c[i + j] = (int32_t)encode((int32_t)(group >> (3 * j) & 7), bias);
    }
}

static void pack(uint8_t *out, const struct mldsa_poly *r, unsigned width, int32_t bias)
{
    switch (width) {
    case 3:
        bit_pack(out, r, 3, bias);
        break;
    case 10:
        bit_pack(out, r, 10, bias);
        break;
    case 13:
        bit_pack(out, r, 13, bias);
        break;
    case 18:
        bit_pack(out, r, 18, bias);
        break;
    default:
        bit_pack(out, r, 20, bias);
    }
}

static void unpack(struct mldsa_poly *r, const uint8_t *in, unsigned width, int32_t bias)
{
    switch (width) {
    case 3:
        unpack3(r, in, bias);
        break;
    case 10:
        bit_unpack(r, in, 10, bias);
        break;
    case 13:
        bit_unpack(r, in, 13, bias);
        break;
    case 18:
        bit_unpack(r, in, 18, bias);
        break;
    default:
        bit_unpack(r, in, 20, bias);
    }
}

static size_t w1_encode(uint8_t *out, const uint8_t w1[MLDSA_N], int32_t gamma2)
{
    if (gamma2 == (MLDSA_Q - 1) / 32) {
        for (size_t i = 0; i < MLDSA_N / 2; i++)
            out[i] = (uint8_t)(w1[2 * i] | w1[2 * i + 1] << 4);
        return MLDSA_N / 2;
    }
    for (size_t i = 0; i < MLDSA_N / 4; i++) {
        uint32_t x = w1[4 * i] | (uint32_t)w1[4 * i + 1] << 6 | (uint32_t)w1[4 * i + 2] << 12 |
                     (uint32_t)w1[4 * i + 3] << 18;

        for (unsigned j = 0; j < 3; j++)
            *out++ = (uint8_t)(x >> (8 * j));
    }
    return MLDSA_MAX_W1_BYTES;
}

const struct mldsa_kernels dkex_mldsa_portable = {
    .name = "portable",
    .keccak = &dkex_keccak_portable,
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
