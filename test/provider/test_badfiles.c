/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that hold no key, or a bad one: refused, with the provider's reason where the file says
 * that it is a DKEX key and with libcrypto's alone where it doesn't.
 */
#include <stdio.h>
#include <openssl/err.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include "codec.h"
#include "rng.h"

/* s1 in a FIPS 204 private key: eta - x in three bits each, of which 5, 6, 7 stand for nothing. */
enum { KEY_S1 = 128, NOISE = 10 * 1024 * 1024 };

static struct octets file, good;

static EVP_PKEY *decode(const struct octets *in, int selection)
{
    return codec_decode(tp_shared.ctx, in->bytes, in->len, selection, NULL, NULL);
}

/* No key, and no entry of the provider in the queue. */
static void not_ours_as(const char *format, const uint8_t *in, size_t len, int selection)
{
    unsigned long code;

    assert_null(codec_decode(tp_shared.ctx, in, len, selection, format, NULL));
    assert_int_not_equal(ERR_peek_error(), 0);
    while ((code = ERR_get_error()) != 0)
        assert_true(ERR_SYSTEM_ERROR(code) || ERR_GET_LIB(code) < ERR_LIB_USER);
}

static void not_ours(const uint8_t *in, size_t len, int selection)
{
    not_ours_as(NULL, in, len, selection);
    not_ours_as("DER", in, len, selection);
    not_ours_as("PEM", in, len, selection);
}

/* What to put into a structure. */
enum part { ABSENT = 0, WHOLE, SHORT, LONG, EMPTY, CHANGED };

struct recipe {
    const char *reason; /* NULL: it must load */
    enum part seed, priv, pub;
    uint8_t version;
    int parameters;   /* a NULL, as RSA keys have it */
    int unused_bits;  /* in the public key's BIT STRING */
    int after_choice; /* a byte within privateKey */
    int extra;        /* a NULL at the end of the outer SEQUENCE */
    int after;        /* a byte after it */
    uint8_t form_tag; /* instead of the right one */
};

/* Puts tag and length before the octets from start on. */
static void wrap(struct octets *o, size_t start, uint8_t tag)
{
    const size_t len = o->len - start;
    uint8_t head[4] = {tag, (uint8_t)len};
    size_t n = 2;

    if (len >= 0x100) {
        head[1] = 0x82;
        head[2] = (uint8_t)(len >> 8);
        head[3] = (uint8_t)len;
        n = 4;
    } else if (len >= 0x80) {
        head[1] = 0x81;
        head[2] = (uint8_t)len;
        n = 3;
    }
    memmove(o->bytes + start + n, o->bytes + start, len);
    memcpy(o->bytes + start, head, n);
    o->len += n;
}

static void put(struct octets *o, uint8_t octet)
{
    o->bytes[o->len++] = octet;
}

static void put_part(struct octets *o, EVP_PKEY *key, const char *name, enum part how)
{
    uint8_t octets[TP_MAX_KEY + 1] = {0};
    size_t len;

    tp_ok(EVP_PKEY_get_octet_string_param(key, name, octets, TP_MAX_KEY, &len));
    if (how == CHANGED)
        octets[*name == 'p' && name[1] == 'r' ? KEY_S1 : 0] |= 7;
    len = how == EMPTY ? 0 : how == SHORT ? len - 1 : how == LONG ? len + 1 : len;
    memcpy(o->bytes + o->len, octets, len);
    o->len += len;
}

static void put_algorithm(struct octets *o, const struct tp_set *set, int parameters)
{
    ASN1_OBJECT *oid = OBJ_txt2obj(codec_oids[set - tp_sets], 1);
    const size_t start = o->len;
    uint8_t *at = o->bytes + start;

    o->len += (size_t)i2d_ASN1_OBJECT(oid, &at);
    ASN1_OBJECT_free(oid);
    if (parameters) {
        put(o, 0x05);
        put(o, 0);
    }
    wrap(o, start, 0x30);
}

static void put_public(struct octets *o, EVP_PKEY *key, const struct recipe *r, uint8_t tag)
{
    const size_t start = o->len;

    put(o, (uint8_t)r->unused_bits);
    put_part(o, key, "pub", r->pub);
    wrap(o, start, tag);
}

static void put_choice(struct octets *o, EVP_PKEY *key, const struct recipe *r)
{
    const size_t start = o->len;
    const int both = r->seed != ABSENT && r->priv != ABSENT;
    size_t inner = start;

    if (r->seed != ABSENT) {
        put_part(o, key, "seed", r->seed);
        wrap(o, start, r->form_tag && !both ? r->form_tag : both ? 0x04 : 0x80);
        inner = o->len;
    }
    if (r->priv != ABSENT) {
        put_part(o, key, "priv", r->priv);
        wrap(o, inner, r->form_tag && !both ? r->form_tag : 0x04);
    }
    if (both)
        wrap(o, start, r->form_tag ? r->form_tag : 0x30);
    if (r->after_choice)
        put(o, 0);
    wrap(o, start, 0x04);
}

