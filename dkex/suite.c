/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include <string.h>

#include "mldsa/mldsa.h"
#include "ring.h"
#include "sm3x.h"

struct backend {
    const char *cpu;
    const struct dkex_ring *ring[DKEX_RINGS];
    const struct dkex_sm3x *sm3x;
    const struct mldsa_kernels *mldsa;
};

/* From slowest to fastest: "auto" takes the last. */
static const struct backend backends[] = {
    {"portable", {&dkex_ring256, &dkex_ring512}, &dkex_sm3x_portable, &dkex_mldsa_portable},
};

enum { BACKENDS = sizeof(backends) / sizeof(backends[0]) };

enum dkex_status dkex_suite_bind(struct dkex_suite *suite, const struct dkex_params *params,
                                 const char *cpu)
{
    const struct backend *b = NULL;

    for (size_t i = 0; i < BACKENDS; i++) {
        if (strcmp(cpu, "auto") == 0 || strcmp(cpu, backends[i].cpu) == 0)
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
    return i < BACKENDS ? backends[i].cpu : NULL;
}
