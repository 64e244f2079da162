/* SPDX-License-Identifier: Apache-2.0 */
/* dkex-evp-cost: core and provider make the same exchange, and a line a set says what they cost.
 * Usage: test_evp_cost PROGRAM */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "run.h"

static char output[16 * 1024];

/* A heading and one line. How large the differences are is no matter of a test. */
static void check(const char *program, const char *arguments)
{
    double core, evp, libcrypto, random, percent, least, greatest;
    unsigned long iterations;
    char set[16];
    const char *line;
    int end = 0;

    if (run(output, sizeof(output), program, arguments) != 0)
        fail_msg("%s", output);
    line = strchr(output, '\n');
    assert_non_null(line);
    if (sscanf(line, "%15s %lf %lf %lf %lf %lf %lf %lf %lu%n", set, &core, &evp, &libcrypto,
               &random, &percent, &least, &greatest, &iterations, &end) != 9 ||
        strcmp(line + end, "\n") != 0)
        fail_msg("%s", output);
    assert_string_equal(set, "DKEX-128");
    assert_true(random > 0 && core > random && evp > random && iterations >= 9);
    assert_true(isfinite(libcrypto) && least <= percent && percent <= greatest);
}

static void test_shared_coins(void **state)
{
    check(*state, "--set 128 --seconds 0.001");
    check(*state, "--set 128 --seconds 0.001 --keys cold");
}

static void test_fresh_coins(void **state)
{
    check(*state, "--set 128 --seconds 0.001 --coins fresh");
}

static void test_refusals(void **state)
{
    assert_int_equal(run(output, sizeof(output), *state, "--keys tepid"), 2);
    assert_non_null(strstr(output, "cold warm"));
    assert_int_equal(run(output, sizeof(output), *state, "--coins gold"), 2);
    assert_non_null(strstr(output, "shared fresh"));
    assert_int_equal(run(output, sizeof(output), *state, "--set 1024"), 2);
    assert_non_null(strstr(output, "DKEX-512"));
    assert_int_equal(run(output, sizeof(output), *state, "--help"), 0);
    assert_non_null(strstr(output, "usage: dkex-evp-cost"));
}

static void test_without_provider(void **state)
{
    assert_int_equal(setenv("OPENSSL_MODULES", "/nonexistent", 1), 0);
    assert_int_equal(run(output, sizeof(output), *state, "--set 128"), 1);
    assert_non_null(strstr(output, "OPENSSL_MODULES"));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_shared_coins, argv[1]),
        cmocka_unit_test_prestate(test_fresh_coins, argv[1]),
        cmocka_unit_test_prestate(test_refusals, argv[1]),
        cmocka_unit_test_prestate(test_without_provider, argv[1]), /* last: the variable stays */
    };

    if (argc != 2) {
        fprintf(stderr, "usage: test_evp_cost PROGRAM\n");
        return EXIT_FAILURE;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
