/* SPDX-License-Identifier: Apache-2.0 */
/* Encodings: FIPS 204, sections 7.1 and 7.2. 256 integers of w bits are 32 w bytes. */
#ifndef DKEX_MLDSA_PACK_H
#define DKEX_MLDSA_PACK_H

#include "kernels.h"

enum {
    MLDSA_T1_BYTES = 32 * 10,
    MLDSA_S_BYTES = 32 * 3,
    MLDSA_T0_BYTES = 32 * 13,
    MLDSA_MAX_Z_BYTES = 32 * 20,
    MLDSA_MAX_W1_BYTES = 32 * 6,
    /* Private key: rho || K || tr || s1 || s2 || t0. Public key: rho || t1. */
    MLDSA_RHO_BYTES = 32,
    MLDSA_K_BYTES = 32,
    MLDSA_S1_OFFSET = MLDSA_TR_OFFSET + MLDSA_TR_BYTES,
};

/* Where t0 begins in the private key. */
static inline size_t mldsa_t0_offset(const struct mldsa_params *p)
{
    return MLDSA_S1_OFFSET + (size_t)(p->l + p->k) * MLDSA_S_BYTES;
}

/* Bytes of one polynomial of z. */
static inline size_t mldsa_z_bytes(const struct mldsa_params *p)
{
    return 32 * (size_t)(p->gamma1_bits + 1);
}

/* Bytes of one polynomial of w1: 6 bits a coefficient below 44, or 4 below 16. */
static inline size_t mldsa_w1_bytes(const struct mldsa_params *p)
{
    return 32 * (p->gamma2 == (MLDSA_Q - 1) / 32 ? 4u : 6u);
}

/* t1: 0 <= x < 2^10. */
static inline void mldsa_pack_t1(const struct mldsa_kernels *f, uint8_t *out,
                                 const struct mldsa_poly *t1)
{
    f->pack(out, t1, 10, 0);
}

static inline void mldsa_unpack_t1(const struct mldsa_kernels *f, struct mldsa_poly *t1,
                                   const uint8_t *in)
{
    f->unpack(t1, in, 10, 0);
}

/* s1, s2: |x| <= eta = 2, as eta - x. */
static inline void mldsa_pack_s(const struct mldsa_kernels *f, uint8_t *out,
                                const struct mldsa_poly *s)
{
    f->pack(out, s, 3, 2);
}

/* 1 if every coefficient is in range, else 0, in constant time. Three bits hold -5 to 2. */
static inline int mldsa_unpack_s(const struct mldsa_kernels *f, struct mldsa_poly *s,
                                 const uint8_t *in)
{
    f->unpack(s, in, 3, 2);
    return 1 - f->exceeds(s, 3);
}

/* t0: -2^12 < x <= 2^12, as 2^12 - x. */
static inline void mldsa_pack_t0(const struct mldsa_kernels *f, uint8_t *out,
                                 const struct mldsa_poly *t0)
{
    f->pack(out, t0, MLDSA_D, 1 << (MLDSA_D - 1));
}

static inline void mldsa_unpack_t0(const struct mldsa_kernels *f, struct mldsa_poly *t0,
                                   const uint8_t *in)
{
    f->unpack(t0, in, MLDSA_D, 1 << (MLDSA_D - 1));
}

/* z and y: -2^gamma1_bits < x <= 2^gamma1_bits, as 2^gamma1_bits - x. */
static inline void mldsa_pack_z(const struct mldsa_kernels *f, uint8_t *out,
                                const struct mldsa_poly *z, unsigned gamma1_bits)
{
    f->pack(out, z, gamma1_bits + 1, 1 << gamma1_bits);
}

static inline void mldsa_unpack_z(const struct mldsa_kernels *f, struct mldsa_poly *z,
                                  const uint8_t *in, unsigned gamma1_bits)
{
    f->unpack(z, in, gamma1_bits + 1, 1 << gamma1_bits);
}

/* Algorithm 20, HintBitPack, of k bit strings of 32 bytes with omega ones at most; public. */
void dkex_mldsa_hint_bit_pack(uint8_t *out, const struct mldsa_params *p,
                              const uint8_t hints[][MLDSA_HINT_BYTES]);

/* Algorithm 21, HintBitUnpack; 0 unless the encoding is canonical. Public. */
int dkex_mldsa_hint_bit_unpack(uint8_t hints[][MLDSA_HINT_BYTES], const struct mldsa_params *p,
                               const uint8_t *in);

#endif
