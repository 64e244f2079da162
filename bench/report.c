/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <inttypes.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

void speed_summarise(struct speed_record *r, const struct speed_trial trials[SPEED_TRIALS],
                     const struct dkex_suite *suite, enum speed_op op)
{
    double means[SPEED_TRIALS], ns = 0, ticks = 0;

    *r = (struct speed_record){
        .set = suite->params->name, .op = speed_op_names[op], .cpu = suite->cpu};
    for (size_t i = 0; i < SPEED_TRIALS; i++) {
        const struct speed_trial *t = &trials[i];
        double trial_ns = (double)t->ticks[op] * t->ns_per_tick;

        means[i] = trial_ns / (double)t->iterations;
        r->iterations += t->iterations;
        ns += trial_ns;
        ticks += (double)t->ticks[op];
    }
    qsort(means, SPEED_TRIALS, sizeof(means[0]), compare);
    r->median_ns = means[SPEED_TRIALS / 2];
    r->mean_ns = ns / (double)r->iterations;
    if (speed_ticks_are_cycles())
        r->mean_cycles = ticks / (double)r->iterations;
}

void speed_print_header(void)
{
    printf("%-10s %-10s %12s %12s %12s %12s\n", "set", "operation", "mean us", "ops/s", "mean kTSC",
           "iterations");
}

void speed_print_record(const struct speed_record *r)
{
    printf("%-10s %-10s %12.2f %12.1f ", r->set, r->op, r->mean_ns / 1e3, 1e9 / r->mean_ns);
    if (speed_ticks_are_cycles())
        printf("%12.2f", r->mean_cycles / 1e3);
    else
        printf("%12s", "-");
    printf(" %12" PRIu64 "\n", r->iterations);
}

static void write_record(FILE *f, const struct speed_record *r)
{
    fprintf(f,
            "    {\"set\": \"%s\", \"op\": \"%s\", \"cpu\": \"%s\", \"api\": \"core\", "
            "\"keys\": \"cold\", \"trials\": %d, \"iters\": %" PRIu64 ", "
            "\"mean_ns\": %.1f, \"median_ns\": %.1f, ",
            r->set, r->op, r->cpu, SPEED_TRIALS, r->iterations, r->mean_ns, r->median_ns);
    if (speed_ticks_are_cycles())
        fprintf(f, "\"mean_cycles\": %.1f, ", r->mean_cycles);
    else
        fprintf(f, "\"mean_cycles\": null, ");
    fprintf(f, "\"ops_per_s\": %.2f}", 1e9 / r->mean_ns);
}

void speed_write_json(FILE *f, const struct speed_record *records, size_t count)
{
    fprintf(f, "{\n  \"records\": [\n");
    for (size_t i = 0; i < count; i++) {
        write_record(f, &records[i]);
        fprintf(f, i + 1 < count ? ",\n" : "\n");
    }
    fprintf(f, "  ]\n}\n");
}
