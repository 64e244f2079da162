/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a handshake keeps of its secrets, and when, and that a failure of SM3 at any point of any
 * call ends it with nothing left. libcrypto allocates through this program, so that memory can run
 * out where the test wants it to.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

#include <cmocka.h>

#include "pair.h"

enum { WINDOW = 16 }; /* bytes of a secret that nothing holds by chance */

static long allocations_left = -1; /* until memory runs out; negative: never */

static int memory_is_out(void)
{
    if (allocations_left > 0)
        allocations_left--;
    else if (allocations_left == 0)
        return 1;
    return 0;
}

static void *allocate(size_t size, const char *file, int line)
{
    (void)file;
    (void)line;
    return size == 0 || memory_is_out() ? NULL : malloc(size);
}

static void *reallocate(void *p, size_t size, const char *file, int line)
{
    (void)file;
    (void)line;
    if (size == 0) {
        free(p);
        return NULL;
    }
    return memory_is_out() ? NULL : realloc(p, size);
}

static void release(void *p, const char *file, int line)
{
    (void)file;
    (void)line;
    free(p);
}

/* Whether any piece of the secret is anywhere in hs. */
static int holds(const struct dkex_handshake *hs, const uint8_t *secret, size_t len)
{
    const uint8_t *bytes = (const uint8_t *)hs;

    for (size_t i = 0; i + WINDOW <= sizeof(*hs); i++) {
        for (size_t j = 0; j + WINDOW <= len; j += WINDOW) {
            if (bytes[i] == secret[j] && memcmp(bytes + i, secret + j, WINDOW) == 0)
                return 1;
        }
    }
    return 0;
}

/* A reset context has no digest; libcrypto cleansed its state when it let go of it. */
static void assert_sm3_wiped(const struct dkex_handshake *hs)
{
    assert_null(EVP_MD_CTX_get0_md(hs->sm3.ctx));
    assert_null(EVP_MD_CTX_get0_md(hs->sm3.prefix));
}

static int is_zero(const void *p, size_t len)
{
    const uint8_t *bytes = p;

    for (size_t i = 0; i < len; i++) {
        if (bytes[i] != 0)
            return 0;
    }
    return 1;
}

static void assert_ended(const struct dkex_handshake *hs)
{
    assert_int_equal(hs->state, DKEX_STATE_FAILED);
    assert_true(is_zero(hs->ephemeral, sizeof(hs->ephemeral)));
    assert_true(is_zero(hs->raw, sizeof(hs->raw)));
    assert_true(is_zero(hs->transcript, sizeof(hs->transcript)));
    assert_true(is_zero(hs->out, sizeof(hs->out)));
    assert_int_equal(hs->out_len, 0);
    assert_sm3_wiped(hs);
}

/* A session that ends well, searched after every call. */
static void check_honest(struct pair *p)
{
    const struct dkex_params *params = p->suite.params;
    uint8_t ephemeral[DKEX_MAX_EPHEMERAL_BYTES], raw[DKEX_MAX_SECRET_BYTES];
    uint8_t secret[DKEX_MAX_SECRET_BYTES];

    pair_start(p);
    memcpy(ephemeral, p->a.hs.ephemeral, params->ephemeral_len);
    assert_true(holds(&p->a.hs, ephemeral, params->ephemeral_len)); /* the search finds */
    assert_false(holds(&p->a.hs, p->coins1, params->seed_len));
    assert_sm3_wiped(&p->a.hs);

    assert_int_equal(pair_pass(p, &p->b, &p->a), DKEX_OK);
    memcpy(raw, p->b.hs.raw, params->n_len);
    assert_true(holds(&p->b.hs, raw, params->n_len));
    assert_false(holds(&p->b.hs, p->coins2, params->seed_len + params->n_len));
    assert_sm3_wiped(&p->b.hs);

    assert_int_equal(pair_pass(p, &p->a, &p->b), DKEX_OK);
    assert_false(holds(&p->a.hs, ephemeral, params->ephemeral_len));
    assert_true(holds(&p->a.hs, raw, params->n_len));
    assert_sm3_wiped(&p->a.hs);

    assert_int_equal(pair_pass(p, &p->b, &p->a), DKEX_OK);
    assert_int_equal(dkex_handshake_secret(&p->b.hs, secret), DKEX_OK);
    assert_false(holds(&p->b.hs, secret, params->n_len));
    assert_sm3_wiped(&p->b.hs);

    dkex_handshake_close(&p->b.hs);
    assert_true(is_zero(&p->b.hs, sizeof(p->b.hs)));
    dkex_handshake_close(&p->b.hs); /* a closed one is let be */
}

