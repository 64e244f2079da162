/* SPDX-License-Identifier: Apache-2.0 */
#include "dkex.h"

const char *dkex_status_string(enum dkex_status status)
{
    switch (status) {
    case DKEX_OK:
        return "ok";
    case DKEX_ERR_ROLE_NOT_SET:
        return "role not set";
    case DKEX_ERR_PRIVATE_KEY_REQUIRED:
        return "private key required";
    case DKEX_ERR_PEER_NOT_SET:
        return "peer key not set";
    case DKEX_ERR_PEER_FIXED:
        return "peer already fixed";
    case DKEX_ERR_PEER_IS_OWN_KEY:
        return "peer is own key";
    case DKEX_ERR_ORDER:
        return "message out of order";
    case DKEX_ERR_LENGTH:
        return "bad message length";
    case DKEX_ERR_MALFORMED:
        return "malformed message";
    case DKEX_ERR_SIGNATURE:
        return "signature verification failed";
    case DKEX_ERR_INCOMPLETE:
        return "handshake incomplete";
    case DKEX_ERR_FAILED:
        return "handshake failed";
    case DKEX_ERR_KEY:
        return "invalid private key";
    case DKEX_ERR_SM3:
        return "SM3 failed";
    case DKEX_ERR_SIGNING:
        return "signing failed";
    case DKEX_ERR_UNAVAILABLE:
        return "instruction set not available";
    case DKEX_ERR_SELF_TEST:
        return "self-test failed";
    }
    return "unknown status";
}
