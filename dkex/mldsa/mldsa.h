/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ML-DSA-44 and ML-DSA-87 (FIPS 204), complete: libcrypto has them from 3.5 only.
 *
 * Everything works on FIPS 204's encodings. Stack of any call, callees included: below 108 KiB.
 * Secrets (seed, private key, mask, rejected candidates) are wiped on every path; what branches
 * on data does so on public data or on a rejection that FIPS 204 makes public. Outputs alias no
 * input.
 */
#ifndef DKEX_MLDSA_H
#define DKEX_MLDSA_H

#include "../dkex.h"

struct mldsa_kernels; /* kernels.h: the functions of one instruction set */
extern const struct mldsa_kernels dkex_mldsa_portable, dkex_mldsa_avx2, dkex_mldsa_avx512;

enum {
    MLDSA_SEED_BYTES = 32,
    MLDSA_RND_BYTES = 32,
    MLDSA_TR_BYTES = 64,
    MLDSA_TR_OFFSET = 64, /* in a private key, Algorithm 24: rho || K || tr || ... */
    MLDSA_MU_BYTES = 64,
    MLDSA_MAX_CONTEXT_BYTES = 255,
    MLDSA_MAX_SIG_BYTES = 4627,
    MLDSA_MAX_K = 8,
    MLDSA_MAX_L = 7,
    MLDSA_MAX_TAU = 60,
    MLDSA_N = 256,
    MLDSA_Q = 8380417,
    MLDSA_D = 13,
};

/* FIPS 204, Table 1 and 2; names as there. eta is 2 for both sets. */
struct mldsa_params {
    const char *name; /* "ML-DSA-44" */
    unsigned k, l, tau, beta, omega;
    unsigned eta;
    unsigned gamma1_bits; /* gamma1 = 1 << gamma1_bits */
    int32_t gamma2;
    size_t ctilde_len; /* lambda / 4 */
    size_t pk_len, sk_len, sig_len;
};

extern const struct mldsa_params dkex_mldsa44, dkex_mldsa87;

/* Algorithm 6, KeyGen_internal. seed: MLDSA_SEED_BYTES, secret. */
void dkex_mldsa_keygen(const struct mldsa_params *p, const struct mldsa_kernels *f, uint8_t *pk,
                       uint8_t *sk, const uint8_t *seed);

/*
 * Recomputes the public key from sk (sk_len bytes) and checks the encoding: s1 and s2 within
 * -eta..eta, t0 and tr as recomputed. DKEX_ERR_KEY otherwise, with pk zeroed.
 */
DKEX_MUST_CHECK enum dkex_status dkex_mldsa_check_private(const struct mldsa_params *p,
                                                          const struct mldsa_kernels *f,
                                                          uint8_t *pk, const uint8_t *sk);

/* tr = SHAKE256(pk, 64 bytes). */
void dkex_mldsa_tr(const struct mldsa_params *p, uint8_t tr[MLDSA_TR_BYTES], const uint8_t *pk);

/* mu = SHAKE256(tr || 0 || ctx_len || ctx || msg, 64 bytes): pure ML-DSA, ctx_len <= 255. */
void dkex_mldsa_mu(uint8_t mu[MLDSA_MU_BYTES], const uint8_t tr[MLDSA_TR_BYTES], const uint8_t *ctx,
                   size_t ctx_len, const uint8_t *msg, size_t msg_len);

/* mu = SHAKE256(tr || m_prime, 64 bytes): of an already formatted M'. */
void dkex_mldsa_mu_internal(uint8_t mu[MLDSA_MU_BYTES], const uint8_t tr[MLDSA_TR_BYTES],
                            const uint8_t *m_prime, size_t len);

/*
 * Algorithm 7, Sign_internal from line 7 on: sig_len bytes from mu. sk has passed
 * dkex_mldsa_check_private or comes from keygen; rnd: MLDSA_RND_BYTES, zero for the deterministic
 * variant. DKEX_ERR_SIGNING after 814 rejected attempts (Appendix C), with sig zeroed.
 */
DKEX_MUST_CHECK enum dkex_status dkex_mldsa_sign(const struct mldsa_params *p,
                                                 const struct mldsa_kernels *f, uint8_t *sig,
                                                 const uint8_t *sk, const uint8_t *mu,
                                                 const uint8_t *rnd);

/* Algorithm 8, Verify_internal from line 7 on; all public. DKEX_ERR_SIGNATURE if it fails. */
DKEX_MUST_CHECK enum dkex_status dkex_mldsa_verify(const struct mldsa_params *p,
                                                   const struct mldsa_kernels *f, const uint8_t *pk,
                                                   const uint8_t *mu, const uint8_t *sig);

#endif
