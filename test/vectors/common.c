/* SPDX-License-Identifier: Apache-2.0 */
#include "common.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <openssl/evp.h>

#include "hex.h"

/* -1 if path is no folder, else whether it holds anything. */
static int holds_files(const char *path)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    int any = 0;

    if (folder == NULL)
        return -1;
    while ((entry = readdir(folder)) != NULL)
        any |= entry->d_name[0] != '.';
    closedir(folder);
    return any;
}

const char *vectors_folder(int argc, char **argv)
{
    int holds;

    if (argc < 2 || argv[1][0] == '\0') {
        printf("skipped: DKEX_VECTORS_DIR names no folder of vectors\n");
        return NULL;
    }
    holds = holds_files(argv[1]);
    if (holds <= 0) {
        printf("skipped: %s is %s\n", argv[1], holds < 0 ? "no folder" : "an empty folder");
        return NULL;
    }
    return argv[1];
}

static void join(char *path, size_t size, const char *folder, const char *file)
{
    int len = snprintf(path, size, "%s/%s", folder, file);

    assert_true(len > 0 && (size_t)len < size);
}

FILE *vectors_open(const char *folder, const char *file)
{
    char path[4096];
    FILE *f;

    join(path, sizeof(path), folder, file);
    f = fopen(path, "r");
    if (f == NULL)
        fail_msg("%s can't be read", path);
    return f;
}

json_t *vectors_load(const char *folder, const char *file)
{
    char path[4096];
    json_error_t error;
    json_t *root;

    join(path, sizeof(path), folder, file);
    root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL)
        fail_msg("%s:%d: %s", path, error.line, error.text);
    return root;
}

json_t *vectors_array(const json_t *object, const char *key)
{
    json_t *array = json_object_get(object, key);

    if (!json_is_array(array))
        fail_msg("no array %s", key);
    return array;
}

const char *vectors_string(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));

    if (value == NULL)
        fail_msg("no string %s", key);
    return value;
}

int vectors_has_word(const json_t *array, const char *word)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        const char *value = json_string_value(json_array_get(array, i));

        if (value != NULL && strcmp(value, word) == 0)
            return 1;
    }
    return 0;
}

void vectors_decode(struct vector_bytes *out, const char *hex)
{
    if (!test_hex_decode(out->data, sizeof(out->data), &out->len, hex))
        fail_msg("not hexadecimal, or too long: %.40s", hex);
}

void vectors_bytes(struct vector_bytes *out, const json_t *object, const char *key)
{
    vectors_decode(out, vectors_string(object, key));
}

int vectors_optional_bytes(struct vector_bytes *out, const json_t *object, const char *key)
{
    out->len = 0;
    if (!json_is_string(json_object_get(object, key)))
        return 0;
    vectors_bytes(out, object, key);
    return 1;
}

void vectors_assert_bytes(const json_t *object, const char *key, const uint8_t *data, size_t len)
{
    struct vector_bytes expected;

    vectors_bytes(&expected, object, key);
    assert_int_equal(len, expected.len);
    assert_memory_equal(data, expected.data, len);
}

void vectors_assert_sha256(const json_t *object, const char *key, const uint8_t *data, size_t len)
{
    uint8_t digest[32];

    assert_int_equal(EVP_Digest(data, len, digest, NULL, EVP_sha256(), NULL), 1);
    vectors_assert_bytes(object, key, digest, sizeof(digest));
}
