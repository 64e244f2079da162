/* SPDX-License-Identifier: Apache-2.0 */
#include "keccak.h"

#include "../ct.h"
#include "keccak_constants.h"
#include "keccak_lanes.h"

static inline uint64_t rol(uint64_t x, unsigned n)
{
    return x << n | x >> (64 - n);
}

/*
 * One round of Keccak-f[1600] from a to e, lane (x, y) at x + 5y, with the lanes 1, 2, 8, 12, 17
 * and 20 of both complemented. theta's column parities d are folded into rho and pi, which bring
 * lane (x, y), rotated, to (y, 2x + 3y). Constant indices throughout: lanes are scalars to the
 * compiler.
 *
 * Complementing saves 20 of chi's 25 NOTs; x86-64 has no AND-NOT without BMI. Columns 0 to 3 have
 * an odd number of complemented lanes each (1, 1, 3, 1), so their parities are complemented, so of
 * the sums of two parities are d0 (c4 and c1) and d3 (c2 and c4). They flip columns 0 and 3: into
 * chi go 0, 5, 10, 15, 1, 2, 12, 17, 3, 13, 18 and 23 complemented. Its rows follow by De Morgan:
 * row 0, say, has b0, b2 and b3 complemented, and b0 ^ (~b1 & b2) equals ~b0 ^ (b1 | ~b2).
 */
static inline __attribute__((always_inline)) void round_to(uint64_t e[25], const uint64_t a[25],
                                                           uint64_t rc)
{
    uint64_t c0 = a[0] ^ a[5] ^ a[10] ^ a[15] ^ a[20];
    uint64_t c1 = a[1] ^ a[6] ^ a[11] ^ a[16] ^ a[21];
    uint64_t c2 = a[2] ^ a[7] ^ a[12] ^ a[17] ^ a[22];
    uint64_t c3 = a[3] ^ a[8] ^ a[13] ^ a[18] ^ a[23];
    uint64_t c4 = a[4] ^ a[9] ^ a[14] ^ a[19] ^ a[24];
    uint64_t d0 = c4 ^ rol(c1, 1), d1 = c0 ^ rol(c2, 1), d2 = c1 ^ rol(c3, 1);
    uint64_t d3 = c2 ^ rol(c4, 1), d4 = c3 ^ rol(c0, 1);
    uint64_t b0, b1, b2, b3, b4;

    b0 = a[0] ^ d0;
    b1 = rol(a[6] ^ d1, 44);
    b2 = rol(a[12] ^ d2, 43);
    b3 = rol(a[18] ^ d3, 21);
    b4 = rol(a[24] ^ d4, 14);
    e[0] = b0 ^ (b1 | b2) ^ rc;
    e[1] = b1 ^ (~b2 | b3);
    e[2] = b2 ^ (b3 & b4);
    e[3] = b3 ^ (b4 | b0);
    e[4] = b4 ^ (b0 & b1);

    b0 = rol(a[3] ^ d3, 28);
    b1 = rol(a[9] ^ d4, 20);
    b2 = rol(a[10] ^ d0, 3);
    b3 = rol(a[16] ^ d1, 45);
    b4 = rol(a[22] ^ d2, 61);
    e[5] = b0 ^ (b1 | b2);
    e[6] = b1 ^ (b2 & b3);
    e[7] = b2 ^ (b3 | ~b4);
    e[8] = b3 ^ (b4 | b0);
    e[9] = b4 ^ (b0 & b1);

    b0 = rol(a[1] ^ d1, 1);
    b1 = rol(a[7] ^ d2, 6);
    b2 = rol(a[13] ^ d3, 25);
    b3 = rol(a[19] ^ d4, 8);
    b4 = rol(a[20] ^ d0, 18);
    e[10] = b0 ^ (b1 | b2);
    e[11] = b1 ^ (b2 & b3);
    e[12] = b2 ^ (~b3 & b4);
    e[13] = ~b3 ^ (b4 | b0);
    e[14] = b4 ^ (b0 & b1);

    b0 = rol(a[4] ^ d4, 27);
    b1 = rol(a[5] ^ d0, 36);
    b2 = rol(a[11] ^ d1, 10);
    b3 = rol(a[17] ^ d2, 15);
    b4 = rol(a[23] ^ d3, 56);
    e[15] = b0 ^ (b1 & b2);
    e[16] = b1 ^ (b2 | b3);
    e[17] = b2 ^ (~b3 | b4);
    e[18] = ~b3 ^ (b4 & b0);
    e[19] = b4 ^ (b0 | b1);

    b0 = rol(a[2] ^ d2, 62);
    b1 = rol(a[8] ^ d3, 55);
    b2 = rol(a[14] ^ d4, 39);
    b3 = rol(a[15] ^ d0, 41);
    b4 = rol(a[21] ^ d1, 2);
    e[20] = b0 ^ (~b1 & b2);
    e[21] = ~b1 ^ (b2 | b3);
    e[22] = b2 ^ (b3 & b4);
    e[23] = b3 ^ (b4 | b0);
    e[24] = b4 ^ (b0 & b1);
}

