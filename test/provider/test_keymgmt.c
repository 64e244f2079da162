/* SPDX-License-Identifier: Apache-2.0 */
/* Identity keys: generation, parameters, copies, comparison, checks. Import is in test_import.c. */
#include <stdlib.h>
#include <string.h>
#include <openssl/err.h>
#include "evp_session.h"

static const uint8_t seed[TP_SEED] = {1, 2, 3, 4, 5};

/* Fetches an octet parameter of known length. */
static void get_octets(uint8_t *out, EVP_PKEY *key, const char *name, size_t expected_len)
{
    size_t len = 0;

    tp_ok(EVP_PKEY_get_octet_string_param(key, name, NULL, 0, &len));
    assert_int_equal(len, expected_len);
    len = 0;
    tp_ok(EVP_PKEY_get_octet_string_param(key, name, out, expected_len, &len));
    assert_int_equal(len, expected_len);
}

static int get_octets_fails(EVP_PKEY *key, const char *name)
{
    uint8_t out[TP_MAX_KEY];
    size_t len = 0;

    return EVP_PKEY_get_octet_string_param(key, name, out, sizeof(out), &len) != 1;
}

static int same_octets(EVP_PKEY *a, EVP_PKEY *b, const char *name, size_t len)
{
    uint8_t of_a[TP_MAX_KEY], of_b[TP_MAX_KEY];

    get_octets(of_a, a, name, len);
    get_octets(of_b, b, name, len);
    return memcmp(of_a, of_b, len) == 0;
}

static void generation(void **state)
{
    const struct tp_set *set = *state;
    EVP_PKEY *key = tp_key_generate(tp_shared.ctx, set->name);
    EVP_PKEY *other = tp_key_generate(tp_shared.ctx, set->name);

    tp_ok(key != NULL && other != NULL);
    for (size_t i = 0; i < TP_SETS; i++)
        assert_int_equal(EVP_PKEY_is_a(key, tp_sets[i].name), &tp_sets[i] == set);
    assert_false(same_octets(key, other, "pub", set->pub_len));
    assert_false(same_octets(key, other, "priv", set->priv_len));
    assert_false(same_octets(key, other, "seed", TP_SEED));
    assert_int_equal(EVP_PKEY_eq(key, other), 0);
    EVP_PKEY_free(key);
    EVP_PKEY_free(other);
    tp_ok(1);
}

static void generation_from_seed(void **state)
{
    const struct tp_set *set = *state;
    EVP_PKEY *key = tp_key_from_seed(tp_shared.ctx, set->name, seed, TP_SEED);
    EVP_PKEY *again = tp_key_from_seed(tp_shared.ctx, set->name, seed, TP_SEED);
    uint8_t out[TP_SEED];

    tp_ok(key != NULL && again != NULL);
    get_octets(out, key, "seed", TP_SEED);
    assert_memory_equal(out, seed, TP_SEED);
    assert_true(same_octets(key, again, "pub", set->pub_len));
    assert_true(same_octets(key, again, "priv", set->priv_len));
    assert_int_equal(EVP_PKEY_eq(key, again), 1);
    EVP_PKEY_free(key);
    EVP_PKEY_free(again);
    tp_ok(1);
}

static void generation_seed_refused(void **state)
{
    const struct tp_set *set = *state;
    static const size_t lengths[] = {0, 1, TP_SEED - 1, TP_SEED + 1};
    uint8_t bytes[TP_SEED + 1] = {0};
    OSSL_PARAM bad[][2] = {
        {OSSL_PARAM_construct_octet_string("seed", NULL, 0), OSSL_PARAM_construct_end()},
        {OSSL_PARAM_construct_octet_string("seed", NULL, TP_SEED), OSSL_PARAM_construct_end()},
        {OSSL_PARAM_construct_utf8_string("seed", (char *)bytes, TP_SEED),
         OSSL_PARAM_construct_end()},
    };
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(tp_shared.ctx, set->name, NULL);
    EVP_PKEY *key = NULL, *seeded;

    tp_ok(EVP_PKEY_keygen_init(ctx));
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
        tp_refused(tp_set_octets(ctx, "seed", bytes, lengths[i]), NULL);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        tp_refused(EVP_PKEY_CTX_set_params(ctx, bad[i]), NULL);

    /* Refusals change nothing: what follows is a random key. */
    tp_ok(EVP_PKEY_generate(ctx, &key));
    memset(bytes, 0, sizeof(bytes));
    seeded = tp_key_from_seed(tp_shared.ctx, set->name, bytes, TP_SEED);
    assert_int_equal(EVP_PKEY_eq(key, seeded), 0);
    EVP_PKEY_free(key);
    EVP_PKEY_free(seeded);
    EVP_PKEY_CTX_free(ctx);
    tp_ok(1);
}

