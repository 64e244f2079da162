/* SPDX-License-Identifier: Apache-2.0 */
/* Honest sessions: sizes, states, lists, repetition. */
#include <string.h>
#include "evp_session.h"

/* tp_pair_advance checks sizes, states and secrets on its way. */
static void honest(void **state)
{
    struct tp_pair p;

    tp_pair_open(&p, &tp_shared, *state);
    tp_pair_advance(&p, TP_BOTH_DONE);
    tp_pair_close(&p);
}

/* The order of calls in the README, one by one: A has m1 before it knows its peer. */
static void as_documented(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair p;
    struct tp_message m1, m2, m3;
    uint8_t secret_a[TP_MAX_SECRET], secret_b[TP_MAX_SECRET];
    size_t len_a, len_b;

    tp_pair_keys(&p, &tp_shared, set);
    tp_ok((p.a = tp_side(tp_shared.ctx, p.alice, NULL, NULL)) != NULL);
    tp_ok((p.b = tp_side(tp_shared.ctx, p.bob, NULL, NULL)) != NULL);
    tp_ok(tp_state_is(p.a, "role"));
    tp_ok(tp_state_is(p.b, "role"));
    tp_ok(tp_set_text(p.a, "role", "initiator"));
    tp_ok(tp_state_is(p.a, "m2"));
    tp_ok(tp_fetch(p.a, &m1));
    tp_ok(EVP_PKEY_derive_set_peer(p.a, p.bob_pub));
    tp_ok(tp_state_is(p.a, "m2"));
    tp_ok(EVP_PKEY_derive_set_peer(p.b, p.alice_pub));
    tp_ok(tp_state_is(p.b, "role"));
    tp_ok(tp_set_text(p.b, "role", "responder"));
    tp_ok(tp_state_is(p.b, "m1"));
    tp_ok(tp_give(p.b, &m1));
    tp_ok(tp_state_is(p.b, "m3"));
    tp_ok(tp_fetch(p.b, &m2));
    tp_ok(tp_give(p.a, &m2));
    tp_ok(tp_state_is(p.a, "complete"));
    tp_ok(tp_fetch(p.a, &m3));
    tp_ok(tp_give(p.b, &m3));
    tp_ok(tp_state_is(p.b, "complete"));
    assert_int_equal(m1.len, set->m1_len);
    assert_int_equal(m2.len, set->ct_len + set->sig_len);
    assert_int_equal(m3.len, set->sig_len);

    /* The same secret on every call, on both sides. */
    for (int i = 0; i < 3; i++) {
        memset(secret_a, i, sizeof(secret_a));
        memset(secret_b, i + 1, sizeof(secret_b));
        tp_ok(tp_derive(p.a, secret_a, &len_a));
        tp_ok(tp_derive(p.b, secret_b, &len_b));
        assert_int_equal(len_a, set->secret_len);
        assert_int_equal(len_b, set->secret_len);
        assert_memory_equal(secret_a, secret_b, len_a);
        if (i > 0)
            assert_memory_equal(secret_a, p.secret, len_a);
        memcpy(p.secret, secret_a, len_a);
    }
    tp_pair_close(&p);
}

static void role_is(EVP_PKEY_CTX *ctx, const char *expected)
{
    char role[32] = "";
    OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string("role", role, sizeof(role)),
                           OSSL_PARAM_construct_end()};

    tp_ok(EVP_PKEY_CTX_get_params(ctx, params));
    assert_string_equal(role, expected);
    assert_int_equal(params[0].return_size, strlen(expected));
}

static void roles(void **state)
{
    struct tp_pair p;

    tp_pair_open(&p, &tp_shared, *state);
    for (enum tp_stage stage = TP_OPENED; stage <= TP_BOTH_DONE; stage++) {
        tp_pair_advance(&p, stage);
        role_is(p.a, "initiator");
        role_is(p.b, "responder");
    }
    tp_pair_close(&p);
}

static void length_is(EVP_PKEY_CTX *ctx, size_t expected)
{
    size_t len = 0;

    tp_ok(EVP_PKEY_derive(ctx, NULL, &len));
    assert_int_equal(len, expected);
}

static void secret_length_at_any_time(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair p;
    EVP_PKEY_CTX *bare;

    tp_pair_open(&p, &tp_shared, set);
    tp_ok((bare = tp_side(tp_shared.ctx, p.alice, NULL, NULL)) != NULL);
    length_is(bare, set->secret_len);
    for (enum tp_stage stage = TP_OPENED; stage <= TP_BOTH_DONE; stage++) {
        tp_pair_advance(&p, stage);
        length_is(p.a, set->secret_len);
        length_is(p.b, set->secret_len);
    }
    EVP_PKEY_CTX_free(bare);
    tp_pair_close(&p);
}

