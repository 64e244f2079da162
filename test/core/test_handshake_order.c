/* SPDX-License-Identifier: Apache-2.0 */
/* Every call of the state machine at every stage of a handshake, as one table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pair.h"

enum stage {
    AT_ROLE,
    AT_ROLE_PEER, /* _PEER: the peer's key is set */
    AT_M1,
    AT_M1_PEER,
    AT_M2,
    AT_M2_PEER,
    AT_M3,
    DONE_A,
    DONE_B,
    FAILED,
    STAGES,
};

enum call {
    START_NONE,
    START_UNKNOWN,
    START_INITIATOR,
    START_RESPONDER,
    PEER_OTHER,
    PEER_OWN,
    STEP_M1,
    STEP_M2,
    STEP_M3,
    SECRET,
    DUP,
    CALLS,
};

#define OK DKEX_OK
#define ROLE DKEX_ERR_ROLE_NOT_SET
#define NO_PEER DKEX_ERR_PEER_NOT_SET
#define FIXED DKEX_ERR_PEER_FIXED
#define OWN DKEX_ERR_PEER_IS_OWN_KEY
#define ORDER DKEX_ERR_ORDER
#define LENGTH DKEX_ERR_LENGTH
#define SIG DKEX_ERR_SIGNATURE
#define EARLY DKEX_ERR_INCOMPLETE
#define DEAD DKEX_ERR_FAILED

/* Messages are genuine ones of another session between the same two parties: m1 is as good as any,
 * m2 and m3 are replays and do not verify. A column is a stage, in the order of the enum. */
static const enum dkex_status expected[CALLS][STAGES] = {
    [START_NONE] = {ROLE, ROLE, ORDER, ORDER, ORDER, ORDER, ORDER, ORDER, ORDER, DEAD},
    [START_UNKNOWN] = {ROLE, ROLE, ORDER, ORDER, ORDER, ORDER, ORDER, ORDER, ORDER, DEAD},
    [START_INITIATOR] = {OK, OK, ORDER, ORDER, ORDER, ORDER, ORDER, ORDER, ORDER, DEAD},
    [START_RESPONDER] = {OK, OK, ORDER, ORDER, ORDER, ORDER, ORDER, ORDER, ORDER, DEAD},
    [PEER_OTHER] = {OK, OK, OK, OK, OK, OK, FIXED, FIXED, FIXED, DEAD},
    [PEER_OWN] = {OWN, OWN, OWN, OWN, OWN, OWN, FIXED, FIXED, FIXED, DEAD},
    [STEP_M1] = {ROLE, ROLE, NO_PEER, OK, NO_PEER, LENGTH, LENGTH, ORDER, ORDER, DEAD},
    [STEP_M2] = {ROLE, ROLE, NO_PEER, LENGTH, NO_PEER, SIG, LENGTH, ORDER, ORDER, DEAD},
    [STEP_M3] = {ROLE, ROLE, NO_PEER, LENGTH, NO_PEER, LENGTH, SIG, ORDER, ORDER, DEAD},
    [SECRET] = {EARLY, EARLY, EARLY, EARLY, EARLY, EARLY, EARLY, OK, OK, DEAD},
    [DUP] = {OK, OK, OK, OK, ORDER, ORDER, ORDER, OK, OK, OK},
};

struct table_test {
    struct pair pair, other_session;
    uint8_t m1[DKEX_MAX_M1_BYTES], m2[DKEX_MAX_M2_BYTES], m3[DKEX_MAX_M3_BYTES];
    struct dkex_handshake before;
};

/* Records the messages of a session of its own between the same identities. */
static void record_session(struct table_test *t, struct test_rng *rng)
{
    const struct dkex_params *params = t->pair.suite.params;
    struct pair *p = &t->other_session;

    *p = t->pair;
    pair_open(p, rng);
    pair_start(p);
    memcpy(t->m1, p->a.hs.out, params->m1_len);
    assert_int_equal(pair_pass(p, &p->b, &p->a), DKEX_OK);
    memcpy(t->m2, p->b.hs.out, params->m2_len);
    assert_int_equal(pair_pass(p, &p->a, &p->b), DKEX_OK);
    memcpy(t->m3, p->a.hs.out, params->m3_len);
    pair_close(p);
}

/* Brings a fresh session to a stage; the party that is there. */
static struct party *bring_to(struct pair *p, enum stage stage, struct test_rng *rng)
{
    struct party *party = stage == AT_M2 || stage == AT_M2_PEER || stage == DONE_A ? &p->a : &p->b;
    const struct dkex_key *peer = party == &p->a ? &p->b.key : &p->a.key;

