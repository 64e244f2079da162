/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Known answers of the core's own primitives and of SM3, small enough to be asked at every start.
 * Expected values are arguments so that a test can show each of them to matter.
 */
#ifndef DKEX_SELFTEST_H
#define DKEX_SELFTEST_H

#include "suite.h"

enum { DKEX_ANSWER_BYTES = 16 };

/* First bytes of SHAKE256 over what selftest.c computes from fixed input. */
struct dkex_known_answers {
    uint8_t shake[DKEX_ANSWER_BYTES];           /* SHAKE256 itself */
    uint8_t ring[DKEX_SETS][DKEX_ANSWER_BYTES]; /* every kernel, as the set uses them */
    uint8_t mldsa[2][DKEX_ANSWER_BYTES];        /* key pair and signature, ML-DSA-44 and -87 */
    uint8_t sm3[32];                            /* SM3("abc"), GB/T 32905 A.1 */
    uint8_t sm3x[DKEX_ANSWER_BYTES];            /* counter mode, both seed lengths */
};

extern const struct dkex_known_answers dkex_known_answers;

/* Keccak, the rings as all sets use them, and either ML-DSA, each once. suites: those of the sets,
 * in the order of dkex_params, of one backend. OK or SELF_TEST. */
DKEX_MUST_CHECK enum dkex_status
dkex_selftest_primitives(const struct dkex_suite suites[DKEX_SETS],
                         const struct dkex_known_answers *expected);

/* libcrypto's SM3 and the suite's expansion over it. OK, SELF_TEST, or SM3. */
DKEX_MUST_CHECK enum dkex_status dkex_selftest_sm3(const struct dkex_suite *suite,
                                                   const struct evp_md_st *sm3,
                                                   const struct dkex_known_answers *expected);

#endif
