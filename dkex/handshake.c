/* SPDX-License-Identifier: Apache-2.0 */
#include "dkex.h"

#include <string.h>

#include "ct.h"
#include "dke.h"
#include "mldsa/expand.h"
#include "sm3.h"
#include "suite.h"

_Static_assert(sizeof(struct dkex_handshake) <= 24 * 1024, "a server holds many of them");

enum dkex_status dkex_handshake_open(struct dkex_handshake *hs, const struct dkex_suite *suite,
                                     const struct evp_md_st *sm3, const struct dkex_key *own)
{
    memset(hs, 0, sizeof(*hs));
    if (own->pub == NULL || own->priv == NULL)
        return DKEX_ERR_PRIVATE_KEY_REQUIRED;
    hs->suite = suite;
    hs->own = *own;
    return dkex_sm3_open(&hs->sm3, sm3);
}

/* Erases all that a failed handshake must not keep; the digest contexts stay. */
static void wipe(struct dkex_handshake *hs)
{
    dkex_cleanse(hs->ephemeral, sizeof(hs->ephemeral));
    dkex_cleanse(hs->raw, sizeof(hs->raw));
    dkex_cleanse(hs->transcript, sizeof(hs->transcript));
    dkex_cleanse(hs->out, sizeof(hs->out));
    hs->out_len = 0;
    dkex_sm3_wipe(&hs->sm3);
}

void dkex_handshake_close(struct dkex_handshake *hs)
{
    dkex_sm3_close(&hs->sm3);
    dkex_cleanse(hs, sizeof(*hs));
}

void dkex_handshake_fail(struct dkex_handshake *hs)
{
    wipe(hs);
    hs->state = DKEX_STATE_FAILED;
}

/* Passes a status on; a failure of a pass that has begun is the end of the handshake. */
static enum dkex_status finish_pass(struct dkex_handshake *hs, enum dkex_status status)
{
    if (status != DKEX_OK)
        dkex_handshake_fail(hs);
    return status;
}

enum dkex_status dkex_handshake_start(struct dkex_handshake *hs, enum dkex_role role,
                                      const uint8_t *coins)
{
    enum dkex_status status;

    if (hs->state == DKEX_STATE_FAILED)
        return DKEX_ERR_FAILED;
    if (hs->state != DKEX_STATE_ROLE)
        return DKEX_ERR_ORDER;
    if (role != DKEX_ROLE_INITIATOR && role != DKEX_ROLE_RESPONDER)
        return DKEX_ERR_ROLE_NOT_SET;

    if (role == DKEX_ROLE_RESPONDER) {
        hs->state = DKEX_STATE_M1;
    } else {
        status =
            finish_pass(hs, dkex_dke_keygen(hs->suite, &hs->sm3, hs->out, hs->ephemeral, coins));
        if (status != DKEX_OK)
            return status;
        hs->out_len = hs->suite->params->m1_len;
        hs->state = DKEX_STATE_M2;
    }
    hs->role = role;
    return DKEX_OK;
}

/* Whether a message has used the peer's key. */
static int peer_is_fixed(const struct dkex_handshake *hs)
{
    return hs->state == DKEX_STATE_M3 || hs->state == DKEX_STATE_COMPLETE;
}

enum dkex_status dkex_handshake_set_peer(struct dkex_handshake *hs, const struct dkex_key *peer)
{
    if (hs->state == DKEX_STATE_FAILED)
        return DKEX_ERR_FAILED;
    if (peer_is_fixed(hs))
        return DKEX_ERR_PEER_FIXED;
    if (memcmp(hs->own.pub, peer->pub, hs->suite->params->pub_len) == 0)
        return DKEX_ERR_PEER_IS_OWN_KEY;
    hs->peer = (struct dkex_key){.pub = peer->pub, .expanded_pub = peer->expanded_pub};
    return DKEX_OK;
}

size_t dkex_handshake_coins_len(const struct dkex_handshake *hs, enum dkex_role role)
{
    const struct dkex_params *p = hs->suite->params;

    if (hs->state == DKEX_STATE_ROLE && role == DKEX_ROLE_INITIATOR)
        return p->seed_len;
    return hs->state == DKEX_STATE_M1 ? p->seed_len + p->n_len : 0;
}

