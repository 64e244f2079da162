/* SPDX-License-Identifier: Apache-2.0 */
/* dkex-eval: the lattice core and whole handshakes, signatures deterministic. */
#include <string.h>

#include <openssl/crypto.h>

#include "dke.h"
#include "eval.h"
#include "sm3.h"

static const uint8_t deterministic[DKEX_RND_BYTES];

static const char *reason_of(enum dkex_status status)
{
    return status == DKEX_OK ? NULL : dkex_status_string(status);
}

static const char *serve_dke_keygen(struct request *r)
{
    uint8_t m1[DKEX_MAX_M1_BYTES], sk[DKEX_MAX_EPHEMERAL_BYTES];
    struct dkex_suite suite;
    struct dkex_sm3 s;
    enum dkex_status status;
    const char *reason = eval_suite(&suite, r, 0);

    if (reason != NULL || (reason = eval_decode_exact(r, 1, suite.params->seed_len)) != NULL)
        return reason;
    if ((status = dkex_sm3_open(&s, r->sm3)) != DKEX_OK)
        return reason_of(status);
    if ((status = dkex_dke_keygen(&suite, &s, m1, sk, r->args[1].p)) == DKEX_OK) {
        eval_put(r, m1, suite.params->m1_len);
        eval_put(r, sk, suite.params->ephemeral_len);
    }
    OPENSSL_cleanse(sk, sizeof(sk));
    dkex_sm3_close(&s);
    return reason_of(status);
}

static const char *serve_dke_respond(struct request *r)
{
    uint8_t ct[DKEX_MAX_M2_BYTES], raw[DKEX_MAX_SECRET_BYTES];
    struct dkex_suite suite;
    struct dkex_sm3 s;
    enum dkex_status status;
    const char *reason = eval_suite(&suite, r, 0);

    if (reason != NULL || (reason = eval_decode_exact(r, 1, suite.params->m1_len)) != NULL ||
        (reason = eval_decode_exact(r, 2, suite.params->seed_len + suite.params->n_len)) != NULL)
        return reason;
    if ((status = dkex_sm3_open(&s, r->sm3)) != DKEX_OK)
        return reason_of(status);
    status = dkex_dke_respond(&suite, &s, ct, raw, r->args[1].p, r->args[2].p);
    if (status == DKEX_OK) {
        eval_put(r, ct, suite.params->ct_len);
        eval_put(r, raw, suite.params->n_len);
    }
    OPENSSL_cleanse(raw, sizeof(raw));
    dkex_sm3_close(&s);
    return reason_of(status);
}

static const char *serve_dke_finish(struct request *r)
{
    uint8_t raw[DKEX_MAX_SECRET_BYTES];
    struct dkex_suite suite;
    const char *reason = eval_suite(&suite, r, 0);

    if (reason != NULL || (reason = eval_decode_exact(r, 1, suite.params->ephemeral_len)) != NULL ||
        (reason = eval_decode_exact(r, 2, suite.params->ct_len)) != NULL)
        return reason;
    if (dkex_dke_check_secret(&suite, r->args[1].p) != DKEX_OK)
        return "coefficient out of range";
    dkex_dke_finish(&suite, raw, r->args[1].p, r->args[2].p);
    eval_put(r, raw, suite.params->n_len);
    OPENSSL_cleanse(raw, sizeof(raw));
    return NULL;
}

/* Both sides of a session; a verb that plays one side uses its half. */
struct session {
    struct dkex_suite suite;
    uint8_t pub_a[DKEX_MAX_PUB_BYTES], priv_a[DKEX_MAX_PRIV_BYTES];
    uint8_t pub_b[DKEX_MAX_PUB_BYTES], priv_b[DKEX_MAX_PRIV_BYTES];
    struct dkex_handshake a, b;
};

/*
 * Binds the set and makes both identities from the seeds in words seed_a and seed_b; a is started
 * with coins1, unless NULL, and b if responder is set.
 */
static const char *open_session(struct session *s, struct request *r, size_t seed_a, size_t seed_b,
                                const struct bytes *coins1, int responder)
{
    const struct dkex_key a = {.pub = s->pub_a, .priv = s->priv_a},
                          b = {.pub = s->pub_b, .priv = s->priv_b};
    enum dkex_status status = DKEX_OK;
    const char *reason;

    if ((reason = eval_decode_exact(r, seed_a, DKEX_SEED_BYTES)) != NULL ||
        (reason = eval_decode_exact(r, seed_b, DKEX_SEED_BYTES)) != NULL)
        return reason;
    dkex_key_generate(&s->suite, s->pub_a, s->priv_a, r->args[seed_a].p);
    dkex_key_generate(&s->suite, s->pub_b, s->priv_b, r->args[seed_b].p);
    if (coins1 != NULL &&
        ((status = dkex_handshake_open(&s->a, &s->suite, r->sm3, &a)) != DKEX_OK ||
         (status = dkex_handshake_start(&s->a, DKEX_ROLE_INITIATOR, coins1->p)) != DKEX_OK ||
         (status = dkex_handshake_set_peer(&s->a, &b)) != DKEX_OK))
        return reason_of(status);
    if (responder &&
        ((status = dkex_handshake_open(&s->b, &s->suite, r->sm3, &b)) != DKEX_OK ||
         (status = dkex_handshake_start(&s->b, DKEX_ROLE_RESPONDER, NULL)) != DKEX_OK ||
         (status = dkex_handshake_set_peer(&s->b, &a)) != DKEX_OK))
        return reason_of(status);
    return NULL;
}

