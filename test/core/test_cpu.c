/* SPDX-License-Identifier: Apache-2.0 */
/* Which instruction sets are said to be here, and which backends follow from that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cpu.h"
#include "suite.h"

/* The first line of Linux's flags, a blank after each; "" elsewhere. */
static const char *cpuinfo_flags(void)
{
    static char line[8192];
    FILE *f = fopen("/proc/cpuinfo", "r");

    while (f != NULL && fgets(line, sizeof(line), f) != NULL && strncmp(line, "flags", 5) != 0)
        line[0] = '\0';
    if (f != NULL)
        fclose(f);
    line[strcspn(line, "\n")] = ' ';
    return strncmp(line, "flags", 5) == 0 ? line : "";
}

static int has_all(const char *flags, const char *const *names)
{
    for (; *names != NULL; names++) {
        if (strstr(flags, *names) == NULL)
            return 0;
    }
    return 1;
}

/* Linux takes a flag back whose registers it does not save. */
static void test_probe(void **state)
{
    static const char *const avx2[] = {" avx2 ", NULL};
    static const char *const avx512[] = {" avx2 ",         " avx512f ",  " avx512bw ",
                                         " avx512dq ",     " avx512vl ", " avx512vbmi ",
                                         " avx512_vbmi2 ", NULL};
    const char *flags = cpuinfo_flags();

    (void)state;
    assert_int_equal(dkex_cpu_has(DKEX_CPU_BASE), 1);
    assert_true(dkex_cpu_has(DKEX_CPU_AVX2) || !dkex_cpu_has(DKEX_CPU_AVX512));
    if (*flags == '\0') {
        print_message("no flags in /proc/cpuinfo to compare with\n");
        return;
    }
    assert_int_equal(dkex_cpu_has(DKEX_CPU_AVX2), has_all(flags, avx2));
    assert_int_equal(dkex_cpu_has(DKEX_CPU_AVX512), has_all(flags, avx512));
}

/* The backends that are listed are bound by their names, and "auto" is the last. */
static void test_listed(void **state)
{
    struct dkex_suite suite;
    const char *name, *last = NULL;

    (void)state;
    assert_string_equal(dkex_suite_cpu(0), "portable");
    for (size_t i = 0; (name = dkex_suite_cpu(i)) != NULL; i++) {
        print_message("%s\n", name);
        for (size_t set = 0; set < DKEX_SETS; set++) {
            assert_int_equal(dkex_suite_bind(&suite, &dkex_params[set], name), DKEX_OK);
            assert_string_equal(suite.cpu, name);
            assert_ptr_equal(suite.params, &dkex_params[set]);
            assert_true(suite.ring != NULL && suite.sm3x != NULL && suite.mldsa != NULL);
        }
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(dkex_suite_cpu(j), name);
        last = name;
    }
    for (size_t set = 0; set < DKEX_SETS; set++) {
        assert_int_equal(dkex_suite_bind(&suite, &dkex_params[set], "auto"), DKEX_OK);
        assert_string_equal(suite.cpu, last);
    }
}

/* A backend is listed only if the machine has its instructions, and bound only if it is listed. */
static void test_unlisted(void **state)
{
    static const struct {
        const char *name;
        enum dkex_cpu_feature needs;
    } vector[] = {{"avx2", DKEX_CPU_AVX2}, {"avx512", DKEX_CPU_AVX512}};
    struct dkex_suite suite;

    (void)state;
    for (size_t i = 0; i < sizeof(vector) / sizeof(vector[0]); i++) {
        int listed = 0;

        for (size_t j = 0; dkex_suite_cpu(j) != NULL; j++)
            listed |= strcmp(dkex_suite_cpu(j), vector[i].name) == 0;
        assert_true(dkex_cpu_has(vector[i].needs) || !listed);
        assert_int_equal(dkex_suite_bind(&suite, &dkex_params[0], vector[i].name),
                         listed ? DKEX_OK : DKEX_ERR_UNAVAILABLE);
    }
}

static void test_unknown_names(void **state)
{
    static const char *const names[] = {
        "",      " ",    "AVX2",      "Portable", "avx",   "avx5",    "avx5120", "auto ",
        " auto", "AUTO", "portable ", "avx2\n",   "avx-2", "default", "none",    "portable,avx2",
    };
    struct dkex_suite suite, before;

    (void)state;
    memset(&before, 0xa5, sizeof(before));
    suite = before;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        assert_int_equal(dkex_suite_bind(&suite, &dkex_params[0], names[i]), DKEX_ERR_UNAVAILABLE);
        assert_memory_equal(&suite, &before, sizeof(suite));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_probe),
        cmocka_unit_test(test_listed),
        cmocka_unit_test(test_unlisted),
        cmocka_unit_test(test_unknown_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
