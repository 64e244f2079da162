/* SPDX-License-Identifier: Apache-2.0 */
#include "timing.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

static uint64_t nanoseconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#if defined(__x86_64__)
uint64_t speed_ticks(void)
{
    _mm_lfence(); /* what came before has finished */
    return __rdtsc();
}

int speed_ticks_are_cycles(void)
{
    return 1;
}
#else
uint64_t speed_ticks(void)
{
    return nanoseconds();
}

int speed_ticks_are_cycles(void)
{
    return 0;
}
#endif

/* The first exchange brings code and memory into the caches and isn't counted. */
static int run_trial(struct speed_trial *t, const struct dkex_suite *suite,
                     const struct evp_md_st *sm3, double seconds)
{
    uint64_t unused[SPEED_OPS] = {0};
    uint64_t begin_ticks, begin_ns, ns;

    *t = (struct speed_trial){0};
    if (speed_exchange(unused, suite, sm3) != 0)
        return -1;
    begin_ns = nanoseconds();
    begin_ticks = speed_ticks();
    do {
        if (speed_exchange(t->ticks, suite, sm3) != 0)
            return -1;
        t->iterations++;
        ns = nanoseconds() - begin_ns;
    } while ((double)ns < seconds * 1e9);
    t->ns_per_tick = (double)ns / (double)(speed_ticks() - begin_ticks);
    return 0;
}

/*
 * A stack at another place for each trial: how it lies to the cache's sets moves the time of
 * signing by far more than the noise. 16 keeps the alignment; 9 * 464 passes a page once.
 */
static int run_trial_shifted(struct speed_trial *t, const struct dkex_suite *suite,
                             const struct evp_md_st *sm3, double seconds, unsigned number)
{
    volatile char *shift = __builtin_alloca(16 + (size_t)number * 464);

    shift[0] = 0;
    return run_trial(t, suite, sm3, seconds);
}

static int read_trial(struct speed_trial *t, int fd)
{
    uint8_t *at = (uint8_t *)t;
    size_t left = sizeof(*t);

    while (left > 0) {
        ssize_t got = read(fd, at, left);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return -1;
        at += got;
        left -= (size_t)got;
    }
    return 0;
}

static int fork_trial(struct speed_trial *t, const struct dkex_suite *suite,
                      const struct evp_md_st *sm3, double seconds, unsigned number)
{
    int fd[2], wait_status, result;
    pid_t child;

    if (pipe(fd) != 0) {
        perror("dkex-speed: pipe");
        return -1;
    }
    child = fork();
    if (child == 0) {
        int ok = run_trial_shifted(t, suite, sm3, seconds, number) == 0 &&
                 write(fd[1], t, sizeof(*t)) == (ssize_t)sizeof(*t); /* < PIPE_BUF: whole */

        _exit(ok ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    close(fd[1]);
    result = child > 0 ? read_trial(t, fd[0]) : -1;
    close(fd[0]);
    if (child < 0) {
        perror("dkex-speed: fork");
        return -1;
    }
    while (waitpid(child, &wait_status, 0) < 0) {
        if (errno != EINTR) {
            perror("dkex-speed: waitpid");
            return -1;
        }
    }
    if (result == 0 && WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == EXIT_SUCCESS)
        return 0;
    fprintf(stderr, "dkex-speed: %s: a trial failed\n", suite->params->name);
    return -1;
}

int speed_measure(struct speed_trial trials[SPEED_TRIALS], const struct dkex_suite *suite,
                  const struct evp_md_st *sm3, double seconds)
{
    for (unsigned i = 0; i < SPEED_TRIALS; i++) {
        if (fork_trial(&trials[i], suite, sm3, seconds / SPEED_TRIALS, i) != 0)
            return -1;
    }
    return 0;
}
