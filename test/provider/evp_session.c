/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <openssl/conf.h>
#include <openssl/err.h>
#include "evp_session.h"

const struct tp_set tp_sets[TP_SETS] = {
    {"DKEX-128", 1312, 2560, 800, 768, 2420, 32, 32, 64, 128},
    {"DKEX-256", 2592, 4896, 1568, 1568, 4627, 32, 32, 64, 256},
    {"DKEX-512", 2592, 4896, 3392, 3072, 4627, 64, 64, 128, 256},
};

/* The line "cpu = NAME" if the file in OPENSSL_CONF has it: only the default context reads that. */
static const char *cpu_line(char *line, size_t size)
{
    char *file = CONF_get1_default_config_file();
    CONF *conf = NCONF_new(NULL);
    const char *cpu = NULL;

    ERR_set_mark();
    if (file != NULL && NCONF_load(conf, file, NULL) > 0)
        cpu = NCONF_get_string(conf, "dkex_section", "cpu");
    ERR_pop_to_mark();
    line[0] = '\0';
    if (cpu != NULL)
        snprintf(line, size, "cpu = %s\n", cpu);
    NCONF_free(conf);
    OPENSSL_free(file);
    return line;
}

int tp_lib_try_open(struct tp_lib *lib)
{
    char line[64];

    if (*cpu_line(line, sizeof(line)) != '\0')
        return tp_lib_configure(lib, TP_ACTIVATE);
    memset(lib, 0, sizeof(*lib));
    lib->ctx = OSSL_LIB_CTX_new();
    if (lib->ctx != NULL)
        lib->base = OSSL_PROVIDER_load(lib->ctx, "default");
    if (lib->base != NULL)
        lib->dkex = OSSL_PROVIDER_load(lib->ctx, "dkex");
    return lib->dkex != NULL;
}

void tp_lib_open(struct tp_lib *lib)
{
    tp_ok(tp_lib_try_open(lib));
}

int tp_lib_configure(struct tp_lib *lib, const char *section)
{
    static const char format[] = "openssl_conf = main\n"
                                 "[main]\nproviders = providers\n"
                                 "[providers]\ndefault = default_sect\ndkex = dkex_sect\n"
                                 "[default_sect]\nactivate = 1\n"
                                 "[dkex_sect]\n%s%s\n";
    char text[1024], line[64];
    BIO *in;
    CONF *conf;

    memset(lib, 0, sizeof(*lib));
    snprintf(text, sizeof(text), format, cpu_line(line, sizeof(line)), section);
    OPENSSL_load_builtin_modules();
    lib->ctx = OSSL_LIB_CTX_new();
    conf = NCONF_new_ex(lib->ctx, NULL);
    in = BIO_new_mem_buf(text, -1);
    if (lib->ctx != NULL && NCONF_load_bio(conf, in, NULL) > 0)
        CONF_modules_load(conf, NULL, 0);
    BIO_free(in);
    NCONF_free(conf);
    if (!OSSL_PROVIDER_available(lib->ctx, "dkex"))
        return 0;
    lib->base = OSSL_PROVIDER_load(lib->ctx, "default");
    lib->dkex = OSSL_PROVIDER_load(lib->ctx, "dkex");
    return lib->base != NULL && lib->dkex != NULL;
}

void tp_lib_close(struct tp_lib *lib)
{
    if (lib->dkex != NULL)
        OSSL_PROVIDER_unload(lib->dkex);
    if (lib->base != NULL)
        OSSL_PROVIDER_unload(lib->base);
    OSSL_LIB_CTX_free(lib->ctx);
    memset(lib, 0, sizeof(*lib));
}

struct tp_lib tp_shared;

int tp_shared_open(void **state)
{
    (void)state;
    tp_lib_open(&tp_shared);
    return 0;
}

int tp_shared_close(void **state)
{
    (void)state;
    tp_lib_close(&tp_shared);
    return 0;
}

EVP_PKEY *tp_key_generate(OSSL_LIB_CTX *lib, const char *type)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(lib, type, NULL);
    EVP_PKEY *key = NULL;

    if (ctx != NULL && EVP_PKEY_keygen_init(ctx) == 1)
        EVP_PKEY_generate(ctx, &key);
    EVP_PKEY_CTX_free(ctx);
    return key;
}

