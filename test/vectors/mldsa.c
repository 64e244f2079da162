/* SPDX-License-Identifier: Apache-2.0 */
/* ML-DSA-44 and -87 against vectors of Wycheproof, of NIST's ACVP and a deterministic KAT file. */
#include "mldsa_vectors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "common.h"
#include "suite.h"

const struct mldsa_kernels *mldsa_backend(size_t i)
{
    const char *cpu = dkex_suite_cpu(i);
    struct dkex_suite suite;

    if (cpu == NULL)
        return NULL;
    assert_int_equal(dkex_suite_bind(&suite, &dkex_params[0], cpu), DKEX_OK);
    printf("%s: ", cpu);
    return suite.mldsa;
}

int main(int argc, char **argv)
{
    const char *folder = vectors_folder(argc, argv);
    void *state = (void *)(uintptr_t)folder;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_wycheproof_verify_44, state),
        cmocka_unit_test_prestate(test_wycheproof_verify_87, state),
        cmocka_unit_test_prestate(test_wycheproof_sign_44, state),
        cmocka_unit_test_prestate(test_wycheproof_sign_87, state),
        cmocka_unit_test_prestate(test_acvp_keygen, state),
        cmocka_unit_test_prestate(test_kat_44_deterministic, state),
    };

    return folder != NULL ? cmocka_run_group_tests(tests, NULL, NULL) : VECTOR_SKIPPED;
}
