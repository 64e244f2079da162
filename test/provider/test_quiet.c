/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The error queue as a whole, libcrypto's own entries included: one a failure, none after success.
 * From 3.2 on libcrypto raises its own where 3.0 is silent. And keys that cannot be changed.
 */
#include <string.h>
#include <openssl/core_dispatch.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include "evp_session.h"

/* Failed, with that reason and nothing else in the queue. */
static void one_error(int result, const char *reason)
{
    const char *said = ERR_reason_error_string(ERR_peek_error());

    assert_true(result <= 0);
    assert_non_null(said);
    assert_string_equal(said, reason);
    if (ERR_peek_error() != ERR_peek_last_error())
        fail_msg("%s is not alone in the queue", reason);
    tp_refused(result, reason);
}

static void context_parameters(void **state)
{
    const struct tp_set *set = *state;
    EVP_PKEY *key = tp_key_generate(tp_shared.ctx, set->name);
    EVP_PKEY_CTX *ctx = tp_side(tp_shared.ctx, key, "initiator", NULL);
    uint8_t octets[16];
    double half = 0.5;
    char text[1];
    OSSL_PARAM set_bad[] = {
        OSSL_PARAM_construct_utf8_string("deterministic", (char *)"1", 0),
        OSSL_PARAM_construct_double("deterministic", &half),
        OSSL_PARAM_construct_octet_string("deterministic", octets, 4),
        OSSL_PARAM_construct_BN("deterministic", octets, sizeof(octets)),
    };

    memset(octets, 0xff, sizeof(octets));
    for (size_t i = 0; i < sizeof(set_bad) / sizeof(set_bad[0]); i++) {
        OSSL_PARAM params[] = {set_bad[i], OSSL_PARAM_construct_end()};

        one_error(EVP_PKEY_CTX_set_params(ctx, params), "bad parameter");
    }
    {
        OSSL_PARAM message[] = {OSSL_PARAM_construct_octet_string("out-message", octets, 2),
                                OSSL_PARAM_construct_end()};
        OSSL_PARAM word[] = {OSSL_PARAM_construct_utf8_string("state", text, 1),
                             OSSL_PARAM_construct_end()};

        one_error(EVP_PKEY_CTX_get_params(ctx, message), "buffer too small");
        assert_int_equal(message[0].return_size, set->m1_len);
        one_error(EVP_PKEY_CTX_get_params(ctx, word), "buffer too small");
        assert_int_equal(word[0].return_size, 2);
    }
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(key);
    tp_ok(1);
}

static void key_parameters(void **state)
{
    const struct tp_set *set = *state;
    EVP_PKEY *key = tp_key_generate(tp_shared.ctx, set->name);
    uint8_t octets[2];
    int number = 0;
    const struct {
        OSSL_PARAM param;
        const char *reason;
    } bad[] = {
        {OSSL_PARAM_construct_octet_string("pub", octets, sizeof(octets)), "buffer too small"},
        {OSSL_PARAM_construct_octet_string("priv", octets, sizeof(octets)), "buffer too small"},
        {OSSL_PARAM_construct_octet_string("seed", octets, sizeof(octets)), "buffer too small"},
        {OSSL_PARAM_construct_int("pub", &number), "bad parameter"},
        {OSSL_PARAM_construct_utf8_string("bits", (char *)octets, 2), "bad parameter"},
        {{"bits", OSSL_PARAM_INTEGER, octets, 1, 0}, "bad parameter"},
    };

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        OSSL_PARAM params[] = {bad[i].param, OSSL_PARAM_construct_end()};

        one_error(EVP_PKEY_get_params(key, params), bad[i].reason);
    }
    EVP_PKEY_free(key);
    tp_ok(1);
}

static void provider_parameters(void **state)
{
    char octets[2];
    int number = 0;
    OSSL_PARAM name[] = {OSSL_PARAM_construct_int("name", &number), OSSL_PARAM_construct_end()};
    OSSL_PARAM status[] = {OSSL_PARAM_construct_utf8_string("status", octets, sizeof(octets)),
                           OSSL_PARAM_construct_end()};

    (void)state;
    one_error(OSSL_PROVIDER_get_params(tp_shared.dkex, name), "bad parameter");
    one_error(OSSL_PROVIDER_get_params(tp_shared.dkex, status), "bad parameter");
}

