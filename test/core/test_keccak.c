/* SPDX-License-Identifier: Apache-2.0 */
/* Our SHAKE128 and SHAKE256 against libcrypto's, in one piece and in many. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

#include <openssl/evp.h>

#include "hex.h"
#include "mldsa/keccak.h"
#include "rng.h"

enum { MAX_LEN = 3 * SHAKE128_RATE + 1 };

static const unsigned rates[] = {SHAKE128_RATE, SHAKE256_RATE};

/* libcrypto can squeeze once only: all that is wanted. */
static void reference(uint8_t *out, size_t out_len, unsigned rate, const uint8_t *in, size_t len)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();

    assert_non_null(ctx);
    assert_int_equal(
        EVP_DigestInit_ex(ctx, rate == SHAKE128_RATE ? EVP_shake128() : EVP_shake256(), NULL), 1);
    assert_int_equal(EVP_DigestUpdate(ctx, in, len), 1);
    assert_int_equal(EVP_DigestFinalXOF(ctx, out, out_len), 1);
    EVP_MD_CTX_free(ctx);
}

static void shake(uint8_t *out, size_t out_len, unsigned rate, const uint8_t *in, size_t len)
{
    struct keccak k;

    dkex_keccak_init(&k, rate);
    dkex_keccak_absorb(&k, in, len);
    dkex_keccak_finish(&k);
    dkex_keccak_squeeze(&k, out, out_len);
}

/* The first bytes of the empty message's digests, FIPS 202's examples. */
static void test_known(void **state)
{
    static const char *const expected[] = {"7f9c2ba4e88f827d616045507605853e",
                                           "46b9dd2b0ba88d13233b3feb743eeb24"};

    (void)state;
    for (unsigned r = 0; r < 2; r++) {
        uint8_t out[16];
        char hex[33];

        shake(out, sizeof(out), rates[r], NULL, 0);
        test_hex_encode(hex, out, sizeof(out));
        assert_string_equal(hex, expected[r]);
    }
}

static void test_lengths(void **state)
{
    struct test_rng rng = {1};
    uint8_t in[MAX_LEN], out[MAX_LEN], expected[MAX_LEN];

    (void)state;
    test_rng_bytes(&rng, in, sizeof(in));
    for (unsigned r = 0; r < 2; r++) {
        const size_t max = 3 * rates[r] + 1;

        for (size_t len = 0; len <= max; len++) {
            reference(expected, max, rates[r], in, len);
            shake(out, max, rates[r], in, len);
            assert_memory_equal(out, expected, max);
            /* and as many bytes of output */
            memset(out, 0, sizeof(out));
            shake(out, len, rates[r], in, max);
            reference(expected, max, rates[r], in, max);
            assert_memory_equal(out, expected, len);
            assert_int_equal(len < max ? out[len] : 0, 0);
        }
    }
}

/* Two pieces, cut at every place, in and out. */
static void test_two_pieces(void **state)
{
    struct test_rng rng = {2};
    uint8_t in[MAX_LEN], out[MAX_LEN], expected[MAX_LEN];

    (void)state;
    test_rng_bytes(&rng, in, sizeof(in));
    for (unsigned r = 0; r < 2; r++) {
        const size_t len = 2 * rates[r] + 5;

        reference(expected, len, rates[r], in, len);
        for (size_t cut = 0; cut <= len; cut++) {
            struct keccak k;

            dkex_keccak_init(&k, rates[r]);
            dkex_keccak_absorb(&k, in, cut);
            dkex_keccak_absorb(&k, in + cut, len - cut);
            dkex_keccak_finish(&k);
            dkex_keccak_squeeze(&k, out, cut);
            dkex_keccak_squeeze(&k, out + cut, len - cut);
            assert_memory_equal(out, expected, len);
        }
    }
}

/* Pieces of random lengths, empty ones among them. */
static void test_many_pieces(void **state)
{
    struct test_rng rng = {3};
    uint8_t in[MAX_LEN], out[MAX_LEN], expected[MAX_LEN];

    (void)state;
    for (unsigned round = 0; round < 2000; round++) {
        const unsigned rate = rates[round % 2], longest = 1 + test_rng_below(&rng, 200);
        struct keccak k;

        test_rng_bytes(&rng, in, sizeof(in));
        reference(expected, MAX_LEN, rate, in, MAX_LEN);
        dkex_keccak_init(&k, rate);
        for (size_t at = 0, n; at < MAX_LEN; at += n) {
            n = test_rng_below(&rng, longest + 1);
            n = n < MAX_LEN - at ? n : MAX_LEN - at;
            dkex_keccak_absorb(&k, in + at, n);
        }
        dkex_keccak_finish(&k);
        for (size_t at = 0, n; at < MAX_LEN; at += n) {
            n = test_rng_below(&rng, longest + 1);
            n = n < MAX_LEN - at ? n : MAX_LEN - at;
            dkex_keccak_squeeze(&k, out + at, n);
        }
        assert_memory_equal(out, expected, MAX_LEN);
    }
}

static void test_wipe(void **state)
{
    static const struct keccak zero;
    struct keccak k;

    (void)state;
    dkex_keccak_init(&k, SHAKE256_RATE);
    dkex_keccak_absorb(&k, (const uint8_t *)"secret", 6);
    dkex_keccak_finish(&k);
    dkex_keccak_wipe(&k);
    assert_memory_equal(&k, &zero, sizeof(k));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),      cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_two_pieces), cmocka_unit_test(test_many_pieces),
        cmocka_unit_test(test_wipe),
    };

    print_message("SplitMix64 seeds 1 to 3\n");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
