/* SPDX-License-Identifier: Apache-2.0 */
/* The rings as the tests go through them, and exact arithmetic to compare with. */
#ifndef TEST_CORE_RINGS_H
#define TEST_CORE_RINGS_H

#include <stdlib.h>

#include "ring.h"
#include "suite.h"

static const struct dkex_ring *const rings[] = {&dkex_ring256_portable, &dkex_ring512_portable};

enum { RINGS = sizeof(rings) / sizeof(rings[0]) };

/* The least residue, 0..q-1. */
static inline int32_t mod_q(int64_t x, unsigned q)
{
    int64_t r = x % (int64_t)q;

    return (int32_t)(r < 0 ? r + q : r);
}

/* The centred residue, -(q-1)/2 .. (q-1)/2. */
static inline int32_t centred(int64_t x, unsigned q)
{
    int32_t r = mod_q(x, q);

    return r > (int32_t)q / 2 ? r - (int32_t)q : r;
}

/* Compress_d as the algorithm defines it, with a plain division. */
static inline uint32_t exact_compress(uint32_t x, unsigned d, unsigned q)
{
    uint64_t t = ((uint64_t)x << d) + q / 2;

    return (uint32_t)((q == 7681 && d == 11 ? t * 279584 >> 31 : t / q) & ((1u << d) - 1));
}

/* Integer i of width w in a packed string, bit by bit. */
static inline uint32_t packed_at(const uint8_t *in, size_t i, unsigned w)
{
    uint32_t value = 0;

    for (unsigned bit = 0; bit < w; bit++) {
        size_t at = i * w + bit;

        value |= ((uint32_t)in[at / 8] >> (at % 8) & 1) << bit;
    }
    return value;
}

static inline void set_packed(uint8_t *out, size_t i, unsigned w, uint32_t value)
{
    for (unsigned bit = 0; bit < w; bit++) {
        size_t at = i * w + bit;

        out[at / 8] =
            (uint8_t)((out[at / 8] & ~(1u << (at % 8))) | (value >> bit & 1u) << (at % 8));
    }
}

/* r = a b in Z_q[X]/(X^n + 1), schoolbook, residues. */
static inline void schoolbook(int32_t *r, const int16_t *a, const int16_t *b, unsigned n,
                              unsigned q)
{
    for (unsigned i = 0; i < n; i++) {
        int64_t sum = 0;

        for (unsigned j = 0; j <= i; j++)
            sum += (int64_t)a[j] * b[i - j];
        for (unsigned j = i + 1; j < n; j++)
            sum -= (int64_t)a[j] * b[n + i - j];
        r[i] = mod_q(sum, q);
    }
}

#endif
