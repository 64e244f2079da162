/* SPDX-License-Identifier: Apache-2.0 */
/* What the user reads. */
#ifndef EXAMPLE_REPORT_H
#define EXAMPLE_REPORT_H

/* "dkex-handshake: ..." and a line end on standard error. Returns 0. */
int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same with the reason from OpenSSL's error queue, which is emptied. Returns 0. */
int complain_openssl(const char *what);

/* "name  value" in columns, on standard output, at once. */
void tell(const char *name, const char *value);

#endif
