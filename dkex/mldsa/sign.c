/* SPDX-License-Identifier: Apache-2.0 */
#include "mldsa.h"

#include <string.h>

#include "../ct.h"
#include "expand.h"
#include "keccak.h"
#include "pack.h"
#include "rounding.h"
#include "sample.h"

/* FIPS 204, Appendix C: fewer attempts fail with probability below 2^-256. */
enum { MAX_ATTEMPTS = 814 };

/* Everything of one signature that no one may see. */
struct signer {
    struct mldsa_poly y[MLDSA_MAX_L];
    struct mldsa_poly y_hat[MLDSA_MAX_L];
    struct mldsa_poly w0[MLDSA_MAX_K];
    struct mldsa_poly c_hat, product;
    uint8_t w1[MLDSA_MAX_K][MLDSA_N];
    uint8_t hints[MLDSA_MAX_K][MLDSA_N / 8];
    uint8_t w1_packed[MLDSA_MAX_W1_BYTES];
    uint8_t rho_pp[64];
    struct keccak hash;
};

void dkex_mldsa_mu_internal(uint8_t mu[MLDSA_MU_BYTES], const uint8_t tr[MLDSA_TR_BYTES],
                            const uint8_t *m_prime, size_t len)
{
    struct keccak k;

    dkex_keccak_init(&k, SHAKE256_RATE);
    dkex_keccak_absorb(&k, tr, MLDSA_TR_BYTES);
    dkex_keccak_absorb(&k, m_prime, len);
    dkex_keccak_finish(&k);
    dkex_keccak_squeeze(&k, mu, MLDSA_MU_BYTES);
}

void dkex_mldsa_mu(uint8_t mu[MLDSA_MU_BYTES], const uint8_t tr[MLDSA_TR_BYTES], const uint8_t *ctx,
                   size_t ctx_len, const uint8_t *msg, size_t msg_len)
{
    const uint8_t prefix[2] = {0, (uint8_t)ctx_len};
    struct keccak k;

    dkex_keccak_init(&k, SHAKE256_RATE);
    dkex_keccak_absorb(&k, tr, MLDSA_TR_BYTES);
    dkex_keccak_absorb(&k, prefix, sizeof(prefix));
    dkex_keccak_absorb(&k, ctx, ctx_len);
    dkex_keccak_absorb(&k, msg, msg_len);
    dkex_keccak_finish(&k);
    dkex_keccak_squeeze(&k, mu, MLDSA_MU_BYTES);
}

void dkex_mldsa_expand_private(struct mldsa_expanded_private *e, const struct mldsa_params *p,
                               const struct mldsa_kernels *f, const uint8_t *sk)
{
    const uint8_t *in = sk + 32 + 32 + MLDSA_TR_BYTES;
    uint8_t rho[32];

    memcpy(rho, sk, sizeof(rho));
    DKEX_DECLASSIFY(rho, sizeof(rho)); /* part of the public key */
    f->expand_a(e->a, rho, p->l, 0, p->k * p->l);
    memcpy(e->key, sk + 32, sizeof(e->key));
    for (unsigned i = 0; i < p->l + p->k; i++, in += MLDSA_S_BYTES) {
        struct mldsa_poly *s = i < p->l ? &e->s1[i] : &e->s2[i - p->l];

        /* The key has been checked: every coefficient is in range. */
        (void)dkex_mldsa_unpack_s(s, in);
        f->ntt(s);
    }
    for (unsigned i = 0; i < p->k; i++, in += MLDSA_T0_BYTES) {
        dkex_mldsa_unpack_t0(&e->t0[i], in);
        f->ntt(&e->t0[i]);
    }
}

/*
 * Whether any |r_i| >= bound. Which polynomial of a rejected attempt exceeded it is no secret: the
 * chance is the same for every coefficient and independent of the key; the sign stays hidden.
 */
static int exceeds(const struct mldsa_poly *r, int32_t bound)
{
    uint32_t any = 0;
    int verdict;

    for (unsigned i = 0; i < MLDSA_N; i++) {
        int32_t sign = r->c[i] >> 31;

        any |= (uint32_t)(bound - 1 - ((r->c[i] ^ sign) - sign));
    }
    verdict = (int)(dkex_barrier_u32(any) >> 31);
    DKEX_DECLASSIFY(&verdict, sizeof(verdict));
    return verdict;
}

/* product = c s, an ordinary polynomial. */
static void challenge_times(struct signer *t, const struct mldsa_kernels *f,
                            const struct mldsa_poly *s)
{
    f->dot(&t->product, &t->c_hat, s, 1);
    f->invntt(&t->product);
}

/* Lines 11 to 15 of Algorithm 7: mask, commitment, and ctilde written to the signature. */
static void commit(struct signer *t, const struct mldsa_params *p, const struct mldsa_kernels *f,
                   uint8_t *ctilde, const struct mldsa_expanded_private *e, const uint8_t *mu,
                   uint16_t kappa)
{
    f->expand_mask(t->y, t->rho_pp, kappa, p->l, p->gamma1_bits);
    for (unsigned i = 0; i < p->l; i++) {
        t->y_hat[i] = t->y[i];
        f->ntt(&t->y_hat[i]);
    }
    dkex_keccak_init(&t->hash, SHAKE256_RATE);
    dkex_keccak_absorb(&t->hash, mu, MLDSA_MU_BYTES);
    for (unsigned i = 0; i < p->k; i++) {
        struct mldsa_poly *w = &t->w0[i];
        size_t len;

        f->dot(w, e->a + i * p->l, t->y_hat, p->l);
        f->invntt(w);
        for (unsigned j = 0; j < MLDSA_N; j++)
            t->w1[i][j] = (uint8_t)mldsa_decompose(&w->c[j], mldsa_canonical(w->c[j]), p->gamma2);
        len = dkex_mldsa_pack_w1(t->w1_packed, t->w1[i], p->gamma2);
        dkex_keccak_absorb(&t->hash, t->w1_packed, len);
    }
    dkex_keccak_finish(&t->hash);
    dkex_keccak_squeeze(&t->hash, ctilde, p->ctilde_len);
}

