/* SPDX-License-Identifier: Apache-2.0 */
/* One polynomial from SHAKE: FIPS 204, section 7.3. */
#ifndef DKEX_MLDSA_SAMPLE_H
#define DKEX_MLDSA_SAMPLE_H

#include "kernels.h"

/* Algorithm 30, RejNTTPoly, of rho || s || r (32 bytes and two indices, public). Canonical. */
void dkex_mldsa_rej_ntt_poly(struct mldsa_poly *a, const uint8_t *rho, uint8_t s, uint8_t r);

/* Algorithm 31, RejBoundedPoly for eta = 2, of rho' || nonce (64 bytes, secret). |x| <= 2. */
void dkex_mldsa_rej_bounded_poly(struct mldsa_poly *s, const uint8_t *rho_prime, uint16_t nonce);

/* One polynomial of Algorithm 34, ExpandMask, of rho'' || nonce (64 bytes, secret):
 * -2^gamma1_bits < x <= 2^gamma1_bits. */
void dkex_mldsa_mask_poly(struct mldsa_poly *y, const uint8_t *rho_pp, uint16_t nonce,
                          unsigned gamma1_bits);

/*
 * Algorithm 29, SampleInBall: tau coefficients +-1, |c| <= 1, from ctilde_len bytes. Its addresses
 * and its running time depend on ctilde, also on that of a rejected attempt. Policy: ctilde is
 * public then, too. It is a hash of mu and of w1, and w1 keeps enough entropy to hide the rejected
 * mask from whoever knows ctilde; the Dilithium submission (section 5.5) counts it as public for
 * this reason.
 */
void dkex_mldsa_sample_in_ball(struct mldsa_poly *c, const struct mldsa_params *p,
                               const uint8_t *ctilde);

#endif
