/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include "args.h"

#define PROGRAM "dkex-speed"
_Static_assert(SPEED_PAIRS == 16 && SPEED_PAIR_USES == 32, "the usage says so");

static const char usage[] =
    "usage: " PROGRAM " [--cpu NAME] [--keys cold|warm] [--set SET]... [--op OP]...\n"
    "                  [--seconds N] [--json FILE]\n"
    "\n"
    "Times exchanges through the core, with fresh coins and signing randomness each, and checks\n"
    "that both secrets agree. Only the steps that the chosen operations need are run. Each of "
    "nine\n"
    "trials, in a process of its own, lasts for its share of the time and for 1000 signatures at\n"
    "least (of operations that need none, 1000 runs).\n"
    "\n"
    "  --cpu NAME    kernels to use (default: auto)\n"
    "  --keys cold   new identity keys for each exchange: all that signing and verifying derive\n"
    "                from a key is part of the passes (default)\n"
    "  --keys warm   prepared identity keys: a trial makes and expands 16 pairs and uses each for\n"
    "                32 exchanges in turn; init_a and init_b still make a key each\n"
    "  --set SET     parameter set to measure (default: all)\n"
    "  --op OP       operation to report (default: all)\n"
    "  --seconds N   measuring time of a set (default: 3)\n"
    "  --json FILE   write the figures to FILE as well\n"
    "\n";

static int parse_cpu(void *options, const char *word)
{
    struct speed_options *o = options;

    o->cpu = word;
    return args_choice(PROGRAM, "cpu", args_cpus(), word) < 0 ? -1 : 0;
}

static int parse_keys(void *options, const char *word)
{
    struct speed_options *o = options;
    int i = args_choice(PROGRAM, "kind of keys", speed_keys_names, word);

    o->keys = i < 0 ? SPEED_COLD : (enum speed_keys)i;
    return i < 0 ? -1 : 0;
}

static int parse_set(void *options, const char *word)
{
    struct speed_options *o = options;
    const struct dkex_params *p = dkex_params_find(word);

    if (p == NULL)
        return args_choice(PROGRAM, "set", args_sets(), word);
    o->set[p - dkex_params] = 1;
    return 0;
}

static int parse_op(void *options, const char *word)
{
    struct speed_options *o = options;
    int i = args_choice(PROGRAM, "operation", speed_op_names, word);

    if (i >= 0)
        o->op[i] = 1;
    return i < 0 ? -1 : 0;
}

static int parse_seconds(void *options, const char *word)
{
    return args_seconds(&((struct speed_options *)options)->seconds, PROGRAM, word);
}

static int parse_json(void *options, const char *word)
{
    ((struct speed_options *)options)->json = word;
    return 0;
}

static void print_lists(void)
{
    args_print_list("cpus", args_cpus());
    args_print_list("keys", speed_keys_names);
    args_print_list("sets", args_sets());
    args_print_list("operations", speed_op_names);
}

int speed_parse_options(struct speed_options *o, int argc, char **argv)
{
    static const struct args_option options[] = {
        {"--cpu", parse_cpu}, {"--keys", parse_keys},       {"--set", parse_set},
        {"--op", parse_op},   {"--seconds", parse_seconds}, {"--json", parse_json},
    };
    static const struct args args = {PROGRAM, usage, print_lists, options,
                                     sizeof(options) / sizeof(options[0])};
    int result;

    *o = (struct speed_options){.cpu = "auto", .seconds = 3};
    result = args_parse(o, &args, argc, argv);
    args_all_if_none(o->set, DKEX_SETS);
    args_all_if_none(o->op, SPEED_OPS);
    return result;
}
