/* SPDX-License-Identifier: Apache-2.0 */
#include "dke.h"

#include <stdalign.h>

#include "ct.h"
#include "ring.h"
#include "sample.h"
#include "sm3.h"

enum {
    MAX_VEC = DKEX_MAX_K * DKEX_MAX_N,
    MAX_MAT = DKEX_MAX_K * MAX_VEC,
    MAX_SEED_BYTES = 64,
};

/* Bytes of an uncompressed and of a compressed polynomial. */
static size_t poly_len(const struct dkex_params *p)
{
    return p->n * p->d_a / 8;
}

static size_t compressed_len(const struct dkex_params *p)
{
    return p->n * p->d_b / 8;
}

static int unpack_vec(const struct dkex_suite *suite, int16_t *v, const uint8_t *in)
{
    const struct dkex_params *p = suite->params;
    int valid = 1;

    for (unsigned i = 0; i < p->k; i++)
        valid &= suite->ring->unpack_ntt(v + i * p->n, in + i * poly_len(p));
    return valid;
}

enum dkex_status dkex_dke_keygen(const struct dkex_suite *suite, struct dkex_sm3 *s, uint8_t *m1,
                                 uint8_t *sk, const uint8_t *coins)
{
    const struct dkex_params *p = suite->params;
    const struct dkex_ring *ring = suite->ring;
    const unsigned n = p->n, k = p->k;
    alignas(DKEX_ALIGN) int16_t mat[MAX_MAT]; /* public */
    struct {
        alignas(DKEX_ALIGN) int16_t s_e[2 * MAX_VEC]; /* s, then e */
        alignas(DKEX_ALIGN) int16_t p_i[DKEX_MAX_N];
        uint8_t seeds[2 * MAX_SEED_BYTES]; /* rho || sigma */
    } t;
    uint8_t *rho = m1 + k * poly_len(p);
    enum dkex_status status;

    if ((status = dkex_sm3_xof(s, t.seeds, 2 * p->seed_len, coins, p->seed_len)) != DKEX_OK)
        goto out;
    memcpy(rho, t.seeds, p->seed_len);
    DKEX_DECLASSIFY(rho, p->seed_len); /* sent in m1 */
    if ((status = dkex_sample_matrix(suite, s, mat, rho, 0)) != DKEX_OK ||
        (status = dkex_sample_noise(suite, s, t.s_e, t.seeds + p->seed_len, 2 * k)) != DKEX_OK)
        goto out;

    for (unsigned i = 0; i < 2 * k; i++)
        ring->ntt(t.s_e + i * n);
    for (unsigned i = 0; i < k; i++) {
        ring->dot(t.p_i, mat + i * k * n, t.s_e, k);
        ring->add(t.p_i, t.s_e + (k + i) * n);
        ring->pack_ntt(m1 + i * poly_len(p), t.p_i);
        ring->pack_ntt(sk + i * poly_len(p), t.s_e + i * n);
    }
    DKEX_DECLASSIFY(m1, p->m1_len); /* the message */
out:
    if (status != DKEX_OK) {
        dkex_cleanse(m1, p->m1_len);
        dkex_cleanse(sk, p->ephemeral_len);
    }
    dkex_cleanse(&t, sizeof(t));
    dkex_burn_deep_stack();
    dkex_sm3_wipe(s);
    return status;
}

enum dkex_status dkex_dke_respond(const struct dkex_suite *suite, struct dkex_sm3 *s, uint8_t *ct,
                                  uint8_t *raw, const uint8_t *m1, const uint8_t *coins)
{
    const struct dkex_params *p = suite->params;
    const struct dkex_ring *ring = suite->ring;
    const unsigned n = p->n, k = p->k;
    const uint8_t *rho = m1 + k * poly_len(p), *dither = coins + p->seed_len;
    alignas(DKEX_ALIGN) int16_t mat[MAX_MAT], p_vec[MAX_VEC]; /* public */
    struct {
        alignas(DKEX_ALIGN) int16_t noise[2 * MAX_VEC + DKEX_MAX_N]; /* s, e_i, e */
        alignas(DKEX_ALIGN) int16_t u[DKEX_MAX_N];
    } t;
    enum dkex_status status = DKEX_ERR_MALFORMED;

    if (!unpack_vec(suite, p_vec, m1))
        goto out;
    if ((status = dkex_sample_matrix(suite, s, mat, rho, 1)) != DKEX_OK ||
        (status = dkex_sample_noise(suite, s, t.noise, coins, 2 * k + 1)) != DKEX_OK)
        goto out;

    for (unsigned i = 0; i < k; i++)
        ring->ntt(t.noise + i * n);
    for (unsigned i = 0; i < k; i++) {
        ring->dot_intt(t.u, mat + i * k * n, t.noise, k);
        ring->add(t.u, t.noise + (k + i) * n);
        ring->compress(ct + i * compressed_len(p), t.u, p->d_b);
    }
    ring->dot_intt(t.u, p_vec, t.noise, k);
    ring->add(t.u, t.noise + 2 * k * n);
    ring->signal(ct + k * compressed_len(p), raw, t.u, dither, p->signal_bits);
    DKEX_DECLASSIFY(ct, p->ct_len); /* the message */
out:
    if (status != DKEX_OK) {
        dkex_cleanse(ct, p->ct_len);
        dkex_cleanse(raw, p->n_len);
    }
    dkex_cleanse(&t, sizeof(t));
    dkex_burn_deep_stack();
    dkex_sm3_wipe(s);
    return status;
}

void dkex_dke_finish(const struct dkex_suite *suite, uint8_t *raw, const uint8_t *sk,
                     const uint8_t *ct)
{
    const struct dkex_params *p = suite->params;
    const struct dkex_ring *ring = suite->ring;
    alignas(DKEX_ALIGN) int16_t u[MAX_VEC]; /* public */
    struct {
        alignas(DKEX_ALIGN) int16_t sk[MAX_VEC];
        alignas(DKEX_ALIGN) int16_t v[DKEX_MAX_N];
    } t;

    /* keygen wrote sk: every coefficient is below q. */
    (void)unpack_vec(suite, t.sk, sk);
    for (unsigned i = 0; i < p->k; i++) {
        ring->decompress(u + i * p->n, ct + i * compressed_len(p), p->d_b);
        ring->ntt(u + i * p->n);
    }
    ring->dot_intt(t.v, t.sk, u, p->k);
    ring->reconcile(raw, t.v, ct + p->k * compressed_len(p), p->signal_bits);
    dkex_cleanse(&t, sizeof(t));
    dkex_burn_deep_stack();
}

enum dkex_status dkex_dke_check_secret(const struct dkex_suite *suite, const uint8_t *sk)
{
    alignas(DKEX_ALIGN) int16_t v[MAX_VEC];
    int valid = unpack_vec(suite, v, sk);

    DKEX_DECLASSIFY(&valid, sizeof(valid)); /* the verdict on a key from outside */
    dkex_cleanse(v, sizeof(v));
    return valid ? DKEX_OK : DKEX_ERR_MALFORMED;
}
