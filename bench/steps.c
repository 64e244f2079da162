/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

#include <stdio.h>
#include <string.h>

#include <openssl/rand.h>

#include "timing.h"

const char *const speed_op_names[SPEED_OPS] = {
    "init_a", "init_b", "pass1", "pass2", "pass3", "derive_a", "derive_b", "exchange",
};

struct side {
    uint8_t seed[DKEX_SEED_BYTES];
    uint8_t coins[DKEX_MAX_COINS_BYTES];
    uint8_t rnd[DKEX_RND_BYTES];
    uint8_t pub[DKEX_MAX_PUB_BYTES], priv[DKEX_MAX_PRIV_BYTES];
    struct dkex_key key;
    struct dkex_handshake hs;
    uint8_t secret[DKEX_MAX_SECRET_BYTES];
};

struct exchange {
    const struct dkex_suite *suite;
    const struct evp_md_st *sm3;
    struct side a, b;
};

static enum dkex_status init(struct exchange *x, struct side *s)
{
    dkex_key_generate(x->suite, s->pub, s->priv, s->seed);
    s->key = (struct dkex_key){.pub = s->pub, .priv = s->priv};
    return DKEX_OK;
}

static enum dkex_status init_a(struct exchange *x)
{
    return init(x, &x->a);
}

static enum dkex_status init_b(struct exchange *x)
{
    return init(x, &x->b);
}

static enum dkex_status open_start(struct exchange *x, struct side *s, enum dkex_role role)
{
    enum dkex_status status = dkex_handshake_open(&s->hs, x->suite, x->sm3, &s->key);

    return status != DKEX_OK ? status : dkex_handshake_start(&s->hs, role, s->coins);
}

/* Takes what the other side has to send. */
static enum dkex_status step(struct side *s, const struct side *from)
{
    return dkex_handshake_step(&s->hs, from->hs.out, from->hs.out_len, s->coins, s->rnd);
}

static enum dkex_status pass1(struct exchange *x)
{
    return open_start(x, &x->a, DKEX_ROLE_INITIATOR);
}

static enum dkex_status pass2(struct exchange *x)
{
    enum dkex_status status;

    if ((status = open_start(x, &x->b, DKEX_ROLE_RESPONDER)) != DKEX_OK ||
        (status = dkex_handshake_set_peer(&x->b.hs, &x->a.key)) != DKEX_OK)
        return status;
    return step(&x->b, &x->a);
}

static enum dkex_status pass3(struct exchange *x)
{
    enum dkex_status status = dkex_handshake_set_peer(&x->a.hs, &x->b.key);

    return status != DKEX_OK ? status : step(&x->a, &x->b);
}

static enum dkex_status derive_a(struct exchange *x)
{
    return dkex_handshake_secret(&x->a.hs, x->a.secret);
}

static enum dkex_status derive_b(struct exchange *x)
{
    enum dkex_status status = step(&x->b, &x->a);

    return status != DKEX_OK ? status : dkex_handshake_secret(&x->b.hs, x->b.secret);
}

static enum dkex_status (*const operations[SPEED_EXCHANGE])(struct exchange *x) = {
    init_a, init_b, pass1, pass2, pass3, derive_a, derive_b,
};

static int draw(struct side *s)
{
    return RAND_bytes(s->seed, sizeof(s->seed)) == 1 &&
           RAND_bytes(s->coins, sizeof(s->coins)) == 1 && RAND_bytes(s->rnd, sizeof(s->rnd)) == 1;
}

static int timed(uint64_t ticks[SPEED_OPS], struct exchange *x)
{
    for (size_t i = 0; i < SPEED_EXCHANGE; i++) {
        uint64_t begin = speed_ticks();
        enum dkex_status status = operations[i](x);
        uint64_t spent = speed_ticks() - begin;

        if (status != DKEX_OK) {
            fprintf(stderr, "dkex-speed: %s: %s failed: %s\n", x->suite->params->name,
                    speed_op_names[i], dkex_status_string(status));
            return -1;
        }
        ticks[i] += spent;
        ticks[SPEED_EXCHANGE] += spent;
    }
    if (memcmp(x->a.secret, x->b.secret, x->suite->params->n_len) != 0) {
        fprintf(stderr, "dkex-speed: %s: the secrets differ\n", x->suite->params->name);
        return -1;
    }
    return 0;
}

int speed_exchange(uint64_t ticks[SPEED_OPS], const struct dkex_suite *suite,
                   const struct evp_md_st *sm3)
{
    struct exchange x = {.suite = suite, .sm3 = sm3};
    int result = -1;

    if (draw(&x.a) && draw(&x.b))
        result = timed(ticks, &x);
    else
        fprintf(stderr, "dkex-speed: libcrypto gives no random bytes\n");
    dkex_handshake_close(&x.a.hs);
    dkex_handshake_close(&x.b.hs);
    return result;
}
