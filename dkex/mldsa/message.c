/* SPDX-License-Identifier: Apache-2.0 */
/* What is hashed ahead of a signature: the public key to tr, the message to mu. All public. */
#include "mldsa.h"

#include "keccak.h"

void dkex_mldsa_tr(const struct mldsa_params *p, uint8_t tr[MLDSA_TR_BYTES], const uint8_t *pk)
{
    dkex_shake256(tr, MLDSA_TR_BYTES, pk, p->pk_len);
}

void dkex_mldsa_mu_internal(uint8_t mu[MLDSA_MU_BYTES], const uint8_t tr[MLDSA_TR_BYTES],
                            const uint8_t *m_prime, size_t len)
{
    struct keccak k;

    dkex_keccak_init(&k, SHAKE256_RATE);
    dkex_keccak_absorb(&k, tr, MLDSA_TR_BYTES);
    dkex_keccak_absorb(&k, m_prime, len);
    dkex_keccak_finish(&k);
    dkex_keccak_squeeze(&k, mu, MLDSA_MU_BYTES);
}

void dkex_mldsa_mu(uint8_t mu[MLDSA_MU_BYTES], const uint8_t tr[MLDSA_TR_BYTES], const uint8_t *ctx,
                   size_t ctx_len, const uint8_t *msg, size_t msg_len)
{
    const uint8_t prefix[2] = {0, (uint8_t)ctx_len}; /* 0: pure ML-DSA, not pre-hashed */
    struct keccak k;

    dkex_keccak_init(&k, SHAKE256_RATE);
    dkex_keccak_absorb(&k, tr, MLDSA_TR_BYTES);
    dkex_keccak_absorb(&k, prefix, sizeof(prefix));
    dkex_keccak_absorb(&k, ctx, ctx_len);
    dkex_keccak_absorb(&k, msg, msg_len);
    dkex_keccak_finish(&k);
    dkex_keccak_squeeze(&k, mu, MLDSA_MU_BYTES);
}
