/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sessions in which the party under test receives what an attacker made: malformed, cut, replayed,
 * reflected messages, other encodings of valid signatures, extreme values under valid ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "party.h"

/* One case; messages that it lacks are empty. */
struct attack {
    const json_t *data, *expect;
    const char *variant;
    char set[16];
    struct vector_bytes id_a, id_b, coins1, coins2;
    struct vector_bytes m1, m2, m3;
};

struct counts {
    unsigned a_accepted, a_refused, b_accepted, b_refused, reflected, later;
};

static void read_attack(struct attack *t, const char *variant, const json_t *data)
{
    t->data = data;
    t->variant = variant;
    t->expect = json_object_get(data, "expect");
    assert_true(json_is_object(t->expect));
    snprintf(t->set, sizeof(t->set), "DKEX-%d",
             (int)json_integer_value(json_object_get(data, "set")));
    vectors_bytes(&t->id_a, data, "ida");
    vectors_bytes(&t->id_b, data, "idb");
    vectors_bytes(&t->coins1, data, "coins1");
    vectors_bytes(&t->coins2, data, "coins2");
    vectors_bytes(&t->m1, data, "m1");
    vectors_optional_bytes(&t->m2, data, "m2");
    vectors_optional_bytes(&t->m3, data, "m3");
}

static struct party *open_a(const struct attack *t)
{
    return party_open(t->variant, t->set, PARTY_A, &t->id_a, &t->coins1);
}

static struct party *open_b(const struct attack *t)
{
    return party_open(t->variant, t->set, PARTY_B, &t->id_b, &t->coins2);
}

static int equal(const struct vector_bytes *a, const struct vector_bytes *b)
{
    return a->len == b->len && memcmp(a->data, b->data, a->len) == 0;
}

static int expects(const struct attack *t, const char *side, const char *result)
{
    const char *expected = json_string_value(json_object_get(t->expect, side));

    return expected != NULL && strcmp(expected, result) == 0;
}

static void assert_out_is(struct party *p, const struct vector_bytes *expected)
{
    struct vector_bytes out;

    assert_true(party_out(p, &out));
    assert_true(equal(&out, expected));
}

static void assert_secret_is(struct party *p, const json_t *object, const char *key)
{
    struct vector_bytes secret;

    assert_string_equal(party_state(p), "complete");
    assert_true(party_secret(p, &secret));
    vectors_assert_bytes(object, key, secret.data, secret.len);
}

static void assert_no_secret(struct party *p)
{
    struct vector_bytes secret;

    assert_false(party_secret(p, &secret));
}

/* A failed handshake is wiped and takes nothing more, be it right. */
static void assert_failed(struct party *p, const struct vector_bytes *right_message)
{
    struct vector_bytes out;

    assert_string_equal(party_state(p), "failed");
    party_assert_wiped(p);
    assert_no_secret(p);
    assert_false(party_out(p, &out));
    assert_false(party_step(p, right_message));
    assert_string_equal(party_state(p), "failed");
    assert_no_secret(p);
}

/* a and b, which have received nothing, come to one secret. */
static void finish_honestly(struct party *a, struct party *b)
{
    struct vector_bytes message, secret_a, secret_b;

    assert_true(party_out(a, &message));
    assert_true(party_step(b, &message));
    assert_true(party_out(b, &message));
    assert_true(party_step(a, &message));
    assert_true(party_out(a, &message));
    assert_true(party_step(b, &message));
    assert_true(party_secret(a, &secret_a));
    assert_true(party_secret(b, &secret_b));
    assert_true(equal(&secret_a, &secret_b));
}

/* What B, told the truth, says to m1. */
static void honest_m2(struct vector_bytes *m2, const struct attack *t,
                      const struct vector_bytes *m1)
{
    struct party *b = open_b(t);

    assert_true(party_set_peer(b, &t->id_a));
    assert_true(party_step(b, m1));
    assert_true(party_out(b, m2));
    party_close(b);
}

