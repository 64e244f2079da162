/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Identity keys in expanded form: all that signing or verifying computes from the key alone.
 * Plain memory of the caller's, of the length that the set needs, aligned to 64 bytes; whoever
 * holds a private one wipes it.
 */
#ifndef DKEX_MLDSA_EXPAND_H
#define DKEX_MLDSA_EXPAND_H

#include <stdalign.h>

#include "kernels.h"

/*
 * A smaller set uses the first entries of each array, and of the last no more memory than these.
 * `vector` comes before the matrix for that reason.
 */
struct mldsa_expanded_private {
    alignas(DKEX_EXPANDED_ALIGN) uint8_t tr[MLDSA_TR_BYTES];
    uint8_t key[32];                                 /* K */
    struct mldsa_short s[MLDSA_MAX_L + MLDSA_MAX_K]; /* s1, then s2 */
    struct mldsa_poly
        t0_a[MLDSA_MAX_K * (1 + MLDSA_MAX_L)]; /* NTT domain: t0, then A-hat by rows */
};

struct mldsa_expanded_public {
    alignas(DKEX_EXPANDED_ALIGN) uint8_t tr[MLDSA_TR_BYTES];
    struct mldsa_poly t1_a[MLDSA_MAX_K * (1 + MLDSA_MAX_L)]; /* NTT domain: t1 2^d, then A-hat */
};

size_t dkex_mldsa_expanded_public_len(const struct mldsa_params *p);
size_t dkex_mldsa_expanded_private_len(const struct mldsa_params *p);

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
