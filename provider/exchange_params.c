/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parameters of a derive context. One array is one request: everything in it that could be
 * refused is looked at before anything is done, so that a refused array changes nothing. Options
 * come first, then the role, then the message, whatever their order in the array.
 */
#include "exchange.h"

#include <string.h>
#include <unistd.h>

#include <openssl/core_names.h>
#include <openssl/params.h>

/* An array as it was understood. */
struct request {
    int has_deterministic, deterministic;
    const uint8_t *test_entropy; /* NULL: none */
    size_t test_entropy_len;
    enum dkex_role role;
    const uint8_t *message; /* NULL: none */
    size_t message_len;
};

static const char *const role_names[] = {
    [DKEX_ROLE_NONE] = "",
    [DKEX_ROLE_INITIATOR] = "initiator",
    [DKEX_ROLE_RESPONDER] = "responder",
};

static const char *const state_names[] = {
    [DKEX_STATE_ROLE] = "role",
    [DKEX_STATE_M1] = "m1",
    [DKEX_STATE_M2] = "m2",
    [DKEX_STATE_M3] = "m3",
    [DKEX_STATE_COMPLETE] = "complete",
    [DKEX_STATE_FAILED] = "failed",
};

static int read_octets(const struct exchange *x, const OSSL_PARAM *p, const uint8_t **data,
                       size_t *len)
{
    if (p->data_type != OSSL_PARAM_OCTET_STRING || p->data == NULL)
        return RAISE(x->prov, REASON_PARAMETER);
    *data = p->data;
    *len = p->data_size;
    return 1;
}

static int read_role(const struct exchange *x, const OSSL_PARAM *p, enum dkex_role *role)
{
    if (p->data_type != OSSL_PARAM_UTF8_STRING || p->data == NULL)
        return RAISE(x->prov, REASON_PARAMETER);
    for (int i = DKEX_ROLE_INITIATOR; i <= DKEX_ROLE_RESPONDER; i++) {
        size_t len = strlen(role_names[i]);

        /* data_size is without a terminator, but not every caller says so. */
        if ((p->data_size == len || (p->data_size == len + 1 && ((char *)p->data)[len] == '\0')) &&
            memcmp(p->data, role_names[i], len) == 0) {
            *role = (enum dkex_role)i;
            return 1;
        }
    }
    return RAISE(x->prov, REASON_UNKNOWN_ROLE);
}

/* Types and values of the array alone, whatever the state. */
static int read_request(const struct exchange *x, struct request *r, const OSSL_PARAM params[])
{
    const OSSL_PARAM *p;

    *r = (struct request){0};
    if ((p = OSSL_PARAM_locate_const(params, PARAM_DETERMINISTIC)) != NULL) {
        if (!provider_get_int(x->prov, p, &r->deterministic))
            return 0;
        if (r->deterministic != 0 && r->deterministic != 1)
            return RAISE(x->prov, REASON_PARAMETER);
        r->has_deterministic = 1;
    }
    if ((p = OSSL_PARAM_locate_const(params, PARAM_TEST_ENTROPY)) != NULL) {
        if (!x->prov->test_entropy)
            return RAISE(x->prov, REASON_TEST_ENTROPY_DISABLED);
        if (!read_octets(x, p, &r->test_entropy, &r->test_entropy_len))
            return 0;
    }
    if ((p = OSSL_PARAM_locate_const(params, PARAM_ROLE)) != NULL && !read_role(x, p, &r->role))
        return 0;
    if ((p = OSSL_PARAM_locate_const(params, PARAM_IN_MESSAGE)) != NULL &&
        !read_octets(x, p, &r->message, &r->message_len))
        return 0;
    return 1;
}

/*
 * Whether coins of len bytes fit the next pass, given the role that the request sets, if any. A
 * context without a role may be told the coins of either.
 */
