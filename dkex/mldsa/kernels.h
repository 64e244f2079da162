/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of one instruction set under ML-DSA. Every backend gives the same polynomials;
 * the order of coefficients in the NTT domain is its own.
 *
 * Samplers take all polynomials of a step in one call, so that a vector backend can hash several
 * at a time. "Reduced" is |x| < q, "canonical" 0 <= x < q.
 */
#ifndef DKEX_MLDSA_KERNELS_H
#define DKEX_MLDSA_KERNELS_H

#include "mldsa.h"

struct mldsa_poly {
    int32_t c[MLDSA_N];
};

struct mldsa_kernels {
    const char *name;

    /* FIPS 204 Algorithm 41, in place. In: reduced. Out: |x| < 9q. */
    void (*ntt)(struct mldsa_poly *r);

    /* Algorithm 42 of a result of dot, in place. In: |x| <= q. Out: reduced, no factor left. */
    void (*invntt)(struct mldsa_poly *r);

    /* r = (sum over j < len <= 7 of a_j b_j) / 2^32 in the NTT domain; |a| |b| <= 81 q^2, len = 1,
     * or <= 9 q^2. Out: reduced. No aliasing. */
    void (*dot)(struct mldsa_poly *r, const struct mldsa_poly *a, const struct mldsa_poly *b,
                unsigned len);

    /* Algorithm 32, ExpandA: entries first .. first + count - 1 of the matrix of l columns, by
     * rows, canonical, NTT domain. rho: 32 bytes, public. */
    void (*expand_a)(struct mldsa_poly *a, const uint8_t *rho, unsigned l, unsigned first,
                     unsigned count);

    /* Algorithm 33, ExpandS for eta = 2: count polynomials, nonces from 0. rho_prime: 64 bytes,
     * secret. */
    void (*expand_s)(struct mldsa_poly *s, const uint8_t *rho_prime, unsigned count);

    /* Algorithm 34, ExpandMask: count polynomials, |y| <= 2^gamma1_bits. rho_pp: 64 bytes,
     * secret. */
    void (*expand_mask)(struct mldsa_poly *y, const uint8_t *rho_pp, uint16_t kappa, unsigned count,
                        unsigned gamma1_bits);
};

#endif
