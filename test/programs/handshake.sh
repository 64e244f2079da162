#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# dkex-handshake as users run it. Usage: handshake.sh CASE HANDSHAKE BADPEER WORK_DIR
set -eu
case=$1 handshake=$2 badpeer=$3 work=$4/handshake.$1
mkdir -p "$work"
cd "$work"

fail() {
    echo "FAILED: $*"
    tail -n 20 ./*.out ./*.err 2> /dev/null || true
    exit 1
}

# expect STATUS command... : runs it into out.out and out.err.
expect() {
    wanted=$1
    shift
    status=0
    "$@" > out.out 2> out.err || status=$?
    [ "$status" = "$wanted" ] || fail "exit status $status, not $wanted: $*"
}

says() { grep -q -- "$1" out.out out.err || fail "no \"$1\""; }
value() { sed -n "s/^$1  *//p" "$2"; }

# in_background COMMAND... : which listens, into l.out and l.err; sets $pid and $port.
in_background() {
    : > l.out
    "$@" > l.out 2> l.err &
    pid=$!
    tries=0
    while port=$(sed -n 's/^listening on.*:\([0-9]*\)$/\1/p' l.out) && [ -z "$port" ]; do
        tries=$((tries + 1))
        [ $tries -lt 100 ] || fail "not listening"
        sleep 0.1
    done
}

listener() { in_background "$handshake" listen "$@"; }

# listener_ends STATUS
listener_ends() {
    status=0
    wait "$pid" || status=$?
    [ "$status" = "$1" ] || fail "listener's exit status is $status, not $1"
}

case $case in
local)
    expect 0 "$handshake"
    [ "$(grep -c '^the two secrets agree' out.out)" = 3 ] || fail "three sets agree"
    if grep -q '^secret  ' out.out; then fail "the secret is shown"; fi
    expect 0 "$handshake" --set 128 --show-secret
    says '^DKEX-128'
    value secret out.out | grep -qE '^[0-9a-f]{64}$' || fail "no secret"
    ;;
remote)
    for set in 128 DKEX-256 512; do
        listener 0 --set $set
        expect 0 "$handshake" connect "$port" --set $set
        listener_ends 0
        says 'peer not authenticated'
        says 'does not prove that the responder accepted'
        [ -n "$(value 'SM3 of secret' l.out)" ] || fail "no digest"
        [ "$(value 'SM3 of secret' l.out)" = "$(value 'SM3 of secret' out.out)" ] || fail "digests"
        [ "$(value 'own identity' l.out)" = "$(value "peer's identity" out.out)" ] || fail "A's view"
        [ "$(value "peer's identity" l.out)" = "$(value 'own identity' out.out)" ] || fail "B's view"
    done
    ;;
ipv6)
    [ -e /proc/net/if_inet6 ] && grep -q '^0*1 ' /proc/net/if_inet6 || {
        echo "skipped: no IPv6 loopback"
        exit 77
    }
    listener '[::1]:0'
    expect 0 "$handshake" connect "[::1]:$port"
    listener_ends 0
    ;;
peer)
    other=$(printf '%064d' 0)
    listener 0
    expect 1 "$handshake" connect "$port" --peer "$other"
    says 'not the one that --peer names'
    listener_ends 1
    listener 0 --peer "$other"
    expect 1 "$handshake" connect "$port"
    listener_ends 1
    grep -q 'not the one that --peer names' l.err || fail "listener's reason"
    # The right one, in either case of letters, is known before the connection.
    listener 0
    right=$(value 'own identity' l.out | tr a-f A-F)
    expect 0 "$handshake" connect "$port" --peer "$right"
    listener_ends 0
    if grep -q 'not authenticated' out.out; then fail "an authenticated peer is"; fi
    # Another is refused before his message is looked at, which is malformed.
    listener 0 --peer "$other"
    "$badpeer" "$port" malformed 2592 1568
    listener_ends 1
    grep -q 'not the one that --peer names' l.err || fail "refused too late"
    # Not a fingerprint.
    for word in 1234 "${other}0" "${other%0}g" ''; do
        expect 1 "$handshake" connect 1 --peer "$word"
        says 'neither 64 hexadecimal digits nor a file'
    done
    ;;
