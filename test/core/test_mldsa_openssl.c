/* SPDX-License-Identifier: Apache-2.0 */
/* Against OpenSSL's own ML-DSA, where libcrypto has it (3.5): keys, and signatures both ways. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include "../rng.h"
#include "fixture.h"
#include "mldsa/mldsa.h"

enum { ROUNDS = 20, MAX_PK = 2592, MAX_SK = 4896 };

static const struct mldsa_params *const sets[] = {&dkex_mldsa44, &dkex_mldsa87};
static struct test_rng rng = {13};

static EVP_PKEY *openssl_key(const struct mldsa_params *p, uint8_t *seed)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, p->name, NULL);
    OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string("seed", seed, MLDSA_SEED_BYTES),
                           OSSL_PARAM_construct_end()};
    EVP_PKEY *key = NULL;

    assert_non_null(ctx);
    assert_true(EVP_PKEY_keygen_init(ctx) > 0);
    assert_true(EVP_PKEY_CTX_set_params(ctx, params) > 0);
    assert_true(EVP_PKEY_generate(ctx, &key) > 0);
    EVP_PKEY_CTX_free(ctx);
    return key;
}

static void openssl_sign(uint8_t *sig, size_t sig_len, EVP_PKEY *key, const uint8_t *msg,
                         size_t len, int deterministic)
{
    OSSL_PARAM params[] = {OSSL_PARAM_construct_int("deterministic", &deterministic),
                           OSSL_PARAM_construct_end()};
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    size_t written = sig_len;

    assert_true(EVP_DigestSignInit_ex(ctx, NULL, NULL, NULL, NULL, key, params) > 0);
    assert_true(EVP_DigestSign(ctx, sig, &written, msg, len) > 0);
    assert_int_equal(written, sig_len);
    EVP_MD_CTX_free(ctx);
}

static int openssl_verifies(EVP_PKEY *key, const uint8_t *sig, size_t sig_len, const uint8_t *msg,
                            size_t len)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    int ok;

    assert_true(EVP_DigestVerifyInit_ex(ctx, NULL, NULL, NULL, NULL, key, NULL) > 0);
    ok = EVP_DigestVerify(ctx, sig, sig_len, msg, len) == 1;
    EVP_MD_CTX_free(ctx);
    ERR_clear_error();
    return ok;
}

static void assert_octets(EVP_PKEY *key, const char *name, const uint8_t *expected, size_t len)
{
    uint8_t data[MAX_SK];
    size_t got = 0;

    assert_true(EVP_PKEY_get_octet_string_param(key, name, data, sizeof(data), &got));
    assert_int_equal(got, len);
    assert_memory_equal(data, expected, len);
}

static void test_both_ways(void **state)
{
    static const uint8_t zero[MLDSA_RND_BYTES];
    uint8_t seed[MLDSA_SEED_BYTES], rnd[MLDSA_RND_BYTES], msg[100], pk[MAX_PK], sk[MAX_SK];
    uint8_t mu[MLDSA_MU_BYTES], tr[MLDSA_TR_BYTES];
    uint8_t ours[MLDSA_MAX_SIG_BYTES], theirs[MLDSA_MAX_SIG_BYTES];

    (void)state;
    for (unsigned round = 0; round < 2 * ROUNDS; round++) {
        const struct mldsa_params *p = sets[round % 2];
        const struct mldsa_kernels *f = fixture_suite(0).mldsa;
        const size_t len = test_rng_below(&rng, sizeof(msg) + 1);
        EVP_PKEY *key;

        test_rng_bytes(&rng, seed, sizeof(seed));
        test_rng_bytes(&rng, rnd, sizeof(rnd));
        test_rng_bytes(&rng, msg, sizeof(msg));
        key = openssl_key(p, seed);
        dkex_mldsa_keygen(p, f, pk, sk, seed);
        assert_octets(key, "pub", pk, p->pk_len);
        assert_octets(key, "priv", sk, p->sk_len);

        dkex_mldsa_tr(p, tr, pk);
        dkex_mldsa_mu(mu, tr, NULL, 0, msg, len);
        assert_int_equal(dkex_mldsa_sign(p, f, ours, sk, mu, zero), DKEX_OK);
        openssl_sign(theirs, p->sig_len, key, msg, len, 1);
        assert_memory_equal(ours, theirs, p->sig_len);

        assert_int_equal(dkex_mldsa_sign(p, f, ours, sk, mu, rnd), DKEX_OK);
        openssl_sign(theirs, p->sig_len, key, msg, len, 0);
        assert_memory_not_equal(ours, theirs, p->sig_len);
        assert_true(openssl_verifies(key, ours, p->sig_len, msg, len));
        assert_int_equal(dkex_mldsa_verify(p, f, pk, mu, theirs), DKEX_OK);
        ours[round] ^= 1;
        theirs[round] ^= 1;
        assert_false(openssl_verifies(key, ours, p->sig_len, msg, len));
        assert_int_equal(dkex_mldsa_verify(p, f, pk, mu, theirs), DKEX_ERR_SIGNATURE);
        EVP_PKEY_free(key);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_both_ways)};
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, dkex_mldsa44.name, NULL);

    fixture_arguments(argc, argv);
    if (ctx == NULL) {
        puts("skipped: this libcrypto has no ML-DSA, which OpenSSL 3.5 has");
        return 77;
    }
    EVP_PKEY_CTX_free(ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
