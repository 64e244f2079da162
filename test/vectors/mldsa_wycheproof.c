/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wycheproof's files. The core takes keys and signatures of exact length and contexts of up to 255
 * bytes, so cases about other lengths end in its callers' checks, and here.
 */
#include "mldsa_vectors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "common.h"

struct file {
    const struct mldsa_params *p;
    const struct mldsa_kernels *f;
    const json_t *group;
};

struct verify_counts {
    unsigned accepted, refused, key_length, signature_length, context_length;
};

struct sign_counts {
    unsigned message, context, mu_alone, hedged, refused_key, key_length, context_length;
};

static int expects_valid(const json_t *test)
{
    const char *result = vectors_string(test, "result");

    assert_true(strcmp(result, "valid") == 0 || strcmp(result, "invalid") == 0);
    return strcmp(result, "valid") == 0;
}

static void print_case(const json_t *test)
{
    print_error("tcId %lld: %s\n", (long long)json_integer_value(json_object_get(test, "tcId")),
                vectors_string(test, "comment"));
}

static void verify_case(struct verify_counts *c, const struct file *file, const json_t *test)
{
    struct vector_bytes pk, msg, ctx, sig;
    uint8_t tr[MLDSA_TR_BYTES], mu[MLDSA_MU_BYTES];
    enum dkex_status status;
    unsigned *too_long_or_short = NULL;

    vectors_bytes(&pk, file->group, "publicKey");
    vectors_bytes(&msg, test, "msg");
    vectors_bytes(&sig, test, "sig");
    vectors_optional_bytes(&ctx, test, "ctx");

    if (pk.len != file->p->pk_len)
        too_long_or_short = &c->key_length;
    else if (sig.len != file->p->sig_len)
        too_long_or_short = &c->signature_length;
    else if (ctx.len > MLDSA_MAX_CONTEXT_BYTES)
        too_long_or_short = &c->context_length;
    if (too_long_or_short != NULL) {
        assert_false(expects_valid(test));
        ++*too_long_or_short;
        return;
    }

    dkex_mldsa_tr(file->p, tr, pk.data);
    dkex_mldsa_mu(mu, tr, ctx.data, ctx.len, msg.data, msg.len);
    status = dkex_mldsa_verify(file->p, file->f, pk.data, mu, sig.data);
    if (status != (expects_valid(test) ? DKEX_OK : DKEX_ERR_SIGNATURE))
        print_case(test);
    assert_int_equal(status, expects_valid(test) ? DKEX_OK : DKEX_ERR_SIGNATURE);
    ++*(status == DKEX_OK ? &c->accepted : &c->refused);
}

static void check_refused_key(const struct file *file, const uint8_t *sk)
{
    static const uint8_t zero[DKEX_MAX_PUB_BYTES];
    uint8_t pk[DKEX_MAX_PUB_BYTES];

    memset(pk, 0xa5, sizeof(pk));
    assert_int_equal(dkex_mldsa_check_private(file->p, file->f, pk, sk), DKEX_ERR_KEY);
    assert_memory_equal(pk, zero, file->p->pk_len);
}

/* mu of a case: as given, and as computed where message and context are given. */
static void mu_of_case(uint8_t mu[MLDSA_MU_BYTES], struct sign_counts *c, const struct file *file,
                       const json_t *test, const uint8_t *pk, const struct vector_bytes *ctx)
{
    struct vector_bytes msg, given;
    uint8_t tr[MLDSA_TR_BYTES];

    vectors_bytes(&given, test, "mu");
    assert_int_equal(given.len, MLDSA_MU_BYTES);
    memcpy(mu, given.data, MLDSA_MU_BYTES);
    if (!vectors_optional_bytes(&msg, test, "msg")) {
        c->mu_alone++;
        return;
    }
    dkex_mldsa_tr(file->p, tr, pk);
    dkex_mldsa_mu(mu, tr, ctx->data, ctx->len, msg.data, msg.len);
    assert_memory_equal(mu, given.data, MLDSA_MU_BYTES);
    ++*(ctx->len > 0 ? &c->context : &c->message);
}

