/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One bit flipped in every byte of every message. With fixed coins and deterministic signatures a
 * session repeats itself, so that one set of messages serves a new context for every position.
 *
 * Usage: test_bitflips STRIDE: all bytes for DKEX-128, every STRIDE-th and the last for the others.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "evp_session.h"
#include "rng.h"

static struct tp_lib lib;
static size_t stride = 1;
static struct test_rng rng = {20240904};

static int open_lib(void **state)
{
    (void)state;
    print_message("seed %llu, stride %zu\n", (unsigned long long)rng.state, stride);
    tp_ok(tp_lib_configure(&lib, TP_ACTIVATE "test-entropy = yes"));
    return 0;
}

static int close_lib(void **state)
{
    (void)state;
    tp_lib_close(&lib);
    return 0;
}

/* A new handshake of the same coins in ctx, p->a or p->b. */
static void restart(struct tp_pair *p, EVP_PKEY_CTX *ctx)
{
    uint8_t coins[128];
    int one = 1, initiator = ctx == p->a;
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_octet_string("test-entropy", coins,
                                          initiator ? p->set->coins1_len : p->set->coins2_len),
        OSSL_PARAM_construct_int("deterministic", &one),
        OSSL_PARAM_construct_utf8_string("role", initiator ? "initiator" : "responder", 0),
        OSSL_PARAM_construct_end(),
    };

    memset(coins, initiator ? 0xa5 : 0x5a, sizeof(coins));
    tp_ok(EVP_PKEY_derive_init_ex(ctx, params));
    tp_ok(EVP_PKEY_derive_set_peer(ctx, initiator ? p->bob_pub : p->alice_pub));
}

static void open_pair(struct tp_pair *p, const struct tp_set *set)
{
    tp_pair_keys(p, &lib, set);
    tp_ok((p->a = EVP_PKEY_CTX_new_from_pkey(lib.ctx, p->alice, NULL)) != NULL);
    tp_ok((p->b = EVP_PKEY_CTX_new_from_pkey(lib.ctx, p->bob, NULL)) != NULL);
    restart(p, p->a);
    restart(p, p->b);
    tp_ok(tp_fetch(p->a, &p->m1));
    tp_pair_advance(p, TP_BOTH_DONE);
}

static struct tp_message flipped(const struct tp_message *m, size_t at)
{
    struct tp_message out = *m;

    out.bytes[at] ^= (uint8_t)(1u << test_rng_below(&rng, 8));
    return out;
}

static size_t next_position(const struct tp_set *set, size_t at, size_t len)
{
    size_t next = at + (set == &tp_sets[0] ? 1 : stride);

    return at + 1 < len && next >= len ? len - 1 : next;
}

/* B finds a coefficient out of range, or A finds that B answered something else. */
static void in_m1(void **state)
{
    struct tp_pair p;
    size_t malformed = 0, answered = 0;

    open_pair(&p, *state);
    for (size_t at = 0; at < p.m1.len; at = next_position(p.set, at, p.m1.len)) {
        struct tp_message bad = flipped(&p.m1, at), m2;

        restart(&p, p.b);
        if (tp_give(p.b, &bad) == 1) {
            answered++;
            restart(&p, p.a);
            tp_ok(tp_fetch(p.b, &m2));
            tp_refused(tp_give(p.a, &m2), "signature verification failed");
            tp_ok(tp_state_is(p.a, "failed"));
        } else {
            malformed++;
            tp_refused(0, "malformed message");
            tp_ok(tp_state_is(p.b, "failed"));
        }
    }
    print_message("%zu malformed, %zu answered\n", malformed, answered);
    assert_true(malformed > 0 && answered > 0);
    tp_pair_close(&p);
}

static void in_m2(void **state)
{
    struct tp_pair p;

    open_pair(&p, *state);
    for (size_t at = 0; at < p.m2.len; at = next_position(p.set, at, p.m2.len)) {
        struct tp_message bad = flipped(&p.m2, at);

        restart(&p, p.a);
        tp_refused(tp_give(p.a, &bad), "signature verification failed");
        tp_ok(tp_state_is(p.a, "failed"));
        tp_refused(tp_give(p.a, &p.m2), "handshake failed");
    }
    restart(&p, p.a);
    tp_ok(tp_give(p.a, &p.m2)); /* the unaltered one is still good */
    tp_pair_close(&p);
}

static void in_m3(void **state)
{
    struct tp_pair p;

    open_pair(&p, *state);
    for (size_t at = 0; at < p.m3.len; at = next_position(p.set, at, p.m3.len)) {
        struct tp_message bad = flipped(&p.m3, at);

        restart(&p, p.b);
        tp_ok(tp_give(p.b, &p.m1));
        tp_refused(tp_give(p.b, &bad), "signature verification failed");
        tp_ok(tp_state_is(p.b, "failed"));
        tp_refused(tp_give(p.b, &p.m3), "handshake failed");
    }
    restart(&p, p.b);
    tp_ok(tp_give(p.b, &p.m1));
    tp_ok(tp_give(p.b, &p.m3));
    tp_pair_close(&p);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TP_EACH_SET(in_m1),
        TP_EACH_SET(in_m2),
        TP_EACH_SET(in_m3),
    };

    if (argc > 1)
        stride = (size_t)strtoul(argv[1], NULL, 10);
    if (stride == 0) {
        fprintf(stderr, "usage: %s STRIDE\n", argv[0]);
        return 2;
    }
    return cmocka_run_group_tests(tests, open_lib, close_lib);
}