static void a_accepts(struct party *a, const struct attack *t)
{
    struct vector_bytes m3, raw, no_transcript = {0};

    assert_string_equal(party_state(a), "complete");
    assert_true(party_out(a, &m3));
    if (json_object_get(t->expect, "m3_sha256") != NULL)
        vectors_assert_sha256(t->expect, "m3_sha256", m3.data, m3.len);
    if (t->m3.len > 0)
        assert_true(equal(&m3, &t->m3));
    vectors_optional_bytes(&raw, t->expect, "raw");
    party_assert_inside(a, &raw, &no_transcript);
    assert_secret_is(a, t->expect, "ss");
    assert_out_is(a, &m3); /* still offered */
}

static void a_refuses(struct party *a, const struct attack *t, const struct vector_bytes *right_m2)
{
    if (t->m2.len == right_m2->len) {
        assert_failed(a, right_m2);
    } else {
        struct party *b = open_b(t);

        assert_string_equal(party_state(a), "m2");
        assert_out_is(a, &t->m1);
        assert_no_secret(a);
        assert_true(party_set_peer(b, &t->id_a));
        finish_honestly(a, b);
        party_close(b);
    }
}

/* The ephemeral secret answers once: every further m2 is refused and changes nothing. */
static void refuses_later(struct party *a, const struct attack *t, struct counts *c)
{
    json_t *later = vectors_array(t->data, "later");
    struct party *copy = party_dup(a);
    struct vector_bytes m2, m3, secret, now, wrong;

    assert_non_null(copy);
    assert_true(party_out(a, &m3));
    assert_true(party_secret(a, &secret));
    for (size_t i = 0; i < json_array_size(later); i++) {
        const json_t *row = json_array_get(later, i);

        vectors_bytes(&m2, row, "m2");
        vectors_bytes(&wrong, row, "ss_if_wrongly_processed");
        assert_false(party_step(a, &m2));
        assert_false(party_step(copy, &m2));
        assert_out_is(a, &m3);
        assert_out_is(copy, &m3);
        assert_true(party_secret(a, &now) && equal(&now, &secret) && !equal(&now, &wrong));
        assert_true(party_secret(copy, &now) && equal(&now, &secret));
        c->later++;
    }
    party_close(copy);
}

static void attack_a(const struct attack *t, struct counts *c)
{
    struct party *a = open_a(t);
    struct vector_bytes right_m2;

    assert_out_is(a, &t->m1);
    assert_null(party_dup(a)); /* two copies could answer twice */
    honest_m2(&right_m2, t, &t->m1);
    assert_true(party_set_peer(a, &t->id_b));
    if (json_object_get(t->data, "later") != NULL) {
        assert_true(equal(&t->m2, &right_m2));
        assert_true(party_step(a, &t->m2));
        refuses_later(a, t, c);
        c->a_accepted++;
    } else if (expects(t, "A", "accept")) {
        assert_true(party_step(a, &t->m2));
        a_accepts(a, t);
        c->a_accepted++;
    } else {
        assert_true(expects(t, "A", "reject"));
        assert_false(party_step(a, &t->m2));
        a_refuses(a, t, &right_m2);
        c->a_refused++;
    }
    party_close(a);
}

/* With the own key for the peer's there is no peer, and no message is taken. */
static void refuses_reflection(struct party *b, const struct attack *t)
{
    struct vector_bytes out;

    assert_false(party_set_peer(b, &t->id_a));
    assert_false(party_step(b, &t->m1));
    assert_false(party_step(b, &t->m3));
    assert_string_equal(party_state(b), "m1");
    assert_false(party_out(b, &out));
    assert_no_secret(b);
}

static void b_refuses_m1(struct party *b, const struct attack *t)
{
    struct party *a = open_a(t);
    struct vector_bytes right_m1;

    assert_true(party_out(a, &right_m1));
    if (t->m1.len == right_m1.len) {
        assert_failed(b, &right_m1);
    } else {
        assert_string_equal(party_state(b), "m1");
        assert_no_secret(b);
        assert_true(party_set_peer(a, &t->id_b));
        finish_honestly(a, b);
    }
    party_close(a);
}

