/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One side of a session under test. party_core.c is the core's state machine, with each backend in
 * turn; party_evp.c is the provider through libcrypto alone. A program links one of them.
 * Signatures are deterministic. What a party does wrong in itself fails the running test; what it
 * refuses is a result.
 */
#ifndef VECTORS_PARTY_H
#define VECTORS_PARTY_H

#include "common.h"

enum party_role { PARTY_A, PARTY_B };

struct party;

/* The i-th variant to test; NULL past the last. */
const char *party_variant(size_t i);

/* A party of "DKEX-..." with its identity key from own_seed (32 bytes) and with the coins that its
 * one pass draws, started. */
struct party *party_open(const char *variant, const char *set, enum party_role role,
                         const struct vector_bytes *own_seed, const struct vector_bytes *coins);
void party_close(struct party *p);

/* Gives the peer's identity, and hands over a message: 1 if taken, 0 if refused. */
int party_set_peer(struct party *p, const struct vector_bytes *seed);
int party_step(struct party *p, const struct vector_bytes *message);

/* The message to send, or the secret: 1, or 0 if there is none, with out empty. */
int party_out(struct party *p, struct vector_bytes *out);
int party_secret(struct party *p, struct vector_bytes *secret);

/* What is awaited: "m1", "m2", "m3"; or "complete", "failed". */
const char *party_state(struct party *p);

/* A copy, or NULL where copying is refused. */
struct party *party_dup(const struct party *p);

/* Looks inside, where the variant lets: all is erased; raw and T are as given. */
void party_assert_wiped(const struct party *p);
void party_assert_inside(const struct party *p, const struct vector_bytes *raw,
                         const struct vector_bytes *transcript);

#endif
