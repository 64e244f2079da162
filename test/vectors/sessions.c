/* SPDX-License-Identifier: Apache-2.0 */
/* Whole sessions on rare paths: of the samplers, of the signing loop, of the rings' arithmetic. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "party.h"

struct session {
    struct party *a, *b;
    struct vector_bytes m1, m2, m3, secret_a, secret_b;
};

static void open_parties(struct session *s, const char *variant, const json_t *data)
{
    struct vector_bytes id_a, id_b, coins1, coins2;
    char set[16];

    snprintf(set, sizeof(set), "DKEX-%d", (int)json_integer_value(json_object_get(data, "set")));
    vectors_bytes(&id_a, data, "ida");
    vectors_bytes(&id_b, data, "idb");
    vectors_bytes(&coins1, data, "coins1");
    vectors_bytes(&coins2, data, "coins2");
    s->a = party_open(variant, set, PARTY_A, &id_a, &coins1);
    s->b = party_open(variant, set, PARTY_B, &id_b, &coins2);
    assert_true(party_set_peer(s->a, &id_b));
    assert_true(party_set_peer(s->b, &id_a));
}

static void check_session(const char *variant, const json_t *data, unsigned *wrong)
{
    static struct session s;
    struct vector_bytes wrong_secret;

    open_parties(&s, variant, data);
    assert_true(party_out(s.a, &s.m1));
    vectors_assert_sha256(data, "m1_sha256", s.m1.data, s.m1.len);
    assert_true(party_step(s.b, &s.m1));
    assert_true(party_out(s.b, &s.m2));
    vectors_assert_sha256(data, "m2_sha256", s.m2.data, s.m2.len);
    assert_true(party_step(s.a, &s.m2));
    assert_true(party_out(s.a, &s.m3));
    vectors_assert_sha256(data, "m3_sha256", s.m3.data, s.m3.len);
    assert_true(party_step(s.b, &s.m3));

    assert_true(party_secret(s.a, &s.secret_a));
    assert_true(party_secret(s.b, &s.secret_b));
    vectors_assert_bytes(data, "ss", s.secret_a.data, s.secret_a.len);
    vectors_assert_bytes(data, "ss", s.secret_b.data, s.secret_b.len);
    if (vectors_optional_bytes(&wrong_secret, data, "wrong_ss")) {
        assert_int_equal(wrong_secret.len, s.secret_a.len);
        assert_memory_not_equal(wrong_secret.data, s.secret_a.data, wrong_secret.len);
        assert_memory_not_equal(wrong_secret.data, s.secret_b.data, wrong_secret.len);
        ++*wrong;
    }
    party_close(s.a);
    party_close(s.b);
}

static void test_sessions(void **state)
{
    json_t *root = vectors_load(*state, "sessions.json");
    const char *variant;

    for (size_t v = 0; (variant = party_variant(v)) != NULL; v++) {
        unsigned wrong = 0;

        for (size_t i = 0; i < json_array_size(root); i++) {
            const json_t *data = json_array_get(root, i);

            printf("%s: %s: %s\n", variant, vectors_string(data, "name"),
                   vectors_string(data, "why"));
            check_session(variant, data, &wrong);
        }
        printf("%s: %zu sessions, %u with a secret that overflow would give\n", variant,
               json_array_size(root), wrong);
        assert_true(json_array_size(root) >= 32);
        assert_true(wrong >= 13);
    }
    json_decref(root);
}

int main(int argc, char **argv)
{
    const char *folder = vectors_folder(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_sessions, (void *)(uintptr_t)folder),
    };

    return folder != NULL ? cmocka_run_group_tests(tests, NULL, NULL) : VECTOR_SKIPPED;
}
