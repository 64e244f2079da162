/* SPDX-License-Identifier: Apache-2.0 */
/* The ring of DKEX-128 and DKEX-256: q = 3329, n = 256, zeta = 17. */
#include "ring.h"

#include "ct.h"

#define RING_N 256
#define RING_Q 3329
#define RING_D_A 12
#define RING_QINV (-3327)
#define RING_MONT (-1044)
#define RING_MONT2 (1353)
#define RING_SCALE (1441)
#define RING_FORWARD_REDUCE 1 /* never: the last length is 2 */
#define RING_INVERSE_LAYERS 3

/* 17^brv(i) * 2^16 mod q, centred; brv reverses 7 bits. */
static const int16_t ring_zetas[RING_N / 2] = {
    -1044, -758,  -359,  -1517, 1493,  1422,  287,   202,   -171,  622,   1577,  182,   962,
    -1202, -1474, 1468,  573,   -1325, 264,   383,   -829,  1458,  -1602, -130,  -681,  1017,
    732,   608,   -1542, 411,   -205,  -1571, 1223,  652,   -552,  1015,  -1293, 1491,  -282,
    -1544, 516,   -8,    -320,  -666,  -1618, -1162, 126,   1469,  -853,  -90,   -271,  830,
    107,   -1421, -247,  -951,  -398,  961,   -1508, -725,  448,   -1065, 677,   -1275, -1103,
    430,   555,   843,   -1251, 871,   1550,  105,   422,   587,   177,   -235,  -291,  -460,
    1574,  1653,  -246,  778,   1159,  -147,  -777,  1483,  -602,  1119,  -1590, 644,   -872,
    349,   418,   329,   -156,  -75,   817,   1097,  603,   610,   1322,  -1285, -1465, 384,
    -1215, -136,  1218,  -1335, -874,  220,   -1187, -1659, -1185, -1530, -1278, 794,   -1510,
    -854,  -870,  478,   -108,  -308,  996,   991,   958,   -1460, 1522,  1628,
};

#include "ring_portable.h"

static inline uint32_t compress_quotient(uint32_t x, unsigned d);

#include "codec_portable.h"

/* Compress_d for d = 10, 11: t = x 2^d + floor(q/2) < 2^23. */
static inline uint32_t compress_quotient(uint32_t x, unsigned d)
{
    return div_q((x << d) + RING_Q / 2);
}

/* Three bytes are two candidates. */
static unsigned uniform(int16_t *r, unsigned have, const uint8_t *buf, size_t len)
{
    for (; have < RING_N && len >= 3; buf += 3, len -= 3) {
        uint32_t t = buf[0] | (uint32_t)buf[1] << 8 | (uint32_t)buf[2] << 16;
        uint32_t c0 = t & 0xfff, c1 = t >> 12;

        if (c0 < RING_Q)
            r[have++] = (int16_t)c0;
        if (c1 < RING_Q && have < RING_N)
            r[have++] = (int16_t)c1;
    }
    return have;
}

const struct dkex_ring dkex_ring256_portable = {
    .name = "ring256", RING_KERNELS, .uniform = uniform};
