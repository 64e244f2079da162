/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hash_DRBG of SP 800-90A (10.1.1) over SM3 with a seed length of 440 bits, as the official vector
 * files use it: the seed is the whole seed material; no nonce, personalisation, additional input or
 * reseeding. For vectors only: a seed from a file is no entropy.
 */
#ifndef KAT_DRBG_H
#define KAT_DRBG_H

#include <stddef.h>
#include <stdint.h>

#include <openssl/evp.h>

enum { DRBG_SEED_LEN = 55, DRBG_RECORD_SEED_BYTES = 64 };

struct drbg {
    EVP_MD_CTX *ctx;
    const EVP_MD *md;
    uint8_t v[DRBG_SEED_LEN], c[DRBG_SEED_LEN];
    uint64_t counter;
};

/* 1 on success, 0 if libcrypto fails. md is borrowed; close frees what open took, also after 0. */
int drbg_open(struct drbg *d, const EVP_MD *md, const uint8_t *seed, size_t seed_len);
int drbg_generate(struct drbg *d, uint8_t *out, size_t len);
void drbg_close(struct drbg *d);

#endif
