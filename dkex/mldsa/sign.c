/* SPDX-License-Identifier: Apache-2.0 */
#include "mldsa.h"

#include <stdalign.h>
#include <string.h>

#include "../ct.h"
#include "expand.h"
#include "keccak.h"
#include "keccak_lanes.h"
#include "pack.h"
#include "sample.h"

/* FIPS 204, Appendix C: that all of them are rejected has probability below 2^-256. */
enum {
    MAX_ATTEMPTS = 814,
    BATCH = 2,       /* attempts at once, at most */
    BATCH_POLYS = 8, /* of their y, and of their w: 2 * 4 or 1 * 8 */
    COMMITTED_MAX_BYTES = MLDSA_MU_BYTES + MLDSA_MAX_K * 32 * 4,
};

/* Everything of one signature that no one may see. */
struct signer {
    struct mldsa_poly y[BATCH_POLYS];  /* of all attempts of a batch; then z of one */
    struct mldsa_poly w0[BATCH_POLYS]; /* low part of w, then of w - c s2 */
    union {                            /* one after the other */
        uint8_t scratch[MLDSA_MASK_SCRATCH_BYTES];
        struct mldsa_poly y_hat[MLDSA_MAX_L]; /* until ctilde is known */
        struct {                              /* from then on */
            struct mldsa_poly c_hat, product;
            uint8_t hints[MLDSA_MAX_K][MLDSA_HINT_BYTES];
        };
    };
    uint8_t w1[BATCH_POLYS][MLDSA_N];
    uint8_t committed[BATCH][COMMITTED_MAX_BYTES]; /* mu || w1Encode(w1) */
    uint8_t ctilde[BATCH][SHAKE256_RATE];
    uint8_t rho_pp[64];
    struct keccak hash;
};

size_t dkex_mldsa_expanded_private_len(const struct mldsa_params *p)
{
    return offsetof(struct mldsa_expanded_private, t0_a) +
           p->k * (1 + p->l) * sizeof(struct mldsa_poly);
}

static void make_short(struct mldsa_short *s, const struct mldsa_poly *r)
{
    for (unsigned i = 0; i < MLDSA_N; i++) {
        s->c[i] = s->c[2 * MLDSA_N + i] = (int8_t)r->c[i];
        s->c[MLDSA_N + i] = (int8_t)-r->c[i];
    }
}

void dkex_mldsa_expand_private(struct mldsa_expanded_private *e, const struct mldsa_params *p,
                               const struct mldsa_kernels *f, const uint8_t *sk)
{
    const uint8_t *in = sk + MLDSA_S1_OFFSET;
    uint8_t rho[MLDSA_RHO_BYTES];
    struct mldsa_poly s;

    memcpy(rho, sk, sizeof(rho));
    DKEX_DECLASSIFY(rho, sizeof(rho)); /* part of the public key */
    dkex_mldsa_expand_a(e->t0_a + p->k, p, f, rho);
    memcpy(e->key, sk + MLDSA_RHO_BYTES, sizeof(e->key));
    memcpy(e->tr, sk + MLDSA_TR_OFFSET, sizeof(e->tr));
    for (unsigned i = 0; i < p->l + p->k; i++, in += MLDSA_S_BYTES) {
        /* The key has been checked: every coefficient is in range. */
        (void)mldsa_unpack_s(f, &s, in);
        make_short(&e->s[i], &s);
    }
    for (unsigned i = 0; i < p->k; i++, in += MLDSA_T0_BYTES) {
        mldsa_unpack_t0(f, &e->t0_a[i], in);
        f->ntt(&e->t0_a[i]);
    }
    dkex_cleanse(&s, sizeof(s));
}

/*
 * A verdict of a kernel on a bound, made public. Whether an attempt is rejected, and in which
 * polynomial first, is no secret (Dilithium submission, section 5.5): for z the probability is the
 * same whatever the key and the challenge are, y being uniform; for w0 - c s2 it is so up to the
 * distribution of w0; c t0 depends on t0, which the security proof gives to the adversary.
 * Position, sign and value stay hidden.
 */
