/* SPDX-License-Identifier: Apache-2.0 */
/* The state machine: order, lengths, failure that is final, and what is wiped when. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pair.h"

static struct test_rng rng = {10};

/* Calls check with a fresh pair for every set. */
static void each_set(void check(struct pair *p))
{
    struct pair *p = calloc(1, sizeof(*p));

    assert_non_null(p);
    for (size_t set = 0; set < DKEX_SETS; set++) {
        pair_init(p, set, &rng);
        check(p);
        pair_close(p);
    }
    free(p);
}

static void assert_wiped(const struct dkex_handshake *hs)
{
    static const struct dkex_handshake zero;

    assert_memory_equal(hs->ephemeral, zero.ephemeral, sizeof(zero.ephemeral));
    assert_memory_equal(hs->raw, zero.raw, sizeof(zero.raw));
    assert_memory_equal(hs->transcript, zero.transcript, sizeof(zero.transcript));
    assert_memory_equal(hs->out, zero.out, sizeof(zero.out));
    assert_int_equal(hs->out_len, 0);
}

/* Every call on a failed handshake is refused and changes nothing. */
static void assert_final(struct party *party, const struct party *other)
{
    const struct dkex_handshake before = party->hs;
    uint8_t message[DKEX_MAX_M2_BYTES] = {0}, secret[DKEX_MAX_SECRET_BYTES];
    const struct dkex_params *p = party->hs.suite->params;
    const size_t lengths[] = {0, p->m1_len, p->m2_len, p->m3_len};

    assert_int_equal(party->hs.state, DKEX_STATE_FAILED);
    assert_wiped(&party->hs);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(dkex_handshake_step(&party->hs, message, lengths[i], message, message),
                         DKEX_ERR_FAILED);
    assert_int_equal(dkex_handshake_start(&party->hs, DKEX_ROLE_RESPONDER, NULL), DKEX_ERR_FAILED);
    assert_int_equal(dkex_handshake_set_peer(&party->hs, &other->key), DKEX_ERR_FAILED);
    assert_int_equal(dkex_handshake_secret(&party->hs, secret), DKEX_ERR_FAILED);
    assert_memory_equal(&party->hs, &before, sizeof(before));
}

static void assert_agree(struct pair *p)
{
    uint8_t a[DKEX_MAX_SECRET_BYTES], b[DKEX_MAX_SECRET_BYTES], again[DKEX_MAX_SECRET_BYTES];

    assert_int_equal(dkex_handshake_secret(&p->a.hs, a), DKEX_OK);
    assert_int_equal(dkex_handshake_secret(&p->b.hs, b), DKEX_OK);
    assert_int_equal(dkex_handshake_secret(&p->a.hs, again), DKEX_OK);
    assert_memory_equal(a, b, p->suite.params->n_len);
    assert_memory_equal(a, again, p->suite.params->n_len);
}

static void complete(struct pair *p)
{
    assert_int_equal(pair_pass(p, &p->b, &p->a), DKEX_OK);
    assert_int_equal(pair_pass(p, &p->a, &p->b), DKEX_OK);
    assert_int_equal(pair_pass(p, &p->b, &p->a), DKEX_OK);
    assert_agree(p);
}

static void check_honest(struct pair *p)
{
    static const uint8_t zero[DKEX_MAX_EPHEMERAL_BYTES];
    const struct dkex_params *params = p->suite.params;

    for (unsigned session = 0; session < 200; session++) {
        pair_close(p);
        pair_open(p, &rng);
        pair_start(p);
        assert_int_equal(p->a.hs.out_len, params->m1_len);
        assert_int_equal(pair_pass(p, &p->b, &p->a), DKEX_OK);
        assert_int_equal(p->b.hs.out_len, params->m2_len);
        assert_int_equal(pair_pass(p, &p->a, &p->b), DKEX_OK);
        assert_int_equal(p->a.hs.out_len, params->m3_len);
        assert_memory_equal(p->a.hs.ephemeral, zero, sizeof(zero));
        assert_int_equal(pair_pass(p, &p->b, &p->a), DKEX_OK);
        assert_int_equal(p->b.hs.out_len, 0);
        assert_agree(p);
    }
}

static void test_honest(void **state)
{
    (void)state;
    each_set(check_honest);
}

/* Refuses `in_len` bytes with `expected` and changes nothing. */
static void assert_refused(struct party *party, size_t in_len, enum dkex_status expected)
{
    uint8_t message[DKEX_MAX_M2_BYTES + 1] = {0};
    const struct dkex_handshake before = party->hs;

    assert_int_equal(dkex_handshake_accepts(&party->hs, in_len), expected);
    assert_int_equal(dkex_handshake_step(&party->hs, message, in_len, message, message), expected);
    assert_memory_equal(&party->hs, &before, sizeof(before));
}

