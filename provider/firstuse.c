/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SM3 and random bytes of the application's providers, through the child library context, and the
 * self-tests.
 *
 * Nothing is fetched while the provider loads: a fetch there would make the child context load a
 * default provider of its own, and SM3 would seem to be there although the application activated
 * dkex alone or asks for fips=yes. A failed fetch is not remembered: the application may activate
 * the default provider later.
 */
#include "provider.h"

#include <string.h>

#include <openssl/rand.h>

#include "selftest.h"

int provider_random(struct provider *prov, uint8_t *out, size_t len, unsigned strength)
{
    EVP_RAND_CTX *primary;
    int ok;

    /*
     * The primary generator and not the thread's: on 3.0 a thread that has used its own one of the
     * child context and ends after the application freed its library context crashes in that
     * generator's thread handler. The primary one is locked and reseeds after a fork.
     */
    prov->set_error_mark(prov->handle);
    primary = RAND_get0_primary(prov->child);
    ok = primary != NULL && EVP_RAND_generate(primary, out, len, strength, 0, NULL, 0);
    prov->pop_error_to_mark(prov->handle);
    return ok ? 1 : RAISE(prov, REASON_RANDOM);
}

static int self_test_failed(struct provider *prov)
{
    atomic_store(&prov->failed, 1);
    return RAISE(prov, REASON_SELF_TEST);
}

int provider_test_primitives(struct provider *prov)
{
    return dkex_selftest_primitives(prov->suites, &dkex_known_answers) == DKEX_OK
               ? 1
               : self_test_failed(prov);
}

static int test_sm3(struct provider *prov)
{
    enum dkex_status status = dkex_selftest_sm3(&prov->suites[0], prov->sm3, &dkex_known_answers);

    if (status == DKEX_OK)
        return 1;
    return status == DKEX_ERR_SELF_TEST ? self_test_failed(prov)
                                        : RAISE(prov, provider_reason_of(status));
}

/* The generator answers, and not twice alike. */
static int test_random(struct provider *prov)
{
    uint8_t draws[2][32];
    int ok = provider_random(prov, draws[0], sizeof(draws[0]), 256) &&
             provider_random(prov, draws[1], sizeof(draws[1]), 256);

    if (ok && memcmp(draws[0], draws[1], sizeof(draws[0])) == 0)
        ok = self_test_failed(prov);
    OPENSSL_cleanse(draws, sizeof(draws));
    return ok;
}

static int fetch_sm3(struct provider *prov)
{
    if (prov->sm3 == NULL) {
        prov->set_error_mark(prov->handle);
        prov->sm3 = EVP_MD_fetch(prov->child, "SM3", NULL);
        prov->pop_error_to_mark(prov->handle);
    }
    return prov->sm3 != NULL ? 1 : RAISE(prov, REASON_SM3_NOT_AVAILABLE);
}

int provider_first_use(struct provider *prov)
{
    int ok;

    if (atomic_load(&prov->failed))
        return RAISE(prov, REASON_SELF_TEST);
    if (atomic_load(&prov->ready))
        return 1;
    if (!CRYPTO_THREAD_write_lock(prov->lock))
        return RAISE(prov, REASON_MEMORY);
    ok = atomic_load(&prov->ready) || (fetch_sm3(prov) && test_sm3(prov) && test_random(prov));
    if (ok)
        atomic_store(&prov->ready, 1);
    CRYPTO_THREAD_unlock(prov->lock);
    return ok;
}

int provider_self_test(struct provider *prov)
{
    return provider_first_use(prov) && provider_test_primitives(prov) && test_sm3(prov) &&
           test_random(prov);
}
