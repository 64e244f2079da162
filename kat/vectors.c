/* SPDX-License-Identifier: Apache-2.0 */
#include "vectors.h"

#include <stdarg.h>
#include <string.h>

#include <openssl/crypto.h>

#include "drbg.h"

enum { RECORDS = 10, SHA256_BYTES = 32, LINE_CHARS = 256 };

/* Where the text of a vector file goes. */
struct sink {
    const char *set;
    int record;
    FILE *out, *expected;
    EVP_MD_CTX *whole; /* SHA-256 of all text so far */
    size_t total;
    enum kat_result result; /* of the first thing that went wrong */
};

static void fail(struct sink *k, enum kat_result result, const char *format, ...)
{
    va_list args;

    if (k->result != KAT_OK)
        return;
    k->result = result;
    va_start(args, format);
    fprintf(stderr, "%s ", k->set);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

static void put(struct sink *k, const char *text)
{
    size_t len = strlen(text);

    k->total += len;
    if (!EVP_DigestUpdate(k->whole, text, len))
        fail(k, KAT_ERROR, "SHA-256 failed");
    if (k->out != NULL && fputs(text, k->out) == EOF)
        fail(k, KAT_ERROR, "cannot write the vector file");
}

/* The next line of the expected digests that is about this set; 0 at the end of the file. */
static int next_expected(const struct sink *k, char line[LINE_CHARS])
{
    size_t len = strlen(k->set);

    while (fgets(line, LINE_CHARS, k->expected) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        if (strncmp(line, k->set, len) == 0 && line[len] == ' ')
            return 1;
    }
    return 0;
}

/* Compares a digest with the expected line; record is a number or "-". */
static void compare(struct sink *k, const char *record, const char *field, size_t len,
                    const uint8_t digest[SHA256_BYTES])
{
    char line[LINE_CHARS], computed[LINE_CHARS];
    int at;

    if (k->expected == NULL || k->result != KAT_OK)
        return;
    at = snprintf(computed, sizeof(computed), "%s %s %s %zu ", k->set, record, field, len);
    for (size_t i = 0; i < SHA256_BYTES; i++)
        at += snprintf(computed + at, sizeof(computed) - (size_t)at, "%02x", digest[i]);
    if (!next_expected(k, line))
        fail(k, KAT_ERROR, "record %s field %s: no digest to compare with", record, field);
    else if (strcmp(line, computed) != 0)
        fail(k, KAT_DEPARTURE, "record %s field %s departs:\n  expected %s\n  computed %s", record,
             field, line, computed);
}

static void field(struct sink *k, const char *name, const uint8_t *data, size_t len)
{
    uint8_t digest[SHA256_BYTES];
    char text[64];

    snprintf(text, sizeof(text), "%s_Len = %zu\n%s = ", name, len, name);
    put(k, text);
    for (size_t i = 0; i < len; i++) {
        snprintf(text, sizeof(text), "%02X", data[i]);
        put(k, text);
    }
    put(k, "\n");
    snprintf(text, sizeof(text), "%d", k->record);
    if (!EVP_Digest(data, len, digest, NULL, EVP_sha256(), NULL))
        fail(k, KAT_ERROR, "SHA-256 failed");
    compare(k, text, name, len, digest);
}

/* A field of several parts in a row: at most an ephemeral secret, m1 and a public key. */
struct joined {
    uint8_t bytes[DKEX_MAX_EPHEMERAL_BYTES + DKEX_MAX_M1_BYTES + DKEX_MAX_PUB_BYTES];
    size_t len;
};

static void join(struct joined *j, const uint8_t *part, size_t len)
{
    memcpy(j->bytes + j->len, part, len);
    j->len += len;
}

struct session {
    uint8_t pub_a[DKEX_MAX_PUB_BYTES], priv_a[DKEX_MAX_PRIV_BYTES];
    uint8_t pub_b[DKEX_MAX_PUB_BYTES], priv_b[DKEX_MAX_PRIV_BYTES];
    uint8_t coins[DKEX_MAX_COINS_BYTES];
    uint8_t m1[DKEX_MAX_M1_BYTES];
    uint8_t secret_a[DKEX_MAX_SECRET_BYTES], secret_b[DKEX_MAX_SECRET_BYTES];
    struct dkex_handshake a, b;
    struct joined state;
};

static int identity(struct sink *k, const struct dkex_suite *suite, struct drbg *d, const char *x,
                    uint8_t *pub, uint8_t *priv)
{
    const struct dkex_params *p = suite->params;
    uint8_t seed[DKEX_SEED_BYTES];
    char name[16];

    if (!drbg_generate(d, seed, sizeof(seed)))
        return 0;
    dkex_key_generate(suite, pub, priv, seed);
    OPENSSL_cleanse(seed, sizeof(seed));
    snprintf(name, sizeof(name), "PK%s", x);
    field(k, name, pub, p->pub_len);
    snprintf(name, sizeof(name), "SK%s", x);
    field(k, name, priv, p->priv_len);
    snprintf(name, sizeof(name), "Init_St%s", x);
    field(k, name, pub, p->pub_len);
    return 1;
}

/* The state after pass 2 and 3: raw || T. */
static void secret_state(struct sink *k, struct session *s, const char *name,
                         const struct dkex_handshake *hs)
{
    size_t n_len = hs->suite->params->n_len;

    s->state.len = 0;
    join(&s->state, hs->raw, n_len);
    join(&s->state, hs->transcript, n_len);
    field(k, name, s->state.bytes, s->state.len);
}

static enum dkex_status run_passes(struct sink *k, const struct dkex_suite *suite, struct drbg *d,
                                   struct session *s)
{
    static const uint8_t deterministic[DKEX_RND_BYTES];
    const struct dkex_params *p = suite->params;
    const struct dkex_key a = {.pub = s->pub_a, .priv = s->priv_a},
                          b = {.pub = s->pub_b, .priv = s->priv_b};
    enum dkex_status status;

    if (!drbg_generate(d, s->coins, p->seed_len))
        return DKEX_ERR_SM3;
    if ((status = dkex_handshake_start(&s->a, DKEX_ROLE_INITIATOR, s->coins)) != DKEX_OK ||
        (status = dkex_handshake_set_peer(&s->a, &b)) != DKEX_OK)
        return status;
    memcpy(s->m1, s->a.out, p->m1_len);
    s->state.len = 0;
    join(&s->state, s->a.ephemeral, p->ephemeral_len);
    join(&s->state, s->m1, p->m1_len);
    join(&s->state, s->pub_a, p->pub_len);
    field(k, "Pass1_Sta", s->state.bytes, s->state.len);
    field(k, "M1", s->m1, p->m1_len);

    if (!drbg_generate(d, s->coins, p->seed_len + p->n_len))
        return DKEX_ERR_SM3;
    if ((status = dkex_handshake_start(&s->b, DKEX_ROLE_RESPONDER, NULL)) != DKEX_OK ||
        (status = dkex_handshake_set_peer(&s->b, &a)) != DKEX_OK ||
        (status = dkex_handshake_step(&s->b, s->m1, p->m1_len, s->coins, deterministic)) != DKEX_OK)
        return status;
    secret_state(k, s, "Pass2_Stb", &s->b);
    field(k, "M2", s->b.out, p->m2_len);

    if ((status = dkex_handshake_step(&s->a, s->b.out, p->m2_len, NULL, deterministic)) != DKEX_OK)
        return status;
    secret_state(k, s, "Pass3_Sta", &s->a);
    field(k, "M3", s->a.out, p->m3_len);

    if ((status = dkex_handshake_step(&s->b, s->a.out, p->m3_len, NULL, NULL)) != DKEX_OK ||
        (status = dkex_handshake_secret(&s->a, s->secret_a)) != DKEX_OK ||
        (status = dkex_handshake_secret(&s->b, s->secret_b)) != DKEX_OK)
        return status;
    if (memcmp(s->secret_a, s->secret_b, p->n_len) != 0)
        fail(k, KAT_DEPARTURE, "record %d: the two secrets differ", k->record);
    field(k, "SS", s->secret_a, p->n_len);
    return DKEX_OK;
}

static void record(struct sink *k, const struct dkex_suite *suite, const EVP_MD *sm3,
                   const uint8_t seed[DRBG_RECORD_SEED_BYTES], struct session *s)
{
    const struct dkex_key a = {.pub = s->pub_a, .priv = s->priv_a},
                          b = {.pub = s->pub_b, .priv = s->priv_b};
    enum dkex_status status = DKEX_ERR_SM3;
    struct drbg d;
    char text[32];

    snprintf(text, sizeof(text), "Count = %d\n", k->record);
    put(k, text);
    field(k, "Seed", seed, DRBG_RECORD_SEED_BYTES);
    put(k, "Pass_Num = 3\n");
    if (drbg_open(&d, sm3, seed, DRBG_RECORD_SEED_BYTES) &&
        identity(k, suite, &d, "a", s->pub_a, s->priv_a) &&
        identity(k, suite, &d, "b", s->pub_b, s->priv_b) &&
        (status = dkex_handshake_open(&s->a, suite, sm3, &a)) == DKEX_OK &&
        (status = dkex_handshake_open(&s->b, suite, sm3, &b)) == DKEX_OK)
        status = run_passes(k, suite, &d, s);
    if (status != DKEX_OK)
        fail(k, KAT_ERROR, "record %d: %s", k->record, dkex_status_string(status));
    put(k, "\n");
    dkex_handshake_close(&s->a);
    dkex_handshake_close(&s->b);
    drbg_close(&d);
}

enum kat_result kat_vectors(const struct dkex_suite *suite, const EVP_MD *sm3, FILE *out,
                            FILE *expected)
{
    static const char first_seed[] = "seedseedseedseedseedseedseedseed"
                                     "seedseedseedseedseedseedseedseed";
    struct sink k = {.set = suite->params->name, .out = out, .expected = expected};
    struct session *s = OPENSSL_zalloc(sizeof(*s));
    uint8_t seed[DRBG_RECORD_SEED_BYTES], digest[SHA256_BYTES];
    struct drbg seeds = {0};

    k.whole = EVP_MD_CTX_new();
    if (s == NULL || k.whole == NULL || !EVP_DigestInit_ex(k.whole, EVP_sha256(), NULL) ||
        !drbg_open(&seeds, sm3, (const uint8_t *)first_seed, sizeof(first_seed) - 1))
        fail(&k, KAT_ERROR, "libcrypto failed");
    for (; k.record < RECORDS && k.result == KAT_OK; k.record++) {
        if (drbg_generate(&seeds, seed, sizeof(seed)))
            record(&k, suite, sm3, seed, s);
        else
            fail(&k, KAT_ERROR, "SM3 failed");
    }
    if (k.result == KAT_OK && !EVP_DigestFinal_ex(k.whole, digest, NULL))
        fail(&k, KAT_ERROR, "SHA-256 failed");
    if (k.result == KAT_OK)
        compare(&k, "-", "file", k.total, digest);
    drbg_close(&seeds);
    EVP_MD_CTX_free(k.whole);
    OPENSSL_clear_free(s, sizeof(*s));
    return k.result;
}