static void put_end(struct octets *o, const struct recipe *r)
{
    if (r->extra) {
        put(o, 0x05);
        put(o, 0);
    }
    wrap(o, 0, 0x30);
    if (r->after)
        put(o, 0);
}

static void build_private(struct octets *o, const struct tp_set *set, EVP_PKEY *key,
                          const struct recipe *r)
{
    o->len = 0;
    put(o, r->version);
    wrap(o, 0, 0x02);
    put_algorithm(o, set, r->parameters);
    put_choice(o, key, r);
    if (r->pub != ABSENT)
        put_public(o, key, r, 0x81);
    put_end(o, r);
}

static void build_public(struct octets *o, const struct tp_set *set, EVP_PKEY *key,
                         const struct recipe *r)
{
    o->len = 0;
    put_algorithm(o, set, r->parameters);
    put_public(o, key, r, 0x03);
    put_end(o, r);
}

/* As DER, and as PEM through the function that programs call. */
static void judge(const struct octets *o, EVP_PKEY *key, int selection, const char *reason)
{
    const int private = selection == EVP_PKEY_KEYPAIR;

    if (reason != NULL && *reason == '\0') {
        not_ours(o->bytes, o->len, selection);
        return;
    }
    for (int pem = 0; pem < 2; pem++) {
        EVP_PKEY *read;

        if (!pem) {
            read = decode(o, selection);
        } else {
            BIO *bio = BIO_new(BIO_s_mem());

            PEM_write_bio(bio, private ? "PRIVATE KEY" : "PUBLIC KEY", "", o->bytes, (long)o->len);
            read = private ? PEM_read_bio_PrivateKey_ex(bio, NULL, NULL, NULL, tp_shared.ctx, NULL)
                           : PEM_read_bio_PUBKEY_ex(bio, NULL, NULL, NULL, tp_shared.ctx, NULL);
            BIO_free(bio);
        }
        if (reason != NULL && *reason == '*') {
            assert_null(read);
            assert_int_not_equal(ERR_peek_error(), 0);
            ERR_clear_error();
            continue;
        }
        if (reason != NULL) {
            tp_refused(read != NULL, reason);
            continue;
        }
        tp_ok(read != NULL);
        assert_int_equal(EVP_PKEY_eq(read, key), 1);
        EVP_PKEY_free(read);
    }
}

#define PARAMETERS "algorithm parameters where none belong"
#define TRAILING "bytes after the end of a private key"
#define FORM "private key is neither seed nor expanded key nor both"
#define SEED_MISMATCH "seed and key do not match"
#define KEY_MISMATCH "public and private key do not match"
#define KEY_LENGTH "bad key length"
#define SEED_LENGTH "bad seed length"
#define REFUSED "*" /* by the provider or, in its later versions, by libcrypto before */
#define NOT_OURS "" /* no reason of the provider */
#define UNUSED "unused bits in a public key"

