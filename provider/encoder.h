/* SPDX-License-Identifier: Apache-2.0 */
/* ENCODER: keys as DER, PEM and text; see provider-encoder(7). */
#ifndef PROVIDER_ENCODER_H
#define PROVIDER_ENCODER_H

#include "provider.h"

extern const OSSL_DISPATCH encoder_text[];

/* What a structure or the text shows when this much of a key is asked for. */
int encoder_wants_private(int selection);
int encoder_wants_public(int selection);

#endif
