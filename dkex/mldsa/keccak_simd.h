/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keccak-f[1600] of several states. For keccak_avx2.c and keccak_avx512.c alone, which define first
 *
 *     LANES                       64-bit lanes of a VEC, the vector type
 *     vec_set1(x), vec_load(p), vec_store(p, x)
 *     vec_xor(x, y), vec_xor3(x, y, z)
 *     vec_rotl(x, n)              0 <= n < 64, a constant
 *     vec_chi(x, y, z)            x ^ (~y & z)
 */
#ifndef DKEX_MLDSA_KECCAK_SIMD_H
#define DKEX_MLDSA_KECCAK_SIMD_H

#include "keccak_constants.h"

/* b_x of a row of pi: the lane (from, y) after theta and rho. */
#define KECCAK_B(i, x, n) vec_rotl(vec_xor3(a[i], c[((x) + 4) % 5], r[((x) + 1) % 5]), n)

static inline __attribute__((always_inline)) void chi_row(VEC *e, VEC b0, VEC b1, VEC b2, VEC b3,
                                                          VEC b4)
{
    e[0] = vec_chi(b0, b1, b2);
    e[1] = vec_chi(b1, b2, b3);
    e[2] = vec_chi(b2, b3, b4);
    e[3] = vec_chi(b3, b4, b0);
    e[4] = vec_chi(b4, b0, b1);
}

/*
 * One round from a to e, lane (x, y) at x + 5y. theta adds to a column the parities c of its two
 * neighbours, one of them rotated (r); rho rotates, and pi brings lane (x, y) to (y, 2x + 3y).
 */
static inline __attribute__((always_inline)) void round_to(VEC e[25], const VEC a[25], uint64_t rc)
{
    VEC c[5], r[5];

    for (unsigned x = 0; x < 5; x++)
        c[x] = vec_xor3(vec_xor3(a[x], a[x + 5], a[x + 10]), a[x + 15], a[x + 20]);
    for (unsigned x = 0; x < 5; x++)
        r[x] = vec_rotl(c[x], 1);
    chi_row(e, KECCAK_B(0, 0, 0), KECCAK_B(6, 1, 44), KECCAK_B(12, 2, 43), KECCAK_B(18, 3, 21),
            KECCAK_B(24, 4, 14));
    chi_row(e + 5, KECCAK_B(3, 3, 28), KECCAK_B(9, 4, 20), KECCAK_B(10, 0, 3), KECCAK_B(16, 1, 45),
            KECCAK_B(22, 2, 61));
    chi_row(e + 10, KECCAK_B(1, 1, 1), KECCAK_B(7, 2, 6), KECCAK_B(13, 3, 25), KECCAK_B(19, 4, 8),
            KECCAK_B(20, 0, 18));
    chi_row(e + 15, KECCAK_B(4, 4, 27), KECCAK_B(5, 0, 36), KECCAK_B(11, 1, 10),
            KECCAK_B(17, 2, 15), KECCAK_B(23, 3, 56));
    chi_row(e + 20, KECCAK_B(2, 2, 62), KECCAK_B(8, 3, 55), KECCAK_B(14, 4, 39),
            KECCAK_B(15, 0, 41), KECCAK_B(21, 1, 2));
    e[0] = vec_xor(e[0], vec_set1(rc));
}

static void permute(uint64_t *state)
{
    VEC a[25], e[25];

    for (unsigned i = 0; i < 25; i++)
        a[i] = vec_load(state + i * LANES);
    for (unsigned i = 0; i < KECCAK_ROUNDS; i += 2) {
        round_to(e, a, keccak_round_constants[i]);
        round_to(a, e, keccak_round_constants[i + 1]);
    }
    for (unsigned i = 0; i < 25; i++)
        vec_store(state + i * LANES, a[i]);
}

#endif
