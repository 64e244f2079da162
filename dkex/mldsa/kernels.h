/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of one instruction set under ML-DSA. Every backend gives the same polynomials and
 * bytes; the order of coefficients in the NTT domain is its own.
 *
 * Samplers take all polynomials of a step in one call, so that a vector backend can hash several
 * at a time. "Reduced" is |x| < q; "canonical" is 0 <= x < q; "centred" is a residue's
 * representative between -q/2 and q/2 if that is below 2^22 - 2^16 in absolute value, and anything
 * of at least 2^22 - 2^16 in absolute value (q/2 is 2^22 - 2^12) otherwise, always reduced. No two
 * pointers of a call overlap. Constant time, except where data are said to be public.
 */
#ifndef DKEX_MLDSA_KERNELS_H
#define DKEX_MLDSA_KERNELS_H

#include "mldsa.h"

struct mldsa_poly {
    int32_t c[MLDSA_N];
};

enum { MLDSA_HINT_BYTES = MLDSA_N / 8 }; /* hints of a polynomial, one bit a coefficient */

struct mldsa_kernels {
    const char *name;

    /* FIPS 204 Algorithm 41, in place. In: reduced. Out: |x| < 9q. */
    void (*ntt)(struct mldsa_poly *r);

    /* Algorithm 42 of a result of dot, in place. In: reduced. Out: centred, no factor left. */
    void (*invntt)(struct mldsa_poly *r);

    /* r = (sum over j < len of a_j b_j) / 2^32 in the NTT domain, len <= 7 with reduced a and
     * |b| < 9q, or len = 1 with |a|, |b| < 9q. Out: reduced. */
    void (*dot)(struct mldsa_poly *r, const struct mldsa_poly *a, const struct mldsa_poly *b,
                unsigned len);

    /* Algorithm 32, ExpandA: entries first .. first + count - 1 of the matrix of l columns, by
     * rows, canonical, NTT domain. rho: 32 bytes, public. */
    void (*expand_a)(struct mldsa_poly *a, const uint8_t *rho, unsigned l, unsigned first,
                     unsigned count);

    /* Algorithm 33, ExpandS for eta = 2: count polynomials, nonces from 0. rho_prime: 64 bytes,
     * secret. */
    void (*expand_s)(struct mldsa_poly *s, const uint8_t *rho_prime, unsigned count);

    /* Algorithm 34, ExpandMask: count polynomials, -2^gamma1_bits < y <= 2^gamma1_bits. rho_pp:
     * 64 bytes, secret. */
    void (*expand_mask)(struct mldsa_poly *y, const uint8_t *rho_pp, uint16_t kappa, unsigned count,
                        unsigned gamma1_bits);

    /* 1 if any |x| >= bound, else 0, for |x| < 2^24 and 0 < bound < 2^24. */
    int (*exceeds)(const struct mldsa_poly *r, int32_t bound);

    /* Algorithm 35, Power2Round of reduced t. 0 <= t1 < 2^10, -2^12 < t0 <= 2^12. */
    void (*power2round)(struct mldsa_poly *t1, struct mldsa_poly *t0, const struct mldsa_poly *t);

    /* Algorithm 36, Decompose of reduced w, in place: the low part remains, -gamma2 <= w <= gamma2,
     * and the high part is w1. */
    void (*decompose)(uint8_t w1[MLDSA_N], struct mldsa_poly *w, int32_t gamma2);

    /* Algorithm 39, MakeHint, of what the signer has: low = w0 - c s2 + c t0, |low| < 2^24, and
     * w1. Returns the number of ones. */
    unsigned (*make_hint)(uint8_t hint[MLDSA_HINT_BYTES], const struct mldsa_poly *low,
                          const uint8_t w1[MLDSA_N], int32_t gamma2);

    /* Algorithm 40, UseHint, of reduced w; all public. */
    void (*use_hint)(uint8_t w1[MLDSA_N], const struct mldsa_poly *w,
                     const uint8_t hint[MLDSA_HINT_BYTES], int32_t gamma2);

    /* The encodings of pack.h that the signing loop and verification use. */
    void (*pack_z)(uint8_t *out, const struct mldsa_poly *z, unsigned gamma1_bits);
    void (*unpack_z)(struct mldsa_poly *z, const uint8_t *in, unsigned gamma1_bits);
    size_t (*w1_encode)(uint8_t *out, const uint8_t w1[MLDSA_N], int32_t gamma2);
};

#endif
