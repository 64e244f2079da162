/* SPDX-License-Identifier: Apache-2.0 */
/* libcrypto's SM3 through sm3.h, and its expansion, against one-shot digests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../hex.h"
#include "../rng.h"
#include "fixture.h"
#include "sm3.h"
#include "sm3x.h"

/* One-shot digests of msg || counter, counter = first, first + 1, ... */
static void exact_counter(uint8_t *out, const uint8_t *msg, size_t msg_len, uint32_t first,
                          size_t blocks)
{
    uint8_t input[512];

    memcpy(input, msg, msg_len);
    for (size_t block = 0; block < blocks; block++) {
        for (unsigned i = 0; i < 4; i++)
            input[msg_len + i] = (uint8_t)((first + (uint32_t)block) >> (24 - 8 * i));
        assert_true(
            EVP_Digest(input, msg_len + 4, out + block * SM3_BYTES, NULL, fixture_sm3(), NULL));
    }
}

/* XOF of the algorithm: counters from 1, cut. */
static void exact_xof(uint8_t *out, size_t out_len, const uint8_t *msg, size_t msg_len)
{
    uint8_t last[SM3_BYTES];
    const size_t whole = out_len / SM3_BYTES;

    exact_counter(out, msg, msg_len, 1, whole);
    exact_counter(last, msg, msg_len, (uint32_t)whole + 1, 1);
    memcpy(out + whole * SM3_BYTES, last, out_len % SM3_BYTES);
}

/* GB/T 32905-2016, A.1 and A.2. */
static void test_examples(void **state)
{
    static const char *const expected[] = {
        "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0",
        "debe9ff92275b8a138604889c18e5a4d6fdb70e5387e5765293dcba39c0c5732",
    };
    uint8_t digest[SM3_BYTES];
    char hex[2 * SM3_BYTES + 1];
    struct dkex_sm3 s;

    (void)state;
    assert_int_equal(dkex_sm3_open(&s, fixture_sm3()), DKEX_OK);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(dkex_sm3_init(&s), DKEX_OK);
        assert_int_equal(dkex_sm3_update(&s, "abc", i == 0 ? 3 : 0), DKEX_OK);
        for (size_t j = 0; j < 16 * i; j++)
            assert_int_equal(dkex_sm3_update(&s, "abcd", 4), DKEX_OK);
        assert_int_equal(dkex_sm3_final(&s, digest), DKEX_OK);
        test_hex_encode(hex, digest, sizeof(digest));
        assert_string_equal(hex, expected[i]);
    }
    dkex_sm3_close(&s);
    dkex_sm3_close(&s); /* a closed one is let be */
}

static void test_xof(void **state)
{
    struct test_rng rng = {4};
    uint8_t msg[130], out[200], expected[200];
    struct dkex_sm3 s;

    (void)state;
    test_rng_bytes(&rng, msg, sizeof(msg));
    assert_int_equal(dkex_sm3_open(&s, fixture_sm3()), DKEX_OK);
    for (size_t len = 0; len <= sizeof(msg); len++) {
        for (size_t out_len = 0; out_len <= sizeof(out); out_len += 1 + len % 7) {
            exact_xof(expected, out_len, msg, len);
            assert_int_equal(dkex_sm3_xof(&s, out, out_len, msg, len), DKEX_OK);
            assert_memory_equal(out, expected, out_len);
        }
    }
    dkex_sm3_close(&s);
}

/* H of both lengths over one prefix, and a wiped state that is used again. */
static void test_hash(void **state)
{
    struct test_rng rng = {5};
    uint8_t msg[200], out[64], expected[64];
    struct dkex_sm3 s;

    (void)state;
    test_rng_bytes(&rng, msg, sizeof(msg));
    assert_int_equal(dkex_sm3_open(&s, fixture_sm3()), DKEX_OK);
    for (size_t len = 0; len <= sizeof(msg); len++) {
        assert_int_equal(dkex_sm3_init(&s), DKEX_OK);
        assert_int_equal(dkex_sm3_update(&s, msg, len / 3), DKEX_OK);
        assert_int_equal(dkex_sm3_update(&s, msg + len / 3, len - len / 3), DKEX_OK);
        assert_int_equal(dkex_sm3_hash(&s, out, 64), DKEX_OK);
        exact_xof(expected, 64, msg, len);
        assert_memory_equal(out, expected, 64);
        dkex_sm3_wipe(&s);

        assert_int_equal(dkex_sm3_init(&s), DKEX_OK);
        assert_int_equal(dkex_sm3_update(&s, msg, len), DKEX_OK);
        assert_int_equal(dkex_sm3_hash(&s, out, 32), DKEX_OK);
        assert_true(EVP_Digest(msg, len, expected, NULL, fixture_sm3(), NULL));
        assert_memory_equal(out, expected, 32);
    }
    dkex_sm3_close(&s);
}

