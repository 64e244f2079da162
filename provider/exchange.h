/* SPDX-License-Identifier: Apache-2.0 */
/* The derive context: one side of one handshake. */
#ifndef PROVIDER_EXCHANGE_H
#define PROVIDER_EXCHANGE_H

#include <sys/types.h>

#include "key.h"
#include "provider.h"

/* Names of parameters, as the manual and the README list them. */
#define PARAM_ROLE "role"
#define PARAM_STATE "state"
#define PARAM_IN_MESSAGE "in-message"
#define PARAM_OUT_MESSAGE "out-message"
#define PARAM_DETERMINISTIC "deterministic"
#define PARAM_TEST_ENTROPY "test-entropy"

struct exchange {
    struct provider *prov;
    struct key *own, *peer; /* own is NULL until an init has succeeded */
    struct dkex_handshake hs;
    int deterministic;
    size_t test_entropy_len; /* 0: none set */
    uint8_t test_entropy[DKEX_MAX_COINS_BYTES];
    pid_t process; /* of the ephemeral secret */
};

/* Whether another process holds the ephemeral secret of this one too, by a fork; raised. */
int exchange_crossed_fork(const struct exchange *x);

OSSL_FUNC_keyexch_set_ctx_params_fn exchange_set_params;
OSSL_FUNC_keyexch_settable_ctx_params_fn exchange_settable_params;
OSSL_FUNC_keyexch_get_ctx_params_fn exchange_get_params;
OSSL_FUNC_keyexch_gettable_ctx_params_fn exchange_gettable_params;

#endif
