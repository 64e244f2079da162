/* SPDX-License-Identifier: Apache-2.0 */
/*
 * No secret stays on the dead stack: each call runs on a painted stack of its own, which is then
 * searched, at every byte, for words of eight bytes of the secrets that the call has seen and of
 * the Keccak states that they went through. Such a state can be inverted: any of its lanes is a
 * secret.
 */
#define _XOPEN_SOURCE 700 /* pthread_attr_setstack */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../painted.h"
#include "mldsa/keccak.h"
#include "mldsa/mldsa.h"
#include "pair.h"
#include "sm3.h"

enum { WORD = 8, MAX_WORDS = 1 << 18, MAX_ATTEMPTS = 60 };

static struct test_rng rng = {14};

/* What must not be found, sorted before a search. */
static uint64_t words[MAX_WORDS];
static size_t word_count;

static void forbid_word(uint64_t word)
{
    if (word != 0 && word != UINT64_MAX) {
        assert_true(word_count < MAX_WORDS);
        words[word_count++] = word;
    }
}

/* Every word of a secret string, at every place. */
static void forbid(const uint8_t *secret, size_t len)
{
    uint64_t word;

    for (size_t i = 0; i + WORD <= len; i++) {
        memcpy(&word, secret + i, WORD);
        forbid_word(word);
    }
}

/* The states of SHAKE256(secret || nonce) from its first permutation on, and the lanes absorbed. */
static void forbid_sponge(const uint8_t *secret, size_t len, const uint8_t *tail, size_t tail_len,
                          unsigned permutations)
{
    uint8_t block[SHAKE256_RATE];
    struct keccak k;

    dkex_keccak_init(&k, SHAKE256_RATE);
    dkex_keccak_absorb(&k, secret, len);
    dkex_keccak_absorb(&k, tail, tail_len);
    dkex_keccak_finish(&k);
    for (unsigned i = 0; i < permutations; i++) {
        dkex_keccak_squeeze(&k, block, sizeof(block));
        for (unsigned lane = 0; lane < 25; lane++) {
            forbid_word(k.lane[lane]);
            forbid_word(~k.lane[lane]);
        }
    }
}

static void forbid_sponges(const uint8_t secret[64], unsigned nonces, unsigned permutations)
{
    for (unsigned nonce = 0; nonce < nonces; nonce++) {
        const uint8_t tail[2] = {(uint8_t)nonce, (uint8_t)(nonce >> 8)};

        forbid_sponge(secret, 64, tail, sizeof(tail), permutations);
    }
}

/* The private key but for rho and tr, which are public. */
static void forbid_private(const struct dkex_params *p, const uint8_t *priv)
{
    forbid(priv + 32, 32);
    forbid(priv + 128, p->priv_len - 128);
}

static void forbid_generation(const struct dkex_params *p, const uint8_t *seed, const uint8_t *priv)
{
    const uint8_t dimensions[2] = {(uint8_t)p->mldsa->k, (uint8_t)p->mldsa->l};
    uint8_t input[34], expanded[128];

    memcpy(input, seed, 32);
    memcpy(input + 32, dimensions, 2);
    dkex_shake256(expanded, sizeof(expanded), input, sizeof(input));
    forbid(seed, 32);
    forbid(expanded + 32, 96);
    forbid_sponge(seed, 32, dimensions, 2, 1);
    forbid_sponges(expanded + 32, p->mldsa->k + p->mldsa->l, 3);
    forbid_private(p, priv);
}

/* What a signature by priv with these bytes of randomness goes through. */
static void forbid_signature(const struct dkex_handshake *hs, const uint8_t *priv,
                             const uint8_t *rnd)
{
    const struct mldsa_params *m = hs->suite->params->mldsa;
    uint8_t input[32 + 32 + 64], rho_pp[64];

    memcpy(input, priv + 32, 32);
    memcpy(input + 32, rnd, 32);
    dkex_mldsa_mu(input + 64, priv + MLDSA_TR_OFFSET, NULL, 0, hs->transcript,
                  hs->suite->params->n_len);
    dkex_shake256(rho_pp, sizeof(rho_pp), input, sizeof(input));
    forbid(rho_pp, sizeof(rho_pp));
    forbid_sponge(input, sizeof(input), NULL, 0, 1);
    forbid_sponges(rho_pp, MAX_ATTEMPTS * m->l, 5);
    forbid_private(hs->suite->params, priv);
}

