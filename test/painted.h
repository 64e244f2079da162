/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much stack a function takes: a thread's stack is painted, the function runs on it, and the
 * deepest byte that lost its paint counts. Define _XOPEN_SOURCE 700 before any include.
 */
#ifndef TEST_PAINTED_H
#define TEST_PAINTED_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PAINTED_SANITIZED /* clang's word for it */
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define PAINTED_SANITIZED /* gcc's */
#endif

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* No call of the project may take more: it is to run on the stacks of small systems' threads. */
enum { STACK_LIMIT = 112 * 1024 };

enum { PAINTED_BYTES = 1 << 20, PAINT = 0xa5 };

static void *painted_nothing(void *arg)
{
    return arg;
}

/* Runs work(arg) on a painted stack, which inspect, unless NULL, sees afterwards. */
static size_t painted_measure(void *work(void *), void *arg,
                              void inspect(const uint8_t *stack, size_t len, void *arg))
{
    uint8_t *stack = aligned_alloc(4096, PAINTED_BYTES);
    size_t untouched = 0;
    pthread_attr_t attr;
    pthread_t thread;

    assert_non_null(stack);
    memset(stack, PAINT, PAINTED_BYTES);
    assert_int_equal(pthread_attr_init(&attr), 0);
    assert_int_equal(pthread_attr_setstack(&attr, stack, PAINTED_BYTES), 0);
    assert_int_equal(pthread_create(&thread, &attr, work, arg), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attr);
    while (untouched < PAINTED_BYTES && stack[untouched] == PAINT)
        untouched++;
    if (inspect != NULL)
        inspect(stack, PAINTED_BYTES, arg);
    free(stack);
    return PAINTED_BYTES - untouched;
}

/* Bytes that work(arg) takes beyond what any thread does. */
static inline size_t stack_of(void *work(void *), void *arg)
{
    size_t base = painted_measure(painted_nothing, NULL, NULL);
    size_t used = painted_measure(work, arg, NULL);

    return used > base ? used - base : 0;
}

#endif
