/* SPDX-License-Identifier: Apache-2.0 */
/* Test coins: closed unless configured; then whole sessions come out as computed elsewhere. */
#include <string.h>
#include "evp_session.h"
#include "hex.h"

static struct tp_lib lib; /* test-entropy = yes */
static struct tp_lib closed;

static int open_libs(void **state)
{
    (void)state;
    tp_ok(tp_lib_configure(&lib, TP_ACTIVATE "test-entropy = yes"));
    tp_lib_open(&closed);
    return 0;
}

static int close_libs(void **state)
{
    (void)state;
    tp_lib_close(&lib);
    tp_lib_close(&closed);
    return 0;
}

/* Every input of the fixed sessions: byte i is factor * i + first, modulo 256. */
static void rule(uint8_t *out, size_t len, unsigned factor, unsigned first)
{
    for (size_t i = 0; i < len; i++)
        out[i] = (uint8_t)(factor * i + first);
}

static void fixed_coins(uint8_t *out, const struct tp_set *set, int initiator)
{
    if (initiator)
        rule(out, set->coins1_len, 5, 2);
    else
        rule(out, set->coins2_len, 7, 3);
}

static void fixed_keys(struct tp_pair *p, const struct tp_set *set)
{
    uint8_t seed[TP_SEED];

    memset(p, 0, sizeof(*p));
    p->set = set;
    rule(seed, TP_SEED, 1, 0);
    tp_ok((p->alice = tp_key_from_seed(lib.ctx, set->name, seed, TP_SEED)) != NULL);
    rule(seed, TP_SEED, 3, 1);
    tp_ok((p->bob = tp_key_from_seed(lib.ctx, set->name, seed, TP_SEED)) != NULL);
}

static EVP_PKEY_CTX *fixed_side(const struct tp_pair *p, int initiator, int deterministic)
{
    EVP_PKEY_CTX *ctx =
        tp_side(lib.ctx, initiator ? p->alice : p->bob, NULL, initiator ? p->bob : p->alice);
    uint8_t coins[128];

    fixed_coins(coins, p->set, initiator);
    tp_ok(ctx != NULL);
    tp_ok(tp_set_octets(ctx, "test-entropy", coins,
                        initiator ? p->set->coins1_len : p->set->coins2_len));
    if (deterministic)
        tp_ok(tp_set_int(ctx, "deterministic", 1));
    tp_ok(tp_set_text(ctx, "role", initiator ? "initiator" : "responder"));
    return ctx;
}

static void fixed_session(struct tp_pair *p, const struct tp_set *set, int deterministic)
{
    fixed_keys(p, set);
    p->a = fixed_side(p, 1, deterministic);
    p->b = fixed_side(p, 0, deterministic);
    tp_ok(tp_fetch(p->a, &p->m1));
    tp_pair_advance(p, TP_BOTH_DONE);
}

/*
 * SHA-256 of what a session of the inputs above gives, deterministic signatures, computed by an
 * independent implementation in exact integer arithmetic.
 */
static const struct {
    const char *pub_a, *pub_b, *m1, *m2, *m3, *secret;
} expected[TP_SETS] = {
    {"9f107644c1084526af3bc8098680b05499a2325a644e388fb4f970e058d19d46",
     "120934146ab0e8147989b6656a7a9aec07c6a161d5d24891ae6dbfb7745f793b",
     "3e104e52ef9f2ba28a68be8fd096ec9fa5e34af71118f2d20847fba66ffdd8ea",
     "3d6dc7058233d098fd8016237df3db1a65d180906101c96c03ba28bedbf840eb",
     "780a127ebd0b6b8dfb4db34bc123b742bcb83e962b93d58d08e86564c1a318f0",
     "de428d2fff36b62942b22bf3239b25bc32f51266f7fce6d85b6c4aef23fe07f3"},
    {"91dc389cfaa01470b7f66eee45a4ae9026d154817c754dfe22298b3fa241ffcd",
     "a8faf02a7edd17187e59843cb77da451a3bd5def6022059bcb2e1ded126e611a",
     "b0fc8a5e647e392f02de877e4edd42947efcf05e085e09c1d8c1b63944b8d0ff",
     "818a4f09342b4f7fc94d6c42bcde163958bdea776618e607d38c560d26a68a99",
     "68d2835ffbe0fcf12dcb50842a0afc162b41e5ec3346627beb63942f7353224d",
     "c3fc4fc25977df69dcf0ec8c92d76417592cd61b78d339124fd0db4dd10001fd"},
    {"91dc389cfaa01470b7f66eee45a4ae9026d154817c754dfe22298b3fa241ffcd",
     "a8faf02a7edd17187e59843cb77da451a3bd5def6022059bcb2e1ded126e611a",
     "dd7507c21c7a9b0b6ece88709be669925cfdc9b29f2a75ada3b63cff4bdca9c8",
     "73737f7a0d1daa731f5247636d993af28fb0137669b70219d92b20907c4bc0ed",
     "8961add4f709d695366b72252a6e5f4e46bd60b301ea350555628b4ecde49716",
     "410a2b71fa679f09a1efed47d5ed6444879135b67c24a50a21c4a8929a513645"},
};

