/* SPDX-License-Identifier: Apache-2.0 */
#include "drbg.h"

#include <string.h>

#include <openssl/crypto.h>

enum { OUT_LEN = 32 };

/* digest = SM3(prefix || data); a negative prefix is none. */
static int hash(struct drbg *d, uint8_t digest[OUT_LEN], int prefix, const uint8_t *data,
                size_t len)
{
    uint8_t byte = (uint8_t)prefix;

    return EVP_DigestInit_ex(d->ctx, d->md, NULL) &&
           (prefix < 0 || EVP_DigestUpdate(d->ctx, &byte, 1)) &&
           EVP_DigestUpdate(d->ctx, data, len) && EVP_DigestFinal_ex(d->ctx, digest, NULL);
}

/* Hash_df (10.3.1) to 440 bits: two digests of counter || 440 || material. */
static int hash_df(struct drbg *d, uint8_t out[DRBG_SEED_LEN], const uint8_t *material, size_t len)
{
    uint8_t input[5 + 1 + DRBG_SEED_LEN + DRBG_RECORD_SEED_BYTES];
    uint8_t digests[2][OUT_LEN];
    int ok = len <= sizeof(input) - 5;

    if (!ok)
        return 0;
    memcpy(input, (const uint8_t[5]){0, 0, 0, (8 * DRBG_SEED_LEN) >> 8, (8 * DRBG_SEED_LEN) & 255},
           5);
    memcpy(input + 5, material, len);
    for (uint8_t i = 0; i < 2 && ok; i++) {
        input[0] = (uint8_t)(i + 1);
        ok = hash(d, digests[i], -1, input, 5 + len);
    }
    if (ok)
        memcpy(out, digests, DRBG_SEED_LEN);
    OPENSSL_cleanse(input, sizeof(input));
    OPENSSL_cleanse(digests, sizeof(digests));
    return ok;
}

/* v += addend mod 2^440, both big-endian; addend has len bytes. */
static void add(uint8_t v[DRBG_SEED_LEN], const uint8_t *addend, size_t len)
{
    unsigned carry = 0;

    for (size_t i = 0; i < DRBG_SEED_LEN; i++) {
        uint8_t *byte = &v[DRBG_SEED_LEN - 1 - i];

        carry += *byte + (i < len ? addend[len - 1 - i] : 0u);
        *byte = (uint8_t)carry;
        carry >>= 8;
    }
}

static void add_number(uint8_t v[DRBG_SEED_LEN], uint64_t number)
{
    uint8_t bytes[8];

    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)(number >> (56 - 8 * i));
    add(v, bytes, sizeof(bytes));
}

int drbg_open(struct drbg *d, const EVP_MD *md, const uint8_t *seed, size_t seed_len)
{
    uint8_t material[1 + DRBG_SEED_LEN] = {0};
    int ok;

    *d = (struct drbg){.ctx = EVP_MD_CTX_new(), .md = md, .counter = 1};
    ok = d->ctx != NULL && hash_df(d, d->v, seed, seed_len);
    if (ok) {
        memcpy(material + 1, d->v, DRBG_SEED_LEN);
        ok = hash_df(d, d->c, material, sizeof(material));
    }
    OPENSSL_cleanse(material, sizeof(material));
    return ok;
}

int drbg_generate(struct drbg *d, uint8_t *out, size_t len)
{
    uint8_t data[DRBG_SEED_LEN], digest[OUT_LEN];
    int ok = 1;

    memcpy(data, d->v, sizeof(data));
    while (len > 0 && ok) {
        size_t part = len < OUT_LEN ? len : OUT_LEN;

        ok = hash(d, digest, -1, data, sizeof(data));
        memcpy(out, digest, part);
        add_number(data, 1);
        out += part;
        len -= part;
    }
    ok = ok && hash(d, digest, 3, d->v, sizeof(d->v));
    if (ok) {
        add(d->v, digest, sizeof(digest));
        add(d->v, d->c, sizeof(d->c));
        add_number(d->v, d->counter++);
    }
    OPENSSL_cleanse(data, sizeof(data));
    OPENSSL_cleanse(digest, sizeof(digest));
    return ok;
}

void drbg_close(struct drbg *d)
{
    EVP_MD_CTX_free(d->ctx);
    OPENSSL_cleanse(d, sizeof(*d));
}
