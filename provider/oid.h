/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Object identifiers of the key types. Provisional: the arc 2.25 takes a UUID as one integer and
 * needs no registration (ITU-T X.667), so that these clash with nothing, and no standard knows
 * them.
 */
#ifndef PROVIDER_OID_H
#define PROVIDER_OID_H

#include "provider.h"

#define OID_128 "2.25.93019003715413745512199926777891503120"
#define OID_256 "2.25.113691447904452069577286745124469767005"
#define OID_512 "2.25.49728702950228134750048225536356582974"

/*
 * Names of the algorithms of a key type. libcrypto looks for the keys of SubjectPublicKeyInfo by
 * the OID's name where the OID is registered in the process, and by its digits where it isn't.
 */
#define NAMES_128 "DKEX-128:" OID_128
#define NAMES_256 "DKEX-256:" OID_256
#define NAMES_512 "DKEX-512:" OID_512

/* The OID in digits. */
const char *oid_text(const struct dkex_params *params);

/* Gives the OIDs their names in this process, if nobody has. */
void oid_register(const struct provider *prov);

#endif
