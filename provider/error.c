/* SPDX-License-Identifier: Apache-2.0 */
#include "provider.h"

#include <stdarg.h>

const OSSL_ITEM provider_reasons[] = {
    {REASON_ROLE_NOT_SET, "role not set"},
    {REASON_UNKNOWN_ROLE, "unknown role"},
    {REASON_PRIVATE_KEY_REQUIRED, "private key required"},
    {REASON_PEER_NOT_SET, "peer key not set"},
    {REASON_PEER_FIXED, "peer already fixed"},
    {REASON_PEER_IS_OWN_KEY, "peer is own key"},
    {REASON_OTHER_PROCESS, "context of another process"},
    {REASON_ORDER, "message out of order"},
    {REASON_LENGTH, "bad message length"},
    {REASON_MALFORMED, "malformed message"},
    {REASON_SIGNATURE, "signature verification failed"},
    {REASON_INCOMPLETE, "handshake incomplete"},
    {REASON_FAILED, "handshake failed"},
    {REASON_BUFFER_TOO_SMALL, "buffer too small"},
    {REASON_TEST_ENTROPY_DISABLED, "test entropy disabled"},
    {REASON_TEST_ENTROPY_LENGTH, "test entropy does not fit the next pass"},
    {REASON_RANDOM, "random generator failed"},
    {REASON_MEMORY, "out of memory"},
    {REASON_SM3_NOT_AVAILABLE, "SM3 not available: activate the default provider"},
    {REASON_SM3_FAILED, "SM3 failed"},
    {REASON_SIGNING, "signing failed"},
    {REASON_SELF_TEST, "self-test failed"},
    {REASON_OPTION, "bad value of an option in the provider's section"},
    {REASON_PARAMETER, "bad parameter"},
    {REASON_KEY_MISSING, "no key among the parameters"},
    {REASON_KEY_LENGTH, "bad key length"},
    {REASON_PRIVATE_KEY, "invalid private key"},
    {REASON_KEY_MISMATCH, "public and private key do not match"},
    {REASON_SEED_LENGTH, "bad seed length"},
    {REASON_SEED_MISMATCH, "seed and key do not match"},
    {REASON_PEER_OTHER_TYPE, "peer key of another type"},
    {REASON_NO_COPY, "context holds an ephemeral secret and cannot be copied"},
    {REASON_ALGORITHM_PARAMETERS, "algorithm parameters where none belong"},
    {REASON_TRAILING_BYTES, "bytes after the end of a private key"},
    {REASON_UNUSED_BITS, "unused bits in a public key"},
    {REASON_VERSION, "unknown version of a private key"},
    {REASON_PRIVATE_KEY_FORM, "private key is neither seed nor expanded key nor both"},
    {REASON_ENCODING, "writing the key failed"},
    {REASON_CIPHER, "cipher not available"},
    {REASON_PASSPHRASE, "no pass phrase"},
    {REASON_ENCRYPTION, "encryption failed"},
    {REASON_KEY_IS_FINAL, "a key cannot be changed"},
    {0, NULL},
};

static void set_error(const struct provider *prov, enum reason reason, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    prov->vset_error(prov->handle, (uint32_t)reason, format, args);
    va_end(args);
}

int provider_raise_at(const struct provider *prov, enum reason reason, const char *text,
                      const char *file, int line, const char *function)
{
    prov->new_error(prov->handle);
    prov->set_error_debug(prov->handle, file, line, function);
    if (text != NULL)
        set_error(prov, reason, "%s", text);
    else
        set_error(prov, reason, NULL);
    return 0;
}

enum reason provider_reason_of(enum dkex_status status)
{
    switch (status) {
    case DKEX_ERR_ROLE_NOT_SET:
        return REASON_ROLE_NOT_SET;
    case DKEX_ERR_PRIVATE_KEY_REQUIRED:
        return REASON_PRIVATE_KEY_REQUIRED;
    case DKEX_ERR_PEER_NOT_SET:
        return REASON_PEER_NOT_SET;
    case DKEX_ERR_PEER_FIXED:
        return REASON_PEER_FIXED;
    case DKEX_ERR_PEER_IS_OWN_KEY:
        return REASON_PEER_IS_OWN_KEY;
    case DKEX_ERR_ORDER:
        return REASON_ORDER;
    case DKEX_ERR_LENGTH:
        return REASON_LENGTH;
    case DKEX_ERR_MALFORMED:
        return REASON_MALFORMED;
    case DKEX_ERR_SIGNATURE:
        return REASON_SIGNATURE;
    case DKEX_ERR_INCOMPLETE:
        return REASON_INCOMPLETE;
    case DKEX_ERR_KEY:
        return REASON_PRIVATE_KEY;
    case DKEX_ERR_SM3:
        return REASON_SM3_FAILED;
    case DKEX_ERR_SIGNING:
        return REASON_SIGNING;
    case DKEX_ERR_UNAVAILABLE:
    case DKEX_ERR_SELF_TEST:
        return REASON_SELF_TEST;
    case DKEX_OK:
    case DKEX_ERR_FAILED:
        break;
    }
    return REASON_FAILED;
}