static void sign_case(struct sign_counts *c, const struct file *file, const json_t *test)
{
    struct vector_bytes sk, ctx, rnd;
    uint8_t pk[DKEX_MAX_PUB_BYTES], mu[MLDSA_MU_BYTES], sig[MLDSA_MAX_SIG_BYTES];
    int refuse = !expects_valid(test);

    vectors_bytes(&sk, file->group, "privateKey");
    vectors_optional_bytes(&ctx, test, "ctx");
    if (sk.len != file->p->sk_len) {
        assert_true(refuse);
        c->key_length++;
        return;
    }
    if (vectors_has_word(vectors_array(test, "flags"), "InvalidPrivateKey")) {
        assert_true(refuse);
        check_refused_key(file, sk.data);
        c->refused_key++;
        return;
    }
    assert_int_equal(dkex_mldsa_check_private(file->p, file->f, pk, sk.data), DKEX_OK);
    vectors_assert_bytes(file->group, "publicKey", pk, file->p->pk_len);
    if (ctx.len > MLDSA_MAX_CONTEXT_BYTES) {
        assert_true(refuse);
        c->context_length++;
        return;
    }

    assert_false(refuse);
    mu_of_case(mu, c, file, test, pk, &ctx);
    memset(rnd.data, 0, MLDSA_RND_BYTES);
    if (vectors_optional_bytes(&rnd, test, "rnd")) {
        assert_int_equal(rnd.len, MLDSA_RND_BYTES);
        c->hedged++;
    }
    assert_int_equal(dkex_mldsa_sign(file->p, file->f, sig, sk.data, mu, rnd.data), DKEX_OK);
    vectors_assert_bytes(test, "sig", sig, file->p->sig_len);
    assert_int_equal(dkex_mldsa_verify(file->p, file->f, pk, mu, sig), DKEX_OK);
}

static void verify_file(struct verify_counts *c, struct file *file, const json_t *root)
{
    json_t *groups = vectors_array(root, "testGroups");

    for (size_t i = 0; i < json_array_size(groups); i++) {
        json_t *tests;

        file->group = json_array_get(groups, i);
        tests = vectors_array(file->group, "tests");
        for (size_t j = 0; j < json_array_size(tests); j++)
            verify_case(c, file, json_array_get(tests, j));
    }
    printf("%s verify: %u accepted, %u refused; wrong length of key %u, signature %u, context %u\n",
           file->p->name, c->accepted, c->refused, c->key_length, c->signature_length,
           c->context_length);
}

static void sign_file(struct sign_counts *c, struct file *file, const json_t *root)
{
    json_t *groups = vectors_array(root, "testGroups");

    for (size_t i = 0; i < json_array_size(groups); i++) {
        json_t *tests;

        file->group = json_array_get(groups, i);
        tests = vectors_array(file->group, "tests");
        for (size_t j = 0; j < json_array_size(tests); j++)
            sign_case(c, file, json_array_get(tests, j));
    }
    printf("%s sign: %u messages, %u with context, %u mu alone (%u hedged), %u keys refused; "
           "wrong length of key %u, context %u\n",
           file->p->name, c->message, c->context, c->mu_alone, c->hedged, c->refused_key,
           c->key_length, c->context_length);
}

static void run_verify(void **state, const char *name, const struct mldsa_params *p,
                       unsigned accepted, unsigned refused)
{
    struct file file = {.p = p};
    json_t *root = vectors_load(*state, name);

    for (size_t i = 0; (file.f = mldsa_backend(i)) != NULL; i++) {
        struct verify_counts c = {0};

        verify_file(&c, &file, root);
        assert_true(c.accepted >= accepted);
        assert_true(c.refused >= refused);
        assert_true(c.key_length >= 4);
        assert_true(c.signature_length >= 3);
        assert_true(c.context_length >= 5);
    }
    json_decref(root);
}

static void run_sign(void **state, const char *name, const struct mldsa_params *p,
                     unsigned messages, unsigned mu_alone)
{
    struct file file = {.p = p};
    json_t *root = vectors_load(*state, name);

    for (size_t i = 0; (file.f = mldsa_backend(i)) != NULL; i++) {
        struct sign_counts c = {0};

        sign_file(&c, &file, root);
        assert_true(c.message >= messages);
        assert_true(c.context >= 2);
        assert_true(c.mu_alone >= mu_alone);
        assert_true(c.hedged >= 1);
        assert_true(c.refused_key >= 2);
        assert_true(c.key_length >= 2);
        assert_true(c.context_length >= 1);
    }
    json_decref(root);
}

void test_wycheproof_verify_44(void **state)
{
    run_verify(state, "mldsa/mldsa_44_verify_test.json", &dkex_mldsa44, 77, 91);
}

void test_wycheproof_verify_87(void **state)
{
    run_verify(state, "mldsa/mldsa_87_verify_test.json", &dkex_mldsa87, 71, 158);
}

void test_wycheproof_sign_44(void **state)
{
    run_sign(state, "mldsa/mldsa_44_sign_noseed_test.json", &dkex_mldsa44, 59, 7);
}

void test_wycheproof_sign_87(void **state)
{
    run_sign(state, "mldsa/mldsa_87_sign_noseed_test.json", &dkex_mldsa87, 52, 10);
}
