/* SPDX-License-Identifier: Apache-2.0 */
/* ML-DSA-44 and -87 whole: known answers, round trips, altered signatures and keys. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

#include "hex.h"
#include "mldsa/expand.h"
#include "mldsa/keccak.h"
#include "mldsa_identity.h"
#include "rng.h"

static void assert_digest(const uint8_t *data, size_t len, const char *expected)
{
    uint8_t digest[32];
    char hex[65];
    struct keccak k;

    dkex_keccak_init(&k, SHAKE256_RATE);
    dkex_keccak_absorb(&k, data, len);
    dkex_keccak_finish(&k);
    dkex_keccak_squeeze(&k, digest, sizeof(digest));
    test_hex_encode(hex, digest, sizeof(digest));
    assert_string_equal(hex, expected);
}

/*
 * SHAKE256, 32 bytes, of pk, sk and sig, from an independent program of the standard. Seed: i,
 * i + 1, ...; context: 0, 1, ...; message: 0, 3, 6, ...; rnd: zero for i = 0, else 17 i,
 * 17 i + 1, ...; all mod 256.
 */
static const struct answer {
    const struct mldsa_params *p;
    uint8_t i;
    size_t ctx_len, msg_len;
    const char *pk, *sk, *sig;
} answers[] = {
    {&dkex_mldsa44, 0, 0, 0, "329a07b1fabb48f52a309f11a1898f848e2322ffe623ec810db3bee33685854a",
     "eaa4bd0a7064e1aef9623bfa4c0209a98884f08558bbe934daefb16a049ba28a",
     "45c111fdcc6aae3918bd4b6c76e733462a0ef7519d8f0166faa4a63a95e4ed0c"},
    {&dkex_mldsa44, 1, 1, 32, "b6c055c22f6255924976d895a5f54d2c38596c403ccef6f973e22a5f8c7c2ba8",
     "ce08fdfe2ca7a10b6f22f96e7be31325444eb9e885eab521c2477dad6bc63b82",
     "36b44e49833cc8baf99696c56b5778c88b0a6ad1de9eda0305accfdb8b399cf9"},
    {&dkex_mldsa44, 2, 255, 500, "de560b3392ca7452b4c607b87c5ca3ae4de0f44ec1308d73028e8ee5cc226680",
     "2db9d0f4c9985c9ba49de11953f93b788427c2e9918db1423b2257df81cc693a",
     "8222ee2b3b100bbebf7aa875d18ceadd422e9db6c4b6d49884ceb83a8fc35d8e"},
    {&dkex_mldsa87, 0, 0, 0, "89886750b57c24db3fc012e61ede59753337374fa7124991549af243496d0637",
     "c06933a362a7d0da2279a3d70edb9acc560703d534f5722f54e2c8c418311d42",
     "badd826f02b5972a96eafa1e95cc32ec93326ebbcc03b91ecdc12847daba89fb"},
    {&dkex_mldsa87, 1, 1, 32, "11ab9af6c4e8703eb18b8d7d2463c305bb2b659d98691902dc4de74d271791ed",
     "88df0240100268032f9e4847204e132e82ef1e2d8b794f877ea1fb67e6bbcabb",
     "db9bfe32437b5b90d6148ed0e743a50f6784c525cee585f5293da6703aa90e78"},
    {&dkex_mldsa87, 2, 255, 500, "3440165bd1b6e1e2efa74180ed8f5ab19b897b02b09c9b0325c98af21e29ea3e",
     "60c9453e92f72f2678cd2e2bcbc3a4bd92f4a6dcabc0250060e983dab3adc1d6",
     "2298228075f27923e3b141953783475b151a35378ca751d3849f36b01e7b679e"},
};

static void check_answer(const struct answer *a, const struct mldsa_kernels *f)
{
    uint8_t ctx[255], msg[500], rnd[MLDSA_RND_BYTES] = {0};
    uint8_t mu[MLDSA_MU_BYTES], sig[MLDSA_MAX_SIG_BYTES];
    struct identity id;

    for (unsigned j = 0; j < sizeof(ctx); j++)
        ctx[j] = (uint8_t)j;
    for (unsigned j = 0; j < sizeof(msg); j++)
        msg[j] = (uint8_t)(3 * j);
    for (unsigned j = 0; a->i > 0 && j < sizeof(rnd); j++)
        rnd[j] = (uint8_t)(17 * a->i + j);
    generate(&id, a->p, f, a->i);
    assert_digest(id.pk, a->p->pk_len, a->pk);
    assert_digest(id.sk, a->p->sk_len, a->sk);
    dkex_mldsa_mu(mu, id.tr, ctx, a->ctx_len, msg, a->msg_len);
    assert_int_equal(dkex_mldsa_sign(a->p, f, sig, id.sk, mu, rnd), DKEX_OK);
    assert_digest(sig, a->p->sig_len, a->sig);
    assert_int_equal(dkex_mldsa_verify(a->p, f, id.pk, mu, sig), DKEX_OK);
}

static void test_known_answers(void **state)
{
    (void)state;
    for (unsigned n = 0; n < sizeof(answers) / sizeof(answers[0]); n++)
        check_answer(&answers[n], kernels());
}

