/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the official vector files of DKEX, or compares every field with known digests. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include <openssl/evp.h>

#include "cpu.h"
#include "vectors.h"

enum { EXIT_USAGE = 2 };

static const char usage[] =
    "usage: dkex-kat [--cpu NAME] [-o DIR] [--check FILE] [SET...]\n"
    "\n"
    "  -o, --output DIR  write KAT_KEX_DKEX-128.txt and so on into the folder DIR\n"
    "      --check FILE  compare every field with the digests in FILE (kat/digests.txt) and name\n"
    "                    the first that departs\n"
    "      --cpu NAME    the kernels to run, of those below; auto, the fastest, by default\n"
    "  -h, --help        show this text\n"
    "\n"
    "At least one of -o and --check. SET is 128 or DKEX-128 and so on; all three by default.\n"
    "Exit status: 0, 1 for a departure or an error, 2 for wrong usage.\n\n";

struct options {
    const char *cpu, *dir, *check;
};

static FILE *open_file(const char *path, const char *mode)
{
    FILE *f = fopen(path, mode);

    if (f == NULL)
        fprintf(stderr, "dkex-kat: %s: %s\n", path, strerror(errno));
    return f;
}

static int run_set(const struct options *o, const struct dkex_suite *suite, const EVP_MD *sm3)
{
    enum kat_result result = KAT_ERROR;
    FILE *out = NULL, *expected = NULL;
    char path[4096];

    if (o->dir != NULL && (size_t)snprintf(path, sizeof(path), "%s/KAT_KEX_%s.txt", o->dir,
                                           suite->params->name) >= sizeof(path)) {
        fprintf(stderr, "dkex-kat: %s: name too long\n", o->dir);
        return 1;
    }
    /* The digests first: without them no vector file is begun. */
    if ((o->check == NULL || (expected = open_file(o->check, "r")) != NULL) &&
        (o->dir == NULL || (out = open_file(path, "w")) != NULL))
        result = kat_vectors(suite, sm3, out, expected);

    if (expected != NULL)
        fclose(expected);
    if (out != NULL && fclose(out) != 0) {
        fprintf(stderr, "dkex-kat: %s: %s\n", path, strerror(errno));
        result = KAT_ERROR;
    }
    if (result == KAT_OK)
        printf("%s%s%s%s\n", suite->params->name, o->check != NULL ? " agrees" : "",
               o->dir != NULL ? " written to " : "", o->dir != NULL ? path : "");
    return result != KAT_OK;
}

/* Runs the sets that words name, or all of them. */
static int run(const struct options *o, char **words, const EVP_MD *sm3)
{
    const struct dkex_params *sets[DKEX_SETS];
    struct dkex_suite suite;
    const int all = *words == NULL;
    size_t count = 0;
    int failed = 0;

    for (; *words != NULL; words++) {
        if (count == DKEX_SETS || (sets[count++] = dkex_params_find(*words)) == NULL) {
            fprintf(stderr, "dkex-kat: %s: name each of DKEX-128, DKEX-256, DKEX-512 once\n",
                    *words);
            return EXIT_USAGE;
        }
    }
    for (; all && count < DKEX_SETS; count++)
        sets[count] = &dkex_params[count];
    for (size_t i = 0; i < count; i++) {
        if (dkex_suite_bind(&suite, sets[i], o->cpu) != DKEX_OK) {
            fprintf(stderr, "dkex-kat: %s: %s\n", o->cpu, dkex_status_string(DKEX_ERR_UNAVAILABLE));
            return EXIT_USAGE;
        }
        failed |= run_set(o, &suite, sm3);
    }
    return failed;
}

int main(int argc, char **argv)
{
    static const struct option longs[] = {
        {"check", required_argument, NULL, 'k'},
        {"cpu", required_argument, NULL, 'c'},
        {"help", no_argument, NULL, 'h'},
        {"output", required_argument, NULL, 'o'},
        {NULL, 0, NULL, 0},
    };
    struct options o = {.cpu = "auto"};
    EVP_MD *sm3;
    int option, result;

    while ((option = getopt_long(argc, argv, "ho:", longs, NULL)) != -1) {
        switch (option) {
        case 'c':
            o.cpu = optarg;
            break;
        case 'k':
            o.check = optarg;
            break;
        case 'o':
            o.dir = optarg;
            break;
        case 'h':
            fputs(usage, stdout);
            cpu_print_names(stdout);
            return 0;
        default:
            fputs(usage, stderr);
            return EXIT_USAGE;
        }
    }
    if ((o.dir == NULL && o.check == NULL) || (o.dir != NULL && *o.dir == '\0')) {
        fputs(usage, stderr);
        return EXIT_USAGE;
    }
    if (!cpu_check("dkex-kat", o.cpu))
        return EXIT_USAGE;
    if ((sm3 = EVP_MD_fetch(NULL, "SM3", NULL)) == NULL) {
        fputs("dkex-kat: libcrypto has no SM3\n", stderr);
        return 1;
    }
    result = run(&o, argv + optind, sm3);
    EVP_MD_free(sm3);
    return result;
}
