/* SPDX-License-Identifier: Apache-2.0 */
/* The option --cpu of both programs. */
#ifndef KAT_CPU_H
#define KAT_CPU_H

#include <stdio.h>

#include "suite.h"

/* The names that --cpu takes here, on a line of their own. */
static inline void cpu_print_names(FILE *to)
{
    fputs("cpus: auto", to);
    for (size_t i = 0; dkex_suite_cpu(i) != NULL; i++)
        fprintf(to, " %s", dkex_suite_cpu(i));
    fputc('\n', to);
}

/* 1 if cpu is one of them; else 0, after saying so and which there are. */
static inline int cpu_check(const char *program, const char *cpu)
{
    struct dkex_suite suite;

    if (dkex_suite_bind(&suite, &dkex_params[0], cpu) == DKEX_OK)
        return 1;
    fprintf(stderr, "%s: no such cpu here: %s\n", program, cpu);
    cpu_print_names(stderr);
    return 0;
}

#endif
