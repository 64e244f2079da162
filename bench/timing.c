/* SPDX-License-Identifier: Apache-2.0 */
#include "timing.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
uint64_t timing_ticks(void)
{
    _mm_lfence(); /* what came before has finished */
    return __rdtsc();
}

int timing_ticks_are_cycles(void)
{
    return 1;
}
#else
uint64_t timing_ticks(void)
{
    return nanoseconds();
}

int timing_ticks_are_cycles(void)
{
    return 0;
}
#endif

/* The first iteration brings code and memory into the caches and isn't counted. */
static int run_trial(struct timing_trial *t, const struct timing_job *job)
{
    uint64_t unused[TIMING_MAX_SERIES] = {0};
    uint64_t begin_ticks, begin_ns, ns;

    *t = (struct timing_trial){0};
    if ((job->prepare != NULL && job->prepare(job->state) != 0) ||
        job->run(unused, job->state) != 0)
        return -1;
    begin_ns = nanoseconds();
    begin_ticks = timing_ticks();
    do {
        if (job->run(t->sums, job->state) != 0)
            return -1;
        t->iterations++;
        ns = nanoseconds() - begin_ns;
    } while (t->iterations < job->min_iterations ||
             (double)ns < job->seconds / TIMING_TRIALS * 1e9);
    t->ns_per_tick = (double)ns / (double)(timing_ticks() - begin_ticks);
    if (job->finish != NULL)
        job->finish(t->sums, job->state);
    return 0;
}

/*
 * A stack at another place for each trial: how it lies to the cache's sets moves the time of
 * signing by far more than the noise. 16 keeps the alignment; 9 * 464 passes a page once.
 */
static int run_trial_shifted(struct timing_trial *t, const struct timing_job *job, unsigned number)
{
    volatile char *shift = __builtin_alloca(16 + (size_t)number * 464);

    shift[0] = 0;
    return run_trial(t, job);
}

static int read_trial(struct timing_trial *t, int fd)
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

static void report_errno(const struct timing_job *job, const char *call)
{
    fprintf(stderr, "%s: %s: %s\n", job->program, call, strerror(errno));
}

static int fork_trial(struct timing_trial *t, const struct timing_job *job, unsigned number)
{
    int fd[2], wait_status, result;
    pid_t child;

    if (pipe(fd) != 0) {
        report_errno(job, "pipe");
        return -1;
    }
    child = fork();
    if (child == 0) {
        int ok = run_trial_shifted(t, job, number) == 0 &&
                 write(fd[1], t, sizeof(*t)) == (ssize_t)sizeof(*t); /* < PIPE_BUF: whole */

        _exit(ok ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    close(fd[1]);
    result = child > 0 ? read_trial(t, fd[0]) : -1;
    close(fd[0]);
    if (child < 0) {
        report_errno(job, "fork");
        return -1;
    }
    while (waitpid(child, &wait_status, 0) < 0) {
        if (errno != EINTR) {
            report_errno(job, "waitpid");
            return -1;
        }
    }
    if (result == 0 && WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == EXIT_SUCCESS)
        return 0;
    fprintf(stderr, "%s: %s: a trial failed\n", job->program, job->what);
    return -1;
}

int timing_measure(struct timing_trial trials[TIMING_TRIALS], const struct timing_job *job)
{
    for (unsigned i = 0; i < TIMING_TRIALS; i++) {
        if (fork_trial(&trials[i], job, i) != 0)
            return -1;
    }
    return 0;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double timing_median(double values[TIMING_TRIALS])
{
    qsort(values, TIMING_TRIALS, sizeof(values[0]), compare);
    return values[TIMING_TRIALS / 2];
}
