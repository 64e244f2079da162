/* SPDX-License-Identifier: Apache-2.0 */
/* Loading and unloading, library contexts, default properties, the provider's own parameters. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <openssl/err.h>
#include "evp_session.h"

static const char no_sm3[] = "SM3 not available: activate the default provider";

static int session_in(OSSL_LIB_CTX *lib, const struct tp_set *set)
{
    EVP_PKEY *alice = tp_key_generate(lib, set->name), *bob = tp_key_generate(lib, set->name);
    uint8_t secret[TP_MAX_SECRET];
    int ok = alice != NULL && bob != NULL && tp_session(set, lib, alice, bob, secret);

    EVP_PKEY_free(alice);
    EVP_PKEY_free(bob);
    return ok;
}

/* As a user has it: the application's default context, openssl.cnf names the provider. */
static void default_context(void **state)
{
    if (getenv("OPENSSL_CONF") == NULL)
        skip();
    tp_ok(session_in(NULL, *state));
}

static void a_hundred_times(void **state)
{
    (void)state;
    for (int i = 0; i < 100; i++) {
        struct tp_lib lib;

        tp_lib_open(&lib);
        tp_ok(session_in(lib.ctx, &tp_sets[i % TP_SETS]));
        tp_lib_close(&lib);
    }
    tp_ok(1);
}

/* The same in one library context. */
static void a_hundred_times_in_one_context(void **state)
{
    OSSL_LIB_CTX *lib = OSSL_LIB_CTX_new();
    OSSL_PROVIDER *base = OSSL_PROVIDER_load(lib, "default");

    (void)state;
    for (int i = 0; i < 100; i++) {
        const struct tp_set *set = &tp_sets[i % TP_SETS];
        OSSL_PROVIDER *dkex = OSSL_PROVIDER_load(lib, "dkex");

        tp_ok(dkex != NULL);
        tp_ok(session_in(lib, set));
        tp_ok(OSSL_PROVIDER_unload(dkex));
    }
    OSSL_PROVIDER_unload(base);
    OSSL_LIB_CTX_free(lib);
    tp_ok(1);
}

/* Loaded and never used. */
static void unused(void **state)
{
    (void)state;
    for (int i = 0; i < 10; i++) {
        struct tp_lib lib;

        tp_lib_open(&lib);
        tp_lib_close(&lib);
    }
    tp_ok(1);
}

/* Keys and contexts that outlive the application's handle on the provider. */
static void unloaded_early(void **state)
{
    struct tp_lib lib;
    struct tp_pair p;

    tp_lib_open(&lib);
    tp_pair_open(&p, &lib, *state);
    tp_ok(OSSL_PROVIDER_unload(lib.dkex));
    lib.dkex = NULL;
    tp_pair_close(&p);
    tp_lib_close(&lib);
    tp_ok(1);
}

/* Two parties, each with a library context of its own: only octets pass between them. */
static void two_contexts(void **state)
{
    const struct tp_set *set = *state;
    struct tp_lib home[2];
    EVP_PKEY *own[2], *peer[2];
    EVP_PKEY_CTX *ctx[2];
    uint8_t secret[TP_MAX_SECRET];

    for (int i = 0; i < 2; i++) {
        tp_lib_open(&home[i]);
        tp_ok((own[i] = tp_key_generate(home[i].ctx, set->name)) != NULL);
    }
    for (int i = 0; i < 2; i++) {
        tp_ok((peer[i] = tp_key_public_half(home[i].ctx, set->name, own[1 - i])) != NULL);
        ctx[i] = tp_side(home[i].ctx, own[i], i == 0 ? "initiator" : "responder", peer[i]);
    }
    tp_ok(tp_agree(set, ctx[0], ctx[1], secret));

    /* The one goes, the other stays. */
    EVP_PKEY_CTX_free(ctx[0]);
    EVP_PKEY_free(own[0]);
    EVP_PKEY_free(peer[0]);
    tp_lib_close(&home[0]);
    tp_ok(session_in(home[1].ctx, set));
    EVP_PKEY_CTX_free(ctx[1]);
    EVP_PKEY_free(own[1]);
    EVP_PKEY_free(peer[1]);
    tp_lib_close(&home[1]);
    tp_ok(1);
}

/* Every operation fails and says what to do about it: generation, and a pass with a key that came
 * from elsewhere, if it may be imported at all. */
