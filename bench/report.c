/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <inttypes.h>

void speed_summarise(struct speed_record *r, const struct timing_trial trials[TIMING_TRIALS],
                     const struct speed_run *run, enum speed_op op)
{
    double means[TIMING_TRIALS], ns = 0, ticks = 0;

    *r = (struct speed_record){.set = run->suite->params->name,
                               .op = speed_op_names[op],
                               .cpu = run->suite->cpu,
                               .keys = speed_keys_names[run->keys]};
    for (size_t i = 0; i < TIMING_TRIALS; i++) {
        const struct timing_trial *t = &trials[i];
        double trial_ns = (double)t->sums[op] * t->ns_per_tick;

        means[i] = trial_ns / (double)t->iterations;
        r->iterations += t->iterations;
        ns += trial_ns;
        ticks += (double)t->sums[op];
    }
    r->median_ns = timing_median(means);
    r->mean_ns = ns / (double)r->iterations;
    if (timing_ticks_are_cycles())
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
    if (timing_ticks_are_cycles())
        printf("%12.2f", r->mean_cycles / 1e3);
    else
        printf("%12s", "-");
    printf(" %12" PRIu64 "\n", r->iterations);
}

static void write_record(FILE *f, const struct speed_record *r)
{
    fprintf(f,
            "    {\"set\": \"%s\", \"op\": \"%s\", \"cpu\": \"%s\", \"api\": \"core\", "
            "\"keys\": \"%s\", \"trials\": %d, \"iters\": %" PRIu64 ", "
            "\"mean_ns\": %.1f, \"median_ns\": %.1f, ",
            r->set, r->op, r->cpu, r->keys, TIMING_TRIALS, r->iterations, r->mean_ns, r->median_ns);
    if (timing_ticks_are_cycles())
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
