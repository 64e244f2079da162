/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <stdarg.h>
#include <stdio.h>

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
    const char *reason = first != 0 ? ERR_reason_error_string(first) : NULL;

    complain("%s: %s", what, reason != NULL ? reason : "failed, without a reason");
    ERR_clear_error();
    return 0;
}

void tell(const char *name, const char *value)
{
    printf("%-15s %s\n", name, value);
    fflush(stdout);
}
