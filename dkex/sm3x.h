/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counter-mode expansion of many short strings that share a seed: the matrix and the noise.
 *
 * One call takes all strings of a step, so that a vector backend can spread (string, counter)
 * pairs over its lanes and keep them full; each file sm3x_*.c exports one table.
 */
#ifndef DKEX_SM3X_H
#define DKEX_SM3X_H

#include "dkex.h"

struct dkex_sm3x {
    const char *name;

    /*
     * out[j * blocks * 32 ..] = SM3(seed || suffix_j || counter) for counter = first .. first +
     * blocks - 1, for each of the count strings j; suffix_j is suffix_len bytes (0 to 2) at
     * suffixes + j * suffix_len. seed_len is 32 or 64; seed and out may be secret, suffixes are
     * public. No aliasing. DKEX_OK or DKEX_ERR_SM3. The state left in s is wiped by the caller.
     */
    enum dkex_status (*expand)(struct dkex_sm3 *s, uint8_t *out, const uint8_t *seed,
                               size_t seed_len, const uint8_t *suffixes, size_t suffix_len,
                               size_t count, uint32_t first, size_t blocks);
};

extern const struct dkex_sm3x dkex_sm3x_portable, dkex_sm3x_avx2, dkex_sm3x_avx512;

#endif
