/* SPDX-License-Identifier: Apache-2.0 */
#include "party.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>

struct party {
    EVP_PKEY *own;
    EVP_PKEY_CTX *ctx;
    const char *set;
    char state[16];
};

const char *party_variant(size_t i)
{
    return i == 0 ? "provider" : NULL;
}

/* A key pair of its seed. */
static EVP_PKEY *key_from_seed(const char *set, const struct vector_bytes *seed)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, set, NULL);
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_octet_string("seed", (void *)(uintptr_t)seed->data, seed->len),
        OSSL_PARAM_construct_end(),
    };
    EVP_PKEY *key = NULL;

    if (ctx == NULL)
        fail_msg("%s can't be fetched: is dkex.so built, and in OPENSSL_MODULES?", set);
    assert_int_equal(EVP_PKEY_keygen_init(ctx), 1);
    assert_int_equal(EVP_PKEY_CTX_set_params(ctx, params), 1);
    assert_int_equal(EVP_PKEY_generate(ctx, &key), 1);
    EVP_PKEY_CTX_free(ctx);
    return key;
}

/* Its public half alone, as a peer would have it. */
static EVP_PKEY *public_from_seed(const char *set, const struct vector_bytes *seed)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, set, NULL);
    EVP_PKEY *pair = key_from_seed(set, seed), *key = NULL;
    struct vector_bytes pub;
    OSSL_PARAM params[2];

    assert_int_equal(EVP_PKEY_get_octet_string_param(pair, OSSL_PKEY_PARAM_PUB_KEY, pub.data,
                                                     sizeof(pub.data), &pub.len),
                     1);
    params[0] = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, pub.data, pub.len);
    params[1] = OSSL_PARAM_construct_end();
    assert_int_equal(EVP_PKEY_fromdata_init(ctx), 1);
    assert_int_equal(EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_PUBLIC_KEY, params), 1);
    EVP_PKEY_free(pair);
    EVP_PKEY_CTX_free(ctx);
    return key;
}

struct party *party_open(const char *variant, const char *set, enum party_role role,
                         const struct vector_bytes *own_seed, const struct vector_bytes *coins)
{
    struct party *p = test_calloc(1, sizeof(*p));
    char *name = (char *)(uintptr_t)(role == PARTY_A ? "initiator" : "responder");
    int deterministic = 1;
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string("role", name, 0),
        OSSL_PARAM_construct_octet_string("test-entropy", (void *)(uintptr_t)coins->data,
                                          coins->len),
        OSSL_PARAM_construct_int("deterministic", &deterministic),
        OSSL_PARAM_construct_end(),
    };

    (void)variant;
    p->set = set;
    p->own = key_from_seed(set, own_seed);
    p->ctx = EVP_PKEY_CTX_new_from_pkey(NULL, p->own, NULL);
    assert_non_null(p->ctx);
    if (EVP_PKEY_derive_init_ex(p->ctx, params) != 1) {
        ERR_print_errors_fp(stderr);
        fail_msg("the handshake doesn't start");
    }
    return p;
}

void party_close(struct party *p)
{
    EVP_PKEY_CTX_free(p->ctx);
    EVP_PKEY_free(p->own);
    test_free(p);
}

/* The result of a call that may be refused: refusals give a reason. */
static int result(int ret)
{
    if (ret <= 0)
        assert_int_not_equal(ERR_peek_error(), 0);
    ERR_clear_error();
    return ret > 0;
}

int party_set_peer(struct party *p, const struct vector_bytes *seed)
{
    EVP_PKEY *peer = public_from_seed(p->set, seed);
    int ret = EVP_PKEY_derive_set_peer(p->ctx, peer);

    EVP_PKEY_free(peer);
    return result(ret);
}

int party_step(struct party *p, const struct vector_bytes *message)
{
    uint8_t *exact = test_malloc(message->len + (message->len == 0));
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_octet_string("in-message", exact, message->len),
        OSSL_PARAM_construct_end(),
    };
    int ret;

    memcpy(exact, message->data, message->len);
    ret = EVP_PKEY_CTX_set_params(p->ctx, params);
    test_free(exact);
    return result(ret);
}

int party_out(struct party *p, struct vector_bytes *out)
{
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_octet_string("out-message", NULL, 0),
        OSSL_PARAM_construct_end(),
    };
    size_t len;

    out->len = 0;
    if (!result(EVP_PKEY_CTX_get_params(p->ctx, params)))
        return 0;
    len = params[0].return_size;
    assert_true(len > 0 && len <= sizeof(out->data));
    params[0] = OSSL_PARAM_construct_octet_string("out-message", out->data, len);
    assert_int_equal(EVP_PKEY_CTX_get_params(p->ctx, params), 1);
    assert_int_equal(params[0].return_size, len);
    out->len = len;
    return 1;
}

int party_secret(struct party *p, struct vector_bytes *secret)
{
    size_t len;

    assert_int_equal(EVP_PKEY_derive(p->ctx, NULL, &len), 1);
    assert_true(len <= sizeof(secret->data));
    secret->len = len;
    if (result(EVP_PKEY_derive(p->ctx, secret->data, &secret->len)))
        return 1;
    secret->len = 0;
    return 0;
}

const char *party_state(struct party *p)
{
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string("state", p->state, sizeof(p->state)),
        OSSL_PARAM_construct_end(),
    };

    assert_int_equal(EVP_PKEY_CTX_get_params(p->ctx, params), 1);
    return p->state;
}

struct party *party_dup(const struct party *p)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_dup(p->ctx);
    struct party *copy;

    ERR_clear_error();
    if (ctx == NULL)
        return NULL;
    copy = test_calloc(1, sizeof(*copy));
    copy->ctx = ctx;
    copy->set = p->set;
    copy->own = p->own;
    assert_int_equal(EVP_PKEY_up_ref(copy->own), 1);
    return copy;
}

/* Nothing of the inside is to be seen through libcrypto. */
void party_assert_wiped(const struct party *p)
{
    (void)p;
}

void party_assert_inside(const struct party *p, const struct vector_bytes *raw,
                         const struct vector_bytes *transcript)
{
    (void)p;
    (void)raw;
    (void)transcript;
}
