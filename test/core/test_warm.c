/* SPDX-License-Identifier: Apache-2.0 */
/* Keys in expanded form change no byte of a handshake, whichever of them are. */
#define _POSIX_C_SOURCE 200809L /* posix_memalign */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pair.h"

enum { KEYS = 3 };

/* What is warm, as bits: a party's own private key, and the public key as its peer has it. */
enum { A_PRIV = 1, A_PUB = 2, B_PRIV = 4, B_PUB = 8, COMBINATIONS = 16 };

struct warm {
    struct mldsa_expanded_public *pub;
    struct mldsa_expanded_private *priv;
    uint8_t *pub_copy, *priv_copy;
};

/* Exactly the length that the set needs, so that a sanitizer sees a byte beyond it. */
static void *allocate(size_t len)
{
    void *p = NULL;

    assert_in_range(len, 1, DKEX_MAX_EXPANDED_BYTES);
    assert_int_equal(posix_memalign(&p, DKEX_EXPANDED_ALIGN, len), 0);
    memset(p, 0xa5, len);
    return p;
}

static void warm_up(struct warm *w, const struct dkex_suite *suite, const struct party *party)
{
    const size_t pub_len = dkex_key_expanded_pub_len(suite);
    const size_t priv_len = dkex_key_expanded_priv_len(suite);

    w->pub = allocate(pub_len);
    w->priv = allocate(priv_len);
    w->pub_copy = allocate(pub_len);
    w->priv_copy = allocate(priv_len);
    dkex_key_expand_pub(w->pub, suite, party->pub);
    dkex_key_expand_priv(w->priv, suite, party->priv);
    memcpy(w->pub_copy, w->pub, pub_len);
    memcpy(w->priv_copy, w->priv, priv_len);
}

/* No handshake has written to it. */
static void cool_down(struct warm *w, const struct dkex_suite *suite)
{
    assert_memory_equal(w->pub, w->pub_copy, dkex_key_expanded_pub_len(suite));
    assert_memory_equal(w->priv, w->priv_copy, dkex_key_expanded_priv_len(suite));
    free(w->pub);
    free(w->priv);
    free(w->pub_copy);
    free(w->priv_copy);
}

struct bytes {
    uint8_t m1[DKEX_MAX_M1_BYTES], m2[DKEX_MAX_M2_BYTES], m3[DKEX_MAX_M3_BYTES];
    uint8_t secret_a[DKEX_MAX_SECRET_BYTES], secret_b[DKEX_MAX_SECRET_BYTES];
};

static void reopen(struct pair *p, const struct dkex_key *a, const struct dkex_key *b)
{
    pair_close(p);
    assert_int_equal(dkex_handshake_open(&p->a.hs, &p->suite, fixture_sm3(), a), DKEX_OK);
    assert_int_equal(dkex_handshake_open(&p->b.hs, &p->suite, fixture_sm3(), b), DKEX_OK);
}

/* A session on the pair's coins with these forms; it ends at m2 if that is to be forged. */
static void session(struct bytes *out, struct pair *p, const struct warm *wa, const struct warm *wb,
                    unsigned warm, int forged)
{
    const struct dkex_params *params = p->suite.params;
    const struct dkex_key own_a = {
        .pub = p->a.pub, .priv = p->a.priv, .expanded_priv = warm & A_PRIV ? wa->priv : NULL};
    const struct dkex_key own_b = {
        .pub = p->b.pub, .priv = p->b.priv, .expanded_priv = warm & B_PRIV ? wb->priv : NULL};
    const struct dkex_key peer_a = {.pub = p->a.pub, .expanded_pub = warm & A_PUB ? wa->pub : NULL};
    const struct dkex_key peer_b = {.pub = p->b.pub, .expanded_pub = warm & B_PUB ? wb->pub : NULL};

    memset(out, 0, sizeof(*out));
    reopen(p, &own_a, &own_b);
    assert_int_equal(dkex_handshake_set_peer(&p->a.hs, &peer_b), DKEX_OK);
    assert_int_equal(dkex_handshake_set_peer(&p->b.hs, &peer_a), DKEX_OK);
    assert_int_equal(dkex_handshake_start(&p->a.hs, DKEX_ROLE_INITIATOR, p->coins1), DKEX_OK);
    assert_int_equal(dkex_handshake_start(&p->b.hs, DKEX_ROLE_RESPONDER, NULL), DKEX_OK);
    memcpy(out->m1, p->a.hs.out, params->m1_len);
    assert_int_equal(pair_pass(p, &p->b, &p->a), DKEX_OK);
    memcpy(out->m2, p->b.hs.out, params->m2_len);
    if (forged) {
        p->b.hs.out[params->ct_len + 100] ^= 4;
        assert_int_equal(pair_pass(p, &p->a, &p->b), DKEX_ERR_SIGNATURE);
        return;
    }
    assert_int_equal(pair_pass(p, &p->a, &p->b), DKEX_OK);
    memcpy(out->m3, p->a.hs.out, params->m3_len);
    assert_int_equal(pair_pass(p, &p->b, &p->a), DKEX_OK);
    assert_int_equal(dkex_handshake_secret(&p->a.hs, out->secret_a), DKEX_OK);
    assert_int_equal(dkex_handshake_secret(&p->b.hs, out->secret_b), DKEX_OK);
}

static void check_keys(struct pair *p, struct bytes *cold, struct bytes *got)
{
    struct warm a, b;

    warm_up(&a, &p->suite, &p->a);
    warm_up(&b, &p->suite, &p->b);
    session(cold, p, &a, &b, 0, 0);
    for (unsigned warm = 1; warm < COMBINATIONS; warm++) {
        session(got, p, &a, &b, warm, 0);
        assert_memory_equal(got, cold, sizeof(*got));
    }
    session(got, p, &a, &b, A_PRIV | A_PUB | B_PRIV | B_PUB, 1);
    cool_down(&a, &p->suite);
    cool_down(&b, &p->suite);
}

static void test_warm(void **state)
{
    struct pair *p = calloc(1, sizeof(*p));
    struct bytes *cold = malloc(sizeof(*cold)), *got = malloc(sizeof(*got));
    struct test_rng rng = {42};

    (void)state;
    assert_true(p != NULL && cold != NULL && got != NULL);
    for (size_t set = 0; set < DKEX_SETS; set++) {
        for (unsigned key = 0; key < KEYS; key++) {
            pair_init(p, set, &rng);
            check_keys(p, cold, got);
            pair_close(p);
        }
    }
    free(p);
    free(cold);
    free(got);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_warm)};

    fixture_arguments(argc, argv);
    return cmocka_run_group_tests(tests, NULL, fixture_teardown);
}
