/* SPDX-License-Identifier: Apache-2.0 */
/* Every call out of its order is refused with its reason, and the handshake goes on unharmed. */
#include <string.h>
#include <openssl/err.h>
#include "evp_session.h"

/* in-message of len zero bytes: refused before it is read. */
static int give_zeros(EVP_PKEY_CTX *ctx, size_t len)
{
    struct tp_message m = {.len = len};

    return tp_give(ctx, &m);
}

/* What no context may do at any time: change its role, derive early, take lengths of no message. */
static void refusals_everywhere(EVP_PKEY_CTX *ctx, EVP_PKEY *own)
{
    tp_refused(tp_set_text(ctx, "role", "initiator"), "message out of order");
    tp_refused(tp_set_text(ctx, "role", "responder"), "message out of order");
    tp_refused(tp_set_text(ctx, "role", "nobody"), "unknown role|message out of order");
    tp_refused(EVP_PKEY_derive_set_peer(ctx, own), "peer is own key|peer already fixed");
}

static void early_derive(EVP_PKEY_CTX *ctx)
{
    uint8_t secret[TP_MAX_SECRET];
    size_t len = sizeof(secret);

    tp_refused(EVP_PKEY_derive(ctx, secret, &len), "handshake incomplete");
}

static void without_role(void **state)
{
    const struct tp_set *set = *state;
    const size_t lengths[] = {set->m1_len, set->ct_len + set->sig_len, set->sig_len, 1};
    struct tp_pair p;
    struct tp_message m;

    tp_pair_keys(&p, &tp_shared, set);
    tp_ok((p.a = tp_side(tp_shared.ctx, p.alice, NULL, p.bob_pub)) != NULL);
    tp_ok((p.b = tp_side(tp_shared.ctx, p.bob, NULL, p.alice_pub)) != NULL);
    for (size_t i = 0; i < 4; i++)
        tp_refused(give_zeros(p.a, lengths[i]), "role not set");
    tp_refused(tp_fetch(p.a, &m), "message out of order|role not set");
    tp_refused(tp_set_text(p.a, "role", "nobody"), "unknown role");
    early_derive(p.a);
    tp_ok(tp_state_is(p.a, "role"));
    tp_ok(tp_set_text(p.a, "role", "initiator"));
    tp_ok(tp_set_text(p.b, "role", "responder"));
    tp_ok(tp_fetch(p.a, &p.m1));
    tp_pair_advance(&p, TP_BOTH_DONE);
    tp_pair_close(&p);
}

static void without_peer(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair p;

    tp_pair_keys(&p, &tp_shared, set);
    tp_ok((p.a = tp_side(tp_shared.ctx, p.alice, "initiator", NULL)) != NULL);
    tp_ok((p.b = tp_side(tp_shared.ctx, p.bob, "responder", NULL)) != NULL);
    tp_ok(tp_fetch(p.a, &p.m1));
    tp_refused(give_zeros(p.a, set->ct_len + set->sig_len), "peer key not set");
    tp_refused(tp_give(p.b, &p.m1), "peer key not set");
    early_derive(p.a);
    early_derive(p.b);
    refusals_everywhere(p.a, p.alice);
    refusals_everywhere(p.b, p.bob);
    tp_refused(give_zeros(p.a, set->ct_len + set->sig_len), "peer key not set");
    tp_ok(EVP_PKEY_derive_set_peer(p.a, p.bob_pub));
    tp_ok(EVP_PKEY_derive_set_peer(p.b, p.alice_pub));
    tp_pair_advance(&p, TP_BOTH_DONE);
    tp_pair_close(&p);
}

