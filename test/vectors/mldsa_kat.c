/* SPDX-License-Identifier: Apache-2.0 */
/* Known answers: NIST's ACVP file of key generation, and a KAT file of deterministic signatures. */
#include "mldsa_vectors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common.h"

/* The key pair comes out of the seed, and the public key out of the private one. */
static void check_key_pair(const struct mldsa_params *p, const struct mldsa_kernels *f,
                           const uint8_t *seed, const struct vector_bytes *expected_pk,
                           const struct vector_bytes *expected_sk)
{
    uint8_t pk[DKEX_MAX_PUB_BYTES], sk[DKEX_MAX_PRIV_BYTES];

    assert_int_equal(expected_pk->len, p->pk_len);
    assert_int_equal(expected_sk->len, p->sk_len);
    dkex_mldsa_keygen(p, f, pk, sk, seed);
    assert_memory_equal(pk, expected_pk->data, p->pk_len);
    assert_memory_equal(sk, expected_sk->data, p->sk_len);

    memset(pk, 0, sizeof(pk));
    assert_int_equal(dkex_mldsa_check_private(p, f, pk, sk), DKEX_OK);
    assert_memory_equal(pk, expected_pk->data, p->pk_len);
}

static unsigned keygen_group(const struct mldsa_params *p, const struct mldsa_kernels *f,
                             const json_t *group)
{
    json_t *tests = vectors_array(group, "tests");

    for (size_t i = 0; i < json_array_size(tests); i++) {
        const json_t *test = json_array_get(tests, i);
        struct vector_bytes seed, pk, sk;

        vectors_bytes(&seed, test, "seed");
        vectors_bytes(&pk, test, "pk");
        vectors_bytes(&sk, test, "sk");
        assert_int_equal(seed.len, MLDSA_SEED_BYTES);
        check_key_pair(p, f, seed.data, &pk, &sk);
    }
    return (unsigned)json_array_size(tests);
}

void test_acvp_keygen(void **state)
{
    json_t *root = vectors_load(*state, "mldsa/ML-DSA-keyGen-internalProjection.json");
    json_t *groups = vectors_array(root, "testGroups");
    const struct mldsa_kernels *f;

    for (size_t b = 0; (f = mldsa_backend(b)) != NULL; b++) {
        unsigned count44 = 0, count87 = 0;

        for (size_t i = 0; i < json_array_size(groups); i++) {
            const json_t *group = json_array_get(groups, i);
            const char *set = vectors_string(group, "parameterSet");

            if (strcmp(set, dkex_mldsa44.name) == 0)
                count44 += keygen_group(&dkex_mldsa44, f, group);
            else if (strcmp(set, dkex_mldsa87.name) == 0)
                count87 += keygen_group(&dkex_mldsa87, f, group);
        }
        printf("ACVP keyGen: %u of ML-DSA-44, %u of ML-DSA-87\n", count44, count87);
        assert_true(count44 >= 25);
        assert_true(count87 >= 25);
    }
    json_decref(root);
}

struct record {
    struct vector_bytes xi, pk, sk, msg, sm, ctx;
};

/* The lines of a record in the order of the file; `out` is NULL for what isn't needed. */
static int read_field(FILE *f, const char *name, struct vector_bytes *out)
{
    static char line[2 * sizeof(((struct vector_bytes *)0)->data) + 64];
    size_t name_len = strlen(name);
    char *value;

    do {
        if (fgets(line, sizeof(line), f) == NULL)
            return 0;
    } while (line[0] == '\n');
    line[strcspn(line, "\r\n")] = '\0';
    value = line + name_len;
    if (strncmp(line, name, name_len) != 0 || strncmp(value, " =", 2) != 0)
        fail_msg("%s expected: %.40s", name, line);
    if (out != NULL)
        vectors_decode(out, value + 2 + (value[2] == ' '));
    return 1;
}

static int read_record(FILE *f, struct record *r)
{
    return read_field(f, "count", NULL) && read_field(f, "xi", &r->xi) &&
           read_field(f, "seed", NULL) && read_field(f, "pk", &r->pk) &&
           read_field(f, "sk", &r->sk) && read_field(f, "msg", &r->msg) &&
           read_field(f, "mlen", NULL) && read_field(f, "sm", &r->sm) &&
           read_field(f, "smlen", NULL) && read_field(f, "ctx", &r->ctx);
}

static void check_record(const struct mldsa_params *p, const struct mldsa_kernels *f,
                         const struct record *r)
{
    static const uint8_t rnd[MLDSA_RND_BYTES];
    uint8_t tr[MLDSA_TR_BYTES], mu[MLDSA_MU_BYTES], sig[MLDSA_MAX_SIG_BYTES];

    assert_int_equal(r->xi.len, MLDSA_SEED_BYTES);
    check_key_pair(p, f, r->xi.data, &r->pk, &r->sk);

    assert_int_equal(r->sm.len, p->sig_len + r->msg.len);
    assert_memory_equal(r->sm.data + p->sig_len, r->msg.data, r->msg.len);
    dkex_mldsa_tr(p, tr, r->pk.data);
    dkex_mldsa_mu(mu, tr, r->ctx.data, r->ctx.len, r->msg.data, r->msg.len);
    assert_int_equal(dkex_mldsa_sign(p, f, sig, r->sk.data, mu, rnd), DKEX_OK);
    assert_memory_equal(sig, r->sm.data, p->sig_len);
    assert_int_equal(dkex_mldsa_verify(p, f, r->pk.data, mu, r->sm.data), DKEX_OK);
}

void test_kat_44_deterministic(void **state)
{
    const struct mldsa_kernels *f;

    for (size_t b = 0; (f = mldsa_backend(b)) != NULL; b++) {
        FILE *file = vectors_open(*state, "mldsa/kat_MLDSA_44_det_pure.rsp");
        static struct record r;
        unsigned count = 0, with_context = 0;

        while (read_record(file, &r)) {
            check_record(&dkex_mldsa44, f, &r);
            count++;
            with_context += r.ctx.len > 0;
        }
        fclose(file);
        printf("deterministic KAT of ML-DSA-44: %u records, %u with context\n", count,
               with_context);
        assert_true(count >= 100);
        assert_true(with_context >= 100);
    }
}
