/* SPDX-License-Identifier: Apache-2.0 */
/* The ML-DSA kernels of every backend that this machine runs. */
#ifndef TEST_MLDSA_backend_count_H
#define TEST_MLDSA_backend_count_H

#include "mldsa/kernels.h"
#include "suite.h"

enum { MAX_BACKENDS = 8 };

static const struct mldsa_kernels *backends[MAX_BACKENDS];
static unsigned backend_count;

/* cmocka calls this before a program's tests. */
static inline int backends_setup(void **state)
{
    struct dkex_suite suite;

    (void)state;
    for (backend_count = 0; dkex_suite_cpu(backend_count) != NULL; backend_count++) {
        assert_in_range(backend_count, 0, MAX_BACKENDS - 1);
        assert_int_equal(dkex_suite_bind(&suite, &dkex_params[0], dkex_suite_cpu(backend_count)),
                         DKEX_OK);
        backends[backend_count] = suite.mldsa;
    }
    return 0;
}

#endif
