/* SPDX-License-Identifier: Apache-2.0 */
#include "mldsa.h"

#include <string.h>

#include "../ct.h"
#include "expand.h"
#include "keccak.h"
#include "pack.h"
#include "sample.h"

/* FIPS 204, Appendix C: that all of them are rejected has probability below 2^-256. */
enum { MAX_ATTEMPTS = 814 };

/* Everything of one signature that no one may see. */
struct signer {
    struct mldsa_poly y[MLDSA_MAX_L];
    struct mldsa_poly w0[MLDSA_MAX_K];        /* low part of w, then of w - c s2 */
    union {                                   /* saves 2 KiB of stack */
        struct mldsa_poly y_hat[MLDSA_MAX_L]; /* until ctilde is known */
        struct {                              /* from then on */
            struct mldsa_poly c_hat, product;
            uint8_t hints[MLDSA_MAX_K][MLDSA_HINT_BYTES];
        };
    };
    uint8_t w1[MLDSA_MAX_K][MLDSA_N];
    uint8_t w1_encoded[MLDSA_MAX_W1_BYTES];
    uint8_t rho_pp[64];
    struct keccak hash;
};

void dkex_mldsa_expand_private(struct mldsa_expanded_private *e, const struct mldsa_params *p,
                               const struct mldsa_kernels *f, const uint8_t *sk)
{
    const uint8_t *in = sk + MLDSA_S1_OFFSET;
    uint8_t rho[MLDSA_RHO_BYTES];

    memcpy(rho, sk, sizeof(rho));
    DKEX_DECLASSIFY(rho, sizeof(rho)); /* part of the public key */
    f->expand_a(e->a, rho, p->l, 0, p->k * p->l);
    memcpy(e->key, sk + MLDSA_RHO_BYTES, sizeof(e->key));
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
 * Whether any |r_i| >= bound, made public. Whether an attempt is rejected, and in which polynomial
 * first, is no secret (Dilithium submission, section 5.5): for z the probability is the same
 * whatever the key and the challenge are, y being uniform; for w0 - c s2 it is so up to the
 * distribution of w0; c t0 depends on t0, which the security proof gives to the adversary.
 * Position, sign and value stay hidden.
 */
static int rejected(const struct mldsa_kernels *f, const struct mldsa_poly *r, int32_t bound)
{
    int verdict = f->exceeds(r, bound);

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
    const struct mldsa_poly *row = e->a;

    f->expand_mask(t->y, t->rho_pp, kappa, p->l, p->gamma1_bits);
    for (unsigned i = 0; i < p->l; i++) {
        t->y_hat[i] = t->y[i];
        f->ntt(&t->y_hat[i]);
    }
    dkex_keccak_init(&t->hash, SHAKE256_RATE);
    dkex_keccak_absorb(&t->hash, mu, MLDSA_MU_BYTES);
    for (unsigned i = 0; i < p->k; i++, row += p->l) {
        size_t len;

        f->dot(&t->w0[i], row, t->y_hat, p->l);
        f->invntt(&t->w0[i]);
        f->decompose(t->w1[i], &t->w0[i], p->gamma2);
        len = f->w1_encode(t->w1_encoded, t->w1[i], p->gamma2);
        dkex_keccak_absorb(&t->hash, t->w1_encoded, len);
    }
    dkex_keccak_finish(&t->hash);
    dkex_keccak_squeeze(&t->hash, ctilde, p->ctilde_len);
}

/*
 * z = y + c s1, written to the signature polynomial by polynomial; 0 if rejected. As |c s1| <=
 * beta, invntt, whose output is centred, leaves c s1 itself and not another representative. What a
 * rejected attempt leaves in the signature is overwritten by the next or wiped in the end.
 */
static int compute_z(struct signer *t, const struct mldsa_params *p, const struct mldsa_kernels *f,
                     uint8_t *z_out, const struct mldsa_expanded_private *e)
{
    for (unsigned i = 0; i < p->l; i++) {
        challenge_times(t, f, &e->s1[i]);
        for (unsigned j = 0; j < MLDSA_N; j++)
            t->product.c[j] += t->y[i].c[j];
        if (rejected(f, &t->product, (1 << p->gamma1_bits) - (int32_t)p->beta))
            return 0;
        f->pack_z(z_out + i * mldsa_z_bytes(p), &t->product, p->gamma1_bits);
    }
    return 1;
}

/*
 * w0 - c s2, with |c s2| <= beta; 0 if rejected. Where |w0 - c s2| < gamma2 - beta it is the low
 * part of w - c s2, whose high part then is w1 still; and the other way round, for the low part
 * plus c s2 stays within gamma2. So this is FIPS 204's condition on LowBits(w - c s2).
 */
static int subtract_cs2(struct signer *t, const struct mldsa_params *p,
                        const struct mldsa_kernels *f, const struct mldsa_expanded_private *e)
{
    for (unsigned i = 0; i < p->k; i++) {
        challenge_times(t, f, &e->s2[i]);
        for (unsigned j = 0; j < MLDSA_N; j++)
            t->w0[i].c[j] -= t->product.c[j];
        if (rejected(f, &t->w0[i], p->gamma2 - (int32_t)p->beta))
            return 0;
    }
    return 1;
}

/* The hints; 0 if rejected. |c t0| <= tau 2^12 < 2^18, so it comes out centred. */
static int make_hints(struct signer *t, const struct mldsa_params *p, const struct mldsa_kernels *f,
                      const struct mldsa_expanded_private *e)
{
    unsigned count = 0;

    for (unsigned i = 0; i < p->k; i++) {
        challenge_times(t, f, &e->t0[i]);
        if (rejected(f, &t->product, p->gamma2))
            return 0;
        for (unsigned j = 0; j < MLDSA_N; j++)
            t->product.c[j] += t->w0[i].c[j];
        count += f->make_hint(t->hints[i], &t->product, t->w1[i], p->gamma2);
    }
    DKEX_DECLASSIFY(&count, sizeof(count)); /* like the other conditions; see rejected */
    return count <= p->omega;
}

enum dkex_status dkex_mldsa_sign_expanded(const struct mldsa_params *p,
                                          const struct mldsa_kernels *f, uint8_t *sig,
                                          const struct mldsa_expanded_private *e, const uint8_t *mu,
                                          const uint8_t *rnd)
{
    uint8_t *z_out = sig + p->ctilde_len;
    uint8_t *hints_out = z_out + p->l * mldsa_z_bytes(p);
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
        DKEX_DECLASSIFY(sig, p->ctilde_len); /* of a rejected attempt too: see sample.h */
        dkex_mldsa_sample_in_ball(&t.c_hat, p, sig);
        f->ntt(&t.c_hat);
        if (compute_z(&t, p, f, z_out, e) && subtract_cs2(&t, p, f, e) && make_hints(&t, p, f, e)) {
            DKEX_DECLASSIFY(z_out, (size_t)(hints_out - z_out)); /* accepted: the signature */
            DKEX_DECLASSIFY(t.hints, sizeof(t.hints));
            dkex_mldsa_hint_bit_pack(hints_out, p, (const uint8_t(*)[MLDSA_HINT_BYTES])t.hints);
            status = DKEX_OK;
            break;
        }
    }
    if (status != DKEX_OK)
        dkex_cleanse(sig, p->sig_len); /* a rejected z */
    dkex_cleanse(&t, sizeof(t));
    dkex_burn_stack();
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
