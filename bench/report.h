/* SPDX-License-Identifier: Apache-2.0 */
/* From trials to figures, and the figures as a table and as JSON. */
#ifndef SPEED_REPORT_H
#define SPEED_REPORT_H

#include <stdio.h>

#include "steps.h"
#include "timing.h"

struct speed_record {
    const char *set, *op, *cpu, *keys;
    uint64_t iterations; /* over all trials */
    double mean_ns;      /* over all iterations */
    double median_ns;    /* over trials, of a trial's mean */
    double mean_cycles;  /* of the time stamp counter; 0 where there is none */
};

void speed_summarise(struct speed_record *r, const struct timing_trial trials[TIMING_TRIALS],
                     const struct speed_run *run, enum speed_op op);

void speed_print_header(void);
void speed_print_record(const struct speed_record *r);

/* Writes count records to f as one JSON object. */
void speed_write_json(FILE *f, const struct speed_record *records, size_t count);

#endif
