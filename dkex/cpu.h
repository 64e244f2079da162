/* SPDX-License-Identifier: Apache-2.0 */
/* What this processor and its operating system let a program use: the one probe. */
#ifndef DKEX_CPU_H
#define DKEX_CPU_H

/* Sets of instructions, as the vector files are compiled for. */
enum dkex_cpu_feature {
    DKEX_CPU_BASE = 0,
    DKEX_CPU_AVX2,   /* AVX2 */
    DKEX_CPU_AVX512, /* AVX2, AVX-512 F, BW, DQ, VL, VBMI and VBMI2 */
};

/*
 * Whether code for that set runs here: the instructions are there (CPUID) and the operating system
 * saves their registers (XCR0). Asks the processor at every call.
 */
int dkex_cpu_has(enum dkex_cpu_feature feature);

#endif
