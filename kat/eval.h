/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of dkex-eval: a verb and its words in, a line out. */
#ifndef KAT_EVAL_H
#define KAT_EVAL_H

#include <stdio.h>

#include <openssl/evp.h>

#include "suite.h"

enum { EVAL_MAX_ARGS = 6 };

/* A decoded word. */
struct bytes {
    uint8_t *p; /* never NULL once decoded */
    size_t len;
    size_t cap; /* allocated at p, all of it cleansed */
};

/* One request: its words after the verb, and what they were decoded to. */
struct request {
    const char *cpu;
    const EVP_MD *sm3;
    FILE *out; /* the answer so far, dropped on error */
    char **words;
    size_t count;
    struct bytes args[EVAL_MAX_ARGS]; /* bytes of words[i], freed and cleansed after the answer */
};

struct verb {
    const char *name;
    const char *help; /* arguments and results */
    size_t min_args, max_args;
    /* NULL, or the reason of the error in static storage. */
    const char *(*serve)(struct request *r);
};

/* Every verb; ends with a row whose name is NULL. */
extern const struct verb eval_primitive_verbs[], eval_exchange_verbs[];

/* Decodes word i as hexadecimal, "-" as the empty string. NULL or the reason. */
const char *eval_decode(struct request *r, size_t i);

/* The same, and exactly len bytes of it. */
const char *eval_decode_exact(struct request *r, size_t i, size_t len);

/* Binds the set that word i names. NULL or the reason. */
const char *eval_suite(struct dkex_suite *suite, const struct request *r, size_t i);

/* Appends a result to the answer: lower-case hexadecimal, "-" if empty. */
void eval_put(struct request *r, const uint8_t *data, size_t len);
void eval_put_word(struct request *r, const char *word);

#endif
