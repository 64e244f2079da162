/* SPDX-License-Identifier: Apache-2.0 */
/* A context initialised again, and one copied, at every stage. */
#include <string.h>
#include <openssl/err.h>
#include "evp_session.h"

/* init drops role, peer and state; what follows is a handshake like any other. */
static void begin_again(struct tp_pair *p, EVP_PKEY_CTX *ctx)
{
    const int initiator = ctx == p->a;
    const struct tp_set *set = p->set;
    struct tp_message m = {.len = initiator ? set->ct_len + set->sig_len : set->m1_len};
    uint8_t secret[TP_MAX_SECRET];
    size_t len = sizeof(secret);

    tp_ok(EVP_PKEY_derive_init(ctx));
    tp_ok(tp_state_is(ctx, "role"));
    tp_refused(EVP_PKEY_derive(ctx, secret, &len), "handshake incomplete");
    tp_refused(tp_give(ctx, &m), "role not set");
    tp_ok(tp_set_text(ctx, "role", initiator ? "initiator" : "responder"));
    tp_refused(tp_give(ctx, &m), "peer key not set");
    tp_ok(EVP_PKEY_derive_set_peer(ctx, initiator ? p->bob_pub : p->alice_pub));
    tp_ok(tp_state_is(ctx, initiator ? "m2" : "m1"));
}

static void reinit(void **state)
{
    const struct tp_set *set = *state;

    for (enum tp_stage stage = TP_OPENED; stage <= TP_BOTH_DONE; stage++) {
        struct tp_pair p;
        struct tp_message old_m1;
        uint8_t old_secret[TP_MAX_SECRET];

        tp_pair_open(&p, &tp_shared, set);
        tp_pair_advance(&p, stage);
        old_m1 = p.m1;
        memcpy(old_secret, p.secret, sizeof(old_secret));
        for (int i = 0; i < 2; i++) {
            begin_again(&p, p.a);
            begin_again(&p, p.b);
        }
        tp_ok(tp_fetch(p.a, &p.m1));
        assert_memory_not_equal(p.m1.bytes, old_m1.bytes, set->m1_len);
        p.stage = TP_OPENED;
        tp_pair_advance(&p, TP_BOTH_DONE);
        assert_memory_not_equal(p.secret, old_secret, set->secret_len);
        tp_pair_close(&p);
    }
}

/* The other role is as good after init. */
static void reinit_in_other_role(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair p;
    uint8_t secret[TP_MAX_SECRET];

    for (enum tp_stage stage = TP_OPENED; stage <= TP_BOTH_DONE; stage++) {
        tp_pair_open(&p, &tp_shared, set);
        tp_pair_advance(&p, stage);
        tp_ok(EVP_PKEY_derive_init(p.a));
        tp_ok(EVP_PKEY_derive_init(p.b));
        tp_ok(tp_set_text(p.a, "role", "responder"));
        tp_ok(tp_set_text(p.b, "role", "initiator"));
        tp_ok(EVP_PKEY_derive_set_peer(p.a, p.bob_pub));
        tp_ok(EVP_PKEY_derive_set_peer(p.b, p.alice_pub));
        tp_ok(tp_agree(set, p.b, p.a, secret));
        tp_pair_close(&p);
    }
}

/* A m2 for the m1 from before init isn't accepted by the handshake after it. */
static void reinit_forgets_m1(void **state)
{
    struct tp_pair p;

    tp_pair_open(&p, &tp_shared, *state);
    tp_pair_advance(&p, TP_ANSWERED);
    begin_again(&p, p.a);
    tp_refused(tp_give(p.a, &p.m2), "signature verification failed");
    tp_pair_close(&p);
}

static void refuses_copy(EVP_PKEY_CTX *ctx)
{
    EVP_PKEY_CTX *copy = EVP_PKEY_CTX_dup(ctx);

    assert_null(copy);
    tp_refused(0, NULL);
}

/* No copy while an ephemeral secret exists; the refusal leaves the original as it was. */
static void dup_at_every_stage(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair p;
    EVP_PKEY_CTX *copy;
    uint8_t secret[TP_MAX_SECRET];
    size_t len;

    tp_pair_open(&p, &tp_shared, set);
    refuses_copy(p.a);
    tp_pair_advance(&p, TP_ANSWERED);
    refuses_copy(p.a);
    refuses_copy(p.b);
    tp_pair_advance(&p, TP_INITIATOR_DONE);
    refuses_copy(p.b);

    tp_ok((copy = EVP_PKEY_CTX_dup(p.a)) != NULL);
    tp_ok(tp_state_is(copy, "complete"));
    tp_refused(tp_give(copy, &p.m2), "message out of order");
    EVP_PKEY_CTX_free(p.a);
    p.a = copy; /* offers m3 like the original, which is gone */
    tp_pair_advance(&p, TP_BOTH_DONE);

    tp_ok((copy = EVP_PKEY_CTX_dup(p.b)) != NULL);
    EVP_PKEY_CTX_free(p.b);
    p.b = copy;
    tp_ok(tp_state_is(p.b, "complete"));
    tp_ok(tp_derive(p.b, secret, &len));
    assert_int_equal(len, set->secret_len);
    assert_memory_equal(secret, p.secret, len);
    tp_pair_close(&p);
}

