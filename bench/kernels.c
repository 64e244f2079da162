/* SPDX-License-Identifier: Apache-2.0 */
/* dkex-kernels: how long each kernel of each backend takes. For whoever works on them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>
#include <openssl/rand.h>

#include "args.h"
#include "kernels.h"
#include "timing.h"

#define PROGRAM "dkex-kernels"

static const char usage[] =
    "usage: " PROGRAM " [--cpu NAME] [--kernel WORD] [--seconds N]\n"
    "\n"
    "Times the kernels of each backend, and what is built on them: a line each of backend, where\n"
    "it belongs, its name, TSC cycles and nanoseconds a call (sm3x: a compression). Medians over\n"
    "nine trials, in processes of their own, of the trial's mean.\n"
    "\n"
    "  --cpu NAME      one backend (default: all that this machine runs)\n"
    "  --kernel WORD   only lines in which \"belongs name\" has that word\n"
    "  --seconds N     measuring time of a line (default: 0.1)\n"
    "\n";

struct options {
    const char *cpu;  /* NULL: all */
    const char *word; /* NULL: any */
    double seconds;
};

static const struct kernel_group *const groups[] = {
    &kernel_group_sm3x, &kernel_group_keccak, &kernel_group_mldsa,
    &kernel_group_ring, &kernel_group_dke,
};

static struct kernel_data data;

/* A trial's state. */
struct trial {
    const struct kernel_group *group;
    const struct kernel *kernel;
    unsigned calls; /* of an iteration: so many that reading the clock does not show */
};

enum { TICKS, UNITS }; /* in a trial's sums */

static uint64_t call(uint64_t *units, const struct trial *t)
{
    uint64_t begin = timing_ticks();

    for (unsigned i = 0; i < t->calls; i++)
        *units += t->kernel->run(&data);
    return timing_ticks() - begin;
}

static int iterate(uint64_t *sums, void *state)
{
    const struct trial *t = state;

    sums[TICKS] += call(&sums[UNITS], t);
    if (!data.failed)
        return 0;
    fprintf(stderr, PROGRAM ": %s: failed\n", t->kernel->name);
    return -1;
}

/* Doubles the calls of an iteration until they take 50,000 ticks; the clock is about 50. */
static int prepare(void *state)
{
    struct trial *t = state;
    uint64_t units = 0;

    if (RAND_bytes(data.random, sizeof(data.random)) != 1) {
        fprintf(stderr, PROGRAM ": libcrypto gives no random bytes\n");
        return -1;
    }
    if (t->group->prepare != NULL)
        t->group->prepare(&data);
    for (t->calls = 1; call(&units, t) < 50000; t->calls *= 2)
        ;
    return 0;
}

static int measure(const struct options *o, const struct kernel_group *group,
                   const struct kernel *kernel)
{
    struct timing_trial trials[TIMING_TRIALS];
    double ticks[TIMING_TRIALS], ns[TIMING_TRIALS];
    struct trial state = {.group = group, .kernel = kernel};
    const struct timing_job job = {
        .program = PROGRAM,
        .what = kernel->name,
        .prepare = prepare,
        .run = iterate,
        .state = &state,
        .seconds = o->seconds,
    };

    fflush(stdout); /* or each trial's process would hold a copy of it */
    if (timing_measure(trials, &job) != 0)
        return -1;
    for (size_t i = 0; i < TIMING_TRIALS; i++) {
        ticks[i] = (double)trials[i].sums[TICKS] / (double)trials[i].sums[UNITS];
        ns[i] = ticks[i] * trials[i].ns_per_tick;
    }
    printf("%-9s %-10s %-16s %12.1f %12.1f\n", data.suite.cpu, group->label(&data.suite),
           kernel->name, timing_median(ticks), timing_median(ns));
    return 0;
}

static int is_asked_for(const struct options *o, const struct kernel_group *group,
                        const struct kernel *kernel)
{
    char line[80];

    snprintf(line, sizeof(line), "%s %s", group->label(&data.suite), kernel->name);
    return o->word == NULL || strstr(line, o->word) != NULL;
}

static int measure_group(const struct options *o, const struct kernel_group *group, const char *cpu)
{
    for (size_t set = 0; set < DKEX_SETS; set++) {
        if ((group->sets >> set & 1) == 0)
            continue;
        if (dkex_suite_bind(&data.suite, &dkex_params[set], cpu) != DKEX_OK)
            return -1;
        data.mldsa = data.suite.params->mldsa;
        for (size_t i = 0; i < group->count; i++) {
            if (is_asked_for(o, group, &group->kernels[i]) &&
                measure(o, group, &group->kernels[i]) != 0)
                return -1;
        }
    }
    return 0;
}

static int measure_all(const struct options *o)
{
    for (size_t c = 0; dkex_suite_cpu(c) != NULL; c++) {
        for (size_t g = 0; g < sizeof(groups) / sizeof(groups[0]); g++) {
            if (o->cpu != NULL && strcmp(o->cpu, dkex_suite_cpu(c)) != 0)
                continue;
            if (measure_group(o, groups[g], dkex_suite_cpu(c)) != 0)
                return -1;
        }
    }
    return 0;
}

static int parse_cpu(void *options, const char *word)
{
    int i = args_choice(PROGRAM, "cpu", args_cpus() + 1, word); /* without "auto" */

    ((struct options *)options)->cpu = word;
    return i < 0 ? -1 : 0;
}

static int parse_kernel(void *options, const char *word)
{
    ((struct options *)options)->word = word;
    return 0;
}

static int parse_seconds(void *options, const char *word)
{
    return args_seconds(&((struct options *)options)->seconds, PROGRAM, word);
}

int main(int argc, char **argv)
{
    static const struct args_option options[] = {
        {"--cpu", parse_cpu}, {"--kernel", parse_kernel}, {"--seconds", parse_seconds}};
    static const struct args args = {PROGRAM, usage, NULL, options,
                                     sizeof(options) / sizeof(options[0])};
    struct options o = {.seconds = 0.1};
    int result = args_parse(&o, &args, argc, argv);
    EVP_MD *sm3;

    if (result != 0)
        return result < 0 ? ARGS_USAGE_ERROR : EXIT_SUCCESS;
    sm3 = EVP_MD_fetch(NULL, "SM3", NULL);
    if (sm3 == NULL || dkex_sm3_open(&data.sm3, sm3) != DKEX_OK) {
        fprintf(stderr, PROGRAM ": libcrypto has no SM3\n");
        EVP_MD_free(sm3);
        return EXIT_FAILURE;
    }
    result = measure_all(&o);
    dkex_sm3_close(&data.sm3);
    EVP_MD_free(sm3);
    return result == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
