/* SPDX-License-Identifier: Apache-2.0 */
/* An exchange through the core, cut into the operations that are timed. */
#ifndef BENCH_STEPS_H
#define BENCH_STEPS_H

#include "suite.h"

enum speed_op {
    SPEED_INIT_A = 0, /* identity key of the initiator */
    SPEED_INIT_B,     /* of the responder */
    SPEED_PASS1,      /* A: open, start */
    SPEED_PASS2,      /* B: open, start, set_peer, step(m1) */
    SPEED_PASS3,      /* A: set_peer, step(m2) */
    SPEED_DERIVE_A,   /* A: secret */
    SPEED_DERIVE_B,   /* B: step(m3), secret */
    SPEED_EXCHANGE,   /* all of these */
    SPEED_OPS,
};

enum speed_keys { SPEED_COLD = 0, SPEED_WARM };

extern const char *const speed_op_names[SPEED_OPS + 1]; /* the last is NULL */
extern const char *const speed_keys_names[];            /* the same */

/* What one side has, and `key`, the identity that its passes use: `made` or a prepared one. */
struct speed_side {
    uint8_t seed[DKEX_SEED_BYTES];
    uint8_t coins[DKEX_MAX_COINS_BYTES];
    uint8_t rnd[DKEX_RND_BYTES];
    uint8_t pub[DKEX_MAX_PUB_BYTES], priv[DKEX_MAX_PRIV_BYTES];
    struct dkex_key made; /* by init: pub and priv */
    const struct dkex_key *key;
    struct dkex_handshake hs;
    uint8_t secret[DKEX_MAX_SECRET_BYTES];
};

/* Zeroed but for these pointers to begin with; then randomness and keys of both sides. */
struct speed_exchange {
    const struct dkex_suite *suite;
    const struct evp_md_st *sm3;
    struct speed_side a, b;
};

/* One operation of them in turn, up to SPEED_DERIVE_B. */
enum dkex_status speed_step(struct speed_exchange *x, enum speed_op op);

void speed_exchange_close(struct speed_exchange *x);

/* Two identities, prepared once; what else can be prepared for a pair of them belongs here too. */
struct speed_pair {
    struct dkex_key a, b;
};

/* New keys from libcrypto's random bytes. 0, or -1 after printing what failed. */
int speed_pair_make(struct speed_pair *pair, const struct dkex_suite *suite);

enum { SPEED_PAIRS = 16, SPEED_PAIR_USES = 32 };

/* A trial's exchanges. The first fields are given, the others zero to begin with. */
struct speed_run {
    const struct dkex_suite *suite;
    const struct evp_md_st *sm3;
    enum speed_keys keys;
    unsigned steps; /* of speed_steps_for */
    uint64_t exchanges;
    struct speed_pair pairs[SPEED_PAIRS]; /* if warm */
};

/* The operations, as bits, that must run so that the chosen ones can be timed. An exchange that
 * gets to a secret runs to its end, where both secrets are compared. */
unsigned speed_steps_for(const int op[SPEED_OPS], enum speed_keys keys);

/* How often a trial runs them at least: until there are 1000 signatures, or, of steps without any,
 * 1000 runs. One key or message must not decide. */
uint64_t speed_min_exchanges(unsigned steps);

/* For struct timing_job, with a speed_run as state: makes the pairs; runs the steps once and adds
 * the ticks of each, and of all, at its place in speed_op. */
int speed_prepare(void *run);
int speed_exchange(uint64_t *ticks, void *run);

#endif
