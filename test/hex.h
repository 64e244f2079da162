/* SPDX-License-Identifier: Apache-2.0 */
/* Hexadecimal in and out, either case in, lower case out. */
#ifndef TEST_HEX_H
#define TEST_HEX_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline int test_hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c != '\0' ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;

    return at != NULL ? (int)(at - digits) : -1;
}

/* Decodes hex into at most cap bytes and sets *len; 0 if it is malformed or too long, else 1. */
static inline int test_hex_decode(uint8_t *out, size_t cap, size_t *len, const char *hex)
{
    size_t n = strlen(hex);

    if (n % 2 != 0 || n / 2 > cap)
        return 0;
    for (size_t i = 0; i < n / 2; i++) {
        int hi = test_hex_digit(hex[2 * i]), lo = test_hex_digit(hex[2 * i + 1]);

        if (hi < 0 || lo < 0)
            return 0;
        out[i] = (uint8_t)(hi << 4 | lo);
    }
    *len = n / 2;
    return 1;
}

/* Writes 2 * len digits and a terminator. */
static inline void test_hex_encode(char *out, const uint8_t *in, size_t len)
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < len; i++) {
        out[2 * i] = digits[in[i] >> 4];
        out[2 * i + 1] = digits[in[i] & 15];
    }
    out[2 * len] = '\0';
}

#endif