/* A bad signature at either end. */
static void check_forgeries(struct pair *p)
{
    const struct dkex_params *params = p->suite.params;
    uint8_t ephemeral[DKEX_MAX_EPHEMERAL_BYTES], raw[DKEX_MAX_SECRET_BYTES];
    uint8_t transcript[DKEX_MAX_SECRET_BYTES];

    pair_start(p);
    memcpy(ephemeral, p->a.hs.ephemeral, params->ephemeral_len);
    assert_int_equal(pair_pass(p, &p->b, &p->a), DKEX_OK);
    memcpy(raw, p->b.hs.raw, params->n_len);
    memcpy(transcript, p->b.hs.transcript, params->n_len);

    p->b.hs.out[params->ct_len] ^= 1;
    assert_int_equal(pair_pass(p, &p->a, &p->b), DKEX_ERR_SIGNATURE);
    assert_ended(&p->a.hs);
    assert_false(holds(&p->a.hs, ephemeral, params->ephemeral_len));
    assert_false(holds(&p->a.hs, transcript, params->n_len));

    p->b.hs.out_len = params->m3_len; /* B's own m2, cut to the length of m3 */
    assert_int_equal(pair_pass(p, &p->b, &p->b), DKEX_ERR_SIGNATURE);
    assert_ended(&p->b.hs);
    assert_false(holds(&p->b.hs, raw, params->n_len));
    assert_false(holds(&p->b.hs, transcript, params->n_len));
}

enum call { START, STEP_M1, STEP_M2, SECRET, CALLS };

/* Brings a fresh pair to a call and makes it when `left` allocations are left. */
static enum dkex_status call_with(struct pair *p, enum call call, long left, struct test_rng *rng,
                                  struct dkex_handshake **hs, uint8_t *secret)
{
    const struct dkex_params *params = p->suite.params;
    uint8_t message[DKEX_MAX_M2_BYTES];
    enum dkex_status status;

    pair_open(p, rng);
    if (call != START)
        pair_start(p);
    if (call > STEP_M1)
        assert_int_equal(pair_pass(p, &p->b, &p->a), DKEX_OK);
    if (call > STEP_M2)
        assert_int_equal(pair_pass(p, &p->a, &p->b), DKEX_OK);
    *hs = call == STEP_M1 ? &p->b.hs : &p->a.hs;
    memcpy(message, call == STEP_M1 ? p->a.hs.out : p->b.hs.out, sizeof(message));

    allocations_left = left;
    if (call == START)
        status = dkex_handshake_start(*hs, DKEX_ROLE_INITIATOR, p->coins1);
    else if (call == SECRET)
        status = dkex_handshake_secret(*hs, secret);
    else
        status = dkex_handshake_step(
            *hs, message, call == STEP_M1 ? params->m1_len : params->m2_len, p->coins2, p->rnd);
    allocations_left = -1;
    return status;
}

/* Memory runs out at every early allocation of a call, then at fewer and fewer, until it lasts. */
static void check_memory_of_call(struct pair *p, enum call call, struct test_rng *rng)
{
    enum dkex_status status = DKEX_ERR_SM3;

    for (long left = 0; status != DKEX_OK; left += 1 + left / 4) {
        uint8_t secret[DKEX_MAX_SECRET_BYTES];
        struct dkex_handshake *hs;

        memset(secret, 0xa5, sizeof(secret));
        status = call_with(p, call, left, rng, &hs, secret);
        if (status != DKEX_OK) {
            assert_int_equal(status, DKEX_ERR_SM3);
            assert_ended(hs);
            assert_true(call != SECRET || is_zero(secret, p->suite.params->n_len));
        } else {
            assert_true(left > 0); /* the call does use SM3 */
        }
        pair_close(p);
    }
}

static void check_memory(struct pair *p)
{
    struct dkex_handshake before, copy;
    struct test_rng rng = {14};

    /* open and dup: refused, nothing to close, the original as it was. */
    for (long left = 0; left < 2; left++) {
        allocations_left = left;
        assert_int_equal(dkex_handshake_open(&copy, &p->suite, fixture_sm3(), &p->a.key),
                         DKEX_ERR_SM3);
        before = p->a.hs;
        assert_int_equal(dkex_handshake_dup(&copy, &p->a.hs), DKEX_ERR_SM3);
        assert_memory_equal(&p->a.hs, &before, sizeof(before));
        allocations_left = -1;
    }
    pair_close(p);
    for (int call = START; call < CALLS; call++)
        check_memory_of_call(p, (enum call)call, &rng);
}

/* Calls check with a fresh pair for every set. */
static void each_set(void check(struct pair *p))
{
    struct pair *p = calloc(1, sizeof(*p));
    struct test_rng rng = {13};

    assert_non_null(p);
    for (size_t set = 0; set < DKEX_SETS; set++) {
        pair_init(p, set, &rng);
        check(p);
        pair_close(p);
    }
    free(p);
}

static void test_honest(void **state)
{
    (void)state;
    each_set(check_honest);
}

static void test_forgeries(void **state)
{
    (void)state;
    each_set(check_forgeries);
}

static void test_memory(void **state)
{
    (void)state;
    each_set(check_memory);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),
        cmocka_unit_test(test_forgeries),
        cmocka_unit_test(test_memory),
    };

    fixture_arguments(argc, argv);
    if (!CRYPTO_set_mem_functions(allocate, reallocate, release)) {
        puts("skipped: libcrypto has allocated before this program could");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, fixture_teardown);
}
