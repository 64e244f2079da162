/* SPDX-License-Identifier: Apache-2.0 */
/* SM3 and the suites of the backend under test, which the command line names. */
#ifndef TEST_CORE_FIXTURE_H
#define TEST_CORE_FIXTURE_H

#include <openssl/evp.h>

#include "suite.h"

/* The fetched SM3, for the life of the process. */
static inline const EVP_MD *fixture_sm3(void)
{
    static EVP_MD *md;

    if (md == NULL)
        md = EVP_MD_fetch(NULL, "SM3", NULL);
    assert_non_null(md);
    return md;
}

/* A fixture keeps the fetched SM3; cmocka calls this at the end of a program. */
static inline int fixture_teardown(void **state)
{
    (void)state;
    EVP_MD_free((EVP_MD *)fixture_sm3());
    return 0;
}

static const char *fixture_cpu = "auto";

/* Takes the backend's name, if the command line has one: a name that cannot be bound fails. */
static inline void fixture_arguments(int argc, char **argv)
{
    if (argc > 1)
        fixture_cpu = argv[1];
}

static inline struct dkex_suite fixture_suite(size_t set)
{
    struct dkex_suite suite;

    assert_int_equal(dkex_suite_bind(&suite, &dkex_params[set], fixture_cpu), DKEX_OK);
    return suite;
}

#endif
