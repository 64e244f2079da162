/* SPDX-License-Identifier: Apache-2.0 */
#include "sample.h"

#include <stdalign.h>
#include <string.h>

#include "../ct.h"
#include "keccak.h"
#include "keccak_lanes.h"

enum {
    /* 840 bytes are 280 candidates below 2^23, of which 8191 in 2^23 are rejected: almost always
     * enough for the 256 coefficients. */
    A_BLOCKS = 5,
    /* 640 bytes at most. */
    MASK_BLOCKS = 5,
};

struct lanes {
    alignas(KECCAK_LANES_ALIGN) uint64_t state[KECCAK_WORDS * KECCAK_MAX_LANES];
};

static uint64_t load64(const uint8_t *p)
{
    uint64_t x = 0;

    for (unsigned i = 0; i < 8; i++)
        x |= (uint64_t)p[i] << (8 * i);
    return x;
}

static void store64(uint8_t *p, uint64_t x)
{
    for (unsigned i = 0; i < 8; i++)
        p[i] = (uint8_t)(x >> (8 * i));
}

static void xor_block(struct lanes *s, const struct keccak_lanes *keccak, unsigned lane,
                      const uint8_t block[SHAKE256_RATE])
{
    for (unsigned w = 0; w < SHAKE256_RATE / 8; w++)
        s->state[w * keccak->count + lane] ^= load64(block + (size_t)8 * w);
}

/*
 * Absorbs seed || nonce, two bytes, little-endian, in every lane, nonces from the array; lanes
 * beyond count repeat the first. seed_len is a multiple of 8, and all fits in a block.
 */
static void absorb(struct lanes *s, const struct keccak_lanes *keccak, unsigned rate,
                   const uint8_t *seed, size_t seed_len, const uint16_t *nonces, unsigned count)
{
    uint64_t *word = s->state;

    memset(s, 0, sizeof(*s));
    for (; seed_len > 0; seed += 8, seed_len -= 8, word += keccak->count) {
        for (unsigned lane = 0; lane < keccak->count; lane++)
            word[lane] = load64(seed);
    }
    for (unsigned lane = 0; lane < keccak->count; lane++) {
        /* SHAKE's suffix 1111 and the padding 10*1. */
        word[lane] = nonces[lane < count ? lane : 0] | UINT64_C(0x1f) << 16;
        s->state[(rate / 8 - 1) * keccak->count + lane] ^= UINT64_C(1) << 63;
    }
}

/* The next blocks of output: those of lane i to out + i * blocks * rate. */
static void squeeze(uint8_t *out, struct lanes *s, const struct keccak_lanes *keccak, unsigned rate,
                    unsigned blocks)
{
    for (unsigned b = 0; b < blocks; b++) {
        keccak->permute(s->state);
        keccak->extract(out + b * rate, (size_t)blocks * rate, s->state, rate / 8);
    }
}

/* Fills count <= lanes polynomials by rejection, from `blocks` blocks of each lane first and single
 * ones then. buf: room for the first. */
