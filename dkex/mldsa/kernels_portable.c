/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels.h"

#include "../ct.h"
#include "pack.h"
#include "rounding.h"
#include "sample.h"

#define QINV 58728449u /* q^-1 mod 2^32 */
#define SCALE 41978    /* 2^64 / 256 mod q */

/* 1753^brv(i) * 2^32 mod q, centred; brv reverses 8 bits. */
static const int32_t zetas[MLDSA_N] = {
    -4186625, 25847,    -2608894, -518909,  237124,   -777960,  -876248,  466468,   1826347,
    2353451,  -359251,  -2091905, 3119733,  -2884855, 3111497,  2680103,  2725464,  1024112,
    -1079900, 3585928,  -549488,  -1119584, 2619752,  -2108549, -2118186, -3859737, -1399561,
    -3277672, 1757237,  -19422,   4010497,  280005,   2706023,  95776,    3077325,  3530437,
    -1661693, -3592148, -2537516, 3915439,  -3861115, -3043716, 3574422,  -2867647, 3539968,
    -300467,  2348700,  -539299,  -1699267, -1643818, 3505694,  -3821735, 3507263,  -2140649,
    -1600420, 3699596,  811944,   531354,   954230,   3881043,  3900724,  -2556880, 2071892,
    -2797779, -3930395, -1528703, -3677745, -3041255, -1452451, 3475950,  2176455,  -1585221,
    -1257611, 1939314,  -4083598, -1000202, -3190144, -3157330, -3632928, 126922,   3412210,
    -983419,  2147896,  2715295,  -2967645, -3693493, -411027,  -2477047, -671102,  -1228525,
    -22981,   -1308169, -381987,  1349076,  1852771,  -1430430, -3343383, 264944,   508951,
    3097992,  44288,    -1100098, 904516,   3958618,  -3724342, -8578,    1653064,  -3249728,
    2389356,  -210977,  759969,   -1316856, 189548,   -3553272, 3159746,  -1851402, -2409325,
    -177440,  1315589,  1341330,  1285669,  -1584928, -812732,  -1439742, -3019102, -3881060,
    -3628969, 3839961,  2091667,  3407706,  2316500,  3817976,  -3342478, 2244091,  -2446433,
    -3562462, 266997,   2434439,  -1235728, 3513181,  -3520352, -3759364, -1197226, -3193378,
    900702,   1859098,  909542,   819034,   495491,   -1613174, -43260,   -522500,  -655327,
    -3122442, 2031748,  3207046,  -3556995, -525098,  -768622,  -3595838, 342297,   286988,
    -2437823, 4108315,  3437287,  -3342277, 1735879,  203044,   2842341,  2691481,  -2590150,
    1265009,  4055324,  1247620,  2486353,  1595974,  -3767016, 1250494,  2635921,  -3548272,
    -2994039, 1869119,  1903435,  -1050970, -1333058, 1237275,  -3318210, -1430225, -451100,
    1312455,  3306115,  -1962642, -1279661, 1917081,  -2546312, -1374803, 1500165,  777191,
    2235880,  3406031,  -542412,  -2831860, -1671176, -1846953, -2584293, -3724270, 594136,
    -3776993, -2013608, 2432395,  2454455,  -164721,  1957272,  3369112,  185531,   -1207385,
    -3183426, 162844,   1616392,  3014001,  810149,   1652634,  -3694233, -1799107, -3038916,
    3523897,  3866901,  269760,   2213111,  -975884,  1717735,  472078,   -426683,  1723600,
    -1803090, 1910376,  -1667432, -1104333, -260646,  -3833893, -2939036, -2235985, -420899,
    -2286327, 183443,   -976891,  1612842,  -3545687, -554416,  3919660,  -48306,   -1362209,
    3937738,  1400424,  -846154,  1976782,
};

/*
 * p / 2^32 mod q for |p| < 2^31 q: (p - lo q) / 2^32 with lo = p q^-1 mod 2^32, signed, so
 * |r| <= |p| / 2^32 + q/2 < q.
 */
static inline int32_t mont_reduce(int64_t p)
{
    int32_t lo = (int32_t)((uint32_t)p * QINV);

    return (int32_t)((p - (int64_t)lo * MLDSA_Q) >> 32);
}

static inline int32_t mont_mul(int32_t a, int32_t b)
{
    return mont_reduce((int64_t)a * b);
}

/*
 * Two layers a pass, which halves the loads and stores. Of eight layers each adds a product below q
 * to |x| < q: |x| < 9q < 2^27. A product with |zeta| <= q/2 is below 4.5 q^2 < 2^31 q.
 */
static void ntt(struct mldsa_poly *r)
{
    for (size_t len = MLDSA_N / 4, blocks = 1; len >= 1; len /= 4, blocks *= 4) {
        for (size_t i = 0; i < blocks; i++) {
            const int32_t *low = zetas + 2 * (blocks + i);
            int32_t high = zetas[blocks + i];
            int32_t *c0 = r->c + 4 * len * i, *c1 = c0 + len, *c2 = c1 + len, *c3 = c2 + len;

            for (size_t j = 0; j < len; j++) {
                int32_t t2 = mont_mul(high, c2[j]), t3 = mont_mul(high, c3[j]);
                int32_t x0 = c0[j] + t2, x2 = c0[j] - t2;
                int32_t x1 = c1[j] + t3, x3 = c1[j] - t3;
                int32_t u1 = mont_mul(low[0], x1), u3 = mont_mul(low[1], x3);

                c0[j] = x0 + u1;
                c1[j] = x0 - u1;
                c2[j] = x2 + u3;
                c3[j] = x2 - u3;
            }
        }
    }
}

