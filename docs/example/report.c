/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <openssl/err.h>

int complain(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fputs("dkex-handshake: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return 0;
}

int complain_openssl(const char *what)
{
    unsigned long first = ERR_get_error(); /* what follows it are consequences */
    const char *reason = NULL;

    /* An errno's value, as of a file that isn't there, has no text in OpenSSL's tables. */
    if (ERR_SYSTEM_ERROR(first))
        reason = strerror(ERR_GET_REASON(first));
    else if (first != 0)
        reason = ERR_reason_error_string(first);
    complain("%s: %s", what, reason != NULL ? reason : "failed, without a reason");
    ERR_clear_error();
    return 0;
}

void tell(const char *name, const char *value)
{
    printf("%-15s %s\n", name, value);
    fflush(stdout);
}
