/* SPDX-License-Identifier: Apache-2.0 */
#include "pack.h"

#include <string.h>

#include "../ct.h"

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

void dkex_mldsa_pack_t1(uint8_t *out, const struct mldsa_poly *t1)
{
    bit_pack(out, t1, 10, 0);
}

void dkex_mldsa_unpack_t1(struct mldsa_poly *t1, const uint8_t *in)
{
    bit_unpack(t1, in, 10, 0);
}

void dkex_mldsa_pack_s(uint8_t *out, const struct mldsa_poly *s)
{
    bit_pack(out, s, 3, 2);
}

int dkex_mldsa_unpack_s(struct mldsa_poly *s, const uint8_t *in)
{
    uint32_t beyond = 0; /* bit 31 is set once 4 - x borrows */

    for (unsigned i = 0; i < MLDSA_N; i += 8, in += 3) {
        uint32_t group = in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16;

        for (unsigned j = 0; j < 8; j++) {
            uint32_t x = group >> (3 * j) & 7;

            beyond |= 4 - x;
            s->c[i + j] = 2 - (int32_t)x;
        }
    }
    return (int)(1 - (dkex_barrier_u32(beyond) >> 31));
}

void dkex_mldsa_pack_t0(uint8_t *out, const struct mldsa_poly *t0)
{
    bit_pack(out, t0, MLDSA_D, 1 << (MLDSA_D - 1));
}

void dkex_mldsa_unpack_t0(struct mldsa_poly *t0, const uint8_t *in)
{
    bit_unpack(t0, in, MLDSA_D, 1 << (MLDSA_D - 1));
}

void dkex_mldsa_pack_z(uint8_t *out, const struct mldsa_poly *z, unsigned gamma1_bits)
{
    if (gamma1_bits == 17)
        bit_pack(out, z, 18, 1 << 17);
    else
        bit_pack(out, z, 20, 1 << 19);
}

void dkex_mldsa_unpack_z(struct mldsa_poly *z, const uint8_t *in, unsigned gamma1_bits)
{
    if (gamma1_bits == 17)
        bit_unpack(z, in, 18, 1 << 17);
    else
        bit_unpack(z, in, 20, 1 << 19);
}

size_t dkex_mldsa_w1_encode(uint8_t *out, const uint8_t w1[MLDSA_N], int32_t gamma2)
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

void dkex_mldsa_hint_bit_pack(uint8_t *out, const struct mldsa_params *p,
                              const uint8_t hints[][MLDSA_HINT_BYTES])
{
    unsigned count = 0;

    memset(out, 0, p->omega + p->k);
    for (unsigned i = 0; i < p->k; i++) {
        for (unsigned j = 0; j < MLDSA_N; j++) {
            if (hints[i][j / 8] >> (j % 8) & 1)
                out[count++] = (uint8_t)j;
        }
        out[p->omega + i] = (uint8_t)count;
    }
}

int dkex_mldsa_hint_bit_unpack(uint8_t hints[][MLDSA_HINT_BYTES], const struct mldsa_params *p,
                               const uint8_t *in)
{
    unsigned at = 0;

    memset(hints, 0, p->k * sizeof(hints[0]));
    for (unsigned i = 0; i < p->k; i++) {
        unsigned end = in[p->omega + i], first = at;

        if (end < at || end > p->omega)
            return 0;
        for (; at < end; at++) {
            if (at > first && in[at - 1] >= in[at])
                return 0;
            hints[i][in[at] / 8] |= (uint8_t)(1u << (in[at] % 8));
        }
    }
    for (; at < p->omega; at++) {
        if (in[at] != 0)
            return 0;
    }
    return 1;
}
