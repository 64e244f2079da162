/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the provider share: its context, its errors, its random bytes and its SM3. */
#ifndef PROVIDER_PROVIDER_H
#define PROVIDER_PROVIDER_H

#include <stdatomic.h>

#include <openssl/core.h>
#include <openssl/core_dispatch.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "dkex.h"
#include "params.h"
#include "suite.h"

struct provider {
    const OSSL_CORE_HANDLE *handle;
    OSSL_FUNC_core_get_params_fn *get_params;
    OSSL_FUNC_core_new_error_fn *new_error;
    OSSL_FUNC_core_set_error_debug_fn *set_error_debug;
    OSSL_FUNC_core_vset_error_fn *vset_error;
    OSSL_FUNC_core_set_error_mark_fn *set_error_mark;
    OSSL_FUNC_core_pop_error_to_mark_fn *pop_error_to_mark;
    OSSL_FUNC_core_obj_create_fn *obj_create; /* NULL where libcrypto has none */
    OSSL_LIB_CTX *child;                      /* SM3, random bytes and ciphers come from here */
    struct dkex_suite suites[DKEX_SETS];
    int test_entropy; /* the section says test-entropy = yes */
    char buildinfo[96];
    CRYPTO_RWLOCK *lock; /* guards sm3 until ready is set */
    EVP_MD *sm3;
    atomic_int ready;  /* sm3 is fetched, and the self-tests at first use have passed */
    atomic_int failed; /* a known answer did not come out: nothing is served any more */
};

/* error.c: one reason an error, as users read it in OpenSSL's queue. */
enum reason {
    REASON_ROLE_NOT_SET = 1,
    REASON_UNKNOWN_ROLE,
    REASON_PRIVATE_KEY_REQUIRED,
    REASON_PEER_NOT_SET,
    REASON_PEER_FIXED,
    REASON_PEER_IS_OWN_KEY,
    REASON_OTHER_PROCESS,
    REASON_ORDER,
    REASON_LENGTH,
    REASON_MALFORMED,
    REASON_SIGNATURE,
    REASON_INCOMPLETE,
    REASON_FAILED,
    REASON_BUFFER_TOO_SMALL,
    REASON_TEST_ENTROPY_DISABLED,
    REASON_TEST_ENTROPY_LENGTH,
    REASON_RANDOM,
    REASON_MEMORY,
    REASON_SM3_NOT_AVAILABLE,
    REASON_SM3_FAILED,
    REASON_SIGNING,
    REASON_SELF_TEST,
    REASON_OPTION,
    REASON_PARAMETER,
    REASON_KEY_MISSING,
    REASON_KEY_LENGTH,
    REASON_PRIVATE_KEY,
    REASON_KEY_MISMATCH,
    REASON_SEED_LENGTH,
    REASON_SEED_MISMATCH,
    REASON_PEER_OTHER_TYPE,
    REASON_NO_COPY,
    REASON_ALGORITHM_PARAMETERS,
    REASON_TRAILING_BYTES,
    REASON_UNUSED_BITS,
    REASON_VERSION,
    REASON_PRIVATE_KEY_FORM,
    REASON_ENCODING,
    REASON_CIPHER,
    REASON_PASSPHRASE,
    REASON_ENCRYPTION,
    REASON_KEY_IS_FINAL,
};

extern const OSSL_ITEM provider_reasons[];

/* Puts the reason, with an optional text after it (NULL: none), into the queue. Returns 0. */
int provider_raise_at(const struct provider *prov, enum reason reason, const char *text,
                      const char *file, int line, const char *function);

#define RAISE(prov, reason)                                                                        \
    provider_raise_at((prov), (reason), NULL, OPENSSL_FILE, OPENSSL_LINE, OPENSSL_FUNC)
#define RAISE_TEXT(prov, reason, text)                                                             \
    provider_raise_at((prov), (reason), (text), OPENSSL_FILE, OPENSSL_LINE, OPENSSL_FUNC)

/* The reason for a status of the core other than DKEX_OK. */
enum reason provider_reason_of(enum dkex_status status);

/*
 * quiet.c: what libcrypto does, with the provider's reason alone in the queue if it fails. A `p`
 * of NULL is a parameter that nobody asked for. 1, or 0 or NULL with the reason raised.
 */
void *provider_zalloc(const struct provider *prov, size_t len);
/* From the secure heap where it has room; for OPENSSL_secure_clear_free. */
void *provider_secure_zalloc(const struct provider *prov, size_t len);
int provider_get_int(const struct provider *prov, const OSSL_PARAM *p, int *value);
int provider_put_int(const struct provider *prov, OSSL_PARAM *p, int value);
int provider_put_octets(const struct provider *prov, OSSL_PARAM *p, const uint8_t *data,
                        size_t len);
int provider_put_text(const struct provider *prov, OSSL_PARAM *p, const char *text);

/* firstuse.c. All return 1, or 0 with a reason raised. */

/* Fetches SM3 and tests it and the random generator, at the first call that succeeds. */
int provider_first_use(struct provider *prov);

/* Every self-test, now. */
int provider_self_test(struct provider *prov);

/* The known answers of the core's own primitives, which need no other provider. */
int provider_test_primitives(struct provider *prov);

/* len secret random bytes of `strength` bits. */
int provider_random(struct provider *prov, uint8_t *out, size_t len, unsigned strength);

/* The property that every algorithm has. */
#define PROVIDER_PROPERTIES "provider=dkex"

/* The dispatch tables: keymgmt.c, one a set, and exchange.c, where the key says the set. */
extern const OSSL_DISPATCH provider_keymgmt_128[], provider_keymgmt_256[], provider_keymgmt_512[];
extern const OSSL_DISPATCH provider_exchange[];

/* encoder.c, decoder.c: the algorithms with their tables. */
extern const OSSL_ALGORITHM provider_encoders[], provider_decoders[];

#endif