/* Counters over a prefix, which stays. */
static void test_counter(void **state)
{
    enum { BLOCKS = 3 };
    static const uint8_t suffix[SM3_MAX_SUFFIX_BYTES] = {0x5a, 0xc3};
    const uint32_t firsts[] = {1, 2, 255, 256, 65535, 0x00ffffff, 0xfffffffc};
    struct test_rng rng = {7};
    uint8_t msg[200], out[BLOCKS * SM3_BYTES], expected[BLOCKS * SM3_BYTES];
    struct dkex_sm3 s;

    (void)state;
    test_rng_bytes(&rng, msg, sizeof(msg));
    assert_int_equal(dkex_sm3_open(&s, fixture_sm3()), DKEX_OK);
    for (size_t len = 0; len + sizeof(suffix) <= sizeof(msg); len++) {
        const size_t suffix_len = len % (sizeof(suffix) + 1);
        uint8_t whole[sizeof(msg)];

        memcpy(whole, msg, len);
        memcpy(whole + len, suffix, suffix_len);
        assert_int_equal(dkex_sm3_init(&s), DKEX_OK);
        assert_int_equal(dkex_sm3_update(&s, msg, len), DKEX_OK);
        for (size_t i = 0; i < sizeof(firsts) / sizeof(firsts[0]); i++) {
            exact_counter(expected, whole, len + suffix_len, firsts[i], BLOCKS);
            assert_int_equal(dkex_sm3_counter(&s, out, suffix, suffix_len, firsts[i], BLOCKS),
                             DKEX_OK);
            assert_memory_equal(out, expected, sizeof(out));
        }
        assert_int_equal(dkex_sm3_final(&s, out), DKEX_OK); /* the prefix is still there */
        assert_true(EVP_Digest(msg, len, expected, NULL, fixture_sm3(), NULL));
        assert_memory_equal(out, expected, SM3_BYTES);
    }
    dkex_sm3_close(&s);
}

static void test_expand(void **state)
{
    enum { COUNT = 5, BLOCKS = 7, FIRST = 3 };
    static const uint8_t suffixes[COUNT][2] = {{0, 0}, {1, 0}, {0, 1}, {255, 3}, {7, 255}};
    struct test_rng rng = {6};
    uint8_t seed[64], msg[66], out[COUNT * BLOCKS * SM3_BYTES];
    uint8_t expected[(BLOCKS + FIRST) * SM3_BYTES];
    struct dkex_sm3 s;

    (void)state;
    test_rng_bytes(&rng, seed, sizeof(seed));
    assert_int_equal(dkex_sm3_open(&s, fixture_sm3()), DKEX_OK);
    for (size_t cpu = 0; dkex_suite_cpu(cpu) != NULL; cpu++) {
        struct dkex_suite suite;

        assert_int_equal(dkex_suite_bind(&suite, &dkex_params[0], dkex_suite_cpu(cpu)), DKEX_OK);
        for (size_t seed_len = 32; seed_len <= 64; seed_len += 32) {
            for (size_t suffix_len = 1; suffix_len <= 2; suffix_len++) {
                assert_int_equal(suite.sm3x->expand(&s, out, seed, seed_len, suffixes[0],
                                                    suffix_len, COUNT, FIRST, BLOCKS),
                                 DKEX_OK);
                memcpy(msg, seed, seed_len);
                for (size_t j = 0; j < COUNT; j++) {
                    memcpy(msg + seed_len, &suffixes[0][0] + j * suffix_len, suffix_len);
                    exact_xof(expected, sizeof(expected), msg, seed_len + suffix_len);
                    assert_memory_equal(out + j * BLOCKS * SM3_BYTES,
                                        expected + (FIRST - 1) * SM3_BYTES, BLOCKS * SM3_BYTES);
                }
            }
        }
    }
    dkex_sm3_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples), cmocka_unit_test(test_xof),    cmocka_unit_test(test_hash),
        cmocka_unit_test(test_counter),  cmocka_unit_test(test_expand),
    };

    return cmocka_run_group_tests(tests, NULL, fixture_teardown);
}
