/* SPDX-License-Identifier: Apache-2.0 */
#include "mldsa.h"

#include <string.h>

#include "../ct.h"
#include "keccak.h"
#include "kernels.h"
#include "pack.h"
#include "sample.h"

struct secret_vectors {
    struct mldsa_poly s[MLDSA_MAX_L + MLDSA_MAX_K]; /* s1, then s2 */
    struct mldsa_poly s1_hat[MLDSA_MAX_L];
    struct mldsa_poly t, t1, t0;
};

/* Lines 5 to 10 of Algorithm 6 from rho and v->s: t = A s1 + s2, pk = rho || t1, and t0 packed to
 * t0_out. */
static void public_from_secret(const struct mldsa_params *p, const struct mldsa_kernels *f,
                               uint8_t *pk, uint8_t *t0_out, struct secret_vectors *v,
                               const uint8_t *rho)
{
    struct mldsa_poly a[MLDSA_MAX_K * MLDSA_MAX_L];
    uint8_t *t1_out = pk + MLDSA_RHO_BYTES;

    memcpy(pk, rho, MLDSA_RHO_BYTES);
    dkex_mldsa_expand_a(a, p, f, rho);
    for (unsigned j = 0; j < p->l; j++) {
        v->s1_hat[j] = v->s[j];
        f->ntt(&v->s1_hat[j]);
    }
    for (unsigned i = 0; i < p->k; i++) {
        f->dot(&v->t, a + (size_t)i * p->l, v->s1_hat, p->l);
        f->invntt(&v->t);
        for (unsigned j = 0; j < MLDSA_N; j++)
            v->t.c[j] += v->s[p->l + i].c[j]; /* reduced: invntt leaves q/2 + 2^15 at most */
        f->power2round(&v->t1, &v->t0, &v->t);
        mldsa_pack_t1(f, t1_out, &v->t1);
        mldsa_pack_t0(f, t0_out, &v->t0);
        t1_out += MLDSA_T1_BYTES;
        t0_out += MLDSA_T0_BYTES;
    }
}

void dkex_mldsa_keygen(const struct mldsa_params *p, const struct mldsa_kernels *f, uint8_t *pk,
                       uint8_t *sk, const uint8_t *seed)
{
    const uint8_t dimensions[2] = {(uint8_t)p->k, (uint8_t)p->l};
    uint8_t *s_out = sk + MLDSA_S1_OFFSET;
    struct {
        struct secret_vectors v;
        struct keccak k;
        uint8_t seeds[MLDSA_RHO_BYTES + 64 + MLDSA_K_BYTES]; /* rho || rho' || K */
    } t;

    dkex_keccak_init(&t.k, SHAKE256_RATE);
    dkex_keccak_absorb(&t.k, seed, MLDSA_SEED_BYTES);
    dkex_keccak_absorb(&t.k, dimensions, sizeof(dimensions));
    dkex_keccak_finish(&t.k);
    dkex_keccak_squeeze(&t.k, t.seeds, sizeof(t.seeds));
    DKEX_DECLASSIFY(t.seeds, MLDSA_RHO_BYTES); /* rho is part of the public key */

    dkex_mldsa_expand_s(t.v.s, f, t.seeds + MLDSA_RHO_BYTES, p->l + p->k);
    public_from_secret(p, f, pk, sk + mldsa_t0_offset(p), &t.v, t.seeds);
    DKEX_DECLASSIFY(pk, p->pk_len); /* the public key */
    memcpy(sk, t.seeds, MLDSA_RHO_BYTES);
    memcpy(sk + MLDSA_RHO_BYTES, t.seeds + MLDSA_RHO_BYTES + 64, MLDSA_K_BYTES);
    dkex_mldsa_tr(p, sk + MLDSA_TR_OFFSET, pk);
    for (unsigned i = 0; i < p->l + p->k; i++, s_out += MLDSA_S_BYTES)
        mldsa_pack_s(f, s_out, &t.v.s[i]);
    dkex_cleanse(&t, sizeof(t));
    dkex_burn_stack();
}

enum dkex_status dkex_mldsa_check_private(const struct mldsa_params *p,
                                          const struct mldsa_kernels *f, uint8_t *pk,
                                          const uint8_t *sk)
{
    const uint8_t *tr = sk + MLDSA_TR_OFFSET, *s_in = sk + MLDSA_S1_OFFSET;
    struct {
        struct secret_vectors v;
        uint8_t rho[MLDSA_RHO_BYTES];
        uint8_t t0[MLDSA_MAX_K * MLDSA_T0_BYTES];
        uint8_t tr[MLDSA_TR_BYTES];
    } t;
    int valid = 1;

    memcpy(t.rho, sk, MLDSA_RHO_BYTES);
    DKEX_DECLASSIFY(t.rho, MLDSA_RHO_BYTES); /* part of the public key */
    for (unsigned i = 0; i < p->l + p->k; i++, s_in += MLDSA_S_BYTES)
        valid &= mldsa_unpack_s(f, &t.v.s[i], s_in);
    public_from_secret(p, f, pk, t.t0, &t.v, t.rho);
    dkex_mldsa_tr(p, t.tr, pk);
    valid &= dkex_equal(t.t0, sk + mldsa_t0_offset(p), p->sk_len - mldsa_t0_offset(p));
    valid &= dkex_equal(t.tr, tr, MLDSA_TR_BYTES);
    dkex_cleanse(&t, sizeof(t));
    dkex_burn_stack();

    DKEX_DECLASSIFY(&valid, sizeof(valid)); /* the verdict */
    if (!valid) {
        dkex_cleanse(pk, p->pk_len);
        return DKEX_ERR_KEY;
    }
    DKEX_DECLASSIFY(pk, p->pk_len); /* the public key of a valid key */
    return DKEX_OK;
}
