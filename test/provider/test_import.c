/* SPDX-License-Identifier: Apache-2.0 */
/* Identity keys through todata and fromdata, whole and damaged. */
#include <string.h>
#include <openssl/err.h>
#include "evp_session.h"

/* Offsets in a FIPS 204 private key: rho || K || tr || s1, s2 (3 bits each) || .. || t0. */
enum { KEY_K = 32, KEY_TR = 64, KEY_S1 = 128 };

/* A good key as octets, to be damaged. */
struct material {
    const struct tp_set *set;
    uint8_t pub[TP_MAX_KEY + 1], priv[TP_MAX_KEY + 1], seed[TP_SEED + 1];
    size_t pub_len, priv_len, seed_len; /* 0: not among the parameters */
};

static void material_of(struct material *m, const struct tp_set *set, uint8_t first)
{
    uint8_t seed[TP_SEED] = {first};
    EVP_PKEY *key = tp_key_from_seed(tp_shared.ctx, set->name, seed, TP_SEED);

    memset(m, 0, sizeof(*m));
    m->set = set;
    tp_ok(EVP_PKEY_get_octet_string_param(key, "pub", m->pub, sizeof(m->pub), &m->pub_len));
    tp_ok(EVP_PKEY_get_octet_string_param(key, "priv", m->priv, sizeof(m->priv), &m->priv_len));
    memcpy(m->seed, seed, TP_SEED);
    m->seed_len = TP_SEED;
    EVP_PKEY_free(key);
}

static EVP_PKEY *import(struct material *m, int selection)
{
    OSSL_PARAM params[4], *p = params;

    if (m->priv_len != 0)
        *p++ = OSSL_PARAM_construct_octet_string("priv", m->priv, m->priv_len);
    if (m->pub_len != 0)
        *p++ = OSSL_PARAM_construct_octet_string("pub", m->pub, m->pub_len);
    if (m->seed_len != 0)
        *p++ = OSSL_PARAM_construct_octet_string("seed", m->seed, m->seed_len);
    *p = OSSL_PARAM_construct_end();
    return tp_key_import(tp_shared.ctx, m->set->name, selection, params);
}

/* Imports as a key pair, which must be that of seed `first`, private half and all. */
static void imports_as(struct material *m, uint8_t first)
{
    uint8_t seed[TP_SEED] = {first}, priv[TP_MAX_KEY], expected[TP_MAX_KEY];
    EVP_PKEY *good = tp_key_from_seed(tp_shared.ctx, m->set->name, seed, TP_SEED);
    EVP_PKEY *key = import(m, EVP_PKEY_KEYPAIR);
    size_t len = 0;

    tp_ok(key != NULL);
    assert_int_equal(EVP_PKEY_eq(key, good), 1);
    tp_ok(EVP_PKEY_get_octet_string_param(good, "priv", expected, sizeof(expected), NULL));
    tp_ok(EVP_PKEY_get_octet_string_param(key, "priv", priv, sizeof(priv), &len));
    assert_int_equal(len, m->set->priv_len);
    assert_memory_equal(priv, expected, len);
    EVP_PKEY_free(key);
    EVP_PKEY_free(good);
    tp_ok(1);
}

static void import_fails(struct material *m, int selection)
{
    EVP_PKEY *key = import(m, selection);

    tp_refused(key != NULL, NULL);
}

