/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A parameter set bound to the kernels of one instruction set.
 *
 * Backends are rows of a table in suite.c, the portable one first. Every backend gives
 * byte-identical results; which one runs is an argument, bound once, so that tests and benchmarks
 * can loop over all of them in one process.
 */
#ifndef DKEX_SUITE_H
#define DKEX_SUITE_H

#include "params.h"

struct dkex_ring;
struct dkex_sm3x;
struct mldsa_kernels;

struct dkex_suite {
    const struct dkex_params *params;
    const char *cpu; /* "portable", "avx2", "avx512" */
    const struct dkex_ring *ring;
    const struct dkex_sm3x *sm3x;
    const struct mldsa_kernels *mldsa;
};

/*
 * Binds params to the backend named cpu; "auto" is the fastest that this machine runs.
 * DKEX_ERR_UNAVAILABLE for any name that this build or this machine does not have.
 */
DKEX_MUST_CHECK enum dkex_status dkex_suite_bind(struct dkex_suite *suite,
                                                 const struct dkex_params *params, const char *cpu);

/* The name of the i-th backend that this machine runs, the portable one first; NULL past the
 * last. */
const char *dkex_suite_cpu(size_t i);

/* Sends all of the suite's SM3 to libcrypto, the matrix and the noise too. */
void dkex_suite_use_libcrypto_sm3(struct dkex_suite *suite);

#endif
