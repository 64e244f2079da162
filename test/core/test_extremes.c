/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hostile messages, keys and signatures that drive the transforms and products as far as bytes
 * from outside can: every backend makes of them what the portable one makes, to the last bit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../rng.h"
#include "dke.h"
#include "fixture.h"
#include "mldsa/pack.h"
#include "rings.h"
#include "sm3.h"

static struct test_rng rng = {43};

/*
 * Patterns of high and low. BLOCKS + b: runs of 2^b. ROOTS + r: the signs of the centred powers of
 * an odd power of zeta, so that the value there, a coefficient of the transform, is a sum of terms
 * of one sign, as large as integers get before reduction. MIXED: at random.
 */
enum { HIGH, LOW, BLOCKS, ROOTS = BLOCKS + 9, MIXED = ROOTS + 24, PATTERNS = MIXED + 12 };

/* A transform evaluates at odd powers of zeta: all n coefficients, or even and odd ones apart. */
struct transform {
    unsigned n, q, apart; /* 1 or 2 */
    int32_t zeta;
};

static void fill(int32_t *values, const struct transform *t, unsigned pattern, int32_t high,
                 int32_t low)
{
    int64_t root = t->zeta, term = 1;

    for (unsigned i = ROOTS; i < pattern && pattern < MIXED; i++)
        root = root * t->zeta % t->q * t->zeta % t->q;
    for (unsigned i = 0; i < t->n; i++) {
        int is_high = pattern == HIGH;

        if (pattern >= MIXED)
            is_high = (int)test_rng_below(&rng, 2);
        else if (pattern >= ROOTS)
            is_high = centred(term, t->q) >= 0;
        else if (pattern >= BLOCKS)
            is_high = (i >> (pattern - BLOCKS) & 1) == 0;
        values[i] = is_high ? high : low;
        if (i % t->apart == t->apart - 1)
            term = term * root % t->q;
    }
}

/* A vector of k polynomials of one pattern, packed in w bits. */
static void pack_pattern(uint8_t *out, const struct dkex_params *p, unsigned w, unsigned pattern,
                         int32_t high, int32_t low)
{
    /* FIPS 203's, and the algorithm's for q = 7681: n-th roots of unity. */
    const struct transform t = {p->n, p->q, 2, p->q == 3329 ? 17 : 62};
    int32_t values[DKEX_MAX_N];

    for (unsigned i = 0; i < p->k; i++) {
        fill(values, &t, pattern, high, low);
        for (unsigned j = 0; j < p->n; j++)
            set_packed(out, i * p->n + j, w, (uint32_t)values[j]);
    }
}

struct outcome {
    uint8_t ct[DKEX_MAX_M2_BYTES], raw_b[DKEX_MAX_SECRET_BYTES], raw_a[DKEX_MAX_SECRET_BYTES];
};

struct exchange {
    uint8_t m1[DKEX_MAX_M1_BYTES], sk[DKEX_MAX_EPHEMERAL_BYTES], ct[DKEX_MAX_M2_BYTES];
    uint8_t coins[DKEX_MAX_COINS_BYTES];
};

static void run_exchange(struct outcome *out, const struct dkex_params *p, const char *cpu,
                         const struct exchange *x)
{
    struct dkex_suite suite;
    struct dkex_sm3 s;

    memset(out, 0, sizeof(*out));
    assert_int_equal(dkex_suite_bind(&suite, p, cpu), DKEX_OK);
    assert_int_equal(dkex_sm3_open(&s, fixture_sm3()), DKEX_OK);
    assert_int_equal(dkex_dke_respond(&suite, &s, out->ct, out->raw_b, x->m1, x->coins), DKEX_OK);
    dkex_dke_finish(&suite, out->raw_a, x->sk, x->ct);
    dkex_sm3_close(&s);
}