static int rejected(int verdict)
{
    DKEX_DECLASSIFY(&verdict, sizeof(verdict));
    return verdict;
}

/*
 * Lanes that one attempt would leave empty hash a second one, whether it is needed or not, where
 * both attempts' masks fill the lanes of one permutation: it costs less than the time it saves.
 */
static unsigned attempts_at_once(const struct mldsa_params *p, const struct mldsa_kernels *f)
{
    return f->keccak->count >= BATCH * p->l ? BATCH : 1;
}

/* Lines 11 to 14 of Algorithm 7 for attempt b of a batch: w = A y, and its high part encoded. */
static void commit(struct signer *t, const struct mldsa_params *p, const struct mldsa_kernels *f,
                   const struct mldsa_expanded_private *e, const uint8_t *mu, unsigned b)
{
    const struct mldsa_poly *row = e->t0_a + p->k;
    uint8_t *out = t->committed[b] + MLDSA_MU_BYTES;

    memcpy(t->committed[b], mu, MLDSA_MU_BYTES);
    for (unsigned i = 0; i < p->l; i++) {
        t->y_hat[i] = t->y[b * p->l + i];
        f->ntt(&t->y_hat[i]);
    }
    for (unsigned i = b * p->k; i < (b + 1) * p->k; i++, row += p->l) {
        f->dot(&t->w0[i], row, t->y_hat, p->l);
        f->invntt(&t->w0[i]);
        f->decompose(t->w1[i], &t->w0[i], p->gamma2);
        out += f->w1_encode(out, t->w1[i], p->gamma2);
    }
}

/* Lines 11 to 15: masks and commitments of a batch whose first attempt has the nonces from kappa.
 */
static void commit_batch(struct signer *t, const struct mldsa_params *p,
                         const struct mldsa_kernels *f, const struct mldsa_expanded_private *e,
                         const uint8_t *mu, uint16_t kappa, unsigned attempts)
{
    const size_t len = MLDSA_MU_BYTES + p->k * mldsa_w1_bytes(p); /* 832 or 1088 */

    dkex_mldsa_expand_mask(t->y, t->scratch, f, t->rho_pp, kappa, attempts * p->l, p->gamma1_bits);
    for (unsigned b = 0; b < attempts; b++)
        commit(t, p, f, e, mu, b);
    dkex_mldsa_shake256_lanes(t->ctilde[0], t->committed[0], COMMITTED_MAX_BYTES, len, f->keccak,
                              attempts);
}

/*
 * w0 - c s2, with |c s2| <= beta; 0 if rejected. Where |w0 - c s2| < gamma2 - beta it is the low
 * part of w - c s2, whose high part then is w1 still; and the other way round, for the low part
 * plus c s2 stays within gamma2. So this is FIPS 204's condition on LowBits(w - c s2). It fails
 * more often than the one on z, and comes first.
 */
static int subtract_cs2(struct mldsa_poly *w0, const struct mldsa_params *p,
                        const struct mldsa_kernels *f, const struct mldsa_challenge *c,
                        const struct mldsa_short *s2)
{
    struct mldsa_challenge negative = *c;

    for (unsigned i = 0; i < c->tau; i++)
        negative.exponent[i] ^= MLDSA_N; /* X^256 = -1 */
    for (unsigned i = 0; i < p->k; i++) {
        if (rejected(
                f->add_product(&w0[i], &w0[i], &negative, &s2[i], p->gamma2 - (int32_t)p->beta)))
            return 0;
    }
    return 1;
}

/* z = y + c s1 in place of y; 0 if rejected. */
static int compute_z(struct mldsa_poly *y, const struct mldsa_params *p,
                     const struct mldsa_kernels *f, const struct mldsa_challenge *c,
                     const struct mldsa_short *s1)
{
    for (unsigned i = 0; i < p->l; i++) {
        if (rejected(
                f->add_product(&y[i], &y[i], c, &s1[i], (1 << p->gamma1_bits) - (int32_t)p->beta)))
            return 0;
    }
    return 1;
}

