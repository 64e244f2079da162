/* SPDX-License-Identifier: Apache-2.0 */
/* Keys written as DER, PEM and text, and read back. */
#include <stdio.h>
#include <openssl/err.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include "codec.h"

static struct octets out, again;

/* Both halves equal octet for octet, and the seed known to both or to neither. */
static void same(EVP_PKEY *a, EVP_PKEY *b)
{
    static const char *const names[] = {"pub", "priv", "seed"};
    uint8_t x[TP_MAX_KEY], y[TP_MAX_KEY];

    assert_string_equal(EVP_PKEY_get0_type_name(a), EVP_PKEY_get0_type_name(b));
    for (size_t i = 0; i < 3; i++) {
        size_t x_len = 0, y_len = 0;
        int has = EVP_PKEY_get_octet_string_param(a, names[i], x, sizeof(x), &x_len);

        assert_int_equal(EVP_PKEY_get_octet_string_param(b, names[i], y, sizeof(y), &y_len), has);
        assert_int_equal(x_len, y_len);
        assert_memory_equal(x, y, x_len);
    }
    ERR_clear_error();
}

static EVP_PKEY *without_seed(const struct tp_set *set, EVP_PKEY *key)
{
    uint8_t priv[TP_MAX_KEY];
    OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string("priv", priv, set->priv_len),
                           OSSL_PARAM_construct_end()};
    EVP_PKEY *copy;

    tp_ok(EVP_PKEY_get_octet_string_param(key, "priv", priv, sizeof(priv), NULL));
    tp_ok((copy = tp_key_import(tp_shared.ctx, set->name, EVP_PKEY_KEYPAIR, params)) != NULL);
    return copy;
}

static const char *const formats[] = {"DER", "PEM"};

/* Writes, reads, compares, and writes the same octets again. */
static void there_and_back(EVP_PKEY *key, int selection, const char *structure,
                           const char *first_line)
{
    for (size_t i = 0; i < 2; i++) {
        EVP_PKEY *read;

        tp_ok(codec_encode(&out, key, selection, formats[i], structure, NULL, NULL));
        if (i == 1)
            assert_memory_equal(out.bytes, first_line, strlen(first_line));
        tp_ok((read = codec_decode(tp_shared.ctx, out.bytes, out.len, selection, NULL, NULL)) !=
              NULL);
        same(key, read);
        tp_ok(codec_encode(&again, read, selection, formats[i], structure, NULL, NULL));
        assert_int_equal(out.len, again.len);
        assert_memory_equal(out.bytes, again.bytes, out.len);
        EVP_PKEY_free(read);
    }
}

static void round_trip(void **state)
{
    const struct tp_set *set = *state;
    EVP_PKEY *key = tp_key_generate(tp_shared.ctx, set->name);
    EVP_PKEY *expanded = without_seed(set, key);
    EVP_PKEY *half = tp_key_public_half(tp_shared.ctx, set->name, key);

    there_and_back(key, EVP_PKEY_KEYPAIR, "PrivateKeyInfo", "-----BEGIN PRIVATE KEY-----\n");
    there_and_back(key, EVP_PKEY_KEYPAIR, NULL, "-----BEGIN PRIVATE KEY-----\n");
    there_and_back(expanded, EVP_PKEY_KEYPAIR, "PrivateKeyInfo", "-----BEGIN PRIVATE KEY-----\n");
    there_and_back(half, EVP_PKEY_PUBLIC_KEY, "SubjectPublicKeyInfo",
                   "-----BEGIN PUBLIC KEY-----\n");
    EVP_PKEY_free(key);
    EVP_PKEY_free(expanded);
    EVP_PKEY_free(half);
}

static void encrypted(void **state)
{
    const struct tp_set *set = *state;
    static const char *const structures[] = {"EncryptedPrivateKeyInfo", "PrivateKeyInfo"};
    static const char *const ciphers[] = {"AES-256-CBC", "AES-192-CFB", "DES-EDE3-CBC"};
    static const char first_line[] = "-----BEGIN ENCRYPTED PRIVATE KEY-----\n";
    EVP_PKEY *key = tp_key_generate(tp_shared.ctx, set->name);

    for (unsigned i = 0; i < 12; i++) {
        const char *format = formats[i & 1], *cipher = ciphers[i >> 2];
        const char *structure = structures[i >> 1 & 1];
        EVP_PKEY *read;

        tp_ok(codec_encode(&out, key, EVP_PKEY_KEYPAIR, format, structure, cipher, "pass"));
        if (i & 1)
            assert_memory_equal(out.bytes, first_line, sizeof(first_line) - 1);
        tp_ok((read = codec_decode(tp_shared.ctx, out.bytes, out.len, EVP_PKEY_KEYPAIR, NULL,
                                   "pass")) != NULL);
        same(key, read);
        EVP_PKEY_free(read);
        assert_null(
            codec_decode(tp_shared.ctx, out.bytes, out.len, EVP_PKEY_KEYPAIR, NULL, "wrong"));
        ERR_clear_error();
        /* Salt and IV are fresh each time. */
        tp_ok(codec_encode(&again, key, EVP_PKEY_KEYPAIR, format, structure, cipher, "pass"));
        assert_memory_not_equal(out.bytes, again.bytes, out.len);
    }
    EVP_PKEY_free(key);
}

