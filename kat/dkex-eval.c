/* SPDX-License-Identifier: Apache-2.0 */
/* Answers one request a line, for comparison with another implementation. */
#define _POSIX_C_SOURCE 200809L

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

#include "cpu.h"
#include "eval.h"

enum { EXIT_USAGE = 2 };

static const struct verb *const verb_tables[] = {eval_primitive_verbs, eval_exchange_verbs};

const char *eval_decode(struct request *r, size_t i)
{
    const char *word = r->words[i];
    size_t cap = strlen(word) / 2 + 1;

    OPENSSL_clear_free(r->args[i].p, r->args[i].cap);
    r->args[i] = (struct bytes){.p = OPENSSL_zalloc(cap), .cap = cap};
    if (r->args[i].p == NULL)
        return "out of memory";
    if (strcmp(word, "-") == 0)
        return NULL;
    /* OPENSSL_hexstr2buf_ex with no separator: digits in pairs alone. */
    if (!OPENSSL_hexstr2buf_ex(r->args[i].p, cap, &r->args[i].len, word, '\0'))
        return "bad hexadecimal";
    return NULL;
}

const char *eval_decode_exact(struct request *r, size_t i, size_t len)
{
    const char *reason = eval_decode(r, i);

    return reason == NULL && r->args[i].len != len ? "wrong length" : reason;
}

const char *eval_suite(struct dkex_suite *suite, const struct request *r, size_t i)
{
    const struct dkex_params *p = dkex_params_find(r->words[i]);

    if (p == NULL)
        return "unknown set";
    return dkex_suite_bind(suite, p, r->cpu) == DKEX_OK ? NULL
                                                        : dkex_status_string(DKEX_ERR_UNAVAILABLE);
}

void eval_put_word(struct request *r, const char *word)
{
    fprintf(r->out, "%s%s", ftell(r->out) > 0 ? " " : "", word);
}

void eval_put(struct request *r, const uint8_t *data, size_t len)
{
    eval_put_word(r, len == 0 ? "-" : "");
    for (size_t i = 0; i < len; i++)
        fprintf(r->out, "%02x", data[i]);
}

static const struct verb *find_verb(const char *name)
{
    for (size_t t = 0; t < sizeof(verb_tables) / sizeof(verb_tables[0]); t++) {
        for (const struct verb *v = verb_tables[t]; v->name != NULL; v++) {
            if (strcmp(name, v->name) == 0)
                return v;
        }
    }
    return NULL;
}

/* Serves the words of a line, the verb first. NULL or the reason of the error. */
static const char *serve(struct request *r, char **words, size_t count)
{
    const struct verb *v = count > 0 ? find_verb(words[0]) : NULL;

    if (count == 0)
        return "empty line";
    if (v == NULL)
        return "unknown request";
    if (count - 1 < v->min_args || count - 1 > v->max_args)
        return "wrong number of words";
    r->words = words + 1;
    r->count = count - 1;
    return v->serve(r);
}

/* One line in, one line out. 0 if standard output is gone. */
static int answer(const char *cpu, const EVP_MD *sm3, char *line, size_t len)
{
    struct request r = {.cpu = cpu, .sm3 = sm3};
    char *words[EVAL_MAX_ARGS + 2], *rest = NULL, *text = NULL;
    const int whole = strlen(line) == len;
    size_t count = 0, text_len = 0;
    const char *reason = "out of memory";

    for (char *w = strtok_r(line, " \t\r\n", &rest); w != NULL && count < EVAL_MAX_ARGS + 2;
         w = strtok_r(NULL, " \t\r\n", &rest))
        words[count++] = w;
    if ((r.out = open_memstream(&text, &text_len)) != NULL) {
        reason = whole ? serve(&r, words, count) : "NUL character";
        if (fclose(r.out) != 0 && reason == NULL)
            reason = "out of memory";
    }
    if (reason != NULL)
        printf("error %s\n", reason);
    else
        printf("%s\n", text);
    for (size_t i = 0; i < EVAL_MAX_ARGS; i++)
        OPENSSL_clear_free(r.args[i].p, r.args[i].cap);
    if (text != NULL)
        OPENSSL_cleanse(text, text_len);
    free(text);
    return fflush(stdout) == 0;
}

static void print_usage(FILE *to)
{
    fputs("usage: dkex-eval [--cpu NAME]\n\n"
          "Reads one request a line and answers one line: results in hexadecimal, ok or bad, or\n"
          "\"error REASON\". An empty string is \"-\". --cpu: the kernels to run, of those below; "
          "auto,\nthe fastest, by default.\n\n",
          to);
    cpu_print_names(to);
    fputc('\n', to);
    for (size_t t = 0; t < sizeof(verb_tables) / sizeof(verb_tables[0]); t++) {
        for (const struct verb *v = verb_tables[t]; v->name != NULL; v++)
            fprintf(to, "  %s %s\n", v->name, v->help);
    }
    fputs("\nRND - means 32 zero bytes; CTX raw means that MSG is the formatted M' itself.\n", to);
}

int main(int argc, char **argv)
{
    static const struct option longs[] = {
        {"cpu", required_argument, NULL, 'c'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    const char *cpu = "auto";
    char *line = NULL;
    size_t cap = 0;
    EVP_MD *sm3;
    ssize_t len;
    int option, ok = 1;

    while ((option = getopt_long(argc, argv, "h", longs, NULL)) != -1) {
        if (option == 'c') {
            cpu = optarg;
        } else {
            print_usage(option == 'h' ? stdout : stderr);
            return option == 'h' ? 0 : EXIT_USAGE;
        }
    }
    if (optind != argc) {
        print_usage(stderr);
        return EXIT_USAGE;
    }
    if (!cpu_check("dkex-eval", cpu))
        return EXIT_USAGE;
    if ((sm3 = EVP_MD_fetch(NULL, "SM3", NULL)) == NULL) {
        fputs("dkex-eval: libcrypto has no SM3\n", stderr);
        return 1;
    }
    while (ok && (len = getline(&line, &cap, stdin)) >= 0)
        ok = answer(cpu, sm3, line, (size_t)len);
    if (line != NULL)
        OPENSSL_cleanse(line, cap);
    free(line);
    EVP_MD_free(sm3);
    return ok && feof(stdin) ? 0 : 1; /* getline also ends for want of memory */
}
