/* SPDX-License-Identifier: Apache-2.0 */
/* dkex-evp-cost: what an exchange through EVP costs beyond the core and libcrypto's own share. */
#include "evp_cost.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "timing.h"

#define PROGRAM "dkex-evp-cost"

static const char usage[] =
    "usage: " PROGRAM " [--keys cold|warm] [--coins shared|fresh] [--set SET]... [--seconds N]\n"
    "\n"
    "Times, in turn so that noise hits all alike,\n"
    "  core       the five passes of an exchange through the core\n"
    "  evp        the same through EVP_PKEY_derive and the provider dkex\n"
    "  libcrypto  the calls about two derive contexts (new, init, set_peer, derive, free) with\n"
    "             keys of X25519, less its mathematics\n"
    "  random     the random bytes of an exchange, counted in both core and evp\n"
    "and reports means in thousands of ticks (of the time stamp counter, where there is one), and\n"
    "(evp - core - libcrypto) / evp in percent: the median, and the least and greatest of nine\n"
    "trials. Finds the provider where libcrypto does: set OPENSSL_MODULES.\n"
    "\n"
    "  --keys warm|cold      whether the core gets expanded keys (default: warm)\n"
    "  --coins shared|fresh  shared: both ways make the same exchange, coins given to the "
    "provider\n"
    "                        as test-entropy and signatures deterministic, so that they need the\n"
    "                        same number of attempts; fresh: all random, as users have it, which\n"
    "                        takes minutes for a percent (default: shared)\n"
    "  --set SET             parameter set (default: all)\n"
    "  --seconds N           measuring time of a set (default: 10)\n"
    "\n";

static const char *const coins_names[] = {"shared", "fresh", NULL};

struct options {
    enum speed_keys keys;
    int shared;
    int set[DKEX_SETS];
    double seconds;
};

enum { CORE, EVP, CONTEXTS, MATHEMATICS, RANDOM, LIBCRYPTO, OVERHEAD };
enum { PAIRS = 8, PAIR_USES = 8, MAX_SAMPLES = 1 << 16 };

/* A trial's state. */
struct trial {
    const struct options *o;
    const struct dkex_suite *suite;
    const EVP_MD *sm3;
    OSSL_LIB_CTX *lib;
    struct cost_pair pairs[PAIRS];
    struct cost_x25519 x25519;
    struct cost_coins coins;
    uint64_t exchanges, calls;
    int64_t libcrypto[MAX_SAMPLES], overhead[MAX_SAMPLES]; /* of the last exchanges */
    uint8_t core_secret[DKEX_MAX_SECRET_BYTES], evp_secret[DKEX_MAX_SECRET_BYTES];
};

static int prepare(void *state)
{
    struct trial *t = state;

    t->coins.shared = t->o->shared;
    for (size_t i = 0; i < PAIRS; i++) {
        if (cost_pair_make(&t->pairs[i], t->lib, t->suite, t->o->keys) != 0 ||
            !cost_evp_exchange(t->evp_secret, t->lib, &t->pairs[i], t->suite->params, &t->coins))
            return -1;
    }
    return cost_x25519_make(&t->x25519, t->lib);
}

/* A's secret, from the coins. 1 or 0. */
static int core_exchange(struct trial *t, const struct cost_pair *pair)
{
    struct speed_exchange x; /* not zeroed, which would cost: open prepares whatever is there */
    enum dkex_status status = DKEX_OK;

    x.suite = t->suite;
    x.sm3 = t->sm3;
    x.a.key = &pair->core.a;
    x.b.key = &pair->core.b;
    memcpy(x.a.coins, t->coins.a, sizeof(x.a.coins));
    memcpy(x.b.coins, t->coins.b, sizeof(x.b.coins));
    memcpy(x.a.rnd, t->coins.rnd_a, sizeof(x.a.rnd));
    memcpy(x.b.rnd, t->coins.rnd_b, sizeof(x.b.rnd));
    for (int op = SPEED_PASS1; op <= SPEED_DERIVE_B && status == DKEX_OK; op++)
        status = speed_step(&x, (enum speed_op)op);
    speed_exchange_close(&x);
    memcpy(t->core_secret, x.a.secret, sizeof(t->core_secret));
    return status == DKEX_OK;
}

