/* SPDX-License-Identifier: Apache-2.0 */
/* How much stack a whole EVP call takes, libcrypto's share included. */
#define _XOPEN_SOURCE 700 /* pthread_attr_setstack */

#include <stdio.h>

#include "evp_session.h"

#include "../painted.h"

struct work {
    EVP_PKEY_CTX *ctx;
    struct tp_message *message; /* to give; NULL: generate a key with ctx */
    int ok;
};

static void *work(void *arg)
{
    struct work *w = arg;
    EVP_PKEY *key = NULL;

    if (w->message != NULL) {
        w->ok = tp_give(w->ctx, w->message);
    } else {
        w->ok = EVP_PKEY_generate(w->ctx, &key) > 0;
        EVP_PKEY_free(key);
    }
    return NULL;
}

static void assert_stack(const struct tp_set *set, const char *what, EVP_PKEY_CTX *ctx,
                         struct tp_message *message)
{
    struct work w = {.ctx = ctx, .message = message};
    size_t used = stack_of(work, &w);

    printf("%s %s: %zu bytes\n", set->name, what, used);
    tp_ok(w.ok);
    assert_true(used <= STACK_LIMIT);
}

static void stack(void **state)
{
    const struct tp_set *set = *state;
    EVP_PKEY_CTX *generation = EVP_PKEY_CTX_new_from_name(tp_shared.ctx, set->name, NULL);
    struct tp_pair p;

    tp_pair_open(&p, &tp_shared, set);
    tp_ok(generation != NULL && EVP_PKEY_keygen_init(generation) > 0);
    assert_stack(set, "generate", generation, NULL);
    tp_ok(tp_fetch(p.a, &p.m1));
    assert_stack(set, "m1", p.b, &p.m1);
    tp_ok(tp_fetch(p.b, &p.m2));
    assert_stack(set, "m2", p.a, &p.m2);
    tp_ok(tp_fetch(p.a, &p.m3));
    assert_stack(set, "m3", p.b, &p.m3);
    EVP_PKEY_CTX_free(generation);
    tp_pair_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TP_EACH_SET(stack)};

#ifdef PAINTED_SANITIZED
    puts("skipped: AddressSanitizer takes stack of its own");
    return 77;
#endif
    return cmocka_run_group_tests(tests, tp_shared_open, tp_shared_close);
}