static void assert_wrong_lengths(struct party *party, size_t len)
{
    assert_refused(party, 0, DKEX_ERR_LENGTH);
    assert_refused(party, 1, DKEX_ERR_LENGTH);
    assert_refused(party, len - 1, DKEX_ERR_LENGTH);
    assert_refused(party, len + 1, DKEX_ERR_LENGTH);
}

static void check_order_and_lengths(struct pair *p)
{
    const struct dkex_params *params = p->suite.params;
    uint8_t secret[DKEX_MAX_SECRET_BYTES];

    assert_refused(&p->a, params->m1_len, DKEX_ERR_ROLE_NOT_SET);
    assert_int_equal(dkex_handshake_start(&p->a.hs, DKEX_ROLE_NONE, p->coins1),
                     DKEX_ERR_ROLE_NOT_SET);
    assert_int_equal(dkex_handshake_secret(&p->a.hs, secret), DKEX_ERR_INCOMPLETE);
    assert_int_equal(dkex_handshake_start(&p->a.hs, DKEX_ROLE_INITIATOR, p->coins1), DKEX_OK);
    assert_int_equal(dkex_handshake_start(&p->b.hs, DKEX_ROLE_RESPONDER, NULL), DKEX_OK);
    assert_int_equal(dkex_handshake_start(&p->a.hs, DKEX_ROLE_RESPONDER, NULL), DKEX_ERR_ORDER);
    assert_refused(&p->a, params->m2_len, DKEX_ERR_PEER_NOT_SET);
    assert_refused(&p->b, params->m1_len, DKEX_ERR_PEER_NOT_SET);
    assert_int_equal(dkex_handshake_set_peer(&p->a.hs, &p->b.key), DKEX_OK);
    assert_int_equal(dkex_handshake_set_peer(&p->b.hs, &p->a.key), DKEX_OK);
    assert_wrong_lengths(&p->b, params->m1_len);
    assert_int_equal(pair_pass(p, &p->b, &p->a), DKEX_OK);
    assert_wrong_lengths(&p->a, params->m2_len);
    assert_wrong_lengths(&p->b, params->m3_len);
    assert_int_equal(dkex_handshake_secret(&p->b.hs, secret), DKEX_ERR_INCOMPLETE);
    assert_int_equal(pair_pass(p, &p->a, &p->b), DKEX_OK);
    assert_refused(&p->a, params->m2_len, DKEX_ERR_ORDER); /* one answer only */
    assert_int_equal(pair_pass(p, &p->b, &p->a), DKEX_OK);
    assert_refused(&p->b, params->m3_len, DKEX_ERR_ORDER);
    assert_agree(p);
}

static void test_order_and_lengths(void **state)
{
    (void)state;
    each_set(check_order_and_lengths);
}

static void check_peers(struct pair *p)
{
    const struct dkex_key public_only = {.pub = p->a.pub};
    struct dkex_handshake hs;

    assert_int_equal(dkex_handshake_open(&hs, &p->suite, fixture_sm3(), &public_only),
                     DKEX_ERR_PRIVATE_KEY_REQUIRED);
    assert_int_equal(dkex_handshake_set_peer(&p->a.hs, &public_only), DKEX_ERR_PEER_IS_OWN_KEY);
    /* Replaced until a message has used it: here by a stranger, and back. */
    assert_int_equal(dkex_handshake_set_peer(&p->b.hs, &(struct dkex_key){.pub = p->b.priv}),
                     DKEX_OK);
    pair_start(p);
    assert_int_equal(pair_pass(p, &p->b, &p->a), DKEX_OK);
    assert_int_equal(dkex_handshake_set_peer(&p->b.hs, &p->a.key), DKEX_ERR_PEER_FIXED);
    assert_int_equal(dkex_handshake_set_peer(&p->a.hs, &p->b.key), DKEX_OK);
    assert_int_equal(pair_pass(p, &p->a, &p->b), DKEX_OK);
    assert_int_equal(dkex_handshake_set_peer(&p->a.hs, &p->b.key), DKEX_ERR_PEER_FIXED);
    assert_int_equal(pair_pass(p, &p->b, &p->a), DKEX_OK);
    assert_agree(p);
}

static void test_peers(void **state)
{
    (void)state;
    each_set(check_peers);
}