static void all_fails(OSSL_LIB_CTX *lib, const char *properties, const struct tp_set *set)
{
    static const uint8_t seed[TP_SEED] = {9};
    OSSL_PARAM role[] = {OSSL_PARAM_construct_utf8_string("role", (char[]){"initiator"}, 0),
                         OSSL_PARAM_construct_end()};
    OSSL_PARAM data[] = {OSSL_PARAM_construct_octet_string("seed", (void *)seed, TP_SEED),
                         OSSL_PARAM_construct_end()};
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(lib, set->name, properties);
    EVP_PKEY *key = NULL;

    assert_non_null(ctx);
    for (int i = 0; i < 2; i++)
        tp_refused(EVP_PKEY_keygen_init(ctx) > 0 && EVP_PKEY_generate(ctx, &key) > 0, no_sm3);
    if (EVP_PKEY_fromdata_init(ctx) > 0)
        EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_KEYPAIR, data);
    EVP_PKEY_CTX_free(ctx);
    if (key == NULL) {
        tp_refused(0, no_sm3);
        return;
    }
    tp_ok(1);
    ctx = EVP_PKEY_CTX_new_from_pkey(lib, key, properties);
    tp_refused(EVP_PKEY_derive_init_ex(ctx, role), no_sm3);
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(key);
}

static void dkex_alone(void **state)
{
    struct tp_lib lib = {0};

    lib.ctx = OSSL_LIB_CTX_new();
    tp_ok((lib.dkex = OSSL_PROVIDER_load(lib.ctx, "dkex")) != NULL);
    all_fails(lib.ctx, NULL, *state);
    tp_lib_close(&lib);
    tp_ok(1);
}

static void dkex_first(void **state)
{
    struct tp_lib lib = {0};

    lib.ctx = OSSL_LIB_CTX_new();
    tp_ok((lib.dkex = OSSL_PROVIDER_load(lib.ctx, "dkex")) != NULL);
    tp_ok((lib.base = OSSL_PROVIDER_load(lib.ctx, "default")) != NULL);
    tp_ok(session_in(lib.ctx, *state));
    tp_lib_close(&lib);
    tp_ok(1);
}

/* Used in vain first: what was missing may still come. */
static void default_comes_late(void **state)
{
    const struct tp_set *set = *state;
    struct tp_lib lib = {0};

    lib.ctx = OSSL_LIB_CTX_new();
    tp_ok((lib.dkex = OSSL_PROVIDER_load(lib.ctx, "dkex")) != NULL);
    tp_refused(tp_key_generate(lib.ctx, set->name) != NULL, no_sm3);
    tp_ok((lib.base = OSSL_PROVIDER_load(lib.ctx, "default")) != NULL);
    tp_ok(session_in(lib.ctx, set));
    tp_lib_close(&lib);
    tp_ok(1);
}

/* fips=yes hides the default provider's SM3, before or after loading. "-fips" finds dkex itself. */
static void fips_only(void **state)
{
    for (int late = 0; late < 2; late++) {
        struct tp_lib lib;

        tp_lib_open(&lib);
        tp_ok(EVP_set_default_properties(lib.ctx, "fips=yes"));
        if (!late) {
            OSSL_PROVIDER_unload(lib.dkex);
            tp_ok((lib.dkex = OSSL_PROVIDER_load(lib.ctx, "dkex")) != NULL);
        }
        all_fails(lib.ctx, "-fips", *state);
        tp_lib_close(&lib);
    }
    tp_ok(1);
}

static void preferred(void **state)
{
    for (int late = 0; late < 2; late++) {
        struct tp_lib lib;

        tp_lib_open(&lib);
        tp_ok(EVP_set_default_properties(lib.ctx, "?provider=dkex"));
        if (!late) {
            OSSL_PROVIDER_unload(lib.dkex);
            tp_ok((lib.dkex = OSSL_PROVIDER_load(lib.ctx, "dkex")) != NULL);
        }
        tp_ok(session_in(lib.ctx, *state));
        tp_lib_close(&lib);
    }
    tp_ok(1);
}

static void about(void **state)
{
    static const char *const names[] = {"name", "version", "buildinfo", "status"};
    struct tp_lib lib;
    char *name = NULL, *version = NULL, *buildinfo = NULL;
    int status = 0;
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_ptr("name", &name, 0),
        OSSL_PARAM_construct_utf8_ptr("version", &version, 0),
        OSSL_PARAM_construct_utf8_ptr("buildinfo", &buildinfo, 0),
        OSSL_PARAM_construct_int("status", &status),
        OSSL_PARAM_construct_end(),
    };
    const OSSL_PARAM *list;

    (void)state;
    tp_lib_open(&lib);
    assert_non_null(list = OSSL_PROVIDER_gettable_params(lib.dkex));
    for (size_t i = 0; i < 4; i++)
        assert_non_null(OSSL_PARAM_locate_const(list, names[i]));
    tp_ok(OSSL_PROVIDER_get_params(lib.dkex, params));
    assert_true(name != NULL && name[0] != '\0');
    assert_true(version != NULL && version[0] != '\0');
    assert_true(buildinfo != NULL && buildinfo[0] != '\0');
    assert_int_equal(status, 1);
    tp_ok(OSSL_PROVIDER_self_test(lib.dkex));
    tp_ok(session_in(lib.ctx, &tp_sets[0]));
    tp_ok(OSSL_PROVIDER_self_test(lib.dkex));
    status = 0;
    tp_ok(OSSL_PROVIDER_get_params(lib.dkex, params));
    assert_int_equal(status, 1);
    assert_string_equal(OSSL_PROVIDER_get0_name(lib.dkex), "dkex");
    tp_lib_close(&lib);
    tp_ok(1);
}

