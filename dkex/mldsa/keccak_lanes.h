/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several Keccak states at once, one a lane: word w of lane i stands at w * count + i. Each file
 * keccak_*.c of an instruction set exports one table. Constant time.
 */
#ifndef DKEX_MLDSA_KECCAK_LANES_H
#define DKEX_MLDSA_KECCAK_LANES_H

#include <stddef.h>
#include <stdint.h>

enum {
    KECCAK_MAX_LANES = 8,
    KECCAK_WORDS = 25,
    KECCAK_LANES_ALIGN = 64, /* of a state */
};

struct keccak_lanes {
    const char *name;
    unsigned count; /* 1, 4 or 8 */

    /* Keccak-f[1600] of every lane. */
    void (*permute)(uint64_t *state);

    /* The first words words of every lane, little-endian: lane i to out + i * stride. stride is at
     * least 8 * words. */
    void (*extract)(uint8_t *out, size_t stride, const uint64_t *state, unsigned words);
};

extern const struct keccak_lanes dkex_keccak_portable, dkex_keccak_avx2, dkex_keccak_avx512;

#endif