static enum dkex_status put_secret(struct request *r, struct dkex_handshake *hs)
{
    uint8_t secret[DKEX_MAX_SECRET_BYTES];
    enum dkex_status status = dkex_handshake_secret(hs, secret);

    if (status == DKEX_OK)
        eval_put(r, secret, hs->suite->params->n_len);
    OPENSSL_cleanse(secret, sizeof(secret));
    return status;
}

static const char *play_handshake(struct session *s, struct request *r)
{
    const struct dkex_params *p = s->suite.params;
    enum dkex_status status;
    const char *reason;

    if ((reason = eval_decode_exact(r, 3, p->seed_len)) != NULL ||
        (reason = eval_decode_exact(r, 4, p->seed_len + p->n_len)) != NULL ||
        (reason = open_session(s, r, 1, 2, &r->args[3], 1)) != NULL)
        return reason;
    eval_put(r, s->a.out, s->a.out_len);
    status = dkex_handshake_step(&s->b, s->a.out, s->a.out_len, r->args[4].p, deterministic);
    if (status != DKEX_OK)
        return reason_of(status);
    eval_put(r, s->b.out, s->b.out_len);
    status = dkex_handshake_step(&s->a, s->b.out, s->b.out_len, NULL, deterministic);
    if (status != DKEX_OK)
        return reason_of(status);
    eval_put(r, s->a.out, s->a.out_len);
    if ((status = dkex_handshake_step(&s->b, s->a.out, s->a.out_len, NULL, NULL)) != DKEX_OK ||
        (status = put_secret(r, &s->a)) != DKEX_OK)
        return reason_of(status);
    return reason_of(put_secret(r, &s->b));
}

static const char *play_initiator(struct session *s, struct request *r)
{
    enum dkex_status status;
    const char *reason;

    if ((reason = eval_decode_exact(r, 3, s->suite.params->seed_len)) != NULL ||
        (reason = eval_decode(r, 4)) != NULL ||
        (reason = open_session(s, r, 1, 2, &r->args[3], 0)) != NULL)
        return reason;
    eval_put(r, s->a.out, s->a.out_len);
    status = dkex_handshake_step(&s->a, r->args[4].p, r->args[4].len, NULL, deterministic);
    if (status != DKEX_OK)
        return reason_of(status);
    eval_put(r, s->a.out, s->a.out_len);
    return reason_of(put_secret(r, &s->a));
}

static const char *play_responder(struct session *s, struct request *r)
{
    const struct dkex_params *p = s->suite.params;
    enum dkex_status status;
    const char *reason;

    if ((reason = eval_decode_exact(r, 3, p->seed_len + p->n_len)) != NULL ||
        (reason = eval_decode(r, 4)) != NULL ||
        (r->count > 5 && (reason = eval_decode(r, 5)) != NULL) ||
        (reason = open_session(s, r, 2, 1, NULL, 1)) != NULL)
        return reason;
    status = dkex_handshake_step(&s->b, r->args[4].p, r->args[4].len, r->args[3].p, deterministic);
    if (status != DKEX_OK)
        return reason_of(status);
    eval_put(r, s->b.out, s->b.out_len);
    if (r->count <= 5)
        return NULL;
    status = dkex_handshake_step(&s->b, r->args[5].p, r->args[5].len, NULL, NULL);
    return status != DKEX_OK ? reason_of(status) : reason_of(put_secret(r, &s->b));
}

/* Runs play on a session of its own and wipes it. */
static const char *with_session(struct request *r,
                                const char *play(struct session *s, struct request *r))
{
    struct session *s = OPENSSL_zalloc(sizeof(*s));
    const char *reason = "out of memory";

    if (s == NULL)
        return reason;
    if ((reason = eval_suite(&s->suite, r, 0)) == NULL)
        reason = play(s, r);
    dkex_handshake_close(&s->a);
    dkex_handshake_close(&s->b);
    OPENSSL_clear_free(s, sizeof(*s));
    return reason;
}

static const char *serve_handshake(struct request *r)
{
    return with_session(r, play_handshake);
}

static const char *serve_initiator(struct request *r)
{
    return with_session(r, play_initiator);
}

static const char *serve_responder(struct request *r)
{
    return with_session(r, play_responder);
}

const struct verb eval_exchange_verbs[] = {
    {"dke-keygen", "SET COINS: M1 SK", 2, 2, serve_dke_keygen},
    {"dke-respond", "SET M1 COINS: CT RAW", 3, 3, serve_dke_respond},
    {"dke-finish", "SET SK CT: RAW", 3, 3, serve_dke_finish},
    {"handshake", "SET SEED_A SEED_B COINS1 COINS2: M1 M2 M3 SECRET_A SECRET_B", 5, 5,
     serve_handshake},
    {"initiator", "SET SEED_A SEED_B COINS1 M2: M1 M3 SECRET", 5, 5, serve_initiator},
    {"responder", "SET SEED_B SEED_A COINS2 M1 [M3]: M2 [SECRET]", 5, 6, serve_responder},
    {NULL, NULL, 0, 0, NULL},
};
