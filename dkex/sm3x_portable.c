/* SPDX-License-Identifier: Apache-2.0 */
#include "sm3x.h"

#include "sm3.h"

/* The state after the seed is made once and copied. */
static enum dkex_status expand(struct dkex_sm3 *s, uint8_t *out, const uint8_t *seed,
                               size_t seed_len, const uint8_t *suffixes, size_t suffix_len,
                               size_t count, uint32_t first, size_t blocks)
{
    enum dkex_status status;

    if ((status = dkex_sm3_init(s)) != DKEX_OK ||
        (status = dkex_sm3_update(s, seed, seed_len)) != DKEX_OK)
        return status;
    for (size_t j = 0; j < count && status == DKEX_OK; j++)
        status = dkex_sm3_counter(s, out + j * blocks * SM3_BYTES, suffixes + j * suffix_len,
                                  suffix_len, first, blocks);
    return status;
}

const struct dkex_sm3x dkex_sm3x_portable = {.name = "portable", .expand = expand};