static int one(struct trial *t, int series)
{
    const struct cost_pair *pair = &t->pairs[t->exchanges / PAIR_USES % PAIRS];

    switch (series) {
    case CORE:
        return core_exchange(t, pair);
    case EVP:
        return cost_evp_exchange(t->evp_secret, t->lib, pair, t->suite->params, &t->coins);
    case CONTEXTS:
        return cost_x25519_exchange(&t->x25519, t->lib);
    default:
        return cost_x25519_derive(&t->x25519);
    }
}

/*
 * On a stack at another place each time, for the reason that timing.c gives: two ways that are
 * compared must not each have one place of their own. 16 keeps the alignment; 61 is odd, so that
 * 256 calls go through a page.
 */
static int one_shifted(uint64_t *ticks, struct trial *t, int series)
{
    volatile char *shift = __builtin_alloca(16 * (1 + t->calls++ * 61 % 256));
    uint64_t begin;
    int ok;

    shift[0] = 0;
    begin = timing_ticks();
    ok = one(t, series);
    *ticks += timing_ticks() - begin;
    return ok;
}

static void keep(uint64_t *sums, struct trial *t, const uint64_t *spent)
{
    const size_t at = (size_t)(t->exchanges++ % MAX_SAMPLES);
    const uint64_t libcrypto = spent[CONTEXTS] - spent[MATHEMATICS];
    const uint64_t drawn = t->o->shared ? 0 : spent[RANDOM]; /* by the provider alone */
    const uint64_t overhead = spent[EVP] - spent[CORE] - drawn - libcrypto;

    for (int i = 0; i <= RANDOM; i++)
        sums[i] += spent[i];
    sums[LIBCRYPTO] += libcrypto;
    sums[OVERHEAD] += overhead;
    t->libcrypto[at] = (int64_t)libcrypto;
    t->overhead[at] = (int64_t)overhead;
}

/* The order changes from one iteration to the next: what comes before leaves its mark on caches. */
static int iterate(uint64_t *sums, void *state)
{
    struct trial *t = state;
    uint64_t spent[RANDOM + 1] = {0};
    uint64_t begin = timing_ticks();

    if (cost_draw(&t->coins, t->lib, t->suite->params) != 0)
        return -1;
    spent[RANDOM] = timing_ticks() - begin;
    if (t->o->shared) { /* signatures are deterministic */
        memset(t->coins.rnd_a, 0, sizeof(t->coins.rnd_a));
        memset(t->coins.rnd_b, 0, sizeof(t->coins.rnd_b));
    }
    for (unsigned i = 0; i < RANDOM; i++) {
        const int series = (int)((t->exchanges + i) % RANDOM);

        if (!one_shifted(&spent[series], t, series)) {
            fprintf(stderr, PROGRAM ": %s: an exchange failed\n", t->suite->params->name);
            return -1;
        }
    }
    if (t->o->shared && memcmp(t->core_secret, t->evp_secret, t->suite->params->n_len) != 0) {
        fprintf(stderr, PROGRAM ": %s: core and provider disagree\n", t->suite->params->name);
        return -1;
    }
    keep(sums, t, spent);
    return 0;
}

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Medians of differences within an exchange forget what else ran on the machine meanwhile. With
 * fresh coins the two ways have different signatures, and only means can be compared. */
static void finish(uint64_t *sums, void *state)
{
    struct trial *t = state;
    const size_t count = t->exchanges < MAX_SAMPLES ? (size_t)t->exchanges : MAX_SAMPLES;

    if (!t->o->shared)
        return;
    qsort(t->libcrypto, count, sizeof(t->libcrypto[0]), compare);
    qsort(t->overhead, count, sizeof(t->overhead[0]), compare);
    /* the first exchange is among the samples, but not among the sums */
    sums[LIBCRYPTO] = (uint64_t)t->libcrypto[count / 2] * (t->exchanges - 1);
    sums[OVERHEAD] = (uint64_t)t->overhead[count / 2] * (t->exchanges - 1);
}

struct figures {
    double core, evp, libcrypto, random, percent;
};

/* Differences may be negative: sums wrap. */
static double mean(const struct timing_trial *t, int series)
{
    return (double)(int64_t)t->sums[series] / (double)t->iterations / 1e3;
}

static struct figures of_trial(const struct timing_trial *t, int shared)
{
    struct figures f = {.random = mean(t, RANDOM), .libcrypto = mean(t, LIBCRYPTO)};

