/* SPDX-License-Identifier: Apache-2.0 */
#include "asn1.h"

#include <string.h>

#include <openssl/objects.h>

#include "asn1_types.h"
#include "oid.h"

/* One object from `in`, or NULL: what cannot be parsed is for other decoders to judge. */
static void *read_object(const struct provider *prov, const ASN1_ITEM *it, BIO *in)
{
    void *object;

    prov->set_error_mark(prov->handle);
    object = ASN1_item_d2i_bio(it, in, NULL);
    prov->pop_error_to_mark(prov->handle);
    return object;
}

static int is_of(const struct dkex_suite *suite, const X509_ALGOR *algorithm)
{
    const ASN1_OBJECT *oid;
    char text[64];

    X509_ALGOR_get0(&oid, NULL, NULL, algorithm);
    return OBJ_obj2txt(text, sizeof(text), oid, 1) > 0 &&
           strcmp(text, oid_text(suite->params)) == 0;
}

static int has_no_parameters(const struct provider *prov, const X509_ALGOR *algorithm)
{
    int type;

    X509_ALGOR_get0(NULL, &type, NULL, algorithm);
    return type == V_ASN1_UNDEF ? 1 : RAISE(prov, REASON_ALGORITHM_PARAMETERS);
}

static int take_octets(const struct provider *prov, const uint8_t **out,
                       const ASN1_OCTET_STRING *in, size_t len, enum reason bad_length)
{
    if ((size_t)ASN1_STRING_length(in) != len)
        return RAISE(prov, bad_length);
    *out = ASN1_STRING_get0_data(in);
    return 1;
}

/* A public key from the contents of a BIT STRING. */
static int take_bits(const struct provider *prov, const uint8_t **pub,
                     const ASN1_OCTET_STRING *bits, const struct dkex_params *p)
{
    const uint8_t *contents = ASN1_STRING_get0_data(bits);

    if ((size_t)ASN1_STRING_length(bits) != 1 + p->pub_len)
        return RAISE(prov, REASON_KEY_LENGTH);
    if (contents[0] != 0)
        return RAISE(prov, REASON_UNUSED_BITS);
    *pub = contents + 1;
    return 1;
}

/* The key of these parts; *key stays NULL if there is none. */
static int make_key(struct key **key, struct provider *prov, const struct dkex_suite *suite,
                    const struct key_parts *parts)
{
    struct key *made = key_new(prov, suite);

    if (made == NULL)
        return 0;
    if (!key_fill(made, parts)) {
        key_free(made);
        return 0;
    }
    *key = made;
    return 1;
}

int asn1_read_public(struct key **key, struct provider *prov, const struct dkex_suite *suite,
                     BIO *in)
{
    struct public_info *info = read_object(prov, ASN1_ITEM_rptr(PUBLIC_INFO), in);
    struct key_parts parts = {0};
    int ok = 1;

    *key = NULL;
    if (info != NULL && is_of(suite, info->algorithm))
        ok = has_no_parameters(prov, info->algorithm) &&
             take_bits(prov, &parts.pub, info->bits, suite->params) &&
             make_key(key, prov, suite, &parts);
    ASN1_item_free((ASN1_VALUE *)info, ASN1_ITEM_rptr(PUBLIC_INFO));
    return ok;
}

/* The CHOICE within privateKey. NULL with the reason raised. */
static struct private_key *read_choice(const struct provider *prov,
                                       const ASN1_OCTET_STRING *private_key)
{
    const uint8_t *at = ASN1_STRING_get0_data(private_key);
    const uint8_t *end = at + ASN1_STRING_length(private_key);
    struct private_key *choice;

    prov->set_error_mark(prov->handle);
    choice = (struct private_key *)ASN1_item_d2i(NULL, &at, ASN1_STRING_length(private_key),
                                                 ASN1_ITEM_rptr(PRIVATE_KEY));
    prov->pop_error_to_mark(prov->handle);
    if (choice == NULL) {
        RAISE(prov, REASON_PRIVATE_KEY_FORM);
    } else if (at != end) {
        ASN1_item_free((ASN1_VALUE *)choice, ASN1_ITEM_rptr(PRIVATE_KEY));
        choice = NULL;
        RAISE(prov, REASON_TRAILING_BYTES);
    }
    return choice;
}

static int take_choice(const struct provider *prov, struct key_parts *parts,
                       const struct private_key *choice, const struct dkex_params *p)
{
    const ASN1_OCTET_STRING *seed = NULL, *expanded = NULL;

    if (choice->type == FORM_BOTH) {
        seed = choice->value.both->seed;
        expanded = choice->value.both->expanded;
    } else if (choice->type == FORM_SEED) {
        seed = choice->value.seed;
    } else {
        expanded = choice->value.expanded;
    }
    return (seed == NULL ||
            take_octets(prov, &parts->seed, seed, DKEX_SEED_BYTES, REASON_SEED_LENGTH)) &&
           (expanded == NULL ||
            take_octets(prov, &parts->priv, expanded, p->priv_len, REASON_KEY_LENGTH));
}

