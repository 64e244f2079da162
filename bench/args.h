/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines of the timing programs: words in pairs, an option and its value. */
#ifndef BENCH_ARGS_H
#define BENCH_ARGS_H

#include <stddef.h>

enum { ARGS_USAGE_ERROR = 2 }; /* exit status */

struct args {
    const char *program;
    const char *usage;
    void (*lists)(void); /* prints the choices that --help shows after the usage; or NULL */
    const struct args_option {
        const char *name;
        int (*parse)(void *options, const char *word); /* 0, or -1 after printing what is wrong */
    } * options;
    size_t count;
};

/* 0, or -1 after printing what was wrong and what would have been right, or 1 after --help. */
int args_parse(void *options, const struct args *a, int argc, char **argv);

/* The place of word in a list, which ends with NULL; or -1 after printing "unknown WHAT" and the
 * list. */
int args_choice(const char *program, const char *what, const char *const list[], const char *word);
void args_print_list(const char *what, const char *const list[]);

/* A measuring time: above 0, up to 3600. 0 or -1 as above. */
int args_seconds(double *seconds, const char *program, const char *word);

/* NULL-terminated: "auto" and the backends that this machine runs; the names of the sets. Static
 * storage, filled at the first call. */
const char *const *args_cpus(void);
const char *const *args_sets(void);

/* All of a list from which nothing was chosen. */
void args_all_if_none(int *chosen, size_t count);

#endif
