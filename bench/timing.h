/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks, and trials in processes of their own. */
#ifndef SPEED_TIMING_H
#define SPEED_TIMING_H

#include "steps.h"

/* The time stamp counter where there is one, nanoseconds elsewhere. */
uint64_t speed_ticks(void);

/* Whether ticks are cycles of the time stamp counter. */
int speed_ticks_are_cycles(void);

enum { SPEED_TRIALS = 9 };

struct speed_trial {
    uint64_t iterations;
    uint64_t ticks[SPEED_OPS]; /* sums over the iterations */
    double ns_per_tick;
};

/*
 * Fills all trials, each from a process of its own that runs exchanges for seconds / SPEED_TRIALS
 * and at least one. 0, or -1 after printing what failed.
 */
int speed_measure(struct speed_trial trials[SPEED_TRIALS], const struct dkex_suite *suite,
                  const struct evp_md_st *sm3, double seconds);

#endif