static void round_trip(void **state)
{
    const struct tp_set *set = *state;
    static const int selections[] = {EVP_PKEY_KEYPAIR, EVP_PKEY_PUBLIC_KEY};
    EVP_PKEY *key = tp_key_generate(tp_shared.ctx, set->name);

    for (int i = 0; i < 2; i++) {
        uint8_t out[TP_MAX_KEY], expected[TP_MAX_KEY];
        OSSL_PARAM *params = NULL;
        EVP_PKEY *copy;
        int whole = selections[i] == EVP_PKEY_KEYPAIR;

        tp_ok(EVP_PKEY_todata(key, selections[i], &params));
        tp_ok(OSSL_PARAM_locate(params, "pub") != NULL);
        assert_int_equal(OSSL_PARAM_locate(params, "priv") != NULL, whole);
        assert_int_equal(OSSL_PARAM_locate(params, "seed") != NULL, whole);
        copy = tp_key_import(tp_shared.ctx, set->name, selections[i], params);
        tp_ok(copy != NULL);
        assert_int_equal(EVP_PKEY_eq(key, copy), 1);
        for (const char *const *name = (const char *const[]){"priv", "seed", NULL}; *name; name++) {
            tp_ok(EVP_PKEY_get_octet_string_param(key, *name, expected, sizeof(expected), NULL));
            if (!whole) {
                assert_false(EVP_PKEY_get_octet_string_param(copy, *name, out, sizeof(out), NULL));
                ERR_clear_error();
                continue;
            }
            tp_ok(EVP_PKEY_get_octet_string_param(copy, *name, out, sizeof(out), NULL));
            assert_memory_equal(out, expected, whole && **name == 'p' ? set->priv_len : TP_SEED);
        }
        EVP_PKEY_free(copy);
        OSSL_PARAM_free(params);
    }
    EVP_PKEY_free(key);
    tp_ok(1);
}

/* Every combination that determines a private key gives all of it. */
static void combinations(void **state)
{
    struct material m;

    for (unsigned given = 0; given < 8; given++) {
        material_of(&m, *state, 7);
        m.pub_len = given & 1 ? m.pub_len : 0;
        m.priv_len = given & 2 ? m.priv_len : 0;
        m.seed_len = given & 4 ? m.seed_len : 0;
        if ((given & 6) != 0)
            imports_as(&m, 7);
        else if (given == 0)
            import_fails(&m, EVP_PKEY_KEYPAIR);
    }
    material_of(&m, *state, 7);
    m.pub_len = m.seed_len = m.priv_len = 0;
    import_fails(&m, EVP_PKEY_PUBLIC_KEY);
}

/* A pair asked for, the public half given: refused, or a key that holds no private half. */
static void private_half_missing(void **state)
{
    struct material m;
    EVP_PKEY *key;

    material_of(&m, *state, 7);
    m.priv_len = m.seed_len = 0;
    key = import(&m, EVP_PKEY_KEYPAIR);
    if (key == NULL) {
        tp_refused(0, NULL);
        return;
    }
    assert_false(EVP_PKEY_get_octet_string_param(key, "priv", m.priv, sizeof(m.priv), NULL));
    ERR_clear_error();
    tp_refused(tp_side(tp_shared.ctx, key, "initiator", NULL) != NULL, "private key required");
    EVP_PKEY_free(key);
}

/* Selected alone, the public half comes alone, whatever else lies beside it. */
static void public_half_selected(void **state)
{
    struct material m;
    EVP_PKEY *key;

    material_of(&m, *state, 7);
    key = import(&m, EVP_PKEY_PUBLIC_KEY);
    tp_ok(key != NULL);
    assert_false(EVP_PKEY_get_octet_string_param(key, "priv", m.priv, sizeof(m.priv), NULL));
    ERR_clear_error();
    assert_false(EVP_PKEY_get_octet_string_param(key, "seed", m.seed, sizeof(m.seed), NULL));
    ERR_clear_error();
    EVP_PKEY_free(key);
}

static void lengths(void **state)
{
    const struct tp_set *set = *state;
    const struct {
        size_t pub, priv, seed;
    } bad[] = {
        {set->pub_len - 1, 0, 0},
        {set->pub_len + 1, 0, 0},
        {1, 0, 0},
        {0, set->priv_len - 1, 0},
        {0, set->priv_len + 1, 0},
        {0, 1, 0},
        {0, set->pub_len, 0},
        {set->priv_len, 0, 0},
        {0, 0, TP_SEED - 1},
        {0, 0, TP_SEED + 1},
        {0, 0, 1},
        {set->pub_len - 1, set->priv_len, 0},
        {set->pub_len + 1, set->priv_len, 0},
        {set->pub_len, set->priv_len - 1, 0},
        {set->pub_len, set->priv_len + 1, 0},
        {set->pub_len, set->priv_len, TP_SEED - 1},
        {set->pub_len, set->priv_len, TP_SEED + 1},
    };

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct material m;

        material_of(&m, set, 7);
        m.pub_len = bad[i].pub;
        m.priv_len = bad[i].priv;
        m.seed_len = bad[i].seed;
        import_fails(&m, EVP_PKEY_KEYPAIR);
        if (bad[i].pub != 0 && bad[i].pub != set->pub_len)
            import_fails(&m, EVP_PKEY_PUBLIC_KEY);
    }
}