/*
 * Sums and differences double in each of eight layers: |x| <= 2^8 q = 2145386752 < 2^31, and a
 * product with |zeta| <= q/2 stays below 2^7 q^2 < 2^31 q = 256.25 q^2. The differences are taken
 * the other way round, for the inverse of zeta of block i is -zeta of the mirrored block. The last
 * product is at most 2^8 q SCALE < 2^47, so |r| <= 2^15 + q/2, which is centred.
 */
static void invntt(struct mldsa_poly *r)
{
    for (size_t len = 1, blocks = MLDSA_N / 4; blocks >= 1; len *= 4, blocks /= 4) {
        for (size_t i = 0; i < blocks; i++) {
            const size_t mirrored = 2 * blocks - 1 - i;
            const int32_t *low = zetas + 2 * mirrored;
            int32_t high = zetas[mirrored];
            int32_t *c0 = r->c + 4 * len * i, *c1 = c0 + len, *c2 = c1 + len, *c3 = c2 + len;

            for (size_t j = 0; j < len; j++) {
                int32_t x0 = c0[j] + c1[j], x1 = mont_mul(low[1], c1[j] - c0[j]);
                int32_t x2 = c2[j] + c3[j];
                int32_t x3 = mont_mul(low[0], c3[j] - c2[j]);

                c0[j] = x0 + x2;
                c1[j] = x1 + x3;
                c2[j] = mont_mul(high, x2 - x0);
                c3[j] = mont_mul(high, x3 - x1);
            }
        }
    }
    for (unsigned j = 0; j < MLDSA_N; j++)
        r->c[j] = mont_mul(r->c[j], SCALE);
}

/*
 * Row of A-hat times vector: 7 q 9q = 63 q^2; a challenge times one polynomial: (9q)^2. Both are
 * below 2^31 q = 256.25 q^2, as mont_reduce asks.
 */
static void dot(struct mldsa_poly *r, const struct mldsa_poly *a, const struct mldsa_poly *b,
                unsigned len)
{
    for (unsigned i = 0; i < MLDSA_N; i++) {
        int64_t sum = 0;

        for (unsigned j = 0; j < len; j++)
            sum += (int64_t)a[j].c[i] * b[j].c[i];
        r->c[i] = mont_reduce(sum);
    }
}

static void expand_a(struct mldsa_poly *a, const uint8_t *rho, unsigned l, unsigned first,
                     unsigned count)
{
    for (unsigned e = first; e < first + count; e++)
        dkex_mldsa_rej_ntt_poly(a++, rho, (uint8_t)(e % l), (uint8_t)(e / l));
}

static void expand_s(struct mldsa_poly *s, const uint8_t *rho_prime, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        dkex_mldsa_rej_bounded_poly(s + i, rho_prime, (uint16_t)i);
}

static void expand_mask(struct mldsa_poly *y, const uint8_t *rho_pp, uint16_t kappa, unsigned count,
                        unsigned gamma1_bits)
{
    for (unsigned i = 0; i < count; i++)
        dkex_mldsa_mask_poly(y + i, rho_pp, (uint16_t)(kappa + i), gamma1_bits);
}

static int exceeds(const struct mldsa_poly *r, int32_t bound)
{
    uint32_t any = 0; /* bit 31: some bound - 1 - |x| is negative */

    for (unsigned i = 0; i < MLDSA_N; i++) {
        int32_t sign = r->c[i] >> 31;

        any |= (uint32_t)(bound - 1 - ((r->c[i] ^ sign) - sign));
    }
    return (int)(dkex_barrier_u32(any) >> 31);
}

static void power2round(struct mldsa_poly *t1, struct mldsa_poly *t0, const struct mldsa_poly *t)
{
    for (unsigned i = 0; i < MLDSA_N; i++)
        t1->c[i] = mldsa_power2round(&t0->c[i], mldsa_canonical(t->c[i]));
}

static void decompose(uint8_t w1[MLDSA_N], struct mldsa_poly *w, int32_t gamma2)
{
    for (unsigned i = 0; i < MLDSA_N; i++)
        w1[i] = (uint8_t)mldsa_decompose(&w->c[i], mldsa_canonical(w->c[i]), gamma2);
}

static unsigned make_hint(uint8_t hint[MLDSA_HINT_BYTES], const struct mldsa_poly *low,
                          const uint8_t w1[MLDSA_N], int32_t gamma2)
{
    uint32_t count = 0;

    for (unsigned i = 0; i < MLDSA_N; i += 8) {
        uint32_t byte = 0;

        for (unsigned j = 0; j < 8; j++) {
            uint32_t h = mldsa_make_hint(low->c[i + j], w1[i + j], gamma2);

            byte |= h << j;
            count += h;
        }
        hint[i / 8] = (uint8_t)byte;
    }
    return count;
}

static void use_hint(uint8_t w1[MLDSA_N], const struct mldsa_poly *w,
                     const uint8_t hint[MLDSA_HINT_BYTES], int32_t gamma2)
{
    for (unsigned i = 0; i < MLDSA_N; i++)
        w1[i] =
            (uint8_t)mldsa_use_hint(hint[i / 8] >> (i % 8) & 1, mldsa_canonical(w->c[i]), gamma2);
}

const struct mldsa_kernels dkex_mldsa_portable = {
    .name = "portable",
    .ntt = ntt,
    .invntt = invntt,
    .dot = dot,
    .expand_a = expand_a,
    .expand_s = expand_s,
    .expand_mask = expand_mask,
    .exceeds = exceeds,
    .power2round = power2round,
    .decompose = decompose,
    .make_hint = make_hint,
    .use_hint = use_hint,
    .pack_z = dkex_mldsa_pack_z,
    .unpack_z = dkex_mldsa_unpack_z,
    .w1_encode = dkex_mldsa_w1_encode,
};
