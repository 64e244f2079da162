/* SPDX-License-Identifier: Apache-2.0 */
/* One vector file of the candidate: ten sessions from seeds that everybody can derive. */
#ifndef KAT_VECTORS_H
#define KAT_VECTORS_H

#include <stdio.h>

#include <openssl/evp.h>

#include "suite.h"

enum kat_result { KAT_OK = 0, KAT_ERROR, KAT_DEPARTURE };

/*
 * Writes the file of the suite's set to out, unless out is NULL, and compares every field, then
 * the whole file, with the next lines of expected, unless that is NULL. Such a line is
 * "set record field bytes sha256"; record and field of the whole file are "-" and "file"; lines of
 * other sets and lines that begin with # are passed over. KAT_DEPARTURE, with the first one told on
 * stderr; KAT_ERROR, with the reason there.
 */
enum kat_result kat_vectors(const struct dkex_suite *suite, const EVP_MD *sm3, FILE *out,
                            FILE *expected);

#endif