static size_t awaited_len(const struct dkex_handshake *hs)
{
    const struct dkex_params *p = hs->suite->params;

    if (hs->state == DKEX_STATE_M1)
        return p->m1_len;
    return hs->state == DKEX_STATE_M2 ? p->m2_len : p->m3_len;
}

enum dkex_status dkex_handshake_accepts(const struct dkex_handshake *hs, size_t in_len)
{
    switch (hs->state) {
    case DKEX_STATE_ROLE:
        return DKEX_ERR_ROLE_NOT_SET;
    case DKEX_STATE_COMPLETE:
        return DKEX_ERR_ORDER;
    case DKEX_STATE_FAILED:
        return DKEX_ERR_FAILED;
    default:
        break;
    }
    if (hs->peer.pub == NULL)
        return DKEX_ERR_PEER_NOT_SET;
    return in_len == awaited_len(hs) ? DKEX_OK : DKEX_ERR_LENGTH;
}

/* T = H(labelA || labelB || pk_A || pk_B || m1 || ct). */
static enum dkex_status make_transcript(struct dkex_handshake *hs, const uint8_t *m1,
                                        const uint8_t *ct)
{
    const struct dkex_params *p = hs->suite->params;
    const int initiator = hs->role == DKEX_ROLE_INITIATOR;
    const uint8_t *pk_a = initiator ? hs->own.pub : hs->peer.pub;
    const uint8_t *pk_b = initiator ? hs->peer.pub : hs->own.pub;
    struct dkex_sm3 *s = &hs->sm3;
    enum dkex_status status;

    if ((status = dkex_sm3_init(s)) != DKEX_OK ||
        (status = dkex_sm3_update(s, p->labels, (size_t)2 * DKEX_LABEL_BYTES)) != DKEX_OK ||
        (status = dkex_sm3_update(s, pk_a, p->pub_len)) != DKEX_OK ||
        (status = dkex_sm3_update(s, pk_b, p->pub_len)) != DKEX_OK ||
        (status = dkex_sm3_update(s, m1, p->m1_len)) != DKEX_OK ||
        (status = dkex_sm3_update(s, ct, p->ct_len)) != DKEX_OK)
        return status;
    return dkex_sm3_hash(s, hs->transcript, p->n_len);
}

/* Pure ML-DSA with the empty context over T: the own signature, to sig. */
static enum dkex_status sign_transcript(const struct dkex_handshake *hs, uint8_t *sig,
                                        const uint8_t *rnd)
{
    const struct dkex_params *p = hs->suite->params;
    const uint8_t *tr = hs->own.priv + MLDSA_TR_OFFSET;
    uint8_t mu[MLDSA_MU_BYTES];

    dkex_mldsa_mu(mu, tr, NULL, 0, hs->transcript, p->n_len);
    DKEX_DECLASSIFY(mu, sizeof(mu)); /* a hash of public values */
    if (hs->own.expanded_priv != NULL)
        return dkex_mldsa_sign_expanded(p->mldsa, hs->suite->mldsa, sig, hs->own.expanded_priv, mu,
                                        rnd);
    return dkex_mldsa_sign(p->mldsa, hs->suite->mldsa, sig, hs->own.priv, mu, rnd);
}

static enum dkex_status verify_transcript(const struct dkex_handshake *hs, const uint8_t *sig)
{
    const struct dkex_params *p = hs->suite->params;
    const struct mldsa_expanded_public *expanded = hs->peer.expanded_pub;
    uint8_t tr[MLDSA_TR_BYTES], mu[MLDSA_MU_BYTES];

    if (expanded != NULL) {
        dkex_mldsa_mu(mu, expanded->tr, NULL, 0, hs->transcript, p->n_len);
        return dkex_mldsa_verify_expanded(p->mldsa, hs->suite->mldsa, expanded, mu, sig);
    }
    dkex_mldsa_tr(p->mldsa, tr, hs->peer.pub);
    dkex_mldsa_mu(mu, tr, NULL, 0, hs->transcript, p->n_len);
    return dkex_mldsa_verify(p->mldsa, hs->suite->mldsa, hs->peer.pub, mu, sig);
}

