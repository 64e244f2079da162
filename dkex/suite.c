/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include <string.h>

#include "cpu.h"
#include "mldsa/mldsa.h"
#include "ring.h"
#include "sm3x.h"

struct backend {
    const char *cpu;
    enum dkex_cpu_feature needs;
    const struct dkex_ring *ring[DKEX_RINGS];
    const struct dkex_sm3x *sm3x;
    const struct mldsa_kernels *mldsa;
};

/* From slowest to fastest: "auto" takes the last that runs here. */
static const struct backend backends[] = {
    {"portable",
     DKEX_CPU_BASE,
     {&dkex_ring256_portable, &dkex_ring512_portable},
     &dkex_sm3x_portable,
     &dkex_mldsa_portable},
#if defined(__x86_64__)
    {"avx2",
     DKEX_CPU_AVX2,
     {&dkex_ring256_portable, &dkex_ring512_portable},
     &dkex_sm3x_avx2,
     &dkex_mldsa_avx2},
    {"avx512",
     DKEX_CPU_AVX512,
     {&dkex_ring256_portable, &dkex_ring512_portable},
     &dkex_sm3x_avx512,
     &dkex_mldsa_avx512},
#endif
};

enum { BACKENDS = sizeof(backends) / sizeof(backends[0]) };

enum dkex_status dkex_suite_bind(struct dkex_suite *suite, const struct dkex_params *params,
                                 const char *cpu)
{
    const struct backend *b = NULL;

    for (size_t i = 0; i < BACKENDS; i++) {
        if ((strcmp(cpu, "auto") == 0 || strcmp(cpu, backends[i].cpu) == 0) &&
            dkex_cpu_has(backends[i].needs))
            b = &backends[i];
    }
    if (b == NULL)
        return DKEX_ERR_UNAVAILABLE;

    suite->params = params;
    suite->cpu = b->cpu;
    suite->ring = b->ring[params->ring];
    suite->sm3x = b->sm3x;
    suite->mldsa = b->mldsa;
    return DKEX_OK;
}

const char *dkex_suite_cpu(size_t i)
{
    size_t runs = 0;

    for (size_t j = 0; j < BACKENDS; j++) {
        if (dkex_cpu_has(backends[j].needs) && runs++ == i)
            return backends[j].cpu;
    }
    return NULL;
}

void dkex_suite_use_libcrypto_sm3(struct dkex_suite *suite)
{
    suite->sm3x = &dkex_sm3x_portable;
}