static void private_keys(void **state)
{
    static const struct recipe recipes[] = {
        {.seed = WHOLE},
        {.priv = WHOLE},
        {.seed = WHOLE, .priv = WHOLE},
        {.version = 1, .seed = WHOLE, .pub = WHOLE},
        {.version = 1, .priv = WHOLE, .pub = WHOLE},
        {.version = 1, .seed = WHOLE, .priv = WHOLE, .pub = WHOLE},
        {FORM, .seed = ABSENT},
        {SEED_LENGTH, .seed = EMPTY},
        {SEED_LENGTH, .seed = SHORT},
        {SEED_LENGTH, .seed = LONG},
        {SEED_LENGTH, .seed = SHORT, .priv = WHOLE},
        {SEED_LENGTH, .seed = EMPTY, .priv = WHOLE},
        {KEY_LENGTH, .priv = EMPTY},
        {KEY_LENGTH, .priv = SHORT},
        {KEY_LENGTH, .priv = LONG},
        {KEY_LENGTH, .seed = WHOLE, .priv = SHORT},
        {KEY_LENGTH, .seed = WHOLE, .priv = LONG},
        {"invalid private key", .priv = CHANGED},
        {SEED_MISMATCH, .seed = WHOLE, .priv = CHANGED},
        {SEED_MISMATCH, .seed = CHANGED, .priv = WHOLE},
        {SEED_MISMATCH, .version = 1, .seed = WHOLE, .pub = CHANGED},
        {SEED_MISMATCH, .version = 1, .seed = WHOLE, .priv = WHOLE, .pub = CHANGED},
        {KEY_MISMATCH, .version = 1, .priv = WHOLE, .pub = CHANGED},
        {KEY_LENGTH, .version = 1, .priv = WHOLE, .pub = SHORT},
        {KEY_LENGTH, .version = 1, .priv = WHOLE, .pub = LONG},
        {KEY_LENGTH, .version = 1, .seed = WHOLE, .pub = EMPTY},
        {UNUSED, .version = 1, .priv = WHOLE, .pub = WHOLE, .unused_bits = 1},
        {REFUSED, .version = 2, .seed = WHOLE},
        {REFUSED, .version = 0xff, .seed = WHOLE},
        {PARAMETERS, .seed = WHOLE, .parameters = 1},
        {PARAMETERS, .seed = WHOLE, .priv = WHOLE, .parameters = 1},
        {TRAILING, .seed = WHOLE, .after_choice = 1},
        {TRAILING, .priv = WHOLE, .after_choice = 1},
        {TRAILING, .seed = WHOLE, .priv = WHOLE, .after_choice = 1},
        {NOT_OURS, .seed = WHOLE, .extra = 1},
        {.seed = WHOLE, .priv = WHOLE, .after = 1}, /* left unread, as after any key */
        {FORM, .seed = WHOLE, .form_tag = 0x81},
        {FORM, .seed = WHOLE, .form_tag = 0xa0},
        {FORM, .priv = WHOLE, .form_tag = 0x03},
        {FORM, .seed = WHOLE, .priv = WHOLE, .form_tag = 0x31},
    };
    const struct tp_set *set = *state;
    EVP_PKEY *key =
        tp_key_from_seed(tp_shared.ctx, set->name, (const uint8_t[TP_SEED]){8}, TP_SEED);

    for (size_t i = 0; i < sizeof(recipes) / sizeof(recipes[0]); i++) {
        build_private(&file, set, key, &recipes[i]);
        judge(&file, key, EVP_PKEY_KEYPAIR, recipes[i].reason);
    }
    EVP_PKEY_free(key);
}

static void public_keys(void **state)
{
    static const struct recipe recipes[] = {
        {.pub = WHOLE},
        {KEY_LENGTH, .pub = SHORT},
        {KEY_LENGTH, .pub = LONG},
        {KEY_LENGTH, .pub = EMPTY},
        {UNUSED, .pub = WHOLE, .unused_bits = 1},
        {UNUSED, .pub = WHOLE, .unused_bits = 7},
        {REFUSED, .pub = WHOLE, .unused_bits = 8},
        {PARAMETERS, .pub = WHOLE, .parameters = 1},
        {NOT_OURS, .pub = WHOLE, .extra = 1},
        {.pub = WHOLE, .after = 1}, /* left unread, as after any key */
    };
    const struct tp_set *set = *state;
    EVP_PKEY *key = tp_key_generate(tp_shared.ctx, set->name);

    for (size_t i = 0; i < sizeof(recipes) / sizeof(recipes[0]); i++) {
        build_public(&file, set, key, &recipes[i]);
        judge(&file, key, EVP_PKEY_PUBLIC_KEY, recipes[i].reason);
    }
    EVP_PKEY_free(key);
}

/* The two structures of a key, with what reads them. */
static const struct {
    int selection;
    const char *structure;
} kinds[] = {{EVP_PKEY_KEYPAIR, "PrivateKeyInfo"}, {EVP_PKEY_PUBLIC_KEY, "SubjectPublicKeyInfo"}};

static void write_good(EVP_PKEY *key, size_t kind)
{
    tp_ok(
        codec_encode(&good, key, kinds[kind].selection, "DER", kinds[kind].structure, NULL, NULL));
}

static void truncated(void **state)
{
    const struct tp_set *set = *state;
    EVP_PKEY *key = tp_key_generate(tp_shared.ctx, set->name);

    for (size_t kind = 0; kind < 2; kind++) {
        write_good(key, kind);
        for (size_t len = 0; len < good.len; len += len < 80 || len + 80 > good.len ? 1 : 61)
            not_ours(good.bytes, len, kinds[kind].selection);
    }
    EVP_PKEY_free(key);
}

/*
 * Any bit of the frame and some of the key: no key, or the same one. A public key has no bit that
 * says it is damaged, so that its own bits make another.
 */