static void check_exchange(const struct dkex_params *p, const struct exchange *x, unsigned pattern)
{
    struct outcome expected, got;

    run_exchange(&expected, p, "portable", x);
    for (size_t i = 1; dkex_suite_cpu(i) != NULL; i++) {
        run_exchange(&got, p, dkex_suite_cpu(i), x);
        if (memcmp(&got, &expected, sizeof(got)) != 0)
            fail_msg("%s, pattern %u: %s departs", p->name, pattern, dkex_suite_cpu(i));
    }
}

/* m1 and sk hold residues in the NTT domain, for the inverse; ct is decompressed and transformed.
 */
static void check_pattern(const struct dkex_params *p, unsigned pattern)
{
    const int32_t q = (int32_t)p->q, d = 1 << p->d_b;
    const int32_t residues[][2] = {{q - 1, 0}, {q / 2, q / 2 + 1}, {q - 1, q / 2 + 1}, {q - 1, 1}};
    const int32_t compressed[][2] = {{d - 1, 0}, {d / 2 - 1, d / 2}, {d - 1, d / 2}, {d - 1, 1}};
    const size_t vector = (size_t)p->k * p->n * p->d_b / 8;
    struct exchange x;

    for (unsigned i = 0; i < 4; i++) {
        test_rng_bytes(&rng, (uint8_t *)&x, sizeof(x)); /* seeds, coins, signal */
        pack_pattern(x.m1, p, p->d_a, pattern, residues[i][0], residues[i][1]);
        pack_pattern(x.sk, p, p->d_a, pattern % 3 == 0 ? HIGH : pattern, residues[i][0],
                     residues[i][1]);
        pack_pattern(x.ct, p, p->d_b, pattern, compressed[i][0], compressed[i][1]);
        if (pattern % 4 < 2)
            memset(x.ct + vector, pattern % 4 == 0 ? 0 : 0xff, p->ct_len - vector);
        check_exchange(p, &x, pattern);
    }
    memset(x.ct, 0xff, sizeof(x.ct));
    memset(x.coins, pattern % 2 == 0 ? 0 : 0xff, sizeof(x.coins));
    check_exchange(p, &x, pattern);
}

static void test_exchange(void **state)
{
    (void)state;
    for (size_t set = 0; set < DKEX_SETS; set++) {
        for (unsigned pattern = 0; pattern < PATTERNS; pattern++)
            check_pattern(&dkex_params[set], pattern);
    }
}

/* a b / 2^16 mod q as 16-bit kernels have it, one of two representatives. */
static int32_t montgomery(int32_t a, int32_t b, unsigned q)
{
    int32_t inverse = 1; /* of q modulo 2^16, by Newton's iteration */

    for (unsigned i = 0; i < 4; i++)
        inverse = (int32_t)((uint32_t)inverse * (2 - q * (uint32_t)inverse));
    return (a * b - (int16_t)((uint32_t)(a * b) * (uint32_t)inverse) * (int32_t)q) / 65536;
}

/*
 * A ct whose transform climbs. With coefficients 0, 2, 4, 8 and so on alone, coefficient 0 of every
 * block meets one fresh coefficient a layer, here the one whose product with zeta is the largest
 * in the direction `up`, 1 or -1. `path`: from the lowest bit on, a layer's sum or difference.
 * Coefficient 1 and the odd ones do likewise.
 */
static void pack_climb(uint8_t *out, const struct dkex_params *p, unsigned path, int up)
{
    const int32_t zeta = p->q == 3329 ? 17 : 62, q = (int32_t)p->q;
    int32_t values[DKEX_MAX_N] = {0};
    unsigned exponent = p->n / 4; /* FIPS 203's BitRev(i) of the layer's zeta */

    values[0] = values[1] = up > 0 ? (1 << p->d_b) - 1 : 0;
    for (unsigned len = p->n / 2; len >= 2; len /= 2, path >>= 1) {
        int32_t best = INT32_MIN, mont = 65536 % q;

        for (unsigned i = 0; i < exponent; i++)
            mont = mont * zeta % q;
        for (int32_t c = 0; c < 1 << p->d_b; c++) {
            int32_t a = (c * q + (1 << (p->d_b - 1))) >> p->d_b; /* decompressed */
            int32_t t = (path & 1 ? -up : up) * montgomery(a, centred(mont, p->q), p->q);

            if (t > best) {
                best = t;
                values[len] = values[len + 1] = c;
            }
        }
        exponent = exponent / 2 + (path & 1) * (p->n / 4);
    }
    for (unsigned i = 0; i < p->k * p->n; i++)
        set_packed(out, i, p->d_b, (uint32_t)values[i % p->n]);
}