static void awaiting_m2_and_m1(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair p;
    struct tp_message m;

    tp_pair_open(&p, &tp_shared, set);
    refusals_everywhere(p.a, p.alice);
    early_derive(p.a);
    tp_refused(tp_give(p.a, &p.m1), "bad message length"); /* its own, reflected */
    tp_refused(give_zeros(p.a, set->sig_len), "bad message length");
    tp_refused(give_zeros(p.a, set->ct_len), "bad message length");

    refusals_everywhere(p.b, p.bob);
    early_derive(p.b);
    tp_refused(tp_fetch(p.b, &m), "message out of order");
    tp_refused(give_zeros(p.b, set->ct_len + set->sig_len), "bad message length");
    tp_refused(give_zeros(p.b, set->sig_len), "bad message length");
    tp_pair_advance(&p, TP_BOTH_DONE);
    tp_pair_close(&p);
}

static void awaiting_m3(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair p;
    EVP_PKEY *carol;

    tp_pair_open(&p, &tp_shared, set);
    tp_ok((carol = tp_key_generate(tp_shared.ctx, set->name)) != NULL);
    tp_pair_advance(&p, TP_ANSWERED);
    refusals_everywhere(p.b, p.bob);
    early_derive(p.b);
    tp_refused(tp_give(p.b, &p.m1), "bad message length"); /* once more */
    tp_refused(tp_give(p.b, &p.m2), "bad message length"); /* its own, reflected */
    tp_refused(EVP_PKEY_derive_set_peer(p.b, carol), "peer already fixed");
    early_derive(p.a);
    tp_pair_advance(&p, TP_BOTH_DONE);
    EVP_PKEY_free(carol);
    tp_pair_close(&p);
}

static void initiator_complete(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair p;
    EVP_PKEY *carol;

    tp_pair_open(&p, &tp_shared, set);
    tp_ok((carol = tp_key_generate(tp_shared.ctx, set->name)) != NULL);
    tp_pair_advance(&p, TP_INITIATOR_DONE);
    refusals_everywhere(p.a, p.alice);
    tp_refused(tp_give(p.a, &p.m1), "message out of order");
    tp_refused(tp_give(p.a, &p.m2), "message out of order");
    tp_refused(tp_give(p.a, &p.m3), "message out of order");
    tp_refused(give_zeros(p.a, 0), "message out of order");
    tp_refused(EVP_PKEY_derive_set_peer(p.a, carol), "peer already fixed");
    early_derive(p.b);
    tp_pair_advance(&p, TP_BOTH_DONE);
    EVP_PKEY_free(carol);
    tp_pair_close(&p);
}

static void both_complete(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair p;
    struct tp_message m;
    EVP_PKEY *carol;
    EVP_PKEY_CTX *sides[2];

    tp_pair_open(&p, &tp_shared, set);
    tp_ok((carol = tp_key_generate(tp_shared.ctx, set->name)) != NULL);
    tp_pair_advance(&p, TP_BOTH_DONE);
    sides[0] = p.a;
    sides[1] = p.b;
    for (int i = 0; i < 2; i++) {
        uint8_t secret[TP_MAX_SECRET];
        size_t len;

        refusals_everywhere(sides[i], i == 0 ? p.alice : p.bob);
        tp_refused(tp_give(sides[i], &p.m1), "message out of order");
        tp_refused(tp_give(sides[i], &p.m2), "message out of order");
        tp_refused(tp_give(sides[i], &p.m3), "message out of order");
        tp_refused(EVP_PKEY_derive_set_peer(sides[i], carol), "peer already fixed");
        tp_ok(tp_state_is(sides[i], "complete"));
        tp_ok(tp_derive(sides[i], secret, &len));
        assert_memory_equal(secret, p.secret, set->secret_len);
    }
    tp_refused(tp_fetch(p.b, &m), "message out of order"); /* nothing is left to be sent */
    EVP_PKEY_free(carol);
    tp_pair_close(&p);
}

