/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many sessions with fresh coins and, every now and then, fresh keys: all agree.
 * Usage: test_soak SESSIONS [SET...]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "evp_session.h"

enum { SESSIONS_A_KEY = 16 };

static unsigned long sessions;

static void soak(void **state)
{
    const struct tp_set *set = *state;
    EVP_PKEY *alice = NULL, *bob = NULL;
    EVP_PKEY_CTX *a = NULL, *b = NULL;
    uint8_t secret[TP_MAX_SECRET], before[TP_MAX_SECRET] = {0};

    for (unsigned long i = 0; i < sessions; i++) {
        char initiator[] = "initiator", responder[] = "responder";
        OSSL_PARAM role_a[] = {OSSL_PARAM_construct_utf8_string("role", initiator, 0),
                               OSSL_PARAM_construct_end()};
        OSSL_PARAM role_b[] = {OSSL_PARAM_construct_utf8_string("role", responder, 0),
                               OSSL_PARAM_construct_end()};

        if (i % SESSIONS_A_KEY == 0) {
            EVP_PKEY_CTX_free(a);
            EVP_PKEY_CTX_free(b);
            EVP_PKEY_free(alice);
            EVP_PKEY_free(bob);
            tp_ok((alice = tp_key_generate(tp_shared.ctx, set->name)) != NULL);
            tp_ok((bob = tp_key_generate(tp_shared.ctx, set->name)) != NULL);
            tp_ok((a = EVP_PKEY_CTX_new_from_pkey(tp_shared.ctx, alice, NULL)) != NULL);
            tp_ok((b = EVP_PKEY_CTX_new_from_pkey(tp_shared.ctx, bob, NULL)) != NULL);
        }
        tp_ok(EVP_PKEY_derive_init_ex(a, role_a));
        tp_ok(EVP_PKEY_derive_init_ex(b, role_b));
        tp_ok(EVP_PKEY_derive_set_peer(a, bob));
        tp_ok(EVP_PKEY_derive_set_peer(b, alice));
        tp_ok(tp_agree(set, a, b, secret));
        assert_memory_not_equal(secret, before, set->secret_len);
        memcpy(before, secret, sizeof(before));
    }
    EVP_PKEY_CTX_free(a);
    EVP_PKEY_CTX_free(b);
    EVP_PKEY_free(alice);
    EVP_PKEY_free(bob);
    tp_ok(1);
}

int main(int argc, char **argv)
{
    struct CMUnitTest tests[] = {TP_EACH_SET(soak)};
    char *end = NULL;

    sessions = argc > 1 ? strtoul(argv[1], &end, 10) : 0;
    if (sessions == 0 || *end != '\0') {
        fprintf(stderr, "usage: %s SESSIONS [SET...]\n", argv[0]);
        return 2;
    }
    for (size_t i = 0; argc > 2 && i < TP_SETS; i++) {
        int chosen = 0;

        for (int j = 2; j < argc; j++)
            chosen |= strcmp(argv[j], tp_sets[i].name) == 0;
        if (!chosen)
            tests[i].name = NULL;
    }
    return cmocka_run_group_tests(tests, tp_shared_open, tp_shared_close);
}
