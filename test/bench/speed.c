/* SPDX-License-Identifier: Apache-2.0 */
/* dkex-speed: exit status, messages and the JSON file. Usage: test_speed PROGRAM WORK_DIR */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>
#include <jansson.h>

static const char *const sets[] = {"DKEX-128", "DKEX-256", "DKEX-512"};
static const char *const ops[] = {"init_a", "init_b",   "pass1",    "pass2",
                                  "pass3",  "derive_a", "derive_b", "exchange"};

enum { SETS = 3, OPS = 8 };

struct files {
    const char *program;
    char json[4096];
};

/* Runs the program and keeps what it prints, on either stream; returns its exit status. */
static int run(char *output, size_t size, const struct files *files, const char *arguments)
{
    char command[12288];
    size_t got = 0;
    FILE *pipe;
    int status;

    snprintf(command, sizeof(command), "'%s' %s 2>&1", files->program, arguments);
    pipe = popen(command, "r");
    assert_non_null(pipe);
    while (got + 1 < size && fgets(output + got, (int)(size - got), pipe) != NULL)
        got += strlen(output + got);
    status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static json_t *run_for_json(const struct files *files, const char *arguments)
{
    char output[16384], all[8192];
    json_error_t error;
    json_t *root;

    snprintf(all, sizeof(all), "--seconds 0.02 --json '%s' %s", files->json, arguments);
    remove(files->json);
    if (run(output, sizeof(output), files, all) != 0)
        fail_msg("%s", output);
    root = json_load_file(files->json, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL)
        fail_msg("line %d: %s", error.line, error.text);
    return root;
}

static double number(const json_t *record, const char *key)
{
    json_t *value = json_object_get(record, key);

    assert_true(json_is_number(value));
    return json_number_value(value);
}

static void assert_record(const json_t *record, const char *set, const char *op)
{
    json_t *cycles = json_object_get(record, "mean_cycles");

    assert_int_equal(json_object_size(record), 11);
    assert_string_equal(json_string_value(json_object_get(record, "set")), set);
    assert_string_equal(json_string_value(json_object_get(record, "op")), op);
    assert_string_equal(json_string_value(json_object_get(record, "cpu")), "portable");
    assert_string_equal(json_string_value(json_object_get(record, "api")), "core");
    assert_string_equal(json_string_value(json_object_get(record, "keys")), "cold");
    assert_true(number(record, "trials") >= 3);
    assert_true(number(record, "iters") >= number(record, "trials"));
    assert_true(number(record, "mean_ns") > 0);
    assert_true(number(record, "median_ns") > 0);
    assert_true(number(record, "ops_per_s") > 0);
    assert_true(json_is_null(cycles) || json_number_value(cycles) > 0);
}

static void test_everything(void **state)
{
    json_t *root = run_for_json(*state, "--cpu portable");
    json_t *records = json_object_get(root, "records");

    assert_int_equal(json_array_size(records), SETS * OPS);
    for (size_t i = 0; i < SETS * OPS; i++)
        assert_record(json_array_get(records, i), sets[i / OPS], ops[i % OPS]);
    json_decref(root);
}

static void test_choice(void **state)
{
    json_t *root = run_for_json(*state, "--cpu portable --set 256 --op exchange --op pass2");
    json_t *records = json_object_get(root, "records");

    assert_int_equal(json_array_size(records), 2);
    assert_record(json_array_get(records, 0), "DKEX-256", "pass2");
    assert_record(json_array_get(records, 1), "DKEX-256", "exchange");
    json_decref(root);
}

static void test_unknown_words(void **state)
{
    static const struct {
        const char *arguments, *answer;
    } rows[] = {
        {"--op pass4", "init_a init_b pass1 pass2 pass3 derive_a derive_b exchange"},
        {"--set DKEX-1024", "DKEX-128 DKEX-256 DKEX-512"},
        {"--cpu abacus", "auto portable"},
        {"--seconds -1", "above 0"},
        {"--seconds 1s", "above 0"},
        {"--seconds nan", "above 0"},
        {"--fast", "usage:"},
        {"pass1 pass2", "usage:"},
        {"--op", "needs a value"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char output[16384] = "";

        assert_int_equal(run(output, sizeof(output), *state, rows[i].arguments), 2);
        if (strstr(output, rows[i].answer) == NULL)
            fail_msg("%s: %s", rows[i].arguments, output);
    }
}

static void test_help(void **state)
{
    char output[16384] = "";

    assert_int_equal(run(output, sizeof(output), *state, "--help"), 0);
    assert_non_null(strstr(output, "usage: dkex-speed"));
}

static void test_unwritable_file(void **state)
{
    char output[16384] = "";

    assert_int_equal(run(output, sizeof(output), *state,
                         "--set 128 --seconds 0.001 --json /nonexistent/folder/file"),
                     1);
}

int main(int argc, char **argv)
{
    struct files files;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_everything, &files),
        cmocka_unit_test_prestate(test_choice, &files),
        cmocka_unit_test_prestate(test_unknown_words, &files),
        cmocka_unit_test_prestate(test_help, &files),
        cmocka_unit_test_prestate(test_unwritable_file, &files),
    };

    if (argc != 3) {
        fprintf(stderr, "usage: test_speed PROGRAM WORK_DIR\n");
        return EXIT_FAILURE;
    }
    files.program = argv[1];
    snprintf(files.json, sizeof(files.json), "%s/speed.json", argv[2]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
