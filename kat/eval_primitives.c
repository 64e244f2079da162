/* SPDX-License-Identifier: Apache-2.0 */
/* dkex-eval: SM3, its expansion, and ML-DSA. */
#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

#include "eval.h"
#include "mldsa/mldsa.h"
#include "sm3.h"

enum { MAX_XOF_BYTES = 1 << 20 };

static const char bad_length[] = "wrong length";

static const char *sm3_digest(struct request *r, size_t arg, size_t xof_len, int xof)
{
    struct dkex_sm3 s;
    uint8_t digest[SM3_BYTES], *out = digest;
    size_t len = xof ? xof_len : sizeof(digest);
    const char *reason = "SM3 failed";

    if (dkex_sm3_open(&s, r->sm3) != DKEX_OK)
        return reason;
    if (xof && (out = OPENSSL_malloc(len + 1)) == NULL)
        reason = "out of memory";
    else if (xof ? dkex_sm3_xof(&s, out, len, r->args[arg].p, r->args[arg].len) == DKEX_OK
                 : dkex_sm3_init(&s) == DKEX_OK &&
                       dkex_sm3_update(&s, r->args[arg].p, r->args[arg].len) == DKEX_OK &&
                       dkex_sm3_final(&s, out) == DKEX_OK)
        reason = NULL;
    if (reason == NULL)
        eval_put(r, out, len);
    if (xof)
        OPENSSL_clear_free(out, len + 1);
    dkex_sm3_close(&s);
    return reason;
}

static const char *serve_sm3(struct request *r)
{
    const char *reason = eval_decode(r, 1);

    if (strcmp(r->words[0], "-") != 0)
        return "the first word must be -";
    return reason != NULL ? reason : sm3_digest(r, 1, 0, 0);
}

static const char *serve_xof(struct request *r)
{
    const char *reason = eval_decode(r, 2);
    const char *digits = r->words[1];
    unsigned long len;

    if (strcmp(r->words[0], "-") != 0)
        return "the first word must be -";
    if (strlen(digits) == 0 || strlen(digits) > 7 || strspn(digits, "0123456789") != strlen(digits))
        return "bad number";
    if ((len = strtoul(digits, NULL, 10)) > MAX_XOF_BYTES)
        return "too long";
    return reason != NULL ? reason : sm3_digest(r, 2, len, 1);
}

/* The set "44" or "87" of word 0, with the kernels that --cpu names. */
static const char *mldsa_set(struct dkex_suite *suite, const struct request *r)
{
    const char *word = r->words[0];
    size_t set = strcmp(word, "44") == 0 ? 0 : 1;

    if (set == 1 && strcmp(word, "87") != 0)
        return "unknown set";
    return dkex_suite_bind(suite, &dkex_params[set], r->cpu) == DKEX_OK
               ? NULL
               : dkex_status_string(DKEX_ERR_UNAVAILABLE);
}

static const char *serve_keygen(struct request *r)
{
    uint8_t pk[DKEX_MAX_PUB_BYTES], sk[DKEX_MAX_PRIV_BYTES];
    struct dkex_suite suite;
    const char *reason = mldsa_set(&suite, r);

    if (reason != NULL || (reason = eval_decode_exact(r, 1, MLDSA_SEED_BYTES)) != NULL)
        return reason;
    dkex_key_generate(&suite, pk, sk, r->args[1].p);
    eval_put(r, pk, suite.params->pub_len);
    eval_put(r, sk, suite.params->priv_len);
    OPENSSL_cleanse(sk, sizeof(sk));
    return NULL;
}

