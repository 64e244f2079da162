/* SPDX-License-Identifier: Apache-2.0 */
#include "pack.h"

#include <string.h>

void dkex_mldsa_hint_bit_pack(uint8_t *out, const struct mldsa_params *p,
                              const uint8_t hints[][MLDSA_HINT_BYTES])
{
    unsigned count = 0;

    memset(out, 0, p->omega + p->k);
    for (unsigned i = 0; i < p->k; i++) {
        for (unsigned j = 0; j < MLDSA_N; j++) {
            if (hints[i][j / 8] >> (j % 8) & 1)
                out[count++] = (uint8_t)j;
        }
        out[p->omega + i] = (uint8_t)count;
    }
}

int dkex_mldsa_hint_bit_unpack(uint8_t hints[][MLDSA_HINT_BYTES], const struct mldsa_params *p,
                               const uint8_t *in)
{
    unsigned at = 0;

    memset(hints, 0, p->k * sizeof(hints[0]));
    for (unsigned i = 0; i < p->k; i++) {
        unsigned end = in[p->omega + i], first = at;

        if (end < at || end > p->omega)
            return 0;
        for (; at < end; at++) {
            if (at > first && in[at - 1] >= in[at])
                return 0;
            hints[i][in[at] / 8] |= (uint8_t)(1u << (in[at] % 8));
        }
    }
    for (; at < p->omega; at++) {
        if (in[at] != 0)
            return 0;
    }
    return 1;
}
