/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much stack each call of the core takes: a thread's stack is painted, the call made, and the
 * deepest byte that lost its paint counted. 112 KiB is what fits the threads of small systems.
 */
#define _XOPEN_SOURCE 700 /* pthread_attr_setstack */

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pair.h"

enum { STACK_BYTES = 1 << 20, LIMIT = 112 * 1024, PAINT = 0xa5 };

enum call { NOTHING, GENERATE, CHECK, PASS1, PASS2, PASS3, ACCEPT, SECRET, CALLS };

static const char *const call_names[CALLS] = {
    "an empty thread", "generate", "check", "start", "step m1", "step m2", "step m3", "secret",
};

struct work {
    struct pair *pair;
    enum call call;
    enum dkex_status status;
};

static void *work(void *arg)
{
    struct work *w = arg;
    struct pair *p = w->pair;
    const struct dkex_params *params = p->suite.params;
    struct dkex_handshake *a = &p->a.hs, *b = &p->b.hs;

    w->status = DKEX_OK;
    switch (w->call) {
    case GENERATE:
        dkex_key_generate(&p->suite, p->a.pub, p->a.priv, p->coins1);
        break;
    case CHECK:
        w->status = dkex_key_check(&p->suite, p->a.pub, p->a.priv);
        break;
    case PASS1:
        w->status = dkex_handshake_start(a, DKEX_ROLE_INITIATOR, p->coins1);
        break;
    case PASS2:
        w->status = dkex_handshake_step(b, a->out, params->m1_len, p->coins2, p->rnd);
        break;
    case PASS3:
        w->status = dkex_handshake_step(a, b->out, params->m2_len, NULL, p->rnd);
        break;
    case ACCEPT:
        w->status = dkex_handshake_step(b, a->out, params->m3_len, NULL, NULL);
        break;
    case SECRET:
        w->status = dkex_handshake_secret(b, p->coins2);
        break;
    default:
        break;
    }
    return NULL;
}

/* Bytes of a painted stack that the call has touched. */
static size_t measure(struct work *w, uint8_t *stack)
{
    pthread_attr_t attr;
    pthread_t thread;
    size_t untouched = 0;

    memset(stack, PAINT, STACK_BYTES);
    assert_int_equal(pthread_attr_init(&attr), 0);
    assert_int_equal(pthread_attr_setstack(&attr, stack, STACK_BYTES), 0);
    assert_int_equal(pthread_create(&thread, &attr, work, w), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attr);
    assert_int_equal(w->status, DKEX_OK);
    while (untouched < STACK_BYTES && stack[untouched] == PAINT)
        untouched++;
    return STACK_BYTES - untouched;
}

static void test_stack(void **state)
{
    uint8_t *stack = aligned_alloc(4096, STACK_BYTES);
    struct pair *p = calloc(1, sizeof(*p));
    struct test_rng rng = {11};

    (void)state;
    assert_non_null(stack);
    assert_non_null(p);
    for (size_t set = 0; set < DKEX_SETS; set++) {
        size_t base = 0;

        pair_init(p, set, &rng);
        assert_int_equal(dkex_handshake_start(&p->b.hs, DKEX_ROLE_RESPONDER, NULL), DKEX_OK);
        for (int call = NOTHING; call < CALLS; call++) {
            struct work w = {.pair = p, .call = (enum call)call};
            size_t used;

            if (call == PASS1) {
                assert_int_equal(dkex_handshake_set_peer(&p->a.hs, &p->b.key), DKEX_OK);
                assert_int_equal(dkex_handshake_set_peer(&p->b.hs, &p->a.key), DKEX_OK);
            }
            used = measure(&w, stack);
            if (call == NOTHING)
                base = used;
            printf("%s %s: %zu bytes\n", p->suite.params->name, call_names[call],
                   call == NOTHING ? used : used - base);
            assert_true(used - (call == NOTHING ? 0 : base) <= LIMIT);
        }
        pair_close(p);
    }
    printf("handshake context: %zu bytes\n", sizeof(struct dkex_handshake));
    free(p);
    free(stack);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stack)};

#if defined(__SANITIZE_ADDRESS__)
    puts("skipped: AddressSanitizer takes stack of its own");
    return 77;
#endif
    return cmocka_run_group_tests(tests, NULL, fixture_teardown);
}
