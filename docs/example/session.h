/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A DKEX handshake through libcrypto's public API. Every function returns 1 (or an object), or 0
 * (or NULL) with the reason in OpenSSL's error queue.
 */
#ifndef EXAMPLE_SESSION_H
#define EXAMPLE_SESSION_H

#include <stddef.h>

#include <openssl/evp.h>

/* Lengths in bytes are fixed by the set, so that each message's is known before it arrives. */
struct set {
    const char *name;
    size_t pub_len, m1_len, m2_len, m3_len;
};

enum { SETS = 3 };

extern const struct set sets[SETS];

/* "DKEX-128" or "128"; NULL for any other word. */
const struct set *set_find(const char *word);

/* Octets in memory of their own. message_free cleanses: one may be a secret. */
struct message {
    unsigned char *data;
    size_t len;
};

void message_free(struct message *m);

EVP_PKEY *session_new_identity(const struct set *set);

/* A public key to send, and one that was received. */
int session_export_public(struct message *out, EVP_PKEY *key);
EVP_PKEY *session_import_public(const struct set *set, const struct message *in);

/* SM3 of the encoded public key, or of any octets, as 64 hexadecimal digits. */
enum { DIGEST_CHARS = 64 };
int session_digest(char hex[DIGEST_CHARS + 1], const unsigned char *data, size_t len);
int session_fingerprint(char hex[DIGEST_CHARS + 1], EVP_PKEY *key);

/* A context in the role "initiator" or "responder". */
EVP_PKEY_CTX *session_start(EVP_PKEY *own, EVP_PKEY *peer, const char *role);

/* The message to send next. */
int session_message_out(struct message *out, EVP_PKEY_CTX *ctx);

/* The peer's next message: verified and answered. */
int session_message_in(EVP_PKEY_CTX *ctx, const struct message *in);

int session_secret(struct message *secret, EVP_PKEY_CTX *ctx);

#endif