/* {NULL, 0}, {NULL, n}, no octets and wrong types, in each of the three places. */
static void shapes(void **state)
{
    const struct tp_set *set = *state;
    const char *const names[] = {"pub", "priv", "seed"};
    const size_t sizes[] = {set->pub_len, set->priv_len, TP_SEED};

    for (size_t place = 0; place < 3; place++) {
        uint8_t octets[TP_MAX_KEY] = {0};
        int number = 0;
        OSSL_PARAM bad[] = {
            OSSL_PARAM_construct_octet_string(names[place], NULL, 0),
            OSSL_PARAM_construct_octet_string(names[place], NULL, sizes[place]),
            OSSL_PARAM_construct_octet_string(names[place], octets, 0),
            OSSL_PARAM_construct_utf8_string(names[place], (char *)octets, sizes[place]),
            OSSL_PARAM_construct_int(names[place], &number),
        };

        for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
            struct material m;
            OSSL_PARAM params[4], *p = params;

            material_of(&m, set, 7);
            if (place != 0)
                *p++ = OSSL_PARAM_construct_octet_string("pub", m.pub, m.pub_len);
            if (place != 1)
                *p++ = OSSL_PARAM_construct_octet_string("priv", m.priv, m.priv_len);
            *p++ = bad[i];
            *p = OSSL_PARAM_construct_end();
            tp_refused(tp_key_import(tp_shared.ctx, set->name, EVP_PKEY_KEYPAIR, params) != NULL,
                       NULL);
        }
    }
}

/* s1, s2 hold eta - x in three bits: 5, 6, 7 stand for no coefficient. */
static void out_of_range(void **state)
{
    const struct tp_set *set = *state;
    const unsigned rows = set->pub_len == 1312 ? 4 + 4 : 8 + 7;
    const size_t last = KEY_S1 + 96 * rows - 1;

    for (unsigned with_pub = 0; with_pub < 2; with_pub++) {
        for (uint8_t value = 5; value < 8; value++) {
            struct material m;

            material_of(&m, set, 7);
            m.seed_len = 0;
            m.pub_len = with_pub ? m.pub_len : 0;
            m.priv[KEY_S1] = (uint8_t)((m.priv[KEY_S1] & ~7) | value);
            import_fails(&m, EVP_PKEY_KEYPAIR);
            material_of(&m, set, 7);
            m.seed_len = 0;
            m.pub_len = with_pub ? m.pub_len : 0;
            m.priv[last] = (uint8_t)((m.priv[last] & 0x1f) | value << 5);
            import_fails(&m, EVP_PKEY_KEYPAIR);
        }
    }
}

/*
 * Gives s2's first coefficient another code, and t0's first the difference, so that t1, and with it
 * the public key and tr, stay what they were: 2^13 t1 + t0 = A s1 + s2.
 */
static void recode_s2(struct material *m, unsigned code)
{
    const int large = m->set->pub_len != 1312;
    uint8_t *s2 = m->priv + KEY_S1 + (large ? 7 : 4) * 96;
    uint8_t *t0 = m->priv + m->set->priv_len - (large ? 8 : 4) * 416;
    const unsigned was = *s2 & 7u;
    unsigned encoded = t0[0] | (t0[1] & 0x1fu) << 8;

    encoded += code - was; /* it holds 2^12 - t0, as s2 holds eta - x */
    assert_true(encoded < 8192);
    *s2 = (uint8_t)((*s2 & ~7u) | code);
    t0[0] = (uint8_t)encoded;
    t0[1] = (uint8_t)((t0[1] & ~0x1fu) | encoded >> 8);
}

/* Keys that nothing but the range of a coefficient can tell from good ones. */
static void out_of_range_alone(void **state)
{
    for (unsigned code = 0; code < 8; code++) {
        struct material m;
        EVP_PKEY *key;

        material_of(&m, *state, 7);
        m.seed_len = 0;
        recode_s2(&m, code);
        if (code >= 5) {
            import_fails(&m, EVP_PKEY_KEYPAIR);
            m.pub_len = 0;
            import_fails(&m, EVP_PKEY_KEYPAIR);
            continue;
        }
        tp_ok((key = import(&m, EVP_PKEY_KEYPAIR)) != NULL);
        EVP_PKEY_free(key);
    }
}

