/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix and noise of the lattice core, from SM3 in counter mode. */
#ifndef DKEX_SAMPLE_H
#define DKEX_SAMPLE_H

#include "suite.h"

/*
 * mat[i * k + j]: k * k polynomials in the NTT domain from rho (seed_len, public). transposed 0:
 * entry (i, j) from (x, y) = (j, i), as the initiator has it; 1: from (i, j). OK or SM3.
 */
DKEX_MUST_CHECK enum dkex_status dkex_sample_matrix(const struct dkex_suite *suite,
                                                    struct dkex_sm3 *s, int16_t *mat,
                                                    const uint8_t *rho, int transposed);

/* count <= 2k + 1 polynomials of noise, NOISE(sigma, 0 .. count - 1); sigma (seed_len) and r are
 * secret; temporaries are wiped. OK or SM3. */
DKEX_MUST_CHECK enum dkex_status dkex_sample_noise(const struct dkex_suite *suite,
                                                   struct dkex_sm3 *s, int16_t *r,
                                                   const uint8_t *sigma, unsigned count);

#endif