/* Both sides with a stranger as peer, for the time being. */
static EVP_PKEY *open_with_carol(struct tp_pair *p, const struct tp_set *set)
{
    EVP_PKEY *carol;

    tp_pair_keys(p, &tp_shared, set);
    tp_ok((carol = tp_key_generate(tp_shared.ctx, set->name)) != NULL);
    tp_ok((p->a = tp_side(tp_shared.ctx, p->alice, "initiator", carol)) != NULL);
    tp_ok((p->b = tp_side(tp_shared.ctx, p->bob, "responder", carol)) != NULL);
    tp_ok(tp_fetch(p->a, &p->m1));
    return carol;
}

/* Until a message has used it, a peer may be replaced: the last one counts. */
static void peer_replaced(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair p;
    EVP_PKEY *carol;

    carol = open_with_carol(&p, set);
    tp_ok(EVP_PKEY_derive_set_peer(p.a, p.bob_pub));
    tp_ok(EVP_PKEY_derive_set_peer(p.b, p.alice_pub));
    tp_pair_advance(&p, TP_ANSWERED);
    tp_ok(EVP_PKEY_derive_set_peer(p.a, carol)); /* m1 used no peer */
    tp_ok(EVP_PKEY_derive_set_peer(p.a, p.bob_pub));
    tp_pair_advance(&p, TP_BOTH_DONE);
    EVP_PKEY_free(carol);
    tp_pair_close(&p);
}

/* A refused message uses no peer: it may still be changed. */
static void peer_replaced_after_refusal(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair p;
    EVP_PKEY *carol;

    carol = open_with_carol(&p, set);
    tp_refused(give_zeros(p.a, 1), "bad message length");
    tp_refused(give_zeros(p.b, 1), "bad message length");
    tp_ok(EVP_PKEY_derive_set_peer(p.a, p.bob_pub));
    tp_ok(EVP_PKEY_derive_set_peer(p.b, p.alice_pub));
    tp_pair_advance(&p, TP_BOTH_DONE);
    EVP_PKEY_free(carol);
    tp_pair_close(&p);
}

/* The own key as peer: the same object, or another with the same public half; a peer that was
 * set before stays. */
static void own_key_as_peer(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair p;
    EVP_PKEY *bob_copy;

    tp_pair_keys(&p, &tp_shared, set);
    tp_ok((bob_copy = EVP_PKEY_dup(p.bob)) != NULL);
    tp_ok((p.a = tp_side(tp_shared.ctx, p.alice, "initiator", NULL)) != NULL);
    tp_ok((p.b = tp_side(tp_shared.ctx, p.bob, NULL, NULL)) != NULL);
    tp_refused(EVP_PKEY_derive_set_peer(p.a, p.alice), "peer is own key");
    tp_refused(EVP_PKEY_derive_set_peer(p.a, p.alice_pub), "peer is own key");
    tp_refused(EVP_PKEY_derive_set_peer(p.b, p.bob_pub), "peer is own key");
    tp_ok(tp_set_text(p.b, "role", "responder"));
    tp_refused(EVP_PKEY_derive_set_peer(p.b, bob_copy), "peer is own key");
    tp_ok(tp_fetch(p.a, &p.m1));
    tp_refused(tp_give(p.b, &p.m1), "peer key not set");
    tp_ok(EVP_PKEY_derive_set_peer(p.a, p.bob_pub));
    tp_ok(EVP_PKEY_derive_set_peer(p.b, p.alice_pub));
    tp_refused(EVP_PKEY_derive_set_peer(p.a, p.alice_pub), "peer is own key");
    tp_refused(EVP_PKEY_derive_set_peer(p.b, p.bob_pub), "peer is own key");
    tp_pair_advance(&p, TP_BOTH_DONE);
    EVP_PKEY_free(bob_copy);
    tp_pair_close(&p);
}

