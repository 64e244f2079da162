/* SPDX-License-Identifier: Apache-2.0 */
/* High and low bits: FIPS 204, section 7.4. Constant time but for use_hint, which is public. */
#ifndef DKEX_MLDSA_ROUNDING_H
#define DKEX_MLDSA_ROUNDING_H

#include "mldsa.h"

/* The residue 0..q-1 of |a| < q. */
static inline int32_t mldsa_canonical(int32_t a)
{
    return a + ((a >> 31) & MLDSA_Q);
}

/* Algorithm 35: r = r1 2^13 + r0 with -2^12 < r0 <= 2^12, r canonical. */
static inline int32_t mldsa_power2round(int32_t *r0, int32_t r)
{
    int32_t r1 = (r + (1 << (MLDSA_D - 1)) - 1) >> MLDSA_D;

    *r0 = r - r1 * (1 << MLDSA_D);
    return r1;
}

/*
 * Algorithm 36: r = r1 2 gamma2 + r0 mod q, r canonical. -gamma2 < r0 <= gamma2 makes
 * r1 = floor(t / (2 gamma2)) with t = r + gamma2 - 1 < 2^24. m = ceil(2^44 / (2 gamma2)) has
 * m 2 gamma2 - 2^44 < 2 gamma2 < 2^20 = 2^44 / 2^24, the condition for floor(t m / 2^44) to be
 * exact. gamma2 is one of two public constants: the division of constants is the compiler's.
 * At r1 = (q-1) / (2 gamma2) the pair (r1, r0) is replaced by (0, r0 - 1).
 */
static inline int32_t mldsa_decompose(int32_t *r0, int32_t r, int32_t gamma2)
{
    const uint64_t m88 = ((UINT64_C(1) << 44) + (MLDSA_Q - 1) / 44 - 1) / ((MLDSA_Q - 1) / 44);
    const uint64_t m32 = ((UINT64_C(1) << 44) + (MLDSA_Q - 1) / 16 - 1) / ((MLDSA_Q - 1) / 16);
    const int wide = gamma2 == (MLDSA_Q - 1) / 32;
    const int32_t top = wide ? 16 : 44; /* (q-1) / (2 gamma2) */
    int32_t r1 = (int32_t)((uint64_t)(r + gamma2 - 1) * (wide ? m32 : m88) >> 44);
    int32_t wraps = (top - 1 - r1) >> 31; /* all ones where r1 = top */

    *r0 = r - r1 * 2 * gamma2 + wraps;
    return r1 & ~wraps;
}

/*
 * Algorithm 39 with r1, r0 = Decompose(w - c s2) replaced by what the signer has: low is
 * (w0 - c s2) + c t0 and w1 the high bits of w. 1 where HighBits(w - c s2 + c t0) differs from w1:
 * low outside -gamma2 < low <= gamma2, or at -gamma2 with w1 not 0, where q - 1 rolls over.
 */
static inline uint32_t mldsa_make_hint(int32_t low, uint32_t w1, int32_t gamma2)
{
    uint32_t above = (uint32_t)(gamma2 - low) >> 31;
    uint32_t below = (uint32_t)(gamma2 + low) >> 31;
    uint32_t at_end = ((uint32_t)(gamma2 + low) - 1) >> 31 & ~below; /* gamma2 + low is 0 */

    return above | below | (at_end & (0 - w1) >> 31);
}

/* Algorithm 40 of canonical r; all public. */
static inline int32_t mldsa_use_hint(uint32_t hint, int32_t r, int32_t gamma2)
{
    const int32_t m = (MLDSA_Q - 1) / (2 * gamma2);
    int32_t r0, r1 = mldsa_decompose(&r0, r, gamma2);

    if (hint == 0)
        return r1;
    if (r0 > 0)
        return r1 + 1 == m ? 0 : r1 + 1;
    return r1 == 0 ? m - 1 : r1 - 1;
}

#endif