static void numbers(void **state)
{
    const struct tp_set *set = *state;
    EVP_PKEY *key = tp_key_generate(tp_shared.ctx, set->name);
    EVP_PKEY *half = tp_key_public_half(tp_shared.ctx, set->name, key);
    EVP_PKEY *keys[] = {key, half};

    for (size_t i = 0; i < 2; i++) {
        int bits = 0, security_bits = 0, max_size = 0;

        tp_ok(EVP_PKEY_get_int_param(keys[i], "bits", &bits));
        tp_ok(EVP_PKEY_get_int_param(keys[i], "security-bits", &security_bits));
        tp_ok(EVP_PKEY_get_int_param(keys[i], "max-size", &max_size));
        assert_int_equal(bits, 8 * set->pub_len);
        assert_int_equal(security_bits, set->security_bits);
        assert_int_equal(max_size, set->secret_len);
        assert_int_equal(EVP_PKEY_get_bits(keys[i]), bits);
        assert_int_equal(EVP_PKEY_get_security_bits(keys[i]), security_bits);
        assert_int_equal(EVP_PKEY_get_size(keys[i]), max_size);
    }
    EVP_PKEY_free(key);
    EVP_PKEY_free(half);
    tp_ok(1);
}

/* The public half shows nothing of the private one. */
static void halves(void **state)
{
    const struct tp_set *set = *state;
    EVP_PKEY *key = tp_key_generate(tp_shared.ctx, set->name);
    EVP_PKEY *half = tp_key_public_half(tp_shared.ctx, set->name, key);

    tp_ok(half != NULL);
    assert_true(same_octets(key, half, "pub", set->pub_len));
    assert_true(same_octets(key, half, "encoded-pub-key", set->pub_len));
    assert_true(get_octets_fails(half, "priv"));
    ERR_clear_error();
    assert_true(get_octets_fails(half, "seed"));
    ERR_clear_error();
    EVP_PKEY_free(key);
    EVP_PKEY_free(half);
    tp_ok(1);
}

static void short_buffer(void **state)
{
    const struct tp_set *set = *state;
    static const char *const names[] = {"pub", "encoded-pub-key", "priv", "seed"};
    const size_t sizes[] = {set->pub_len, set->pub_len, set->priv_len, TP_SEED};
    EVP_PKEY *key = tp_key_generate(tp_shared.ctx, set->name);

    for (size_t i = 0; i < 4; i++) {
        uint8_t *buffer = malloc(sizes[i]);
        OSSL_PARAM params[] = {
            OSSL_PARAM_construct_octet_string(names[i], buffer, sizes[i] - 1),
            OSSL_PARAM_construct_end(),
        };

        tp_refused(EVP_PKEY_get_params(key, params), "buffer too small");
        params[0].data_size = sizes[i];
        tp_ok(EVP_PKEY_get_params(key, params));
        free(buffer);
    }
    EVP_PKEY_free(key);
    tp_ok(1);
}

/* Lists name every parameter, and every name in a list works. */
static void listed(const OSSL_PARAM *list, const char *const *names, size_t count)
{
    size_t entries = 0;

    assert_non_null(list);
    for (size_t i = 0; i < count; i++) {
        if (OSSL_PARAM_locate_const(list, names[i]) == NULL)
            fail_msg("%s is not listed", names[i]);
    }
    for (const OSSL_PARAM *p = list; p->key != NULL; p++)
        entries++;
    assert_int_equal(entries, count);
}