static void test_climbs(void **state)
{
    (void)state;
    for (size_t set = 0; set < DKEX_SETS; set++) {
        const struct dkex_params *p = &dkex_params[set];

        for (unsigned path = 0; path < p->n / 2; path += p->n / 64) {
            struct exchange x;

            test_rng_bytes(&rng, (uint8_t *)&x, sizeof(x));
            pack_pattern(x.m1, p, p->d_a, HIGH, 1, 1);
            pack_pattern(x.sk, p, p->d_a, HIGH, 1, 1);
            pack_climb(x.ct, p, path, path / (p->n / 64) % 2 == 0 ? 1 : -1);
            check_exchange(p, &x, path);
        }
    }
}

/* Constants in the NTT domain, by which every sum of the inverse transform doubles: sk alike in
 * all places, times a constant polynomial. */
static void test_constants(void **state)
{
    (void)state;
    for (size_t set = 0; set < DKEX_SETS; set++) {
        const struct dkex_params *p = &dkex_params[set];

        for (int32_t v = 0; v < (int32_t)p->q; v += 1 + (int32_t)test_rng_below(&rng, 40)) {
            struct exchange x;

            test_rng_bytes(&rng, (uint8_t *)&x, sizeof(x));
            pack_pattern(x.m1, p, p->d_a, HIGH, v, v);
            pack_pattern(x.sk, p, p->d_a, HIGH, v, v);
            memset(x.ct, 0, (size_t)p->k * p->n * p->d_b / 8);
            for (unsigned i = 0; i < p->k; i++)
                set_packed(x.ct, i * p->n, p->d_b, test_rng_below(&rng, 1u << p->d_b));
            check_exchange(p, &x, HIGH);
        }
    }
}

/* Kernels that note the encoded w1 of every row of a verification, and pass on. */
static struct {
    const struct mldsa_kernels *real;
    uint8_t w1[MLDSA_MAX_K * MLDSA_MAX_W1_BYTES];
    size_t len;
} noted;

static size_t note_w1(uint8_t *out, const uint8_t w1[MLDSA_N], int32_t gamma2)
{
    const size_t len = noted.real->w1_encode(out, w1, gamma2);

    assert_true(noted.len + len <= sizeof(noted.w1));
    memcpy(noted.w1 + noted.len, out, len);
    noted.len += len;
    return len;
}

/* The recovered w1, all rows of which there are; the verdict is no, for nobody signed this. */
static size_t recovered_w1(const struct dkex_params *p, const char *cpu, const uint8_t *pk,
                           const uint8_t *sig)
{
    static const uint8_t mu[MLDSA_MU_BYTES];
    struct mldsa_kernels noting;
    struct dkex_suite suite;

    assert_int_equal(dkex_suite_bind(&suite, p, cpu), DKEX_OK);
    noted.real = suite.mldsa;
    noted.len = 0;
    memset(noted.w1, 0, sizeof(noted.w1));
    noting = *suite.mldsa;
    noting.w1_encode = note_w1;
    assert_int_equal(dkex_mldsa_verify(p->mldsa, &noting, pk, mu, sig), DKEX_ERR_SIGNATURE);
    return noted.len;
}

