/* SPDX-License-Identifier: Apache-2.0 */
/* The known answers come out, and each of them matters: with one bit wrong the self-test fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixture.h"
#include "selftest.h"

/* Whether every self-test of every set passes with these answers. */
static int passes(const struct dkex_known_answers *answers)
{
    struct dkex_suite suites[DKEX_SETS];
    int ok;

    for (size_t set = 0; set < DKEX_SETS; set++)
        suites[set] = fixture_suite(set);
    ok = dkex_selftest_primitives(suites, answers) == DKEX_OK;
    for (size_t set = 0; set < DKEX_SETS; set++)
        ok &= dkex_selftest_sm3(&suites[set], fixture_sm3(), answers) == DKEX_OK;
    return ok;
}

static void test_answers(void **state)
{
    (void)state;
    assert_true(passes(&dkex_known_answers));
}

static void test_each_matters(void **state)
{
    struct dkex_known_answers wrong;
    uint8_t *const answers[] = {
        wrong.shake,    wrong.ring[0],  wrong.ring[1], wrong.ring[2],
        wrong.mldsa[0], wrong.mldsa[1], wrong.sm3,     wrong.sm3x,
    };

    (void)state;
    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
        wrong = dkex_known_answers;
        answers[i][DKEX_ANSWER_BYTES - 1] ^= 0x80;
        assert_false(passes(&wrong));
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),
        cmocka_unit_test(test_each_matters),
    };

    fixture_arguments(argc, argv);
    return cmocka_run_group_tests(tests, NULL, fixture_teardown);
}
