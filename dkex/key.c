/* SPDX-License-Identifier: Apache-2.0 */
#include "dkex.h"

#include "mldsa/expand.h"
#include "suite.h"

void dkex_key_generate(const struct dkex_suite *suite, uint8_t *pub, uint8_t *priv,
                       const uint8_t *seed)
{
    dkex_mldsa_keygen(suite->params->mldsa, suite->mldsa, pub, priv, seed);
}

enum dkex_status dkex_key_check(const struct dkex_suite *suite, uint8_t *pub, const uint8_t *priv)
{
    return dkex_mldsa_check_private(suite->params->mldsa, suite->mldsa, pub, priv);
}

size_t dkex_key_expanded_pub_len(const struct dkex_suite *suite)
{
    return dkex_mldsa_expanded_public_len(suite->params->mldsa);
}

size_t dkex_key_expanded_priv_len(const struct dkex_suite *suite)
{
    return dkex_mldsa_expanded_private_len(suite->params->mldsa);
}

void dkex_key_expand_pub(struct mldsa_expanded_public *expanded, const struct dkex_suite *suite,
                         const uint8_t *pub)
{
    dkex_mldsa_expand_public(expanded, suite->params->mldsa, suite->mldsa, pub);
}

void dkex_key_expand_priv(struct mldsa_expanded_private *expanded, const struct dkex_suite *suite,
                          const uint8_t *priv)
{
    dkex_mldsa_expand_private(expanded, suite->params->mldsa, suite->mldsa, priv);
}
