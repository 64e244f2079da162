/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of whole ML-DSA share: sets, kernels, and a key. */
#ifndef TEST_MLDSA_IDENTITY_H
#define TEST_MLDSA_IDENTITY_H

#include "fixture.h"
#include "mldsa/mldsa.h"

static const struct mldsa_params *const sets[] = {&dkex_mldsa44, &dkex_mldsa87};

enum { SETS = sizeof(sets) / sizeof(sets[0]) };

/* Of the backend under test. */
static inline const struct mldsa_kernels *kernels(void)
{
    static const struct mldsa_kernels *f;

    if (f == NULL)
        f = fixture_suite(0).mldsa;
    return f;
}

struct identity {
    uint8_t pk[DKEX_MAX_PUB_BYTES], sk[DKEX_MAX_PRIV_BYTES], tr[MLDSA_TR_BYTES];
};

/* From the seed first, first + 1, ... */
static inline void generate(struct identity *id, const struct mldsa_params *p,
                            const struct mldsa_kernels *f, uint8_t first)
{
    uint8_t seed[MLDSA_SEED_BYTES];

    for (unsigned i = 0; i < sizeof(seed); i++)
        seed[i] = (uint8_t)(first + i);
    dkex_mldsa_keygen(p, f, id->pk, id->sk, seed);
    dkex_mldsa_tr(p, id->tr, id->pk);
}

static inline int verifies(const struct mldsa_params *p, const struct mldsa_kernels *f,
                           const uint8_t *pk, const uint8_t *mu, const uint8_t *sig)
{
    return dkex_mldsa_verify(p, f, pk, mu, sig) == DKEX_OK;
}

#endif