static void lists(void **state)
{
    const struct tp_set *set = *state;
    static const char *const key_names[] = {
        "pub", "priv", "seed", "encoded-pub-key", "bits", "security-bits", "max-size",
    };
    static const char *const seed_name[] = {"seed"};
    static const char *const data_names[] = {"pub", "priv", "seed"};
    EVP_PKEY *key = tp_key_generate(tp_shared.ctx, set->name);
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(tp_shared.ctx, set->name, NULL);
    const OSSL_PARAM *list = EVP_PKEY_gettable_params(key);

    listed(list, key_names, 7);
    for (const OSSL_PARAM *p = list; p->key != NULL; p++) {
        uint8_t out[TP_MAX_KEY];
        int number = 0;

        if (p->data_type == OSSL_PARAM_INTEGER)
            tp_ok(EVP_PKEY_get_int_param(key, p->key, &number));
        else
            tp_ok(EVP_PKEY_get_octet_string_param(key, p->key, out, sizeof(out), NULL));
    }
    list = EVP_PKEY_settable_params(key);
    assert_true(list == NULL || list->key == NULL);
    tp_ok(EVP_PKEY_keygen_init(ctx));
    listed(EVP_PKEY_CTX_settable_params(ctx), seed_name, 1);
    tp_ok(EVP_PKEY_fromdata_init(ctx));
    listed(EVP_PKEY_fromdata_settable(ctx, EVP_PKEY_KEYPAIR), data_names, 3);
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(key);
    tp_ok(1);
}

static void encoded_public_key(void **state)
{
    const struct tp_set *set = *state;
    EVP_PKEY *key = tp_key_from_seed(tp_shared.ctx, set->name, seed, TP_SEED);
    EVP_PKEY *other = tp_key_generate(tp_shared.ctx, set->name);
    EVP_PKEY *same = tp_key_from_seed(tp_shared.ctx, set->name, seed, TP_SEED);
    unsigned char *encoded = NULL;
    uint8_t pub[TP_MAX_KEY];

    assert_int_equal(EVP_PKEY_get1_encoded_public_key(key, &encoded), set->pub_len);
    get_octets(pub, key, "pub", set->pub_len);
    assert_memory_equal(encoded, pub, set->pub_len);
    OPENSSL_free(encoded);

    /* It can't be set: whatever libcrypto answers, the key stays what it was. */
    get_octets(pub, other, "pub", set->pub_len);
    EVP_PKEY_set1_encoded_public_key(key, pub, set->pub_len);
    ERR_clear_error();
    assert_int_equal(EVP_PKEY_eq(key, same), 1);
    EVP_PKEY_free(key);
    EVP_PKEY_free(other);
    EVP_PKEY_free(same);
    tp_ok(1);
}

static void duplicates(void **state)
{
    const struct tp_set *set = *state;
    EVP_PKEY *key = tp_key_generate(tp_shared.ctx, set->name);
    EVP_PKEY *half = tp_key_public_half(tp_shared.ctx, set->name, key);
    EVP_PKEY *bob = tp_key_generate(tp_shared.ctx, set->name);
    EVP_PKEY *key_copy = EVP_PKEY_dup(key), *half_copy = EVP_PKEY_dup(half);
    uint8_t secret[TP_MAX_SECRET];

    tp_ok(key_copy != NULL && half_copy != NULL);
    assert_true(same_octets(key, key_copy, "priv", set->priv_len));
    assert_true(same_octets(key, key_copy, "seed", TP_SEED));
    assert_true(same_octets(half, half_copy, "pub", set->pub_len));
    assert_true(get_octets_fails(half_copy, "priv"));
    ERR_clear_error();

    /* Nothing is shared with the original. */
    EVP_PKEY_free(key);
    EVP_PKEY_free(half);
    assert_int_equal(EVP_PKEY_eq(key_copy, half_copy), 1);
    tp_ok(tp_session(set, tp_shared.ctx, key_copy, bob, secret));
    tp_ok(tp_session(set, tp_shared.ctx, bob, key_copy, secret));
    EVP_PKEY_free(key_copy);
    EVP_PKEY_free(half_copy);
    EVP_PKEY_free(bob);
    tp_ok(1);
}