static void damaged(void **state)
{
    const struct tp_set *set = *state;
    const size_t places[] = {0, KEY_TR - 32 - 1, KEY_TR, KEY_S1 - 1, set->priv_len - 1};

    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        struct material m;

        material_of(&m, set, 7);
        m.priv[places[i]] ^= 0x20;
        import_fails(&m, EVP_PKEY_KEYPAIR); /* seed and pub as they were */
        m.seed_len = 0;
        import_fails(&m, EVP_PKEY_KEYPAIR);
        m.pub_len = 0;
        import_fails(&m, EVP_PKEY_KEYPAIR);
    }
}

/* Three octet strings, good in themselves, of two different keys. */
static void mismatched(void **state)
{
    struct material m, other;

    material_of(&other, *state, 8);
    material_of(&m, *state, 7);
    memcpy(m.pub, other.pub, m.pub_len);
    import_fails(&m, EVP_PKEY_KEYPAIR);
    m.seed_len = 0;
    import_fails(&m, EVP_PKEY_KEYPAIR);
    m.priv_len = 0;
    m.seed_len = TP_SEED;
    import_fails(&m, EVP_PKEY_KEYPAIR);

    material_of(&m, *state, 7);
    memcpy(m.priv, other.priv, m.priv_len);
    import_fails(&m, EVP_PKEY_KEYPAIR);
    material_of(&m, *state, 7);
    memcpy(m.seed, other.seed, TP_SEED);
    import_fails(&m, EVP_PKEY_KEYPAIR);
    m.pub_len = 0;
    import_fails(&m, EVP_PKEY_KEYPAIR);

    /* K enters nothing but the signatures: the seed alone shows that it isn't this key's. */
    material_of(&m, *state, 7);
    m.priv[KEY_K] ^= 1;
    import_fails(&m, EVP_PKEY_KEYPAIR);
}

/*
 * libcrypto's own ML-DSA keys, where it has them (from 3.5 on), are DKEX keys of the same octets,
 * and the other way round.
 */
static void from_ml_dsa(void **state)
{
    const struct tp_set *set = *state;
    const char *type = set->pub_len == 1312 ? "ML-DSA-44" : "ML-DSA-87";
    EVP_PKEY *original = tp_key_generate(tp_shared.ctx, type), *key, *back, *bob;
    OSSL_PARAM *params = NULL;
    uint8_t secret[TP_MAX_SECRET];

    ERR_clear_error();
    if (original == NULL)
        skip();
    tp_ok(EVP_PKEY_todata(original, EVP_PKEY_KEYPAIR, &params));
    tp_ok((key = tp_key_import(tp_shared.ctx, set->name, EVP_PKEY_KEYPAIR, params)) != NULL);
    OSSL_PARAM_free(params);
    tp_ok(EVP_PKEY_todata(key, EVP_PKEY_KEYPAIR, &params));
    tp_ok((back = tp_key_import(tp_shared.ctx, type, EVP_PKEY_KEYPAIR, params)) != NULL);
    OSSL_PARAM_free(params);
    assert_int_equal(EVP_PKEY_eq(original, back), 1);
    tp_ok((bob = tp_key_generate(tp_shared.ctx, set->name)) != NULL);
    tp_ok(tp_session(set, tp_shared.ctx, key, bob, secret));
    EVP_PKEY_free(original);
    EVP_PKEY_free(key);
    EVP_PKEY_free(back);
    EVP_PKEY_free(bob);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TP_EACH_SET(round_trip),
        TP_EACH_SET(combinations),
        TP_EACH_SET(private_half_missing),
        TP_EACH_SET(public_half_selected),
        TP_EACH_SET(lengths),
        TP_EACH_SET(shapes),
        TP_EACH_SET(out_of_range),
        TP_EACH_SET(out_of_range_alone),
        TP_EACH_SET(damaged),
        TP_EACH_SET(mismatched),
        TP_EACH_SET(from_ml_dsa),
    };

    return cmocka_run_group_tests(tests, tp_shared_open, tp_shared_close);
}