/* mu is of tr || 0 || length of the context || context || message. */
static void test_mu(void **state)
{
    static const size_t lengths[] = {0, 1, 69, 70, 71, 255};
    struct test_rng rng = {31};
    uint8_t tr[MLDSA_TR_BYTES], m_prime[2 + 255 + 100];

    (void)state;
    for (unsigned i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        uint8_t mu[MLDSA_MU_BYTES], expected[MLDSA_MU_BYTES];
        const size_t len = lengths[i];

        test_rng_bytes(&rng, tr, sizeof(tr));
        test_rng_bytes(&rng, m_prime, sizeof(m_prime));
        m_prime[0] = 0;
        m_prime[1] = (uint8_t)len;
        dkex_mldsa_mu_internal(expected, tr, m_prime, 2 + len + 100);
        dkex_mldsa_mu(mu, tr, m_prime + 2, len, m_prime + 2 + len, 100);
        assert_memory_equal(mu, expected, sizeof(mu));
    }
}

static void test_round_trips(void **state)
{
    struct test_rng rng = {32};
    static struct mldsa_expanded_private private;
    static struct mldsa_expanded_public public;

    (void)state;
    for (unsigned n = 0; n < SETS; n++) {
        const struct mldsa_params *p = sets[n];
        const struct mldsa_kernels *f = kernels();

        for (unsigned i = 0; i < 40; i++) {
            uint8_t seed[MLDSA_SEED_BYTES], mu[MLDSA_MU_BYTES], rnd[MLDSA_RND_BYTES];
            uint8_t sig[MLDSA_MAX_SIG_BYTES], again[MLDSA_MAX_SIG_BYTES], pk[DKEX_MAX_PUB_BYTES];
            struct identity id;

            test_rng_bytes(&rng, seed, sizeof(seed));
            test_rng_bytes(&rng, mu, sizeof(mu));
            test_rng_bytes(&rng, rnd, sizeof(rnd));
            dkex_mldsa_keygen(p, f, id.pk, id.sk, seed);
            assert_int_equal(dkex_mldsa_check_private(p, f, pk, id.sk), DKEX_OK);
            assert_memory_equal(pk, id.pk, p->pk_len);
            assert_int_equal(dkex_mldsa_sign(p, f, sig, id.sk, mu, rnd), DKEX_OK);
            assert_true(verifies(p, f, id.pk, mu, sig));

            dkex_mldsa_expand_private(&private, p, f, id.sk);
            assert_int_equal(dkex_mldsa_sign_expanded(p, f, again, &private, mu, rnd), DKEX_OK);
            assert_memory_equal(again, sig, p->sig_len);
            dkex_mldsa_expand_public(&public, p, f, id.pk);
            assert_int_equal(dkex_mldsa_verify_expanded(p, f, &public, mu, sig), DKEX_OK);

            rnd[i % sizeof(rnd)] ^= 1;
            assert_int_equal(dkex_mldsa_sign(p, f, again, id.sk, mu, rnd), DKEX_OK);
            assert_memory_not_equal(again, sig, p->sig_len);
            mu[i % sizeof(mu)] ^= (uint8_t)(1 << i % 8);
            assert_false(verifies(p, f, id.pk, mu, sig));
            assert_int_equal(dkex_mldsa_verify_expanded(p, f, &public, mu, sig),
                             DKEX_ERR_SIGNATURE);
        }
    }
}

/*
 * One bit of every byte of the signature, hints and counts too, and of the public key. The key
 * enters mu: a t1 that is off by one alone often gives the same w1, and would pass.
 */
static void test_flipped_bits(void **state)
{
    struct test_rng rng = {33};

    (void)state;
    for (unsigned n = 0; n < SETS; n++) {
        const struct mldsa_params *p = sets[n];
        const struct mldsa_kernels *f = kernels();

        uint8_t mu[MLDSA_MU_BYTES], rnd[MLDSA_RND_BYTES] = {0}, sig[MLDSA_MAX_SIG_BYTES];
        struct identity id;

        generate(&id, p, f, 99);
        dkex_mldsa_mu(mu, id.tr, NULL, 0, rnd, sizeof(rnd));
        assert_int_equal(dkex_mldsa_sign(p, f, sig, id.sk, mu, rnd), DKEX_OK);
        for (size_t i = 0; i < p->sig_len; i++) {
            uint8_t bit = (uint8_t)(1u << test_rng_below(&rng, 8));

            sig[i] ^= bit;
            assert_false(verifies(p, f, id.pk, mu, sig));
            sig[i] ^= bit;
        }
        for (size_t i = 0; i < p->pk_len; i++) {
            uint8_t bit = (uint8_t)(1u << test_rng_below(&rng, 8));

            id.pk[i] ^= bit;
            dkex_mldsa_tr(p, id.tr, id.pk);
            dkex_mldsa_mu(mu, id.tr, NULL, 0, rnd, sizeof(rnd));
            assert_false(verifies(p, f, id.pk, mu, sig));
            id.pk[i] ^= bit;
        }
        dkex_mldsa_tr(p, id.tr, id.pk);
        dkex_mldsa_mu(mu, id.tr, NULL, 0, rnd, sizeof(rnd));
        assert_true(verifies(p, f, id.pk, mu, sig));
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_mu),
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_flipped_bits),
    };

    fixture_arguments(argc, argv);
    print_message("SplitMix64 seeds 31 to 33\n");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
