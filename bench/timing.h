/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks, and trials in processes of their own. */
#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

#include <stdint.h>

/* The time stamp counter where there is one, nanoseconds elsewhere. */
uint64_t timing_ticks(void);

/* Whether ticks are cycles of the time stamp counter. */
int timing_ticks_are_cycles(void);

enum { TIMING_TRIALS = 9, TIMING_MAX_SERIES = 8 };

struct timing_trial {
    uint64_t iterations;
    uint64_t sums[TIMING_MAX_SERIES]; /* what the iterations have added: ticks, as a rule */
    double ns_per_tick;
};

/* What is timed. The functions return 0, or -1 after printing what failed. */
struct timing_job {
    const char *program, *what;  /* for messages */
    int (*prepare)(void *state); /* at the beginning of a trial, in its process; or NULL */
    int (*run)(uint64_t sums[TIMING_MAX_SERIES], void *state);     /* an iteration */
    void (*finish)(uint64_t sums[TIMING_MAX_SERIES], void *state); /* a trial's end; or NULL */
    void *state;             /* each trial has a copy, as the parent process left it */
    double seconds;          /* over all trials */
    uint64_t min_iterations; /* of a trial */
};

/*
 * Fills all trials, each from a process of its own that runs for seconds / TIMING_TRIALS and at
 * least min_iterations. 0, or -1 after printing what failed.
 */
int timing_measure(struct timing_trial trials[TIMING_TRIALS], const struct timing_job *job);

/* The median of TIMING_TRIALS values, which it sorts. */
double timing_median(double values[TIMING_TRIALS]);

#endif