keys)
    command -v openssl > /dev/null || {
        echo "skipped: the openssl command is not installed"
        exit 77
    }
    for name in alice bob eve; do
        openssl genpkey -algorithm DKEX-256 -out $name.pem
        chmod 600 $name.pem
        openssl pkey -in $name.pem -pubout -out $name.pub
    done
    listener 0 --key bob.pem --peer alice.pub
    expect 0 "$handshake" connect "$port" --key alice.pem --peer bob.pub
    listener_ends 0
    if grep -q 'not authenticated' out.out l.out; then fail "authenticated peers are"; fi
    listener 0 --key bob.pem --peer alice.pub
    expect 1 "$handshake" connect "$port" --key eve.pem --peer bob.pub
    listener_ends 1
    # Alice again, by a certificate under an EC authority; and under one that nobody trusts.
    for ca in ca other; do
        openssl ecparam -name prime256v1 -genkey -noout -out $ca.key
        openssl req -x509 -new -key $ca.key -subj /CN=$ca -days 2 -out $ca.crt \
            -addext basicConstraints=critical,CA:TRUE
    done
    openssl x509 -new -force_pubkey alice.pub -subj /CN=alice -CA ca.crt -CAkey ca.key -days 1 \
        -out alice.crt
    listener 0 --key bob.pem --peer alice.crt --CAfile ca.crt
    expect 0 "$handshake" connect "$port" --key alice.pem --peer bob.pub
    listener_ends 0
    expect 1 "$handshake" connect 1 --peer alice.crt --CAfile other.crt
    says 'unable to get local issuer certificate'
    expect 1 "$handshake" connect 1 --peer alice.crt
    says 'needs --CAfile'
    expect 1 "$handshake" connect 1 --peer ca.crt --CAfile ca.crt
    says 'not a key for DKEX-256'
    # What is no key, or another's.
    expect 1 "$handshake" connect 1 --key bob.pem --set 128
    says 'not a key for DKEX-128'
    expect 1 "$handshake" connect 1 --key bob.pub
    expect 1 "$handshake" connect 1 --key missing
    says 'missing: No such file'
    expect 1 "$handshake" connect 1 --peer alice.crt --CAfile missing
    says 'missing: No such file'
    echo nonsense > nonsense
    expect 1 "$handshake" connect 1 --peer nonsense
    says 'neither a fingerprint'
    chmod 644 bob.pem
    expect 1 "$handshake" connect 1 --key bob.pem
    says 'warning: bob.pem: others may read'
    ;;
sets_differ)
    listener 0 --set 512
    expect 1 "$handshake" connect "$port" --set 128
    listener_ends 1
    grep -q 'announced 1312 bytes where 2592 belong' l.err || fail "listener's reason"
    # Public keys of these two have one length; m1 tells them apart.
    listener 0 --set 512
    expect 1 "$handshake" connect "$port" --set 256
    listener_ends 1
    grep -q 'announced 1568 bytes where 3392 belong' l.err || fail "listener's reason"
    ;;
bad_listeners | bad_connectors)
    # attack KIND [OPTION...] : the program meets such a peer, and ends in time with status 1. Its
    # words are in out.out and out.err.
    attack() {
        kind=$1 began=$(date +%s)
        shift
        if [ "$case" = bad_connectors ]; then
            listener 0 "$@"
            "$badpeer" "$port" "$kind" 2592 1568
            listener_ends 1
            mv l.out out.out
            mv l.err out.err
        else
            in_background "$badpeer" 0 "$kind" 2592 6195
            expect 1 "$handshake" connect "$port" "$@"
            listener_ends 0
        fi
        [ $(($(date +%s) - began)) -lt 15 ] || fail "$kind: too long"
        if grep -q '^SM3 of secret' out.out; then fail "$kind: a secret"; fi
    }
    for kind in garbage huge empty; do
        attack $kind --timeout 20
        says 'the peer announced'
    done
    for kind in close cut; do
        attack $kind --timeout 20
        grep -qE 'closed the connection|reset|Broken pipe' out.err || fail "$kind"
    done
    attack malformed --timeout 20
    if [ "$case" = bad_connectors ]; then
        says 'DKEX-256: malformed message'
    else
        says 'DKEX-256: signature verification failed'
    fi
    # One that sends a byte now and then has no more time than one that sends nothing.
    for kind in stall half drip; do
        attack $kind --timeout 1
        says 'timed out'
    done
    expect 1 "$handshake" listen 0 --timeout 1
    says 'timed out'
    ;;
usage)
    expect 0 "$handshake" --help
    says '^usage:'
    expect 2 "$handshake" --unknown
    expect 2 "$handshake" talk 1
    expect 2 "$handshake" listen
    expect 2 "$handshake" listen 1 2
    expect 2 "$handshake" --set DKEX-1024
    expect 2 "$handshake" listen 0 --CAfile x
    expect 2 "$handshake" --key x
    expect 2 "$handshake" listen 0 --timeout 0
    expect 2 "$handshake" listen 0 --timeout 10s
    expect 2 "$handshake" --peer "$(printf '%064d' 0)"
    # A closed standard output must not become the socket.
    listener 0
    "$handshake" connect "$port" --show-secret >&- 2> out.err || fail "no standard output"
    listener_ends 0
    [ ! -e /dev/full ] || {
        status=0
        "$handshake" > /dev/full 2> out.err || status=$?
        [ $status = 1 ] || fail "a full disk goes unnoticed"
    }
    expect 1 "$handshake" connect ''
    expect 1 "$handshake" connect 65536
    says 'no port between'
    expect 1 "$handshake" connect abc
    says 'no port between'
    expect 1 "$handshake" connect '[::1:5'
    expect 1 "$handshake" connect 1
    says 'Connection refused'
    ;;
no_provider)
    OPENSSL_CONF=/dev/null expect 1 "$handshake"
    says 'the provider dkex is not loaded'
    says 'OPENSSL_CONF'
    ;;
*)
    fail "unknown case"
    ;;
esac
