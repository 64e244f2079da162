/* SPDX-License-Identifier: Apache-2.0 */
/* ML-DSA. */
#include <string.h>

#include "kernels.h"
#include "mldsa/pack.h"

static const char *label(const struct dkex_suite *suite)
{
    return suite->params->mldsa->name;
}

static unsigned ntt(struct kernel_data *d)
{
    d->suite.mldsa->ntt(&d->dsa.zero);
    return 1;
}

static unsigned invntt(struct kernel_data *d)
{
    d->suite.mldsa->invntt(&d->dsa.zero);
    return 1;
}

/* A row of A-hat. */
static unsigned dot(struct kernel_data *d)
{
    d->suite.mldsa->dot(d->dsa.out, d->dsa.a, d->dsa.a, d->mldsa->l);
    return 1;
}

static unsigned add_product(struct kernel_data *d)
{
    d->suite.mldsa->add_product(d->dsa.out, d->dsa.s, &d->dsa.challenge, &d->dsa.short_poly,
                                d->mldsa->gamma2);
    return 1;
}

static unsigned rej_ntt(struct kernel_data *d)
{
    d->suite.mldsa->rej_ntt(d->dsa.out, 0, d->random, 5 * 168);
    return 1;
}

static unsigned rej_bounded(struct kernel_data *d)
{
    d->suite.mldsa->rej_bounded(d->dsa.out, 0, d->random, 136);
    return 1;
}

static unsigned exceeds(struct kernel_data *d)
{
    d->suite.mldsa->exceeds(d->dsa.s, d->mldsa->gamma2);
    return 1;
}

static unsigned power2round(struct kernel_data *d)
{
    d->suite.mldsa->power2round(d->dsa.out, d->dsa.out + 1, d->dsa.a);
    return 1;
}

static unsigned decompose(struct kernel_data *d)
{
    d->suite.mldsa->decompose(d->bytes, &d->dsa.zero, d->mldsa->gamma2);
    return 1;
}

static unsigned make_hint(struct kernel_data *d)
{
    d->suite.mldsa->make_hint(d->bytes, d->dsa.s, d->dsa.w1, d->mldsa->gamma2);
    return 1;
}

static unsigned use_hint(struct kernel_data *d)
{
    d->suite.mldsa->use_hint(d->bytes, d->dsa.a, d->dsa.hint, d->mldsa->gamma2);
    return 1;
}

static unsigned pack_s(struct kernel_data *d)
{
    mldsa_pack_s(d->suite.mldsa, d->bytes, d->dsa.s);
    return 1;
}

static unsigned unpack_s(struct kernel_data *d)
{
    mldsa_unpack_s(d->suite.mldsa, d->dsa.out, d->random);
    return 1;
}

static unsigned pack_z(struct kernel_data *d)
{
    mldsa_pack_z(d->suite.mldsa, d->bytes, d->dsa.s, d->mldsa->gamma1_bits);
    return 1;
}

static unsigned unpack_z(struct kernel_data *d)
{
    mldsa_unpack_z(d->suite.mldsa, d->dsa.out, d->random, d->mldsa->gamma1_bits);
    return 1;
}

static unsigned pack_t0(struct kernel_data *d)
{
    mldsa_pack_t0(d->suite.mldsa, d->bytes, d->dsa.s);
    return 1;
}

static unsigned unpack_t0(struct kernel_data *d)
{
    mldsa_unpack_t0(d->suite.mldsa, d->dsa.out, d->random);
    return 1;
}

static unsigned unpack_t1(struct kernel_data *d)
{
    mldsa_unpack_t1(d->suite.mldsa, d->dsa.out, d->random);
    return 1;
}

static unsigned w1_encode(struct kernel_data *d)
{
    d->suite.mldsa->w1_encode(d->bytes, d->dsa.w1, d->mldsa->gamma2);
    return 1;
}

static unsigned expand_a(struct kernel_data *d)
{
    dkex_mldsa_expand_a(d->dsa.out, d->mldsa, d->suite.mldsa, d->random);
    return 1;
}

static unsigned expand_s(struct kernel_data *d)
{
    dkex_mldsa_expand_s(d->dsa.out, d->suite.mldsa, d->random, d->mldsa->l + d->mldsa->k);
    return 1;
}

static unsigned expand_mask(struct kernel_data *d)
{
    dkex_mldsa_expand_mask(d->dsa.out, d->bytes, d->suite.mldsa, d->random, 0, d->mldsa->l,
                           d->mldsa->gamma1_bits);
    return 1;
}

