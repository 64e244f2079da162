/* SPDX-License-Identifier: Apache-2.0 */
/* The ring of DKEX-512: q = 7681, n = 512, zeta = 62. */
#include "ring.h"

#include "ct.h"

#define RING_N 512
#define RING_Q 7681
#define RING_D_A 13
#define RING_QINV (-7679)
#define RING_MONT (-3593)
#define RING_MONT2 (-2112)
#define RING_SCALE (1912)
#define RING_FORWARD_REDUCE 32
#define RING_INVERSE_LAYERS 2

/* 62^brv(i) * 2^16 mod q, centred; brv reverses 8 bits. */
static const int16_t ring_zetas[RING_N / 2] = {
    -3593, 3777,  -3182, 3625,  -3696, -1100, 2456,  2194,  121,   -2250, 834,   -2495, -2319,
    2876,  -1701, 1414,  2816,  -2088, -2237, 1986,  -1599, 1993,  3706,  -2006, -1525, -2557,
    1296,  1483,  -2830, 3364,  617,   1921,  -3689, -1738, 3266,  -3600, 810,   1887,  -638,
    -7,    -438,  -679,  -1305, -1760, 396,   -3174, -3555, -1881, 3772,  -2535, -2440, -2555,
    1535,  -549,  3153,  2310,  -1399, 1321,  514,   -2956, -103,  2804,  -2043, -1431, -1054,
    1698,  -3456, 1166,  2426,  3831,  915,   -2,    -3417, -194,  2919,  2789,  3405,  2385,
    -2113, -2732, 2175,  373,   3692,  -730,  -1756, 3135,  -2391, 660,   -1497, 2572,  -3145,
    1350,  -2224, -3588, -1681, 2883,  -1390, 1598,  3750,  2762,  2835,  2764,  -2233, 3816,
    -1533, 1464,  -727,  1521,  1386,  -3428, -921,  -2743, -2160, 2649,  -859,  2579,  1532,
    1919,  -486,  404,   -1056, 783,   1799,  -2665, 3480,  2133,  -3310, -1168, -17,   3744,
    2422,  2001,  1278,  929,   -1348, -2230, -179,  -1242, -2059, -1070, 2161,  1649,  2072,
    3177,  -2071, 1121,  -436,  236,   715,   670,   -658,  -1476, -2378, 2767,  3542,  -226,
    1203,  1181,  -151,  -3794, 1712,  -222,  2786,  -451,  -3547, 1779,  -1151, -434,  3568,
    -3693, 3581,  -1586, 1509,  2918,  2339,  -1407, 3434,  -3550, 2340,  2891,  2998,  -3314,
    3461,  -2719, -2247, -2589, 1144,  1072,  1295,  -2815, -3770, 3450,  3781,  -2258, 796,
    3163,  -3208, -589,  2963,  -124,  3214,  3334,  -3366, -3745, 3723,  1931,  -429,  -402,
    -3408, 83,    -1526, 826,   -1338, 2345,  -2303, 2515,  -642,  -1837, -2965, -791,  370,
    293,   3312,  2083,  -1689, -777,  2070,  2262,  -893,  2386,  -188,  -1519, -2874, -1404,
    1012,  2130,  1441,  2532,  -3335, -1084, -3343, 2937,  509,   -1403, 2812,  3763,  592,
    2005,  3657,  2460,  -3677, 3752,  692,   1669,  2167,  -3287,
};

#include "ring_portable.h"

static inline uint32_t compress_quotient(uint32_t x, unsigned d);

#include "codec_portable.h"

/*
 * Compress_11 as the official vectors fix it: t = x 2^11 + floor(q/2) times 279584 / 2^31, which is
 * one higher than floor(t / q) at x = 2886, 4810 and 6734. The product is below 2^24 * 2^19.
 */
static inline uint32_t compress_quotient(uint32_t x, unsigned d)
{
    return (uint32_t)(((uint64_t)(x << d) + RING_Q / 2) * 279584 >> 31);
}

/* Thirteen bytes are eight candidates; then every two bytes are one, their low 13 bits. */
static unsigned uniform(int16_t *r, unsigned have, const uint8_t *buf, size_t len)
{
    for (; len >= 13; buf += 13, len -= 13) {
        uint64_t lo = 0, hi = 0;

        for (unsigned j = 0; j < 8; j++)
            lo |= (uint64_t)buf[j] << (8 * j);
        for (unsigned j = 8; j < 13; j++)
            hi |= (uint64_t)buf[j] << (8 * j - 64);
        for (unsigned j = 0; j < 8 && have < RING_N; j++) {
            uint32_t c = (uint32_t)(lo & 0x1fff);

            lo = lo >> 13 | hi << 51;
            hi >>= 13;
            if (c < RING_Q)
                r[have++] = (int16_t)c;
        }
    }
    for (; have < RING_N && len >= 2; buf += 2, len -= 2) {
        uint32_t c = (buf[0] | (uint32_t)buf[1] << 8) & 0x1fff;

        if (c < RING_Q)
            r[have++] = (int16_t)c;
    }
    return have;
}

const struct dkex_ring dkex_ring512_portable = {
    .name = "ring512", RING_KERNELS, .uniform = uniform};
