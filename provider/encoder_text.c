/* SPDX-License-Identifier: Apache-2.0 */
/* Keys for reading: as `openssl pkey -text` shows ML-DSA keys, in full. */
#include "encoder.h"

#include <string.h>

#include <openssl/bio.h>

#include "key.h"

static OSSL_FUNC_encoder_newctx_fn new_text;
static OSSL_FUNC_encoder_freectx_fn free_text;
static OSSL_FUNC_encoder_does_selection_fn does_selection;
static OSSL_FUNC_encoder_encode_fn encode;

enum { INDENT = 4, OCTETS_A_LINE = 15 };

/* 0..9, a..f without a table, which a secret would index. */
static char hex_digit(unsigned nibble)
{
    const unsigned to_letters = 'a' - '9' - 1;

    return (char)('0' + nibble + (((9 - nibble) >> 8) & to_letters));
}

/* A line of up to OCTETS_A_LINE octets; `more`: a colon joins it to the next. */
static int print_line(BIO *out, const uint8_t *octets, size_t len, int more)
{
    char line[INDENT + 3 * OCTETS_A_LINE + 1];
    size_t n = INDENT;
    int ok;

    memset(line, ' ', INDENT);
    for (size_t i = 0; i < len; i++) {
        line[n++] = hex_digit(octets[i] >> 4);
        line[n++] = hex_digit(octets[i] & 15);
        if (more || i + 1 < len)
            line[n++] = ':';
    }
    line[n++] = '\n';
    ok = BIO_write(out, line, (int)n) == (int)n;
    OPENSSL_cleanse(line, sizeof(line));
    return ok;
}

static int print_block(BIO *out, const char *label, const uint8_t *octets, size_t len)
{
    int ok = BIO_printf(out, "%s:\n", label) > 0;

    for (size_t i = 0; i < len && ok; i += OCTETS_A_LINE) {
        size_t n = len - i < OCTETS_A_LINE ? len - i : OCTETS_A_LINE;

        ok = print_line(out, octets + i, n, i + n < len);
    }
    return ok;
}

static int print_key(BIO *out, const struct key *key, int private)
{
    const struct dkex_params *p = key->suite->params;
    const struct key_secret *secret = private ? key->secret : NULL;

    if (BIO_printf(out, "%s %s-Key:\n", p->name, private ? "Private" : "Public") <= 0)
        return 0;
    if (secret != NULL && secret->has_seed &&
        !print_block(out, "seed", secret->seed, DKEX_SEED_BYTES))
        return 0;
    if (secret != NULL && !print_block(out, "priv", secret->priv, p->priv_len))
        return 0;
    return print_block(out, "pub", key->pub, p->pub_len);
}

/* There is nothing to keep between calls. */
static void *new_text(void *provctx)
{
    return provctx;
}

static void free_text(void *ctx)
{
    (void)ctx;
}

static int does_selection(void *provctx, int selection)
{
    (void)provctx;
    return encoder_wants_private(selection) || encoder_wants_public(selection);
}

static int encode(void *ctx, OSSL_CORE_BIO *core_out, const void *object,
                  const OSSL_PARAM abstract[], int selection, OSSL_PASSPHRASE_CALLBACK *callback,
                  void *arg)
{
    const struct provider *prov = ctx;
    const struct key *key = object;
    const int private = encoder_wants_private(selection);
    BIO *out;
    int ok;

    (void)callback;
    (void)arg;
    if (abstract != NULL || key == NULL || !key->has_pub)
        return RAISE(prov, REASON_KEY_MISSING);
    if (private && key->secret == NULL)
        return RAISE(prov, REASON_PRIVATE_KEY_REQUIRED);
    if ((out = BIO_new_from_core_bio(prov->child, core_out)) == NULL)
        return RAISE(prov, REASON_MEMORY);
    ok = print_key(out, key, private) ? 1 : RAISE(prov, REASON_ENCODING);
    BIO_free(out);
    return ok;
}

const OSSL_DISPATCH encoder_text[] = {
    {OSSL_FUNC_ENCODER_NEWCTX, (void (*)(void))new_text},
    {OSSL_FUNC_ENCODER_FREECTX, (void (*)(void))free_text},
    {OSSL_FUNC_ENCODER_DOES_SELECTION, (void (*)(void))does_selection},
    {OSSL_FUNC_ENCODER_ENCODE, (void (*)(void))encode},
    {0, NULL},
};
