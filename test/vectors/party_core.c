/* SPDX-License-Identifier: Apache-2.0 */
#include "party.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>
#include <openssl/evp.h>

#include "suite.h"

struct party {
    struct dkex_suite suite;
    uint8_t own_pub[DKEX_MAX_PUB_BYTES], own_priv[DKEX_MAX_PRIV_BYTES];
    uint8_t peer_pub[DKEX_MAX_PUB_BYTES];
    struct dkex_key own;
    EVP_MD *sm3;
    struct vector_bytes coins;
    struct dkex_handshake hs;
};

const char *party_variant(size_t i)
{
    return dkex_suite_cpu(i);
}

struct party *party_open(const char *variant, const char *set, enum party_role role,
                         const struct vector_bytes *own_seed, const struct vector_bytes *coins)
{
    enum dkex_role core_role = role == PARTY_A ? DKEX_ROLE_INITIATOR : DKEX_ROLE_RESPONDER;
    struct party *p = test_calloc(1, sizeof(*p));
    const struct dkex_params *params = dkex_params_find(set);

    assert_non_null(params);
    assert_int_equal(dkex_suite_bind(&p->suite, params, variant), DKEX_OK);
    assert_int_equal(own_seed->len, DKEX_SEED_BYTES);
    dkex_key_generate(&p->suite, p->own_pub, p->own_priv, own_seed->data);
    p->own = (struct dkex_key){.pub = p->own_pub, .priv = p->own_priv};
    p->coins = *coins;

    p->sm3 = EVP_MD_fetch(NULL, "SM3", NULL);
    assert_non_null(p->sm3);
    assert_int_equal(dkex_handshake_open(&p->hs, &p->suite, p->sm3, &p->own), DKEX_OK);
    if (role == PARTY_A)
        assert_int_equal(dkex_handshake_coins_len(&p->hs, core_role), coins->len);
    assert_int_equal(dkex_handshake_start(&p->hs, core_role, coins->data), DKEX_OK);
    if (role == PARTY_B)
        assert_int_equal(dkex_handshake_coins_len(&p->hs, DKEX_ROLE_NONE), coins->len);
    return p;
}

void party_close(struct party *p)
{
    dkex_handshake_close(&p->hs);
    EVP_MD_free(p->sm3);
    test_free(p);
}

int party_set_peer(struct party *p, const struct vector_bytes *seed)
{
    uint8_t priv[DKEX_MAX_PRIV_BYTES];
    const struct dkex_key peer = {.pub = p->peer_pub};

    assert_int_equal(seed->len, DKEX_SEED_BYTES);
    dkex_key_generate(&p->suite, p->peer_pub, priv, seed->data);
    return dkex_handshake_set_peer(&p->hs, &peer) == DKEX_OK;
}

int party_step(struct party *p, const struct vector_bytes *message)
{
    static const uint8_t rnd[DKEX_RND_BYTES];
    uint8_t *exact = test_malloc(message->len); /* reading past it would be seen */
    struct dkex_handshake *before = test_malloc(sizeof(*before));
    enum dkex_status foretold, status;

    memcpy(exact, message->data, message->len);
    memcpy(before, &p->hs, sizeof(*before));
    foretold = dkex_handshake_accepts(&p->hs, message->len);
    status = dkex_handshake_step(&p->hs, exact, message->len, p->coins.data, rnd);
    if (foretold != DKEX_OK) { /* refused calls change nothing */
        assert_int_equal(status, foretold);
        assert_memory_equal(before, &p->hs, sizeof(*before));
    } else if (status != DKEX_OK) { /* failed steps are final */
        assert_int_equal(p->hs.state, DKEX_STATE_FAILED);
    }
    test_free(before);
    test_free(exact);
    return status == DKEX_OK;
}

int party_out(struct party *p, struct vector_bytes *out)
{
    out->len = p->hs.out_len;
    memcpy(out->data, p->hs.out, out->len);
    return out->len > 0;
}

int party_secret(struct party *p, struct vector_bytes *secret)
{
    int given = dkex_handshake_secret(&p->hs, secret->data) == DKEX_OK;

    secret->len = given ? p->suite.params->n_len : 0;
    return given;
}

const char *party_state(struct party *p)
{
    static const char *const names[] = {
        [DKEX_STATE_ROLE] = "role",     [DKEX_STATE_M1] = "m1",
        [DKEX_STATE_M2] = "m2",         [DKEX_STATE_M3] = "m3",
        [DKEX_STATE_FAILED] = "failed", [DKEX_STATE_COMPLETE] = "complete",
    };

    return names[p->hs.state];
}

struct party *party_dup(const struct party *p)
{
    struct party *copy = test_malloc(sizeof(*copy));

    memcpy(copy, p, sizeof(*copy));
    if (dkex_handshake_dup(&copy->hs, &p->hs) != DKEX_OK) {
        test_free(copy);
        return NULL;
    }
    assert_int_equal(EVP_MD_up_ref(copy->sm3), 1);
    return copy;
}

static void assert_zero(const uint8_t *data, size_t len)
{
    for (size_t i = 0; i < len; i++)
        assert_int_equal(data[i], 0);
}

void party_assert_wiped(const struct party *p)
{
    assert_zero(p->hs.out, sizeof(p->hs.out));
    assert_zero(p->hs.ephemeral, sizeof(p->hs.ephemeral));
    assert_zero(p->hs.raw, sizeof(p->hs.raw));
    assert_zero(p->hs.transcript, sizeof(p->hs.transcript));
}

void party_assert_inside(const struct party *p, const struct vector_bytes *raw,
                         const struct vector_bytes *transcript)
{
    if (raw->len > 0) {
        assert_int_equal(raw->len, p->suite.params->n_len);
        assert_memory_equal(p->hs.raw, raw->data, raw->len);
    }
    if (transcript->len > 0) {
        assert_int_equal(transcript->len, p->suite.params->n_len);
        assert_memory_equal(p->hs.transcript, transcript->data, transcript->len);
    }
}
