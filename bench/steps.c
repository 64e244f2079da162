/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

#include <stdio.h>
#include <string.h>

#include <openssl/rand.h>

#include "timing.h"
#include "warm.h"

#define BIT(op) (1u << (op))

const char *const speed_op_names[SPEED_OPS + 1] = {
    "init_a", "init_b", "pass1", "pass2", "pass3", "derive_a", "derive_b", "exchange", NULL,
};
const char *const speed_keys_names[] = {"cold", "warm", NULL};

static enum dkex_status init(struct speed_exchange *x, struct speed_side *s)
{
    dkex_key_generate(x->suite, s->pub, s->priv, s->seed);
    s->made = (struct dkex_key){.pub = s->pub, .priv = s->priv};
    return DKEX_OK;
}

static enum dkex_status init_a(struct speed_exchange *x)
{
    return init(x, &x->a);
}

static enum dkex_status init_b(struct speed_exchange *x)
{
    return init(x, &x->b);
}

static enum dkex_status open_start(struct speed_exchange *x, struct speed_side *s,
                                   enum dkex_role role)
{
    enum dkex_status status = dkex_handshake_open(&s->hs, x->suite, x->sm3, s->key);

    return status != DKEX_OK ? status : dkex_handshake_start(&s->hs, role, s->coins);
}

/* Takes what the other side has to send. */
static enum dkex_status step(struct speed_side *s, const struct speed_side *from)
{
    return dkex_handshake_step(&s->hs, from->hs.out, from->hs.out_len, s->coins, s->rnd);
}

static enum dkex_status pass1(struct speed_exchange *x)
{
    return open_start(x, &x->a, DKEX_ROLE_INITIATOR);
}

static enum dkex_status pass2(struct speed_exchange *x)
{
    enum dkex_status status;

    if ((status = open_start(x, &x->b, DKEX_ROLE_RESPONDER)) != DKEX_OK ||
        (status = dkex_handshake_set_peer(&x->b.hs, x->a.key)) != DKEX_OK)
        return status;
    return step(&x->b, &x->a);
}

static enum dkex_status pass3(struct speed_exchange *x)
{
    enum dkex_status status = dkex_handshake_set_peer(&x->a.hs, x->b.key);

    return status != DKEX_OK ? status : step(&x->a, &x->b);
}

static enum dkex_status derive_a(struct speed_exchange *x)
{
    return dkex_handshake_secret(&x->a.hs, x->a.secret);
}

static enum dkex_status derive_b(struct speed_exchange *x)
{
    enum dkex_status status = step(&x->b, &x->a);

    return status != DKEX_OK ? status : dkex_handshake_secret(&x->b.hs, x->b.secret);
}

static enum dkex_status (*const operations[SPEED_EXCHANGE])(struct speed_exchange *x) = {
    init_a, init_b, pass1, pass2, pass3, derive_a, derive_b,
};

enum dkex_status speed_step(struct speed_exchange *x, enum speed_op op)
{
    return operations[op](x);
}

void speed_exchange_close(struct speed_exchange *x)
{
    dkex_handshake_close(&x->a.hs);
    dkex_handshake_close(&x->b.hs);
}

static int random_bytes(uint8_t *out, int len)
{
    if (RAND_bytes(out, len) == 1)
        return 0;
    fprintf(stderr, "dkex-speed: libcrypto gives no random bytes\n");
    return -1;
}

static int make_key(struct dkex_key *key, const struct dkex_suite *suite)
{
    uint8_t seed[DKEX_SEED_BYTES], pub[DKEX_MAX_PUB_BYTES], priv[DKEX_MAX_PRIV_BYTES];

    if (random_bytes(seed, sizeof(seed)) != 0)
        return -1;
    dkex_key_generate(suite, pub, priv, seed);
    if (warm_key_make(key, suite, pub, priv) == 0)
        return 0;
    fprintf(stderr, "dkex-speed: out of memory\n");
    return -1;
}

int speed_pair_make(struct speed_pair *pair, const struct dkex_suite *suite)
{
    return make_key(&pair->a, suite) == 0 ? make_key(&pair->b, suite) : -1;
}