static void check_w1(const struct dkex_params *p, const uint8_t *pk, const uint8_t *sig, size_t len)
{
    uint8_t expected[sizeof(noted.w1)];

    assert_int_equal(recovered_w1(p, "portable", pk, sig), len);
    memcpy(expected, noted.w1, sizeof(expected));
    for (size_t i = 1; dkex_suite_cpu(i) != NULL; i++) {
        assert_int_equal(recovered_w1(p, dkex_suite_cpu(i), pk, sig), len);
        if (memcmp(noted.w1, expected, sizeof(expected)) != 0)
            fail_msg("%s: the w1 of %s departs", p->mldsa->name, dkex_suite_cpu(i));
    }
}

/* HintBitPack of omega ones at most: none; all in the first row, from 0 on; all in the last, up to
 * 255; first and last coefficient of every row. */
static void pack_hints(uint8_t *out, const struct mldsa_params *p, unsigned kind)
{
    uint8_t at = 0;

    memset(out, 0, p->omega + p->k);
    for (unsigned row = 0; row < p->k; row++) {
        unsigned ones = 0;

        if ((kind == 1 && row == 0) || (kind == 2 && row == p->k - 1))
            ones = p->omega;
        if (kind == 3)
            ones = 2;
        for (unsigned i = 0; i < ones; i++)
            out[at++] = (uint8_t)(kind == 1 || (kind == 3 && i == 0) ? i : 256 - ones + i);
        out[p->omega + row] = at;
    }
}

/* z of a pattern at the bound `z`, t1 of another of 1023 and 0. */
static void check_signature(const struct dkex_params *params, unsigned z_pattern,
                            unsigned t1_pattern, int32_t z, int in_range)
{
    const struct transform t = {MLDSA_N, MLDSA_Q, 1, 1753}; /* FIPS 204, section 2.3 */
    const struct mldsa_params *p = params->mldsa;
    const unsigned z_bits = p->gamma1_bits + 1;
    uint8_t pk[DKEX_MAX_PUB_BYTES], sig[MLDSA_MAX_SIG_BYTES];
    int32_t values[MLDSA_N];

    test_rng_bytes(&rng, pk, MLDSA_RHO_BYTES);
    test_rng_bytes(&rng, sig, p->ctilde_len);
    for (unsigned i = 0; i < p->k; i++) {
        fill(values, &t, t1_pattern, 1023, 0);
        for (unsigned j = 0; j < MLDSA_N; j++)
            set_packed(pk + MLDSA_RHO_BYTES, i * MLDSA_N + j, 10, (uint32_t)values[j]);
    }
    for (unsigned i = 0; i < p->l; i++) {
        fill(values, &t, z_pattern, z, -z);
        for (unsigned j = 0; j < MLDSA_N; j++)
            set_packed(sig + p->ctilde_len, i * MLDSA_N + j, z_bits,
                       (uint32_t)((1 << p->gamma1_bits) - values[j]));
    }
    for (unsigned kind = 0; kind < 4; kind++) {
        pack_hints(sig + p->sig_len - p->omega - p->k, p, kind);
        check_w1(params, pk, sig, in_range ? p->k * mldsa_w1_bytes(p) : 0);
    }
}

static void test_signatures(void **state)
{
    (void)state;
    for (size_t set = 0; set < 2; set++) { /* the third signs as the second */
        const struct mldsa_params *p = dkex_params[set].mldsa;
        const int32_t bound = (1 << p->gamma1_bits) - (int32_t)p->beta;

        for (unsigned pattern = 0; pattern < PATTERNS; pattern++) {
            check_signature(&dkex_params[set], pattern, HIGH, bound - 1, 1);
            check_signature(&dkex_params[set], pattern, pattern, bound - 1, 1);
            check_signature(&dkex_params[set], pattern, MIXED, bound, 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exchange),
        cmocka_unit_test(test_climbs),
        cmocka_unit_test(test_constants),
        cmocka_unit_test(test_signatures),
    };

    return cmocka_run_group_tests(tests, NULL, fixture_teardown);
}
