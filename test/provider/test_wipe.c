/* SPDX-License-Identifier: Apache-2.0 */
/*
 * No secret outlives its use on the heap. libcrypto allocates through functions of this program,
 * the provider through libcrypto, so that all live blocks can be searched, and every block when it
 * is freed. The sessions are those of test_entropy.c, whose secrets are known.
 */
#include <stdlib.h>
#include <string.h>
#include <openssl/crypto.h>
#include "codec.h"
#include "hex.h"

enum { NEEDLE = 16, NEEDLES = 16 }; /* first bytes of a secret, to be searched for */

struct block {
    struct block *previous, *next;
    size_t size, unused; /* the caller's bytes come after this, aligned like malloc's */
};

static struct block live = {&live, &live, 0, 0};
static uint8_t needles[NEEDLES][NEEDLE];
static const char *names[NEEDLES];
static size_t count;
static const char *freed_with; /* the first secret in a block that was freed, if any */

static int holds(const struct block *b, const uint8_t *needle)
{
    const uint8_t *bytes = (const uint8_t *)(b + 1);

    for (size_t i = 0; i + NEEDLE <= b->size; i++) {
        if (bytes[i] == needle[0] && memcmp(bytes + i, needle, NEEDLE) == 0)
            return 1;
    }
    return 0;
}

static void *allocate(size_t size, const char *file, int line)
{
    struct block *b = size != 0 ? malloc(sizeof(*b) + size) : NULL;

    (void)file;
    (void)line;
    if (b == NULL)
        return NULL;
    memset(b + 1, 0, size); /* malloc's leavings are not this block's */
    b->size = size;
    b->next = live.next;
    b->previous = &live;
    b->next->previous = b;
    live.next = b;
    return b + 1;
}

static void release(void *p, const char *file, int line)
{
    struct block *b;

    (void)file;
    (void)line;
    if (p == NULL)
        return;
    b = (struct block *)p - 1;
    for (size_t i = 0; i < count && freed_with == NULL; i++) {
        if (holds(b, needles[i]))
            freed_with = names[i];
    }
    b->previous->next = b->next;
    b->next->previous = b->previous;
    free(b);
}

static void *reallocate(void *p, size_t size, const char *file, int line)
{
    void *fresh = NULL;

    if (size != 0) {
        if ((fresh = allocate(size, file, line)) == NULL)
            return NULL;
        if (p != NULL) {
            size_t old = ((struct block *)p - 1)->size;

            memcpy(fresh, p, old < size ? old : size);
        }
    }
    release(p, file, line);
    return fresh;
}

static void watch(const char *name, const uint8_t *secret)
{
    assert_true(count < NEEDLES);
    names[count] = name;
    memcpy(needles[count++], secret, NEEDLE);
}

static void watch_hex(const char *name, const char *hex)
{
    uint8_t secret[NEEDLE];
    size_t len;

    assert_true(test_hex_decode(secret, sizeof(secret), &len, hex) && len == NEEDLE);
    watch(name, secret);
}

/* What SM3 put out, also as the words of its state, which most machines keep the other way round.
 */
static void watch_digest(const char *name, const uint8_t *digest)
{
    uint8_t words[NEEDLE];

    for (size_t i = 0; i < NEEDLE; i++)
        words[i] = digest[i ^ 3];
    watch(name, digest);
    watch(name, words);
}

/* Whether the secret of that name is in a live block. */
static int alive(const char *name)
{
    int found = 0;

    for (size_t i = 0; i < count; i++) {
        for (const struct block *b = live.next; strcmp(names[i], name) == 0 && b != &live;
             b = b->next)
            found |= holds(b, needles[i]);
    }
    return found;
}

static void gone(const char *name)
{
    if (alive(name))
        fail_msg("%s is still in memory", name);
    if (freed_with != NULL)
        fail_msg("%s was in a block that was freed", freed_with);
}

/* The first bytes of both secrets that a session makes, by an independent implementation. */
static const struct {
    const char *ephemeral, *raw;
} made[TP_SETS] = {
    {"937c36325428a088222a25bad9308100", "1063989e6c04b8a12b3d85d96b30bf18"},
    {"494aac9120b054f8120b60c999092f18", "b96f669c945b9e0f1674d29986ce7e9f"},
    {"59442fa4c5d979a340ba87f0d2b4367c", "d894b8cfc5ac65227ba4c81372eec60d"},
};