static void equality(void **state)
{
    const struct tp_set *set = *state;
    EVP_PKEY *key = tp_key_generate(tp_shared.ctx, set->name);
    EVP_PKEY *half = tp_key_public_half(tp_shared.ctx, set->name, key);
    EVP_PKEY *half_again = tp_key_public_half(tp_shared.ctx, set->name, key);
    EVP_PKEY *other = tp_key_generate(tp_shared.ctx, set->name);
    EVP_PKEY *other_half = tp_key_public_half(tp_shared.ctx, set->name, other);

    assert_int_equal(EVP_PKEY_eq(key, key), 1);
    assert_int_equal(EVP_PKEY_eq(key, half), 1);
    assert_int_equal(EVP_PKEY_eq(half, key), 1);
    assert_int_equal(EVP_PKEY_eq(half, half_again), 1);
    assert_int_equal(EVP_PKEY_eq(key, other), 0);
    assert_int_equal(EVP_PKEY_eq(key, other_half), 0);
    assert_int_equal(EVP_PKEY_eq(other_half, key), 0);
    assert_int_equal(EVP_PKEY_eq(half, other_half), 0);
    EVP_PKEY_free(key);
    EVP_PKEY_free(half);
    EVP_PKEY_free(half_again);
    EVP_PKEY_free(other);
    EVP_PKEY_free(other_half);
    tp_ok(1);
}

/* Same seed, same FIPS 204 key, and still keys of two types. */
static void equality_of_types(void **state)
{
    EVP_PKEY *key256 = tp_key_from_seed(tp_shared.ctx, "DKEX-256", seed, TP_SEED);
    EVP_PKEY *key512 = tp_key_from_seed(tp_shared.ctx, "DKEX-512", seed, TP_SEED);

    (void)state;
    assert_true(same_octets(key256, key512, "pub", 2592));
    assert_int_not_equal(EVP_PKEY_eq(key256, key512), 1);
    ERR_clear_error();
    EVP_PKEY_free(key256);
    EVP_PKEY_free(key512);
    tp_ok(1);
}

static void checks(void **state)
{
    const struct tp_set *set = *state;
    EVP_PKEY *key = tp_key_generate(tp_shared.ctx, set->name);
    EVP_PKEY *half = tp_key_public_half(tp_shared.ctx, set->name, key);
    EVP_PKEY_CTX *whole = EVP_PKEY_CTX_new_from_pkey(tp_shared.ctx, key, NULL);
    EVP_PKEY_CTX *public_only = EVP_PKEY_CTX_new_from_pkey(tp_shared.ctx, half, NULL);

    tp_ok(EVP_PKEY_check(whole));
    tp_ok(EVP_PKEY_public_check(whole));
    tp_ok(EVP_PKEY_public_check_quick(whole));
    tp_ok(EVP_PKEY_private_check(whole));
    tp_ok(EVP_PKEY_pairwise_check(whole));
    tp_ok(EVP_PKEY_public_check(public_only));
    tp_ok(EVP_PKEY_public_check_quick(public_only));
    assert_true(EVP_PKEY_check(public_only) <= 0);
    assert_true(EVP_PKEY_private_check(public_only) <= 0);
    assert_true(EVP_PKEY_pairwise_check(public_only) <= 0);
    ERR_clear_error();
    EVP_PKEY_CTX_free(whole);
    EVP_PKEY_CTX_free(public_only);
    EVP_PKEY_free(key);
    EVP_PKEY_free(half);
    tp_ok(1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TP_EACH_SET(generation),
        TP_EACH_SET(generation_from_seed),
        TP_EACH_SET(generation_seed_refused),
        TP_EACH_SET(numbers),
        TP_EACH_SET(halves),
        TP_EACH_SET(short_buffer),
        TP_EACH_SET(lists),
        TP_EACH_SET(encoded_public_key),
        TP_EACH_SET(duplicates),
        TP_EACH_SET(equality),
        cmocka_unit_test(equality_of_types),
        TP_EACH_SET(checks),
    };

    return cmocka_run_group_tests(tests, tp_shared_open, tp_shared_close);
}
