/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of dkex-speed. */
#ifndef SPEED_OPTIONS_H
#define SPEED_OPTIONS_H

#include "params.h"
#include "steps.h"

struct speed_options {
    const char *cpu;  /* a backend's name or "auto" */
    const char *json; /* file to write, or NULL */
    enum speed_keys keys;
    double seconds;     /* of measuring for a parameter set, over all trials */
    int set[DKEX_SETS]; /* which are measured */
    int op[SPEED_OPS];  /* which are reported */
};

/* Fills o. 0, or -1 after printing what was wrong and what would have been right, or 1 after
 * --help. */
int speed_parse_options(struct speed_options *o, int argc, char **argv);

#endif
