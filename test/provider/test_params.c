/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of every shape: absent data, wrong types, unknown words, short buffers, any order. */
#include <stdlib.h>
#include <string.h>
#include "evp_session.h"
#include "hex.h"

static int set_one(EVP_PKEY_CTX *ctx, OSSL_PARAM param)
{
    OSSL_PARAM params[] = {param, OSSL_PARAM_construct_end()};

    return EVP_PKEY_CTX_set_params(ctx, params);
}

static int get_one(EVP_PKEY_CTX *ctx, OSSL_PARAM param)
{
    OSSL_PARAM params[] = {param, OSSL_PARAM_construct_end()};

    return EVP_PKEY_CTX_get_params(ctx, params);
}

static OSSL_PARAM octets(const char *name, void *data, size_t len)
{
    return OSSL_PARAM_construct_octet_string(name, data, len);
}

static OSSL_PARAM text(const char *name, void *data, size_t len)
{
    OSSL_PARAM param = OSSL_PARAM_construct_utf8_string(name, data, 1);

    param.data_size = len; /* which the constructor would take from a zero */
    return param;
}

/* A role without data or of a wrong type is no role. */
static void role_shapes(void **state)
{
    struct tp_pair p;
    int number = 1;
    char initiator[] = "initiator";
    char *pointer = initiator;

    tp_pair_keys(&p, &tp_shared, *state);
    tp_ok((p.a = tp_side(tp_shared.ctx, p.alice, NULL, p.bob_pub)) != NULL);
    tp_ok((p.b = tp_side(tp_shared.ctx, p.bob, "responder", p.alice_pub)) != NULL);
    tp_refused(set_one(p.a, text("role", NULL, 0)), NULL);
    tp_refused(set_one(p.a, text("role", NULL, 9)), NULL);
    tp_refused(set_one(p.a, octets("role", initiator, 9)), NULL);
    tp_refused(set_one(p.a, octets("role", NULL, 0)), NULL);
    tp_refused(set_one(p.a, OSSL_PARAM_construct_int("role", &number)), NULL);
    tp_ok(tp_state_is(p.a, "role"));

    /* Pointers are libcrypto's other kind of string: taken or refused, but not misread. */
    if (set_one(p.a, OSSL_PARAM_construct_utf8_ptr("role", &pointer, 9)) == 1) {
        tp_ok(tp_state_is(p.a, "m2"));
    } else {
        tp_refused(0, NULL);
        tp_ok(tp_set_text(p.a, "role", "initiator"));
    }
    tp_ok(tp_fetch(p.a, &p.m1));
    tp_pair_advance(&p, TP_BOTH_DONE);
    tp_pair_close(&p);
}

/* The length counts, not a terminator; nothing but the two words will do. */
static void role_words(void **state)
{
    static const char *const wrong[] = {
        "",           "i",        "initiato",  "initiatorr", "Initiator", "INITIATOR", " initiator",
        "initiator ", "responde", "Responder", "client",     "server",    "none",      "role",
    };
    struct tp_pair p;
    char buffer[] = {'r', 'e', 's', 'p', 'o', 'n', 'd', 'e', 'r', 's'};
    char *exact = malloc(9);

    tp_pair_keys(&p, &tp_shared, *state);
    tp_ok((p.b = tp_side(tp_shared.ctx, p.bob, NULL, p.alice_pub)) != NULL);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        tp_refused(tp_set_text(p.b, "role", wrong[i]), "unknown role");
        tp_refused(tp_side(tp_shared.ctx, p.bob, wrong[i], NULL) != NULL, "unknown role");
    }
    tp_refused(set_one(p.b, text("role", buffer, 10)), "unknown role");
    tp_refused(set_one(p.b, text("role", buffer, 8)), "unknown role");
    tp_ok(tp_state_is(p.b, "role"));
    memcpy(exact, buffer, 9);
    tp_ok(set_one(p.b, text("role", exact, 9)));
    tp_ok(tp_state_is(p.b, "m1"));
    free(exact);
    tp_pair_close(&p);
}

