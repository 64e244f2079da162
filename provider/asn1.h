/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Identity keys as ASN.1: SubjectPublicKeyInfo (RFC 5280), PrivateKeyInfo (RFC 5208, and RFC 5958
 * with the public key in it). The private key is RFC 9881's, as for ML-DSA:
 *
 *     CHOICE { seed [0] IMPLICIT OCTET STRING, expandedKey OCTET STRING,
 *              both SEQUENCE { seed OCTET STRING, expandedKey OCTET STRING } }
 *
 * AlgorithmIdentifier has no parameters. Secret octets are wiped before their memory is freed.
 */
#ifndef PROVIDER_ASN1_H
#define PROVIDER_ASN1_H

#include <openssl/bio.h>
#include <openssl/x509.h>

#include "key.h"

/*
 * Reads one object, and leaves what follows it, as d2i functions do. 1 with a new *key; 1 with *key
 * NULL and nothing raised if it is no key of the suite; 0 with the reason raised if it is a bad
 * one.
 */
int asn1_read_public(struct key **key, struct provider *prov, const struct dkex_suite *suite,
                     BIO *in);
int asn1_read_private(struct key **key, struct provider *prov, const struct dkex_suite *suite,
                      BIO *in);

/* SubjectPublicKeyInfo in *der, for OPENSSL_free. Its length, or 0 with the reason raised. */
size_t asn1_public_info(uint8_t **der, const struct key *key);

/* PrivateKeyInfo: `both` where the seed is known, else `expandedKey`. NULL with the reason raised.
 */
PKCS8_PRIV_KEY_INFO *asn1_private_info(const struct key *key);

#endif
