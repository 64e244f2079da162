/* SPDX-License-Identifier: Apache-2.0 */
/*
 * on_cpu CPU PROGRAM [ARG...]: runs the program if this machine runs the backend CPU; else says so
 * and exits with 77, which CTest counts as skipped.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "suite.h"

static int runs_here(const char *cpu)
{
    const char *name;

    for (size_t i = 0; (name = dkex_suite_cpu(i)) != NULL; i++) {
        if (strcmp(name, cpu) == 0)
            return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    if (!runs_here(argv[1])) {
        printf("skipped: this build or this machine has no backend %s\n", argv[1]);
        return 77;
    }
    execv(argv[2], argv + 2);
    perror(argv[2]);
    return 1;
}