/* A failed init leaves a context that libcrypto believes to be initialised. */
static void after_failed_init(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair p;
    struct tp_message m = {.len = set->m1_len};
    uint8_t secret[TP_MAX_SECRET];
    size_t len = sizeof(secret);
    OSSL_PARAM params[] = {text("role", (char[]){"nobody"}, 6), OSSL_PARAM_construct_end()};

    tp_pair_open(&p, &tp_shared, set);
    tp_refused(EVP_PKEY_derive_init_ex(p.b, params), "unknown role");
    tp_refused(tp_give(p.b, &m), NULL);
    tp_refused(tp_fetch(p.b, &m), NULL);
    tp_refused(EVP_PKEY_derive(p.b, secret, &len), "handshake incomplete");
    tp_ok(EVP_PKEY_derive_init(p.b));
    tp_ok(tp_set_text(p.b, "role", "responder"));
    tp_ok(EVP_PKEY_derive_set_peer(p.b, p.alice_pub));
    tp_pair_advance(&p, TP_BOTH_DONE);
    tp_pair_close(&p);
}

static void message_shapes(EVP_PKEY_CTX *ctx, size_t len)
{
    uint8_t zeros[TP_MAX_MESSAGE] = {0};
    uint8_t *pointer = zeros;
    int number = 1;

    tp_refused(set_one(ctx, octets("in-message", NULL, 0)), NULL);
    tp_refused(set_one(ctx, octets("in-message", NULL, len)), NULL);
    tp_refused(set_one(ctx, text("in-message", NULL, 0)), NULL);
    tp_refused(set_one(ctx, text("in-message", zeros, len)), NULL);
    tp_refused(set_one(ctx, OSSL_PARAM_construct_int("in-message", &number)), NULL);
    tp_refused(set_one(ctx, OSSL_PARAM_construct_octet_ptr("in-message", (void **)&pointer, 1)),
               NULL);
}

/* At every stage, and the handshake goes on. */
static void messages_without_data(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair p;
    EVP_PKEY_CTX *bare;

    tp_pair_open(&p, &tp_shared, set);
    tp_ok((bare = tp_side(tp_shared.ctx, p.alice, NULL, NULL)) != NULL);
    message_shapes(bare, set->m1_len);
    message_shapes(p.b, set->m1_len);
    tp_pair_advance(&p, TP_ANSWERED);
    message_shapes(p.a, set->ct_len + set->sig_len);
    tp_pair_advance(&p, TP_INITIATOR_DONE);
    message_shapes(p.b, set->sig_len);
    message_shapes(p.a, set->sig_len);
    tp_pair_advance(&p, TP_BOTH_DONE);
    message_shapes(p.b, set->sig_len);
    EVP_PKEY_CTX_free(bare);
    tp_pair_close(&p);
}

static void option_shapes(void **state)
{
    struct tp_pair p;
    char one[] = "1";

    tp_pair_open(&p, &tp_shared, *state);
    tp_refused(set_one(p.b, text("deterministic", one, 1)), NULL);
    tp_refused(set_one(p.b, octets("deterministic", one, 1)), NULL);
    tp_refused(set_one(p.b, octets("deterministic", NULL, 0)), NULL);
    tp_refused(set_one(p.b, (OSSL_PARAM){"deterministic", OSSL_PARAM_INTEGER, NULL, 0, 0}), NULL);
    tp_refused(
        set_one(p.b, (OSSL_PARAM){"deterministic", OSSL_PARAM_INTEGER, NULL, sizeof(int), 0}),
        NULL);
    tp_refused(set_one(p.b, (OSSL_PARAM){"deterministic", OSSL_PARAM_INTEGER, one, 0, 0}), NULL);
    tp_refused(set_one(p.b, octets("test-entropy", NULL, 0)), NULL);
    tp_refused(set_one(p.b, octets("test-entropy", NULL, 32)), NULL);
    tp_refused(set_one(p.b, text("test-entropy", one, 1)), NULL);
    tp_pair_advance(&p, TP_BOTH_DONE);
    tp_pair_close(&p);
}

/* libcrypto passes unknown names over; so does the provider, beside known ones too. */
static void unknown_names(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair p;
    char word[] = "word";
    int number = 1;

    tp_pair_open(&p, &tp_shared, set);
    tp_ok(set_one(p.b, OSSL_PARAM_construct_int("no-such-parameter", &number)));
    tp_ok(EVP_PKEY_CTX_set_params(p.b, (OSSL_PARAM[]){
                                           text("Role", word, 4),
                                           octets("in_message", word, 4),
                                           OSSL_PARAM_construct_int("deterministic", &number),
                                           OSSL_PARAM_construct_end(),
                                       }));
    tp_ok(set_one(p.b, OSSL_PARAM_construct_end()));
    tp_ok(get_one(p.b, octets("no-such-parameter", word, 4)));
    tp_pair_advance(&p, TP_BOTH_DONE);
    tp_pair_close(&p);
}