EVP_PKEY *tp_key_from_seed(OSSL_LIB_CTX *lib, const char *type, const uint8_t *seed, size_t len)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(lib, type, NULL);
    EVP_PKEY *key = NULL;

    if (ctx != NULL && EVP_PKEY_keygen_init(ctx) == 1 && tp_set_octets(ctx, "seed", seed, len) == 1)
        EVP_PKEY_generate(ctx, &key);
    EVP_PKEY_CTX_free(ctx);
    return key;
}

EVP_PKEY *tp_key_import(OSSL_LIB_CTX *lib, const char *type, int selection, OSSL_PARAM *params)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(lib, type, NULL);
    EVP_PKEY *key = NULL;

    if (ctx != NULL && EVP_PKEY_fromdata_init(ctx) == 1)
        EVP_PKEY_fromdata(ctx, &key, selection, params);
    EVP_PKEY_CTX_free(ctx);
    return key;
}

EVP_PKEY *tp_key_public_half(OSSL_LIB_CTX *lib, const char *type, EVP_PKEY *key)
{
    OSSL_PARAM *params = NULL;
    EVP_PKEY *half = NULL;

    if (EVP_PKEY_todata(key, EVP_PKEY_PUBLIC_KEY, &params) == 1)
        half = tp_key_import(lib, type, EVP_PKEY_PUBLIC_KEY, params);
    OSSL_PARAM_free(params);
    return half;
}

int tp_set_octets(EVP_PKEY_CTX *ctx, const char *name, const uint8_t *data, size_t len)
{
    uint8_t *copy = malloc(len + (len == 0));
    OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string(name, copy, len),
                           OSSL_PARAM_construct_end()};
    int result = 0;

    if (copy != NULL) {
        memcpy(copy, data, len);
        result = EVP_PKEY_CTX_set_params(ctx, params);
    }
    free(copy);
    return result;
}

int tp_set_text(EVP_PKEY_CTX *ctx, const char *name, const char *text)
{
    char copy[64];
    OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(name, copy, 0),
                           OSSL_PARAM_construct_end()};

    params[0].data_size = (size_t)snprintf(copy, sizeof(copy), "%s", text);
    return EVP_PKEY_CTX_set_params(ctx, params);
}

int tp_set_int(EVP_PKEY_CTX *ctx, const char *name, int value)
{
    OSSL_PARAM params[] = {OSSL_PARAM_construct_int(name, &value), OSSL_PARAM_construct_end()};

    return EVP_PKEY_CTX_set_params(ctx, params);
}

int tp_give(EVP_PKEY_CTX *ctx, const struct tp_message *m)
{
    return tp_set_octets(ctx, "in-message", m->bytes, m->len);
}

int tp_fetch(EVP_PKEY_CTX *ctx, struct tp_message *m)
{
    OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string("out-message", NULL, 0),
                           OSSL_PARAM_construct_end()};
    size_t size;
    int result;

    m->len = 0;
    result = EVP_PKEY_CTX_get_params(ctx, params);
    if (result != 1)
        return result;
    size = params[0].return_size;
    if (size == 0 || size > TP_MAX_MESSAGE || (params[0].data = malloc(size)) == NULL)
        return 0;
    params[0].data_size = size;
    params[0].return_size = OSSL_PARAM_UNMODIFIED;
    result = EVP_PKEY_CTX_get_params(ctx, params);
    if (result == 1 && params[0].return_size == size) {
        memcpy(m->bytes, params[0].data, size);
        m->len = size;
    }
    free(params[0].data);
    return result == 1 && m->len == 0 ? 0 : result;
}

int tp_derive(EVP_PKEY_CTX *ctx, uint8_t *secret, size_t *len)
{
    size_t size = 0, got;
    uint8_t *buffer;
    int result = EVP_PKEY_derive(ctx, NULL, &size);

    *len = 0;
    if (result != 1)
        return result;
    got = size;
    if (size == 0 || size > TP_MAX_SECRET || (buffer = malloc(size)) == NULL)
        return 0;
    result = EVP_PKEY_derive(ctx, buffer, &got);
    if (result == 1 && got == size) {
        memcpy(secret, buffer, size);
        *len = size;
    }
    free(buffer);
    return result == 1 && *len == 0 ? 0 : result;
}

