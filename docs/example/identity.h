/* SPDX-License-Identifier: Apache-2.0 */
/* Identity keys in files, and whom to trust. Functions return 0 or NULL having complained. */
#ifndef EXAMPLE_IDENTITY_H
#define EXAMPLE_IDENTITY_H

#include "session.h"

/* The private key of that set in a PEM file; warns of one that others may read. */
EVP_PKEY *identity_read(const char *path, const struct set *set);

/*
 * The fingerprint that word stands for: 64 hexadecimal digits are one; else word is a PEM file with
 * a public key, or with a certificate, which must verify against the authorities in cafile.
 */
int identity_peer(char hex[DIGEST_CHARS + 1], const char *word, const char *cafile,
                  const struct set *set);

#endif