static void short_message(EVP_PKEY_CTX *ctx, const struct tp_message *m)
{
    const size_t sizes[] = {0, 1, m->len - 1};
    uint8_t buffer[TP_MAX_MESSAGE + 1], untouched[TP_MAX_MESSAGE + 1];
    OSSL_PARAM params[] = {octets("out-message", buffer, 0), OSSL_PARAM_construct_end()};

    memset(buffer, 0x77, sizeof(buffer));
    memset(untouched, 0x77, sizeof(untouched));
    for (size_t i = 0; i < 3; i++) {
        params[0].data_size = sizes[i];
        tp_refused(EVP_PKEY_CTX_get_params(ctx, params), "buffer too small");
        assert_memory_equal(buffer, untouched, sizeof(buffer));
    }
    tp_refused(get_one(ctx, text("out-message", buffer, sizeof(buffer))), NULL);
    params[0].data_size = m->len + 1;
    params[0].return_size = OSSL_PARAM_UNMODIFIED;
    tp_ok(EVP_PKEY_CTX_get_params(ctx, params));
    assert_int_equal(params[0].return_size, m->len);
    assert_memory_equal(buffer, m->bytes, m->len);
    assert_int_equal(buffer[m->len], 0x77);
}

static void short_text(EVP_PKEY_CTX *ctx, const char *name, size_t len)
{
    char buffer[32];
    OSSL_PARAM query[] = {text(name, NULL, 0), OSSL_PARAM_construct_end()};

    tp_ok(EVP_PKEY_CTX_get_params(ctx, query));
    assert_int_equal(query[0].return_size, len);
    tp_refused(get_one(ctx, text(name, buffer, len - 1)), "buffer too small");
    tp_refused(get_one(ctx, text(name, buffer, 1)), "buffer too small");
    tp_refused(get_one(ctx, octets(name, buffer, sizeof(buffer))), NULL);
    tp_ok(get_one(ctx, text(name, buffer, sizeof(buffer))));
    assert_int_equal(strlen(buffer), len);
}

static void short_secret(EVP_PKEY_CTX *ctx, const struct tp_pair *p)
{
    const size_t n = p->set->secret_len, sizes[] = {0, 1, n - 1};
    uint8_t buffer[2 * TP_MAX_SECRET], untouched[2 * TP_MAX_SECRET];
    size_t len;

    memset(buffer, 0x77, sizeof(buffer));
    memset(untouched, 0x77, sizeof(untouched));
    for (size_t i = 0; i < 3; i++) {
        len = sizes[i];
        tp_refused(EVP_PKEY_derive(ctx, buffer, &len), "buffer too small");
        assert_memory_equal(buffer, untouched, sizeof(buffer));
    }
    len = n + 1;
    tp_ok(EVP_PKEY_derive(ctx, buffer, &len));
    assert_int_equal(len, n);
    assert_memory_equal(buffer, p->secret, n);
    assert_int_equal(buffer[n], 0x77);
}

static void short_buffers(void **state)
{
    struct tp_pair p;

    tp_pair_open(&p, &tp_shared, *state);
    short_message(p.a, &p.m1);
    short_text(p.a, "state", strlen("m2"));
    short_text(p.a, "role", strlen("initiator"));
    tp_pair_advance(&p, TP_ANSWERED);
    short_message(p.b, &p.m2);
    tp_pair_advance(&p, TP_INITIATOR_DONE);
    short_message(p.a, &p.m3);
    tp_pair_advance(&p, TP_BOTH_DONE);
    short_text(p.b, "state", strlen("complete"));
    short_text(p.b, "role", strlen("responder"));
    short_secret(p.a, &p);
    short_secret(p.b, &p);
    tp_pair_close(&p);
}

/* Several at once in one array. */
static void one_array_out(void **state)
{
    struct tp_pair p;
    uint8_t message[TP_MAX_MESSAGE];
    char role[16], waits[16];
    OSSL_PARAM params[] = {
        text("state", waits, sizeof(waits)),
        octets("out-message", message, sizeof(message)),
        text("role", role, sizeof(role)),
        OSSL_PARAM_construct_end(),
    };

    tp_pair_open(&p, &tp_shared, *state);
    tp_ok(EVP_PKEY_CTX_get_params(p.a, params));
    assert_string_equal(waits, "m2");
    assert_string_equal(role, "initiator");
    assert_int_equal(params[1].return_size, p.m1.len);
    assert_memory_equal(message, p.m1.bytes, p.m1.len);
    tp_pair_close(&p);
}

