/* SPDX-License-Identifier: Apache-2.0 */
/* KEYEXCH: the life of a derive context. What it is told and asked is in exchange_params.c. */
#include "exchange.h"

#include <unistd.h>

static OSSL_FUNC_keyexch_newctx_fn newctx;
static OSSL_FUNC_keyexch_init_fn init;
static OSSL_FUNC_keyexch_set_peer_fn set_peer;
static OSSL_FUNC_keyexch_derive_fn derive;
static OSSL_FUNC_keyexch_dupctx_fn dupctx;
static OSSL_FUNC_keyexch_freectx_fn freectx;

static void *newctx(void *provctx)
{
    struct provider *prov = provctx;
    struct exchange *x;

    if (atomic_load(&prov->failed)) {
        RAISE(prov, REASON_SELF_TEST);
        return NULL;
    }
    if ((x = provider_zalloc(prov, sizeof(*x))) != NULL)
        x->prov = prov;
    return x;
}

/* Back to what newctx made: keys, role, messages, secrets and test coins are gone. */
static void reset(struct exchange *x)
{
    struct provider *prov = x->prov;

    dkex_handshake_close(&x->hs);
    key_free(x->own);
    key_free(x->peer);
    OPENSSL_cleanse(x, sizeof(*x));
    x->prov = prov;
}

static void freectx(void *ctx)
{
    struct exchange *x = ctx;

    if (x == NULL)
        return;
    reset(x);
    OPENSSL_free(x);
}

/*
 * A failed init leaves a context that libcrypto still calls: without an own key, or with one and no
 * role, so that every later call has its own reason to refuse.
 */
static int init(void *ctx, void *keydata, const OSSL_PARAM params[])
{
    struct exchange *x = ctx;
    struct key *key = keydata;
    struct dkex_key view;
    enum dkex_status status;

    reset(x);
    if (key == NULL || key->secret == NULL)
        return RAISE(x->prov, REASON_PRIVATE_KEY_REQUIRED);
    if (!provider_first_use(x->prov))
        return 0;
    view = key_view(key);
    status = dkex_handshake_open(&x->hs, key->suite, x->prov->sm3, &view);
    if (status != DKEX_OK)
        return RAISE(x->prov, status == DKEX_ERR_SM3 ? REASON_MEMORY : provider_reason_of(status));
    x->own = key_ref(key);
    return exchange_set_params(x, params);
}

int exchange_crossed_fork(const struct exchange *x)
{
    const int holds_secret = x->hs.state == DKEX_STATE_M2 || x->hs.state == DKEX_STATE_M3;

    if (!holds_secret || x->process == getpid())
        return 0;
    RAISE(x->prov, REASON_OTHER_PROCESS);
    return 1;
}

static int set_peer(void *ctx, void *keydata)
{
    struct exchange *x = ctx;
    struct key *key = keydata;
    struct dkex_key view;
    enum dkex_status status;

    if (x->own == NULL)
        return RAISE(x->prov, REASON_PRIVATE_KEY_REQUIRED);
    if (exchange_crossed_fork(x))
        return 0;
    if (key == NULL || !key->has_pub)
        return RAISE(x->prov, REASON_KEY_MISSING);
    if (key->suite != x->own->suite)
        return RAISE(x->prov, REASON_PEER_OTHER_TYPE);
    view = key_view(key);
    if ((status = dkex_handshake_set_peer(&x->hs, &view)) != DKEX_OK)
        return RAISE(x->prov, provider_reason_of(status));
    key_ref(key);
    key_free(x->peer);
    x->peer = key;
    return 1;
}

static int derive(void *ctx, unsigned char *secret, size_t *secret_len, size_t room)
{
    struct exchange *x = ctx;
    enum dkex_status status;
    size_t len;

    if (x->own == NULL)
        return RAISE(x->prov, REASON_INCOMPLETE);
    len = x->own->suite->params->n_len;
    if (secret == NULL) {
        *secret_len = len;
        return 1;
    }
    if (exchange_crossed_fork(x))
        return 0;
    if (x->hs.state == DKEX_STATE_COMPLETE && room < len)
        return RAISE(x->prov, REASON_BUFFER_TOO_SMALL);
    status = dkex_handshake_secret(&x->hs, secret);
    if (status == DKEX_ERR_INCOMPLETE)
        return RAISE_TEXT(x->prov, REASON_INCOMPLETE,
                          "three messages pass through out-message and in-message first");
    if (status != DKEX_OK)
        return RAISE(x->prov, provider_reason_of(status));
    *secret_len = len;
    return 1;
}

/* Test coins stay behind: two contexts would use them. */
static void *dupctx(void *ctx)
{
    struct exchange *x = ctx, *copy;
    enum dkex_status status;

    if (x->hs.state == DKEX_STATE_M2 || x->hs.state == DKEX_STATE_M3) {
        RAISE(x->prov, REASON_NO_COPY);
        return NULL;
    }
    if ((copy = newctx(x->prov)) == NULL || x->own == NULL)
        return copy;
    if ((status = dkex_handshake_dup(&copy->hs, &x->hs)) != DKEX_OK) {
        RAISE(x->prov, status == DKEX_ERR_SM3 ? REASON_MEMORY : provider_reason_of(status));
        freectx(copy);
        return NULL;
    }
    copy->deterministic = x->deterministic;
    copy->own = key_ref(x->own);
    copy->peer = x->peer != NULL ? key_ref(x->peer) : NULL;
    return copy;
}

const OSSL_DISPATCH provider_exchange[] = {
    {OSSL_FUNC_KEYEXCH_NEWCTX, (void (*)(void))newctx},
    {OSSL_FUNC_KEYEXCH_INIT, (void (*)(void))init},
    {OSSL_FUNC_KEYEXCH_SET_PEER, (void (*)(void))set_peer},
    {OSSL_FUNC_KEYEXCH_DERIVE, (void (*)(void))derive},
    {OSSL_FUNC_KEYEXCH_DUPCTX, (void (*)(void))dupctx},
    {OSSL_FUNC_KEYEXCH_FREECTX, (void (*)(void))freectx},
    {OSSL_FUNC_KEYEXCH_SET_CTX_PARAMS, (void (*)(void))exchange_set_params},
    {OSSL_FUNC_KEYEXCH_SETTABLE_CTX_PARAMS, (void (*)(void))exchange_settable_params},
    {OSSL_FUNC_KEYEXCH_GET_CTX_PARAMS, (void (*)(void))exchange_get_params},
    {OSSL_FUNC_KEYEXCH_GETTABLE_CTX_PARAMS, (void (*)(void))exchange_gettable_params},
    {0, NULL},
};
