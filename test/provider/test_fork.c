/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forks before, between and after passes: no ephemeral secret answers twice, no coins are drawn
 * twice, and what holds no ephemeral secret works on both sides.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#include "evp_session.h"

/* What a child does; its verdict, 1 if all was well, becomes the exit status. No cmocka here. */
typedef int child_work(struct tp_pair *p, int out);

static pid_t start_child(child_work *work, struct tp_pair *p, int out)
{
    pid_t pid;

    fflush(NULL);
    pid = fork();
    if (pid == 0) {
        int ok = work(p, out);

        fflush(NULL);
        _exit(ok ? 0 : 1);
    }
    assert_true(pid > 0);
    return pid;
}

static void child_was_well(pid_t pid)
{
    int status = -1;

    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void in_child(child_work *work, struct tp_pair *p)
{
    child_was_well(start_child(work, p, -1));
}

static int refused(int result, const char *reason)
{
    return tp_queue_holds(reason) && result <= 0;
}

static int complete_in_child(struct tp_pair *p, int out)
{
    uint8_t secret[TP_MAX_SECRET];

    (void)out;
    if (tp_state_is(p->a, "role") && tp_set_text(p->a, "role", "initiator") != 1)
        return 0;
    return tp_agree(p->set, p->a, p->b, secret) && tp_queue_empty();
}

/* No pass has run: contexts and keys work in the child, and in the parent after that. */
static void before_passes(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair p;
    uint8_t secret[TP_MAX_SECRET];

    tp_pair_keys(&p, &tp_shared, set);
    tp_ok((p.a = tp_side(tp_shared.ctx, p.alice, NULL, p.bob_pub)) != NULL);
    tp_ok((p.b = tp_side(tp_shared.ctx, p.bob, "responder", p.alice_pub)) != NULL);
    in_child(complete_in_child, &p);
    in_child(complete_in_child, &p);
    tp_ok(tp_set_text(p.a, "role", "initiator"));
    tp_ok(tp_agree(set, p.a, p.b, secret));
    tp_pair_close(&p);
}

static int new_handshake(struct tp_pair *p, EVP_PKEY_CTX *ctx)
{
    uint8_t secret[TP_MAX_SECRET];
    EVP_PKEY_CTX *other = ctx == p->a ? tp_side(tp_shared.ctx, p->bob, "responder", p->alice_pub)
                                      : tp_side(tp_shared.ctx, p->alice, "initiator", p->bob_pub);
    int ok =
        EVP_PKEY_derive_init(ctx) == 1 && tp_state_is(ctx, "role") &&
        tp_set_text(ctx, "role", ctx == p->a ? "initiator" : "responder") == 1 &&
        EVP_PKEY_derive_set_peer(ctx, ctx == p->a ? p->bob_pub : p->alice_pub) == 1 &&
        (ctx == p->a ? tp_agree(p->set, ctx, other, secret) : tp_agree(p->set, other, ctx, secret));

    EVP_PKEY_CTX_free(other);
    return ok && tp_queue_empty();
}

/* The child's copy of a context that holds an ephemeral secret is dead, until a new init. */
static int foreign(struct tp_pair *p, EVP_PKEY_CTX *ctx, const struct tp_message *good)
{
    uint8_t secret[TP_MAX_SECRET];
    size_t len = sizeof(secret);
    struct tp_message fetched;
    EVP_PKEY_CTX *copy;

    for (int i = 0; i < 2; i++) {
        if (!refused(tp_give(ctx, good), "context of another process"))
            return 0;
    }
    if (!refused(EVP_PKEY_derive(ctx, secret, &len), "context of another process") ||
        !refused(tp_fetch(ctx, &fetched), "context of another process") ||
        !refused(EVP_PKEY_derive_set_peer(ctx, ctx == p->a ? p->bob_pub : p->alice_pub),
                 "context of another process"))
        return 0;
    copy = EVP_PKEY_CTX_dup(ctx);
    return refused(copy != NULL, NULL) && new_handshake(p, ctx);
}

static int initiator_in_child(struct tp_pair *p, int out)
{
    (void)out;
    return foreign(p, p->a, &p->m2);
}

static int responder_in_child(struct tp_pair *p, int out)
{
    (void)out;
    return foreign(p, p->b, &p->m3);
}

/* After pass 1 A holds its ephemeral secret; B waits for m1 and holds none. */
static void after_pass_1(void **state)
{
    struct tp_pair p, q;

    tp_pair_open(&p, &tp_shared, *state);

    /* A good m2, of a responder apart, for the child to be tempted with. */
    memset(&q, 0, sizeof(q));
    tp_ok((q.b = tp_side(tp_shared.ctx, p.bob, "responder", p.alice_pub)) != NULL);
    tp_ok(tp_give(q.b, &p.m1));
    tp_ok(tp_fetch(q.b, &p.m2));
    in_child(initiator_in_child, &p);
    in_child(initiator_in_child, &p);
    tp_pair_advance(&p, TP_BOTH_DONE);
    tp_pair_close(&q);
    tp_pair_close(&p);
}

/* After pass 2 both hold something; the parent's go on. */
static void after_pass_2(void **state)
{
    struct tp_pair p;

    tp_pair_open(&p, &tp_shared, *state);
    tp_pair_advance(&p, TP_ANSWERED);
    in_child(initiator_in_child, &p);
    tp_pair_advance(&p, TP_INITIATOR_DONE);
    in_child(responder_in_child, &p);
    tp_pair_advance(&p, TP_BOTH_DONE);
    tp_pair_close(&p);
}

static int initiator_done_in_child(struct tp_pair *p, int out)
{
    uint8_t secret[TP_MAX_SECRET];
    size_t len;
    struct tp_message m;

    (void)out;
    return tp_state_is(p->a, "complete") && tp_fetch(p->a, &m) == 1 && m.len == p->m3.len &&
           memcmp(m.bytes, p->m3.bytes, m.len) == 0 && tp_derive(p->a, secret, &len) == 1 &&
           new_handshake(p, p->a);
}

static int done_in_child(struct tp_pair *p, int out)
{
    uint8_t secret[TP_MAX_SECRET];
    size_t len;
    EVP_PKEY_CTX *sides[] = {p->a, p->b};

    (void)out;
    for (int i = 0; i < 2; i++) {
        EVP_PKEY_CTX *copy = EVP_PKEY_CTX_dup(sides[i]);
        int ok = copy != NULL && tp_derive(sides[i], secret, &len) == 1 &&
                 len == p->set->secret_len && memcmp(secret, p->secret, len) == 0 &&
                 tp_derive(copy, secret, &len) == 1 && memcmp(secret, p->secret, len) == 0;

        EVP_PKEY_CTX_free(copy);
        if (!ok)
            return 0;
    }
    return new_handshake(p, p->a) && new_handshake(p, p->b);
}

/* After completion nothing ephemeral is left: the child derives the same secret. */
static void after_passes(void **state)
{
    struct tp_pair p;

    tp_pair_open(&p, &tp_shared, *state);
    tp_pair_advance(&p, TP_INITIATOR_DONE);
    in_child(initiator_done_in_child, &p);
    tp_pair_advance(&p, TP_BOTH_DONE);
    in_child(done_in_child, &p);
    tp_pair_advance(&p, TP_BOTH_DONE);
    tp_pair_close(&p);
}

/* What one process draws: m1 of a new handshake and the public half of a new key. */
struct drawn {
    uint8_t m1[256], pub[256];
};

static int draw(struct tp_pair *p, struct drawn *d)
{
    EVP_PKEY_CTX *a = tp_side(tp_shared.ctx, p->alice, "initiator", NULL);
    EVP_PKEY *key = tp_key_generate(tp_shared.ctx, p->set->name);
    struct tp_message m;
    uint8_t pub[TP_MAX_KEY];
    int ok = a != NULL && tp_fetch(a, &m) == 1 &&
             EVP_PKEY_get_octet_string_param(key, "pub", pub, sizeof(pub), NULL) == 1;

    if (ok) {
        memcpy(d->m1, m.bytes, sizeof(d->m1));
        memcpy(d->pub, pub, sizeof(d->pub));
    }
    EVP_PKEY_CTX_free(a);
    EVP_PKEY_free(key);
    return ok;
}

static int draw_in_child(struct tp_pair *p, int out)
{
    struct drawn d;

    return draw(p, &d) && write(out, &d, sizeof(d)) == (ssize_t)sizeof(d);
}

/* Parent and children, before and after, share no coins. */
static void coins_not_shared(void **state)
{
    enum { CHILDREN = 4 };
    struct tp_pair p;
    struct drawn d[CHILDREN + 2];
    int ends[2];

    tp_pair_keys(&p, &tp_shared, *state);
    assert_int_equal(pipe(ends), 0);
    tp_ok(draw(&p, &d[CHILDREN]));
    for (int i = 0; i < CHILDREN; i++) {
        child_was_well(start_child(draw_in_child, &p, ends[1]));
        assert_int_equal(read(ends[0], &d[i], sizeof(d[i])), sizeof(d[i]));
    }
    tp_ok(draw(&p, &d[CHILDREN + 1]));
    for (int i = 0; i < CHILDREN + 2; i++) {
        for (int j = 0; j < i; j++) {
            assert_memory_not_equal(d[i].m1, d[j].m1, sizeof(d[i].m1));
            assert_memory_not_equal(d[i].pub, d[j].pub, sizeof(d[i].pub));
        }
    }
    close(ends[0]);
    close(ends[1]);
    tp_pair_close(&p);
}

static int answer_in_child(struct tp_pair *p, int out)
{
    struct tp_message m;

    return tp_give(p->b, &p->m1) == 1 && tp_fetch(p->b, &m) == 1 && write(out, m.bytes, 512) == 512;
}

/* One responder, forked while it waits for m1: each process answers with an ephemeral of its own.
 */
static void answers_differ(void **state)
{
    struct tp_pair p;
    uint8_t m2[3][512];
    int ends[2];

    tp_pair_open(&p, &tp_shared, *state);
    assert_int_equal(pipe(ends), 0);
    for (int i = 0; i < 2; i++) {
        child_was_well(start_child(answer_in_child, &p, ends[1]));
        assert_int_equal(read(ends[0], m2[i], sizeof(m2[i])), sizeof(m2[i]));
    }
    tp_pair_advance(&p, TP_ANSWERED);
    memcpy(m2[2], p.m2.bytes, sizeof(m2[2]));
    assert_memory_not_equal(m2[0], m2[1], sizeof(m2[0]));
    assert_memory_not_equal(m2[0], m2[2], sizeof(m2[0]));
    assert_memory_not_equal(m2[1], m2[2], sizeof(m2[0]));
    tp_pair_advance(&p, TP_BOTH_DONE);
    close(ends[0]);
    close(ends[1]);
    tp_pair_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TP_EACH_SET(before_passes), TP_EACH_SET(after_pass_1),     TP_EACH_SET(after_pass_2),
        TP_EACH_SET(after_passes),  TP_EACH_SET(coins_not_shared), TP_EACH_SET(answers_differ),
    };

    return cmocka_run_group_tests(tests, tp_shared_open, tp_shared_close);
}