static int take_private(struct key **key, struct provider *prov, const struct dkex_suite *suite,
                        const struct private_info *info)
{
    struct key_parts parts = {0};
    struct private_key *choice;
    int64_t version;
    int ok;

    if (!ASN1_INTEGER_get_int64(&version, info->version) || version < 0 || version > 1)
        return RAISE(prov, REASON_VERSION);
    if (info->public_bits != NULL && !take_bits(prov, &parts.pub, info->public_bits, suite->params))
        return 0;
    if ((choice = read_choice(prov, info->private_key)) == NULL)
        return 0;
    ok = take_choice(prov, &parts, choice, suite->params) && make_key(key, prov, suite, &parts);
    ASN1_item_free((ASN1_VALUE *)choice, ASN1_ITEM_rptr(PRIVATE_KEY));
    return ok;
}

int asn1_read_private(struct key **key, struct provider *prov, const struct dkex_suite *suite,
                      BIO *in)
{
    struct private_info *info = read_object(prov, ASN1_ITEM_rptr(PRIVATE_INFO), in);
    int ok = 1;

    *key = NULL;
    if (info != NULL && is_of(suite, info->algorithm))
        ok = has_no_parameters(prov, info->algorithm) && take_private(key, prov, suite, info);
    ASN1_item_free((ASN1_VALUE *)info, ASN1_ITEM_rptr(PRIVATE_INFO));
    return ok;
}

static ASN1_OBJECT *oid_of(const struct key *key)
{
    return OBJ_txt2obj(oid_text(key->suite->params), 1);
}

size_t asn1_public_info(uint8_t **der, const struct key *key)
{
    const size_t len = key->suite->params->pub_len;
    struct public_info *info = (struct public_info *)ASN1_item_new(ASN1_ITEM_rptr(PUBLIC_INFO));
    uint8_t bits[1 + DKEX_MAX_PUB_BYTES] = {0}; /* no unused bits, then the key */
    ASN1_OBJECT *oid = oid_of(key);
    int der_len = 0;

    *der = NULL;
    memcpy(bits + 1, key->pub, len);
    if (info != NULL && oid != NULL && ASN1_OCTET_STRING_set(info->bits, bits, 1 + (int)len) &&
        X509_ALGOR_set0(info->algorithm, oid, V_ASN1_UNDEF, NULL)) {
        oid = NULL;
        der_len = ASN1_item_i2d((ASN1_VALUE *)info, der, ASN1_ITEM_rptr(PUBLIC_INFO));
    }
    ASN1_OBJECT_free(oid);
    ASN1_item_free((ASN1_VALUE *)info, ASN1_ITEM_rptr(PUBLIC_INFO));
    if (der_len <= 0)
        RAISE(key->prov, REASON_ENCODING);
    return der_len > 0 ? (size_t)der_len : 0;
}

static int fill_choice(struct private_key *choice, const struct key *key)
{
    const struct key_secret *secret = key->secret;
    const int len = (int)key->suite->params->priv_len;

    if (!secret->has_seed) {
        choice->type = FORM_EXPANDED;
        choice->value.expanded = ASN1_OCTET_STRING_new();
        return choice->value.expanded != NULL &&
               ASN1_OCTET_STRING_set(choice->value.expanded, secret->priv, len);
    }
    choice->type = FORM_BOTH;
    choice->value.both = (struct both *)ASN1_item_new(ASN1_ITEM_rptr(BOTH));
    return choice->value.both != NULL &&
           ASN1_OCTET_STRING_set(choice->value.both->seed, secret->seed, DKEX_SEED_BYTES) &&
           ASN1_OCTET_STRING_set(choice->value.both->expanded, secret->priv, len);
}

/* The contents of privateKey in *der, for OPENSSL_clear_free. Their length, or 0. */
static int choice_der(uint8_t **der, const struct key *key)
{
    struct private_key *choice = (struct private_key *)ASN1_item_new(ASN1_ITEM_rptr(PRIVATE_KEY));
    int len = 0;

    *der = NULL;
    if (choice != NULL && fill_choice(choice, key))
        len = ASN1_item_i2d((ASN1_VALUE *)choice, der, ASN1_ITEM_rptr(PRIVATE_KEY));
    ASN1_item_free((ASN1_VALUE *)choice, ASN1_ITEM_rptr(PRIVATE_KEY));
    return len > 0 ? len : 0;
}

PKCS8_PRIV_KEY_INFO *asn1_private_info(const struct key *key)
{
    PKCS8_PRIV_KEY_INFO *info = PKCS8_PRIV_KEY_INFO_new();
    ASN1_OBJECT *oid = oid_of(key);
    uint8_t *der;
    int len = choice_der(&der, key);

    if (info != NULL && oid != NULL && len > 0 &&
        PKCS8_pkey_set0(info, oid, 0, V_ASN1_UNDEF, NULL, der, len))
        return info;
    OPENSSL_clear_free(der, (size_t)len);
    ASN1_OBJECT_free(oid);
    PKCS8_PRIV_KEY_INFO_free(info);
    RAISE(key->prov, REASON_ENCODING);
    return NULL;
}
