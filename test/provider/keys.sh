#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Identity keys in files, through openssl's command line. Usage: keys.sh CASE OPENSSL WORK_DIR
set -eu
case=$1 openssl=$2 work=$3/keys.$1
rm -rf "$work"
mkdir -p "$work"
cd "$work"
sets='DKEX-128 DKEX-256 DKEX-512'

fail() {
    echo "FAILED: $*"
    tail -n 20 out.txt err.txt 2> /dev/null || true
    exit 1
}

# ok ARGUMENTS... : openssl succeeds, and prints no error; what it prints goes to out.txt, err.txt.
ok() {
    "$openssl" "$@" > out.txt 2> err.txt || fail "exit status $?: openssl $*"
    if grep -q ':error:' err.txt; then fail "errors: openssl $*"; fi
}

# refused REASON ARGUMENTS... : openssl fails, does not crash, and says REASON.
refused() {
    reason=$1
    shift
    status=0
    "$openssl" "$@" > out.txt 2> err.txt || status=$?
    if [ "$status" -eq 0 ] || [ "$status" -ge 126 ]; then
        fail "exit status $status: openssl $*"
    fi
    grep -q -- "$reason" err.txt || fail "no \"$reason\": openssl $*"
}

says() { grep -q -- "$1" out.txt || fail "no \"$1\""; }
same() { cmp "$1" "$2" || fail "$1 and $2 differ"; }
first_line() { [ "$(head -n 1 "$2")" = "-----BEGIN $1-----" ] || fail "$2 is no $1"; }

# key SET : a new key pair in key.pem, pub.pem.
key() {
    ok genpkey -algorithm "$1" -out key.pem
    ok pkey -in key.pem -pubout -out pub.pem
}

# hex LABEL : the octets of that block of out.txt, without colons and line ends.
hex() { sed -n "/^$1:\$/,/^[a-zA-Z]/s/^    //p" out.txt | tr -d ':\n'; }

# pub_len, priv_len of the set
lengths() {
    pub_len=2592 priv_len=4896
    if [ "$1" = DKEX-128 ]; then pub_len=1312 priv_len=2560; fi
}

case $case in
genpkey)
    for set in $sets; do
        ok genpkey -algorithm "$set" -out key.pem
        first_line 'PRIVATE KEY' key.pem
        ok genpkey -algorithm "$set" -outform DER -out key.der
        ok pkey -inform DER -in key.der -check -noout
        ok genpkey -algorithm "$set" -out other.pem
        if cmp -s key.pem other.pem; then fail "twice the same key"; fi
        ok genpkey -algorithm "$set" -text -out both.txt
        grep -q "^$set Private-Key:" both.txt || fail "genpkey -text"
    done
    refused 'DKEX-1024' genpkey -algorithm DKEX-1024
    ;;
encrypted)
    for set in $sets; do
        ok genpkey -algorithm "$set" -aes256 -pass pass:first -out key.pem
        first_line 'ENCRYPTED PRIVATE KEY' key.pem
        ok pkey -in key.pem -passin pass:first -out plain.pem
        first_line 'PRIVATE KEY' plain.pem
        # 'maybe wrong password', unless the padding looks right by chance.
        refused 'ould not' pkey -in key.pem -passin pass:wrong
        ok pkey -in plain.pem -aes-128-cbc -passout pass:second -out again.pem
        first_line 'ENCRYPTED PRIVATE KEY' again.pem
        ok pkey -in again.pem -passin pass:second -out back.pem
        same plain.pem back.pem
        ok asn1parse -in again.pem
        says PBES2
    done
    ;;
hexseed)
    seed=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
    for set in $sets; do
        ok genpkey -algorithm "$set" -pkeyopt "hexseed:$seed" -out key.pem
        ok genpkey -algorithm "$set" -pkeyopt "hexseed:$seed" -out again.pem
        same key.pem again.pem
        ok pkey -in key.pem -text -noout
        [ "$(hex seed)" = $seed ] || fail "the seed is another"
        # FIPS 204: the public key begins with rho, which is the private key's beginning too.
        [ "$(hex pub | cut -c1-64)" = "$(hex priv | cut -c1-64)" ] || fail "rho"
        refused 'bad seed length' genpkey -algorithm "$set" -pkeyopt "hexseed:${seed}20"
        refused 'bad seed length' genpkey -algorithm "$set" -pkeyopt hexseed:00
        refused 'sed:00 parameter' genpkey -algorithm "$set" -pkeyopt sed:00
    done
    ;;