static void damaged(void **state)
{
    const struct tp_set *set = *state;
    EVP_PKEY *key = tp_key_generate(tp_shared.ctx, set->name);

    for (size_t kind = 0; kind < 2; kind++) {
        write_good(key, kind);
        for (size_t bit = 0; bit < 8 * good.len; bit += bit < 8 * 80 ? 1 : 173) {
            const int frame = kind == 0 || bit / 8 < good.len - set->pub_len;
            EVP_PKEY *read;

            good.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
            read = decode(&good, kinds[kind].selection);
            if (read != NULL && (EVP_PKEY_eq(read, key) == 1) != frame)
                fail_msg("bit %zu of kind %zu", bit, kind);
            assert_true(read != NULL || ERR_peek_error() != 0);
            EVP_PKEY_free(read);
            ERR_clear_error();
            good.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
    }
    EVP_PKEY_free(key);
}

/* The OID of no key, and that of a key of another length. */
static void wrong_oid(void **state)
{
    const struct tp_set *set = *state;
    const struct tp_set *other = set == tp_sets ? tp_sets + 1 : tp_sets;
    const struct recipe r = {.seed = WHOLE, .priv = WHOLE}, p = {.pub = WHOLE};
    EVP_PKEY *key = tp_key_generate(tp_shared.ctx, set->name);

    for (size_t kind = 0; kind < 2; kind++) {
        const size_t last = kind == 0 ? 4 + 3 + 23 : 4 + 23; /* of the OID's, near enough */

        write_good(key, kind);
        good.bytes[last - 2] ^= 1;
        not_ours(good.bytes, good.len, kinds[kind].selection);
    }
    build_private(&file, other, key, &r);
    judge(&file, key, EVP_PKEY_KEYPAIR, KEY_LENGTH);
    build_public(&file, other, key, &p);
    judge(&file, key, EVP_PKEY_PUBLIC_KEY, KEY_LENGTH);
    EVP_PKEY_free(key);
}

static void no_key_at_all(void **state)
{
    static const char other_pem[] = "-----BEGIN X509 CRL-----\nMIIBAA==\n-----END X509 CRL-----\n";
    static const char empty_pem[] = "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n";
    static const char no_end[] = "-----BEGIN PRIVATE KEY-----\nMIIB\n";
    static const uint8_t long_sequence[] = {0x30, 0x83, 0x9f, 0xff, 0xfb};         /* all of it */
    static const uint8_t longer_sequence[] = {0x30, 0x84, 0x7f, 0xff, 0xff, 0xff}; /* and more */
    struct test_rng rng = {20261201};
    uint8_t *noise = malloc(NOISE);

    (void)state;
    assert_non_null(noise);
    printf("seed of the noise: %llu\n", (unsigned long long)rng.state);
    test_rng_bytes(&rng, noise, NOISE);
    for (size_t kind = 0; kind < 2; kind++) {
        const int selection = kinds[kind].selection;

        not_ours(noise, 0, selection);
        not_ours(noise, NOISE, selection);
        memcpy(noise, long_sequence, sizeof(long_sequence));
        not_ours_as("DER", noise, NOISE, selection);
        memcpy(noise, longer_sequence, sizeof(longer_sequence));
        not_ours_as("DER", noise, NOISE, selection);
        not_ours((const uint8_t *)other_pem, sizeof(other_pem) - 1, selection);
        not_ours((const uint8_t *)empty_pem, sizeof(empty_pem) - 1, selection);
        not_ours((const uint8_t *)no_end, sizeof(no_end) - 1, selection);
    }
    free(noise);
}

/* A private key is no public key, nor the other way round. */
static void other_half(void **state)
{
    const struct tp_set *set = *state;
    EVP_PKEY *key = tp_key_generate(tp_shared.ctx, set->name);

    for (size_t kind = 0; kind < 2; kind++) {
        write_good(key, kind);
        not_ours(good.bytes, good.len, kinds[!kind].selection);
    }
    EVP_PKEY_free(key);
}

/* Keys of other providers are theirs, with nothing of this one in the queue. */
static void foreign_keys(void **state)
{
    EVP_PKEY *ec = EVP_PKEY_Q_keygen(tp_shared.ctx, NULL, "EC", "P-256");
    EVP_PKEY *rsa = EVP_PKEY_Q_keygen(tp_shared.ctx, NULL, "RSA", (size_t)2048);
    EVP_PKEY *x25519 = EVP_PKEY_Q_keygen(tp_shared.ctx, NULL, "X25519");
    EVP_PKEY *const keys[] = {ec, rsa, x25519};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        for (size_t kind = 0; kind < 2; kind++) {
            EVP_PKEY *read;

            write_good(keys[i], kind);
            tp_ok((read = decode(&good, kinds[kind].selection)) != NULL);
            assert_int_equal(EVP_PKEY_eq(read, keys[i]), 1);
            EVP_PKEY_free(read);
        }
        EVP_PKEY_free(keys[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TP_EACH_SET(private_keys),       TP_EACH_SET(public_keys),
        TP_EACH_SET(truncated),          TP_EACH_SET(damaged),
        TP_EACH_SET(wrong_oid),          TP_EACH_SET(other_half),
        cmocka_unit_test(no_key_at_all), cmocka_unit_test(foreign_keys),
    };

    return cmocka_run_group_tests(tests, tp_shared_open, tp_shared_close);
}
