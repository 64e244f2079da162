/* SPDX-License-Identifier: Apache-2.0 */
/* The entry point: configuration, parameters and the list of algorithms. */
#include "provider.h"

#include <stdio.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/params.h>

#include "oid.h"

#define NAME "DKEX key exchange provider"
#define OPTION_CPU "cpu"
#define OPTION_SM3 "sm3"
#define OPTION_TEST_ENTROPY "test-entropy"

__attribute__((visibility("default"))) OSSL_provider_init_fn OSSL_provider_init;

static const OSSL_ALGORITHM keymgmt_algorithms[] = {
    {NAMES_128, PROVIDER_PROPERTIES, provider_keymgmt_128, "DKEX-128 identity key (ML-DSA-44)"},
    {NAMES_256, PROVIDER_PROPERTIES, provider_keymgmt_256, "DKEX-256 identity key (ML-DSA-87)"},
    {NAMES_512, PROVIDER_PROPERTIES, provider_keymgmt_512, "DKEX-512 identity key (ML-DSA-87)"},
    {NULL, NULL, NULL, NULL},
};

static const OSSL_ALGORITHM exchange_algorithms[] = {
    {NAMES_128, PROVIDER_PROPERTIES, provider_exchange, "DKEX-128 key exchange"},
    {NAMES_256, PROVIDER_PROPERTIES, provider_exchange, "DKEX-256 key exchange"},
    {NAMES_512, PROVIDER_PROPERTIES, provider_exchange, "DKEX-512 key exchange"},
    {NULL, NULL, NULL, NULL},
};

static OSSL_FUNC_provider_teardown_fn teardown;
static OSSL_FUNC_provider_gettable_params_fn gettable_params;
static OSSL_FUNC_provider_get_params_fn get_params;
static OSSL_FUNC_provider_query_operation_fn query_operation;
static OSSL_FUNC_provider_get_reason_strings_fn get_reason_strings;
static OSSL_FUNC_provider_self_test_fn self_test;

static void teardown(void *provctx)
{
    struct provider *prov = provctx;

    EVP_MD_free(prov->sm3);
    OSSL_LIB_CTX_free(prov->child);
    CRYPTO_THREAD_lock_free(prov->lock);
    OPENSSL_free(prov);
}

static const OSSL_PARAM *gettable_params(void *provctx)
{
    static const OSSL_PARAM params[] = {
        OSSL_PARAM_DEFN(OSSL_PROV_PARAM_NAME, OSSL_PARAM_UTF8_PTR, NULL, 0),
        OSSL_PARAM_DEFN(OSSL_PROV_PARAM_VERSION, OSSL_PARAM_UTF8_PTR, NULL, 0),
        OSSL_PARAM_DEFN(OSSL_PROV_PARAM_BUILDINFO, OSSL_PARAM_UTF8_PTR, NULL, 0),
        OSSL_PARAM_DEFN(OSSL_PROV_PARAM_STATUS, OSSL_PARAM_INTEGER, NULL, 0),
        OSSL_PARAM_END,
    };

    (void)provctx;
    return params;
}

static int get_params(void *provctx, OSSL_PARAM params[])
{
    const struct provider *prov = provctx;

    return provider_put_text(prov, OSSL_PARAM_locate(params, OSSL_PROV_PARAM_NAME), NAME) &&
           provider_put_text(prov, OSSL_PARAM_locate(params, OSSL_PROV_PARAM_VERSION),
                             DKEX_VERSION) &&
           provider_put_text(prov, OSSL_PARAM_locate(params, OSSL_PROV_PARAM_BUILDINFO),
                             prov->buildinfo) &&
           provider_put_int(prov, OSSL_PARAM_locate(params, OSSL_PROV_PARAM_STATUS),
                            !atomic_load(&prov->failed));
}

static const OSSL_ALGORITHM *query_operation(void *provctx, int operation, int *no_cache)
{
    const struct provider *prov = provctx;

    *no_cache = 0;
    if (atomic_load(&prov->failed))
        return NULL;
    switch (operation) {
    case OSSL_OP_KEYMGMT:
        return keymgmt_algorithms;
    case OSSL_OP_KEYEXCH:
        return exchange_algorithms;
    case OSSL_OP_ENCODER:
        return provider_encoders;
    case OSSL_OP_DECODER:
        return provider_decoders;
    default:
        return NULL;
    }
}

static const OSSL_ITEM *get_reason_strings(void *provctx)
{
    (void)provctx;
    return provider_reasons;
}

static int self_test(void *provctx)
{
    return provider_self_test(provctx);
}

static const OSSL_DISPATCH provider_dispatch[] = {
    {OSSL_FUNC_PROVIDER_TEARDOWN, (void (*)(void))teardown},
    {OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, (void (*)(void))gettable_params},
    {OSSL_FUNC_PROVIDER_GET_PARAMS, (void (*)(void))get_params},
    {OSSL_FUNC_PROVIDER_QUERY_OPERATION, (void (*)(void))query_operation},
    {OSSL_FUNC_PROVIDER_GET_REASON_STRINGS, (void (*)(void))get_reason_strings},
    {OSSL_FUNC_PROVIDER_SELF_TEST, (void (*)(void))self_test},
    {0, NULL},
};

