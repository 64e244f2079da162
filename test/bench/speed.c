/* SPDX-License-Identifier: Apache-2.0 */
/* dkex-speed: exit status, messages and the JSON file. Usage: test_speed PROGRAM WORK_DIR */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "run.h"

static const char *const ops[] = {"init_a", "init_b",   "pass1",    "pass2",
                                  "pass3",  "derive_a", "derive_b", "exchange"};

enum {
    OPS = sizeof(ops) / sizeof(ops[0]),
    TRIALS = 9,
    RUNS = 1000,          /* of a trial, at least, where nothing is signed */
    EXCHANGES = RUNS / 2, /* two signatures each */
};

struct files {
    const char *program;
    char json[4096];
};

static json_t *run_for_json(const struct files *files, const char *arguments)
{
    char output[16384], all[8192];
    json_error_t error;
    json_t *root;

    snprintf(all, sizeof(all), "--seconds 0.02 --json '%s' %s", files->json, arguments);
    remove(files->json);
    if (run(output, sizeof(output), files->program, all) != 0)
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

/* least: how many iterations a trial has at least. */
static void assert_record(const json_t *record, const char *set, const char *op, const char *keys,
                          unsigned least)
{
    json_t *cycles = json_object_get(record, "mean_cycles");

    assert_int_equal(json_object_size(record), 11);
    assert_string_equal(json_string_value(json_object_get(record, "set")), set);
    assert_string_equal(json_string_value(json_object_get(record, "op")), op);
    assert_string_equal(json_string_value(json_object_get(record, "cpu")), "portable");
    assert_string_equal(json_string_value(json_object_get(record, "api")), "core");
    assert_string_equal(json_string_value(json_object_get(record, "keys")), keys);
    assert_true(number(record, "trials") == TRIALS);
    assert_true(number(record, "iters") >= (double)least * TRIALS);
    assert_true(number(record, "mean_ns") > 0);
    assert_true(number(record, "median_ns") > 0);
    assert_true(number(record, "ops_per_s") > 0);
    assert_true(json_is_null(cycles) || json_number_value(cycles) > 0);
}

/* Every operation of the smallest set; the program fails where two secrets differ. */
static void check_exchange(const struct files *files, const char *keys)
{
    char arguments[64];
    json_t *root, *records;

    snprintf(arguments, sizeof(arguments), "--cpu portable --set 128 --keys %s", keys);
    root = run_for_json(files, arguments);
    records = json_object_get(root, "records");
    assert_int_equal(json_array_size(records), OPS);
    for (size_t i = 0; i < OPS; i++)
        assert_record(json_array_get(records, i), "DKEX-128", ops[i], keys, EXCHANGES);
    json_decref(root);
}

static void test_cold(void **state)
{
    check_exchange(*state, "cold");
}

static void test_warm(void **state)
{
    check_exchange(*state, "warm");
}

/* In the order of the lists, whatever the order of the words; and little has to run. */
static void test_choice(void **state)
{
    json_t *root = run_for_json(
        *state, "--cpu portable --keys warm --set 256 --op pass1 --set DKEX-128 --op init_b");
    json_t *records = json_object_get(root, "records");

    assert_int_equal(json_array_size(records), 4);
    assert_record(json_array_get(records, 0), "DKEX-128", "init_b", "warm", RUNS);
    assert_record(json_array_get(records, 1), "DKEX-128", "pass1", "warm", RUNS);
    assert_record(json_array_get(records, 2), "DKEX-256", "init_b", "warm", RUNS);
    assert_record(json_array_get(records, 3), "DKEX-256", "pass1", "warm", RUNS);
    json_decref(root);
}

/* One signature an exchange. */
static void test_pass2_alone(void **state)
{
    json_t *root = run_for_json(*state, "--cpu portable --set 128 --keys warm --op pass2");
    json_t *records = json_object_get(root, "records");

    assert_int_equal(json_array_size(records), 1);
    assert_record(json_array_get(records, 0), "DKEX-128", "pass2", "warm", RUNS);
    json_decref(root);
}

static void test_unknown_words(void **state)
{
    static const struct {
        const char *arguments, *answer;
    } rows[] = {
        {"--op pass4", "init_a init_b pass1 pass2 pass3 derive_a derive_b exchange"},
        {"--set DKEX-1024", "DKEX-128 DKEX-256 DKEX-512"},
        {"--keys tepid", "cold warm"},
        {"--keys WARM", "cold warm"},
        {"--cpu abacus", "auto portable"},
        {"--seconds -1", "above 0"},
        {"--seconds 1s", "above 0"},
        {"--seconds nan", "above 0"},
        {"--fast", "usage:"},
        {"pass1 pass2", "usage:"},
        {"--op", "needs a value"},
        {"--keys", "needs a value"},
    };
    const struct files *files = *state;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char output[16384] = "";

        assert_int_equal(run(output, sizeof(output), files->program, rows[i].arguments), 2);
        if (strstr(output, rows[i].answer) == NULL)
            fail_msg("%s: %s", rows[i].arguments, output);
    }
}

static void test_help(void **state)
{
    const struct files *files = *state;
    char output[16384] = "";

    assert_int_equal(run(output, sizeof(output), files->program, "--help"), 0);
    assert_non_null(strstr(output, "usage: dkex-speed"));
    assert_non_null(strstr(output, "16 pairs"));
}

static void test_unwritable_file(void **state)
{
    const struct files *files = *state;
    char output[16384] = "";

    assert_int_equal(run(output, sizeof(output), files->program,
                         "--set 128 --seconds 0.001 --json /nonexistent/folder/file"),
                     1);
}

int main(int argc, char **argv)
{
    struct files files;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_cold, &files),
        cmocka_unit_test_prestate(test_warm, &files),
        cmocka_unit_test_prestate(test_choice, &files),
        cmocka_unit_test_prestate(test_pass2_alone, &files),
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
