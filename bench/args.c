/* SPDX-License-Identifier: Apache-2.0 */
#include "args.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

static void print_list(FILE *to, const char *what, const char *const list[])
{
    fprintf(to, "%s:", what);
    for (size_t i = 0; list[i] != NULL; i++)
        fprintf(to, " %s", list[i]);
    fprintf(to, "\n");
}

void args_print_list(const char *what, const char *const list[])
{
    print_list(stdout, what, list);
}

int args_choice(const char *program, const char *what, const char *const list[], const char *word)
{
    for (int i = 0; list[i] != NULL; i++) {
        if (strcmp(word, list[i]) == 0)
            return i;
    }
    fprintf(stderr, "%s: unknown %s: %s\n", program, what, word);
    print_list(stderr, "choices", list);
    return -1;
}

int args_seconds(double *seconds, const char *program, const char *word)
{
    char *end;

    *seconds = strtod(word, &end);
    if (end != word && *end == '\0' && *seconds > 0 && *seconds <= 3600)
        return 0;
    fprintf(stderr, "%s: seconds are a number above 0 and up to 3600, not: %s\n", program, word);
    return -1;
}

const char *const *args_cpus(void)
{
    enum { MAX_CPUS = 8 };
    static const char *list[MAX_CPUS + 1];

    list[0] = "auto";
    for (size_t i = 0; i + 1 < MAX_CPUS && dkex_suite_cpu(i) != NULL; i++)
        list[i + 1] = dkex_suite_cpu(i);
    return list;
}

const char *const *args_sets(void)
{
    static const char *list[DKEX_SETS + 1];

    for (size_t i = 0; i < DKEX_SETS; i++)
        list[i] = dkex_params[i].name;
    return list;
}

static int parse_option(void *options, const struct args *a, const char *name, const char *word)
{
    for (size_t i = 0; i < a->count; i++) {
        if (strcmp(name, a->options[i].name) != 0)
            continue;
        if (word != NULL)
            return a->options[i].parse(options, word);
        fprintf(stderr, "%s: %s needs a value\n", a->program, name);
        return -1;
    }
    fprintf(stderr, "%s: unknown option: %s\n%s", a->program, name, a->usage);
    return -1;
}

int args_parse(void *options, const struct args *a, int argc, char **argv)
{
    for (int i = 1; i < argc; i += 2) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            fputs(a->usage, stdout);
            if (a->lists != NULL)
                a->lists();
            return 1;
        }
        if (parse_option(options, a, argv[i], i + 1 < argc ? argv[i + 1] : NULL) != 0)
            return -1;
    }
    return 0;
}

void args_all_if_none(int *chosen, size_t count)
{
    int any = 0;

    for (size_t i = 0; i < count; i++)
        any |= chosen[i];
    for (size_t i = 0; i < count && !any; i++)
        chosen[i] = 1;
}
