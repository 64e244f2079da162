/* SPDX-License-Identifier: Apache-2.0 */
/* dkex-kernels: every backend times every kernel. Usage: test_kernels PROGRAM */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "run.h"

enum { MAX_LINES = 400 };

static char output[64 * 1024];

/* Cuts what the program prints into lines. */
static size_t run_for_lines(char *lines[MAX_LINES], const char *program, const char *arguments)
{
    size_t count = 0;

    if (run(output, sizeof(output), program, arguments) != 0)
        fail_msg("%s", output);
    for (char *at = strtok(output, "\n"); at != NULL; at = strtok(NULL, "\n")) {
        assert_true(count < MAX_LINES);
        lines[count++] = at;
    }
    return count;
}

struct line {
    char cpu[16], where[16], kernel[32];
    double ticks, ns;
};

static void read_line(struct line *l, const char *text)
{
    int end = 0;

    if (sscanf(text, "%15s %15s %31s %lf %lf%n", l->cpu, l->where, l->kernel, &l->ticks, &l->ns,
               &end) != 5 ||
        text[end] != '\0' || !(l->ticks > 0) || !(l->ns > 0))
        fail_msg("%s", text);
}

/* The backends come one after the other, with the same rows. */
static void test_every_kernel(void **state)
{
    char *lines[MAX_LINES];
    size_t count = run_for_lines(lines, *state, "--seconds 0.0001"), rows = 0;

    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) {
        struct line line, first;

        read_line(&line, lines[i]);
        if (strcmp(line.cpu, "portable") == 0) {
            rows++;
            continue;
        }
        assert_true(rows > 0);
        read_line(&first, lines[i % rows]);
        assert_string_equal(line.where, first.where);
        assert_string_equal(line.kernel, first.kernel);
    }
    assert_int_equal(count % rows, 0);
}

static void test_choice(void **state)
{
    char *lines[MAX_LINES];
    size_t count = run_for_lines(lines, *state, "--cpu portable --kernel ring256 --seconds 0.0001");

    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) {
        struct line line;

        read_line(&line, lines[i]);
        assert_string_equal(line.cpu, "portable");
        assert_string_equal(line.where, "ring256");
    }
}

static void test_refusals(void **state)
{
    assert_int_equal(run(output, sizeof(output), *state, "--cpu abacus"), 2);
    assert_non_null(strstr(output, "portable"));
    assert_int_equal(run(output, sizeof(output), *state, "--seconds 0"), 2);
    assert_non_null(strstr(output, "above 0"));
    assert_int_equal(run(output, sizeof(output), *state, "--help"), 0);
    assert_non_null(strstr(output, "usage: dkex-kernels"));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_every_kernel, argv[1]),
        cmocka_unit_test_prestate(test_choice, argv[1]),
        cmocka_unit_test_prestate(test_refusals, argv[1]),
    };

    if (argc != 2) {
        fprintf(stderr, "usage: test_kernels PROGRAM\n");
        return EXIT_FAILURE;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