static inline void complement_lanes(uint64_t a[25])
{
    a[1] = ~a[1];
    a[2] = ~a[2];
    a[8] = ~a[8];
    a[12] = ~a[12];
    a[17] = ~a[17];
    a[20] = ~a[20];
}

void dkex_keccak_f1600(uint64_t state[25])
{
    uint64_t a[25], e[25];

    for (unsigned i = 0; i < 25; i++)
        a[i] = state[i];
    complement_lanes(a);
    for (unsigned i = 0; i < KECCAK_ROUNDS; i += 2) {
        round_to(e, a, keccak_round_constants[i]);
        round_to(a, e, keccak_round_constants[i + 1]);
    }
    complement_lanes(a);
    for (unsigned i = 0; i < 25; i++)
        state[i] = a[i];
}

static void xor_byte(struct keccak *k, unsigned at, uint8_t byte)
{
    k->lane[at / 8] ^= (uint64_t)byte << (8 * (at % 8));
}

static uint64_t load64(const uint8_t *p)
{
    uint64_t x = 0;

    for (unsigned i = 0; i < 8; i++)
        x |= (uint64_t)p[i] << (8 * i);
    return x;
}

static void store64(uint8_t *p, uint64_t x)
{
    for (unsigned i = 0; i < 8; i++)
        p[i] = (uint8_t)(x >> (8 * i));
}

void dkex_keccak_init(struct keccak *k, unsigned rate)
{
    *k = (struct keccak){.rate = rate};
}

void dkex_keccak_absorb(struct keccak *k, const uint8_t *in, size_t len)
{
    while (len > 0) {
        if (k->pos % 8 == 0 && len >= 8) {
            k->lane[k->pos / 8] ^= load64(in); /* the rate is a multiple of 8 */
            k->pos += 8;
            in += 8;
            len -= 8;
        } else {
            xor_byte(k, k->pos++, *in++);
            len--;
        }
        if (k->pos == k->rate) {
            dkex_keccak_f1600(k->lane);
            k->pos = 0;
        }
    }
}

void dkex_keccak_finish(struct keccak *k)
{
    xor_byte(k, k->pos, 0x1f); /* SHAKE's suffix 1111 and the first bit of the padding */
    xor_byte(k, k->rate - 1, 0x80);
    k->pos = k->rate;
}

void dkex_keccak_squeeze(struct keccak *k, uint8_t *out, size_t len)
{
    while (len > 0) {
        if (k->pos == k->rate) {
            dkex_keccak_f1600(k->lane);
            k->pos = 0;
        }
        if (k->pos % 8 == 0 && len >= 8) {
            store64(out, k->lane[k->pos / 8]);
            k->pos += 8;
            out += 8;
            len -= 8;
        } else {
            *out++ = (uint8_t)(k->lane[k->pos / 8] >> (8 * (k->pos % 8)));
            k->pos++;
            len--;
        }
    }
}

void dkex_keccak_wipe(struct keccak *k)
{
    dkex_cleanse(k, sizeof(*k));
}

void dkex_shake256(uint8_t *out, size_t out_len, const uint8_t *in, size_t in_len)
{
    struct keccak k;

    dkex_keccak_init(&k, SHAKE256_RATE);
    dkex_keccak_absorb(&k, in, in_len);
    dkex_keccak_finish(&k);
    dkex_keccak_squeeze(&k, out, out_len);
}

static void extract(uint8_t *out, size_t stride, const uint64_t *state, unsigned words)
{
    (void)stride; /* of one lane */
    for (unsigned i = 0; i < words; i++)
        store64(out + (size_t)8 * i, state[i]);
}

const struct keccak_lanes dkex_keccak_portable = {
    .name = "portable",
    .count = 1,
    .permute = dkex_keccak_f1600,
    .extract = extract,
};
