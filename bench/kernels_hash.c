/* SPDX-License-Identifier: Apache-2.0 */
/* SM3 for many strings, Keccak in lanes. */
#include "kernels.h"
#include "sm3x.h"

static const char *sm3x_label(const struct dkex_suite *suite)
{
    return suite->params->seed_len == 32 ? "sm3x/32" : "sm3x/64";
}

/*
 * The strings of a matrix of 16 entries. A unit is a compression. 38 bytes of message are one
 * block with their padding; 70 bytes are two, of which all strings share the first.
 */
static unsigned expand(struct kernel_data *d)
{
    enum { STRINGS = 16, BLOCKS = 32 };
    static const uint8_t suffixes[STRINGS][2] = {{0, 1}, {2, 3}};
    const size_t seed_len = d->suite.params->seed_len;

    d->failed |= d->suite.sm3x->expand(&d->sm3, d->bytes, d->random, seed_len, suffixes[0], 2,
                                       STRINGS, 1, BLOCKS) != DKEX_OK;
    return STRINGS * BLOCKS + (seed_len == 64);
}

static const struct kernel sm3x_rows[] = {{"expand", expand}};

const struct kernel_group kernel_group_sm3x = {
    .label = sm3x_label,
    .sets = 1u << 0 | 1u << 2,
    .kernels = sm3x_rows,
    .count = KERNEL_COUNT(sm3x_rows),
};

static const char *keccak_label(const struct dkex_suite *suite)
{
    (void)suite;
    return "keccak";
}

static unsigned permute(struct kernel_data *d)
{
    d->suite.mldsa->keccak->permute(d->dsa.lanes);
    return 1;
}

static unsigned permute_a_lane(struct kernel_data *d)
{
    permute(d);
    return d->suite.mldsa->keccak->count;
}

static unsigned extract(struct kernel_data *d)
{
    d->suite.mldsa->keccak->extract(d->bytes, 8 * KECCAK_WORDS, d->dsa.lanes, KECCAK_WORDS);
    return 1;
}

static const struct kernel keccak_rows[] = {
    {"permute", permute},
    {"permute/lane", permute_a_lane},
    {"extract", extract},
};

const struct kernel_group kernel_group_keccak = {
    .label = keccak_label,
    .sets = 1u << 0,
    .kernels = keccak_rows,
    .count = KERNEL_COUNT(keccak_rows),
};