static void digest_is(const uint8_t *data, size_t len, const char *hex)
{
    uint8_t digest[32];
    char got[2 * sizeof(digest) + 1];

    tp_ok(EVP_Q_digest(closed.ctx, "SHA256", NULL, data, len, digest, NULL));
    test_hex_encode(got, digest, sizeof(digest));
    assert_string_equal(got, hex);
}

static void pub_digest_is(EVP_PKEY *key, const char *hex)
{
    uint8_t pub[TP_MAX_KEY];
    size_t len;

    tp_ok(EVP_PKEY_get_octet_string_param(key, "pub", pub, sizeof(pub), &len));
    digest_is(pub, len, hex);
}

static void known_session(void **state)
{
    const struct tp_set *set = *state;
    const size_t i = (size_t)(set - tp_sets);
    struct tp_pair p;

    fixed_session(&p, set, 1);
    pub_digest_is(p.alice, expected[i].pub_a);
    pub_digest_is(p.bob, expected[i].pub_b);
    digest_is(p.m1.bytes, p.m1.len, expected[i].m1);
    digest_is(p.m2.bytes, p.m2.len, expected[i].m2);
    digest_is(p.m3.bytes, p.m3.len, expected[i].m3);
    digest_is(p.secret, set->secret_len, expected[i].secret);
    tp_pair_close(&p);
}

/* Same coins: only the signatures differ, and by default they do. */
static void hedged(void **state)
{
    const struct tp_set *set = *state;
    const size_t ct = set->ct_len;
    struct tp_pair fixed, one, other;

    fixed_session(&fixed, set, 1);
    fixed_session(&one, set, 0);
    fixed_session(&other, set, 0);
    assert_memory_equal(one.m1.bytes, fixed.m1.bytes, set->m1_len);
    assert_memory_equal(one.m2.bytes, fixed.m2.bytes, ct);
    assert_memory_equal(other.m2.bytes, fixed.m2.bytes, ct);
    assert_memory_not_equal(one.m2.bytes + ct, fixed.m2.bytes + ct, set->sig_len);
    assert_memory_not_equal(one.m2.bytes + ct, other.m2.bytes + ct, set->sig_len);
    assert_memory_not_equal(one.m3.bytes, fixed.m3.bytes, set->sig_len);
    assert_memory_not_equal(one.m3.bytes, other.m3.bytes, set->sig_len);
    assert_memory_equal(one.secret, fixed.secret, set->secret_len);
    tp_pair_close(&fixed);
    tp_pair_close(&one);
    tp_pair_close(&other);
}

/* Back to 0 is hedged again. */
static void deterministic_withdrawn(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair fixed, p;

    fixed_session(&fixed, set, 1);
    fixed_keys(&p, set);
    p.a = fixed_side(&p, 1, 1);
    p.b = fixed_side(&p, 0, 1);
    tp_ok(tp_set_int(p.b, "deterministic", 0));
    tp_ok(tp_fetch(p.a, &p.m1));
    tp_pair_advance(&p, TP_BOTH_DONE);
    assert_memory_equal(p.m2.bytes, fixed.m2.bytes, set->ct_len);
    assert_memory_not_equal(p.m2.bytes, fixed.m2.bytes, p.m2.len);
    tp_pair_close(&fixed);
    tp_pair_close(&p);
}

