#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# In a Debian root of its own, made with debootstrap and kept for the next time: the package
# (bookworm, OpenSSL 3.0) installed and used, or (trixie, OpenSSL 3.5) all built and tested.
# Usage: debian.sh bookworm|trixie ROOTS_DIR SOURCE_DIR BUILD_DIR CPACK VECTORS_DIR
set -eu
suite=$1 roots=$2 source=$3 build=$4 cpack=$5 vectors=${6:-}

skip() {
    echo "skipped: $*"
    exit 77
}

[ -n "$roots" ] || skip "DKEX_DEBIAN_ROOTS names no folder for Debian roots"
[ "$(id -u)" = 0 ] || skip "a Debian root is made as root"
command -v debootstrap > /dev/null || skip "debootstrap is not installed"
root=$roots/$suite
if [ ! -e "$root.made" ]; then
    rm -rf "$root"
    mkdir -p "$roots"
    debootstrap --variant=minbase "$suite" "$root" > "$root.log" 2>&1 ||
        skip "debootstrap failed: $(tail -n 1 "$root.log")"
    : > "$root.made"
fi
inside() { chroot "$root" /bin/sh -ec "$1"; }
inside 'export DEBIAN_FRONTEND=noninteractive; apt-get -qq update' > "$root.log" 2>&1 ||
    skip "no packages to be had: $(tail -n 1 "$root.log")"

case $suite in
bookworm)
    (cd "$build" && "$cpack" -G DEB) > "$root.log"
    rm -f "$root"/srv/*.deb
    cp "$build"/openssl-provider-dkex_*.deb "$root/srv/"
    inside 'export DEBIAN_FRONTEND=noninteractive
        apt-get -qq install -y --no-install-recommends --reinstall openssl /srv/*.deb
        export OPENSSL_CONF=/usr/share/doc/dkex/openssl.cnf.example
        openssl version
        openssl list -providers | grep "DKEX key exchange provider"
        [ "$(dkex-handshake | grep -c "secrets agree")" = 3 ]
        openssl genpkey -algorithm DKEX-512 | openssl pkey -noout -check
        dkex-kat --check /usr/share/doc/dkex/digests.txt
        apt-get -qq remove -y openssl-provider-dkex
        ! command -v dkex-handshake'
    ;;
trixie)
    rm -rf "$root/srv/dkex" "$root/srv/vectors"
    mkdir -p "$root/srv/dkex" "$root/srv/vectors"
    (cd "$source" && tar -cf - --exclude='./build*' --exclude=./.git .) | tar -xf - -C "$root/srv/dkex"
    [ -z "$vectors" ] || cp -r "$vectors/." "$root/srv/vectors"
    inside 'export DEBIAN_FRONTEND=noninteractive
        apt-get -qq install -y --no-install-recommends gcc make cmake binutils openssl libc6-dev \
            libssl-dev libjansson-dev libcmocka-dev > /dev/null
        openssl version
        cd /srv/dkex
        cmake -B build -DDKEX_WERROR=ON -DDKEX_VECTORS_DIR=/srv/vectors > /dev/null
        cmake --build build -j2 > /dev/null
        ctest --test-dir build --output-on-failure -j2'
    ;;
esac
