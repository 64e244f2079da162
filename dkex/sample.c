/* SPDX-License-Identifier: Apache-2.0 */
#include "sample.h"

#include "ct.h"
#include "ring.h"
#include "sm3.h"
#include "sm3x.h"

enum {
    PIECE_BYTES = 168, /* a later piece of the stream, of either ring */
    /* First pieces. d_a = 12: of 512 bytes whole groups of 3 are used, 340 candidates, of which
     * 276 +- 7 are accepted and 256 needed. d_a = 13: 1008 bytes, as the algorithm says. */
    FIRST_BYTES_12 = 510,
    FIRST_BYTES_13 = 1008,
    MAX_FIRST_BLOCKS = (FIRST_BYTES_13 + SM3_BYTES - 1) / SM3_BYTES,
    MAX_ENTRIES = DKEX_MAX_K * DKEX_MAX_K,
    MAX_POLYS = 2 * DKEX_MAX_K + 1,
    MAX_NOISE_BYTES = 2 * 3 * DKEX_MAX_N / 8,
};

/* Reads further pieces of string `suffix`, from byte `pos` of its stream, until r is full. */
static enum dkex_status refill(const struct dkex_suite *suite, struct dkex_sm3 *s, int16_t *r,
                               unsigned have, const uint8_t *rho, const uint8_t suffix[2],
                               size_t pos)
{
    uint8_t buf[(PIECE_BYTES / SM3_BYTES + 2) * SM3_BYTES];

    while (have < suite->params->n) {
        size_t block = pos / SM3_BYTES, skip = pos % SM3_BYTES;
        size_t blocks = (skip + PIECE_BYTES + SM3_BYTES - 1) / SM3_BYTES;
        enum dkex_status status = suite->sm3x->expand(s, buf, rho, suite->params->seed_len, suffix,
                                                      2, 1, (uint32_t)block + 1, blocks);

        if (status != DKEX_OK)
            return status;
        have = suite->ring->uniform(r, have, buf + skip, PIECE_BYTES);
        pos += PIECE_BYTES;
    }
    return DKEX_OK;
}

enum dkex_status dkex_sample_matrix(const struct dkex_suite *suite, struct dkex_sm3 *s,
                                    int16_t *mat, const uint8_t *rho, int transposed)
{
    const struct dkex_params *p = suite->params;
    const size_t first = p->d_a == 12 ? FIRST_BYTES_12 : FIRST_BYTES_13;
    const size_t blocks = (first + SM3_BYTES - 1) / SM3_BYTES;
    uint8_t stream[MAX_ENTRIES * MAX_FIRST_BLOCKS * SM3_BYTES];
    uint8_t suffixes[MAX_ENTRIES][2] = {{0}};
    const unsigned entries = p->k * p->k;
    enum dkex_status status;

    for (unsigned e = 0; e < entries; e++) {
        unsigned i = e / p->k, j = e % p->k;

        suffixes[e][0] = (uint8_t)(transposed ? i : j);
        suffixes[e][1] = (uint8_t)(transposed ? j : i);
    }
    status = suite->sm3x->expand(s, stream, rho, p->seed_len, suffixes[0], 2, entries, 1, blocks);

    for (unsigned e = 0; e < entries && status == DKEX_OK; e++) {
        int16_t *r = mat + e * p->n;
        unsigned have = suite->ring->uniform(r, 0, stream + e * blocks * SM3_BYTES, first);

        if (have < p->n)
            status = refill(suite, s, r, have, rho, suffixes[e], first);
    }
    return status;
}

enum dkex_status dkex_sample_noise(const struct dkex_suite *suite, struct dkex_sm3 *s, int16_t *r,
                                   const uint8_t *sigma, unsigned count)
{
    const struct dkex_params *p = suite->params;
    const size_t len = 2 * p->eta * p->n / 8; /* a multiple of SM3_BYTES for every set */
    uint8_t stream[MAX_POLYS * MAX_NOISE_BYTES];
    uint8_t nonces[MAX_POLYS] = {0};
    enum dkex_status status;

    for (unsigned i = 0; i < count; i++)
        nonces[i] = (uint8_t)i;
    status =
        suite->sm3x->expand(s, stream, sigma, p->seed_len, nonces, 1, count, 1, len / SM3_BYTES);
    for (unsigned i = 0; i < count && status == DKEX_OK; i++)
        suite->ring->cbd(r + i * p->n, stream + i * len, p->eta);
    dkex_cleanse(stream, sizeof(stream));
    dkex_burn_stack();
    return status;
}
