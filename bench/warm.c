/* SPDX-License-Identifier: Apache-2.0 */
#include "warm.h"

#include <stdlib.h>
#include <string.h>

static size_t aligned(size_t len)
{
    return (len + DKEX_EXPANDED_ALIGN - 1) / DKEX_EXPANDED_ALIGN * DKEX_EXPANDED_ALIGN;
}

int warm_key_make(struct dkex_key *view, const struct dkex_suite *suite, const uint8_t *pub,
                  const uint8_t *priv)
{
    const struct dkex_params *p = suite->params;
    const size_t priv_at = aligned(p->pub_len);
    const size_t expanded_pub_at = priv_at + aligned(p->priv_len);
    const size_t expanded_priv_at = expanded_pub_at + aligned(dkex_key_expanded_pub_len(suite));
    const size_t len = expanded_priv_at + aligned(dkex_key_expanded_priv_len(suite));
    uint8_t *memory = aligned_alloc(DKEX_EXPANDED_ALIGN, len);

    if (memory == NULL)
        return -1;
    memcpy(memory, pub, p->pub_len);
    memcpy(memory + priv_at, priv, p->priv_len);
    *view = (struct dkex_key){
        .pub = memory,
        .priv = memory + priv_at,
        .expanded_pub = (void *)(memory + expanded_pub_at),
        .expanded_priv = (void *)(memory + expanded_priv_at),
    };
    dkex_key_expand_pub((void *)(memory + expanded_pub_at), suite, pub);
    dkex_key_expand_priv((void *)(memory + expanded_priv_at), suite, priv);
    return 0;
}