/* More keys than the secure heap has room for: they work, and nothing is left in the queue. */
static void full_secure_heap(void **state)
{
    const struct tp_set *set = *state;
    EVP_PKEY *keys[4];
    uint8_t secret[TP_MAX_SECRET];

    assert_int_equal(CRYPTO_secure_malloc_init(16384, 64), 1);
    for (int i = 0; i < 4; i++)
        tp_ok((keys[i] = tp_key_generate(tp_shared.ctx, set->name)) != NULL);
    assert_int_not_equal(CRYPTO_secure_used(), 0);
    tp_ok(tp_session(set, tp_shared.ctx, keys[0], keys[3], secret));
    for (int i = 0; i < 4; i++)
        EVP_PKEY_free(keys[i]);
    assert_int_equal(CRYPTO_secure_used(), 0);
    assert_int_equal(CRYPTO_secure_malloc_done(), 1);
    tp_ok(1);
}

/* The way peers are made for other key types must not seem to work: the peer would stay Bob. */
static void keys_are_final(void **state)
{
    const struct tp_set *set = *state;
    EVP_PKEY *bob = tp_key_generate(tp_shared.ctx, set->name);
    EVP_PKEY *carol = tp_key_generate(tp_shared.ctx, set->name), *peer = EVP_PKEY_new();
    uint8_t octets[TP_MAX_KEY];
    unsigned char *encoded = NULL;
    const size_t len = EVP_PKEY_get1_encoded_public_key(carol, &encoded);
    OSSL_PARAM unknown[] = {OSSL_PARAM_construct_octet_string("unknown", octets, 1),
                            OSSL_PARAM_construct_end()};

    assert_int_equal(len, set->pub_len);
    one_error(EVP_PKEY_set1_encoded_public_key(bob, encoded, len), "a key cannot be changed");
    for (const char *const *name = (const char *const[]){"pub", "priv", "seed", NULL}; *name;
         name++)
        one_error(EVP_PKEY_set_octet_string_param(bob, *name, encoded, len),
                  "a key cannot be changed");
    assert_int_equal(EVP_PKEY_eq(bob, carol), 0);
    tp_ok(EVP_PKEY_set_params(bob, unknown)); /* ignored, as everywhere in libcrypto */

    /* Parameters alone are copied: a key type and no key. */
    tp_ok(EVP_PKEY_copy_parameters(peer, bob));
    assert_false(EVP_PKEY_get_octet_string_param(peer, "pub", octets, sizeof(octets), NULL));
    ERR_clear_error();
    one_error(EVP_PKEY_set1_encoded_public_key(peer, encoded, len), "a key cannot be changed");
    assert_int_not_equal(EVP_PKEY_eq(peer, bob), 1);
    ERR_clear_error();
    OPENSSL_free(encoded);
    EVP_PKEY_free(bob);
    EVP_PKEY_free(carol);
    EVP_PKEY_free(peer);
    tp_ok(1);
}

/* The private half selected alone, and not given. */
static void private_half_alone(void **state)
{
    const struct tp_set *set = *state;
    EVP_PKEY *key = tp_key_generate(tp_shared.ctx, set->name), *made;
    OSSL_PARAM *params = NULL;

    tp_ok(EVP_PKEY_todata(key, EVP_PKEY_PUBLIC_KEY, &params));
    made = tp_key_import(tp_shared.ctx, set->name, OSSL_KEYMGMT_SELECT_PRIVATE_KEY, params);
    one_error(made != NULL, "private key required");
    OSSL_PARAM_free(params);
    params = NULL;
    tp_ok(EVP_PKEY_todata(key, OSSL_KEYMGMT_SELECT_PRIVATE_KEY, &params));
    made = tp_key_import(tp_shared.ctx, set->name, OSSL_KEYMGMT_SELECT_PRIVATE_KEY, params);
    tp_ok(made != NULL);
    assert_int_equal(EVP_PKEY_eq(key, made), 1);
    OSSL_PARAM_free(params);
    EVP_PKEY_free(made);
    EVP_PKEY_free(key);
    tp_ok(1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TP_EACH_SET(context_parameters),       TP_EACH_SET(key_parameters),
        cmocka_unit_test(provider_parameters), TP_EACH_SET(full_secure_heap),
        TP_EACH_SET(keys_are_final),           TP_EACH_SET(private_half_alone),
    };

    return cmocka_run_group_tests(tests, tp_shared_open, tp_shared_close);
}
