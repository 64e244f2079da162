/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls that on later releases than 3.0 raise an error of libcrypto's own, which would be a second
 * one beside the provider's, or the only one of an operation that succeeds.
 */
#include "provider.h"

#include <openssl/params.h>

void *provider_zalloc(const struct provider *prov, size_t len)
{
    void *memory;

    prov->set_error_mark(prov->handle);
    memory = OPENSSL_zalloc(len);
    prov->pop_error_to_mark(prov->handle);
    if (memory == NULL)
        RAISE(prov, REASON_MEMORY);
    return memory;
}

/* The secure heap may be full, which is no reason to fail. */
void *provider_secure_zalloc(const struct provider *prov, size_t len)
{
    void *memory;

    prov->set_error_mark(prov->handle);
    memory = OPENSSL_secure_zalloc(len);
    prov->pop_error_to_mark(prov->handle);
    return memory != NULL ? memory : provider_zalloc(prov, len);
}

int provider_get_int(const struct provider *prov, const OSSL_PARAM *p, int *value)
{
    int ok;

    prov->set_error_mark(prov->handle);
    /* On 3.0 it reads through NULL, and before a number of no bytes. */
    ok = p->data != NULL && p->data_size > 0 && OSSL_PARAM_get_int(p, value);
    prov->pop_error_to_mark(prov->handle);
    return ok ? 1 : RAISE(prov, REASON_PARAMETER);
}

int provider_put_int(const struct provider *prov, OSSL_PARAM *p, int value)
{
    int ok;

    prov->set_error_mark(prov->handle);
    ok = p == NULL || OSSL_PARAM_set_int(p, value);
    prov->pop_error_to_mark(prov->handle);
    return ok ? 1 : RAISE(prov, REASON_PARAMETER);
}

int provider_put_octets(const struct provider *prov, OSSL_PARAM *p, const uint8_t *data, size_t len)
{
    int ok;

    if (p == NULL)
        return 1;
    if (p->data_type != OSSL_PARAM_OCTET_STRING)
        return RAISE(prov, REASON_PARAMETER);
    prov->set_error_mark(prov->handle);
    ok = OSSL_PARAM_set_octet_string(p, data, len);
    prov->pop_error_to_mark(prov->handle);
    return ok ? 1 : RAISE(prov, REASON_BUFFER_TOO_SMALL);
}

int provider_put_text(const struct provider *prov, OSSL_PARAM *p, const char *text)
{
    int ok;

    if (p == NULL)
        return 1;
    if (p->data_type != OSSL_PARAM_UTF8_STRING && p->data_type != OSSL_PARAM_UTF8_PTR)
        return RAISE(prov, REASON_PARAMETER);
    prov->set_error_mark(prov->handle);
    ok = p->data_type == OSSL_PARAM_UTF8_PTR ? OSSL_PARAM_set_utf8_ptr(p, text)
                                             : OSSL_PARAM_set_utf8_string(p, text);
    prov->pop_error_to_mark(prov->handle);
    return ok ? 1 : RAISE(prov, REASON_BUFFER_TOO_SMALL);
}
