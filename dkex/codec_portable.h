/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes and bits of Z_q[X]/(X^n + 1), portable: noise, rejection sampling, packing, compression,
 * reconciliation. For the ring files alone, after ring_portable.h; RING_D_A is d_a, and
 * compress_quotient(x, d) the quotient of Compress_d, defined there.
 */
#ifndef DKEX_CODEC_PORTABLE_H
#define DKEX_CODEC_PORTABLE_H

#include "ct.h"
#include "ring_portable.h"

/*
 * floor(t / q) for t < 2^23: m = ceil(2^36 / q) has m q - 2^36 < q < 2^13 = 2^36 / 2^23, which is
 * the condition for the quotient to be exact. No division, since t may be secret.
 */
static inline uint32_t div_q(uint32_t t)
{
    const uint64_t m = ((UINT64_C(1) << 36) + RING_Q - 1) / RING_Q;

    return (uint32_t)(t * m >> 36);
}

/* The residue 0..q-1 of any a. */
static inline uint32_t canonical(int16_t a)
{
    int32_t r = mont_mul(a, RING_MONT); /* |r| <= 3/4 q */

    return (uint32_t)(r + ((r >> 31) & RING_Q));
}

/* n integers of w <= 13 bits, v_i < 2^w, as n * w / 8 bytes, little-endian. */
static void pack_bits(uint8_t *out, const uint16_t v[RING_N], unsigned w)
{
    for (unsigned i = 0; i < RING_N; i += 8) {
        uint64_t lo = 0, hi = 0; /* 4 integers each, at most 52 bits */

        for (unsigned j = 0; j < 4; j++) {
            lo |= (uint64_t)v[i + j] << (w * j);
            hi |= (uint64_t)v[i + 4 + j] << (w * j);
        }
        /* 4w bits may end within a byte: w odd leaves half a byte. */
        lo |= hi << (4 * w);
        hi >>= 64 - 4 * w;
        for (unsigned j = 0; j < w; j++, out++) {
            *out = (uint8_t)lo;
            lo = lo >> 8 | hi << 56;
            hi >>= 8;
        }
    }
}

/* The inverse: w <= 13 bits each, any input. */
static void unpack_bits(uint16_t v[RING_N], const uint8_t *in, unsigned w)
{
    const uint64_t mask = (UINT64_C(1) << w) - 1;

    for (unsigned i = 0; i < RING_N; i += 8, in += w) {
        uint64_t lo = 0, hi = 0;

        for (unsigned j = 0; j < w; j++) {
            if (j < 8)
                lo |= (uint64_t)in[j] << (8 * j);
            else
                hi |= (uint64_t)in[j] << (8 * j - 64);
        }
        for (unsigned j = 0; j < 8; j++) {
            v[i + j] = (uint16_t)(lo & mask);
            lo = lo >> w | hi << (64 - w);
            hi >>= w;
        }
    }
}

/* Sums of three adjacent bits: eta = 3 takes 24 bits for 4 coefficients. */
static void cbd3(int16_t *r, const uint8_t *buf)
{
    for (unsigned i = 0; i < RING_N / 4; i++) {
        uint32_t t = buf[3 * i] | (uint32_t)buf[3 * i + 1] << 8 | (uint32_t)buf[3 * i + 2] << 16;
        uint32_t d = (t & 0x249249) + ((t >> 1) & 0x249249) + ((t >> 2) & 0x249249);

        for (unsigned j = 0; j < 4; j++)
            r[4 * i + j] = (int16_t)((int32_t)(d >> (6 * j) & 7) - (int32_t)(d >> (6 * j + 3) & 7));
    }
}

/* Sums of two adjacent bits: eta = 2 takes 8 bits for 2 coefficients. */
static void cbd2(int16_t *r, const uint8_t *buf)
{
    for (unsigned i = 0; i < RING_N / 2; i++) {
        uint32_t d = (buf[i] & 0x55u) + (buf[i] >> 1 & 0x55u);

        for (unsigned j = 0; j < 2; j++)
            r[2 * i + j] = (int16_t)((int32_t)(d >> (4 * j) & 3) - (int32_t)(d >> (4 * j + 2) & 3));
    }
}

static void cbd(int16_t *r, const uint8_t *buf, unsigned eta)
{
    if (eta == 2)
        cbd2(r, buf);
    else
        cbd3(r, buf);
}

