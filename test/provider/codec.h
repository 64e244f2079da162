/* SPDX-License-Identifier: Apache-2.0 */
/* Keys to octets and back, through OSSL_ENCODER and OSSL_DECODER. */
#ifndef TEST_CODEC_H
#define TEST_CODEC_H

#include <stdlib.h>
#include <string.h>
#include <openssl/bio.h>
#include <openssl/decoder.h>
#include <openssl/encoder.h>
#include "evp_session.h"

/* The object identifiers as published. */
static const char *const codec_oids[TP_SETS] = {
    "2.25.93019003715413745512199926777891503120",
    "2.25.113691447904452069577286745124469767005",
    "2.25.49728702950228134750048225536356582974",
};

enum { CODEC_ROOM = 40000 }; /* the text of the largest key is shorter */

struct octets {
    size_t len;
    uint8_t bytes[CODEC_ROOM];
};

/* 1, or 0 with *out empty. structure, cipher: may be NULL. */
static inline int codec_encode(struct octets *out, EVP_PKEY *key, int selection, const char *format,
                               const char *structure, const char *cipher, const char *passphrase)
{
    OSSL_ENCODER_CTX *ctx = OSSL_ENCODER_CTX_new_for_pkey(key, selection, format, structure, NULL);
    unsigned char *data = NULL;
    int ok = ctx != NULL;

    out->len = 0;
    ok = ok && (cipher == NULL || OSSL_ENCODER_CTX_set_cipher(ctx, cipher, NULL));
    ok = ok &&
         (passphrase == NULL || OSSL_ENCODER_CTX_set_passphrase(
                                    ctx, (const unsigned char *)passphrase, strlen(passphrase)));
    ok = ok && OSSL_ENCODER_to_data(ctx, &data, &out->len) && out->len <= CODEC_ROOM;
    if (ok)
        memcpy(out->bytes, data, out->len);
    OPENSSL_clear_free(data, out->len);
    OSSL_ENCODER_CTX_free(ctx);
    return ok;
}

/*
 * The key in those octets, NULL if there is none. format: NULL for any. They are copied to a block
 * of just their size, whose end the sanitizer watches.
 */
static inline EVP_PKEY *codec_decode(OSSL_LIB_CTX *lib, const uint8_t *in, size_t len,
                                     int selection, const char *format, const char *passphrase)
{
    EVP_PKEY *key = NULL;
    OSSL_DECODER_CTX *ctx =
        OSSL_DECODER_CTX_new_for_pkey(&key, format, NULL, NULL, selection, lib, NULL);
    uint8_t *copy = malloc(len + (len == 0));
    const unsigned char *at = copy;

    if (ctx != NULL && copy != NULL) {
        if (passphrase != NULL)
            OSSL_DECODER_CTX_set_passphrase(ctx, (const unsigned char *)passphrase,
                                            strlen(passphrase));
        if (len != 0)
            memcpy(copy, in, len);
        if (!OSSL_DECODER_from_data(ctx, &at, &len) && key != NULL)
            abort(); /* failed, and a key all the same */
    }
    free(copy);
    OSSL_DECODER_CTX_free(ctx);
    return key;
}

#endif
