/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the vector files. What fails here fails the running cmocka test. */
#ifndef VECTORS_COMMON_H
#define VECTORS_COMMON_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

enum { VECTOR_SKIPPED = 77 };

/* Room for the longest field of any file: m2 of DKEX-512. */
struct vector_bytes {
    size_t len;
    uint8_t data[8192];
};

/* The folder that the command line names, or NULL after printing why there is none to read. */
const char *vectors_folder(int argc, char **argv);

/* Opens or parses folder/file. */
FILE *vectors_open(const char *folder, const char *file);
json_t *vectors_load(const char *folder, const char *file);

/* An array, a string: members that must be there. */
json_t *vectors_array(const json_t *object, const char *key);
const char *vectors_string(const json_t *object, const char *key);

/* Whether an array of strings holds word. */
int vectors_has_word(const json_t *array, const char *word);

void vectors_decode(struct vector_bytes *out, const char *hex);

/* A hexadecimal member, and one that may be absent: 0 then, with out empty. */
void vectors_bytes(struct vector_bytes *out, const json_t *object, const char *key);
int vectors_optional_bytes(struct vector_bytes *out, const json_t *object, const char *key);

/* The bytes are those of a hexadecimal member; SHA-256 of the bytes is a member. */
void vectors_assert_bytes(const json_t *object, const char *key, const uint8_t *data, size_t len);
void vectors_assert_sha256(const json_t *object, const char *key, const uint8_t *data, size_t len);

#endif
