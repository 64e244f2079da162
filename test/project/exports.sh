#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The module exports OSSL_provider_init and nothing else, is hardened, and needs libcrypto and
# libc alone. Usage: exports.sh MODULE SANITIZED(ON|OFF)
set -eu
module=$1
command -v nm > /dev/null && command -v readelf > /dev/null || {
    echo "skipped: nm and readelf (binutils) are not installed"
    exit 77
}

exported=$(nm -D --defined-only "$module" | awk '{print $3}' | sort)
if [ "$exported" != OSSL_provider_init ]; then
    echo "exported symbols, OSSL_provider_init expected alone:"
    echo "$exported"
    exit 1
fi

readelf -lW "$module" | grep -q 'GNU_RELRO'
readelf -dW "$module" | grep -qE 'BIND_NOW|Flags:.*NOW'
readelf -lW "$module" | grep 'GNU_STACK' | grep -vq 'RWE'
if readelf -dW "$module" | grep -q TEXTREL; then
    echo "text relocations"
    exit 1
fi
if [ "${2:-OFF}" = OFF ]; then
    needed=$(readelf -dW "$module" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
        grep -vE '^(libcrypto\.so|libc\.so|ld-linux)' || true)
    if [ -n "$needed" ]; then
        echo "unexpected libraries: $needed"
        exit 1
    fi
fi
