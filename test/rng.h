/* SPDX-License-Identifier: Apache-2.0 */
/* Repeatable pseudo-random test input: SplitMix64. Not for keys. */
#ifndef TEST_RNG_H
#define TEST_RNG_H

#include <stddef.h>
#include <stdint.h>

struct test_rng {
    uint64_t state; /* the seed, to begin with */
};

static inline uint64_t test_rng_u64(struct test_rng *r)
{
    uint64_t z = (r->state += 0x9e3779b97f4a7c15u);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Uniform enough for tests in 0 .. bound - 1. */
static inline uint32_t test_rng_below(struct test_rng *r, uint32_t bound)
{
    return (uint32_t)((test_rng_u64(r) >> 32) * bound >> 32);
}

static inline void test_rng_bytes(struct test_rng *r, uint8_t *out, size_t len)
{
    for (size_t i = 0; i < len; i++)
        out[i] = (uint8_t)(test_rng_u64(r) >> 56);
}

#endif