static void used_once(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair fixed, p;
    struct tp_message m;

    fixed_session(&fixed, set, 1);
    fixed_keys(&p, set);
    p.a = fixed_side(&p, 1, 1);
    p.b = fixed_side(&p, 0, 1);
    tp_ok(tp_fetch(p.a, &m));
    assert_memory_equal(m.bytes, fixed.m1.bytes, m.len);
    tp_ok(tp_give(p.b, &fixed.m1));
    for (int i = 0; i < 2; i++) { /* the coins have been used: new ones are random */
        tp_ok(EVP_PKEY_derive_init(p.a));
        tp_ok(tp_set_text(p.a, "role", "initiator"));
        tp_ok(tp_fetch(p.a, &m));
        assert_memory_not_equal(m.bytes, fixed.m1.bytes, m.len);
        tp_ok(EVP_PKEY_derive_init(p.b));
        tp_ok(tp_set_text(p.b, "role", "responder"));
        tp_ok(EVP_PKEY_derive_set_peer(p.b, p.alice));
        tp_ok(tp_give(p.b, &fixed.m1));
        tp_ok(tp_fetch(p.b, &m));
        assert_memory_not_equal(m.bytes, fixed.m2.bytes, set->ct_len);
    }
    tp_pair_close(&fixed);
    tp_pair_close(&p);
}

static void dropped_on_reinit(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair fixed, p;
    struct tp_message m;
    uint8_t coins[128];

    fixed_session(&fixed, set, 1);
    fixed_keys(&p, set);
    tp_ok((p.a = tp_side(lib.ctx, p.alice, NULL, NULL)) != NULL);
    fixed_coins(coins, set, 1);
    tp_ok(tp_set_octets(p.a, "test-entropy", coins, set->coins1_len));
    tp_ok(EVP_PKEY_derive_init(p.a));
    tp_ok(tp_set_text(p.a, "role", "initiator"));
    tp_ok(tp_fetch(p.a, &m));
    assert_memory_not_equal(m.bytes, fixed.m1.bytes, m.len);

    p.b = fixed_side(&p, 0, 1);
    tp_ok(EVP_PKEY_derive_init(p.b));
    tp_ok(tp_set_text(p.b, "role", "responder"));
    tp_ok(EVP_PKEY_derive_set_peer(p.b, p.alice));
    tp_ok(tp_give(p.b, &fixed.m1));
    tp_ok(tp_fetch(p.b, &m));
    assert_memory_not_equal(m.bytes, fixed.m2.bytes, set->ct_len);
    tp_pair_close(&fixed);
    tp_pair_close(&p);
}

/* A refused message uses no coins. */
static void kept_over_refusals(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair fixed, p;
    struct tp_message m;

    fixed_session(&fixed, set, 1);
    fixed_keys(&p, set);
    p.b = fixed_side(&p, 0, 1);
    m = fixed.m1;
    m.len--;
    tp_refused(tp_give(p.b, &m), "bad message length");
    tp_refused(tp_give(p.b, &fixed.m3), "bad message length");
    tp_refused(tp_set_text(p.b, "role", "initiator"), NULL);
    tp_ok(tp_give(p.b, &fixed.m1));
    tp_ok(tp_fetch(p.b, &m));
    assert_memory_equal(m.bytes, fixed.m2.bytes, m.len);
    tp_pair_close(&fixed);
    tp_pair_close(&p);
}

static void wrong_lengths(void **state)
{
    const struct tp_set *set = *state;
    const size_t
        s = set->coins1_len,
        lengths[] = {
            0, 1, 16, s - 1, s + 1, set->coins2_len - 1, set->coins2_len + 1, 2 * set->coins2_len,
        };
    uint8_t coins[256] = {0};
    struct tp_pair fixed, p;
    struct tp_message m;

    fixed_session(&fixed, set, 1);
    fixed_keys(&p, set);
    tp_ok((p.a = tp_side(lib.ctx, p.alice, NULL, NULL)) != NULL);
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
        tp_refused(tp_set_octets(p.a, "test-entropy", coins, lengths[i]), NULL);

    /* The coins of the other pass do no service either: sooner or later they are refused. */
    if (tp_set_octets(p.a, "test-entropy", coins, set->coins2_len) == 1)
        tp_refused(tp_set_text(p.a, "role", "initiator"), NULL);
    else
        tp_refused(0, NULL);
    tp_ok(EVP_PKEY_derive_init(p.a));
    fixed_coins(coins, set, 1);
    tp_ok(tp_set_octets(p.a, "test-entropy", coins, s));
    tp_ok(tp_set_text(p.a, "role", "initiator"));
    tp_ok(tp_fetch(p.a, &m));
    assert_memory_equal(m.bytes, fixed.m1.bytes, m.len);

    p.b = tp_side(lib.ctx, p.bob, "responder", p.alice);
    if (tp_set_octets(p.b, "test-entropy", coins, s) == 1)
        tp_refused(tp_give(p.b, &fixed.m1), NULL);
    else
        tp_refused(0, NULL);
    tp_pair_close(&fixed);
    tp_pair_close(&p);
}

