/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tests of the provider share: a library context with dkex in it, keys, and sessions
 * between two contexts. libcrypto's public API only.
 *
 * Functions that return void fail the running cmocka test. Those that return an int or a pointer
 * judge nothing, so that threads and forked children may call them too.
 */
#ifndef TEST_EVP_SESSION_H
#define TEST_EVP_SESSION_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>

enum { TP_SETS = 3, TP_MAX_MESSAGE = 7699, TP_MAX_SECRET = 64, TP_MAX_KEY = 4896, TP_SEED = 32 };

/* Sizes in bytes of one parameter set, as published. */
struct tp_set {
    const char *name;
    size_t pub_len, priv_len;
    size_t m1_len, ct_len, sig_len; /* m2 = ct || signature, m3 = signature */
    size_t secret_len;
    size_t coins1_len, coins2_len;
    int security_bits;
};

extern const struct tp_set tp_sets[TP_SETS];

/* Three entries of a CMUnitTest array: f once a set, which is its initial state. */
#define TP_EACH_SET(f)                                                                             \
    {#f " DKEX-128", f, NULL, NULL, (void *)&tp_sets[0]},                                          \
        {#f " DKEX-256", f, NULL, NULL, (void *)&tp_sets[1]},                                      \
    {                                                                                              \
#f " DKEX-512", f, NULL, NULL, (void *)&tp_sets[2]                                         \
    }

/* A library context of its own, its default provider and dkex. */
struct tp_lib {
    OSSL_LIB_CTX *ctx;
    OSSL_PROVIDER *base, *dkex;
};

/* Loads "default", then "dkex" from OPENSSL_MODULES; try returns 1 or 0. */
int tp_lib_try_open(struct tp_lib *lib);
void tp_lib_open(struct tp_lib *lib);

/*
 * By configuration: activates default, and gives dkex a section of those lines. Whether dkex is
 * there afterwards, as it should be if they say TP_ACTIVATE.
 */
#define TP_ACTIVATE "activate = 1\n"
int tp_lib_configure(struct tp_lib *lib, const char *section);

void tp_lib_close(struct tp_lib *lib);

/* The one that a program's tests share, opened and closed by cmocka's group functions. */
extern struct tp_lib tp_shared;
int tp_shared_open(void **state);
int tp_shared_close(void **state);

struct tp_message {
    size_t len;
    uint8_t bytes[TP_MAX_MESSAGE + 1]; /* one to spare for messages that are too long */
};

/* Keys: NULL on failure. */
EVP_PKEY *tp_key_generate(OSSL_LIB_CTX *lib, const char *type);
EVP_PKEY *tp_key_from_seed(OSSL_LIB_CTX *lib, const char *type, const uint8_t *seed, size_t len);
EVP_PKEY *tp_key_import(OSSL_LIB_CTX *lib, const char *type, int selection, OSSL_PARAM *params);
EVP_PKEY *tp_key_public_half(OSSL_LIB_CTX *lib, const char *type, EVP_PKEY *key);

/* Sets one parameter; the octets are a copy on the heap of just that length, gone afterwards. */
int tp_set_octets(EVP_PKEY_CTX *ctx, const char *name, const uint8_t *data, size_t len);
int tp_set_text(EVP_PKEY_CTX *ctx, const char *name, const char *text);
int tp_set_int(EVP_PKEY_CTX *ctx, const char *name, int value);

/* in-message. */
int tp_give(EVP_PKEY_CTX *ctx, const struct tp_message *m);
/* out-message: asks for the size, then fetches into a buffer of that size. */
int tp_fetch(EVP_PKEY_CTX *ctx, struct tp_message *m);
/* derive: asks for the length, then derives into a buffer of that length. */
int tp_derive(EVP_PKEY_CTX *ctx, uint8_t *secret, size_t *len);
/* Whether `state` reads so. */
int tp_state_is(EVP_PKEY_CTX *ctx, const char *state);

/* Context of `own`, initialised; role and peer where not NULL. NULL on failure. */
EVP_PKEY_CTX *tp_side(OSSL_LIB_CTX *lib, EVP_PKEY *own, const char *role, EVP_PKEY *peer);

/* A whole session between opened sides; 1 if both got the same secret (secret_len bytes). */
int tp_agree(const struct tp_set *set, EVP_PKEY_CTX *a, EVP_PKEY_CTX *b, uint8_t *secret);
int tp_session(const struct tp_set *set, OSSL_LIB_CTX *lib, EVP_PKEY *alice, EVP_PKEY *bob,
               uint8_t *secret);

/* A session that stops where a test wants it to. */
enum tp_stage {
    TP_OPENED,   /* roles and peers set: A waits for m2, B for m1 */
    TP_ANSWERED, /* B has taken m1: A waits for m2, B for m3 */
    TP_INITIATOR_DONE,
    TP_BOTH_DONE, /* and the secrets are equal */
};

struct tp_pair {
    const struct tp_set *set;
    EVP_PKEY *alice, *bob, *alice_pub, *bob_pub; /* bob_pub: the public half alone */
    EVP_PKEY_CTX *a, *b;
    enum tp_stage stage;
    struct tp_message m1, m2, m3;
    uint8_t secret[TP_MAX_SECRET];
};

/* The keys; no contexts. */
void tp_pair_keys(struct tp_pair *p, const struct tp_lib *lib, const struct tp_set *set);
/* The keys and both contexts, initialised, with role and peer. */
void tp_pair_open(struct tp_pair *p, const struct tp_lib *lib, const struct tp_set *set);
/* Checks that both contexts are where p->stage says, and their messages as they were; goes on. */
void tp_pair_advance(struct tp_pair *p, enum tp_stage stage);
void tp_pair_close(struct tp_pair *p);

/*
 * Empties the error queue; 1 if it held `reason` just once and no other entry of the same
 * library. "one|other" allows either; NULL any, if a provider raised it. Else prints the queue.
 * libcrypto numbers the libraries of its error codes, a few for every library context, and runs
 * out after about thirty contexts: a process that opens more can't read reasons.
 */
int tp_queue_holds(const char *reason);
/* Empties the error queue; 1 if it was empty, else prints it. */
int tp_queue_empty(void);

/* A call that must succeed, the queue empty; one that must fail with that reason. */
#define tp_ok(call) tp_ok_at((call), #call, __FILE__, __LINE__)
#define tp_refused(call, reason) tp_refused_at((call), (reason), #call, __FILE__, __LINE__)
void tp_ok_at(int result, const char *call, const char *file, int line);
void tp_refused_at(int result, const char *reason, const char *call, const char *file, int line);

#endif
