/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DKEX, an authenticated key exchange in three messages.
 *
 * The one public header of the core. The core is deterministic: coins and signing randomness come
 * in from the caller. It allocates nothing (libcrypto does, inside its digest contexts), does no
 * input or output and has no mutable global, so any two objects may be used by two threads at once.
 *
 *     A: open, start(INITIATOR, coins) -> m1    set_peer    step(m2) -> m3    secret
 *     B: open, start(RESPONDER)                 set_peer    step(m1) -> m2    step(m3)    secret
 *
 * A function that refuses a call (wrong order, wrong length, missing key) changes nothing. A step
 * that has begun and fails wipes the handshake and leaves it in DKEX_STATE_FAILED for good.
 */
#ifndef DKEX_DKEX_H
#define DKEX_DKEX_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define DKEX_MUST_CHECK __attribute__((warn_unused_result))
#else
#define DKEX_MUST_CHECK
#endif

/* libcrypto's EVP_MD and EVP_MD_CTX, named without its headers. */
struct evp_md_st;
struct evp_md_ctx_st;

enum dkex_status {
    DKEX_OK = 0,
    DKEX_ERR_ROLE_NOT_SET,
    DKEX_ERR_PRIVATE_KEY_REQUIRED,
    DKEX_ERR_PEER_NOT_SET,
    DKEX_ERR_PEER_FIXED,      /* a message has used the peer's key */
    DKEX_ERR_PEER_IS_OWN_KEY, /* a reflection */
    DKEX_ERR_ORDER,           /* message out of order, or nothing to send */
    DKEX_ERR_LENGTH,          /* message of the wrong length */
    DKEX_ERR_MALFORMED,       /* m1 with a coefficient of q or more */
    DKEX_ERR_SIGNATURE,       /* verification failed */
    DKEX_ERR_INCOMPLETE,      /* no secret yet */
    DKEX_ERR_FAILED,          /* the handshake failed in an earlier call */
    DKEX_ERR_KEY,             /* private key that FIPS 204 key generation cannot have made */
    DKEX_ERR_SM3,             /* libcrypto's SM3 failed, for want of memory as a rule */
    DKEX_ERR_SIGNING,         /* no signature within the bound on attempts, below 2^-256 */
    DKEX_ERR_UNAVAILABLE,     /* no such instruction set in this build or machine */
    DKEX_ERR_SELF_TEST,       /* a known answer does not come out */
};

/* The reason in a few lower-case words; static storage, never NULL. */
const char *dkex_status_string(enum dkex_status status);

/* Sizes in bytes of the largest parameter set; those of one set are in struct dkex_params. */
enum {
    DKEX_SEED_BYTES = 32, /* of an identity key */
    DKEX_RND_BYTES = 32,  /* of a signature; all zero for the deterministic variant */
    DKEX_MAX_PUB_BYTES = 2592,
    DKEX_MAX_PRIV_BYTES = 4896,
    DKEX_MAX_M1_BYTES = 3392,
    DKEX_MAX_M2_BYTES = 7699,
    DKEX_MAX_M3_BYTES = 4627,
    DKEX_MAX_EPHEMERAL_BYTES = 3328,
    DKEX_MAX_COINS_BYTES = 128,
    DKEX_MAX_SECRET_BYTES = 64,
};

struct dkex_params;
struct dkex_suite;

/* expand.h: what verifying and signing compute from a key alone, kept by whoever uses it again. */
struct mldsa_expanded_public;
struct mldsa_expanded_private;

/*
 * An identity key: FIPS 204 encodings of pub_len and priv_len bytes (struct dkex_params), and, for
 * a warm key, its expanded forms, made with the same suite. All are borrowed and must outlive every
 * handshake that uses them. `priv` and `expanded_priv` are secret. `priv` is NULL where only the
 * public half is known; it must come from dkex_key_generate or have passed dkex_key_check. Either
 * expanded form may be NULL: then every signature or verification makes its own, on the stack.
 */
struct dkex_key {
    const uint8_t *pub;
    const uint8_t *priv;
    const struct mldsa_expanded_public *expanded_pub;
    const struct mldsa_expanded_private *expanded_priv;
};

/* Bytes of the expanded forms for that set: at most DKEX_MAX_EXPANDED_BYTES, and memory aligned to
 * DKEX_EXPANDED_ALIGN bytes is what the two functions below want. */
enum { DKEX_MAX_EXPANDED_BYTES = 80 * 1024, DKEX_EXPANDED_ALIGN = 64 };
size_t dkex_key_expanded_pub_len(const struct dkex_suite *suite);
size_t dkex_key_expanded_priv_len(const struct dkex_suite *suite);

/* Expand pub into, or a checked priv (secret: so is the result) into, memory of these lengths. */
void dkex_key_expand_pub(struct mldsa_expanded_public *expanded, const struct dkex_suite *suite,
                         const uint8_t *pub);
void dkex_key_expand_priv(struct mldsa_expanded_private *expanded, const struct dkex_suite *suite,
                          const uint8_t *priv);

/* FIPS 204 Algorithm 6, ML-DSA.KeyGen_internal. seed: DKEX_SEED_BYTES, secret. No aliasing. */
void dkex_key_generate(const struct dkex_suite *suite, uint8_t *pub, uint8_t *priv,
                       const uint8_t *seed);

/*
 * Checks the encoding of priv (s1 and s2 within range; t0 and tr as recomputed) and writes the
 * public half to pub. DKEX_ERR_KEY otherwise, with pub zeroed. No aliasing.
 */
