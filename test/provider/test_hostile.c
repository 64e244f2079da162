/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages cut, extended, altered, replayed, or of somebody else. What is refused leaves the
 * handshake as it was; what fails ends it for good.
 */
#include <string.h>
#include "evp_session.h"

/* 0, 1, n - 1 and n + 1 bytes of m. */
static void wrong_lengths(EVP_PKEY_CTX *ctx, const struct tp_message *m)
{
    const size_t lengths[] = {0, 1, m->len - 1, m->len + 1};
    struct tp_message wrong = *m;

    for (size_t i = 0; i < 4; i++) {
        wrong.len = lengths[i];
        tp_refused(tp_give(ctx, &wrong), "bad message length");
    }
}

static void cut_and_extended(void **state)
{
    struct tp_pair p;

    tp_pair_open(&p, &tp_shared, *state);
    wrong_lengths(p.b, &p.m1);
    tp_pair_advance(&p, TP_ANSWERED);
    wrong_lengths(p.a, &p.m2);
    tp_pair_advance(&p, TP_INITIATOR_DONE);
    wrong_lengths(p.b, &p.m3);
    tp_pair_advance(&p, TP_BOTH_DONE);
    tp_pair_close(&p);
}

/* ctx has failed: every call says so, and a new init, nothing else, makes it usable again. */
static void failed_for_good(EVP_PKEY_CTX *ctx, EVP_PKEY *peer, const struct tp_message *good)
{
    uint8_t secret[TP_MAX_SECRET];
    size_t len;
    struct tp_message m;

    for (int i = 0; i < 2; i++) {
        tp_ok(tp_state_is(ctx, "failed"));
        tp_refused(tp_give(ctx, good), "handshake failed");
        tp_refused(tp_fetch(ctx, &m), "handshake failed");
        len = sizeof(secret);
        tp_refused(EVP_PKEY_derive(ctx, secret, &len), "handshake failed");
        tp_ok(EVP_PKEY_derive(ctx, NULL, &len)); /* the length is no secret */
        tp_refused(EVP_PKEY_derive_set_peer(ctx, peer), "handshake failed");
        tp_refused(tp_set_text(ctx, "role", "initiator"), "handshake failed");
        tp_refused(tp_set_text(ctx, "role", "responder"), "handshake failed");
    }
}

static void init_again(struct tp_pair *p, EVP_PKEY_CTX *ctx)
{
    const char *role = ctx == p->a ? "initiator" : "responder";

    tp_ok(EVP_PKEY_derive_init(ctx));
    tp_ok(tp_state_is(ctx, "role"));
    tp_ok(tp_set_text(ctx, "role", role));
    tp_ok(EVP_PKEY_derive_set_peer(ctx, ctx == p->a ? p->bob_pub : p->alice_pub));
}

static void failure_is_final(void **state)
{
    struct tp_pair p;
    struct tp_message bad;

    tp_pair_open(&p, &tp_shared, *state);
    bad = p.m1;
    memset(bad.bytes, 0xff, 3);
    tp_refused(tp_give(p.b, &bad), "malformed message");
    failed_for_good(p.b, p.alice_pub, &p.m1);
    init_again(&p, p.b);
    tp_pair_advance(&p, TP_ANSWERED);

    bad = p.m2;
    bad.bytes[0] ^= 1;
    tp_refused(tp_give(p.a, &bad), "signature verification failed");
    failed_for_good(p.a, p.bob_pub, &p.m2);
    init_again(&p, p.a);
    init_again(&p, p.b);
    p.stage = TP_OPENED;
    tp_ok(tp_fetch(p.a, &p.m1));
    tp_pair_advance(&p, TP_INITIATOR_DONE);

    bad = p.m3;
    bad.bytes[bad.len - 1] ^= 0x80;
    tp_refused(tp_give(p.b, &bad), "signature verification failed");
    failed_for_good(p.b, p.alice_pub, &p.m3);
    init_again(&p, p.a);
    init_again(&p, p.b);
    p.stage = TP_OPENED;
    tp_ok(tp_fetch(p.a, &p.m1));
    tp_pair_advance(&p, TP_BOTH_DONE);
    tp_pair_close(&p);
}

