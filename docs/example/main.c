/* SPDX-License-Identifier: Apache-2.0 */
/* dkex-handshake: the command line. The handshake itself is in session.c. */
#define _POSIX_C_SOURCE 200809L

#include <ctype.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "run.h"

enum { EXIT_USAGE = 2, DEFAULT_SET = 1, DEFAULT_TIMEOUT = 60, MAX_TIMEOUT = 86400 };

static const char usage[] =
    "usage: dkex-handshake [--set SET] [--show-secret]\n"
    "       dkex-handshake listen  [HOST:]PORT [options]\n"
    "       dkex-handshake connect [HOST:]PORT [options]\n"
    "\n"
    "Without listen or connect both parties run in this process, for every set unless --set names\n"
    "one. listen waits for one session as the responder, connect is the initiator; loopback\n"
    "unless a host is given, [HOST]:PORT for IPv6.\n"
    "\n"
    "  --set SET          DKEX-128, DKEX-256 (default) or DKEX-512, the same on both sides\n"
    "  --key FILE         the own identity, a private key in PEM; else a new one is made\n"
    "  --peer WHO         refuse any other peer: a fingerprint (SM3 of the public key), a file\n"
    "                     with a public key, or with a certificate that --CAfile verifies\n"
    "  --CAfile FILE      the authorities to trust, certificates in PEM\n"
    "  --timeout SECONDS  for the whole session, waiting for a peer included (default 60)\n"
    "  --show-secret      print the secret and not only its SM3\n"
    "  --help             show this text\n"
    "\n"
    "Exit status: 0 agreed, 1 failed, 2 wrong usage.\n";

static int read_timeout(unsigned *seconds, const char *word)
{
    char *end;
    unsigned long value = strtoul(word, &end, 10);

    if (!isdigit((unsigned char)word[0]) || *end != '\0' || value < 1 || value > MAX_TIMEOUT)
        return complain("--timeout %s: must be a number of seconds, 1 to %d", word, MAX_TIMEOUT);
    *seconds = (unsigned)value;
    return 1;
}

/* 1, 0 having complained, or -1 when the help text was asked for. */
static int read_options(struct options *o, int argc, char **argv)
{
    static const struct option longs[] = {
        {"CAfile", required_argument, NULL, 'c'},  {"key", required_argument, NULL, 'k'},
        {"help", no_argument, NULL, 'h'},          {"peer", required_argument, NULL, 'p'},
        {"set", required_argument, NULL, 's'},     {"show-secret", no_argument, NULL, 'x'},
        {"timeout", required_argument, NULL, 't'}, {NULL, 0, NULL, 0},
    };
    int option;

    while ((option = getopt_long(argc, argv, "h", longs, NULL)) != -1) {
        switch (option) {
        case 's':
            if ((o->set = set_find(optarg)) == NULL)
                return complain("--set %s: must be DKEX-128, DKEX-256 or DKEX-512", optarg);
            break;
        case 'c':
            o->cafile = optarg;
            break;
        case 'k':
            o->key = optarg;
            break;
        case 'p':
            o->peer = optarg;
            break;
        case 't':
            if (!read_timeout(&o->timeout, optarg))
                return 0;
            break;
        case 'x':
            o->show_secret = 1;
            break;
        case 'h':
            return -1;
        default:
            return 0; /* getopt has complained */
        }
    }
    return 1;
}

/* Whether the key types are there: what goes wrong first, and says least, when they are not. */
static int provider_is_loaded(void)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, sets[0].name, NULL);
    int loaded = ctx != NULL;

    EVP_PKEY_CTX_free(ctx);
    if (loaded)
        return 1;
    return complain("OpenSSL does not know %s: the provider dkex is not loaded.\n"
                    "Set OPENSSL_CONF to openssl.cnf.example and OPENSSL_MODULES to the folder of\n"
                    "dkex.so, and see whether `openssl list -providers` shows it.",
                    sets[0].name);
}

static int run_all(const struct options *o)
{
    /* At its first use the provider tests itself, which is not to be timed. */
    EVP_PKEY *first = session_new_identity(&sets[0]);
    int ok = first != NULL || complain_openssl(sets[0].name);

    EVP_PKEY_free(first);
    for (size_t i = 0; ok && i < SETS; i++) {
        if (o->set == NULL || o->set == &sets[i])
            ok = run_both(&sets[i], o->show_secret);
    }
    return ok;
}

/* A standard stream that is closed would lend its number to the socket, and output go there. */
static int fill_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) < 0)
            return 0;
    }
    return 1;
}

int main(int argc, char **argv)
{
    struct options o = {0};
    int understood = read_options(&o, argc, argv), words = argc - optind, ok;
    const char *command = words > 0 ? argv[optind] : NULL;

    if (!fill_standard_streams())
        return EXIT_FAILURE;
    setvbuf(stdout, NULL, _IOLBF, 0); /* in order with what goes to standard error */
    if (understood < 0) {
        fputs(usage, stdout);
        return EXIT_SUCCESS;
    }
    if (understood == 0)
        return EXIT_USAGE;
    if (words == 0
            ? o.peer != NULL || o.key != NULL || o.timeout != 0
            : words != 2 || (strcmp(command, "listen") != 0 && strcmp(command, "connect") != 0)) {
        fputs(usage, stderr);
        return EXIT_USAGE;
    }
    if (o.cafile != NULL && o.peer == NULL) {
        complain("--CAfile needs a --peer to verify");
        return EXIT_USAGE;
    }
    if (!provider_is_loaded())
        return EXIT_FAILURE;
    if (command == NULL) {
        ok = run_all(&o);
    } else {
        o.set = o.set != NULL ? o.set : &sets[DEFAULT_SET];
        o.timeout = o.timeout != 0 ? o.timeout : DEFAULT_TIMEOUT;
        ok = (command[0] == 'l' ? run_listen : run_connect)(&o, argv[optind + 1]);
    }
    if (fflush(stdout) != 0 || ferror(stdout))
        ok = complain("standard output: write error");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
