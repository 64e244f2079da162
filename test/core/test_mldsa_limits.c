/* SPDX-License-Identifier: Apache-2.0 */
/* ML-DSA at its limits: hostile verification, bounds, bad private keys, kernels' ranges. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

#include "mldsa/pack.h"
#include "mldsa_identity.h"
#include "rng.h"

/* Kernels that look whether their callers keep to kernels.h, and pass on to those under test. */
static void assert_below(const struct mldsa_poly *r, int32_t bound)
{
    for (unsigned i = 0; i < MLDSA_N; i++) {
        if (r->c[i] >= bound || r->c[i] <= -bound)
            fail_msg("%d out of range %d", (int)r->c[i], (int)bound);
    }
}

static void ntt_checked(struct mldsa_poly *r)
{
    assert_below(r, MLDSA_Q);
    kernels()->ntt(r);
}

static void invntt_checked(struct mldsa_poly *r)
{
    assert_below(r, MLDSA_Q);
    kernels()->invntt(r);
}

static void dot_checked(struct mldsa_poly *r, const struct mldsa_poly *a,
                        const struct mldsa_poly *b, unsigned len)
{
    assert_in_range(len, 1, 7);
    for (unsigned j = 0; j < len; j++) {
        assert_below(&a[j], len == 1 ? 9 * MLDSA_Q : MLDSA_Q);
        assert_below(&b[j], 9 * MLDSA_Q);
    }
    kernels()->dot(r, a, b, len);
}

static int exceeds_checked(const struct mldsa_poly *r, int32_t bound)
{
    assert_below(r, 1 << 24);
    return kernels()->exceeds(r, bound);
}

static int add_product_checked(struct mldsa_poly *r, const struct mldsa_poly *a,
                               const struct mldsa_challenge *c, const struct mldsa_short *s,
                               int32_t bound)
{
    assert_below(a, 1 << 23);
    assert_in_range(c->tau, 1, MLDSA_MAX_TAU);
    for (unsigned i = 0; i < c->tau; i++)
        assert_in_range(c->exponent[i], 0, 2 * MLDSA_N - 1);
    return kernels()->add_product(r, a, c, s, bound);
}

static void power2round_checked(struct mldsa_poly *t1, struct mldsa_poly *t0,
                                const struct mldsa_poly *t)
{
    assert_below(t, MLDSA_Q);
    kernels()->power2round(t1, t0, t);
}

static void decompose_checked(uint8_t w1[MLDSA_N], struct mldsa_poly *w, int32_t gamma2)
{
    assert_below(w, MLDSA_Q);
    kernels()->decompose(w1, w, gamma2);
}

static unsigned make_hint_checked(uint8_t hint[MLDSA_HINT_BYTES], const struct mldsa_poly *low,
                                  const uint8_t w1[MLDSA_N], int32_t gamma2)
{
    assert_below(low, 1 << 24);
    return kernels()->make_hint(hint, low, w1, gamma2);
}

static void use_hint_checked(uint8_t w1[MLDSA_N], const struct mldsa_poly *w,
                             const uint8_t hint[MLDSA_HINT_BYTES], int32_t gamma2)
{
    assert_below(w, MLDSA_Q);
    kernels()->use_hint(w1, w, hint, gamma2);
}

static struct mldsa_kernels checking(void)
{
    struct mldsa_kernels f = *kernels();

    f.ntt = ntt_checked;
    f.invntt = invntt_checked;
    f.dot = dot_checked;
    f.add_product = add_product_checked;
    f.exceeds = exceeds_checked;
    f.power2round = power2round_checked;
    f.decompose = decompose_checked;
    f.make_hint = make_hint_checked;
    f.use_hint = use_hint_checked;
    return f;
}

static void test_ranges(void **state)
{
    const struct mldsa_kernels f = checking();
    struct test_rng rng = {35};

    (void)state;
    for (unsigned n = 0; n < SETS; n++) {
        const struct mldsa_params *p = sets[n];

        for (uint8_t i = 0; i < 20; i++) {
            uint8_t mu[MLDSA_MU_BYTES] = {i}, rnd[MLDSA_RND_BYTES] = {0};
            uint8_t sig[MLDSA_MAX_SIG_BYTES], pk[DKEX_MAX_PUB_BYTES];
            struct identity id;

            generate(&id, p, &f, i);
            assert_int_equal(dkex_mldsa_sign(p, &f, sig, id.sk, mu, rnd), DKEX_OK);
            assert_true(verifies(p, &f, id.pk, mu, sig));
            test_rng_bytes(&rng, id.sk, p->sk_len); /* s1 and s2 from -5 to 2 */
            assert_int_equal(dkex_mldsa_check_private(p, &f, pk, id.sk), DKEX_ERR_KEY);
        }
    }
}

