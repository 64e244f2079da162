/* SPDX-License-Identifier: Apache-2.0 */
#include "asn1_types.h"

#include <openssl/crypto.h>

static void wipe(const ASN1_OCTET_STRING *octets)
{
    if (octets != NULL)
        OPENSSL_cleanse((void *)ASN1_STRING_get0_data(octets), (size_t)ASN1_STRING_length(octets));
}

/* libcrypto calls these at each stage of an object's life; they act before it is freed. */
static int private_info_event(int event, ASN1_VALUE **object, const ASN1_ITEM *it, void *arg)
{
    (void)it;
    (void)arg;
    if (event == ASN1_OP_FREE_PRE)
        wipe(((const struct private_info *)*object)->private_key);
    return 1;
}

static int both_event(int event, ASN1_VALUE **object, const ASN1_ITEM *it, void *arg)
{
    const struct both *both = (const struct both *)*object;

    (void)it;
    (void)arg;
    if (event == ASN1_OP_FREE_PRE) {
        wipe(both->seed);
        wipe(both->expanded);
    }
    return 1;
}

static int private_key_event(int event, ASN1_VALUE **object, const ASN1_ITEM *it, void *arg)
{
    const struct private_key *key = (const struct private_key *)*object;

    (void)it;
    (void)arg;
    if (event == ASN1_OP_FREE_PRE && (key->type == FORM_SEED || key->type == FORM_EXPANDED))
        wipe(key->value.seed);
    return 1;
}

/* clang-format off */
ASN1_SEQUENCE(PUBLIC_INFO) = {
    ASN1_SIMPLE(struct public_info, algorithm, X509_ALGOR),
    ASN1_EX_TYPE(ASN1_TFLG_IMPTAG | ASN1_TFLG_UNIVERSAL, V_ASN1_BIT_STRING, struct public_info, bits,
                 ASN1_OCTET_STRING),
} ASN1_SEQUENCE_END_name(struct public_info, PUBLIC_INFO)

ASN1_SEQUENCE_cb(PRIVATE_INFO, private_info_event) = {
    ASN1_SIMPLE(struct private_info, version, ASN1_INTEGER),
    ASN1_SIMPLE(struct private_info, algorithm, X509_ALGOR),
    ASN1_SIMPLE(struct private_info, private_key, ASN1_OCTET_STRING),
    ASN1_IMP_SET_OF_OPT(struct private_info, attributes, X509_ATTRIBUTE, 0),
    ASN1_IMP_OPT(struct private_info, public_bits, ASN1_OCTET_STRING, 1),
} ASN1_SEQUENCE_END_cb(struct private_info, PRIVATE_INFO)

ASN1_SEQUENCE_cb(BOTH, both_event) = {
    ASN1_SIMPLE(struct both, seed, ASN1_OCTET_STRING),
    ASN1_SIMPLE(struct both, expanded, ASN1_OCTET_STRING),
} ASN1_SEQUENCE_END_cb(struct both, BOTH)

ASN1_CHOICE_cb(PRIVATE_KEY, private_key_event) = {
    ASN1_IMP(struct private_key, value.seed, ASN1_OCTET_STRING, 0),
    ASN1_SIMPLE(struct private_key, value.expanded, ASN1_OCTET_STRING),
    ASN1_SIMPLE(struct private_key, value.both, BOTH),
} ASN1_CHOICE_END_cb(struct private_key, PRIVATE_KEY, type)