/* Some entry of the queue has the name of the option in its text. Empties the queue. */
static int queue_mentions(const char *option)
{
    const char *data;
    int flags, found = 0;

    while (ERR_get_error_all(NULL, NULL, NULL, &data, &flags) != 0)
        found |= (flags & ERR_TXT_STRING) != 0 && strstr(data, option) != NULL;
    return found;
}

/*
 * Any other value refuses to load. Where the configuration activates, libcrypto itself passes that
 * over in silence; where the application loads, the message is in the queue.
 */
static void option_values(void **state)
{
    static const struct {
        const char *option, *value;
    } wrong[] = {
        {"test-entropy", "1"},     {"test-entropy", "0"},  {"test-entropy", "true"},
        {"test-entropy", "false"}, {"test-entropy", "No"}, {"test-entropy", "yes no"},
        {"cpu", "sse2"},           {"cpu", "AVX2"},        {"sm3", "yes"},
        {"sm3", "OpenSSL"},
    };
    static const char *const good[] = {"", "test-entropy = yes", "test-entropy = no",
                                       "cpu = portable\nsm3 = openssl", "cpu = auto\nsm3 = auto"};

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct tp_lib lib;
        char section[64];

        snprintf(section, sizeof(section), "%s%s = %s", TP_ACTIVATE, wrong[i].option,
                 wrong[i].value);
        assert_false(tp_lib_configure(&lib, section));
        ERR_clear_error();
        assert_null(EVP_PKEY_CTX_new_from_name(lib.ctx, "DKEX-128", NULL));
        ERR_clear_error();
        tp_lib_close(&lib);

        assert_false(tp_lib_configure(&lib, section + strlen(TP_ACTIVATE)));
        ERR_clear_error();
        assert_null(OSSL_PROVIDER_load(lib.ctx, "dkex"));
        if (!queue_mentions(wrong[i].option))
            fail_msg("no message about %s = %s", wrong[i].option, wrong[i].value);
        tp_lib_close(&lib);
    }
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        struct tp_lib lib;
        char section[64];

        snprintf(section, sizeof(section), "%s%s", TP_ACTIVATE, good[i]);
        tp_ok(tp_lib_configure(&lib, section));
        tp_ok(session_in(lib.ctx, &tp_sets[i % 3]));
        tp_lib_close(&lib);
    }
    tp_ok(1);
}

/* sm3 = openssl shows in the build information, and sessions agree. */
static void libcrypto_sm3(void **state)
{
    struct tp_lib lib;
    char *info = NULL;
    OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_ptr("buildinfo", &info, 0),
                           OSSL_PARAM_construct_end()};

    (void)state;
    tp_ok(tp_lib_configure(&lib, TP_ACTIVATE "sm3 = openssl"));
    tp_ok(OSSL_PROVIDER_get_params(lib.dkex, params));
    assert_non_null(strstr(info, "sm3: openssl"));
    for (int i = 0; i < 3; i++)
        tp_ok(session_in(lib.ctx, &tp_sets[i]));
    tp_lib_close(&lib);
}

int main(void)
{
    /* Those that read reasons come first: see tp_queue_holds. */
    const struct CMUnitTest tests[] = {
        TP_EACH_SET(default_context),      TP_EACH_SET(dkex_alone),
        TP_EACH_SET(default_comes_late),   TP_EACH_SET(fips_only),
        TP_EACH_SET(dkex_first),           TP_EACH_SET(preferred),
        cmocka_unit_test(about),           cmocka_unit_test(option_values),
        cmocka_unit_test(libcrypto_sm3),   cmocka_unit_test(unused),
        TP_EACH_SET(unloaded_early),       TP_EACH_SET(two_contexts),
        cmocka_unit_test(a_hundred_times), cmocka_unit_test(a_hundred_times_in_one_context),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