static struct tp_lib lib;
static uint8_t coins1[64], coins2[128];

static void rule(uint8_t *out, size_t len, unsigned factor, unsigned first)
{
    for (size_t i = 0; i < len; i++)
        out[i] = (uint8_t)(factor * i + first);
}

/* The initiator's sigma: the second half of SM3(coins || 1) || SM3(coins || 2) || ... */
static void watch_sigma(const struct tp_set *set)
{
    uint8_t input[64 + 4] = {0}, digest[32];
    const size_t s = set->coins1_len;

    memcpy(input, coins1, s);
    input[s + 3] = (uint8_t)(s / 32 + 1);
    tp_ok(EVP_Q_digest(lib.ctx, "SM3", NULL, input, s + 4, digest, NULL));
    watch_digest("sigma", digest);
}

static EVP_PKEY *key_of(const struct tp_set *set, unsigned factor, unsigned first)
{
    uint8_t seed[TP_SEED];

    rule(seed, sizeof(seed), factor, first);
    return tp_key_from_seed(lib.ctx, set->name, seed, sizeof(seed));
}

static void open_pair(struct tp_pair *p, const struct tp_set *set)
{
    const size_t i = (size_t)(set - tp_sets);
    uint8_t priv[TP_MAX_KEY], seed[TP_SEED];

    memset(p, 0, sizeof(*p));
    count = 0;
    freed_with = NULL;
    tp_ok(tp_lib_configure(&lib, TP_ACTIVATE "test-entropy = yes"));
    p->set = set;
    rule(coins1, set->coins1_len, 5, 2);
    rule(coins2, set->coins2_len, 7, 3);
    watch_sigma(set);
    rule(seed, sizeof(seed), 3, 1); /* B's: A's begins like a table of 0, 1, 2, ... */
    watch("seed", seed);
    watch("coins of A", coins1);
    watch("sigma of B", coins2);
    watch("dither of B", coins2 + set->coins1_len);
    watch_hex("ephemeral", made[i].ephemeral);
    watch_hex("raw", made[i].raw);
    tp_ok((p->alice = key_of(set, 1, 0)) != NULL);
    tp_ok((p->bob = key_of(set, 3, 1)) != NULL);
    tp_ok(EVP_PKEY_get_octet_string_param(p->alice, "priv", priv, sizeof(priv), NULL));
    watch("K", priv + 32);
    watch("s1", priv + 128);
    tp_ok((p->a = tp_side(lib.ctx, p->alice, NULL, p->bob)) != NULL);
    tp_ok((p->b = tp_side(lib.ctx, p->bob, "responder", p->alice)) != NULL);
    tp_ok(tp_set_octets(p->a, "test-entropy", coins1, set->coins1_len));
    tp_ok(tp_set_octets(p->b, "test-entropy", coins2, set->coins2_len));
    assert_true(alive("coins of A") && alive("sigma of B") && alive("dither of B"));
    tp_ok(tp_set_text(p->a, "role", "initiator"));
    tp_ok(tp_fetch(p->a, &p->m1));
    assert_true(alive("ephemeral")); /* the search finds what is there */
    gone("coins of A");
    gone("sigma");
}

static void close_pair(struct tp_pair *p)
{
    EVP_PKEY_CTX_free(p->a);
    EVP_PKEY_CTX_free(p->b);
    p->a = p->b = NULL;
    gone("ephemeral");
    gone("raw");
    assert_true(alive("seed") && alive("K") && alive("s1"));
    tp_pair_close(p);
    gone("seed");
    gone("K");
    gone("s1");
    tp_lib_close(&lib);
    gone("raw");
}

static void whole_session(void **state)
{
    struct tp_pair p;

    open_pair(&p, *state);
    tp_pair_advance(&p, TP_ANSWERED);
    assert_true(alive("raw"));
    gone("sigma of B");
    gone("dither of B");
    tp_pair_advance(&p, TP_INITIATOR_DONE);
    gone("ephemeral");
    tp_pair_advance(&p, TP_BOTH_DONE);
    watch_digest("secret", p.secret);
    watch_digest("secret", p.secret + p.set->secret_len - 32); /* 64 bytes are two digests */
    gone("secret");
    close_pair(&p);
}

