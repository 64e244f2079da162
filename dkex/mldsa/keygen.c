/* SPDX-License-Identifier: Apache-2.0 */
#include "mldsa.h"

#include <string.h>

#include "../ct.h"
#include "keccak.h"
#include "kernels.h"
#include "pack.h"
#include "rounding.h"

/* Private key: rho || K || tr || s1 || s2 || t0. */
enum { RHO_BYTES = 32, K_BYTES = 32, S1_OFFSET = RHO_BYTES + K_BYTES + MLDSA_TR_BYTES };

struct secret_vectors {
    struct mldsa_poly s[MLDSA_MAX_L + MLDSA_MAX_K]; /* s1, then s2 */
    struct mldsa_poly s1_hat[MLDSA_MAX_L];
    struct mldsa_poly t, t0;
};

void dkex_mldsa_tr(const struct mldsa_params *p, uint8_t tr[MLDSA_TR_BYTES], const uint8_t *pk)
{
    struct keccak k;

    dkex_keccak_init(&k, SHAKE256_RATE);
    dkex_keccak_absorb(&k, pk, p->pk_len);
    dkex_keccak_finish(&k);
    dkex_keccak_squeeze(&k, tr, MLDSA_TR_BYTES);
}

/*
 * Lines 5 to 10 of Algorithm 6 from rho and v->s: t = A s1 + s2, pk = rho || t1, and t0 packed to
 * t0_out. One row of A-hat at a time keeps the stack small.
 */
static void public_from_secret(const struct mldsa_params *p, const struct mldsa_kernels *f,
                               uint8_t *pk, uint8_t *t0_out, struct secret_vectors *v,
                               const uint8_t *rho)
{
    struct mldsa_poly row[MLDSA_MAX_L];

    memcpy(pk, rho, RHO_BYTES);
    for (unsigned j = 0; j < p->l; j++) {
        v->s1_hat[j] = v->s[j];
        f->ntt(&v->s1_hat[j]);
    }
    for (unsigned i = 0; i < p->k; i++) {
        f->expand_a(row, rho, p->l, i * p->l, p->l);
        f->dot(&v->t, row, v->s1_hat, p->l);
        f->invntt(&v->t);
        for (unsigned j = 0; j < MLDSA_N; j++) {
            int32_t t = mldsa_reduce(v->t.c[j] + v->s[p->l + i].c[j]);

            v->t.c[j] = mldsa_power2round(&v->t0.c[j], mldsa_canonical(t));
        }
        dkex_mldsa_pack_t1(pk + RHO_BYTES + i * MLDSA_T1_BYTES, &v->t);
        dkex_mldsa_pack_t0(t0_out + i * MLDSA_T0_BYTES, &v->t0);
    }
    DKEX_DECLASSIFY(pk, p->pk_len); /* the public key */
}

void dkex_mldsa_keygen(const struct mldsa_params *p, const struct mldsa_kernels *f, uint8_t *pk,
                       uint8_t *sk, const uint8_t *seed)
{
    const uint8_t dimensions[2] = {(uint8_t)p->k, (uint8_t)p->l};
    uint8_t *s_out = sk + S1_OFFSET, *t0_out = s_out + (p->l + p->k) * MLDSA_S_BYTES;
    struct {
        struct secret_vectors v;
        struct keccak k;
        uint8_t seeds[RHO_BYTES + 64 + K_BYTES]; /* rho || rho' || K */
    } t;

    dkex_keccak_init(&t.k, SHAKE256_RATE);
    dkex_keccak_absorb(&t.k, seed, MLDSA_SEED_BYTES);
    dkex_keccak_absorb(&t.k, dimensions, sizeof(dimensions));
    dkex_keccak_finish(&t.k);
    dkex_keccak_squeeze(&t.k, t.seeds, sizeof(t.seeds));
    DKEX_DECLASSIFY(t.seeds, RHO_BYTES); /* rho is part of the public key */

    f->expand_s(t.v.s, t.seeds + RHO_BYTES, p->l + p->k);
    public_from_secret(p, f, pk, t0_out, &t.v, t.seeds);
    memcpy(sk, t.seeds, RHO_BYTES);
    memcpy(sk + RHO_BYTES, t.seeds + RHO_BYTES + 64, K_BYTES);
    dkex_mldsa_tr(p, sk + RHO_BYTES + K_BYTES, pk);
    for (unsigned i = 0; i < p->l + p->k; i++)
        dkex_mldsa_pack_s(s_out + i * MLDSA_S_BYTES, &t.v.s[i]);
    dkex_cleanse(&t, sizeof(t));
}

enum dkex_status dkex_mldsa_check_private(const struct mldsa_params *p,
                                          const struct mldsa_kernels *f, uint8_t *pk,
                                          const uint8_t *sk)
{
    const uint8_t *tr = sk + RHO_BYTES + K_BYTES, *s_in = sk + S1_OFFSET;
    const uint8_t *t0_in = s_in + (p->l + p->k) * MLDSA_S_BYTES;
    struct {
        struct secret_vectors v;
        uint8_t rho[RHO_BYTES];
        uint8_t t0[MLDSA_MAX_K * MLDSA_T0_BYTES];
    } t;
    uint8_t tr_computed[MLDSA_TR_BYTES];
    int valid = 1;

    memcpy(t.rho, sk, RHO_BYTES);
    DKEX_DECLASSIFY(t.rho, RHO_BYTES); /* part of the public key */
    for (unsigned i = 0; i < p->l + p->k; i++)
        valid &= dkex_mldsa_unpack_s(&t.v.s[i], s_in + i * MLDSA_S_BYTES);
    public_from_secret(p, f, pk, t.t0, &t.v, t.rho);
    dkex_mldsa_tr(p, tr_computed, pk);
    valid &= dkex_equal(t.t0, t0_in, p->k * MLDSA_T0_BYTES);
    valid &= dkex_equal(tr_computed, tr, MLDSA_TR_BYTES);
    dkex_cleanse(&t, sizeof(t));

    DKEX_DECLASSIFY(&valid, sizeof(valid)); /* the verdict */
    if (valid)
        return DKEX_OK;
    dkex_cleanse(pk, p->pk_len);
    return DKEX_ERR_KEY;
}
