/* SPDX-License-Identifier: Apache-2.0 */
/* Everything here is public: branches and early returns are fine. */
#include "mldsa.h"

#include <string.h>

#include "expand.h"
#include "keccak.h"
#include "pack.h"
#include "sample.h"

size_t dkex_mldsa_expanded_public_len(const struct mldsa_params *p)
{
    return offsetof(struct mldsa_expanded_public, t1_a) +
           p->k * (1 + p->l) * sizeof(struct mldsa_poly);
}

void dkex_mldsa_expand_public(struct mldsa_expanded_public *e, const struct mldsa_params *p,
                              const struct mldsa_kernels *f, const uint8_t *pk)
{
    const uint8_t *in = pk + MLDSA_RHO_BYTES;
    struct mldsa_poly *t1 = e->t1_a;

    dkex_mldsa_tr(p, e->tr, pk);
    dkex_mldsa_expand_a(e->t1_a + p->k, p, f, pk);
    for (unsigned i = 0; i < p->k; i++, in += MLDSA_T1_BYTES) {
        mldsa_unpack_t1(f, &t1[i], in);
        for (unsigned j = 0; j < MLDSA_N; j++)
            t1[i].c[j] *= 1 << MLDSA_D; /* at most 1023 * 2^13 = q - 1 */
        f->ntt(&t1[i]);
    }
}

/* z of the signature in the NTT domain; 0 if a coefficient reaches gamma1 - beta. */
static int unpack_z(struct mldsa_poly *z, const struct mldsa_params *p,
                    const struct mldsa_kernels *f, const uint8_t *in)
{
    const int32_t bound = (1 << p->gamma1_bits) - (int32_t)p->beta;

    for (unsigned i = 0; i < p->l; i++) {
        mldsa_unpack_z(f, &z[i], in + i * mldsa_z_bytes(p), p->gamma1_bits);
        if (f->exceeds(&z[i], bound))
            return 0;
        f->ntt(&z[i]);
    }
    return 1;
}

/*
 * The same residue, reduced, for |a| < 2q: t = round(a / 2^23) is -2..2 and within 1/2 of
 * a / 2^23, and 2^23 - q = 8191, so |a - t q| <= 2^22 + 2 * 8191 < q.
 */
static inline int32_t reduce(int32_t a)
{
    return a - ((a + (1 << 22)) >> 23) * MLDSA_Q;
}

/* Row i of w1' = UseHint(h, A z - c t1 2^d), encoded; returns its length. */
static size_t recover_w1(uint8_t *out, const struct mldsa_params *p, const struct mldsa_kernels *f,
                         const struct mldsa_expanded_public *e, unsigned i,
                         const struct mldsa_poly *z_hat, const struct mldsa_poly *c_hat,
                         const uint8_t hint[MLDSA_HINT_BYTES])
{
    struct mldsa_poly w, ct1;
    uint8_t w1[MLDSA_N];

    f->dot(&w, e->t1_a + p->k + (size_t)i * p->l, z_hat, p->l);
    f->dot(&ct1, c_hat, &e->t1_a[i], 1);
    for (unsigned j = 0; j < MLDSA_N; j++)
        w.c[j] = reduce(w.c[j] - ct1.c[j]);
    f->invntt(&w);
    f->use_hint(w1, &w, hint, p->gamma2);
    return f->w1_encode(out, w1, p->gamma2);
}

enum dkex_status dkex_mldsa_verify_expanded(const struct mldsa_params *p,
                                            const struct mldsa_kernels *f,
                                            const struct mldsa_expanded_public *e,
                                            const uint8_t *mu, const uint8_t *sig)
{
    const uint8_t *z_in = sig + p->ctilde_len;
    const uint8_t *hints_in = z_in + p->l * mldsa_z_bytes(p);
    struct mldsa_poly z[MLDSA_MAX_L], c;
    uint8_t hints[MLDSA_MAX_K][MLDSA_HINT_BYTES], w1[MLDSA_MAX_W1_BYTES], ctilde[64];
    struct mldsa_challenge challenge;
    struct keccak k;

    if (!dkex_mldsa_hint_bit_unpack(hints, p, hints_in) || !unpack_z(z, p, f, z_in))
        return DKEX_ERR_SIGNATURE;

    dkex_mldsa_sample_in_ball(&challenge, p, sig);
    dkex_mldsa_challenge_poly(&c, &challenge);
    f->ntt(&c);
    dkex_keccak_init(&k, SHAKE256_RATE);
    dkex_keccak_absorb(&k, mu, MLDSA_MU_BYTES);
    for (unsigned i = 0; i < p->k; i++) {
        size_t len = recover_w1(w1, p, f, e, i, z, &c, hints[i]);

        dkex_keccak_absorb(&k, w1, len);
    }
    dkex_keccak_finish(&k);
    dkex_keccak_squeeze(&k, ctilde, p->ctilde_len);
    return memcmp(ctilde, sig, p->ctilde_len) == 0 ? DKEX_OK : DKEX_ERR_SIGNATURE;
}

enum dkex_status dkex_mldsa_verify(const struct mldsa_params *p, const struct mldsa_kernels *f,
                                   const uint8_t *pk, const uint8_t *mu, const uint8_t *sig)
{
    struct mldsa_expanded_public e;

    dkex_mldsa_expand_public(&e, p, f, pk);
    return dkex_mldsa_verify_expanded(p, f, &e, mu, sig);
}
