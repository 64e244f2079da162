/* SPDX-License-Identifier: Apache-2.0 */
/* How much stack each call of the core takes. */
#define _XOPEN_SOURCE 700 /* pthread_attr_setstack */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../painted.h"
#include "pair.h"

enum call { GENERATE, CHECK, PASS1, PASS2, PASS3, ACCEPT, SECRET, CALLS };

static const char *const call_names[CALLS] = {
    "generate", "check", "start", "step m1", "step m2", "step m3", "secret",
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
    case CALLS:
        break;
    }
    return NULL;
}

static void test_stack(void **state)
{
    struct pair *p = calloc(1, sizeof(*p));
    struct test_rng rng = {11};

    (void)state;
    assert_non_null(p);
    for (size_t set = 0; set < DKEX_SETS; set++) {
        pair_init(p, set, &rng);
        assert_int_equal(dkex_handshake_start(&p->b.hs, DKEX_ROLE_RESPONDER, NULL), DKEX_OK);
        for (int call = GENERATE; call < CALLS; call++) {
            struct work w = {.pair = p, .call = (enum call)call};
            size_t used;

            if (call == PASS1) {
                assert_int_equal(dkex_handshake_set_peer(&p->a.hs, &p->b.key), DKEX_OK);
                assert_int_equal(dkex_handshake_set_peer(&p->b.hs, &p->a.key), DKEX_OK);
            }
            used = stack_of(work, &w);
            assert_int_equal(w.status, DKEX_OK);
            printf("%s %s: %zu bytes\n", p->suite.params->name, call_names[call], used);
            assert_true(used <= STACK_LIMIT);
        }
        pair_close(p);
    }
    printf("handshake context: %zu bytes\n", sizeof(struct dkex_handshake));
    free(p);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stack)};

    fixture_arguments(argc, argv);
#ifdef PAINTED_SANITIZED
    puts("skipped: AddressSanitizer takes stack of its own");
    return 77;
#endif
    return cmocka_run_group_tests(tests, NULL, fixture_teardown);
}
