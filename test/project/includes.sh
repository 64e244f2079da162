#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Includes point one way: kernels < core < provider < tools. Usage: includes.sh SOURCE_DIR
set -eu
cd "$1"
bad=0

# forbid PATTERN FILE... : no #include of the files may match the extended regular expression.
forbid() {
    pattern=$1
    shift
    if grep -nE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]$pattern" "$@" /dev/null; then
        bad=1
    fi
}

core=$(find dkex -name '*.[ch]')
kernels=$(find dkex -name 'ring*.[ch]' -o -name 'codec_portable.h' -o -name 'sm3x*.[ch]' \
    -o -path 'dkex/mldsa/*.[ch]')
[ -n "$core" ] && [ -n "$kernels" ]

# The core knows OpenSSL in sm3.c alone, and nothing of what is built on it.
# shellcheck disable=SC2086
forbid 'openssl/' $(echo "$core" | grep -v '^dkex/sm3\.c$')
# shellcheck disable=SC2086
forbid '([^">]*/)?(provider|kat|bench|test|docs)/' $core
# shellcheck disable=SC2086
forbid '(\.\./)?(suite|dke|handshake|params)\.h' $kernels
forbid '\.\./sample\.h' dkex/mldsa/*.[ch]
forbid '([^">]*/)?(ring|sm3x?|sample|dke|codec|kernels|keccak|pack|expand)(_[a-z]*)?\.h' provider/*.[ch]
forbid '([^">]*/)?(kat|bench|test|docs)/' provider/*.[ch]
forbid '(dkex|params|suite|provider)\.h' docs/example/*.[ch]
forbid '[^">]*(dkex|provider)/' docs/example/*.[ch]

# No intrinsics but in the files named for their instruction set; no allocation in the core.
# shellcheck disable=SC2086
forbid '([a-z]*mmintrin|immintrin|x86intrin|arm_neon)\.h' \
    $(echo "$core" | grep -vE '_(avx2|avx512|neon)\.[ch]$')
# shellcheck disable=SC2086
if grep -nE '\b(malloc|calloc|realloc|getenv|f?printf)[[:space:]]*\(' $core; then
    bad=1
fi
exit $bad