/* Lines 16 to 23, z: written to the signature. 0 if rejected. */
static int compute_z(struct signer *t, const struct mldsa_params *p, const struct mldsa_kernels *f,
                     uint8_t *z_out, const struct mldsa_expanded_private *e)
{
    const size_t z_len = 32 * (p->gamma1_bits + 1);

    for (unsigned i = 0; i < p->l; i++) {
        challenge_times(t, f, &e->s1[i]);
        for (unsigned j = 0; j < MLDSA_N; j++)
            t->product.c[j] = mldsa_reduce(t->product.c[j] + t->y[i].c[j]);
        if (exceeds(&t->product, (1 << p->gamma1_bits) - (int32_t)p->beta))
            return 0;
        dkex_mldsa_pack_z(z_out + i * z_len, &t->product, p->gamma1_bits);
    }
    return 1;
}

/*
 * Lines 20 to 30: w0 - c s2, which is the low part of w - c s2 where it is accepted; then c t0 and
 * the hints. 0 if rejected.
 */
static int make_hints(struct signer *t, const struct mldsa_params *p, const struct mldsa_kernels *f,
                      const struct mldsa_expanded_private *e)
{
    uint32_t count = 0;

    for (unsigned i = 0; i < p->k; i++) {
        challenge_times(t, f, &e->s2[i]);
        for (unsigned j = 0; j < MLDSA_N; j++)
            t->w0[i].c[j] = mldsa_reduce(t->w0[i].c[j] - t->product.c[j]);
        if (exceeds(&t->w0[i], p->gamma2 - (int32_t)p->beta))
            return 0;
    }
    memset(t->hints, 0, sizeof(t->hints));
    for (unsigned i = 0; i < p->k; i++) {
        challenge_times(t, f, &e->t0[i]);
        for (unsigned j = 0; j < MLDSA_N; j++)
            t->product.c[j] = mldsa_reduce(t->product.c[j]);
        if (exceeds(&t->product, p->gamma2))
            return 0;
        for (unsigned j = 0; j < MLDSA_N; j++) {
            uint32_t hint =
                mldsa_make_hint(t->w0[i].c[j] + t->product.c[j], t->w1[i][j], p->gamma2);

            t->hints[i][j / 8] |= (uint8_t)(hint << (j % 8));
            count += hint;
        }
    }
    DKEX_DECLASSIFY(&count, sizeof(count)); /* a reason to reject that FIPS 204 makes public */
    return count <= p->omega;
}

enum dkex_status dkex_mldsa_sign_expanded(const struct mldsa_params *p,
                                          const struct mldsa_kernels *f, uint8_t *sig,
                                          const struct mldsa_expanded_private *e, const uint8_t *mu,
                                          const uint8_t *rnd)
{
    uint8_t *z_out = sig + p->ctilde_len;
    uint8_t *hints_out = z_out + p->l * 32 * (p->gamma1_bits + 1);
    enum dkex_status status = DKEX_ERR_SIGNING;
    struct signer t;

    dkex_keccak_init(&t.hash, SHAKE256_RATE);
    dkex_keccak_absorb(&t.hash, e->key, sizeof(e->key));
    dkex_keccak_absorb(&t.hash, rnd, MLDSA_RND_BYTES);
    dkex_keccak_absorb(&t.hash, mu, MLDSA_MU_BYTES);
    dkex_keccak_finish(&t.hash);
    dkex_keccak_squeeze(&t.hash, t.rho_pp, sizeof(t.rho_pp));

    for (unsigned attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        commit(&t, p, f, sig, e, mu, (uint16_t)(attempt * p->l));
        /* Of a rejected attempt too: see the policy on sample_in_ball. */
        DKEX_DECLASSIFY(sig, p->ctilde_len);
        dkex_mldsa_sample_in_ball(&t.c_hat, p, sig);
        f->ntt(&t.c_hat);
        if (compute_z(&t, p, f, z_out, e) && make_hints(&t, p, f, e)) {
            DKEX_DECLASSIFY(z_out, (size_t)(hints_out - z_out)); /* accepted: the signature */
            DKEX_DECLASSIFY(t.hints, sizeof(t.hints));
            dkex_mldsa_hint_bit_pack(hints_out, p, (const uint8_t(*)[MLDSA_N / 8]) t.hints);
            status = DKEX_OK;
            break;
        }
    }
    if (status != DKEX_OK)
        dkex_cleanse(sig, p->sig_len); /* a rejected z */
    dkex_cleanse(&t, sizeof(t));
    return status;
}

enum dkex_status dkex_mldsa_sign(const struct mldsa_params *p, const struct mldsa_kernels *f,
                                 uint8_t *sig, const uint8_t *sk, const uint8_t *mu,
                                 const uint8_t *rnd)
{
    struct mldsa_expanded_private e;
    enum dkex_status status;

    dkex_mldsa_expand_private(&e, p, f, sk);
    status = dkex_mldsa_sign_expanded(p, f, sig, &e, mu, rnd);
    dkex_cleanse(&e, sizeof(e));
    return status;
}