DKEX_MUST_CHECK enum dkex_status dkex_key_check(const struct dkex_suite *suite, uint8_t *pub,
                                                const uint8_t *priv);

enum dkex_role { DKEX_ROLE_NONE = 0, DKEX_ROLE_INITIATOR, DKEX_ROLE_RESPONDER };

/* What the handshake waits for. */
enum dkex_state {
    DKEX_STATE_ROLE = 0,
    DKEX_STATE_M1,
    DKEX_STATE_M2,
    DKEX_STATE_M3,
    DKEX_STATE_COMPLETE,
    DKEX_STATE_FAILED,
};

/* Reused digest contexts over one fetched SM3; see sm3.h. Owned by the object that holds it. */
struct dkex_sm3 {
    const struct evp_md_st *md;
    struct evp_md_ctx_st *ctx;    /* the digest under way */
    struct evp_md_ctx_st *prefix; /* the state after a shared prefix */
};

/*
 * One side of one session. Fields may be read, by the vector tools above all, and are written by
 * the functions below only. `ephemeral`, `raw` are secret; `transcript` and `out` are public.
 */
struct dkex_handshake {
    const struct dkex_suite *suite;
    struct dkex_sm3 sm3;
    struct dkex_key own, peer;
    enum dkex_role role;
    enum dkex_state state;
    size_t out_len;                              /* 0: nothing to send */
    uint8_t out[DKEX_MAX_M2_BYTES];              /* the message to send next */
    uint8_t ephemeral[DKEX_MAX_EPHEMERAL_BYTES]; /* A, until m2 is answered: sk_e */
    uint8_t raw[DKEX_MAX_SECRET_BYTES];          /* N bytes */
    uint8_t transcript[DKEX_MAX_SECRET_BYTES];   /* T, N bytes */
};

/*
 * Prepares hs, whatever it held, for dkex_handshake_start. own: the own identity; sm3: libcrypto's
 * SM3, fetched by the caller; both and the suite are borrowed. PRIVATE_KEY_REQUIRED without own's
 * private half; SM3 without memory. After a failure hs needs no close.
 */
DKEX_MUST_CHECK enum dkex_status dkex_handshake_open(struct dkex_handshake *hs,
                                                     const struct dkex_suite *suite,
                                                     const struct evp_md_st *sm3,
                                                     const struct dkex_key *own);

/* Wipes hs and frees its digest contexts. A zeroed or closed hs is let be. */
void dkex_handshake_close(struct dkex_handshake *hs);

/*
 * Sets the role, INITIATOR or RESPONDER; as INITIATOR makes m1 (pass 1), so that m2 is awaited.
 * coins: as many secret bytes as dkex_handshake_coins_len says, unused (may be NULL) as RESPONDER.
 * ORDER unless a role is awaited, ROLE_NOT_SET for DKEX_ROLE_NONE, FAILED; SM3 ends the handshake.
 */
DKEX_MUST_CHECK enum dkex_status dkex_handshake_start(struct dkex_handshake *hs,
                                                      enum dkex_role role, const uint8_t *coins);

/*
 * Sets or replaces the peer's identity (its public half), before or after start and until a
 * message has used it. PEER_FIXED, PEER_IS_OWN_KEY, FAILED.
 */
DKEX_MUST_CHECK enum dkex_status dkex_handshake_set_peer(struct dkex_handshake *hs,
                                                         const struct dkex_key *peer);

/* Coins that starting in `role`, or answering the awaited message (role NONE), uses up: S for
 * the initiator's start, S + n/8 for m1, else 0. */
size_t dkex_handshake_coins_len(const struct dkex_handshake *hs, enum dkex_role role);

/*
 * Whether step would take a message of in_len bytes now: ROLE_NOT_SET, ORDER, FAILED,
 * PEER_NOT_SET, LENGTH (in this order) are what step itself refuses with. Changes nothing: a
 * caller asks before it draws random bytes.
 */
DKEX_MUST_CHECK enum dkex_status dkex_handshake_accepts(const struct dkex_handshake *hs,
                                                        size_t in_len);

/*
 * Takes the peer's next message, verifies it and makes the answer (hs->out), if any. in: public,
 * in_len bytes, not within hs; coins: dkex_handshake_coins_len bytes, secret, may be NULL if 0;
 * rnd: DKEX_RND_BYTES of signing randomness for m1 and m2, unused (may be NULL) for m3.
 * MALFORMED, SIGNATURE, SM3 and SIGNING end the handshake.
 */
DKEX_MUST_CHECK enum dkex_status dkex_handshake_step(struct dkex_handshake *hs, const uint8_t *in,
                                                     size_t in_len, const uint8_t *coins,
                                                     const uint8_t *rnd);

/*
 * secret = H(raw || T), N bytes, the same on every call. INCOMPLETE before DKEX_STATE_COMPLETE,
 * FAILED after a failure; SM3 ends the handshake.
 */
DKEX_MUST_CHECK enum dkex_status dkex_handshake_secret(struct dkex_handshake *hs, uint8_t *secret);

/* Wipes everything secret and ends the handshake: for a caller whose random generator failed. */
void dkex_handshake_fail(struct dkex_handshake *hs);

/*
 * Copies src to dst, whatever dst held. ORDER while src holds an ephemeral secret or waits for an
 * answer to one (an initiator before m2 is answered, a responder between m1 and m3): two copies
 * could answer twice. SM3 without memory; dst then needs no close.
 */
DKEX_MUST_CHECK enum dkex_status dkex_handshake_dup(struct dkex_handshake *dst,
                                                    const struct dkex_handshake *src);

#endif