/* deterministic, role, in-message in every order: role is always read before the message. */
static void one_array_in(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair p;
    char responder[] = "responder", initiator[] = "initiator";
    int one = 1;
    uint8_t secret[TP_MAX_SECRET];

    for (unsigned first = 0; first < 3; first++) {
        for (unsigned step = 1; step < 3; step++) {
            OSSL_PARAM params[4];

            tp_pair_open(&p, &tp_shared, set);
            EVP_PKEY_CTX_free(p.b);
            tp_ok((p.b = tp_side(tp_shared.ctx, p.bob, NULL, p.alice_pub)) != NULL);
            params[first] = OSSL_PARAM_construct_int("deterministic", &one);
            params[(first + step) % 3] = text("role", responder, 9);
            params[(first + 2 * step) % 3] = octets("in-message", p.m1.bytes, p.m1.len);
            params[3] = OSSL_PARAM_construct_end();
            tp_ok(EVP_PKEY_CTX_set_params(p.b, params));
            tp_ok(tp_fetch(p.b, &p.m2));
            p.stage = TP_ANSWERED;
            tp_pair_advance(&p, TP_BOTH_DONE);
            tp_pair_close(&p);
        }
    }

    tp_pair_keys(&p, &tp_shared, set);
    tp_ok((p.a = EVP_PKEY_CTX_new_from_pkey(tp_shared.ctx, p.alice, NULL)) != NULL);
    tp_ok(EVP_PKEY_derive_init_ex(p.a, (OSSL_PARAM[]){
                                           text("role", initiator, 9),
                                           OSSL_PARAM_construct_int("deterministic", &one),
                                           OSSL_PARAM_construct_end(),
                                       }));
    tp_ok(EVP_PKEY_derive_set_peer(p.a, p.bob_pub));
    tp_ok((p.b = tp_side(tp_shared.ctx, p.bob, "responder", p.alice_pub)) != NULL);
    tp_ok(tp_agree(set, p.a, p.b, secret));
    tp_pair_close(&p);
}

/* At init there is no peer yet, so that a message can't be taken there. */
static void message_at_init(void **state)
{
    struct tp_pair p;
    char responder[] = "responder";
    OSSL_PARAM params[3] = {text("role", responder, 9), {0}, OSSL_PARAM_construct_end()};

    tp_pair_open(&p, &tp_shared, *state);
    params[1] = octets("in-message", p.m1.bytes, p.m1.len);
    tp_refused(EVP_PKEY_derive_init_ex(p.b, params), "peer key not set");
    tp_ok(EVP_PKEY_derive_init(p.b));
    tp_ok(tp_set_text(p.b, "role", "responder"));
    tp_ok(EVP_PKEY_derive_set_peer(p.b, p.alice_pub));
    tp_pair_advance(&p, TP_BOTH_DONE);
    tp_pair_close(&p);
}

/* What pkeyutl's -pkeyopt calls. */
static void as_strings(void **state)
{
    struct tp_pair p;
    char hex[2 * TP_MAX_MESSAGE + 1];

    tp_pair_keys(&p, &tp_shared, *state);
    tp_ok((p.a = tp_side(tp_shared.ctx, p.alice, NULL, p.bob_pub)) != NULL);
    tp_ok((p.b = tp_side(tp_shared.ctx, p.bob, NULL, p.alice_pub)) != NULL);
    tp_ok(EVP_PKEY_CTX_ctrl_str(p.a, "role", "initiator"));
    tp_ok(EVP_PKEY_CTX_ctrl_str(p.b, "role", "responder"));
    tp_ok(EVP_PKEY_CTX_ctrl_str(p.b, "deterministic", "1"));
    tp_ok(tp_fetch(p.a, &p.m1));
    test_hex_encode(hex, p.m1.bytes, p.m1.len);
    tp_ok(EVP_PKEY_CTX_ctrl_str(p.b, "hexin-message", hex));
    tp_ok(tp_fetch(p.b, &p.m2));
    p.stage = TP_ANSWERED;
    tp_pair_advance(&p, TP_BOTH_DONE);
    tp_pair_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TP_EACH_SET(role_shapes),       TP_EACH_SET(role_words),
        TP_EACH_SET(after_failed_init), TP_EACH_SET(messages_without_data),
        TP_EACH_SET(option_shapes),     TP_EACH_SET(unknown_names),
        TP_EACH_SET(short_buffers),     TP_EACH_SET(one_array_out),
        TP_EACH_SET(one_array_in),      TP_EACH_SET(message_at_init),
        TP_EACH_SET(as_strings),
    };

    return cmocka_run_group_tests(tests, tp_shared_open, tp_shared_close);
}