int tp_state_is(EVP_PKEY_CTX *ctx, const char *state)
{
    char text[32] = "";
    OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string("state", text, sizeof(text)),
                           OSSL_PARAM_construct_end()};

    if (EVP_PKEY_CTX_get_params(ctx, params) == 1 && strcmp(text, state) == 0)
        return 1;
    fprintf(stderr, "state \"%s\", expected \"%s\"\n", text, state);
    return 0;
}

EVP_PKEY_CTX *tp_side(OSSL_LIB_CTX *lib, EVP_PKEY *own, const char *role, EVP_PKEY *peer)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(lib, own, NULL);
    OSSL_PARAM params[] = {OSSL_PARAM_construct_end(), OSSL_PARAM_construct_end()};

    if (role != NULL)
        params[0] = OSSL_PARAM_construct_utf8_string("role", (char *)role, 0);
    if (ctx != NULL && EVP_PKEY_derive_init_ex(ctx, params) == 1 &&
        (peer == NULL || EVP_PKEY_derive_set_peer(ctx, peer) == 1))
        return ctx;
    EVP_PKEY_CTX_free(ctx);
    return NULL;
}

int tp_agree(const struct tp_set *set, EVP_PKEY_CTX *a, EVP_PKEY_CTX *b, uint8_t *secret)
{
    struct tp_message m;
    uint8_t secret_b[TP_MAX_SECRET];
    size_t len_a, len_b;

    return a != NULL && b != NULL && tp_fetch(a, &m) == 1 && tp_give(b, &m) == 1 &&
           tp_fetch(b, &m) == 1 && tp_give(a, &m) == 1 && tp_fetch(a, &m) == 1 &&
           tp_give(b, &m) == 1 && tp_derive(a, secret, &len_a) == 1 &&
           tp_derive(b, secret_b, &len_b) == 1 && len_a == set->secret_len && len_b == len_a &&
           memcmp(secret, secret_b, len_a) == 0;
}

int tp_session(const struct tp_set *set, OSSL_LIB_CTX *lib, EVP_PKEY *alice, EVP_PKEY *bob,
               uint8_t *secret)
{
    EVP_PKEY_CTX *a = tp_side(lib, alice, "initiator", bob);
    EVP_PKEY_CTX *b = tp_side(lib, bob, "responder", alice);
    int result = tp_agree(set, a, b, secret);

    EVP_PKEY_CTX_free(a);
    EVP_PKEY_CTX_free(b);
    return result;
}

void tp_pair_keys(struct tp_pair *p, const struct tp_lib *lib, const struct tp_set *set)
{
    memset(p, 0, sizeof(*p));
    p->set = set;
    tp_ok((p->alice = tp_key_generate(lib->ctx, set->name)) != NULL);
    tp_ok((p->bob = tp_key_generate(lib->ctx, set->name)) != NULL);
    tp_ok((p->alice_pub = tp_key_public_half(lib->ctx, set->name, p->alice)) != NULL);
    tp_ok((p->bob_pub = tp_key_public_half(lib->ctx, set->name, p->bob)) != NULL);
}

void tp_pair_open(struct tp_pair *p, const struct tp_lib *lib, const struct tp_set *set)
{
    tp_pair_keys(p, lib, set);
    tp_ok((p->a = tp_side(lib->ctx, p->alice, "initiator", p->bob_pub)) != NULL);
    tp_ok((p->b = tp_side(lib->ctx, p->bob, "responder", p->alice_pub)) != NULL);
    tp_ok(tp_fetch(p->a, &p->m1));
    assert_int_equal(p->m1.len, set->m1_len);
}

/* out-message still gives the bytes of m. */
static void check_offer(EVP_PKEY_CTX *ctx, const struct tp_message *m)
{
    struct tp_message now;

    tp_ok(tp_fetch(ctx, &now));
    assert_int_equal(now.len, m->len);
    assert_memory_equal(now.bytes, m->bytes, m->len);
}