/* The functions that programs call rather than those. */
static void older_functions(void **state)
{
    const struct tp_set *set = *state;
    EVP_PKEY *key = tp_key_generate(tp_shared.ctx, set->name), *read;
    EVP_PKEY *half = tp_key_public_half(tp_shared.ctx, set->name, key);
    PKCS8_PRIV_KEY_INFO *info;
    unsigned char *der = NULL;
    const unsigned char *at;
    int len;
    BIO *bio = BIO_new(BIO_s_mem());

    assert_true((len = i2d_PUBKEY(key, &der)) > 0);
    at = der;
    tp_ok((read = d2i_PUBKEY_ex(NULL, &at, len, tp_shared.ctx, NULL)) != NULL);
    same(half, read);
    EVP_PKEY_free(read);
    OPENSSL_free(der);

    der = NULL;
    assert_true((len = i2d_PrivateKey(key, &der)) > 0);
    at = der;
    tp_ok((read = d2i_AutoPrivateKey_ex(NULL, &at, len, tp_shared.ctx, NULL)) != NULL);
    assert_ptr_equal(at, der + len);
    same(key, read);
    EVP_PKEY_free(read);
    OPENSSL_free(der);

    tp_ok((info = EVP_PKEY2PKCS8(key)) != NULL);
    tp_ok((read = EVP_PKCS82PKEY_ex(info, tp_shared.ctx, NULL)) != NULL);
    same(key, read);
    EVP_PKEY_free(read);
    PKCS8_PRIV_KEY_INFO_free(info);

    tp_ok(PEM_write_bio_PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL));
    tp_ok(PEM_write_bio_PUBKEY(bio, key));
    tp_ok((read = PEM_read_bio_PrivateKey_ex(bio, NULL, NULL, NULL, tp_shared.ctx, NULL)) != NULL);
    same(key, read);
    EVP_PKEY_free(read);
    tp_ok((read = PEM_read_bio_PUBKEY_ex(bio, NULL, NULL, NULL, tp_shared.ctx, NULL)) != NULL);
    same(half, read);
    EVP_PKEY_free(read);
    BIO_free(bio);
    EVP_PKEY_free(key);
    EVP_PKEY_free(half);
}

/* The lengths that RFC 9881's structures have, the OIDs as published, no parameters. */
static void structures(void **state)
{
    const struct tp_set *set = *state;
    EVP_PKEY *key = tp_key_generate(tp_shared.ctx, set->name);
    EVP_PKEY *expanded = without_seed(set, key);
    ASN1_OBJECT *oid = OBJ_txt2obj(codec_oids[set - tp_sets], 1);
    uint8_t algorithm[64] = {0x30}, *at = algorithm + 2;
    size_t len = (size_t)i2d_ASN1_OBJECT(oid, &at);

    algorithm[1] = (uint8_t)len;
    len += 2;
    tp_ok(codec_encode(&out, key, EVP_PKEY_PUBLIC_KEY, "DER", "SubjectPublicKeyInfo", NULL, NULL));
    assert_int_equal(out.len, 4 + len + 4 + 1 + set->pub_len);
    assert_memory_equal(out.bytes + 4, algorithm, len);
    tp_ok(codec_encode(&out, key, EVP_PKEY_KEYPAIR, "DER", "PrivateKeyInfo", NULL, NULL));
    assert_int_equal(out.len, 4 + 3 + len + 4 + 4 + (2 + TP_SEED) + (4 + set->priv_len));
    assert_memory_equal(out.bytes + 7, algorithm, len);
    tp_ok(codec_encode(&out, expanded, EVP_PKEY_KEYPAIR, "DER", "PrivateKeyInfo", NULL, NULL));
    assert_int_equal(out.len, 4 + 3 + len + 4 + 4 + set->priv_len);
    ASN1_OBJECT_free(oid);
    EVP_PKEY_free(key);
    EVP_PKEY_free(expanded);
}

static void add_block(char *text, const char *label, EVP_PKEY *key, const char *name)
{
    uint8_t octets[TP_MAX_KEY];
    size_t len;

    tp_ok(EVP_PKEY_get_octet_string_param(key, name, octets, sizeof(octets), &len));
    text += sprintf(text, "%s:", label);
    for (size_t i = 0; i < len; i++)
        text += sprintf(text, "%s%02x%s", i % 15 == 0 ? "\n    " : "", octets[i],
                        i + 1 < len ? ":" : "\n");
}