/* The options may stand anywhere in the array: they are read first, then role, then in-message. */
static void every_order_in_one_array(void **state)
{
    const struct tp_set *set = *state;
    struct tp_pair fixed, p;
    uint8_t coins[128];
    int one = 1;

    fixed_session(&fixed, set, 1);
    fixed_keys(&p, set);
    fixed_coins(coins, set, 0);
    for (unsigned code = 0; code < 256; code++) {
        const unsigned at[4] = {code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6};
        OSSL_PARAM params[5];
        struct tp_message m;

        if ((1u << at[0] | 1u << at[1] | 1u << at[2] | 1u << at[3]) != 15)
            continue; /* no permutation */
        params[at[0]] = OSSL_PARAM_construct_octet_string("test-entropy", coins, set->coins2_len);
        params[at[1]] = OSSL_PARAM_construct_int("deterministic", &one);
        params[at[2]] = OSSL_PARAM_construct_utf8_string("role", "responder", 0);
        params[at[3]] =
            OSSL_PARAM_construct_octet_string("in-message", fixed.m1.bytes, fixed.m1.len);
        params[4] = OSSL_PARAM_construct_end();
        tp_ok((p.b = tp_side(lib.ctx, p.bob, NULL, p.alice)) != NULL);
        tp_ok(EVP_PKEY_CTX_set_params(p.b, params));
        tp_ok(tp_fetch(p.b, &m));
        assert_int_equal(m.len, fixed.m2.len);
        assert_memory_equal(m.bytes, fixed.m2.bytes, m.len);
        EVP_PKEY_CTX_free(p.b);
    }
    p.b = NULL;
    tp_pair_close(&fixed);
    tp_pair_close(&p);
}

/* Without the option, or with `no`, coins are refused and every pass stays random. */
static void disabled(void **state)
{
    const struct tp_set *set = *state;
    uint8_t coins[128];
    struct tp_lib no;
    struct tp_pair fixed;

    fixed_session(&fixed, set, 1);
    fixed_coins(coins, set, 1);
    tp_ok(tp_lib_configure(&no, TP_ACTIVATE "test-entropy = no"));
    for (int i = 0; i < 2; i++) {
        struct tp_pair p;
        struct tp_lib *without = i == 0 ? &no : &closed;

        tp_pair_keys(&p, without, set);
        tp_ok((p.a = tp_side(without->ctx, p.alice, NULL, p.bob)) != NULL);
        tp_refused(tp_set_octets(p.a, "test-entropy", coins, set->coins1_len),
                   "test entropy disabled");
        tp_ok(tp_set_text(p.a, "role", "initiator"));
        tp_ok(tp_fetch(p.a, &p.m1));
        assert_memory_not_equal(p.m1.bytes, fixed.m1.bytes, set->m1_len);
        tp_ok((p.b = tp_side(without->ctx, p.bob, "responder", p.alice)) != NULL);
        tp_refused(tp_set_octets(p.b, "test-entropy", coins, set->coins2_len),
                   "test entropy disabled");
        tp_pair_advance(&p, TP_BOTH_DONE);
        tp_pair_close(&p);
    }
    tp_lib_close(&no);
    tp_pair_close(&fixed);
}

static const char *buildinfo(OSSL_PROVIDER *provider)
{
    char *text = NULL;
    OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_ptr("buildinfo", &text, 0),
                           OSSL_PARAM_construct_end()};

    tp_ok(OSSL_PROVIDER_get_params(provider, params));
    return text != NULL ? text : "";
}

static void shown_in_buildinfo(void **state)
{
    (void)state;
    assert_non_null(strstr(buildinfo(lib.dkex), "test-entropy"));
    assert_null(strstr(buildinfo(closed.dkex), "test-entropy"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TP_EACH_SET(known_session),
        TP_EACH_SET(hedged),
        TP_EACH_SET(deterministic_withdrawn),
        TP_EACH_SET(used_once),
        TP_EACH_SET(dropped_on_reinit),
        TP_EACH_SET(kept_over_refusals),
        TP_EACH_SET(wrong_lengths),
        TP_EACH_SET(every_order_in_one_array),
        TP_EACH_SET(disabled),
        cmocka_unit_test(shown_in_buildinfo),
    };

    return cmocka_run_group_tests(tests, open_libs, close_libs);
}
