/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of one instruction set under ML-DSA. Every backend gives the same polynomials and
 * bytes; the order of coefficients in the NTT domain is its own.
 *
 * "Reduced" is |x| < q; "canonical" is 0 <= x < q; "centred" is a residue's representative between
 * -q/2 and q/2 if that is below 2^22 - 2^16 in absolute value, and anything of at least 2^22 - 2^16
 * in absolute value (q/2 is 2^22 - 2^12) otherwise, always reduced. No two pointers of a call
 * overlap unless it says so. Constant time, except where data are said to be public.
 */
#ifndef DKEX_MLDSA_KERNELS_H
#define DKEX_MLDSA_KERNELS_H

#include "mldsa.h"

struct keccak_lanes;

struct mldsa_poly {
    int32_t c[MLDSA_N];
};

/*
 * A polynomial s with |s_i| <= 2 as factor of challenges: s, -s, s, so that the coefficients of
 * X^e s, 0 <= e < 512, stand at c + 512 - e, for X^256 = -1.
 */
struct mldsa_short {
    int8_t c[3 * MLDSA_N];
};

/* A challenge as the sum of tau powers X^exponent, 0 <= exponent < 512. */
struct mldsa_challenge {
    unsigned tau; /* at most MLDSA_MAX_TAU */
    uint16_t exponent[MLDSA_MAX_TAU];
};

enum {
    MLDSA_HINT_BYTES = MLDSA_N / 8, /* hints of a polynomial, one bit a coefficient */
    MLDSA_SLACK_BYTES = 32,         /* that samplers may read, and ignore, after their input */
};

struct mldsa_kernels {
    const char *name;
    const struct keccak_lanes *keccak;

    /* FIPS 204 Algorithm 41, in place. In: reduced. Out: |x| < 9q. */
    void (*ntt)(struct mldsa_poly *r);

    /* Algorithm 42 of a result of dot, in place. In: reduced. Out: centred, no factor left. */
    void (*invntt)(struct mldsa_poly *r);

    /* r = (sum over j < len of a_j b_j) / 2^32 in the NTT domain, len <= 7 with reduced a and
     * |b| < 9q, or len = 1 with |a|, |b| < 9q. Out: reduced. */
    void (*dot)(struct mldsa_poly *r, const struct mldsa_poly *a, const struct mldsa_poly *b,
                unsigned len);

    /*
     * r = a + c s, and 1 if any |r_i| >= bound, else 0. |a_i| < 2^23, 0 < bound < 2^24; r may be a.
     * Addresses depend on c, which is public: see sample.h.
     */
    int (*add_product)(struct mldsa_poly *r, const struct mldsa_poly *a,
                       const struct mldsa_challenge *c, const struct mldsa_short *s, int32_t bound);

    /* The loop of Algorithm 30, RejNTTPoly: appends to a, which holds `have` < 256 coefficients,
     * the candidates of buf, len bytes, a multiple of 3, that are below q; returns how many it
     * holds then, at most 256. Canonical. Public. */
    unsigned (*rej_ntt)(struct mldsa_poly *a, unsigned have, const uint8_t *buf, size_t len);

    /* The same of Algorithm 31, RejBoundedPoly for eta = 2, len a multiple of 8. |x| <= 2. Secret,
     * except which candidates are rejected. */
    unsigned (*rej_bounded)(struct mldsa_poly *s, unsigned have, const uint8_t *buf, size_t len);

    /* 1 if any |x| >= bound, else 0, for |x| < 2^24 and 0 < bound < 2^24. */
    int (*exceeds)(const struct mldsa_poly *r, int32_t bound);

    /* Algorithm 35, Power2Round of reduced t. 0 <= t1 < 2^10, -2^12 < t0 <= 2^12. */
    void (*power2round)(struct mldsa_poly *t1, struct mldsa_poly *t0, const struct mldsa_poly *t);

    /* Algorithm 36, Decompose of reduced w, in place: the low part remains, -gamma2 <= w <= gamma2,
     * and the high part is w1. */
    void (*decompose)(uint8_t w1[MLDSA_N], struct mldsa_poly *w, int32_t gamma2);

    /* Algorithm 39, MakeHint, of what the signer has: low = w0 - c s2 + c t0, |low| < 2^24, and
     * w1. Returns the number of ones. */
    unsigned (*make_hint)(uint8_t hint[MLDSA_HINT_BYTES], const struct mldsa_poly *low,
                          const uint8_t w1[MLDSA_N], int32_t gamma2);

    /* Algorithm 40, UseHint, of reduced w; all public. */
    void (*use_hint)(uint8_t w1[MLDSA_N], const struct mldsa_poly *w,
                     const uint8_t hint[MLDSA_HINT_BYTES], int32_t gamma2);

    /*
     * 256 integers of `width` bits (3, 10, 13, 18 or 20) as 32 width bytes, little-endian: bias -
     * x, or x where bias is 0, which is in range. unpack inverts it, for any bytes. pack.h names
     * the encodings.
     */
    void (*pack)(uint8_t *out, const struct mldsa_poly *r, unsigned width, int32_t bias);
    void (*unpack)(struct mldsa_poly *r, const uint8_t *in, unsigned width, int32_t bias);

    /* Algorithm 28, w1Encode, of one polynomial: a byte a coefficient in; 6 bits out for gamma2 =
     * (q-1)/88, 4 for (q-1)/32. Returns the bytes written. */
    size_t (*w1_encode)(uint8_t *out, const uint8_t w1[MLDSA_N], int32_t gamma2);
};

#endif