/* Copies made before any pass are two handshakes; role and peer go along. */
static void dup_before_passes(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair p, q;

    tp_pair_keys(&p, &tp_shared, set);
    memset(&q, 0, sizeof(q));
    q.set = set;
    tp_ok((p.a = tp_side(tp_shared.ctx, p.alice, NULL, p.bob_pub)) != NULL);
    tp_ok((p.b = tp_side(tp_shared.ctx, p.bob, "responder", p.alice_pub)) != NULL);
    tp_ok((q.a = EVP_PKEY_CTX_dup(p.a)) != NULL);
    tp_ok((q.b = EVP_PKEY_CTX_dup(p.b)) != NULL);
    tp_ok(tp_state_is(q.a, "role"));
    tp_ok(tp_state_is(q.b, "m1"));
    tp_ok(tp_set_text(p.a, "role", "initiator"));
    tp_ok(tp_state_is(q.a, "role"));
    tp_ok(tp_set_text(q.a, "role", "initiator"));
    tp_ok(tp_fetch(p.a, &p.m1));
    tp_ok(tp_fetch(q.a, &q.m1));
    assert_memory_not_equal(p.m1.bytes, q.m1.bytes, set->m1_len);
    tp_pair_advance(&p, TP_BOTH_DONE);
    EVP_PKEY_CTX_free(p.a); /* the original's end doesn't touch the copy */
    EVP_PKEY_CTX_free(p.b);
    p.a = p.b = NULL;
    tp_pair_advance(&q, TP_BOTH_DONE);
    assert_memory_not_equal(p.secret, q.secret, set->secret_len);
    tp_pair_close(&q);
    tp_pair_close(&p);
}

/* A peer set in the copy alone. */
static void dup_without_peer(void **state)
{
    struct tp_pair p;
    EVP_PKEY_CTX *copy;

    tp_pair_open(&p, &tp_shared, *state);
    EVP_PKEY_CTX_free(p.b);
    tp_ok((p.b = tp_side(tp_shared.ctx, p.bob, "responder", NULL)) != NULL);
    tp_ok((copy = EVP_PKEY_CTX_dup(p.b)) != NULL);
    tp_ok(EVP_PKEY_derive_set_peer(copy, p.alice_pub));
    tp_refused(tp_give(p.b, &p.m1), "peer key not set");
    EVP_PKEY_CTX_free(p.b);
    p.b = copy;
    tp_pair_advance(&p, TP_BOTH_DONE);
    tp_pair_close(&p);
}

/* A failed handshake may or may not be copied: a copy has failed as well. */
static void dup_after_failure(void **state)
{
    struct tp_pair p;
    EVP_PKEY_CTX *copy;
    struct tp_message bad;

    tp_pair_open(&p, &tp_shared, *state);
    tp_pair_advance(&p, TP_ANSWERED);
    bad = p.m2;
    bad.bytes[0] ^= 1;
    tp_refused(tp_give(p.a, &bad), "signature verification failed");
    copy = EVP_PKEY_CTX_dup(p.a);
    if (copy != NULL) {
        tp_ok(tp_state_is(copy, "failed"));
        tp_refused(tp_give(copy, &p.m2), "handshake failed");
    }
    ERR_clear_error();
    EVP_PKEY_CTX_free(copy);
    tp_pair_close(&p);
}

/* After init there is no ephemeral secret any more. */
static void dup_after_reinit(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair p;
    EVP_PKEY_CTX *copy;
    uint8_t secret[TP_MAX_SECRET];

    tp_pair_open(&p, &tp_shared, set);
    refuses_copy(p.a);
    tp_ok(EVP_PKEY_derive_init(p.a));
    tp_ok((copy = EVP_PKEY_CTX_dup(p.a)) != NULL);
    EVP_PKEY_CTX_free(p.a);
    p.a = copy;
    tp_ok(tp_set_text(p.a, "role", "initiator"));
    tp_ok(EVP_PKEY_derive_set_peer(p.a, p.bob_pub));
    tp_ok(tp_agree(set, p.a, p.b, secret));
    tp_pair_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TP_EACH_SET(reinit),
        TP_EACH_SET(reinit_in_other_role),
        TP_EACH_SET(reinit_forgets_m1),
        TP_EACH_SET(dup_at_every_stage),
        TP_EACH_SET(dup_before_passes),
        TP_EACH_SET(dup_without_peer),
        TP_EACH_SET(dup_after_failure),
        TP_EACH_SET(dup_after_reinit),
    };

    return cmocka_run_group_tests(tests, tp_shared_open, tp_shared_close);
}