static unsigned sample_in_ball(struct kernel_data *d)
{
    dkex_mldsa_sample_in_ball(&d->dsa.challenge, d->mldsa, d->random);
    return 1;
}

static unsigned keygen(struct kernel_data *d)
{
    uint8_t *pk = d->bytes, *sk = d->bytes + DKEX_MAX_PUB_BYTES;

    dkex_mldsa_keygen(d->mldsa, d->suite.mldsa, pk, sk, d->random);
    return 1;
}

static unsigned expand_private(struct kernel_data *d)
{
    dkex_mldsa_expand_private(&d->dsa.private_key, d->mldsa, d->suite.mldsa, d->dsa.sk);
    return 1;
}

static unsigned expand_public(struct kernel_data *d)
{
    dkex_mldsa_expand_public(&d->dsa.public_key, d->mldsa, d->suite.mldsa, d->dsa.pk);
    return 1;
}

/* Another message each time, since the number of attempts depends on it. */
static const uint8_t *next_mu(struct kernel_data *d)
{
    memcpy(d->dsa.mu, &d->serial, sizeof(d->serial));
    d->serial++;
    return d->dsa.mu;
}

static unsigned sign(struct kernel_data *d)
{
    d->failed |= dkex_mldsa_sign(d->mldsa, d->suite.mldsa, d->bytes, d->dsa.sk, next_mu(d),
                                 d->random) != DKEX_OK;
    return 1;
}

static unsigned sign_expanded(struct kernel_data *d)
{
    d->failed |= dkex_mldsa_sign_expanded(d->mldsa, d->suite.mldsa, d->bytes, &d->dsa.private_key,
                                          next_mu(d), d->random) != DKEX_OK;
    return 1;
}

static unsigned verify(struct kernel_data *d)
{
    d->failed |=
        dkex_mldsa_verify(d->mldsa, d->suite.mldsa, d->dsa.pk, d->dsa.mu, d->dsa.sig) != DKEX_OK;
    return 1;
}

static unsigned verify_expanded(struct kernel_data *d)
{
    d->failed |= dkex_mldsa_verify_expanded(d->mldsa, d->suite.mldsa, &d->dsa.public_key, d->dsa.mu,
                                            d->dsa.sig) != DKEX_OK;
    return 1;
}

static void prepare(struct kernel_data *d)
{
    dkex_mldsa_expand_a(d->dsa.a, d->mldsa, d->suite.mldsa, d->random);
    dkex_mldsa_expand_s(d->dsa.s, d->suite.mldsa, d->random, d->mldsa->l + d->mldsa->k);
    dkex_mldsa_sample_in_ball(&d->dsa.challenge, d->mldsa, d->random);
    for (unsigned i = 0; i < MLDSA_N; i++)
        d->dsa.w1[i] = d->random[i] & 15;
    memcpy(d->dsa.hint, d->random, sizeof(d->dsa.hint));
    dkex_mldsa_keygen(d->mldsa, d->suite.mldsa, d->dsa.pk, d->dsa.sk, d->random);
    expand_private(d);
    expand_public(d);
    d->failed |= dkex_mldsa_sign(d->mldsa, d->suite.mldsa, d->dsa.sig, d->dsa.sk, d->dsa.mu,
                                 d->random) != DKEX_OK;
}

static const struct kernel rows[] = {
    {"ntt", ntt},
    {"invntt", invntt},
    {"dot", dot},
    {"add_product", add_product},
    {"rej_ntt", rej_ntt},
    {"rej_bounded", rej_bounded},
    {"exceeds", exceeds},
    {"power2round", power2round},
    {"decompose", decompose},
    {"make_hint", make_hint},
    {"use_hint", use_hint},
    {"pack_s", pack_s},
    {"unpack_s", unpack_s},
    {"pack_z", pack_z},
    {"unpack_z", unpack_z},
    {"pack_t0", pack_t0},
    {"unpack_t0", unpack_t0},
    {"unpack_t1", unpack_t1},
    {"w1_encode", w1_encode},
    {"expand_a", expand_a},
    {"expand_s", expand_s},
    {"expand_mask", expand_mask},
    {"sample_in_ball", sample_in_ball},
    {"keygen", keygen},
    {"expand_private", expand_private},
    {"expand_public", expand_public},
    {"sign", sign},
    {"sign_expanded", sign_expanded},
    {"verify", verify},
    {"verify_expanded", verify_expanded},
};

const struct kernel_group kernel_group_mldsa = {
    .label = label,
    .sets = 1u << 0 | 1u << 1,
    .prepare = prepare,
    .kernels = rows,
    .count = KERNEL_COUNT(rows),
};
