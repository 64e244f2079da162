/* SPDX-License-Identifier: Apache-2.0 */
/* The parameter sets: three rows of one table. */
#ifndef DKEX_PARAMS_H
#define DKEX_PARAMS_H

#include "dkex.h"

struct mldsa_params;

enum dkex_ring_id { DKEX_RING256 = 0, DKEX_RING512, DKEX_RINGS };

enum { DKEX_SETS = 3, DKEX_LABEL_BYTES = 16, DKEX_MAX_K = 4 };

/* Lengths in bytes unless they say bits. */
struct dkex_params {
    const char *name;       /* "DKEX-128" */
    unsigned bits;          /* 128, 256, 512: the number in the name and the claimed strength */
    unsigned security_bits; /* what ML-DSA and the random generator support of it */
    enum dkex_ring_id ring;
    unsigned n, q;        /* of that ring */
    unsigned k;           /* module rank */
    unsigned eta;         /* centred binomial noise */
    unsigned d_a;         /* bits of an uncompressed coefficient */
    unsigned d_b;         /* bits of a coefficient of the reply */
    unsigned signal_bits; /* L */
    size_t seed_len;      /* S */
    size_t n_len;         /* N = n/8: raw, T and secret */
    size_t m1_len, ct_len, m2_len, m3_len, ephemeral_len;
    size_t pub_len, priv_len; /* identity key, FIPS 204 encodings */
    const struct mldsa_params *mldsa;
    char labels[2 * DKEX_LABEL_BYTES + 1]; /* labelA || labelB, padded; the last byte unused */
};

/* DKEX-128, -256, -512. */
extern const struct dkex_params dkex_params[DKEX_SETS];

/* The row of "128" or "DKEX-128"; NULL for any other word. */
const struct dkex_params *dkex_params_find(const char *name);

#endif
