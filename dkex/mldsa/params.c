/* SPDX-License-Identifier: Apache-2.0 */
#include "mldsa.h"

/* beta = tau * eta; lengths as in FIPS 204, Table 2. */
const struct mldsa_params dkex_mldsa44 = {
    .name = "ML-DSA-44",
    .k = 4,
    .l = 4,
    .tau = 39,
    .beta = 78,
    .omega = 80,
    .eta = 2,
    .gamma1_bits = 17,
    .gamma2 = (MLDSA_Q - 1) / 88,
    .ctilde_len = 32,
    .pk_len = 1312,
    .sk_len = 2560,
    .sig_len = 2420,
};

const struct mldsa_params dkex_mldsa87 = {
    .name = "ML-DSA-87",
    .k = 8,
    .l = 7,
    .tau = 60,
    .beta = 120,
    .omega = 75,
    .eta = 2,
    .gamma1_bits = 19,
    .gamma2 = (MLDSA_Q - 1) / 32,
    .ctilde_len = 64,
    .pk_len = 2592,
    .sk_len = 4896,
    .sig_len = 4627,
};
