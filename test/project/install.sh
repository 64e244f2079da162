#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs into a folder and uses what is there with openssl.cnf.
# Usage: install.sh BUILD_DIR WORK_DIR CMAKE MODULES_DIR MANDIR DOCDIR
set -eu
build=$1 root=$2/install cmake=$3 modules=$4 mandir=$5 docdir=$6
rm -rf "$root"
DESTDIR=$root "$cmake" --install "$build" > "$2/install.log"

# The module is where libcrypto looks for modules.
if command -v openssl > /dev/null; then
    openssl version -m | grep -qF "\"$modules\"" || echo "note: DKEX_MODULES_DIR was set by hand"
fi
[ -f "$root$modules/dkex.so" ]
[ -f "$root$docdir/openssl.cnf.example" ]
[ -f "$root$mandir/man7/provider-dkex.7" ] && [ -f "$root$mandir/man1/dkex-handshake.1" ]
handshake=$(find "$root" -name dkex-handshake -type f)
export OPENSSL_CONF="$root$docdir/openssl.cnf.example" OPENSSL_MODULES="$root$modules"
[ "$("$handshake" | grep -c 'secrets agree')" = 3 ]