    f.core = mean(t, CORE) + f.random;
    f.evp = mean(t, EVP) + (shared ? f.random : 0);
    f.percent = mean(t, OVERHEAD) / f.evp * 100;
    return f;
}

static void report(const char *set, const struct timing_trial trials[TIMING_TRIALS], int shared)
{
    double core[TIMING_TRIALS], evp[TIMING_TRIALS], libcrypto[TIMING_TRIALS];
    double random[TIMING_TRIALS], percent[TIMING_TRIALS];
    uint64_t iterations = 0;
    double median;

    for (size_t i = 0; i < TIMING_TRIALS; i++) {
        struct figures f = of_trial(&trials[i], shared);

        core[i] = f.core;
        evp[i] = f.evp;
        libcrypto[i] = f.libcrypto;
        random[i] = f.random;
        percent[i] = f.percent;
        iterations += trials[i].iterations;
    }
    median = timing_median(percent); /* and sorted */
    printf("%-10s %10.2f %10.2f %10.2f %10.2f %10.2f %10.2f %10.2f %10llu\n", set,
           timing_median(core), timing_median(evp), timing_median(libcrypto), timing_median(random),
           median, percent[0], percent[TIMING_TRIALS - 1], (unsigned long long)iterations);
}

static int measure(const struct options *o, const struct dkex_params *params, OSSL_LIB_CTX *lib,
                   const EVP_MD *sm3)
{
    static struct trial state;
    struct timing_trial trials[TIMING_TRIALS];
    struct dkex_suite suite;
    const struct timing_job job = {
        .program = PROGRAM,
        .what = params->name,
        .prepare = prepare,
        .run = iterate,
        .finish = finish,
        .state = &state,
        .seconds = o->seconds,
        .min_iterations = 10,
    };

    if (dkex_suite_bind(&suite, params, "auto") != DKEX_OK)
        return -1;
    state = (struct trial){.o = o, .suite = &suite, .sm3 = sm3, .lib = lib};
    fflush(stdout); /* or each trial's process would hold a copy of it */
    if (timing_measure(trials, &job) != 0)
        return -1;
    report(params->name, trials, o->shared);
    return 0;
}

static int parse_keys(void *options, const char *word)
{
    int i = args_choice(PROGRAM, "kind of keys", speed_keys_names, word);

    ((struct options *)options)->keys = i == SPEED_COLD ? SPEED_COLD : SPEED_WARM;
    return i < 0 ? -1 : 0;
}

static int parse_coins(void *options, const char *word)
{
    int i = args_choice(PROGRAM, "kind of coins", coins_names, word);

    ((struct options *)options)->shared = i == 0;
    return i < 0 ? -1 : 0;
}

static int parse_set(void *options, const char *word)
{
    const struct dkex_params *p = dkex_params_find(word);

    if (p == NULL)
        return args_choice(PROGRAM, "set", args_sets(), word);
    ((struct options *)options)->set[p - dkex_params] = 1;
    return 0;
}

static int parse_seconds(void *options, const char *word)
{
    return args_seconds(&((struct options *)options)->seconds, PROGRAM, word);
}

int main(int argc, char **argv)
{
    static const struct args_option options[] = {{"--keys", parse_keys},
                                                 {"--coins", parse_coins},
                                                 {"--set", parse_set},
                                                 {"--seconds", parse_seconds}};
    static const struct args args = {PROGRAM, usage, NULL, options,
                                     sizeof(options) / sizeof(options[0])};
    struct options o = {.keys = SPEED_WARM, .shared = 1, .seconds = 10};
    int result = args_parse(&o, &args, argc, argv);
    OSSL_LIB_CTX *lib;
    EVP_MD *sm3;

    if (result != 0)
        return result < 0 ? ARGS_USAGE_ERROR : EXIT_SUCCESS;
    args_all_if_none(o.set, DKEX_SETS);
    if ((lib = cost_library()) == NULL)
        return EXIT_FAILURE;
    sm3 = EVP_MD_fetch(lib, "SM3", NULL);
    printf("%-10s %10s %10s %10s %10s %10s %10s %10s %10s\n", "set", "core", "evp", "libcrypto",
           "random", "percent", "least", "greatest", "iterations");
    for (size_t i = 0; i < DKEX_SETS && result == 0; i++) {
        if (o.set[i])
            result = measure(&o, &dkex_params[i], lib, sm3);
    }
    EVP_MD_free(sm3);
    OSSL_LIB_CTX_free(lib);
    return result == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
