/* SPDX-License-Identifier: Apache-2.0 */
/* Key data as parameters: import, export and get, for the tables of keymgmt.c. */
#ifndef PROVIDER_KEYDATA_H
#define PROVIDER_KEYDATA_H

#include "provider.h"

#define PARAM_SEED "seed" /* OSSL_PKEY_PARAM_ML_DSA_SEED, which 3.0 does not define */

OSSL_FUNC_keymgmt_import_fn keydata_import;
OSSL_FUNC_keymgmt_import_types_fn keydata_types;
OSSL_FUNC_keymgmt_export_fn keydata_export;
OSSL_FUNC_keymgmt_get_params_fn keydata_get_params;
OSSL_FUNC_keymgmt_gettable_params_fn keydata_gettable_params;

/* Refuses: without it libcrypto says that the key was changed, and leaves it as it is. */
OSSL_FUNC_keymgmt_set_params_fn keydata_set_params;
OSSL_FUNC_keymgmt_settable_params_fn keydata_settable_params;

#endif
