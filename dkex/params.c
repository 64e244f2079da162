/* SPDX-License-Identifier: Apache-2.0 */
#include "params.h"

#include <string.h>

#include "mldsa/mldsa.h"

/* Every length follows from the numbers of the set: m1 is the packed vector and a seed, ct the
 * compressed vector and the signal, sk_e the packed vector. */
#define LENGTHS(n_, k_, d_a_, d_b_, l_, seed_, sig_)                                               \
    .seed_len = (seed_), .n_len = (n_) / 8, .m1_len = (k_) * (n_) * (d_a_) / 8 + (seed_),          \
    .ct_len = (k_) * (n_) * (d_b_) / 8 + (n_) * (l_) / 8,                                          \
    .m2_len = (k_) * (n_) * (d_b_) / 8 + (n_) * (l_) / 8 + (sig_), .m3_len = (sig_),               \
    .ephemeral_len = (k_) * (n_) * (d_a_) / 8

const struct dkex_params dkex_params[DKEX_SETS] = {
    {
        .name = "DKEX-128",
        .bits = 128,
        .security_bits = 128,
        .ring = DKEX_RING256,
        .n = 256,
        .q = 3329,
        .k = 2,
        .eta = 3,
        .d_a = 12,
        .d_b = 10,
        .signal_bits = 4,
        LENGTHS(256, 2, 12, 10, 4, 32, 2420),
        .pub_len = 1312,
        .priv_len = 2560,
        .mldsa = &dkex_mldsa44,
        .labels = "DKEX-KSIG-128-A\0DKEX-KSIG-128-B",
    },
    {
        .name = "DKEX-256",
        .bits = 256,
        .security_bits = 256,
        .ring = DKEX_RING256,
        .n = 256,
        .q = 3329,
        .k = 4,
        .eta = 2,
        .d_a = 12,
        .d_b = 11,
        .signal_bits = 5,
        LENGTHS(256, 4, 12, 11, 5, 32, 4627),
        .pub_len = 2592,
        .priv_len = 4896,
        .mldsa = &dkex_mldsa87,
        .labels = "DKEX-KSIG-256-A\0DKEX-KSIG-256-B",
    },
    {
        .name = "DKEX-512",
        .bits = 512,
        .security_bits = 256,
        .ring = DKEX_RING512,
        .n = 512,
        .q = 7681,
        .k = 4,
        .eta = 3,
        .d_a = 13,
        .d_b = 11,
        .signal_bits = 4,
        LENGTHS(512, 4, 13, 11, 4, 64, 4627),
        .pub_len = 2592,
        .priv_len = 4896,
        .mldsa = &dkex_mldsa87,
        .labels = "DKEX-KSIG-512-A\0DKEX-KSIG-512-B",
    },
};

const struct dkex_params *dkex_params_find(const char *name)
{
    static const char prefix[] = "DKEX-";

    for (size_t i = 0; i < DKEX_SETS; i++) {
        const char *full = dkex_params[i].name;

        if (strcmp(name, full) == 0 || strcmp(name, full + sizeof(prefix) - 1) == 0)
            return &dkex_params[i];
    }
    return NULL;
}
