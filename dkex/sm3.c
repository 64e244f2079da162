/* SPDX-License-Identifier: Apache-2.0 */
#include "sm3.h"

#include <string.h>

#include <openssl/evp.h>

#include "ct.h"

enum dkex_status dkex_sm3_open(struct dkex_sm3 *s, const struct evp_md_st *md)
{
    s->md = md;
    s->ctx = EVP_MD_CTX_new();
    s->prefix = EVP_MD_CTX_new();
    if (s->ctx != NULL && s->prefix != NULL)
        return DKEX_OK;
    dkex_sm3_close(s);
    return DKEX_ERR_SM3;
}

void dkex_sm3_close(struct dkex_sm3 *s)
{
    EVP_MD_CTX_free(s->ctx);
    EVP_MD_CTX_free(s->prefix);
    *s = (struct dkex_sm3){0};
}

void dkex_sm3_wipe(struct dkex_sm3 *s)
{
    if (s->ctx != NULL)
        EVP_MD_CTX_reset(s->ctx);
    if (s->prefix != NULL)
        EVP_MD_CTX_reset(s->prefix);
}

enum dkex_status dkex_sm3_init(struct dkex_sm3 *s)
{
    return EVP_DigestInit_ex(s->prefix, s->md, NULL) ? DKEX_OK : DKEX_ERR_SM3;
}

enum dkex_status dkex_sm3_update(struct dkex_sm3 *s, const void *data, size_t len)
{
    return EVP_DigestUpdate(s->prefix, data, len) ? DKEX_OK : DKEX_ERR_SM3;
}

enum dkex_status dkex_sm3_final(struct dkex_sm3 *s, uint8_t *digest)
{
    return EVP_DigestFinal_ex(s->prefix, digest, NULL) ? DKEX_OK : DKEX_ERR_SM3;
}

static void store_counter(uint8_t out[4], uint32_t counter)
{
    out[0] = (uint8_t)(counter >> 24);
    out[1] = (uint8_t)(counter >> 16);
    out[2] = (uint8_t)(counter >> 8);
    out[3] = (uint8_t)counter;
}

enum dkex_status dkex_sm3_counter(struct dkex_sm3 *s, uint8_t *out, const uint8_t *suffix,
                                  size_t suffix_len, uint32_t first, size_t blocks)
{
    uint8_t tail[SM3_MAX_SUFFIX_BYTES + 4];

    if (suffix_len > 0)
        memcpy(tail, suffix, suffix_len);
    for (size_t i = 0; i < blocks; i++) {
        store_counter(tail + suffix_len, first + (uint32_t)i);
        if (!EVP_MD_CTX_copy_ex(s->ctx, s->prefix) ||
            !EVP_DigestUpdate(s->ctx, tail, suffix_len + 4) ||
            !EVP_DigestFinal_ex(s->ctx, out + i * SM3_BYTES, NULL))
            return DKEX_ERR_SM3;
    }
    return DKEX_OK;
}

enum dkex_status dkex_sm3_hash(struct dkex_sm3 *s, uint8_t *out, size_t out_len)
{
    if (out_len == SM3_BYTES)
        return dkex_sm3_final(s, out);
    return dkex_sm3_counter(s, out, NULL, 0, 1, out_len / SM3_BYTES);
}

enum dkex_status dkex_sm3_xof(struct dkex_sm3 *s, uint8_t *out, size_t out_len, const uint8_t *msg,
                              size_t msg_len)
{
    size_t whole = out_len / SM3_BYTES, rest = out_len % SM3_BYTES;
    uint8_t last[SM3_BYTES];
    enum dkex_status status;

    if ((status = dkex_sm3_init(s)) != DKEX_OK ||
        (status = dkex_sm3_update(s, msg, msg_len)) != DKEX_OK ||
        (status = dkex_sm3_counter(s, out, NULL, 0, 1, whole)) != DKEX_OK || rest == 0)
        return status;
    status = dkex_sm3_counter(s, last, NULL, 0, (uint32_t)whole + 1, 1);
    if (status == DKEX_OK)
        memcpy(out + whole * SM3_BYTES, last, rest);
    dkex_cleanse(last, sizeof(last));
    return status;
}