static void fill(struct mldsa_poly *r, unsigned count, struct lanes *s, uint8_t *buf,
                 const struct keccak_lanes *keccak, unsigned rate, unsigned blocks,
                 unsigned rejection(struct mldsa_poly *r, unsigned have, const uint8_t *buf,
                                    size_t len))
{
    unsigned have[KECCAK_MAX_LANES] = {0}, full;

    do {
        squeeze(buf, s, keccak, rate, blocks);
        full = 0;
        for (unsigned i = 0; i < count; i++) {
            if (have[i] < MLDSA_N)
                have[i] = rejection(&r[i], have[i], buf + (size_t)i * blocks * rate, blocks * rate);
            full += have[i] == MLDSA_N;
        }
        blocks = 1;
    } while (full < count);
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

void dkex_mldsa_expand_a(struct mldsa_poly *a, const struct mldsa_params *p,
                         const struct mldsa_kernels *f, const uint8_t *rho)
{
    const unsigned entries = p->k * p->l, lanes = f->keccak->count;
    uint8_t buf[KECCAK_MAX_LANES * A_BLOCKS * SHAKE128_RATE + MLDSA_SLACK_BYTES];
    struct lanes s;

    for (unsigned first = 0; first < entries; first += lanes) {
        const unsigned count = least(entries - first, lanes);
        uint16_t nonces[KECCAK_MAX_LANES] = {0};

        for (unsigned i = 0; i < count; i++) /* column, then row */
            nonces[i] = (uint16_t)((first + i) % p->l | (first + i) / p->l << 8);
        absorb(&s, f->keccak, SHAKE128_RATE, rho, 32, nonces, count);
        fill(a + first, count, &s, buf, f->keccak, SHAKE128_RATE, A_BLOCKS, f->rej_ntt);
    }
}

static void consecutive(uint16_t nonces[KECCAK_MAX_LANES], unsigned first)
{
    for (unsigned i = 0; i < KECCAK_MAX_LANES; i++)
        nonces[i] = (uint16_t)(first + i);
}

void dkex_mldsa_expand_s(struct mldsa_poly *s, const struct mldsa_kernels *f,
                         const uint8_t *rho_prime, unsigned count)
{
    const unsigned lanes = f->keccak->count;
    struct {
        struct lanes s;
        uint8_t buf[KECCAK_MAX_LANES * SHAKE256_RATE + MLDSA_SLACK_BYTES];
    } t;

    for (unsigned first = 0; first < count; first += lanes) {
        const unsigned n = least(count - first, lanes);
        uint16_t nonces[KECCAK_MAX_LANES];

        consecutive(nonces, first);
        absorb(&t.s, f->keccak, SHAKE256_RATE, rho_prime, 64, nonces, n);
        fill(s + first, n, &t.s, t.buf, f->keccak, SHAKE256_RATE, 1, f->rej_bounded);
    }
    dkex_cleanse(&t, sizeof(t));
    dkex_burn_stack();
}

void dkex_mldsa_expand_mask(struct mldsa_poly *y, uint8_t *scratch, const struct mldsa_kernels *f,
                            const uint8_t *rho_pp, uint16_t kappa, unsigned count,
                            unsigned gamma1_bits)
{
    const unsigned lanes = f->keccak->count;
    struct lanes s;

    for (unsigned first = 0; first < count; first += lanes) {
        const unsigned n = least(count - first, lanes);
        uint16_t nonces[KECCAK_MAX_LANES];

        consecutive(nonces, kappa + first);
        absorb(&s, f->keccak, SHAKE256_RATE, rho_pp, 64, nonces, n);
        squeeze(scratch, &s, f->keccak, SHAKE256_RATE, MASK_BLOCKS);
        for (unsigned i = 0; i < n; i++)
            f->unpack(&y[first + i], scratch + (size_t)i * MASK_BLOCKS * SHAKE256_RATE,
                      gamma1_bits + 1, 1 << gamma1_bits);
    }
    dkex_cleanse(&s, sizeof(s));
}

/* The permutations of several sponges are one; a single one goes without lanes. */
void dkex_mldsa_shake256_lanes(uint8_t *out, const uint8_t *in, size_t stride, size_t len,
                               const struct keccak_lanes *keccak, unsigned count)
{
    struct {
        struct lanes s;
        uint8_t last[SHAKE256_RATE];
    } t;

    if (count == 1) {
        dkex_shake256(out, SHAKE256_RATE, in, len);
        return;
    }
    memset(&t, 0, sizeof(t));
    for (; len >= SHAKE256_RATE; in += SHAKE256_RATE, len -= SHAKE256_RATE) {
        for (unsigned lane = 0; lane < count; lane++)
            xor_block(&t.s, keccak, lane, in + lane * stride);
        keccak->permute(t.s.state);
    }
    for (unsigned lane = 0; lane < count; lane++) {
        memset(t.last, 0, sizeof(t.last));
        memcpy(t.last, in + lane * stride, len);
        t.last[len] = 0x1f; /* SHAKE's suffix 1111 and the padding 10*1 */
        t.last[SHAKE256_RATE - 1] |= 0x80;
        xor_block(&t.s, keccak, lane, t.last);
    }
    keccak->permute(t.s.state);
    for (unsigned lane = 0; lane < count; lane++) {
        for (unsigned w = 0; w < SHAKE256_RATE / 8; w++)
            store64(out + lane * SHAKE256_RATE + (size_t)8 * w,
                    t.s.state[w * keccak->count + lane]);
    }
    dkex_cleanse(&t, sizeof(t));
}

/*
 * The algorithm swaps coefficients of an array; here the list of the powers of X is kept, and for
 * each place which entry of the list stands there.
 */
void dkex_mldsa_sample_in_ball(struct mldsa_challenge *c, const struct mldsa_params *p,
                               const uint8_t *ctilde)
{
    uint8_t block[SHAKE256_RATE], entry_at[MLDSA_N] = {0}; /* counted from 1; 0: none */
    struct keccak k;
    uint64_t signs = 0;
    unsigned pos = 8;

    dkex_keccak_init(&k, SHAKE256_RATE);
    dkex_keccak_absorb(&k, ctilde, p->ctilde_len);
    dkex_keccak_finish(&k);
    dkex_keccak_squeeze(&k, block, sizeof(block));
    for (unsigned i = 0; i < 8; i++)
        signs |= (uint64_t)block[i] << (8 * i);

    c->tau = p->tau;
    for (unsigned t = 0; t < p->tau; t++, signs >>= 1) {
        const unsigned i = MLDSA_N - p->tau + t;
        unsigned j, moved;

        do {
            if (pos == sizeof(block)) {
                dkex_keccak_squeeze(&k, block, sizeof(block));
                pos = 0;
            }
            j = block[pos++];
        } while (j > i);
        moved = entry_at[j];
        if (moved != 0) { /* c_i = c_j */
            c->exponent[moved - 1] = (uint16_t)(i | (c->exponent[moved - 1] & MLDSA_N));
            entry_at[i] = (uint8_t)moved;
        }
        c->exponent[t] = (uint16_t)(j | (signs & 1) * MLDSA_N); /* -X^j = X^(j + 256) */
        entry_at[j] = (uint8_t)(t + 1);
    }
}

void dkex_mldsa_challenge_poly(struct mldsa_poly *r, const struct mldsa_challenge *c)
{
    memset(r, 0, sizeof(*r));
    for (unsigned t = 0; t < c->tau; t++)
        r->c[c->exponent[t] % MLDSA_N] = c->exponent[t] < MLDSA_N ? 1 : -1;
}