/* The hints; 0 if rejected. |c t0| <= tau 2^12 < 2^18, so it comes out of invntt centred. */
static int make_hints(struct signer *t, const struct mldsa_params *p, const struct mldsa_kernels *f,
                      const struct mldsa_poly *t0, const struct mldsa_poly *w0,
                      const uint8_t w1[][MLDSA_N])
{
    unsigned count = 0;

    f->ntt(&t->c_hat);
    for (unsigned i = 0; i < p->k; i++) {
        f->dot(&t->product, &t->c_hat, &t0[i], 1);
        f->invntt(&t->product);
        if (rejected(f->exceeds(&t->product, p->gamma2)))
            return 0;
        for (unsigned j = 0; j < MLDSA_N; j++)
            t->product.c[j] += w0[i].c[j];
        count += f->make_hint(t->hints[i], &t->product, w1[i], p->gamma2);
    }
    DKEX_DECLASSIFY(&count, sizeof(count)); /* like the other conditions; see rejected */
    return count <= p->omega;
}

/* Lines 16 to 32 for attempt b of a batch: writes the signature and returns 1, or 0 if rejected. */
static int respond(struct signer *t, const struct mldsa_params *p, const struct mldsa_kernels *f,
                   uint8_t *sig, const struct mldsa_expanded_private *e, unsigned b)
{
    struct mldsa_poly *y = t->y + b * p->l, *w0 = t->w0 + b * p->k;
    uint8_t *out = sig + p->ctilde_len;
    struct mldsa_challenge c;

    DKEX_DECLASSIFY(t->ctilde[b], p->ctilde_len); /* of a rejected attempt too: see sample.h */
    dkex_mldsa_sample_in_ball(&c, p, t->ctilde[b]);
    if (!subtract_cs2(w0, p, f, &c, e->s + p->l) || !compute_z(y, p, f, &c, e->s))
        return 0;
    dkex_mldsa_challenge_poly(&t->c_hat, &c);
    if (!make_hints(t, p, f, e->t0_a, w0, (const uint8_t(*)[MLDSA_N])t->w1 + b * p->k))
        return 0;

    memcpy(sig, t->ctilde[b], p->ctilde_len);
    for (unsigned i = 0; i < p->l; i++, out += mldsa_z_bytes(p))
        mldsa_pack_z(f, out, &y[i], p->gamma1_bits);
    DKEX_DECLASSIFY(sig, (size_t)(out - sig)); /* accepted: the signature */
    DKEX_DECLASSIFY(t->hints, sizeof(t->hints));
    dkex_mldsa_hint_bit_pack(out, p, (const uint8_t(*)[MLDSA_HINT_BYTES])t->hints);
    return 1;
}

enum dkex_status dkex_mldsa_sign_expanded(const struct mldsa_params *p,
                                          const struct mldsa_kernels *f, uint8_t *sig,
                                          const struct mldsa_expanded_private *e, const uint8_t *mu,
                                          const uint8_t *rnd)
{
    const unsigned attempts = attempts_at_once(p, f); /* divides MAX_ATTEMPTS */
    int accepted = 0;
    struct signer t;

    dkex_keccak_init(&t.hash, SHAKE256_RATE);
    dkex_keccak_absorb(&t.hash, e->key, sizeof(e->key));
    dkex_keccak_absorb(&t.hash, rnd, MLDSA_RND_BYTES);
    dkex_keccak_absorb(&t.hash, mu, MLDSA_MU_BYTES);
    dkex_keccak_finish(&t.hash);
    dkex_keccak_squeeze(&t.hash, t.rho_pp, sizeof(t.rho_pp));

    for (unsigned first = 0; first < MAX_ATTEMPTS && !accepted; first += attempts) {
        commit_batch(&t, p, f, e, mu, (uint16_t)(first * p->l), attempts);
        for (unsigned b = 0; b < attempts && !accepted; b++)
            accepted = respond(&t, p, f, sig, e, b);
    }
    if (!accepted)
        dkex_cleanse(sig, p->sig_len);
    dkex_cleanse(&t, sizeof(t));
    dkex_burn_stack();
    return accepted ? DKEX_OK : DKEX_ERR_SIGNING;
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