/* Pass 2: the responder answers m1. */
static enum dkex_status answer_m1(struct dkex_handshake *hs, const uint8_t *m1,
                                  const uint8_t *coins, const uint8_t *rnd)
{
    const struct dkex_params *p = hs->suite->params;
    enum dkex_status status;

    if ((status = dkex_dke_respond(hs->suite, &hs->sm3, hs->out, hs->raw, m1, coins)) != DKEX_OK ||
        (status = make_transcript(hs, m1, hs->out)) != DKEX_OK ||
        (status = sign_transcript(hs, hs->out + p->ct_len, rnd)) != DKEX_OK)
        return status;
    hs->out_len = p->m2_len;
    hs->state = DKEX_STATE_M3;
    return DKEX_OK;
}

/* Pass 3: the initiator verifies m2 and answers it. hs->out holds m1 until m3 replaces it. */
static enum dkex_status answer_m2(struct dkex_handshake *hs, const uint8_t *m2, const uint8_t *rnd)
{
    const struct dkex_params *p = hs->suite->params;
    enum dkex_status status;

    if ((status = make_transcript(hs, hs->out, m2)) != DKEX_OK ||
        (status = verify_transcript(hs, m2 + p->ct_len)) != DKEX_OK)
        return status;
    dkex_dke_finish(hs->suite, hs->raw, hs->ephemeral, m2);
    dkex_cleanse(hs->ephemeral, sizeof(hs->ephemeral)); /* one reply only */
    if ((status = sign_transcript(hs, hs->out, rnd)) != DKEX_OK)
        return status;
    hs->out_len = p->m3_len;
    hs->state = DKEX_STATE_COMPLETE;
    return DKEX_OK;
}

/* The responder's last step: nothing of the secret is released before m3 verifies. */
static enum dkex_status accept_m3(struct dkex_handshake *hs, const uint8_t *m3)
{
    enum dkex_status status = verify_transcript(hs, m3);

    if (status != DKEX_OK)
        return status;
    hs->out_len = 0;
    hs->state = DKEX_STATE_COMPLETE;
    return DKEX_OK;
}

enum dkex_status dkex_handshake_step(struct dkex_handshake *hs, const uint8_t *in, size_t in_len,
                                     const uint8_t *coins, const uint8_t *rnd)
{
    enum dkex_status status = dkex_handshake_accepts(hs, in_len);

    if (status != DKEX_OK)
        return status;
    if (hs->state == DKEX_STATE_M1)
        status = answer_m1(hs, in, coins, rnd);
    else if (hs->state == DKEX_STATE_M2)
        status = answer_m2(hs, in, rnd);
    else
        status = accept_m3(hs, in);
    dkex_sm3_wipe(&hs->sm3);
    return finish_pass(hs, status);
}

enum dkex_status dkex_handshake_secret(struct dkex_handshake *hs, uint8_t *secret)
{
    const size_t n_len = hs->suite->params->n_len;
    struct dkex_sm3 *s = &hs->sm3;
    enum dkex_status status;

    if (hs->state != DKEX_STATE_COMPLETE)
        return hs->state == DKEX_STATE_FAILED ? DKEX_ERR_FAILED : DKEX_ERR_INCOMPLETE;
    if ((status = dkex_sm3_init(s)) == DKEX_OK &&
        (status = dkex_sm3_update(s, hs->raw, n_len)) == DKEX_OK &&
        (status = dkex_sm3_update(s, hs->transcript, n_len)) == DKEX_OK)
        status = dkex_sm3_hash(s, secret, n_len);
    dkex_sm3_wipe(s);
    if (status != DKEX_OK)
        dkex_cleanse(secret, n_len);
    return finish_pass(hs, status);
}

enum dkex_status dkex_handshake_dup(struct dkex_handshake *dst, const struct dkex_handshake *src)
{
    struct dkex_sm3 sm3;
    enum dkex_status status;

    if (src->state == DKEX_STATE_M2 || src->state == DKEX_STATE_M3)
        return DKEX_ERR_ORDER;
    if ((status = dkex_sm3_open(&sm3, src->sm3.md)) != DKEX_OK)
        return status;
    *dst = *src;
    dst->sm3 = sm3;
    return DKEX_OK;
}