static int compare_words(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

struct work {
    struct pair *pair;
    enum { GENERATE, CHECK, START, M1, M2, SECRET } call;
    const uint8_t *seed;
    enum dkex_status status;
    size_t found;
};

static void *work(void *arg)
{
    struct work *w = arg;
    struct pair *p = w->pair;
    const struct dkex_params *params = p->suite.params;

    w->status = DKEX_OK;
    if (w->call == GENERATE)
        dkex_key_generate(&p->suite, p->a.pub, p->a.priv, w->seed);
    else if (w->call == CHECK)
        w->status = dkex_key_check(&p->suite, p->a.pub, p->a.priv);
    else if (w->call == START)
        w->status = dkex_handshake_start(&p->a.hs, DKEX_ROLE_INITIATOR, p->coins1);
    else if (w->call == M1)
        w->status = dkex_handshake_step(&p->b.hs, p->a.hs.out, params->m1_len, p->coins2, p->rnd);
    else if (w->call == M2)
        w->status = dkex_handshake_step(&p->a.hs, p->b.hs.out, params->m2_len, NULL, p->rnd);
    else
        w->status = dkex_handshake_secret(&p->a.hs, p->a.priv);
    return NULL;
}

static void inspect(const uint8_t *stack, size_t len, void *arg)
{
    struct work *w = arg;

    w->found = 0;
    qsort(words, word_count, sizeof(words[0]), compare_words);
    for (size_t i = 0; i + WORD <= len; i++) {
        uint64_t word;

        memcpy(&word, stack + i, WORD);
        w->found += bsearch(&word, words, word_count, sizeof(words[0]), compare_words) != NULL;
    }
}

static const char *const names[] = {"generate", "check", "start", "m1", "m2", "secret"};

/* The forbidden words are noted after the call, which makes some of them, and before the search. */
static void run(struct work *w, void note(const struct work *w))
{
    struct pair *p = w->pair;

    word_count = 0;
    note(w);
    painted_measure(work, w, inspect);
    assert_int_equal(w->status, DKEX_OK);
    printf("%s %s: %zu of %zu words found\n", p->suite.params->name, names[w->call], w->found,
           word_count);
    assert_int_equal(w->found, 0);
}

static void note_generate(const struct work *w)
{
    struct pair *p = w->pair;

    dkex_key_generate(&p->suite, p->a.pub, p->a.priv, w->seed);
    if (w->call == GENERATE)
        forbid_generation(p->suite.params, w->seed, p->a.priv);
    else
        forbid_private(p->suite.params, p->a.priv);
}

/* What a copy of the handshake, run beforehand, ends up with: the calls are deterministic. */
static void note_pass(const struct work *w)
{
    struct pair *copy = calloc(1, sizeof(*copy));
    struct pair *p = w->pair;
    const struct dkex_params *params = p->suite.params;
    struct work rehearsal = {.pair = copy, .call = w->call};
    uint8_t seeds[128], secret[DKEX_MAX_SECRET_BYTES];
    struct dkex_handshake *done;
    struct dkex_sm3 s;

    assert_non_null(copy);
    *copy = *p;
    assert_int_equal(dkex_sm3_open(&s, fixture_sm3()), DKEX_OK);
    done = w->call == M1 ? &copy->b.hs : &copy->a.hs;
    done->sm3 = s;
    work(&rehearsal);
    assert_int_equal(rehearsal.status, DKEX_OK);
    if (w->call == START) {
        assert_int_equal(dkex_sm3_xof(&s, seeds, 2 * params->seed_len, p->coins1, params->seed_len),
                         DKEX_OK);
        forbid(p->coins1, params->seed_len);
        forbid(seeds + params->seed_len, params->seed_len);
    }
    if (w->call == M1)
        forbid(p->coins2, params->seed_len + params->n_len);
    if (w->call == START || w->call == M2)
        forbid(w->call == START ? done->ephemeral : p->a.hs.ephemeral, params->ephemeral_len);
    if (w->call == M1 || w->call == M2) {
        forbid(done->raw, params->n_len);
        forbid_signature(done, w->call == M1 ? p->b.priv : p->a.priv, p->rnd);
    }
    if (w->call == SECRET) {
        memcpy(secret, copy->a.priv, params->n_len);
        forbid(secret, params->n_len);
        forbid(p->a.hs.raw, params->n_len);
    }
    dkex_sm3_close(&s);
    free(copy);
}

static void test_residue(void **state)
{
    struct pair *p = calloc(1, sizeof(*p));

    (void)state;
    assert_non_null(p);
    for (size_t set = 0; set < DKEX_SETS; set++) {
        uint8_t seed[DKEX_SEED_BYTES];
        struct work w = {.pair = p, .seed = seed};

        pair_init(p, set, &rng);
        test_rng_bytes(&rng, seed, sizeof(seed));
        w.call = GENERATE;
        run(&w, note_generate);
        w.call = CHECK;
        run(&w, note_generate);
        pair_close(p);
        pair_open(p, &rng);
        assert_int_equal(dkex_handshake_start(&p->b.hs, DKEX_ROLE_RESPONDER, NULL), DKEX_OK);
        w.call = START;
        run(&w, note_pass);
        assert_int_equal(dkex_handshake_set_peer(&p->a.hs, &p->b.key), DKEX_OK);
        assert_int_equal(dkex_handshake_set_peer(&p->b.hs, &p->a.key), DKEX_OK);
        w.call = M1;
        run(&w, note_pass);
        w.call = M2;
        run(&w, note_pass);
        w.call = SECRET;
        run(&w, note_pass);
        pair_close(p);
    }
    free(p);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_residue)};

    fixture_arguments(argc, argv);
#ifdef PAINTED_SANITIZED
    puts("skipped: AddressSanitizer keeps stack of its own");
    return 77;
#endif
    return cmocka_run_group_tests(tests, NULL, fixture_teardown);
}