/* Coefficient i of m1, `width` bits. */
static void put_coefficient(struct tp_message *m, size_t i, size_t width, unsigned value)
{
    for (size_t bit = 0; bit < width; bit++) {
        const size_t at = i * width + bit;

        m->bytes[at / 8] &= (uint8_t) ~(1u << at % 8);
        m->bytes[at / 8] |= (uint8_t)((value >> bit & 1u) << at % 8);
    }
}

/* Coefficients of m1, the first, the last and some between: q - 1 is one, q and more are not. */
static void malformed_m1(void **state)
{
    const struct tp_set *set = *state;
    const int large = strcmp(set->name, "DKEX-512") == 0;
    const size_t width = large ? 13 : 12;
    const unsigned q = large ? 7681 : 3329;
    const size_t coefficients = (set->m1_len - set->coins1_len) * 8 / width;
    struct tp_pair p;

    tp_pair_open(&p, &tp_shared, set);
    for (size_t i = 0; i < coefficients + 96; i += 97) {
        const size_t at = i < coefficients ? i : coefficients - 1;
        struct tp_message altered = p.m1;

        put_coefficient(&altered, at, width, q - 1);
        tp_ok(tp_give(p.b, &altered));
        init_again(&p, p.b);
        for (unsigned value = q; value < 1u << width; value = 2 * value - q + 1) {
            put_coefficient(&altered, at, width, value);
            tp_refused(tp_give(p.b, &altered), "malformed message");
            tp_ok(tp_state_is(p.b, "failed"));
            init_again(&p, p.b);
        }
    }
    tp_pair_advance(&p, TP_BOTH_DONE);
    tp_pair_close(&p);
}

/* Two sessions at once of the same two parties. */
static void second_session(struct tp_pair *q, const struct tp_pair *p)
{
    memset(q, 0, sizeof(*q));
    q->set = p->set;
    tp_ok((q->a = tp_side(tp_shared.ctx, p->alice, "initiator", p->bob)) != NULL);
    tp_ok((q->b = tp_side(tp_shared.ctx, p->bob, "responder", p->alice)) != NULL);
    tp_ok(tp_fetch(q->a, &q->m1));
}

static void other_session(void **state)
{
    struct tp_pair p, q;

    tp_pair_open(&p, &tp_shared, *state);
    second_session(&q, &p);
    tp_pair_advance(&p, TP_INITIATOR_DONE);
    tp_pair_advance(&q, TP_ANSWERED);
    tp_refused(tp_give(q.a, &p.m2), "signature verification failed");
    tp_ok(tp_state_is(q.a, "failed"));
    tp_refused(tp_give(q.b, &p.m3), "signature verification failed");
    tp_ok(tp_state_is(q.b, "failed"));
    tp_pair_advance(&p, TP_BOTH_DONE);
    tp_pair_close(&q);
    tp_pair_close(&p);
}

/* B answers the m1 of another session; A, who sent this one, notices. */
static void m1_exchanged(void **state)
{
    struct tp_pair p, q;
    struct tp_message m2;

    tp_pair_open(&p, &tp_shared, *state);
    second_session(&q, &p);
    tp_ok(tp_give(p.b, &q.m1));
    tp_ok(tp_fetch(p.b, &m2));
    tp_refused(tp_give(p.a, &m2), "signature verification failed");
    tp_ok(tp_state_is(p.a, "failed"));
    tp_pair_close(&q);
    tp_pair_close(&p);
}