/* Extreme and random encodings of every part: refused, every kernel within its range. */
static void test_hostile_verification(void **state)
{
    struct test_rng rng = {34};
    uint8_t pk[DKEX_MAX_PUB_BYTES], sig[MLDSA_MAX_SIG_BYTES], mu[MLDSA_MU_BYTES];

    (void)state;
    for (unsigned n = 0; n < SETS; n++) {
        const struct mldsa_params *p = sets[n];
        const struct mldsa_kernels checked = checking(), *f = &checked;
        const size_t hints = p->sig_len - p->omega - p->k;

        for (unsigned i = 0; i < 60; i++) {
            test_rng_bytes(&rng, pk, sizeof(pk));
            test_rng_bytes(&rng, sig, sizeof(sig));
            test_rng_bytes(&rng, mu, sizeof(mu));
            if (i % 4 < 2)
                memset(pk + 32, i % 4 == 0 ? 0xff : 0, p->pk_len - 32);
            if (i / 4 % 3 < 2)
                memset(sig + p->ctilde_len, i / 4 % 3 == 0 ? 0xff : 0, hints - p->ctilde_len);
            if (i % 5 != 0)
                memset(sig + hints, 0, p->omega + p->k);
            /* z just within its bound, so that the rest of verification runs */
            if (i % 3 == 2) {
                struct mldsa_poly z;

                for (unsigned j = 0; j < MLDSA_N; j++)
                    z.c[j] = (1 << p->gamma1_bits) - (int32_t)p->beta - 1;
                for (unsigned j = 0; j < MLDSA_N && i % 2 == 0; j++)
                    z.c[j] = j % 2 ? z.c[j] : -z.c[j];
                for (unsigned j = 0; j < p->l; j++)
                    mldsa_pack_z(f, sig + p->ctilde_len + j * mldsa_z_bytes(p), &z, p->gamma1_bits);
            }
            assert_false(verifies(p, f, pk, mu, sig));
        }
    }
}

/* Kernels with one part replaced; each passes on to those under test. */
static int32_t ignored_bound;
static unsigned attempts, polynomials, last_polynomial;

static int add_product_but_one_bound(struct mldsa_poly *r, const struct mldsa_poly *a,
                                     const struct mldsa_challenge *c, const struct mldsa_short *s,
                                     int32_t bound)
{
    return kernels()->add_product(r, a, c, s, bound) && bound != ignored_bound;
}

/* The first product of every attempt is too large. */
static int add_product_beyond(struct mldsa_poly *r, const struct mldsa_poly *a,
                              const struct mldsa_challenge *c, const struct mldsa_short *s,
                              int32_t bound)
{
    (void)kernels()->add_product(r, a, c, s, bound);
    attempts++;
    return 1;
}

static unsigned rej_bounded_one_beyond(struct mldsa_poly *s, unsigned have, const uint8_t *buf,
                                       size_t len)
{
    have = kernels()->rej_bounded(s, have, buf, len);
    if (have == MLDSA_N && ++polynomials == last_polynomial)
        s->c[MLDSA_N - 1] = -3;
    return have;
}

/* Signatures that are right but for the norm of z: nothing but the check of z refuses them. */
static void test_norm_of_z(void **state)
{
    struct mldsa_kernels lax = *kernels();

    (void)state;
    lax.add_product = add_product_but_one_bound;
    for (unsigned n = 0; n < SETS; n++) {
        const struct mldsa_params *p = sets[n];
        unsigned refused = 0;
        struct identity id;

        ignored_bound = (1 << p->gamma1_bits) - (int32_t)p->beta;
        generate(&id, p, kernels(), 5);
        for (uint8_t i = 0; i < 20; i++) {
            uint8_t mu[MLDSA_MU_BYTES] = {i}, rnd[MLDSA_RND_BYTES] = {0};
            uint8_t sig[MLDSA_MAX_SIG_BYTES];
            struct mldsa_poly z;
            int beyond = 0;

            assert_int_equal(dkex_mldsa_sign(p, &lax, sig, id.sk, mu, rnd), DKEX_OK);
            for (unsigned j = 0; j < p->l; j++) {
                mldsa_unpack_z(kernels(), &z, sig + p->ctilde_len + j * mldsa_z_bytes(p),
                               p->gamma1_bits);
                beyond |= kernels()->exceeds(&z, ignored_bound);
            }
            assert_int_equal(verifies(p, kernels(), id.pk, mu, sig), !beyond);
            refused += (unsigned)beyond;
        }
        assert_in_range(refused, 1, 20);
    }
}

