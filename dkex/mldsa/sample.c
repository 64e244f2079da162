/* SPDX-License-Identifier: Apache-2.0 */
#include "sample.h"

#include <string.h>

#include "../ct.h"
#include "keccak.h"
#include "pack.h"

void dkex_mldsa_rej_ntt_poly(struct mldsa_poly *a, const uint8_t *rho, uint8_t s, uint8_t r)
{
    const uint8_t indices[2] = {s, r};
    uint8_t block[SHAKE128_RATE]; /* 56 candidates: the rate is a multiple of 3 */
    struct keccak k;
    unsigned have = 0;

    dkex_keccak_init(&k, SHAKE128_RATE);
    dkex_keccak_absorb(&k, rho, 32);
    dkex_keccak_absorb(&k, indices, sizeof(indices));
    dkex_keccak_finish(&k);
    while (have < MLDSA_N) {
        dkex_keccak_squeeze(&k, block, sizeof(block));
        for (size_t i = 0; i < sizeof(block) && have < MLDSA_N; i += 3) {
            int32_t x = block[i] | block[i + 1] << 8 | (block[i + 2] & 0x7f) << 16;

            if (x < MLDSA_Q)
                a->c[have++] = x;
        }
    }
}

/*
 * 2 - (z mod 5) for z < 15, without a division: floor(z / 5) = 205 z >> 10, since 205 * 5 = 1025
 * and z < 1024 / 5.
 */
static int32_t bounded(uint32_t z)
{
    return 2 - (int32_t)(z - (205 * z >> 10) * 5);
}

void dkex_mldsa_rej_bounded_poly(struct mldsa_poly *s, const uint8_t *rho_prime, uint16_t nonce)
{
    const uint8_t index[2] = {(uint8_t)nonce, (uint8_t)(nonce >> 8)};
    struct {
        struct keccak k;
        uint8_t block[SHAKE256_RATE];
    } t;
    unsigned have = 0;

    dkex_keccak_init(&t.k, SHAKE256_RATE);
    dkex_keccak_absorb(&t.k, rho_prime, 64);
    dkex_keccak_absorb(&t.k, index, sizeof(index));
    dkex_keccak_finish(&t.k);
    while (have < MLDSA_N) {
        dkex_keccak_squeeze(&t.k, t.block, sizeof(t.block));
        for (size_t i = 0; i < 2 * sizeof(t.block) && have < MLDSA_N; i++) {
            uint32_t z = t.block[i / 2] >> (4 * (i & 1)) & 15;
            int rejected = z == 15;

            /* Nibbles are independent: which ones are 15 says nothing of the rest, the secret. */
            DKEX_DECLASSIFY(&rejected, sizeof(rejected));
            if (!rejected)
                s->c[have++] = bounded(z);
        }
    }
    dkex_cleanse(&t, sizeof(t));
}

void dkex_mldsa_mask_poly(struct mldsa_poly *y, const uint8_t *rho_pp, uint16_t nonce,
                          unsigned gamma1_bits)
{
    const uint8_t index[2] = {(uint8_t)nonce, (uint8_t)(nonce >> 8)};
    const unsigned width = gamma1_bits + 1;
    struct {
        struct keccak k;
        uint8_t bytes[MLDSA_MAX_Z_BYTES];
    } t;

    dkex_keccak_init(&t.k, SHAKE256_RATE);
    dkex_keccak_absorb(&t.k, rho_pp, 64);
    dkex_keccak_absorb(&t.k, index, sizeof(index));
    dkex_keccak_finish(&t.k);
    dkex_keccak_squeeze(&t.k, t.bytes, 32 * (size_t)width);
    dkex_mldsa_unpack_z(y, t.bytes, gamma1_bits);
    dkex_cleanse(&t, sizeof(t));
}

void dkex_mldsa_sample_in_ball(struct mldsa_poly *c, const struct mldsa_params *p,
                               const uint8_t *ctilde)
{
    uint8_t block[SHAKE256_RATE];
    struct keccak k;
    uint64_t signs = 0;
    unsigned pos = 8;

    dkex_keccak_init(&k, SHAKE256_RATE);
    dkex_keccak_absorb(&k, ctilde, p->ctilde_len);
    dkex_keccak_finish(&k);
    dkex_keccak_squeeze(&k, block, sizeof(block));
    for (unsigned i = 0; i < 8; i++)
        signs |= (uint64_t)block[i] << (8 * i);

    memset(c, 0, sizeof(*c));
    for (unsigned i = MLDSA_N - p->tau; i < MLDSA_N; i++) {
        unsigned j;

        do {
            if (pos == sizeof(block)) {
                dkex_keccak_squeeze(&k, block, sizeof(block));
                pos = 0;
            }
            j = block[pos++];
        } while (j > i);
        c->c[i] = c->c[j];
        c->c[j] = 1 - 2 * (int32_t)(signs & 1);
        signs >>= 1;
    }
}