int speed_prepare(void *run)
{
    struct speed_run *r = run;

    if (r->keys != SPEED_WARM || (r->steps & BIT(SPEED_PASS1)) == 0)
        return 0;
    for (size_t i = 0; i < SPEED_PAIRS; i++) {
        if (speed_pair_make(&r->pairs[i], r->suite) != 0)
            return -1;
    }
    return 0;
}

unsigned speed_steps_for(const int op[SPEED_OPS], enum speed_keys keys)
{
    enum {
        INITS = BIT(SPEED_INIT_A) | BIT(SPEED_INIT_B),
        TO_PASS2 = INITS | BIT(SPEED_PASS1) | BIT(SPEED_PASS2),
        ALL = BIT(SPEED_EXCHANGE) - 1,
    };
    static const unsigned needs[SPEED_OPS] = {
        [SPEED_INIT_A] = BIT(SPEED_INIT_A),
        [SPEED_INIT_B] = BIT(SPEED_INIT_B),
        [SPEED_PASS1] = BIT(SPEED_INIT_A) | BIT(SPEED_PASS1),
        [SPEED_PASS2] = TO_PASS2,
        [SPEED_PASS3] = TO_PASS2 | BIT(SPEED_PASS3),
        [SPEED_DERIVE_A] = ALL,
        [SPEED_DERIVE_B] = ALL,
        [SPEED_EXCHANGE] = ALL,
    };
    unsigned steps = 0;

    for (unsigned i = 0; i < SPEED_OPS; i++) {
        const int prepared = keys == SPEED_WARM && i >= SPEED_PASS1 && i <= SPEED_DERIVE_B;

        if (op[i])
            steps |= prepared ? needs[i] & ~(unsigned)INITS : needs[i];
    }
    return steps;
}

uint64_t speed_min_exchanges(unsigned steps)
{
    return steps & BIT(SPEED_PASS3) ? 500 : 1000; /* pass 2 signs, and so does pass 3 */
}

static int timed(uint64_t *ticks, struct speed_exchange *x, unsigned steps)
{
    for (unsigned i = 0; i < SPEED_EXCHANGE; i++) {
        uint64_t begin, spent;
        enum dkex_status status;

        if ((steps & BIT(i)) == 0)
            continue;
        begin = timing_ticks();
        status = operations[i](x);
        spent = timing_ticks() - begin;
        if (status != DKEX_OK) {
            fprintf(stderr, "dkex-speed: %s: %s failed: %s\n", x->suite->params->name,
                    speed_op_names[i], dkex_status_string(status));
            return -1;
        }
        ticks[i] += spent;
        ticks[SPEED_EXCHANGE] += spent;
    }
    if ((steps & BIT(SPEED_DERIVE_B)) != 0 &&
        memcmp(x->a.secret, x->b.secret, x->suite->params->n_len) != 0) {
        fprintf(stderr, "dkex-speed: %s: the secrets differ\n", x->suite->params->name);
        return -1;
    }
    return 0;
}

static int draw(struct speed_side *s)
{
    return random_bytes(s->seed, sizeof(s->seed)) == 0 &&
                   random_bytes(s->coins, sizeof(s->coins)) == 0
               ? random_bytes(s->rnd, sizeof(s->rnd))
               : -1;
}

int speed_exchange(uint64_t *ticks, void *run)
{
    struct speed_run *r = run;
    const struct speed_pair *pair = &r->pairs[r->exchanges++ / SPEED_PAIR_USES % SPEED_PAIRS];
    struct speed_exchange x = {.suite = r->suite, .sm3 = r->sm3};
    int result = -1;

    x.a.key = r->keys == SPEED_WARM ? &pair->a : &x.a.made;
    x.b.key = r->keys == SPEED_WARM ? &pair->b : &x.b.made;
    if (draw(&x.a) == 0 && draw(&x.b) == 0)
        result = timed(ticks, &x, r->steps);
    speed_exchange_close(&x);
    return result;
}