/* Takes the upcalls that are used; 0 if libcrypto lacks one. */
static int take_upcalls(struct provider *prov, const OSSL_DISPATCH *in)
{
    for (; in->function_id != 0; in++) {
        switch (in->function_id) {
        case OSSL_FUNC_CORE_GET_PARAMS:
            prov->get_params = OSSL_FUNC_core_get_params(in);
            break;
        case OSSL_FUNC_CORE_NEW_ERROR:
            prov->new_error = OSSL_FUNC_core_new_error(in);
            break;
        case OSSL_FUNC_CORE_SET_ERROR_DEBUG:
            prov->set_error_debug = OSSL_FUNC_core_set_error_debug(in);
            break;
        case OSSL_FUNC_CORE_VSET_ERROR:
            prov->vset_error = OSSL_FUNC_core_vset_error(in);
            break;
        case OSSL_FUNC_CORE_SET_ERROR_MARK:
            prov->set_error_mark = OSSL_FUNC_core_set_error_mark(in);
            break;
        case OSSL_FUNC_CORE_POP_ERROR_TO_MARK:
            prov->pop_error_to_mark = OSSL_FUNC_core_pop_error_to_mark(in);
            break;
        case OSSL_FUNC_CORE_OBJ_CREATE:
            prov->obj_create = OSSL_FUNC_core_obj_create(in);
            break;
        default:
            break;
        }
    }
    return prov->get_params != NULL && prov->new_error != NULL && prov->set_error_debug != NULL &&
           prov->vset_error != NULL && prov->set_error_mark != NULL &&
           prov->pop_error_to_mark != NULL;
}

/* Binds every set to the kernels that the option names. */
static int bind_suites(struct provider *prov, const char *cpu)
{
    char available[64] = OPTION_CPU " is auto or one of:";

    for (size_t i = 0; i < DKEX_SETS; i++) {
        if (dkex_suite_bind(&prov->suites[i], &dkex_params[i], cpu) == DKEX_OK)
            continue;
        for (size_t j = 0; dkex_suite_cpu(j) != NULL; j++) {
            size_t used = strlen(available);

            snprintf(available + used, sizeof(available) - used, " %s", dkex_suite_cpu(j));
        }
        return RAISE_TEXT(prov, REASON_OPTION, available);
    }
    return 1;
}

/* An option that is absent, its default, or the other word that it may be. */
static int read_choice(struct provider *prov, int *other, const char *value, const char *usual,
                       const char *unusual, const char *text)
{
    *other = value != NULL && strcmp(value, unusual) == 0;
    if (value == NULL || *other || strcmp(value, usual) == 0)
        return 1;
    return RAISE_TEXT(prov, REASON_OPTION, text);
}

/* Options of the provider's section arrive as strings; with any other value it refuses. */
static int read_options(struct provider *prov)
{
    char *cpu = NULL, *sm3 = NULL, *test_entropy = NULL;
    int openssl_sm3;
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_ptr(OPTION_CPU, &cpu, 0),
        OSSL_PARAM_construct_utf8_ptr(OPTION_SM3, &sm3, 0),
        OSSL_PARAM_construct_utf8_ptr(OPTION_TEST_ENTROPY, &test_entropy, 0),
        OSSL_PARAM_construct_end(),
    };

    if (!prov->get_params(prov->handle, params))
        return RAISE(prov, REASON_OPTION);
    if (!read_choice(prov, &prov->test_entropy, test_entropy, "no", "yes",
                     OPTION_TEST_ENTROPY " is yes or no") ||
        !read_choice(prov, &openssl_sm3, sm3, "auto", "openssl",
                     OPTION_SM3 " is auto or openssl") ||
        !bind_suites(prov, cpu != NULL ? cpu : "auto"))
        return 0;
    for (size_t i = 0; i < DKEX_SETS && openssl_sm3; i++)
        dkex_suite_use_libcrypto_sm3(&prov->suites[i]);
    snprintf(prov->buildinfo, sizeof(prov->buildinfo), "%s, kernels: %s%s%s", DKEX_VERSION,
             prov->suites[0].cpu, openssl_sm3 ? ", " OPTION_SM3 ": openssl" : "",
             prov->test_entropy ? ", " OPTION_TEST_ENTROPY : "");
    return 1;
}

int OSSL_provider_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in,
                       const OSSL_DISPATCH **out, void **provctx)
{
    struct provider *prov = OPENSSL_zalloc(sizeof(*prov));
    int ok = prov != NULL && take_upcalls(prov, in);

    if (ok) {
        prov->handle = handle;
        prov->lock = CRYPTO_THREAD_lock_new();
        prov->child = OSSL_LIB_CTX_new_child(handle, in);
        if (prov->lock == NULL || prov->child == NULL)
            ok = RAISE(prov, REASON_MEMORY);
    }
    if (ok && read_options(prov) && provider_test_primitives(prov)) {
        oid_register(prov);
        *provctx = prov;
        *out = provider_dispatch;
        return 1;
    }
    if (prov != NULL)
        teardown(prov);
    return 0;
}
