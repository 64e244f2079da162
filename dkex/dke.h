/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The unauthenticated lattice core of DKEX: keygen, respond, finish. Lengths are those of
 * suite->params. Secret temporaries and the digest state in s are wiped on every path. No
 * aliasing between outputs and inputs.
 */
#ifndef DKEX_DKE_H
#define DKEX_DKE_H

#include "suite.h"

/* m1 (m1_len, public) and sk (ephemeral_len, secret) from coins (seed_len, secret). OK or SM3;
 * both are zeroed on failure. */
DKEX_MUST_CHECK enum dkex_status dkex_dke_keygen(const struct dkex_suite *suite, struct dkex_sm3 *s,
                                                 uint8_t *m1, uint8_t *sk, const uint8_t *coins);

/*
 * ct (ct_len, public) and raw (n_len, secret) from m1 and coins (seed_len + n_len, secret).
 * MALFORMED if a coefficient of m1 is not below q, found before anything else is done; SM3.
 * ct and raw are zeroed on failure.
 */
DKEX_MUST_CHECK enum dkex_status dkex_dke_respond(const struct dkex_suite *suite,
                                                  struct dkex_sm3 *s, uint8_t *ct, uint8_t *raw,
                                                  const uint8_t *m1, const uint8_t *coins);

/* raw (n_len, secret) from sk (ephemeral_len, secret, of keygen) and ct (any ct_len bytes). */
void dkex_dke_finish(const struct dkex_suite *suite, uint8_t *raw, const uint8_t *sk,
                     const uint8_t *ct);

/* Whether sk can be keygen's: every coefficient below q. MALFORMED otherwise. For tools that
 * take an ephemeral secret from outside. */
DKEX_MUST_CHECK enum dkex_status dkex_dke_check_secret(const struct dkex_suite *suite,
                                                       const uint8_t *sk);

#endif