static void text(void **state)
{
    const struct tp_set *set = *state;
    EVP_PKEY *key = tp_key_generate(tp_shared.ctx, set->name);
    EVP_PKEY *expanded = without_seed(set, key);
    static char expected[CODEC_ROOM];

    sprintf(expected, "%s Private-Key:\n", set->name);
    add_block(expected + strlen(expected), "seed", key, "seed");
    add_block(expected + strlen(expected), "priv", key, "priv");
    add_block(expected + strlen(expected), "pub", key, "pub");
    tp_ok(codec_encode(&out, key, EVP_PKEY_KEYPAIR, "TEXT", NULL, NULL, NULL));
    assert_int_equal(out.len, strlen(expected));
    assert_memory_equal(out.bytes, expected, out.len);

    sprintf(expected, "%s Private-Key:\n", set->name);
    add_block(expected + strlen(expected), "priv", key, "priv");
    add_block(expected + strlen(expected), "pub", key, "pub");
    tp_ok(codec_encode(&out, expanded, EVP_PKEY_KEYPAIR, "TEXT", NULL, NULL, NULL));
    assert_int_equal(out.len, strlen(expected));
    assert_memory_equal(out.bytes, expected, out.len);

    sprintf(expected, "%s Public-Key:\n", set->name);
    add_block(expected + strlen(expected), "pub", key, "pub");
    tp_ok(codec_encode(&out, key, EVP_PKEY_PUBLIC_KEY, "TEXT", NULL, NULL, NULL));
    assert_int_equal(out.len, strlen(expected));
    assert_memory_equal(out.bytes, expected, out.len);
    EVP_PKEY_free(key);
    EVP_PKEY_free(expanded);
}

static int no_passphrase(char *buffer, int size, int writing, void *arg)
{
    (void)buffer;
    (void)size;
    (void)writing;
    (void)arg;
    return -1;
}

/* What can't be written says why, and writes nothing. */
static void refused(void **state)
{
    const struct tp_set *set = *state;
    EVP_PKEY *key = tp_key_generate(tp_shared.ctx, set->name);
    EVP_PKEY *half = tp_key_public_half(tp_shared.ctx, set->name, key);
    OSSL_ENCODER_CTX *ctx;
    BIO *bio = BIO_new_mem_buf("", 0); /* read only */
    unsigned char *data = NULL;
    size_t len = 0;
    struct {
        const char *format, *structure;
    } kinds[] = {{"DER", "PrivateKeyInfo"}, {"PEM", "PrivateKeyInfo"}, {"TEXT", NULL}};

    for (size_t i = 0; i < 3; i++) {
        tp_refused(codec_encode(&out, half, EVP_PKEY_KEYPAIR, kinds[i].format, kinds[i].structure,
                                NULL, NULL),
                   "private key required");
        ctx = OSSL_ENCODER_CTX_new_for_pkey(key, EVP_PKEY_KEYPAIR, kinds[i].format,
                                            kinds[i].structure, NULL);
        tp_refused(OSSL_ENCODER_to_bio(ctx, bio), "writing the key failed");
        OSSL_ENCODER_CTX_free(ctx);
    }
    BIO_free(bio);
    tp_refused(
        codec_encode(&out, key, EVP_PKEY_KEYPAIR, "PEM", "EncryptedPrivateKeyInfo", NULL, "pass"),
        "cipher not available");
    /* A caller who overlooks that the cipher was refused gets no key in the clear. */
    ctx = OSSL_ENCODER_CTX_new_for_pkey(key, EVP_PKEY_KEYPAIR, "PEM", "PrivateKeyInfo", NULL);
    assert_false(OSSL_ENCODER_CTX_set_cipher(ctx, "no-such-cipher", NULL));
    /* libcrypto asks each of its encoders, and each says so. */
    assert_string_equal(ERR_reason_error_string(ERR_peek_last_error()), "cipher not available");
    ERR_clear_error();
    tp_refused(OSSL_ENCODER_to_data(ctx, &data, &len), "cipher not available");
    assert_null(data);
    tp_ok(OSSL_ENCODER_CTX_set_cipher(ctx, "AES-256-CBC", NULL));
    tp_ok(OSSL_ENCODER_CTX_set_pem_password_cb(ctx, no_passphrase, NULL));
    tp_refused(OSSL_ENCODER_to_data(ctx, &data, &len), "no pass phrase");
    assert_null(data);
    tp_ok(OSSL_ENCODER_CTX_set_cipher(ctx, "AES-256-GCM", NULL)); /* PBES2 has no place for tags */
    tp_ok(OSSL_ENCODER_CTX_set_passphrase(ctx, (const unsigned char *)"pass", 4));
    tp_refused(OSSL_ENCODER_to_data(ctx, &data, &len), "encryption failed");
    assert_null(data);
    OSSL_ENCODER_CTX_free(ctx);
    EVP_PKEY_free(key);
    EVP_PKEY_free(half);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TP_EACH_SET(round_trip), TP_EACH_SET(encrypted), TP_EACH_SET(older_functions),
        TP_EACH_SET(structures), TP_EACH_SET(text),      TP_EACH_SET(refused),
    };

    return cmocka_run_group_tests(tests, tp_shared_open, tp_shared_close);
}