static const char *serve_sign(struct request *r)
{
    static const uint8_t deterministic[MLDSA_RND_BYTES];
    uint8_t pk[DKEX_MAX_PUB_BYTES], sig[MLDSA_MAX_SIG_BYTES], mu[MLDSA_MU_BYTES];
    const int raw = strcmp(r->words[2], "raw") == 0;
    const uint8_t *sk, *tr, *rnd = deterministic;
    struct dkex_suite suite;
    const char *reason = mldsa_set(&suite, r);

    if (reason != NULL || (reason = eval_decode_exact(r, 1, suite.params->priv_len)) != NULL ||
        (!raw && (reason = eval_decode(r, 2)) != NULL) || (reason = eval_decode(r, 3)) != NULL ||
        (reason = eval_decode(r, 4)) != NULL)
        return reason;
    if (r->args[4].len == MLDSA_RND_BYTES)
        rnd = r->args[4].p;
    else if (r->args[4].len != 0)
        return bad_length;
    if (!raw && r->args[2].len > MLDSA_MAX_CONTEXT_BYTES)
        return "context too long";

    sk = r->args[1].p;
    tr = sk + MLDSA_TR_OFFSET;
    if (dkex_key_check(&suite, pk, sk) != DKEX_OK)
        return dkex_status_string(DKEX_ERR_KEY);
    if (raw)
        dkex_mldsa_mu_internal(mu, tr, r->args[3].p, r->args[3].len);
    else
        dkex_mldsa_mu(mu, tr, r->args[2].p, r->args[2].len, r->args[3].p, r->args[3].len);
    if (dkex_mldsa_sign(suite.params->mldsa, suite.mldsa, sig, sk, mu, rnd) != DKEX_OK)
        return dkex_status_string(DKEX_ERR_SIGNING);
    eval_put(r, sig, suite.params->mldsa->sig_len);
    return NULL;
}

static const char *serve_verify(struct request *r)
{
    const int raw = strcmp(r->words[2], "raw") == 0;
    uint8_t tr[MLDSA_TR_BYTES], mu[MLDSA_MU_BYTES];
    struct dkex_suite suite;
    const char *reason = mldsa_set(&suite, r);
    int ok;

    if (reason != NULL || (reason = eval_decode(r, 1)) != NULL ||
        (!raw && (reason = eval_decode(r, 2)) != NULL) || (reason = eval_decode(r, 3)) != NULL ||
        (reason = eval_decode(r, 4)) != NULL)
        return reason;
    ok = r->args[1].len == suite.params->pub_len &&
         r->args[4].len == suite.params->mldsa->sig_len &&
         (raw || r->args[2].len <= MLDSA_MAX_CONTEXT_BYTES);
    if (ok) {
        dkex_mldsa_tr(suite.params->mldsa, tr, r->args[1].p);
        if (raw)
            dkex_mldsa_mu_internal(mu, tr, r->args[3].p, r->args[3].len);
        else
            dkex_mldsa_mu(mu, tr, r->args[2].p, r->args[2].len, r->args[3].p, r->args[3].len);
        ok = dkex_mldsa_verify(suite.params->mldsa, suite.mldsa, r->args[1].p, mu, r->args[4].p) ==
             DKEX_OK;
    }
    eval_put_word(r, ok ? "ok" : "bad");
    return NULL;
}

static const char *serve_check(struct request *r)
{
    uint8_t pk[DKEX_MAX_PUB_BYTES];
    struct dkex_suite suite;
    const char *reason = mldsa_set(&suite, r);

    if (reason != NULL || (reason = eval_decode(r, 1)) != NULL)
        return reason;
    eval_put_word(r, r->args[1].len == suite.params->priv_len &&
                             dkex_key_check(&suite, pk, r->args[1].p) == DKEX_OK
                         ? "ok"
                         : "bad");
    return NULL;
}

const struct verb eval_primitive_verbs[] = {
    {"sm3", "- MSG: DIGEST", 2, 2, serve_sm3},
    {"xof", "- LEN MSG: OUTPUT", 3, 3, serve_xof},
    {"mldsa-keygen", "44|87 SEED: PK SK", 2, 2, serve_keygen},
    {"mldsa-sign", "44|87 SK CTX|raw MSG RND: SIG", 5, 5, serve_sign},
    {"mldsa-verify", "44|87 PK CTX|raw MSG SIG: ok|bad", 5, 5, serve_verify},
    {"mldsa-check", "44|87 SK: ok|bad", 2, 2, serve_check},
    {NULL, NULL, 0, 0, NULL},
};
