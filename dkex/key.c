/* SPDX-License-Identifier: Apache-2.0 */
#include "dkex.h"

#include "mldsa/mldsa.h"
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
