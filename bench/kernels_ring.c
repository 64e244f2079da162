/* SPDX-License-Identifier: Apache-2.0 */
/* The two rings, and the lattice core over them. */
#include "dke.h"
#include "kernels.h"

static const char *ring_label(const struct dkex_suite *suite)
{
    return suite->ring->name;
}

static const char *set_label(const struct dkex_suite *suite)
{
    return suite->params->name;
}

static unsigned ntt(struct kernel_data *d)
{
    d->suite.ring->ntt(d->ring.zero);
    return 1;
}

static unsigned dot(struct kernel_data *d)
{
    d->suite.ring->dot(d->ring.out, d->ring.ntt, d->ring.ntt, d->suite.params->k);
    return 1;
}

static unsigned dot_intt(struct kernel_data *d)
{
    d->suite.ring->dot_intt(d->ring.out, d->ring.ntt, d->ring.ntt, d->suite.params->k);
    return 1;
}

static unsigned add(struct kernel_data *d)
{
    d->suite.ring->add(d->ring.zero, d->ring.zero + DKEX_MAX_N);
    return 1;
}

static unsigned cbd(struct kernel_data *d)
{
    d->suite.ring->cbd(d->ring.out, d->random, d->suite.params->eta);
    return 1;
}

/* A first piece of the stream, as the sampling of the matrix has it. */
static unsigned uniform(struct kernel_data *d)
{
    d->suite.ring->uniform(d->ring.out, 0, d->random, d->suite.params->d_a == 12 ? 510 : 1008);
    return 1;
}

static unsigned pack_ntt(struct kernel_data *d)
{
    d->suite.ring->pack_ntt(d->bytes, d->ring.ntt);
    return 1;
}

static unsigned unpack_ntt(struct kernel_data *d)
{
    d->suite.ring->unpack_ntt(d->ring.out, d->ring.packed);
    return 1;
}

static unsigned compress(struct kernel_data *d)
{
    d->suite.ring->compress(d->bytes, d->ring.noise, d->suite.params->d_b);
    return 1;
}

static unsigned decompress(struct kernel_data *d)
{
    d->suite.ring->decompress(d->ring.out, d->random, d->suite.params->d_b);
    return 1;
}

static unsigned signal(struct kernel_data *d)
{
    d->suite.ring->signal(d->bytes, d->dke.raw, d->ring.noise, d->random,
                          d->suite.params->signal_bits);
    return 1;
}

static unsigned reconcile(struct kernel_data *d)
{
    d->suite.ring->reconcile(d->dke.raw, d->ring.noise, d->random, d->suite.params->signal_bits);
    return 1;
}

/* `ntt` holds whole polynomials, `noise` small ones, `packed` what unpacks. */
static void prepare_ring(struct kernel_data *d)
{
    const struct dkex_params *p = d->suite.params;
    const struct dkex_ring *ring = d->suite.ring;

    for (unsigned i = 0; i < p->k; i++) {
        int16_t *r = d->ring.ntt + i * p->n;
        unsigned have = 0;

        for (unsigned at = 0; have < p->n; at += 168)
            have = ring->uniform(r, have, d->random + at, 168);
        ring->cbd(d->ring.noise + i * p->n, d->random + 512 * i, p->eta);
    }
    ring->pack_ntt(d->ring.packed, d->ring.ntt);
}

static const struct kernel ring_rows[] = {
    {"ntt", ntt},           {"dot", dot},
    {"dot_intt", dot_intt}, {"add", add},
    {"cbd", cbd},           {"uniform", uniform},
    {"pack_ntt", pack_ntt}, {"unpack_ntt", unpack_ntt},
    {"compress", compress}, {"decompress", decompress},
    {"signal", signal},     {"reconcile", reconcile},
};

const struct kernel_group kernel_group_ring = {
    .label = ring_label,
    .sets = 1u << 0 | 1u << 2,
    .prepare = prepare_ring,
    .kernels = ring_rows,
    .count = KERNEL_COUNT(ring_rows),
};

static unsigned keygen(struct kernel_data *d)
{
    d->failed |=
        dkex_dke_keygen(&d->suite, &d->sm3, d->dke.m1, d->dke.ephemeral, d->random) != DKEX_OK;
    return 1;
}

static unsigned respond(struct kernel_data *d)
{
    d->failed |= dkex_dke_respond(&d->suite, &d->sm3, d->dke.ct, d->dke.raw, d->dke.m1,
                                  d->random + 64) != DKEX_OK;
    return 1;
}

static unsigned finish(struct kernel_data *d)
{
    dkex_dke_finish(&d->suite, d->dke.raw, d->dke.ephemeral, d->dke.ct);
    return 1;
}

/* Each row's input comes from the one before. */
static void prepare_dke(struct kernel_data *d)
{
    keygen(d);
    respond(d);
}

static const struct kernel dke_rows[] = {
    {"keygen", keygen},
    {"respond", respond},
    {"finish", finish},
};

const struct kernel_group kernel_group_dke = {
    .label = set_label,
    .sets = 1u << 0 | 1u << 1 | 1u << 2,
    .prepare = prepare_dke,
    .kernels = dke_rows,
    .count = KERNEL_COUNT(dke_rows),
};
