/* SPDX-License-Identifier: Apache-2.0 */
/* Threads: shared keys, a first use at once, and a thread that outlives its library context. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "evp_session.h"

enum { THREADS = 8, SESSIONS = 12 };

struct job {
    const struct tp_set *set;
    OSSL_LIB_CTX *lib;
    EVP_PKEY *alice, *bob; /* NULL: keys of the thread's own */
    pthread_barrier_t *start;
    unsigned sessions;
    int ok;
};

/* cmocka can't fail a test from another thread: the verdict is left in the job. */
static void *run_sessions(void *arg)
{
    struct job *job = arg;
    uint8_t secret[TP_MAX_SECRET];
    EVP_PKEY *alice = job->alice, *bob = job->bob;

    pthread_barrier_wait(job->start);
    if (job->alice == NULL) {
        alice = tp_key_generate(job->lib, job->set->name);
        bob = tp_key_generate(job->lib, job->set->name);
    }
    job->ok = alice != NULL && bob != NULL;
    for (unsigned i = 0; job->ok && i < job->sessions; i++) {
        EVP_PKEY *half = tp_key_public_half(job->lib, job->set->name, alice);

        job->ok = tp_session(job->set, job->lib, alice, bob, secret) &&
                  tp_session(job->set, job->lib, bob, alice, secret) &&
                  EVP_PKEY_eq(alice, half) == 1 && EVP_PKEY_eq(alice, bob) == 0;
        EVP_PKEY_free(half);
    }
    job->ok &= tp_queue_empty();
    if (job->alice == NULL) {
        EVP_PKEY_free(alice);
        EVP_PKEY_free(bob);
    }
    return NULL;
}

/* A copy of the job on every thread, all starting at one moment. */
static void run_threads(const struct job *job, unsigned count)
{
    pthread_t threads[THREADS];
    struct job jobs[THREADS];
    pthread_barrier_t start;

    assert_int_equal(pthread_barrier_init(&start, NULL, count), 0);
    for (unsigned i = 0; i < count; i++) {
        jobs[i] = *job;
        jobs[i].start = &start;
        assert_int_equal(pthread_create(&threads[i], NULL, run_sessions, &jobs[i]), 0);
    }
    for (unsigned i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&start);
    for (unsigned i = 0; i < count; i++)
        assert_true(jobs[i].ok);
}

static void shared_keys(void **state)
{
    const struct tp_set *set = *state;
    struct tp_lib lib;
    struct job job = {.set = set, .sessions = SESSIONS};

    tp_lib_open(&lib);
    job.lib = lib.ctx;
    tp_ok((job.alice = tp_key_generate(lib.ctx, set->name)) != NULL);
    tp_ok((job.bob = tp_key_generate(lib.ctx, set->name)) != NULL);
    run_threads(&job, THREADS);
    EVP_PKEY_free(job.alice);
    EVP_PKEY_free(job.bob);
    tp_lib_close(&lib);
    tp_ok(1);
}

/* SM3 is fetched and tested at the first use: here eight threads come first. */
static void first_use_at_once(void **state)
{
    struct job job = {.set = *state, .sessions = 1};

    for (int i = 0; i < 6; i++) {
        struct tp_lib lib;

        tp_lib_open(&lib);
        job.lib = lib.ctx;
        run_threads(&job, THREADS);
        tp_lib_close(&lib);
    }
    tp_ok(1);
}

/* Two threads that take turns: each waits until the other has gone one step further. */
struct turn {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int step;
};

static void reach(struct turn *t, int step)
{
    pthread_mutex_lock(&t->mutex);
    t->step = step;
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->mutex);
}

static void await(struct turn *t, int step)
{
    pthread_mutex_lock(&t->mutex);
    while (t->step < step)
        pthread_cond_wait(&t->changed, &t->mutex);
    pthread_mutex_unlock(&t->mutex);
}

struct survivor {
    struct turn turn;
    struct job job;
};

static void *outlive(void *arg)
{
    struct survivor *s = arg;
    pthread_barrier_t alone;

    pthread_barrier_init(&alone, NULL, 1);
    s->job.start = &alone;
    run_sessions(&s->job);
    pthread_barrier_destroy(&alone);
    reach(&s->turn, 1);
    await(&s->turn, 2); /* meanwhile the library context goes */
    return NULL;
}

static void thread_outlives_library_context(void **state)
{
    const struct tp_set *set = *state;

    for (int i = 0; i < 4; i++) {
        struct survivor s[2] = {{.job.set = set}, {.job.set = set}};
        pthread_t threads[2];
        struct tp_lib lib;

        tp_lib_open(&lib);
        for (int j = 0; j < 2; j++) {
            s[j].job.lib = lib.ctx;
            s[j].job.sessions = 2;
            pthread_mutex_init(&s[j].turn.mutex, NULL);
            pthread_cond_init(&s[j].turn.changed, NULL);
            assert_int_equal(pthread_create(&threads[j], NULL, outlive, &s[j]), 0);
        }
        for (int j = 0; j < 2; j++)
            await(&s[j].turn, 1);
        tp_lib_close(&lib);
        for (int j = 0; j < 2; j++) {
            reach(&s[j].turn, 2);
            pthread_join(threads[j], NULL);
            assert_true(s[j].job.ok);
            pthread_cond_destroy(&s[j].turn.changed);
            pthread_mutex_destroy(&s[j].turn.mutex);
        }
    }
    tp_ok(1);
}

/* A context made by one thread and finished by another: no thread owns a handshake. */
static void *finish(void *arg)
{
    struct tp_pair *p = arg;

    if (tp_give(p->b, &p->m1) == 1 && tp_fetch(p->b, &p->m2) == 1)
        p->stage = TP_ANSWERED;
    return NULL;
}

static void passed_between_threads(void **state)
{
    struct tp_lib lib;
    struct tp_pair p;
    pthread_t thread;

    tp_lib_open(&lib);
    tp_pair_open(&p, &lib, *state);
    assert_int_equal(pthread_create(&thread, NULL, finish, &p), 0);
    pthread_join(thread, NULL);
    assert_int_equal(p.stage, TP_ANSWERED);
    tp_pair_advance(&p, TP_BOTH_DONE);
    tp_pair_close(&p);
    tp_lib_close(&lib);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TP_EACH_SET(shared_keys),
        TP_EACH_SET(first_use_at_once),
        TP_EACH_SET(thread_outlives_library_context),
        TP_EACH_SET(passed_between_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