static int coins_fit(const struct exchange *x, enum dkex_role role, size_t len)
{
    const struct dkex_params *p = x->own->suite->params;
    const size_t initiator = p->seed_len, responder = p->seed_len + p->n_len;

    if (x->hs.state == DKEX_STATE_M1 || role == DKEX_ROLE_RESPONDER)
        return len == responder;
    if (x->hs.state != DKEX_STATE_ROLE)
        return 0;
    return len == initiator || (role == DKEX_ROLE_NONE && len == responder);
}

/* Whether the state allows the request; nothing has been done yet. */
static int check_request(const struct exchange *x, const struct request *r)
{
    const size_t entropy_len = r->test_entropy != NULL ? r->test_entropy_len : x->test_entropy_len;
    enum dkex_status status = DKEX_OK;

    if (x->hs.state == DKEX_STATE_FAILED)
        status = DKEX_ERR_FAILED;
    else if ((r->role != DKEX_ROLE_NONE && x->hs.state != DKEX_STATE_ROLE) ||
             /* m2 cannot answer an m1 that is yet to be made */
             (r->role == DKEX_ROLE_INITIATOR && r->message != NULL))
        status = DKEX_ERR_ORDER;
    else if (r->message != NULL && r->role == DKEX_ROLE_NONE)
        status = dkex_handshake_accepts(&x->hs, r->message_len);
    else if (r->message != NULL && x->peer == NULL)
        status = DKEX_ERR_PEER_NOT_SET;
    else if (r->message != NULL && r->message_len != x->own->suite->params->m1_len)
        status = DKEX_ERR_LENGTH;
    if (status != DKEX_OK)
        return RAISE(x->prov, provider_reason_of(status));

    if (entropy_len == 0 && r->test_entropy == NULL)
        return 1;
    return coins_fit(x, r->role, entropy_len) ? 1 : RAISE(x->prov, REASON_TEST_ENTROPY_LENGTH);
}

/* Coins of the next pass: the test's, which are used up, or random ones. */
static int draw_coins(struct exchange *x, uint8_t coins[DKEX_MAX_COINS_BYTES], size_t len)
{
    if (x->test_entropy_len == 0 || len == 0)
        return provider_random(x->prov, coins, len, x->own->suite->params->security_bits);
    memcpy(coins, x->test_entropy, len);
    OPENSSL_cleanse(x->test_entropy, sizeof(x->test_entropy));
    x->test_entropy_len = 0;
    return 1;
}

static int start(struct exchange *x, enum dkex_role role)
{
    uint8_t coins[DKEX_MAX_COINS_BYTES];
    const size_t len = dkex_handshake_coins_len(&x->hs, role);
    enum dkex_status status;
    int ok = 1;

    if (len > 0 && !draw_coins(x, coins, len)) {
        dkex_handshake_fail(&x->hs);
        ok = 0;
    } else if ((status = dkex_handshake_start(&x->hs, role, coins)) != DKEX_OK) {
        ok = RAISE(x->prov, provider_reason_of(status));
    }
    x->process = getpid();
    OPENSSL_cleanse(coins, sizeof(coins));
    return ok;
}

/* Verifies and answers the message; check_request has found that its turn has come. */
static int step(struct exchange *x, const struct request *r)
{
    struct {
        uint8_t coins[DKEX_MAX_COINS_BYTES];
        uint8_t rnd[DKEX_RND_BYTES];
    } t = {0};
    const size_t len = dkex_handshake_coins_len(&x->hs, DKEX_ROLE_NONE);
    const int signs = x->hs.state != DKEX_STATE_M3;
    enum dkex_status status;
    int ok = 1;

    if ((len > 0 && !draw_coins(x, t.coins, len)) ||
        (signs && !x->deterministic &&
         !provider_random(x->prov, t.rnd, sizeof(t.rnd), x->own->suite->params->security_bits))) {
        dkex_handshake_fail(&x->hs);
        ok = 0;
    } else if ((status = dkex_handshake_step(&x->hs, r->message, r->message_len, t.coins, t.rnd)) !=
               DKEX_OK) {
        ok = RAISE(x->prov, provider_reason_of(status));
    }
    x->process = getpid();
    OPENSSL_cleanse(&t, sizeof(t));
    return ok;
}