text)
    for set in $sets; do
        lengths "$set"
        key "$set"
        ok pkey -in key.pem -text -noout
        cp out.txt private.txt
        [ "$(sed -n 1p out.txt)" = "$set Private-Key:" ] || fail "heading"
        [ "$(hex seed | wc -c)" = 64 ] || fail "length of seed"
        [ "$(hex priv | wc -c)" = $((2 * priv_len)) ] || fail "length of priv"
        [ "$(hex pub | wc -c)" = $((2 * pub_len)) ] || fail "length of pub"
        # Octet for octet what the file holds: both SEQUENCE { seed, expandedKey } at its end.
        seed=$(hex seed) priv=$(hex priv) pub=$(hex pub)
        ok pkey -in key.pem -outform DER -out key.der
        tail -c $((priv_len + 4 + 32)) key.der | od -An -v -tx1 | tr -d ' \n' > hex.txt
        printf '%s0482%04x%s' "$seed" "$priv_len" "$priv" > expected.txt
        same hex.txt expected.txt
        ok pkey -in key.pem -pubout -outform DER -out pub.der
        tail -c "$pub_len" pub.der | od -An -v -tx1 | tr -d ' \n' > hex.txt
        printf '%s' "$pub" > expected.txt
        same hex.txt expected.txt
        ok pkey -in key.pem -text_pub -noout
        cp out.txt public.txt
        [ "$(sed -n 1p out.txt)" = "$set Public-Key:" ] || fail "heading"
        [ "$(hex pub)" = "$pub" ] || fail "another public half"
        if grep -qE '^(seed|priv)' out.txt; then fail "a secret among what is public"; fi
        ok pkey -pubin -in pub.pem -text -noout
        same out.txt public.txt
    done
    # As OpenSSL shows ML-DSA keys, where it has them.
    if "$openssl" genpkey -algorithm ML-DSA-44 -out ml.pem 2> /dev/null; then
        ok pkey -in ml.pem -text -noout
        sed 's/[0-9a-f]/x/g; s/ML-DxA-xx/SET/; s/ML-DSA-xx/SET/' out.txt > ml.txt
        key DKEX-128
        ok pkey -in key.pem -text -noout
        sed 's/[0-9a-f]/x/g; s/DKEX-xxx/SET/' out.txt > dkex.txt
        same ml.txt dkex.txt
    fi
    ;;
public)
    for set in $sets; do
        key "$set"
        first_line 'PUBLIC KEY' pub.pem
        ok pkey -in key.pem -pubout -outform DER -out pub.der
        ok pkey -pubin -inform DER -in pub.der -out back.pem
        same pub.pem back.pem
        ok pkey -pubin -in pub.pem -outform DER -out back.der
        same pub.der back.der
        ok pkey -in key.pem -outform DER -out key.der
        ok pkey -inform DER -in key.der -out back.pem
        same key.pem back.pem
        ok pkey -inform DER -in key.der -pubout -out back.pem
        same pub.pem back.pem
        refused 'ould not' pkey -in pub.pem
    done
    ;;
check)
    for set in $sets; do
        key "$set"
        ok pkey -in key.pem -check -noout
        says 'Key is valid'
        ok pkey -in key.pem -pubcheck -noout
        says 'Key is valid'
        ok pkey -pubin -in pub.pem -pubcheck -noout
        says 'Key is valid'
    done
    ;;
