/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels that dkex-kernels times: tables of rows, one a kernel. */
#ifndef BENCH_KERNELS_H
#define BENCH_KERNELS_H

#include <stdalign.h>

#include "mldsa/expand.h"
#include "mldsa/keccak_lanes.h"
#include "mldsa/sample.h"
#include "params.h"
#include "ring.h"
#include "sm3.h"
#include "suite.h"

/*
 * What the rows work on. In-place kernels have zeros for input, which stay within the kernel's
 * range however often it runs; its time does not depend on them. The others have random data.
 */
struct kernel_data {
    struct dkex_suite suite;
    const struct mldsa_params *mldsa; /* of the suite */
    struct dkex_sm3 sm3;
    int failed;      /* a row saw a status other than DKEX_OK */
    uint64_t serial; /* counts calls: another message each */

    uint8_t random[16 * 1024]; /* never written */
    uint8_t bytes[64 * 1024];  /* output */

    struct {
        alignas(64) int16_t zero[DKEX_MAX_N];                                 /* in place */
        int16_t noise[DKEX_MAX_K * DKEX_MAX_N], ntt[DKEX_MAX_K * DKEX_MAX_N]; /* input */
        int16_t out[DKEX_MAX_K * DKEX_MAX_N];
        uint8_t packed[DKEX_POLY_MAX_BYTES];
    } ring;

    struct {
        alignas(64) uint64_t lanes[KECCAK_WORDS * KECCAK_MAX_LANES];
        alignas(64) struct mldsa_poly zero;                                           /* in place */
        struct mldsa_poly a[MLDSA_MAX_K * MLDSA_MAX_L], s[MLDSA_MAX_L + MLDSA_MAX_K]; /* input */
        struct mldsa_poly out[MLDSA_MAX_K * MLDSA_MAX_L];
        struct mldsa_short short_poly;
        struct mldsa_challenge challenge;
        uint8_t w1[MLDSA_N], hint[MLDSA_HINT_BYTES]; /* input */
        uint8_t pk[DKEX_MAX_PUB_BYTES], sk[DKEX_MAX_PRIV_BYTES];
        uint8_t mu[MLDSA_MU_BYTES], sig[MLDSA_MAX_SIG_BYTES];
        struct mldsa_expanded_private private_key;
        struct mldsa_expanded_public public_key;
    } dsa;

    struct {
        uint8_t m1[DKEX_MAX_M1_BYTES], ct[DKEX_MAX_M2_BYTES];
        uint8_t ephemeral[DKEX_MAX_EPHEMERAL_BYTES], raw[DKEX_MAX_SECRET_BYTES];
    } dke;
};

/* A row. run works on data in a way that may be repeated, and returns how many units of work that
 * was, one call as a rule. */
struct kernel {
    const char *name;
    unsigned (*run)(struct kernel_data *d);
};

/* A table and what it is timed for. */
struct kernel_group {
    const char *(*label)(const struct dkex_suite *suite);
    unsigned sets; /* bits: the parameter sets that it is bound to in turn */
    void (*prepare)(struct kernel_data *d); /* fills the inputs from d->random; may be NULL */
    const struct kernel *kernels;
    size_t count;
};

extern const struct kernel_group kernel_group_sm3x, kernel_group_keccak, kernel_group_mldsa,
    kernel_group_ring, kernel_group_dke;

#define KERNEL_COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

#endif
