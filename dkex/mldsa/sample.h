/* SPDX-License-Identifier: Apache-2.0 */
/* Polynomials from SHAKE: FIPS 204, section 7.3, as many at once as the backend has lanes. */
#ifndef DKEX_MLDSA_SAMPLE_H
#define DKEX_MLDSA_SAMPLE_H

#include "kernels.h"

enum {
    /* Bytes of the hash output that eight polynomials of a mask are cut from: five blocks each. */
    MLDSA_MASK_SCRATCH_BYTES = 8 * 5 * 136 + MLDSA_SLACK_BYTES,
};

/* Algorithm 32, ExpandA: k l polynomials by rows, canonical, NTT domain. rho: 32 bytes, public. */
void dkex_mldsa_expand_a(struct mldsa_poly *a, const struct mldsa_params *p,
                         const struct mldsa_kernels *f, const uint8_t *rho);

/* Algorithm 33, ExpandS for eta = 2: count polynomials, nonces from 0. rho_prime: 64 bytes,
 * secret. |x| <= 2. */
void dkex_mldsa_expand_s(struct mldsa_poly *s, const struct mldsa_kernels *f,
                         const uint8_t *rho_prime, unsigned count);

/*
 * Algorithm 34, ExpandMask: count <= 8 polynomials, nonces from kappa; -2^gamma1_bits < x <=
 * 2^gamma1_bits. rho_pp: 64 bytes, secret. scratch: MLDSA_MASK_SCRATCH_BYTES, left secret.
 */
void dkex_mldsa_expand_mask(struct mldsa_poly *y, uint8_t *scratch, const struct mldsa_kernels *f,
                            const uint8_t *rho_pp, uint16_t kappa, unsigned count,
                            unsigned gamma1_bits);

/*
 * SHAKE256 of count <= lanes messages of len bytes each, at in, in + stride, ...: a block of output
 * each, SHAKE256_RATE bytes, one after the other. Data may be secret.
 */
void dkex_mldsa_shake256_lanes(uint8_t *out, const uint8_t *in, size_t stride, size_t len,
                               const struct keccak_lanes *keccak, unsigned count);

/*
 * Algorithm 29, SampleInBall, from ctilde_len bytes. Its addresses and its running time depend on
 * ctilde, also on that of a rejected attempt; so do those of the products with c. Policy: ctilde is
 * public then, too. It is a hash of mu and of w1, and w1 keeps enough entropy to hide the rejected
 * mask from whoever knows ctilde; the Dilithium submission (section 5.5) counts it as public for
 * this reason.
 */
void dkex_mldsa_sample_in_ball(struct mldsa_challenge *c, const struct mldsa_params *p,
                               const uint8_t *ctilde);

/* The challenge as a polynomial, |c| <= 1. */
void dkex_mldsa_challenge_poly(struct mldsa_poly *r, const struct mldsa_challenge *c);

#endif
