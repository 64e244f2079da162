/* SPDX-License-Identifier: Apache-2.0 */
/* SM3 through the core's wrapper: the examples of GB/T 32905, boundary lengths, long messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <openssl/evp.h>

#include "common.h"
#include "sm3.h"

enum { SPLIT_EVERYWHERE_UP_TO = 256, MEBIBYTE = 1 << 20 };

struct counts {
    unsigned literal, generated, zeros, splits;
};

/* Hashes len bytes of data in pieces of `piece`, repeats times over. */
static void digest_pieces(uint8_t digest[SM3_BYTES], struct dkex_sm3 *s, const uint8_t *data,
                          size_t len, size_t piece, unsigned repeats)
{
    assert_int_equal(dkex_sm3_init(s), DKEX_OK);
    for (unsigned i = 0; i < repeats; i++) {
        for (size_t at = 0; at < len; at += piece) {
            size_t n = len - at < piece ? len - at : piece;

            assert_int_equal(dkex_sm3_update(s, data + at, n), DKEX_OK);
        }
    }
    assert_int_equal(dkex_sm3_final(s, digest), DKEX_OK);
}

static void digest_split(uint8_t digest[SM3_BYTES], struct dkex_sm3 *s, const uint8_t *data,
                         size_t len, size_t at)
{
    assert_int_equal(dkex_sm3_init(s), DKEX_OK);
    assert_int_equal(dkex_sm3_update(s, data, at), DKEX_OK);
    assert_int_equal(dkex_sm3_update(s, data + at, len - at), DKEX_OK);
    assert_int_equal(dkex_sm3_final(s, digest), DKEX_OK);
}

static void check_message(struct counts *c, struct dkex_sm3 *s, const uint8_t *data, size_t len,
                          const uint8_t expected[SM3_BYTES])
{
    static const size_t pieces[] = {1, 63, 64, 65, 1000};
    uint8_t digest[SM3_BYTES];

    digest_pieces(digest, s, data, len, len + 1, 1);
    assert_memory_equal(digest, expected, SM3_BYTES);
    for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
        digest_pieces(digest, s, data, len, pieces[i], 1);
        assert_memory_equal(digest, expected, SM3_BYTES);
    }
    for (size_t at = 0; at <= len && len <= SPLIT_EVERYWHERE_UP_TO; at++) {
        digest_split(digest, s, data, len, at);
        assert_memory_equal(digest, expected, SM3_BYTES);
        c->splits++;
    }
}

/* A message is hexadecimal, "-", "len:L:(i*7+L)&255" or "zeros:NMiB". */
static void check_line(struct counts *c, struct dkex_sm3 *s, char *line)
{
    const char *message = strtok(line, " "), *hex = strtok(NULL, " \n");
    struct vector_bytes literal = {0}, expected;
    unsigned long len;
    unsigned mebibytes;
    uint8_t *data;

    assert_non_null(message);
    assert_non_null(hex);
    vectors_decode(&expected, hex);
    assert_int_equal(expected.len, SM3_BYTES);

    if (sscanf(message, "zeros:%uMiB", &mebibytes) == 1) {
        uint8_t digest[SM3_BYTES];

        data = test_calloc(MEBIBYTE, 1);
        digest_pieces(digest, s, data, MEBIBYTE, MEBIBYTE, mebibytes);
        assert_memory_equal(digest, expected.data, SM3_BYTES);
        test_free(data);
        c->zeros++;
    } else if (sscanf(message, "len:%lu:", &len) == 1) {
        assert_non_null(strstr(message, ":(i*7+L)&255"));
        data = test_malloc(len);
        for (size_t i = 0; i < len; i++)
            data[i] = (uint8_t)(i * 7 + len);
        check_message(c, s, data, len, expected.data);
        test_free(data);
        c->generated++;
    } else {
        if (strcmp(message, "-") != 0)
            vectors_decode(&literal, message);
        check_message(c, s, literal.data, literal.len, expected.data);
        c->literal++;
    }
}

static void test_file(void **state)
{
    FILE *f = vectors_open(*state, "sm3/sm3_vectors.txt");
    EVP_MD *md = EVP_MD_fetch(NULL, "SM3", NULL);
    struct counts c = {0};
    struct dkex_sm3 s;
    static char line[8192];

    assert_non_null(md);
    assert_int_equal(dkex_sm3_open(&s, md), DKEX_OK);
    while (fgets(line, sizeof(line), f) != NULL) {
        if (line[0] != '#' && line[0] != '\n')
            check_line(&c, &s, line);
    }
    dkex_sm3_close(&s);
    EVP_MD_free(md);
    fclose(f);
    printf("messages: %u literal, %u generated, %u of zeros; %u splits\n", c.literal, c.generated,
           c.zeros, c.splits);
    assert_true(c.literal >= 8);
    assert_true(c.generated >= 18);
    assert_true(c.zeros >= 2);
    assert_true(c.splits >= 1000);
}

int main(int argc, char **argv)
{
    const char *folder = vectors_folder(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_file, (void *)(uintptr_t)folder),
    };

    return folder != NULL ? cmocka_run_group_tests(tests, NULL, NULL) : VECTOR_SKIPPED;
}
