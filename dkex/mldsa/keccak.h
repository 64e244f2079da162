/* SPDX-License-Identifier: Apache-2.0 */
/* SHAKE128 and SHAKE256 (FIPS 202), incremental: libcrypto 3.0 cannot squeeze twice. */
#ifndef DKEX_MLDSA_KECCAK_H
#define DKEX_MLDSA_KECCAK_H

#include <stddef.h>
#include <stdint.h>

enum { SHAKE128_RATE = 168, SHAKE256_RATE = 136 }; /* bytes */

struct keccak {
    uint64_t lane[25];
    unsigned rate;
    unsigned pos; /* bytes absorbed into or squeezed from the present block */
};

/* The permutation Keccak-f[1600], lane (x, y) at x + 5y. */
void dkex_keccak_f1600(uint64_t state[25]);

/* In this order: init; absorb any number of times; finish; squeeze any number of times; wipe if
 * anything absorbed was secret. Constant time; lengths are public. */
void dkex_keccak_init(struct keccak *k, unsigned rate);
void dkex_keccak_absorb(struct keccak *k, const uint8_t *in, size_t len);
void dkex_keccak_finish(struct keccak *k);
void dkex_keccak_squeeze(struct keccak *k, uint8_t *out, size_t len);
void dkex_keccak_wipe(struct keccak *k);

/* SHAKE256(in, out_len) at once. The state is not wiped: for public data. */
void dkex_shake256(uint8_t *out, size_t out_len, const uint8_t *in, size_t in_len);

#endif
