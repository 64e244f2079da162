/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SM3 (GB/T 32905-2016) of many short strings at once, one a lane. For the files sm3x_avx2.c and
 * sm3x_avx512.c alone, which define first
 *
 *     LANES                             lanes of a struct vec, of 32 bits each
 *     struct vec                        one word of every lane
 *     vec_set1(x), vec_load(p)          all lanes x; LANES words from p, any alignment
 *     vec_add(x, y), vec_rotl(x, n)     modulo 2^32; 0 < n < 32 a constant
 *     vec_xor(x, y), vec_xor3(x, y, z)  bitwise
 *     vec_majority(x, y, z)             bitwise; of three
 *     vec_choose(x, y, z)               bitwise x ? y : z
 *     vec_digests(out, state)           lane l's eight words, big-endian, to out + 32 l
 */
#ifndef DKEX_SM3X_SIMD_H
#define DKEX_SM3X_SIMD_H

#include <string.h>

#include "ct.h"
#include "sm3.h"
#include "sm3x.h"

#define SM3_ROTL(x, n) ((uint32_t)(x) << (n) % 32 | (uint32_t)(x) >> (32 - (n) % 32) % 32)

/* T_j <<< j of section 5.3, four at a time: 0x79cc4519 in the first 16 rounds, then 0x7a879d8a. */
#define SM3_T4(t, j) SM3_ROTL(t, j), SM3_ROTL(t, j + 1), SM3_ROTL(t, j + 2), SM3_ROTL(t, j + 3)
#define SM3_EARLY(j) SM3_T4(0x79cc4519, j)
#define SM3_LATE(j) SM3_T4(0x7a879d8a, j)
static const uint32_t round_constants[64] = {
    SM3_EARLY(0), SM3_EARLY(4), SM3_EARLY(8), SM3_EARLY(12), SM3_LATE(16), SM3_LATE(20),
    SM3_LATE(24), SM3_LATE(28), SM3_LATE(32), SM3_LATE(36),  SM3_LATE(40), SM3_LATE(44),
    SM3_LATE(48), SM3_LATE(52), SM3_LATE(56), SM3_LATE(60),
};

/* Section 4.1. */
static const uint32_t initial_state[8] = {
    0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e,
};

/*
 * One round of section 5.3.3. What it calls A and E afterwards stands in d and h, B and F in a and
 * e, and so on: the caller turns the names instead of moving words.
 */
static inline __attribute__((always_inline)) void
round_of(const struct vec *a, struct vec *b, const struct vec *c, struct vec *d,
         const struct vec *e, struct vec *f, const struct vec *g, struct vec *h, struct vec w,
         struct vec w4, uint32_t t, int early)
{
    struct vec a12 = vec_rotl(*a, 12);
    struct vec ss1 = vec_rotl(vec_add(vec_add(a12, *e), vec_set1(t)), 7);
    struct vec ss2 = vec_xor(ss1, a12);
    struct vec ff = early ? vec_xor3(*a, *b, *c) : vec_majority(*a, *b, *c);
    struct vec gg = early ? vec_xor3(*e, *f, *g) : vec_choose(*e, *f, *g);
    struct vec tt1 = vec_add(vec_add(ff, *d), vec_add(ss2, vec_xor(w, w4)));
    struct vec tt2 = vec_add(vec_add(gg, *h), vec_add(ss1, w));

    *b = vec_rotl(*b, 9);
    *d = tt1;
    *f = vec_rotl(*f, 19);
    *h = vec_xor3(tt2, vec_rotl(tt2, 9), vec_rotl(tt2, 17)); /* P0 */
}

/* W[j + 16] of section 5.3.2, in place of W[j]: w holds W[j..j+15] at indices modulo 16. */
static inline __attribute__((always_inline)) void expand_word(struct vec w[16], unsigned j)
{
    struct vec x = vec_xor3(w[j % 16], w[(j + 7) % 16], vec_rotl(w[(j + 13) % 16], 15));

    x = vec_xor3(x, vec_rotl(x, 15), vec_rotl(x, 23)); /* P1 */
    w[j % 16] = vec_xor3(x, vec_rotl(w[(j + 3) % 16], 7), w[(j + 10) % 16]);
}

/* Four rounds bring the names back to where they were. */
static inline __attribute__((always_inline)) void
four_rounds(struct vec s[8], struct vec w[16], const uint32_t *t, unsigned j, int early, int last)
{
    round_of(&s[0], &s[1], &s[2], &s[3], &s[4], &s[5], &s[6], &s[7], w[j], w[(j + 4) % 16], t[j],
             early);
    if (!last)
        expand_word(w, j);
    round_of(&s[3], &s[0], &s[1], &s[2], &s[7], &s[4], &s[5], &s[6], w[j + 1], w[(j + 5) % 16],
             t[j + 1], early);
    if (!last)
        expand_word(w, j + 1);
    round_of(&s[2], &s[3], &s[0], &s[1], &s[6], &s[7], &s[4], &s[5], w[j + 2], w[(j + 6) % 16],
             t[j + 2], early);
    if (!last)
        expand_word(w, j + 2);
    round_of(&s[1], &s[2], &s[3], &s[0], &s[5], &s[6], &s[7], &s[4], w[j + 3], w[(j + 7) % 16],
             t[j + 3], early);
    if (!last)
        expand_word(w, j + 3);
}