/* One damaged message at each step: the receiver fails for good, and has nothing left. */
static void check_damage(struct pair *p)
{
    pair_start(p);
    memset(p->a.hs.out, 0xff, 3); /* coefficients of m1 that are not below q */
    assert_int_equal(pair_pass(p, &p->b, &p->a), DKEX_ERR_MALFORMED);
    assert_final(&p->b, &p->a);

    for (unsigned where = 0; where < 3; where++) {
        const size_t at[] = {0, p->suite.params->ct_len, p->suite.params->m2_len - 1};

        pair_close(p);
        pair_open(p, &rng);
        pair_start(p);
        assert_int_equal(pair_pass(p, &p->b, &p->a), DKEX_OK);
        p->b.hs.out[at[where]] ^= 1;
        assert_int_equal(pair_pass(p, &p->a, &p->b), DKEX_ERR_SIGNATURE);
        assert_final(&p->a, &p->b);
    }

    pair_close(p);
    pair_open(p, &rng);
    pair_start(p);
    assert_int_equal(pair_pass(p, &p->b, &p->a), DKEX_OK);
    assert_int_equal(pair_pass(p, &p->a, &p->b), DKEX_OK);
    p->a.hs.out[100] ^= 0x10;
    assert_int_equal(pair_pass(p, &p->b, &p->a), DKEX_ERR_SIGNATURE);
    assert_final(&p->b, &p->a);

    pair_close(p);
    pair_open(p, &rng);
    pair_start(p);
    dkex_handshake_fail(&p->a.hs);
    assert_final(&p->a, &p->b);
}

static void test_damage(void **state)
{
    (void)state;
    each_set(check_damage);
}

/* A signature of one's own, sent back, is not the peer's. */
static void check_reflection(struct pair *p)
{
    const size_t ct_len = p->suite.params->ct_len;
    uint8_t m3[DKEX_MAX_M3_BYTES];

    pair_start(p);
    assert_int_equal(pair_pass(p, &p->b, &p->a), DKEX_OK);
    memcpy(m3, p->b.hs.out + ct_len, p->suite.params->m3_len);
    assert_int_equal(dkex_handshake_step(&p->b.hs, m3, p->suite.params->m3_len, NULL, NULL),
                     DKEX_ERR_SIGNATURE);
}

static void test_reflection(void **state)
{
    (void)state;
    each_set(check_reflection);
}

static void assert_copies(struct party *party, enum dkex_status expected)
{
    struct dkex_handshake copy;

    assert_int_equal(dkex_handshake_dup(&copy, &party->hs), expected);
    if (expected != DKEX_OK)
        return;
    assert_int_equal(copy.state, party->hs.state);
    assert_ptr_not_equal(copy.sm3.ctx, party->hs.sm3.ctx);
    dkex_handshake_close(&copy);
}

static void check_dup(struct pair *p)
{
    struct dkex_handshake copy;

    assert_copies(&p->a, DKEX_OK);
    pair_start(p);
    assert_copies(&p->a, DKEX_ERR_ORDER);
    /* The copy of a waiting responder goes on in place of the original. */
    assert_int_equal(dkex_handshake_dup(&copy, &p->b.hs), DKEX_OK);
    dkex_handshake_close(&p->b.hs);
    p->b.hs = copy;
    assert_int_equal(pair_pass(p, &p->b, &p->a), DKEX_OK);
    assert_copies(&p->b, DKEX_ERR_ORDER);
    assert_int_equal(pair_pass(p, &p->a, &p->b), DKEX_OK);
    assert_int_equal(dkex_handshake_dup(&copy, &p->a.hs), DKEX_OK);
    dkex_handshake_close(&p->a.hs);
    p->a.hs = copy;
    assert_int_equal(pair_pass(p, &p->b, &p->a), DKEX_OK);
    assert_copies(&p->b, DKEX_OK);
    assert_agree(p);
    dkex_handshake_fail(&p->b.hs);
    assert_copies(&p->b, DKEX_OK);
}

static void test_dup(void **state)
{
    (void)state;
    each_set(check_dup);
}

static void check_coins(struct pair *p)
{
    const struct dkex_params *params = p->suite.params;

    assert_int_equal(dkex_handshake_coins_len(&p->a.hs, DKEX_ROLE_INITIATOR), params->seed_len);
    assert_int_equal(dkex_handshake_coins_len(&p->a.hs, DKEX_ROLE_RESPONDER), 0);
    pair_start(p);
    assert_int_equal(dkex_handshake_coins_len(&p->a.hs, DKEX_ROLE_NONE), 0);
    assert_int_equal(dkex_handshake_coins_len(&p->b.hs, DKEX_ROLE_NONE),
                     params->seed_len + params->n_len);
    complete(p);
    assert_int_equal(dkex_handshake_coins_len(&p->b.hs, DKEX_ROLE_NONE), 0);
}

static void test_coins(void **state)
{
    (void)state;
    each_set(check_coins);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),     cmocka_unit_test(test_order_and_lengths),
        cmocka_unit_test(test_peers),      cmocka_unit_test(test_damage),
        cmocka_unit_test(test_reflection), cmocka_unit_test(test_dup),
        cmocka_unit_test(test_coins),
    };

    fixture_arguments(argc, argv);
    return cmocka_run_group_tests(tests, NULL, fixture_teardown);
}
