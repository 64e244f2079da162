/* SPDX-License-Identifier: Apache-2.0 */
#include "selftest.h"

#include <stdalign.h>
#include <string.h>

#include "mldsa/keccak.h"
#include "mldsa/mldsa.h"
#include "ring.h"
#include "sm3.h"
#include "sm3x.h"

static enum dkex_status compare(const uint8_t *computed, const uint8_t *expected, size_t len)
{
    return memcmp(computed, expected, len) == 0 ? DKEX_OK : DKEX_ERR_SELF_TEST;
}

static void absorb_poly(struct keccak *k, const struct dkex_ring *ring, const int16_t *r)
{
    uint8_t bytes[DKEX_POLY_MAX_BYTES];

    ring->pack_ntt(bytes, r);
    dkex_keccak_absorb(k, bytes, ring->n * ring->d_a / 8);
}

/* One pass over every kernel of the ring, from noise to the two parties' bits. */
static enum dkex_status test_ring(const struct dkex_suite *suite, const uint8_t *expected)
{
    const struct dkex_params *p = suite->params;
    const struct dkex_ring *ring = suite->ring;
    alignas(DKEX_ALIGN) int16_t a[2 * DKEX_MAX_N], b[2 * DKEX_MAX_N], r[DKEX_MAX_N];
    uint8_t stream[1008], bytes[DKEX_MAX_N * 11 / 8], raw[2][DKEX_MAX_N / 8];
    uint8_t answer[DKEX_ANSWER_BYTES];
    const unsigned n = p->n;
    struct keccak k;

    dkex_shake256(stream, sizeof(stream), (const uint8_t *)ring->name, strlen(ring->name));
    dkex_keccak_init(&k, SHAKE256_RATE);
    for (unsigned i = 0; i < 2; i++) {
        if (ring->uniform(a + i * n, 0, stream, sizeof(stream)) != n)
            return DKEX_ERR_SELF_TEST;
        ring->cbd(b + i * n, stream + i, 2 + i);
        ring->ntt(b + i * n);
    }
    ring->dot(r, a, b, 2);
    absorb_poly(&k, ring, r);
    ring->dot_intt(r, a, b, 2);
    ring->add(r, b);
    absorb_poly(&k, ring, r);
    ring->compress(bytes, r, p->d_b);
    dkex_keccak_absorb(&k, bytes, n * p->d_b / 8);
    ring->decompress(a, bytes, p->d_b);
    absorb_poly(&k, ring, a);
    ring->signal(bytes, raw[0], r, stream, p->signal_bits);
    ring->reconcile(raw[1], a, bytes, p->signal_bits);
    dkex_keccak_absorb(&k, bytes, n * p->signal_bits / 8);
    dkex_keccak_absorb(&k, raw[0], n / 8);
    dkex_keccak_absorb(&k, raw[1], n / 8);
    dkex_keccak_finish(&k);
    dkex_keccak_squeeze(&k, answer, sizeof(answer));
    return compare(answer, expected, sizeof(answer));
}

/* Key pair and deterministic signature from a fixed seed; the signature verifies, a damaged one
 * does not. */
static enum dkex_status test_mldsa(const struct dkex_suite *suite, const uint8_t *expected)
{
    static const uint8_t seed[MLDSA_SEED_BYTES] = {1}, mu[MLDSA_MU_BYTES] = {2}, rnd[32] = {0};
    const struct mldsa_params *p = suite->params->mldsa;
    uint8_t pk[DKEX_MAX_PUB_BYTES], sk[DKEX_MAX_PRIV_BYTES], sig[MLDSA_MAX_SIG_BYTES];
    uint8_t answer[DKEX_ANSWER_BYTES];
    struct keccak k;

    dkex_mldsa_keygen(p, suite->mldsa, pk, sk, seed);
    if (dkex_mldsa_sign(p, suite->mldsa, sig, sk, mu, rnd) != DKEX_OK ||
        dkex_mldsa_verify(p, suite->mldsa, pk, mu, sig) != DKEX_OK)
        return DKEX_ERR_SELF_TEST;
    dkex_keccak_init(&k, SHAKE256_RATE);
    dkex_keccak_absorb(&k, pk, p->pk_len);
    dkex_keccak_absorb(&k, sk, p->sk_len);
    dkex_keccak_absorb(&k, sig, p->sig_len);
    dkex_keccak_finish(&k);
    dkex_keccak_squeeze(&k, answer, sizeof(answer));
    sig[0] ^= 1;
    if (dkex_mldsa_verify(p, suite->mldsa, pk, mu, sig) == DKEX_OK)
        return DKEX_ERR_SELF_TEST;
    return compare(answer, expected, sizeof(answer));
}

enum dkex_status dkex_selftest_primitives(const struct dkex_suite suites[DKEX_SETS],
                                          const struct dkex_known_answers *expected)
{
    static const uint8_t abc[] = {'a', 'b', 'c'};
    uint8_t answer[DKEX_ANSWER_BYTES];
    enum dkex_status status;

    dkex_shake256(answer, sizeof(answer), abc, sizeof(abc));
    status = compare(answer, expected->shake, sizeof(answer));
    for (size_t set = 0; set < DKEX_SETS && status == DKEX_OK; set++)
        status = test_ring(&suites[set], expected->ring[set]);
    /* The first two sets have one ML-DSA each; the third has the second's. */
    for (size_t i = 0; i < 2 && status == DKEX_OK; i++)
        status = test_mldsa(&suites[i], expected->mldsa[i]);
    return status;
}

enum dkex_status dkex_selftest_sm3(const struct dkex_suite *suite, const struct evp_md_st *sm3,
                                   const struct dkex_known_answers *expected)
{
    static const uint8_t seed[SM3_BLOCK_BYTES] = {3}, suffixes[2][2] = {{0, 1}, {1, 0}};
    uint8_t blocks[2][2 * 3 * SM3_BYTES], reference[2 * 3 * SM3_BYTES], digest[SM3_BYTES],
        answer[DKEX_ANSWER_BYTES];
    enum dkex_status status;
    struct dkex_sm3 s;

    if ((status = dkex_sm3_open(&s, sm3)) != DKEX_OK)
        return status;
    if ((status = dkex_sm3_init(&s)) != DKEX_OK ||
        (status = dkex_sm3_update(&s, "abc", 3)) != DKEX_OK ||
        (status = dkex_sm3_final(&s, digest)) != DKEX_OK ||
        (status = compare(digest, expected->sm3, sizeof(digest))) != DKEX_OK)
        goto out;
    for (size_t i = 0; i < 2 && status == DKEX_OK; i++)
        status =
            suite->sm3x->expand(&s, blocks[i], seed, (i + 1) * SM3_BYTES, suffixes[0], 2, 2, 1, 3);
    /* The lanes of the kernels against libcrypto itself. */
    if (status == DKEX_OK)
        status = dkex_sm3x_portable.expand(&s, reference, seed, SM3_BLOCK_BYTES, suffixes[0], 2, 2,
                                           1, 3);
    if (status == DKEX_OK)
        status = compare(blocks[1], reference, sizeof(reference));
    if (status == DKEX_OK) {
        dkex_shake256(answer, sizeof(answer), blocks[0], sizeof(blocks));
        status = compare(answer, expected->sm3x, sizeof(answer));
    }
out:
    dkex_sm3_close(&s);
    return status;
}