static void check_answer_of_b(struct party *b, const struct attack *t)
{
    struct vector_bytes m2, raw, transcript;

    assert_string_equal(party_state(b), "m3");
    assert_true(party_out(b, &m2));
    assert_no_secret(b);
    assert_null(party_dup(b));
    if (t->m2.len > 0)
        assert_true(equal(&m2, &t->m2));
    if (json_object_get(t->expect, "m2") != NULL)
        vectors_assert_bytes(t->expect, "m2", m2.data, m2.len);
    if (json_object_get(t->expect, "m2_sha256") != NULL)
        vectors_assert_sha256(t->expect, "m2_sha256", m2.data, m2.len);
    vectors_optional_bytes(&raw, t->expect, "raw");
    vectors_optional_bytes(&transcript, t->expect, "T");
    party_assert_inside(b, &raw, &transcript);
}

/* m3 of the case, or of an attacker who holds A's identity and chose m1. */
static void b_takes_m3(struct party *b, const struct attack *t, struct counts *c)
{
    struct vector_bytes m3 = t->m3, out;
    const char *secret = "ss";

    if (vectors_optional_bytes(&out, t->expect, "m3_by_attacker")) {
        m3 = out;
        secret = "ss_B";
    }
    assert_true(m3.len > 0);
    if (expects(t, "B", "accept")) {
        assert_true(party_step(b, &m3));
        assert_secret_is(b, t->expect, secret);
        assert_false(party_out(b, &out));
        c->b_accepted++;
    } else {
        assert_true(expects(t, "B", "reject"));
        assert_false(party_step(b, &m3));
        assert_failed(b, &m3);
        c->b_refused++;
    }
}

static void attack_b(const struct attack *t, struct counts *c)
{
    struct party *b = open_b(t);
    int m1_is_bad = expects(t, "B", "reject") && t->m3.len == 0;

    if (equal(&t->id_a, &t->id_b)) {
        assert_true(expects(t, "B", "reject"));
        refuses_reflection(b, t);
        c->reflected++;
    } else {
        assert_true(party_set_peer(b, &t->id_a));
        assert_int_equal(party_step(b, &t->m1), !m1_is_bad);
        if (m1_is_bad) {
            b_refuses_m1(b, t);
            c->b_refused++;
        } else {
            check_answer_of_b(b, t);
            b_takes_m3(b, t, c);
        }
    }
    party_close(b);
}

static void check_attack(const char *variant, const json_t *data, struct counts *c)
{
    static struct attack t;

    read_attack(&t, variant, data);
    printf("%s: %s %s\n", variant, t.set, vectors_string(data, "name"));
    assert_true(json_object_get(t.expect, "A") != NULL || json_object_get(t.expect, "B") != NULL);
    if (json_object_get(t.expect, "A") != NULL)
        attack_a(&t, c);
    if (json_object_get(t.expect, "B") != NULL)
        attack_b(&t, c);
}

static void test_attacks(void **state)
{
    json_t *root = vectors_load(*state, "attacks.json");
    const char *variant;

    for (size_t v = 0; (variant = party_variant(v)) != NULL; v++) {
        struct counts c = {0};

        for (size_t i = 0; i < json_array_size(root); i++)
            check_attack(variant, json_array_get(root, i), &c);
        printf("%s: %zu cases; A accepted %u, refused %u, and %u later replies; B accepted %u, "
               "refused %u, and %u reflections\n",
               variant, json_array_size(root), c.a_accepted, c.a_refused, c.later, c.b_accepted,
               c.b_refused, c.reflected);
        assert_true(json_array_size(root) >= 113);
        assert_true(c.a_accepted >= 20);
        assert_true(c.a_refused >= 48);
        assert_true(c.later >= 12);
        assert_true(c.b_accepted >= 9);
        assert_true(c.b_refused >= 36);
        assert_true(c.reflected >= 3);
    }
    json_decref(root);
}

int main(int argc, char **argv)
{
    const char *folder = vectors_folder(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_attacks, (void *)(uintptr_t)folder),
    };

    return folder != NULL ? cmocka_run_group_tests(tests, NULL, NULL) : VECTOR_SKIPPED;
}
