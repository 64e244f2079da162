/* SPDX-License-Identifier: Apache-2.0 */
#include "keccak.h"

#include "../ct.h"

/* FIPS 202, Algorithm 5 (rc), gathered into one lane a round. */
static const uint64_t round_constants[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
    0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
    0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
    0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

static inline uint64_t rol(uint64_t x, unsigned n)
{
    return x << n | x >> (64 - n);
}

static inline void chi(uint64_t e[5], uint64_t b0, uint64_t b1, uint64_t b2, uint64_t b3,
                       uint64_t b4)
{
    e[0] = b0 ^ (~b1 & b2);
    e[1] = b1 ^ (~b2 & b3);
    e[2] = b2 ^ (~b3 & b4);
    e[3] = b3 ^ (~b4 & b0);
    e[4] = b4 ^ (~b0 & b1);
}

/*
 * One round of Keccak-f[1600] from a to e, lane (x, y) at x + 5y. theta's column parities d are
 * folded into rho and pi, which bring lane (x, y), rotated, to (y, 2x + 3y). Constant indices
 * throughout, so that the lanes live in registers and not in an array.
 */
static inline __attribute__((always_inline)) void round_to(uint64_t e[25], const uint64_t a[25],
                                                           uint64_t rc)
{
    uint64_t c[5], d[5];

    c[0] = a[0] ^ a[5] ^ a[10] ^ a[15] ^ a[20];
    c[1] = a[1] ^ a[6] ^ a[11] ^ a[16] ^ a[21];
    c[2] = a[2] ^ a[7] ^ a[12] ^ a[17] ^ a[22];
    c[3] = a[3] ^ a[8] ^ a[13] ^ a[18] ^ a[23];
    c[4] = a[4] ^ a[9] ^ a[14] ^ a[19] ^ a[24];
    d[0] = c[4] ^ rol(c[1], 1);
    d[1] = c[0] ^ rol(c[2], 1);
    d[2] = c[1] ^ rol(c[3], 1);
    d[3] = c[2] ^ rol(c[4], 1);
    d[4] = c[3] ^ rol(c[0], 1);

    chi(e + 0, (a[0] ^ d[0]), rol(a[6] ^ d[1], 44), rol(a[12] ^ d[2], 43), rol(a[18] ^ d[3], 21),
        rol(a[24] ^ d[4], 14));
    chi(e + 5, rol(a[3] ^ d[3], 28), rol(a[9] ^ d[4], 20), rol(a[10] ^ d[0], 3),
        rol(a[16] ^ d[1], 45), rol(a[22] ^ d[2], 61));
    chi(e + 10, rol(a[1] ^ d[1], 1), rol(a[7] ^ d[2], 6), rol(a[13] ^ d[3], 25),
        rol(a[19] ^ d[4], 8), rol(a[20] ^ d[0], 18));
    chi(e + 15, rol(a[4] ^ d[4], 27), rol(a[5] ^ d[0], 36), rol(a[11] ^ d[1], 10),
        rol(a[17] ^ d[2], 15), rol(a[23] ^ d[3], 56));
    chi(e + 20, rol(a[2] ^ d[2], 62), rol(a[8] ^ d[3], 55), rol(a[14] ^ d[4], 39),
        rol(a[15] ^ d[0], 41), rol(a[21] ^ d[1], 2));
    e[0] ^= rc;
}

void dkex_keccak_f1600(uint64_t state[25])
{
    uint64_t a[25], e[25];

    for (unsigned i = 0; i < 25; i++)
        a[i] = state[i];
    for (unsigned i = 0; i < 24; i += 2) {
        round_to(e, a, round_constants[i]);
        round_to(a, e, round_constants[i + 1]);
    }
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
            uint64_t x = k->lane[k->pos / 8];

            for (unsigned i = 0; i < 8; i++)
                out[i] = (uint8_t)(x >> (8 * i));
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
