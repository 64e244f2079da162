/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Constant-time helpers, and the marks of what is secret.
 *
 * DKEX_SECRET marks memory whose value must steer no branch, no address and no division.
 * DKEX_DECLASSIFY marks, with its reason beside it, a value that the algorithm makes public. Both
 * are free of cost unless DKEX_CT_CHECK is defined; then valgrind's memcheck follows them.
 */
#ifndef DKEX_CT_H
#define DKEX_CT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef DKEX_CT_CHECK
#include <valgrind/memcheck.h>
#define DKEX_SECRET(p, len) ((void)VALGRIND_MAKE_MEM_UNDEFINED((p), (len)))
#define DKEX_DECLASSIFY(p, len) ((void)VALGRIND_MAKE_MEM_DEFINED((p), (len)))
#else
#define DKEX_SECRET(p, len) ((void)(p), (void)(len))
#define DKEX_DECLASSIFY(p, len) ((void)(p), (void)(len))
#endif

/* The same value, with what the compiler knew of it forgotten: no branch is made of a mask. */
static inline uint32_t dkex_barrier_u32(uint32_t x)
{
    __asm__("" : "+r"(x));
    return x;
}

/* memset to zero that is not optimised away. len 0 is allowed. */
static inline void dkex_cleanse(void *p, size_t len)
{
    memset(p, 0, len);
    __asm__ volatile("" : : "r"(p) : "memory");
}

/*
 * Overwrites the stack below the caller's frame, where its callees have left spilled registers and
 * the lanes of permutations, which none of them can wipe after itself. To be called by a function
 * that owns secrets, after it has cleansed its own. 6 KiB are more than a sampler with its eight
 * lanes of Keccak, or libcrypto's SM3, takes below such a function; test_residue looks.
 */
static __attribute__((noinline, unused)) void dkex_burn_stack(void)
{
    uint8_t below[6 * 1024];

    dkex_cleanse(below, sizeof(below));
}

/* The same under the lattice core: packing, vectorised by the compiler, spills 4 KiB. */
static __attribute__((noinline, unused)) void dkex_burn_deep_stack(void)
{
    uint8_t below[8 * 1024];

    dkex_cleanse(below, sizeof(below));
}

/* 1 if the len bytes at a and b agree, else 0, in time that depends on len alone. */
static inline int dkex_equal(const uint8_t *a, const uint8_t *b, size_t len)
{
    uint32_t diff = 0;

    for (size_t i = 0; i < len; i++)
        diff |= (uint32_t)(a[i] ^ b[i]);
    return (int)((dkex_barrier_u32(diff) - 1) >> 31); /* diff < 256: bit 31 is the borrow */
}

#endif