/* Mallory, with a key of her own, in the place of B, then of A. */
static void other_peer(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair p;
    struct tp_message m1, m2, m3;
    EVP_PKEY *mallory;
    EVP_PKEY_CTX *ctx;

    tp_pair_open(&p, &tp_shared, set);
    tp_ok((mallory = tp_key_generate(tp_shared.ctx, set->name)) != NULL);
    tp_ok((ctx = tp_side(tp_shared.ctx, mallory, "responder", p.alice_pub)) != NULL);
    tp_ok(tp_give(ctx, &p.m1));
    tp_ok(tp_fetch(ctx, &m2));
    tp_refused(tp_give(p.a, &m2), "signature verification failed");
    tp_ok(tp_state_is(p.a, "failed"));
    EVP_PKEY_CTX_free(ctx);

    tp_ok((ctx = tp_side(tp_shared.ctx, mallory, "initiator", p.bob_pub)) != NULL);
    tp_ok(tp_fetch(ctx, &m1));
    tp_ok(tp_give(p.b, &m1));
    tp_ok(tp_fetch(p.b, &m2));
    tp_refused(tp_give(ctx, &m2), "signature verification failed"); /* B signs for Alice */
    EVP_PKEY_CTX_free(ctx);

    tp_pair_close(&p);
    tp_pair_open(&p, &tp_shared, set);
    tp_pair_advance(&p, TP_ANSWERED);
    tp_ok((ctx = tp_side(tp_shared.ctx, mallory, "initiator", p.bob_pub)) != NULL);
    EVP_PKEY_CTX_free(p.a);
    p.a = ctx;
    tp_ok(tp_fetch(ctx, &m1));
    ctx = tp_side(tp_shared.ctx, p.bob, "responder", mallory);
    tp_ok(ctx != NULL && tp_give(ctx, &m1) == 1 && tp_fetch(ctx, &m2) == 1);
    tp_ok(tp_give(p.a, &m2));
    tp_ok(tp_fetch(p.a, &m3));
    tp_refused(tp_give(p.b, &m3), "signature verification failed");
    tp_ok(tp_state_is(p.b, "failed"));
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(mallory);
    tp_pair_close(&p);
}

/* B believes that it talks to Carol, A that it talks to B. */
static void mistaken_identity(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair p;
    EVP_PKEY *carol;

    tp_pair_open(&p, &tp_shared, set);
    tp_ok((carol = tp_key_generate(tp_shared.ctx, set->name)) != NULL);
    tp_ok(EVP_PKEY_derive_set_peer(p.b, carol));
    tp_ok(tp_give(p.b, &p.m1));
    tp_ok(tp_fetch(p.b, &p.m2));
    tp_refused(tp_give(p.a, &p.m2), "signature verification failed");
    tp_ok(tp_state_is(p.a, "failed"));
    EVP_PKEY_free(carol);
    tp_pair_close(&p);
}

/* m3 is signed like m2's signature, but with A's key: B's own signature is no m3. */
static void signature_reflected(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair p;
    struct tp_message m3;

    tp_pair_open(&p, &tp_shared, set);
    tp_pair_advance(&p, TP_ANSWERED);
    m3.len = set->sig_len;
    memcpy(m3.bytes, p.m2.bytes + set->ct_len, m3.len);
    tp_refused(tp_give(p.b, &m3), "signature verification failed");
    tp_ok(tp_state_is(p.b, "failed"));
    tp_pair_close(&p);
}

static void replays(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair p;
    uint8_t secret[TP_MAX_SECRET];
    size_t len;

    tp_pair_open(&p, &tp_shared, set);
    tp_pair_advance(&p, TP_INITIATOR_DONE);
    for (int i = 0; i < 3; i++)
        tp_refused(tp_give(p.a, &p.m2), "message out of order");
    tp_ok(tp_derive(p.a, secret, &len));
    tp_pair_advance(&p, TP_BOTH_DONE);
    assert_memory_equal(secret, p.secret, len);
    tp_refused(tp_give(p.b, &p.m3), "message out of order");
    tp_refused(tp_give(p.a, &p.m2), "message out of order");
    tp_refused(tp_give(p.b, &p.m1), "message out of order");
    tp_ok(tp_derive(p.b, secret, &len));
    assert_memory_equal(secret, p.secret, len);

    /* A whole conversation recorded, played to a new responder. */
    init_again(&p, p.b);
    tp_ok(tp_give(p.b, &p.m1));
    tp_refused(tp_give(p.b, &p.m3), "signature verification failed");
    tp_ok(tp_state_is(p.b, "failed"));
    tp_pair_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TP_EACH_SET(cut_and_extended),  TP_EACH_SET(failure_is_final),    TP_EACH_SET(malformed_m1),
        TP_EACH_SET(other_session),     TP_EACH_SET(m1_exchanged),        TP_EACH_SET(other_peer),
        TP_EACH_SET(mistaken_identity), TP_EACH_SET(signature_reflected), TP_EACH_SET(replays),
    };

    return cmocka_run_group_tests(tests, tp_shared_open, tp_shared_close);
}
