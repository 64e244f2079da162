/* SPDX-License-Identifier: Apache-2.0 */
/* Identity keys in expanded form, in memory of their own. */
#ifndef BENCH_WARM_H
#define BENCH_WARM_H

#include "suite.h"

/*
 * Copies and expands both halves; view then has all parts. The memory is the process's for as long
 * as it lives. 0, or -1 without memory.
 */
int warm_key_make(struct dkex_key *view, const struct dkex_suite *suite, const uint8_t *pub,
                  const uint8_t *priv);

#endif