static void test_signing_gives_up(void **state)
{
    struct mldsa_kernels never = *kernels();

    (void)state;
    never.add_product = add_product_beyond;
    for (unsigned n = 0; n < SETS; n++) {
        const uint8_t mu[MLDSA_MU_BYTES] = {1}, rnd[MLDSA_RND_BYTES] = {0};
        uint8_t sig[MLDSA_MAX_SIG_BYTES], zero[MLDSA_MAX_SIG_BYTES] = {0};
        struct identity id;

        generate(&id, sets[n], kernels(), 6);
        memset(sig, 0xee, sizeof(sig));
        attempts = 0;
        assert_int_equal(dkex_mldsa_sign(sets[n], &never, sig, id.sk, mu, rnd), DKEX_ERR_SIGNING);
        assert_int_equal(attempts, 814);
        assert_memory_equal(sig, zero, sets[n]->sig_len);
    }
}

static void assert_refused(const struct mldsa_params *p, const struct mldsa_kernels *f,
                           const uint8_t *sk)
{
    uint8_t pk[DKEX_MAX_PUB_BYTES], zero[DKEX_MAX_PUB_BYTES] = {0};

    memset(pk, 0xee, sizeof(pk));
    assert_int_equal(dkex_mldsa_check_private(p, f, pk, sk), DKEX_ERR_KEY);
    assert_memory_equal(pk, zero, p->pk_len);
}

static void test_check_private(void **state)
{
    (void)state;
    for (unsigned n = 0; n < SETS; n++) {
        const struct mldsa_params *p = sets[n];
        const struct mldsa_kernels *f = kernels();
        const size_t t0 = mldsa_t0_offset(p);
        /* First and last byte of rho, tr and t0, and one within. */
        const size_t flips[] = {0, 31, 64, 100, 127, t0, t0 + 777, p->sk_len - 1};
        uint8_t pk[DKEX_MAX_PUB_BYTES];
        struct identity id;

        generate(&id, p, f, 42);
        for (unsigned i = 0; i < sizeof(flips) / sizeof(flips[0]); i++) {
            id.sk[flips[i]] ^= 0x10;
            assert_refused(p, f, id.sk);
            id.sk[flips[i]] ^= 0x10;
        }
        /* The lowest coefficient of each polynomial of s1 and s2 as 0 to 7 but itself. */
        for (size_t at = MLDSA_S1_OFFSET; at < t0; at += MLDSA_S_BYTES) {
            for (uint8_t v = 1; v < 8; v++) {
                id.sk[at] ^= v;
                assert_refused(p, f, id.sk);
                id.sk[at] ^= v;
            }
        }
        id.sk[MLDSA_RHO_BYTES] ^= 1; /* any K is valid */
        assert_int_equal(dkex_mldsa_check_private(p, f, pk, id.sk), DKEX_OK);
        assert_memory_equal(pk, id.pk, p->pk_len);
    }
}

/* A key that agrees with itself in all but the range of its last coefficient. */
static void test_check_range(void **state)
{
    struct mldsa_kernels beyond = *kernels();

    (void)state;
    beyond.rej_bounded = rej_bounded_one_beyond;
    for (unsigned n = 0; n < SETS; n++) {
        struct identity id;

        polynomials = 0;
        last_polynomial = sets[n]->k + sets[n]->l;
        generate(&id, sets[n], &beyond, 43);
        assert_int_equal(polynomials, last_polynomial);
        assert_refused(sets[n], kernels(), id.sk);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranges),        cmocka_unit_test(test_hostile_verification),
        cmocka_unit_test(test_norm_of_z),     cmocka_unit_test(test_signing_gives_up),
        cmocka_unit_test(test_check_private), cmocka_unit_test(test_check_range),
    };

    fixture_arguments(argc, argv);
    print_message("SplitMix64 seeds 34 and 35\n");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