/* A peer's key may hold its private half: only the public one counts. Either party may begin. */
static void whole_keys_and_changed_roles(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair p;
    uint8_t secret[TP_MAX_SECRET];

    tp_pair_keys(&p, &tp_shared, set);
    tp_ok(tp_session(set, tp_shared.ctx, p.alice, p.bob, secret));
    tp_ok(tp_session(set, tp_shared.ctx, p.bob, p.alice, secret));
    tp_ok((p.a = tp_side(tp_shared.ctx, p.alice, "initiator", NULL)) != NULL);
    tp_ok((p.b = tp_side(tp_shared.ctx, p.bob, "responder", NULL)) != NULL);
    tp_ok(EVP_PKEY_derive_set_peer_ex(p.a, p.bob_pub, 0));
    tp_ok(EVP_PKEY_derive_set_peer_ex(p.b, p.alice_pub, 0));
    tp_ok(tp_agree(set, p.a, p.b, secret));
    tp_pair_close(&p);
}

/* The context holds its keys: the caller's references may go. */
static void keys_freed_early(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair p;

    tp_pair_open(&p, &tp_shared, set);
    EVP_PKEY_free(p.alice);
    EVP_PKEY_free(p.bob);
    EVP_PKEY_free(p.alice_pub);
    EVP_PKEY_free(p.bob_pub);
    p.alice = p.bob = p.alice_pub = p.bob_pub = NULL;
    tp_pair_advance(&p, TP_BOTH_DONE);
    tp_pair_close(&p);
}

/* Two sessions of the same keys have nothing in common. */
static void fresh(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair p, q;

    tp_pair_open(&p, &tp_shared, set);
    tp_pair_advance(&p, TP_BOTH_DONE);
    memset(&q, 0, sizeof(q));
    q.set = set;
    tp_ok((q.a = tp_side(tp_shared.ctx, p.alice, "initiator", p.bob)) != NULL);
    tp_ok((q.b = tp_side(tp_shared.ctx, p.bob, "responder", p.alice)) != NULL);
    tp_ok(tp_fetch(q.a, &q.m1));
    tp_pair_advance(&q, TP_BOTH_DONE);
    assert_memory_not_equal(p.m1.bytes, q.m1.bytes, set->m1_len);
    assert_memory_not_equal(p.m2.bytes, q.m2.bytes, set->ct_len);
    assert_memory_not_equal(p.m2.bytes + set->ct_len, q.m2.bytes + set->ct_len, set->sig_len);
    assert_memory_not_equal(p.m3.bytes, q.m3.bytes, set->sig_len);
    assert_memory_not_equal(p.secret, q.secret, set->secret_len);
    tp_pair_close(&q);
    tp_pair_close(&p);
}

/* `deterministic` may be set on and off and changes nothing that the peer could see. */
static void deterministic_agrees(void **state)
{
    const struct tp_set *set = *state;
    uint8_t secret[TP_MAX_SECRET];

    for (int i = 0; i < 4; i++) {
        struct tp_pair p;

        tp_pair_keys(&p, &tp_shared, set);
        tp_ok((p.a = tp_side(tp_shared.ctx, p.alice, "initiator", p.bob)) != NULL);
        tp_ok((p.b = tp_side(tp_shared.ctx, p.bob, "responder", p.alice)) != NULL);
        tp_ok(tp_set_int(p.a, "deterministic", i & 1));
        tp_ok(tp_set_int(p.b, "deterministic", i >> 1));
        tp_ok(tp_agree(set, p.a, p.b, secret));
        tp_pair_close(&p);
    }
}

/* Lists of a derive context name every parameter, and none that does nothing. */
static void lists(void **state)
{
    static const char *const gettable[] = {"out-message", "role", "state"};
    static const char *const settable[] = {"role", "in-message", "deterministic", "test-entropy"};
    struct tp_pair p;
    const OSSL_PARAM *list;
    size_t count = 0;

    tp_pair_open(&p, &tp_shared, *state);
    assert_non_null(list = EVP_PKEY_CTX_gettable_params(p.a));
    for (const OSSL_PARAM *at = list; at->key != NULL; at++)
        count++;
    assert_int_equal(count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_non_null(OSSL_PARAM_locate_const(list, gettable[i]));

    /* test-entropy may be left out where it is disabled. */
    assert_non_null(list = EVP_PKEY_CTX_settable_params(p.a));
    for (count = 0; list[count].key != NULL; count++)
        continue;
    assert_true(count == 3 || count == 4);
    for (size_t i = 0; i < count; i++)
        assert_non_null(OSSL_PARAM_locate_const(list, settable[i]));
    tp_pair_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TP_EACH_SET(honest),
        TP_EACH_SET(as_documented),
        TP_EACH_SET(roles),
        TP_EACH_SET(secret_length_at_any_time),
        TP_EACH_SET(whole_keys_and_changed_roles),
        TP_EACH_SET(keys_freed_early),
        TP_EACH_SET(fresh),
        TP_EACH_SET(deterministic_agrees),
        TP_EACH_SET(lists),
    };

    return cmocka_run_group_tests(tests, tp_shared_open, tp_shared_close);
}
