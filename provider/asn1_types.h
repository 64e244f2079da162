/* SPDX-License-Identifier: Apache-2.0 */
/* The structures around keys as libcrypto's templates read and write them; see asn1.h. */
#ifndef PROVIDER_ASN1_TYPES_H
#define PROVIDER_ASN1_TYPES_H

#include <openssl/asn1t.h>
#include <openssl/x509.h>

/*
 * BIT STRING is taken as an OCTET STRING of the same tag, which gives its contents as they are:
 * the number of unused bits, then the bits. libcrypto's own type masks the unused bits of what it
 * reads and may drop zeros at the end of what it writes.
 */
struct public_info {
    X509_ALGOR *algorithm;
    ASN1_OCTET_STRING *bits;
};

/* RFC 5958's OneAsymmetricKey, of which PrivateKeyInfo is version 0. */
struct private_info {
    ASN1_INTEGER *version;
    X509_ALGOR *algorithm;
    ASN1_OCTET_STRING *private_key;
    STACK_OF(X509_ATTRIBUTE) * attributes;
    ASN1_OCTET_STRING *public_bits;
};

struct both {
    ASN1_OCTET_STRING *seed;
    ASN1_OCTET_STRING *expanded;
};

enum { FORM_SEED = 0, FORM_EXPANDED, FORM_BOTH };

struct private_key {
    int type; /* a FORM_ value, as the order in the template says */
    union {
        ASN1_OCTET_STRING *seed;
        ASN1_OCTET_STRING *expanded;
        struct both *both;
    } value;
};

/* For ASN1_item_new, _free, _d2i, _i2d. Freeing wipes what is secret. */
DECLARE_ASN1_ITEM(PUBLIC_INFO)
DECLARE_ASN1_ITEM(PRIVATE_INFO)
DECLARE_ASN1_ITEM(BOTH)
DECLARE_ASN1_ITEM(PRIVATE_KEY)

#endif
