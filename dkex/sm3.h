/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libcrypto's SM3 (GB/T 32905-2016) behind the few calls that the core needs. sm3.c is the one
 * file of the core that includes an OpenSSL header.
 *
 * A fetched EVP_MD is borrowed and the contexts are reused, since fetching costs more than a
 * digest and allocating a part of one. The order of calls: init, update..., then any number of
 * digests of (what was absorbed) || suffix, each from a copy of the state, so that a prefix is
 * hashed once.
 */
#ifndef DKEX_SM3_H
#define DKEX_SM3_H

#include "dkex.h"

enum {
    SM3_BYTES = 32,
    SM3_BLOCK_BYTES = 64,
    SM3_MAX_SUFFIX_BYTES = 2,
};

/* All return DKEX_OK or DKEX_ERR_SM3. Data may be secret; lengths are public. */

/* Allocates the two contexts over md, which is borrowed. On failure s needs no close. */
DKEX_MUST_CHECK enum dkex_status dkex_sm3_open(struct dkex_sm3 *s, const struct evp_md_st *md);

/* Frees the contexts, cleansed. A zeroed or closed s is let be. */
void dkex_sm3_close(struct dkex_sm3 *s);

/* Cleanses the digest state in both contexts, which stay usable. */
void dkex_sm3_wipe(struct dkex_sm3 *s);

/* Starts a new prefix and forgets the one before. */
DKEX_MUST_CHECK enum dkex_status dkex_sm3_init(struct dkex_sm3 *s);
DKEX_MUST_CHECK enum dkex_status dkex_sm3_update(struct dkex_sm3 *s, const void *data, size_t len);

/* SM3(prefix): digest of SM3_BYTES. Ends the prefix: init comes next. */
DKEX_MUST_CHECK enum dkex_status dkex_sm3_final(struct dkex_sm3 *s, uint8_t *digest);

/*
 * blocks digests SM3(prefix || suffix || counter), counter = first, first + 1, ... in four bytes,
 * big-endian: blocks * SM3_BYTES bytes of the key derivation function of GB/T 32918.4, 5.4.3.
 * suffix_len <= SM3_MAX_SUFFIX_BYTES; the suffix is public. The prefix stays.
 */
DKEX_MUST_CHECK enum dkex_status dkex_sm3_counter(struct dkex_sm3 *s, uint8_t *out,
                                                  const uint8_t *suffix, size_t suffix_len,
                                                  uint32_t first, size_t blocks);

/* H of the protocol over the prefix: SM3 for out_len = 32, counters 1 and 2 for out_len = 64.
 * Ends the prefix. */
DKEX_MUST_CHECK enum dkex_status dkex_sm3_hash(struct dkex_sm3 *s, uint8_t *out, size_t out_len);

/* XOF(msg, out_len), any lengths: msg with counters from 1, cut. Replaces the prefix. */
DKEX_MUST_CHECK enum dkex_status dkex_sm3_xof(struct dkex_sm3 *s, uint8_t *out, size_t out_len,
                                              const uint8_t *msg, size_t msg_len);

#endif