/* Without the private half init fails, and what libcrypto lets pass after that fails too. */
static void public_own_key(void **state)
{
    const struct tp_set *set = *state;
    static const char *const roles[] = {"initiator", "responder"};
    struct tp_pair p;
    struct tp_message m;
    uint8_t secret[TP_MAX_SECRET];
    size_t len;

    tp_pair_keys(&p, &tp_shared, set);
    tp_refused(tp_side(tp_shared.ctx, p.alice_pub, NULL, NULL) != NULL, "private key required");
    for (int i = 0; i < 2; i++) {
        OSSL_PARAM params[] = {
            OSSL_PARAM_construct_utf8_string("role", (char *)roles[i], 0),
            OSSL_PARAM_construct_end(),
        };

        tp_refused(tp_side(tp_shared.ctx, p.alice_pub, roles[i], NULL) != NULL,
                   "private key required");
        tp_ok((p.a = EVP_PKEY_CTX_new_from_pkey(tp_shared.ctx, p.alice_pub, NULL)) != NULL);
        tp_refused(EVP_PKEY_derive_init_ex(p.a, params), "private key required");
        tp_refused(tp_set_text(p.a, "role", roles[i]), NULL);
        tp_refused(EVP_PKEY_derive_set_peer(p.a, p.bob), NULL);
        tp_refused(give_zeros(p.a, set->m1_len), NULL);
        tp_refused(tp_fetch(p.a, &m), NULL);
        len = sizeof(secret);
        tp_refused(EVP_PKEY_derive(p.a, secret, &len), "private key required|handshake incomplete");
        EVP_PKEY_CTX_free(p.a);
    }

    /* No key at all: libcrypto hands over an empty one. */
    tp_ok((p.a = EVP_PKEY_CTX_new_from_name(tp_shared.ctx, set->name, NULL)) != NULL);
    assert_true(EVP_PKEY_derive_init(p.a) <= 0);
    ERR_clear_error();
    tp_pair_close(&p);
}

/* Keys of other types as peer are refused, and the handshake goes on without a trace. */
static void other_types(void **state)
{
    const struct tp_set *set = *state;
    EVP_PKEY *foreign[] = {
        tp_key_generate(tp_shared.ctx, tp_sets[0].name),
        tp_key_generate(tp_shared.ctx, tp_sets[1].name),
        tp_key_generate(tp_shared.ctx, tp_sets[2].name),
        tp_key_generate(tp_shared.ctx, "X25519"),
    };
    EVP_PKEY_CTX *theirs = EVP_PKEY_CTX_new_from_pkey(tp_shared.ctx, foreign[3], NULL);
    struct tp_pair p;

    tp_pair_open(&p, &tp_shared, set);
    for (size_t i = 0; i < 4; i++) {
        tp_ok(foreign[i] != NULL);
        if (i < TP_SETS && &tp_sets[i] == set)
            continue;
        assert_true(EVP_PKEY_derive_set_peer(p.a, foreign[i]) <= 0);
        ERR_clear_error(); /* libcrypto's: the provider isn't asked */
        assert_true(EVP_PKEY_derive_set_peer(p.b, foreign[i]) <= 0);
        ERR_clear_error();
    }
    tp_ok(EVP_PKEY_derive_init(theirs));
    assert_true(EVP_PKEY_derive_set_peer(theirs, p.alice) <= 0);
    ERR_clear_error();
    tp_pair_advance(&p, TP_BOTH_DONE);
    tp_pair_close(&p);
    EVP_PKEY_CTX_free(theirs);
    for (size_t i = 0; i < 4; i++)
        EVP_PKEY_free(foreign[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TP_EACH_SET(without_role),       TP_EACH_SET(without_peer),
        TP_EACH_SET(awaiting_m2_and_m1), TP_EACH_SET(awaiting_m3),
        TP_EACH_SET(initiator_complete), TP_EACH_SET(both_complete),
        TP_EACH_SET(peer_replaced),      TP_EACH_SET(peer_replaced_after_refusal),
        TP_EACH_SET(own_key_as_peer),    TP_EACH_SET(public_own_key),
        TP_EACH_SET(other_types),
    };

    return cmocka_run_group_tests(tests, tp_shared_open, tp_shared_close);
}