pkcs8)
    for set in $sets; do
        key "$set"
        ok pkcs8 -topk8 -nocrypt -in key.pem -out plain.pem
        same key.pem plain.pem
        ok pkcs8 -topk8 -in key.pem -passout pass:word -out locked.pem
        first_line 'ENCRYPTED PRIVATE KEY' locked.pem
        ok pkcs8 -in locked.pem -passin pass:word -out plain.pem
        same key.pem plain.pem
        ok pkcs8 -topk8 -in key.pem -v2 aes-256-cbc -passout pass:word -outform DER -out locked.der
        ok pkcs8 -inform DER -in locked.der -passin pass:word -out plain.pem
        same key.pem plain.pem
        ok pkcs8 -topk8 -nocrypt -in key.pem -outform DER -out plain.der
        ok pkey -in key.pem -outform DER -out key.der
        same key.der plain.der
        ok pkcs8 -nocrypt -inform DER -in key.der -out plain.pem
        same key.pem plain.pem
    done
    ;;
storeutl)
    for set in $sets; do
        key "$set"
        ok pkey -in key.pem -aes256 -passout pass:word -out locked.pem
        ok storeutl -noout key.pem
        says 'Total found: 1'
        ok storeutl -noout -passin pass:word locked.pem
        says 'Total found: 1'
        ok storeutl -keys key.pem
        grep -v -e '^0:' -e '^Total' out.txt > back.pem
        same key.pem back.pem
        ok storeutl pub.pem
        grep -v -e '^0:' -e '^Total' out.txt > back.pem
        same pub.pem back.pem
        cat key.pem pub.pem > both.pem
        ok storeutl -noout both.pem
        says 'Total found: 2'
    done
    ;;
asn1parse)
    for set in $sets; do
        key "$set"
        ok asn1parse -in key.pem
        says "OBJECT  *:$set\$"
        says 'INTEGER  *:00$'
        cp out.txt key.txt
        ok asn1parse -in pub.pem
        says "OBJECT  *:$set\$"
        says 'BIT STRING'
        # The privateKey of the last line: RFC 9881's `both`.
        offset=$(sed -n 's/^ *\([0-9]*\):d=1 .*OCTET STRING.*/\1/p' key.txt)
        ok asn1parse -in key.pem -strparse "$offset"
        [ "$(grep -c 'OCTET STRING' out.txt)" = 2 ] || fail "seed and expanded key"
    done
    ;;
list)
    ok list -key-managers
    for set in $sets; do says "$set.* @ dkex"; done
    ok list -key-exchange-algorithms
    for set in $sets; do says "$set.* @ dkex"; done
    ok list -encoders
    for set in $sets; do says "$set.* @ dkex.*output=text"; done
    ok list -decoders
    for set in $sets; do says "$set.* @ dkex.*input=der"; done
    ok list -providers -verbose
    says '^  dkex$'
    says 'name: DKEX key exchange provider'
    says 'status: active'
    ;;
derive)
    for set in $sets; do
        key "$set"
        ok genpkey -algorithm "$set" -out other.pem
        ok pkey -in other.pem -pubout -out peer.pem
        for role in initiator responder; do
            refused 'handshake incomplete' pkeyutl -derive -inkey key.pem -peerkey peer.pem \
                -pkeyopt role:$role -out secret
            grep -q 'three messages' err.txt || fail "no word of messages"
            [ ! -s secret ] || fail "a secret all the same"
        done
        refused 'handshake incomplete' pkeyutl -derive -inkey key.pem -peerkey peer.pem
        refused 'peer is own key' pkeyutl -derive -inkey key.pem -peerkey pub.pem
        refused 'unknown role' pkeyutl -derive -inkey key.pem -peerkey peer.pem -pkeyopt role:judge
    done
    ;;
certificate)
    ok ecparam -name P-256 -genkey -noout -out ca.key
    ok req -x509 -new -key ca.key -subj /CN=CA -days 2 -addext basicConstraints=critical,CA:TRUE \
        -out ca.pem
    for set in $sets; do
        key "$set"
        ok x509 -new -force_pubkey pub.pem -subj /CN=alice -CA ca.pem -CAkey ca.key -days 1 \
            -out alice.pem
        ok verify -CAfile ca.pem alice.pem
        says 'alice.pem: OK'
        ok x509 -in alice.pem -pubkey -noout -out back.pem
        cat out.txt >> back.pem
        same pub.pem back.pem
        ok x509 -in alice.pem -text -noout
        says "Public Key Algorithm: $set"
        says "$set Public-Key:"
        # An identity key signs no requests.
        refused 'error' req -new -key key.pem -subj /CN=alice
    done
    ;;