static void failed_initiator(void **state)
{
    struct tp_pair p;

    open_pair(&p, *state);
    tp_pair_advance(&p, TP_ANSWERED);
    p.m2.bytes[0] ^= 1;
    tp_refused(tp_give(p.a, &p.m2), "signature verification failed");
    gone("ephemeral");
    close_pair(&p);
}

static void failed_responder(void **state)
{
    struct tp_pair p;

    open_pair(&p, *state);
    tp_pair_advance(&p, TP_INITIATOR_DONE);
    EVP_PKEY_CTX_free(p.a);
    p.a = NULL;
    assert_true(alive("raw"));
    p.m3.bytes[0] ^= 1;
    tp_refused(tp_give(p.b, &p.m3), "signature verification failed");
    gone("raw");
    close_pair(&p);
}

static void malformed_m1(void **state)
{
    struct tp_pair p;

    open_pair(&p, *state);
    memset(p.m1.bytes, 0xff, 3);
    tp_refused(tp_give(p.b, &p.m1), "malformed message");
    gone("sigma of B");
    gone("dither of B");
    close_pair(&p);
}

static void initialised_again(void **state)
{
    struct tp_pair p;

    open_pair(&p, *state);
    tp_ok(EVP_PKEY_derive_init(p.b));
    gone("sigma of B");
    tp_ok(EVP_PKEY_derive_init(p.a));
    gone("ephemeral");
    close_pair(&p);
}

/* A refused import keeps nothing either. */
static void refused_import(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair p;
    uint8_t priv[TP_MAX_KEY];
    OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string("priv", priv, set->priv_len),
                           OSSL_PARAM_construct_end()};

    open_pair(&p, set);
    tp_ok(EVP_PKEY_get_octet_string_param(p.alice, "priv", priv, sizeof(priv), NULL));
    EVP_PKEY_CTX_free(p.a);
    EVP_PKEY_CTX_free(p.b);
    p.a = p.b = NULL;
    tp_pair_close(&p);
    gone("s1");
    priv[set->priv_len - 1] ^= 1;
    tp_refused(tp_key_import(lib.ctx, set->name, EVP_PKEY_KEYPAIR, params) != NULL, NULL);
    gone("s1");
    gone("K");
    tp_lib_close(&lib);
}

/*
 * Into files of each kind and back, also from a bad one. Reading has dkex alone: the decoders of
 * the default provider, which look at every file first, free what they have read as it is.
 */
static void files(void **state)
{
    static struct octets file;
    struct tp_pair p;
    EVP_PKEY *read;

    open_pair(&p, *state);
    EVP_PKEY_CTX_free(p.a);
    EVP_PKEY_CTX_free(p.b);
    p.a = p.b = NULL;
    tp_ok(codec_encode(&file, p.alice, EVP_PKEY_KEYPAIR, "TEXT", NULL, NULL, NULL));
    tp_ok(codec_encode(&file, p.alice, EVP_PKEY_KEYPAIR, "PEM", NULL, "AES-256-CBC", "pass"));
    tp_ok(codec_encode(&file, p.alice, EVP_PKEY_KEYPAIR, "DER", "PrivateKeyInfo", NULL, NULL));
    tp_pair_close(&p);
    tp_lib_close(&lib);
    gone("K");
    gone("s1");

    tp_ok((lib.ctx = OSSL_LIB_CTX_new()) != NULL);
    tp_ok((lib.dkex = OSSL_PROVIDER_load(lib.ctx, "dkex")) != NULL);
    read = codec_decode(lib.ctx, file.bytes, file.len, EVP_PKEY_KEYPAIR, NULL, NULL);
    tp_ok(read != NULL);
    assert_true(alive("K") && alive("s1"));
    EVP_PKEY_free(read);
    gone("K");
    gone("s1");
    file.bytes[file.len - 1] ^= 1;
    read = codec_decode(lib.ctx, file.bytes, file.len, EVP_PKEY_KEYPAIR, NULL, NULL);
    tp_refused(read != NULL, "seed and key do not match");
    gone("K");
    gone("s1");
    tp_lib_close(&lib);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TP_EACH_SET(whole_session), TP_EACH_SET(failed_initiator),  TP_EACH_SET(failed_responder),
        TP_EACH_SET(malformed_m1),  TP_EACH_SET(initialised_again), TP_EACH_SET(refused_import),
        TP_EACH_SET(files),
    };

    if (!CRYPTO_set_mem_functions(allocate, reallocate, release)) {
        print_message("skipped: libcrypto has allocated before this program could\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