/* The last word that is used is W[67]: rounds 52 to 63 expand none. */
static inline __attribute__((always_inline)) void
sixteen_rounds(struct vec s[8], struct vec w[16], const uint32_t *t, int early, int last)
{
    four_rounds(s, w, t, 0, early, 0);
    four_rounds(s, w, t, 4, early, last);
    four_rounds(s, w, t, 8, early, last);
    four_rounds(s, w, t, 12, early, last);
}

/* The compression function CF: s = CF(s, w). w is used up. */
static void compress(struct vec state[8], struct vec w[16])
{
    struct vec s[8];

    memcpy(s, state, sizeof(s));
    sixteen_rounds(s, w, round_constants, 1, 0);
    sixteen_rounds(s, w, round_constants + 16, 0, 0);
    sixteen_rounds(s, w, round_constants + 32, 0, 0);
    sixteen_rounds(s, w, round_constants + 48, 0, 1);
    for (unsigned i = 0; i < 8; i++)
        state[i] = vec_xor(state[i], s[i]);
}

/* All that the lanes of one call share, and their work space. Secret if the seed is. */
struct expansion {
    struct vec state[8]; /* after the whole blocks of the seed */
    struct vec s[8], w[16];
    uint32_t block[16];      /* the last block; words tail_at and tail_at + 1 are the lanes' own */
    uint32_t tail[2][LANES]; /* these two words */
    uint8_t digests[LANES * SM3_BYTES];
    unsigned tail_at;
};

static uint32_t load_be32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* A seed of 64 bytes is a block, which is compressed once; one of 32 is half of the last block. */
static void absorb_seed(struct expansion *x, const uint8_t *seed, size_t seed_len,
                        size_t suffix_len)
{
    for (unsigned i = 0; i < 8; i++)
        x->state[i] = vec_set1(initial_state[i]);
    memset(x->block, 0, sizeof(x->block));
    for (unsigned i = 0; i < seed_len / 4; i++)
        x->block[i] = load_be32(seed + 4 * i);
    x->tail_at = (unsigned)(seed_len / 4 % 16);
    if (x->tail_at == 0) {
        for (unsigned i = 0; i < 16; i++)
            x->w[i] = vec_set1(x->block[i]);
        compress(x->state, x->w);
        memset(x->block, 0, sizeof(x->block));
    }
    x->block[15] = (uint32_t)(8 * (seed_len + suffix_len + 4)); /* the length in bits */
}

/* suffix || counter || 0x80, big-endian from the top: at most 7 bytes. */
static void set_tail(struct expansion *x, unsigned lane, const uint8_t *suffix, size_t suffix_len,
                     uint32_t counter)
{
    uint64_t tail = (uint64_t)counter << 8 | 0x80;

    for (size_t i = 0; i < suffix_len; i++)
        tail |= (uint64_t)suffix[i] << (8 * (4 + suffix_len - i));
    tail <<= 8 * (3 - suffix_len);
    x->tail[0][lane] = (uint32_t)(tail >> 32);
    x->tail[1][lane] = (uint32_t)tail;
}

static void digest_lanes(struct expansion *x, uint8_t *out)
{
    memcpy(x->s, x->state, sizeof(x->s));
    for (unsigned i = 0; i < 16; i++)
        x->w[i] = vec_set1(x->block[i]);
    x->w[x->tail_at] = vec_load(x->tail[0]);
    x->w[x->tail_at + 1] = vec_load(x->tail[1]);
    compress(x->s, x->w);
    vec_digests(out, x->s);
}

/* The lanes take the (string, counter) pairs in the order of the output. */
static enum dkex_status expand(struct dkex_sm3 *s, uint8_t *out, const uint8_t *seed,
                               size_t seed_len, const uint8_t *suffixes, size_t suffix_len,
                               size_t count, uint32_t first, size_t blocks)
{
    size_t left = count * blocks, string = 0, block = 0;
    struct expansion x;

    (void)s;
    absorb_seed(&x, seed, seed_len, suffix_len);
    memset(x.tail, 0, sizeof(x.tail));
    while (left > 0) {
        const unsigned lanes = left < LANES ? (unsigned)left : LANES;

        for (unsigned lane = 0; lane < lanes; lane++) {
            set_tail(&x, lane, suffixes + string * suffix_len, suffix_len, first + (uint32_t)block);
            if (++block == blocks) {
                block = 0;
                string++;
            }
        }
        digest_lanes(&x, lanes == LANES ? out : x.digests);
        if (lanes < LANES)
            memcpy(out, x.digests, lanes * SM3_BYTES);
        out += lanes * SM3_BYTES;
        left -= lanes;
    }
    dkex_cleanse(&x, sizeof(x));
    return DKEX_OK;
}

#endif