int exchange_set_params(void *ctx, const OSSL_PARAM params[])
{
    struct exchange *x = ctx;
    struct request r;

    if (params == NULL || params->key == NULL)
        return 1;
    if (!read_request(x, &r, params))
        return 0;
    if (x->own == NULL)
        return RAISE(x->prov, REASON_PRIVATE_KEY_REQUIRED);
    if (exchange_crossed_fork(x) || !check_request(x, &r))
        return 0;

    if (r.has_deterministic)
        x->deterministic = r.deterministic;
    if (r.test_entropy != NULL) {
        memcpy(x->test_entropy, r.test_entropy, r.test_entropy_len);
        x->test_entropy_len = r.test_entropy_len;
    }
    if (r.role != DKEX_ROLE_NONE && !start(x, r.role))
        return 0;
    return r.message == NULL || step(x, &r);
}

const OSSL_PARAM *exchange_settable_params(void *ctx, void *provctx)
{
    static const OSSL_PARAM params[] = {
        OSSL_PARAM_utf8_string(PARAM_ROLE, NULL, 0),
        OSSL_PARAM_octet_string(PARAM_IN_MESSAGE, NULL, 0),
        OSSL_PARAM_int(PARAM_DETERMINISTIC, NULL),
        OSSL_PARAM_octet_string(PARAM_TEST_ENTROPY, NULL, 0),
        OSSL_PARAM_END,
    };
    static const OSSL_PARAM without_test_entropy[] = {
        OSSL_PARAM_utf8_string(PARAM_ROLE, NULL, 0),
        OSSL_PARAM_octet_string(PARAM_IN_MESSAGE, NULL, 0),
        OSSL_PARAM_int(PARAM_DETERMINISTIC, NULL),
        OSSL_PARAM_END,
    };

    (void)ctx;
    return ((struct provider *)provctx)->test_entropy ? params : without_test_entropy;
}

/* The message to send next: only copied, since callers ask for its size first. */
static int put_message(const struct exchange *x, OSSL_PARAM *p)
{
    if (p->data_type != OSSL_PARAM_OCTET_STRING)
        return RAISE(x->prov, REASON_PARAMETER);
    if (exchange_crossed_fork(x))
        return 0;
    if (x->hs.out_len == 0)
        return RAISE(x->prov, x->hs.state == DKEX_STATE_FAILED ? REASON_FAILED : REASON_ORDER);
    return provider_put_octets(x->prov, p, x->hs.out, x->hs.out_len);
}

int exchange_get_params(void *ctx, OSSL_PARAM params[])
{
    const struct exchange *x = ctx;
    OSSL_PARAM *p;

    if (!provider_put_text(x->prov, OSSL_PARAM_locate(params, PARAM_ROLE),
                           role_names[x->hs.role]) ||
        !provider_put_text(x->prov, OSSL_PARAM_locate(params, PARAM_STATE),
                           state_names[x->hs.state]))
        return 0;
    return (p = OSSL_PARAM_locate(params, PARAM_OUT_MESSAGE)) == NULL || put_message(x, p);
}

const OSSL_PARAM *exchange_gettable_params(void *ctx, void *provctx)
{
    static const OSSL_PARAM params[] = {
        OSSL_PARAM_octet_string(PARAM_OUT_MESSAGE, NULL, 0),
        OSSL_PARAM_utf8_string(PARAM_ROLE, NULL, 0),
        OSSL_PARAM_utf8_string(PARAM_STATE, NULL, 0),
        OSSL_PARAM_END,
    };

    (void)ctx;
    (void)provctx;
    return params;
}
