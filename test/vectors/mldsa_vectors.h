/* SPDX-License-Identifier: Apache-2.0 */
/* The tests of test_vectors_mldsa; *state is the folder. */
#ifndef MLDSA_VECTORS_H
#define MLDSA_VECTORS_H

#include "mldsa/mldsa.h"

/* The kernels of the i-th backend, after printing its name; NULL past the last. */
const struct mldsa_kernels *mldsa_backend(size_t i);

void test_wycheproof_verify_44(void **state);
void test_wycheproof_verify_87(void **state);
void test_wycheproof_sign_44(void **state);
void test_wycheproof_sign_87(void **state);
void test_acvp_keygen(void **state);
void test_kat_44_deterministic(void **state);

#endif
