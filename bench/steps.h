/* SPDX-License-Identifier: Apache-2.0 */
/* One exchange, cut into the operations that are timed. */
#ifndef SPEED_STEPS_H
#define SPEED_STEPS_H

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

extern const char *const speed_op_names[SPEED_OPS];

/*
 * Runs one exchange with new identity keys, coins and signing randomness from libcrypto, and adds
 * the ticks (timing.h) of each operation to ticks. 0, or -1 after printing what failed: an
 * operation, or the two secrets differ.
 */
int speed_exchange(uint64_t ticks[SPEED_OPS], const struct dkex_suite *suite,
                   const struct evp_md_st *sm3);

#endif
