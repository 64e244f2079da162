#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# dkex-kat: the official vectors field by field, and what it says when one departs.
# Usage: kat.sh CASE DKEX_KAT DIGESTS WORK_DIR CPU
set -eu
case=$1 kat=$2 digests=$3 work=$4/kat.$1.$5 cpu=$5
mkdir -p "$work"

# expect STATUS command...
expect() {
    wanted=$1 status=0
    shift
    "$@" > "$work/out" 2>&1 || status=$?
    [ "$status" = "$wanted" ] || {
        echo "exit status $status, not $wanted: $*"
        cat "$work/out"
        exit 1
    }
}

says() {
    grep -q -- "$1" "$work/out" || {
        echo "no \"$1\" in:"
        cat "$work/out"
        exit 1
    }
}

case $case in
agree)
    expect 0 "$kat" --cpu "$cpu" --check "$digests" -o "$work"
    [ "$(grep -c agrees "$work/out")" = 3 ]
    for set in 128 256 512; do
        [ "$(grep -c '^Count = ' "$work/KAT_KEX_DKEX-$set.txt")" = 10 ]
        wanted=$(sed -n "s/^DKEX-$set - file [0-9]* //p" "$digests")
        [ "$(openssl dgst -sha256 -r "$work/KAT_KEX_DKEX-$set.txt" | cut -d' ' -f1)" = "$wanted" ]
    done
    expect 0 "$kat" --cpu "$cpu" --check "$digests" 512 DKEX-128
    ;;
depart)
    # One digit of one digest: the record and the field are named.
    sed 's/^\(DKEX-256 3 M2 [0-9]* \)./\1x/' "$digests" > "$work/damaged"
    expect 1 "$kat" --check "$work/damaged"
    says 'DKEX-256 record 3 field M2 departs'
    expect 0 "$kat" --check "$work/damaged" 128 512
    grep -v '^DKEX-128 9 SS' "$digests" > "$work/damaged"
    expect 1 "$kat" --check "$work/damaged" 128
    says 'DKEX-128 record 9 field SS departs'
    grep -v '^DKEX-128 - file' "$digests" > "$work/damaged"
    expect 1 "$kat" --check "$work/damaged" 128
    says 'no digest to compare with'
    ;;
usage)
    expect 2 "$kat"
    expect 2 "$kat" -o "$work" 129
    expect 2 "$kat" -o ''
    expect 2 "$kat" -o "$work" --cpu no-such-cpu
    says 'no such cpu here: no-such-cpu'
    says 'cpus: auto portable'
    expect 2 "$kat" -o "$work" --cpu ''
    expect 2 "$kat" -o "$work" 128 256 512 128
    expect 1 "$kat" -o "$work/missing" 128
    says 'No such file or directory'
    expect 1 "$kat" --check "$work/missing" 128
    says 'No such file or directory'
    rm -f "$work/KAT_KEX_DKEX-128.txt" # a failed check begins no vector file
    expect 1 "$kat" --check "$work/missing" -o "$work" 128
    [ ! -e "$work/KAT_KEX_DKEX-128.txt" ]
    [ ! -e /dev/full ] || {
        ln -sf /dev/full "$work/KAT_KEX_DKEX-128.txt"
        expect 1 "$kat" -o "$work" 128
    }
    expect 0 "$kat" --help
    says 'cpus: auto portable'
    ;;
*)
    exit 1
    ;;
esac
