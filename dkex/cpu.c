/* SPDX-License-Identifier: Apache-2.0 */
#include "cpu.h"

#if defined(__x86_64__)
#include <cpuid.h>

/* Intel's manual, volume 2A, CPUID; volume 1, 13.3 (XCR0). */
enum {
    LEAF1_ECX_OSXSAVE = 1 << 27,
    LEAF7_EBX_AVX2 = 1 << 5,
    LEAF7_EBX_AVX512F = 1 << 16,
    LEAF7_EBX_AVX512DQ = 1 << 17,
    LEAF7_EBX_AVX512BW = 1 << 30,
    LEAF7_ECX_AVX512VBMI = 1 << 1,
    LEAF7_ECX_AVX512VBMI2 = 1 << 6,
    XCR0_YMM = 1 << 1 | 1 << 2,             /* SSE and AVX state */
    XCR0_ZMM = XCR0_YMM | 1 << 5 | 1 << 6 | /* opmask, upper halves of zmm0 to zmm15 */
               1 << 7,                      /* zmm16 to zmm31 */
};

#define LEAF7_EBX_AVX512VL (1u << 31)

static unsigned xcr0(void)
{
    unsigned low, high;

    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    (void)high;
    return low;
}

static int all(unsigned value, unsigned bits)
{
    return (value & bits) == bits;
}

int dkex_cpu_has(enum dkex_cpu_feature feature)
{
    unsigned eax, ebx, ecx, edx;
    int avx2;

    if (feature == DKEX_CPU_BASE)
        return 1;
    /* xgetbv is an illegal instruction where the system has not said OSXSAVE. */
    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !all(ecx, LEAF1_ECX_OSXSAVE) ||
        !__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx))
        return 0;
    avx2 = all(ebx, LEAF7_EBX_AVX2) && all(xcr0(), XCR0_YMM);
    if (feature == DKEX_CPU_AVX2)
        return avx2;
    return avx2 && all(xcr0(), XCR0_ZMM) &&
           all(ebx,
               LEAF7_EBX_AVX512F | LEAF7_EBX_AVX512DQ | LEAF7_EBX_AVX512BW | LEAF7_EBX_AVX512VL) &&
           all(ecx, LEAF7_ECX_AVX512VBMI | LEAF7_ECX_AVX512VBMI2);
}

#else

int dkex_cpu_has(enum dkex_cpu_feature feature)
{
    return feature == DKEX_CPU_BASE;
}

#endif
