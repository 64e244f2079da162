/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Identity keys in expanded form: all that signing or verifying computes from the key alone.
 * Plain memory of the caller's, which wipes a private one.
 */
#ifndef DKEX_MLDSA_EXPAND_H
#define DKEX_MLDSA_EXPAND_H

#include "kernels.h"

struct mldsa_expanded_private {
    struct mldsa_poly a[MLDSA_MAX_K * MLDSA_MAX_L];                      /* A-hat by rows, public */
    struct mldsa_poly s1[MLDSA_MAX_L], s2[MLDSA_MAX_K], t0[MLDSA_MAX_K]; /* NTT domain */
    uint8_t key[32];                                                     /* K */
};

struct mldsa_expanded_public {
    struct mldsa_poly a[MLDSA_MAX_K * MLDSA_MAX_L]; /* A-hat by rows */
    struct mldsa_poly t1[MLDSA_MAX_K];              /* NTT of t1 2^d */
};

/* sk: sk_len bytes that have passed dkex_mldsa_check_private. */
void dkex_mldsa_expand_private(struct mldsa_expanded_private *e, const struct mldsa_params *p,
                               const struct mldsa_kernels *f, const uint8_t *sk);

/* dkex_mldsa_sign and dkex_mldsa_verify on expanded keys. */
DKEX_MUST_CHECK enum dkex_status dkex_mldsa_sign_expanded(const struct mldsa_params *p,
                                                          const struct mldsa_kernels *f,
                                                          uint8_t *sig,
                                                          const struct mldsa_expanded_private *e,
                                                          const uint8_t *mu, const uint8_t *rnd);

void dkex_mldsa_expand_public(struct mldsa_expanded_public *e, const struct mldsa_params *p,
                              const struct mldsa_kernels *f, const uint8_t *pk);

DKEX_MUST_CHECK enum dkex_status dkex_mldsa_verify_expanded(const struct mldsa_params *p,
                                                            const struct mldsa_kernels *f,
                                                            const struct mldsa_expanded_public *e,
                                                            const uint8_t *mu, const uint8_t *sig);

#endif