static void pack_ntt(uint8_t *out, const int16_t *r)
{
    uint16_t v[RING_N];

    for (unsigned i = 0; i < RING_N; i++)
        v[i] = (uint16_t)canonical(r[i]);
    pack_bits(out, v, RING_D_A);
    dkex_cleanse(v, sizeof(v));
}

static int unpack_ntt(int16_t *r, const uint8_t *in)
{
    uint32_t low = 1; /* stays 1 while every integer is below q */

    unpack_bits((uint16_t *)r, in, RING_D_A);
    for (unsigned i = 0; i < RING_N; i++)
        low &= ((uint32_t)r[i] - RING_Q) >> 31;
    return (int)low;
}

static void compress(uint8_t *out, const int16_t *a, unsigned d)
{
    const uint32_t mask = (1u << d) - 1;
    uint16_t v[RING_N];

    for (unsigned i = 0; i < RING_N; i++)
        v[i] = (uint16_t)(compress_quotient(canonical(a[i]), d) & mask);
    pack_bits(out, v, d);
}

/* (2^d - 1) q + 2^(d-1) < 2^d q, so r < q. */
static void decompress(int16_t *r, const uint8_t *in, unsigned d)
{
    unpack_bits((uint16_t *)r, in, d);
    for (unsigned i = 0; i < RING_N; i++)
        r[i] = (int16_t)(((uint32_t)r[i] * RING_Q + (1u << (d - 1))) >> d);
}

/* 2v mod q, 0..q-1. */
static inline uint32_t twice(int16_t v)
{
    int32_t w = (int32_t)(2 * canonical(v)) - RING_Q;

    return (uint32_t)(w + ((w >> 31) & RING_Q));
}

/*
 * The parity of the centred residue of w - floor(signal q / 2^bits). The difference d is within
 * -(q-1)..q-1; centring adds or subtracts the odd q, which flips the parity, where 2|d| > q.
 */
static inline uint32_t parity(uint32_t w, uint32_t signal, unsigned bits)
{
    int32_t d = (int32_t)w - (int32_t)(signal * RING_Q >> bits);
    int32_t sign = d >> 31;
    uint32_t magnitude = (uint32_t)((d ^ sign) - sign);

    return ((uint32_t)d ^ (RING_Q - 2 * magnitude) >> 31) & 1;
}

static void signal(uint8_t *out, uint8_t *raw, const int16_t *v, const uint8_t *dither,
                   unsigned bits)
{
    uint16_t sig[RING_N];

    for (unsigned i = 0; i < RING_N / 8; i++) {
        uint32_t parities = 0;

        for (unsigned j = 0; j < 8; j++) {
            uint32_t w = twice(v[8 * i + j]);
            int32_t x = (int32_t)(w - (dither[i] >> j & 1u)); /* -1 is q - 1 */
            uint32_t t = (uint32_t)(x + ((x >> 31) & RING_Q));

            t = div_q((t << bits) + RING_Q / 2) & ((1u << bits) - 1);
            sig[8 * i + j] = (uint16_t)t;
            parities |= parity(w, t, bits) << j;
        }
        raw[i] = (uint8_t)parities;
    }
    pack_bits(out, sig, bits);
}

static void reconcile(uint8_t *raw, const int16_t *v, const uint8_t *signal_bytes, unsigned bits)
{
    uint16_t sig[RING_N];

    unpack_bits(sig, signal_bytes, bits);
    for (unsigned i = 0; i < RING_N / 8; i++) {
        uint32_t parities = 0;

        for (unsigned j = 0; j < 8; j++)
            parities |= parity(twice(v[8 * i + j]), sig[8 * i + j], bits) << j;
        raw[i] = (uint8_t)parities;
    }
}

/* The part of the table that the two rings name alike. */
#define RING_KERNELS                                                                               \
    .n = RING_N, .q = RING_Q, .d_a = RING_D_A, .cbd = cbd, .ntt = ntt, .dot = dot,                 \
    .dot_intt = dot_intt, .add = add, .pack_ntt = pack_ntt, .unpack_ntt = unpack_ntt,              \
    .compress = compress, .decompress = decompress, .signal = signal, .reconcile = reconcile

#endif
