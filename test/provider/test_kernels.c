/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The provider runs the kernels that its section names, in the default context and in those that
 * the other tests open. Usage: test_kernels CPU; with "auto" any will do.
 */
#include <stdio.h>
#include <string.h>
#include "evp_session.h"

static char expected[64];

static void assert_kernels(OSSL_PROVIDER *dkex)
{
    char *info = NULL;
    OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_ptr("buildinfo", &info, 0),
                           OSSL_PARAM_construct_end()};

    tp_ok(dkex != NULL && OSSL_PROVIDER_get_params(dkex, params) && info != NULL);
    if (strstr(info, expected) == NULL)
        fail_msg("\"%s\" lacks \"%s\"", info, expected);
}

static void in_the_default_context(void **state)
{
    OSSL_PROVIDER *dkex = OSSL_PROVIDER_load(NULL, "dkex");

    (void)state;
    assert_kernels(dkex);
    OSSL_PROVIDER_unload(dkex);
}

static void in_contexts_of_tests(void **state)
{
    struct tp_lib lib;

    (void)state;
    tp_lib_open(&lib);
    assert_kernels(lib.dkex);
    tp_lib_close(&lib);
    tp_ok(tp_lib_configure(&lib, TP_ACTIVATE "test-entropy = yes"));
    assert_kernels(lib.dkex);
    tp_lib_close(&lib);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_the_default_context),
        cmocka_unit_test(in_contexts_of_tests),
    };

    if (argc != 2)
        return 2;
    snprintf(expected, sizeof(expected), "kernels: %s", strcmp(argv[1], "auto") ? argv[1] : "");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
