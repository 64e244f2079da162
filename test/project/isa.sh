#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# No object but the vector files holds instructions that an old x86-64 lacks: _avx2 files hold
# nothing of AVX-512, all others nothing of AVX. Usage: isa.sh C_FLAGS OBJECT...
set -eu
command -v objdump > /dev/null || {
    echo "skipped: objdump (binutils) is not installed"
    exit 77
}
case $1 in
*-march=* | *-mavx*)
    echo "skipped: built for more than the base instruction set: $1"
    exit 77
    ;;
esac
shift
objdump -f "$1" | grep -q 'elf64-x86-64' || {
    echo "skipped: not x86-64"
    exit 77
}

# Lines of an object's disassembly whose bytes match, or whose instruction does: in 64-bit code c4
# and c5 begin a VEX encoding, AVX and AVX2, and nothing else; 62 begins EVEX, AVX-512.
code() {
    objdump -dw "$2" | awk -F'\t' -v what="$1" \
        '(what == "avx" && ($2 ~ /^(c4|c5|62) / || $3 ~ /%[yz]mm/)) ||
         (what == "avx512" && ($2 ~ /^62 / || $3 ~ /%zmm|%k[0-7]|%[xy]mm(1[6-9]|2[0-9]|3[01])/)) ||
         (what == "ymm" && $3 ~ /%ymm/) || (what == "zmm" && $3 ~ /%zmm/)' | head -n 3
}

bad=0 avx2=0 avx512=0 base=0

none_of() {
    found=$(code "$1" "$2")
    [ -z "$found" ] || {
        printf '%s holds %s:\n%s\n' "$2" "$1" "$found"
        bad=1
    }
}

some_of() {
    [ -n "$(code "$1" "$2")" ] || {
        echo "$2 holds no $1"
        bad=1
    }
}

for object; do
    objdump -f "$object" > /dev/null
    case $object in
    *_avx2.c.o)
        avx2=$((avx2 + 1))
        some_of ymm "$object"
        none_of avx512 "$object"
        ;;
    *_avx512.c.o)
        avx512=$((avx512 + 1))
        some_of zmm "$object"
        ;;
    *)
        base=$((base + 1))
        none_of avx "$object"
        ;;
    esac
done
echo "$base objects of the base instruction set, $avx2 of AVX2, $avx512 of AVX-512"
[ "$base" -gt 0 ] && [ "$avx2" -gt 0 ] && [ "$avx512" -gt 0 ] && exit $bad
exit 1