    pair_open(p, rng);
    if (stage >= AT_M3) {
        pair_start(p);
        assert_int_equal(pair_pass(p, &p->b, &p->a), DKEX_OK);
    }
    if (stage == DONE_A || stage == DONE_B)
        assert_int_equal(pair_pass(p, &p->a, &p->b), DKEX_OK);
    if (stage == DONE_B)
        assert_int_equal(pair_pass(p, &p->b, &p->a), DKEX_OK);
    if (stage == FAILED)
        dkex_handshake_fail(&p->b.hs);
    if (stage == AT_M1 || stage == AT_M1_PEER)
        assert_int_equal(dkex_handshake_start(&party->hs, DKEX_ROLE_RESPONDER, NULL), DKEX_OK);
    if (stage == AT_M2 || stage == AT_M2_PEER)
        assert_int_equal(dkex_handshake_start(&party->hs, DKEX_ROLE_INITIATOR, p->coins1), DKEX_OK);
    if (stage == AT_ROLE_PEER || stage == AT_M1_PEER || stage == AT_M2_PEER)
        assert_int_equal(dkex_handshake_set_peer(&party->hs, peer), DKEX_OK);
    return party;
}

static enum dkex_status step(const struct table_test *t, struct dkex_handshake *hs,
                             const uint8_t *in, size_t len)
{
    enum dkex_status accepts = dkex_handshake_accepts(hs, len);
    enum dkex_status status = dkex_handshake_step(hs, in, len, t->pair.coins2, t->pair.rnd);

    /* What accepts lets through may still fail in the pass; what it refuses, step refuses alike. */
    assert_true(accepts == DKEX_OK || accepts == status);
    return status;
}

static enum dkex_status make(struct table_test *t, enum call call, struct party *party)
{
    const struct dkex_params *params = t->pair.suite.params;
    const struct party *other = party == &t->pair.a ? &t->pair.b : &t->pair.a;
    struct dkex_handshake *hs = &party->hs, copy;
    uint8_t secret[DKEX_MAX_SECRET_BYTES];
    enum dkex_status status;

    switch (call) {
    case START_NONE:
        return dkex_handshake_start(hs, DKEX_ROLE_NONE, t->pair.coins1);
    case START_UNKNOWN:
        return dkex_handshake_start(hs, (enum dkex_role)3, t->pair.coins1);
    case START_INITIATOR:
        return dkex_handshake_start(hs, DKEX_ROLE_INITIATOR, t->pair.coins1);
    case START_RESPONDER:
        return dkex_handshake_start(hs, DKEX_ROLE_RESPONDER, NULL);
    case PEER_OTHER:
        return dkex_handshake_set_peer(hs, &other->key);
    case PEER_OWN:
        return dkex_handshake_set_peer(hs, &party->key);
    case STEP_M1:
        return step(t, hs, t->m1, params->m1_len);
    case STEP_M2:
        return step(t, hs, t->m2, params->m2_len);
    case STEP_M3:
        return step(t, hs, t->m3, params->m3_len);
    case SECRET:
        return dkex_handshake_secret(hs, secret);
    case DUP:
    case CALLS:
        break;
    }
    if ((status = dkex_handshake_dup(&copy, hs)) == DKEX_OK)
        dkex_handshake_close(&copy);
    return status;
}

static void check_cell(struct table_test *t, enum call call, enum stage stage, struct test_rng *rng)
{
    struct party *party = bring_to(&t->pair, stage, rng);
    enum dkex_status status;

    t->before = party->hs;
    status = make(t, call, party);
    if (status != expected[call][stage])
        fail_msg("%s, call %d at stage %d: \"%s\", not \"%s\"", t->pair.suite.params->name,
                 (int)call, (int)stage, dkex_status_string(status),
                 dkex_status_string(expected[call][stage]));
    if (status == DKEX_ERR_SIGNATURE)
        assert_int_equal(party->hs.state, DKEX_STATE_FAILED);
    else if (status != DKEX_OK || call == SECRET || call == DUP)
        assert_memory_equal(&party->hs, &t->before, sizeof(t->before));
    pair_close(&t->pair);
}

static void test_table(void **state)
{
    struct table_test *t = calloc(1, sizeof(*t));
    struct test_rng rng = {12};

    (void)state;
    assert_non_null(t);
    for (size_t set = 0; set < DKEX_SETS; set++) {
        pair_init(&t->pair, set, &rng);
        pair_close(&t->pair);
        record_session(t, &rng);
        for (int call = 0; call < CALLS; call++) {
            for (int stage = 0; stage < STAGES; stage++)
                check_cell(t, (enum call)call, (enum stage)stage, &rng);
        }
    }
    free(t);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table)};

    fixture_arguments(argc, argv);
    return cmocka_run_group_tests(tests, NULL, fixture_teardown);
}
