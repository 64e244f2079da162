/* SPDX-License-Identifier: Apache-2.0 */
/* dkex-speed: how long the operations of an exchange take. */
#include <stdio.h>
#include <stdlib.h>

#include <openssl/evp.h>

#include "args.h"
#include "options.h"
#include "report.h"
#include "timing.h"

struct records {
    size_t count;
    struct speed_record list[DKEX_SETS * SPEED_OPS];
};

static int measure_set(struct records *r, const struct speed_options *o,
                       const struct dkex_params *params, const EVP_MD *sm3)
{
    struct timing_trial trials[TIMING_TRIALS];
    struct dkex_suite suite;
    struct speed_run run = {
        .suite = &suite, .sm3 = sm3, .keys = o->keys, .steps = speed_steps_for(o->op, o->keys)};
    const struct timing_job job = {
        .program = "dkex-speed",
        .what = params->name,
        .prepare = speed_prepare,
        .run = speed_exchange,
        .state = &run,
        .seconds = o->seconds,
        .min_iterations = speed_min_exchanges(run.steps),
    };

    if (dkex_suite_bind(&suite, params, o->cpu) != DKEX_OK || timing_measure(trials, &job) != 0)
        return -1;
    for (int op = 0; op < SPEED_OPS; op++) {
        struct speed_record *record = &r->list[r->count];

        if (!o->op[op])
            continue;
        speed_summarise(record, trials, &run, (enum speed_op)op);
        speed_print_record(record);
        r->count++;
    }
    return 0;
}

static int measure_all(struct records *r, const struct speed_options *o)
{
    EVP_MD *sm3 = EVP_MD_fetch(NULL, "SM3", NULL);
    int result = 0;

    if (sm3 == NULL) {
        fprintf(stderr, "dkex-speed: libcrypto has no SM3\n");
        return -1;
    }
    speed_print_header();
    for (size_t i = 0; i < DKEX_SETS && result == 0; i++) {
        fflush(stdout); /* or each trial's process would hold a copy of it */
        if (o->set[i])
            result = measure_set(r, o, &dkex_params[i], sm3);
    }
    EVP_MD_free(sm3);
    return result;
}

/* f may be NULL: nothing is to be written. */
static int write_json(FILE *f, const struct records *r)
{
    int bad;

    if (f == NULL)
        return 0;
    speed_write_json(f, r->list, r->count);
    bad = ferror(f);
    if (fclose(f) == 0 && !bad)
        return 0;
    fprintf(stderr, "dkex-speed: the figures could not be written\n");
    return -1;
}

int main(int argc, char **argv)
{
    struct speed_options o;
    struct records r = {0};
    FILE *json = NULL;
    int parsed = speed_parse_options(&o, argc, argv);

    if (parsed != 0)
        return parsed < 0 ? ARGS_USAGE_ERROR : EXIT_SUCCESS;
    if (o.json != NULL && (json = fopen(o.json, "w")) == NULL) {
        perror(o.json);
        return EXIT_FAILURE;
    }
    if (measure_all(&r, &o) != 0) {
        if (json != NULL)
            fclose(json);
        return EXIT_FAILURE;
    }
    return write_json(json, &r) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
