/* SPDX-License-Identifier: Apache-2.0 */
#include "sm3x.h"

#include <string.h>

#include "ct.h"
#include "sm3.h"

/* A 64-byte seed fills a block: its compression is done once and the state is copied. */
static enum dkex_status expand_long(struct dkex_sm3 *s, uint8_t *out, const uint8_t *seed,
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

static enum dkex_status expand(struct dkex_sm3 *s, uint8_t *out, const uint8_t *seed,
                               size_t seed_len, const uint8_t *suffixes, size_t suffix_len,
                               size_t count, uint32_t first, size_t blocks)
{
    uint8_t msg[SM3_MAX_SHORT_BYTES];
    enum dkex_status status = DKEX_OK;

    if (seed_len >= SM3_BLOCK_BYTES)
        return expand_long(s, out, seed, seed_len, suffixes, suffix_len, count, first, blocks);

    memcpy(msg, seed, seed_len);
    for (size_t j = 0; j < count && status == DKEX_OK; j++) {
        memcpy(msg + seed_len, suffixes + j * suffix_len, suffix_len);
        status = dkex_sm3_counter_short(s, out + j * blocks * SM3_BYTES, msg, seed_len + suffix_len,
                                        first, blocks);
    }
    dkex_cleanse(msg, sizeof(msg));
    return status;
}

const struct dkex_sm3x dkex_sm3x_portable = {.name = "portable", .expand = expand};
