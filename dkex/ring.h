/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernels of the two rings Z_q[X]/(X^n + 1): (n, q) = (256, 3329) and (512, 7681).
 *
 * A polynomial is n int16_t. In the NTT domain the order of coefficients and the range are the
 * backend's own: such a polynomial comes from ntt, uniform, unpack_ntt or dot of one table and goes
 * to dot, dot_intt, add or pack_ntt of the same; a sum made by add goes to pack_ntt alone. Bytes
 * are the same for all. Everything here may be secret and runs in constant time, except uniform,
 * which reads public data. A vector of k polynomials is k * n contiguous int16_t, each polynomial
 * aligned to DKEX_ALIGN bytes.
 *
 * "Reduced" means |x| < q. No factor of Montgomery's is ever visible: results are plain residues.
 */
#ifndef DKEX_RING_H
#define DKEX_RING_H

#include <stddef.h>
#include <stdint.h>

enum {
    DKEX_ALIGN = 64,
    DKEX_MAX_N = 512,
    DKEX_POLY_MAX_BYTES = DKEX_MAX_N * 13 / 8, /* packed, uncompressed */
};

struct dkex_ring {
    const char *name; /* "ring256", "ring512" */
    unsigned n, q;
    unsigned d_a; /* bits of a coefficient: 12, 13 */

    /* Centred binomial noise of parameter eta (2, 3) from 2 * eta * n/8 bytes. |r_i| <= eta. */
    void (*cbd)(int16_t *r, const uint8_t *buf, unsigned eta);

    /* In place; in: reduced, or the output of cbd or decompress. */
    void (*ntt)(int16_t *r);

    /* r = sum over j < k of a_j * b_j, 1 <= k <= 4, in the NTT domain. r aliases neither. */
    void (*dot)(int16_t *r, const int16_t *a, const int16_t *b, unsigned k);

    /* The same followed by the inverse NTT: r is an ordinary polynomial, reduced. */
    void (*dot_intt)(int16_t *r, const int16_t *a, const int16_t *b, unsigned k);

    /* r += a, both reduced or noise, both of one domain: |r_i| < 2q. */
    void (*add)(int16_t *r, const int16_t *a);

    /*
     * Rejection sampling in the NTT domain: appends to r, which holds `have` coefficients, the
     * candidates in buf that are below q, until it holds n; returns how many it holds then.
     * d_a = 12: every 3 bytes are two candidates, left-over bytes are not read.
     * d_a = 13: every 13 bytes are eight candidates; of the bytes left over every two are one
     * more, their low 13 bits (little-endian), and an odd last byte is not read.
     */
    unsigned (*uniform)(int16_t *r, unsigned have, const uint8_t *buf, size_t len);

    /* n * d_a / 8 bytes <-> an NTT-domain polynomial. pack_ntt takes |r_i| < 2q and writes
     * residues 0..q-1. unpack_ntt returns 1 if every integer is below q; else 0, and r is of no
     * use. */
    void (*pack_ntt)(uint8_t *out, const int16_t *r);
    int (*unpack_ntt)(int16_t *r, const uint8_t *in);

    /* Compress_d and packing, n * d / 8 bytes, |a_i| < 2q; d is 10 or 11 for q = 3329 and 11 for
     * q = 7681. decompress: 0 <= r_i < q, any input bytes. */
    void (*compress)(uint8_t *out, const int16_t *a, unsigned d);
    void (*decompress)(int16_t *r, const uint8_t *in, unsigned d);

    /*
     * The responder's reconciliation of w = 2v mod q, |v_i| < 2q: signal, bits * n / 8 bytes,
     * from w less the dither (n bits), and raw, n bits, the parities. bits = 4 or 5.
     */
    void (*signal)(uint8_t *signal, uint8_t *raw, const int16_t *v, const uint8_t *dither,
                   unsigned bits);

    /* The initiator's: raw from w' = 2v mod q, |v_i| < 2q, and the received signal. */
    void (*reconcile)(uint8_t *raw, const int16_t *v, const uint8_t *signal, unsigned bits);
};

extern const struct dkex_ring dkex_ring256_portable, dkex_ring512_portable;

#endif