loading)
    # Configured is what all other cases are; here by hand, in both orders, and by halves.
    config() {
        printf '%s\n' 'openssl_conf = init' '[init]' 'providers = list' 'alg_section = algorithms' \
            '[list]' 'dkex = on' "$1" '[on]' 'activate = 1' \
            '[algorithms]' "default_properties = $2" > loading.cnf
        export OPENSSL_CONF="$work/loading.cnf"
    }
    export OPENSSL_CONF=/dev/null
    for order in '-provider default -provider dkex' '-provider dkex -provider default'; do
        # shellcheck disable=SC2086
        for query in '' provider=dkex '?provider=dkex'; do
            ok genpkey $order ${query:+-propquery $query} -algorithm DKEX-128 -out key.pem
            ok pkey $order -in key.pem -noout -check
        done
        # shellcheck disable=SC2086
        refused 'unsupported\|not found\|Error' genpkey $order -propquery fips=yes \
            -algorithm DKEX-128
    done
    missing='SM3 not available: activate the default provider'
    refused "$missing" genpkey -provider dkex -algorithm DKEX-128
    refused 'unsupported\|not found\|Error' genpkey -algorithm DKEX-128
    config '' ''
    refused "$missing" genpkey -algorithm DKEX-128
    config 'default = on' '?provider=dkex'
    ok genpkey -algorithm DKEX-128
    config 'default = on' fips=yes
    refused 'unsupported\|not found\|Error' genpkey -algorithm DKEX-128
    ;;
other_keys)
    # dkex activated changes nothing for the keys of others.
    ok ecparam -name P-256 -genkey -noout -out ec.pem
    ok pkey -in ec.pem -pubout -out ec.pub.pem
    ok pkey -in ec.pem -check -noout
    ok pkey -pubin -in ec.pub.pem -noout
    ok genpkey -algorithm X25519 -out x.pem
    ok pkey -in x.pem -text -noout
    ok pkey -in x.pem -outform DER -out x.der
    ok pkey -inform DER -in x.der -out back.pem
    same x.pem back.pem
    ;;
bad_files)
    ok ecparam -name P-256 -genkey -noout -out ec.pem
    ok req -x509 -new -key ec.pem -subj /CN=CA -days 2 -out certificate.pem
    for set in $sets; do
        lengths "$set"
        key "$set"
        ok pkey -in key.pem -outform DER -out key.der
        ok pkey -in key.pem -pubout -outform DER -out pub.der
        for file in key.der pub.der key.pem pub.pem; do
            for length in 0 1 20 40 500 $(($(wc -c < $file) - 40)); do
                head -c "$length" $file > short
                refused '' pkey -in short -out made
                refused '' pkey -pubin -in short -out made
            done
        done
        # One octet of s1 more: seed and expanded key disagree; libcrypto's loader of files keeps
        # reasons to itself, and pkcs8 prints them.
        start=$(($(wc -c < key.der) - priv_len))
        head -c $((start + 128)) key.der > bad.der
        printf '\377' >> bad.der
        tail -c $((priv_len - 129)) key.der >> bad.der
        refused 'ould not' pkey -inform DER -in bad.der -out made
        refused 'seed and key do not match' pkcs8 -nocrypt -inform DER -in bad.der -out made
        refused 'ould not' pkey -pubin -in key.pem -inform DER -out made
        refused 'ould not' pkey -in certificate.pem -out made
        refused 'ould not' pkeyutl -derive -inkey certificate.pem -peerkey pub.pem
    done
    head -c 10485760 /dev/zero | "$openssl" enc -aes-128-ctr -K 00 -iv 00 > noise 2> /dev/null
    refused 'ould not' pkey -in noise -out made
    refused 'ould not' pkey -pubin -in noise -out made
    refused 'ould not' pkey -inform DER -in noise -out made
    [ ! -s made ] || fail "a key from a bad file"
    ;;
*)
    fail "unknown case"
    ;;
esac
