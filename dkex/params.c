/* SPDX-License-Identifier: Apache-2.0 */
#include "params.h"

#include <string.h>

#include "mldsa/mldsa.h"

/*
 * A row from the numbers that define a set; every length follows: m1 is the packed vector and a
 * seed, ct the compressed vector and the signal, sk_e the packed vector. ML-DSA's lengths are those
 * of FIPS 204, Table 2.
 */
#define SET(bits_, security_, n_, q_, k_, eta_, d_a_, d_b_, l_, seed_, mldsa_, pub_, priv_, sig_)  \
    {                                                                                              \
        .name = "DKEX-" #bits_, .bits = (bits_), .security_bits = (security_),                     \
        .ring = DKEX_RING##n_, .n = (n_), .q = (q_), .k = (k_), .eta = (eta_), .d_a = (d_a_),      \
        .d_b = (d_b_), .signal_bits = (l_), .seed_len = (seed_), .n_len = (n_) / 8,                \
        .m1_len = (k_) * (n_) * (d_a_) / 8 + (seed_),                                              \
        .ct_len = (k_) * (n_) * (d_b_) / 8 + (n_) * (l_) / 8,                                      \
        .m2_len = (k_) * (n_) * (d_b_) / 8 + (n_) * (l_) / 8 + (sig_), .m3_len = (sig_),           \
        .ephemeral_len = (k_) * (n_) * (d_a_) / 8, .pub_len = (pub_), .priv_len = (priv_),         \
        .mldsa = &(mldsa_), .labels = "DKEX-KSIG-" #bits_ "-A\0DKEX-KSIG-" #bits_ "-B",            \
    }

/* clang-format off */
const struct dkex_params dkex_params[DKEX_SETS] = {
    /*  bits  sec.   n     q   k eta d_A d_B L   S       signature  pub   priv   sig */
    SET(128, 128, 256, 3329, 2, 3, 12, 10, 4, 32, dkex_mldsa44, 1312, 2560, 2420),
    SET(256, 256, 256, 3329, 4, 2, 12, 11, 5, 32, dkex_mldsa87, 2592, 4896, 4627),
    SET(512, 256, 512, 7681, 4, 3, 13, 11, 4, 64, dkex_mldsa87, 2592, 4896, 4627),
};
/* clang-format on */

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
