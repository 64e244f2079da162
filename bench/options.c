/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

static const char usage[] =
    "usage: dkex-speed [--cpu NAME] [--set SET]... [--op OP]... [--seconds N] [--json FILE]\n"
    "\n"
    "Times whole exchanges through the core, with fresh identity keys, coins and signing\n"
    "randomness each, and checks that both secrets agree.\n"
    "\n"
    "  --cpu NAME    kernels to use (default: auto)\n"
    "  --set SET     parameter set to measure (default: all)\n"
    "  --op OP       operation to report (default: all)\n"
    "  --seconds N   measuring time of a set (default: 3)\n"
    "  --json FILE   write the figures to FILE as well\n"
    "\n";

static void print_cpus(FILE *to)
{
    fprintf(to, "cpus: auto");
    for (size_t i = 0; dkex_suite_cpu(i) != NULL; i++)
        fprintf(to, " %s", dkex_suite_cpu(i));
    fprintf(to, "\n");
}

static void print_sets(FILE *to)
{
    fprintf(to, "sets:");
    for (size_t i = 0; i < DKEX_SETS; i++)
        fprintf(to, " %s", dkex_params[i].name);
    fprintf(to, "\n");
}

static void print_ops(FILE *to)
{
    fprintf(to, "operations:");
    for (size_t i = 0; i < SPEED_OPS; i++)
        fprintf(to, " %s", speed_op_names[i]);
    fprintf(to, "\n");
}

static int parse_cpu(struct speed_options *o, const char *word)
{
    struct dkex_suite suite;

    if (dkex_suite_bind(&suite, &dkex_params[0], word) != DKEX_OK) {
        fprintf(stderr, "dkex-speed: no such cpu here: %s\n", word);
        print_cpus(stderr);
        return -1;
    }
    o->cpu = word;
    return 0;
}

static int parse_set(struct speed_options *o, const char *word)
{
    const struct dkex_params *p = dkex_params_find(word);

    if (p == NULL) {
        fprintf(stderr, "dkex-speed: unknown set: %s\n", word);
        print_sets(stderr);
        return -1;
    }
    o->set[p - dkex_params] = 1;
    return 0;
}

static int parse_op(struct speed_options *o, const char *word)
{
    for (size_t i = 0; i < SPEED_OPS; i++) {
        if (strcmp(word, speed_op_names[i]) == 0) {
            o->op[i] = 1;
            return 0;
        }
    }
    fprintf(stderr, "dkex-speed: unknown operation: %s\n", word);
    print_ops(stderr);
    return -1;
}

static int parse_seconds(struct speed_options *o, const char *word)
{
    char *end;

    o->seconds = strtod(word, &end);
    if (end != word && *end == '\0' && o->seconds > 0 && o->seconds <= 3600)
        return 0;
    fprintf(stderr, "dkex-speed: seconds are a number above 0 and up to 3600, not: %s\n", word);
    return -1;
}

static int parse_json(struct speed_options *o, const char *word)
{
    o->json = word;
    return 0;
}

static const struct {
    const char *name;
    int (*parse)(struct speed_options *o, const char *word);
} options[] = {
    {"--cpu", parse_cpu},         {"--set", parse_set},   {"--op", parse_op},
    {"--seconds", parse_seconds}, {"--json", parse_json},
};

static int parse_option(struct speed_options *o, const char *name, const char *word)
{
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        if (strcmp(name, options[i].name) != 0)
            continue;
        if (word != NULL)
            return options[i].parse(o, word);
        fprintf(stderr, "dkex-speed: %s needs a value\n", name);
        return -1;
    }
    fprintf(stderr, "dkex-speed: unknown option: %s\n%s", name, usage);
    return -1;
}

/* All of a list from which nothing was chosen. */
static void choose_all_if_none(int *chosen, size_t count)
{
    int any = 0;

    for (size_t i = 0; i < count; i++)
        any |= chosen[i];
    for (size_t i = 0; i < count && !any; i++)
        chosen[i] = 1;
}

int speed_parse_options(struct speed_options *o, int argc, char **argv)
{
    *o = (struct speed_options){.cpu = "auto", .seconds = 3};
    for (int i = 1; i < argc; i += 2) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            fputs(usage, stdout);
            print_cpus(stdout);
            print_sets(stdout);
            print_ops(stdout);
            return 1;
        }
        if (parse_option(o, argv[i], i + 1 < argc ? argv[i + 1] : NULL) != 0)
            return -1;
    }
    choose_all_if_none(o->set, DKEX_SETS);
    choose_all_if_none(o->op, SPEED_OPS);
    return 0;
}