static void check_stage(struct tp_pair *p)
{
    tp_ok(tp_state_is(p->a, p->stage < TP_INITIATOR_DONE ? "m2" : "complete"));
    tp_ok(tp_state_is(p->b, p->stage < TP_ANSWERED    ? "m1"
                            : p->stage < TP_BOTH_DONE ? "m3"
                                                      : "complete"));
    check_offer(p->a, p->stage < TP_INITIATOR_DONE ? &p->m1 : &p->m3);
    if (p->stage == TP_ANSWERED || p->stage == TP_INITIATOR_DONE)
        check_offer(p->b, &p->m2);
}

void tp_pair_advance(struct tp_pair *p, enum tp_stage stage)
{
    uint8_t secret_b[TP_MAX_SECRET];
    size_t len_a, len_b;

    for (check_stage(p); p->stage < stage; check_stage(p)) {
        if (p->stage == TP_OPENED) {
            tp_ok(tp_give(p->b, &p->m1));
            tp_ok(tp_fetch(p->b, &p->m2));
            assert_int_equal(p->m2.len, p->set->ct_len + p->set->sig_len);
        } else if (p->stage == TP_ANSWERED) {
            tp_ok(tp_give(p->a, &p->m2));
            tp_ok(tp_fetch(p->a, &p->m3));
            assert_int_equal(p->m3.len, p->set->sig_len);
        } else {
            tp_ok(tp_give(p->b, &p->m3));
            tp_ok(tp_derive(p->a, p->secret, &len_a));
            tp_ok(tp_derive(p->b, secret_b, &len_b));
            assert_int_equal(len_a, p->set->secret_len);
            assert_int_equal(len_b, p->set->secret_len);
            assert_memory_equal(p->secret, secret_b, len_a);
        }
        p->stage++;
    }
}

void tp_pair_close(struct tp_pair *p)
{
    EVP_PKEY_CTX_free(p->a);
    EVP_PKEY_CTX_free(p->b);
    EVP_PKEY_free(p->alice);
    EVP_PKEY_free(p->bob);
    EVP_PKEY_free(p->alice_pub);
    EVP_PKEY_free(p->bob_pub);
    memset(p, 0, sizeof(*p));
    tp_ok(1);
}

/* Whether text is one of the alternatives of reason, "one|other". */
static int matches(const char *reason, const char *text)
{
    size_t len = strlen(text);

    for (const char *at = reason; at != NULL; at = strchr(at, '|')) {
        at += *at == '|';
        if (strncmp(at, text, len) == 0 && (at[len] == '\0' || at[len] == '|'))
            return 1;
    }
    return 0;
}

int tp_queue_holds(const char *reason)
{
    unsigned long codes[ERR_NUM_ERRORS];
    size_t count = 0, found = 0, same_library = 0;
    char text[256];

    while (count < ERR_NUM_ERRORS && (codes[count] = ERR_get_error()) != 0)
        count++;
    for (size_t i = 0; i < count; i++) {
        const char *said = ERR_reason_error_string(codes[i]);

        if (ERR_SYSTEM_ERROR(codes[i]) || ERR_GET_LIB(codes[i]) < ERR_LIB_USER || said == NULL)
            continue; /* libcrypto's own comment */
        found += reason == NULL || matches(reason, said);
        same_library++;
    }
    if (found == 1 && same_library == 1)
        return 1;
    fprintf(stderr, "expected reason \"%s\", found:\n", reason != NULL ? reason : "of a provider");
    for (size_t i = 0; i < count; i++) {
        ERR_error_string_n(codes[i], text, sizeof(text));
        fprintf(stderr, "  %s\n", text);
    }
    return 0;
}

int tp_queue_empty(void)
{
    if (ERR_peek_error() == 0)
        return 1;
    ERR_print_errors_fp(stderr);
    return 0;
}

void tp_ok_at(int result, const char *call, const char *file, int line)
{
    int quiet = tp_queue_empty();

    if (result == 1 && quiet)
        return;
    print_error("%s: result %d, error queue %s\n", call, result, quiet ? "empty" : "not empty");
    _fail(file, line);
}

void tp_refused_at(int result, const char *reason, const char *call, const char *file, int line)
{
    int held = tp_queue_holds(reason);

    if (result <= 0 && held)
        return;
    print_error("%s: result %d, reason %s\n", call, result, held ? "as expected" : "missing");
    _fail(file, line);
}
