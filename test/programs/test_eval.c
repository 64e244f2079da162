/* SPDX-License-Identifier: Apache-2.0 */
/* dkex-eval over a pipe: every verb, and every way to ask wrongly. */
#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const char *eval_path, *cpu;
static FILE *to, *from;
static pid_t child;

static int start(void **state)
{
    int in[2], out[2];

    (void)state;
    assert_int_equal(pipe(in), 0);
    assert_int_equal(pipe(out), 0);
    if ((child = fork()) == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        close(in[1]);
        close(out[0]);
        execl(eval_path, eval_path, "--cpu", cpu, (char *)NULL);
        _exit(127);
    }
    assert_true(child > 0);
    close(in[0]);
    close(out[1]);
    to = fdopen(in[1], "w");
    from = fdopen(out[0], "r");
    return to == NULL || from == NULL;
}

static int finish(void **state)
{
    int status;

    (void)state;
    fclose(to);
    fclose(from);
    return waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

/* The answer to a request of len characters, to be freed. */
static char *ask_bytes(const char *request, size_t len)
{
    char *line = NULL;
    size_t cap = 0;

    assert_int_equal(fwrite(request, 1, len, to), len);
    assert_int_equal(fputc('\n', to), '\n');
    assert_int_equal(fflush(to), 0);
    assert_true(getline(&line, &cap, from) > 0);
    line[strcspn(line, "\n")] = '\0';
    return line;
}

__attribute__((format(printf, 1, 2))) static char *ask(const char *format, ...)
{
    char *request, *answer;
    va_list args;
    size_t len;
    FILE *f;

    va_start(args, format);
    f = open_memstream(&request, &len);
    assert_non_null(f);
    vfprintf(f, format, args);
    fclose(f);
    va_end(args);
    answer = ask_bytes(request, len);
    free(request);
    return answer;
}

/* Word i of an answer, cut off by its successor. */
static char *word(char *answer, size_t i)
{
    char *rest = NULL, *w = strtok_r(answer, " ", &rest);

    for (; i > 0 && w != NULL; i--)
        w = strtok_r(NULL, " ", &rest);
    assert_non_null(w);
    return w;
}

static void assert_answer(char *answer, const char *expected)
{
    assert_string_equal(answer, expected);
    free(answer);
}

/* The same, with the expected answer printed from its words. */
__attribute__((format(printf, 2, 3))) static void assert_words(char *answer, const char *format,
                                                               ...)
{
    char *expected;
    va_list args;
    size_t len;
    FILE *f = open_memstream(&expected, &len);

    assert_non_null(f);
    va_start(args, format);
    vfprintf(f, format, args);
    va_end(args);
    fclose(f);
    assert_answer(answer, expected);
    free(expected);
}

static void assert_error(char *answer)
{
    if (strncmp(answer, "error ", 6) != 0)
        fail_msg("no error: %.80s", answer);
    free(answer);
}

enum { SEED_CHARS = 64 };

static const char seed_a[] = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
static const char seed_b[] = "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f";

static void test_hashes(void **state)
{
    char *answer, *first, *second;

    (void)state;
    assert_answer(ask("sm3 - 616263"),
                  "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0");
    assert_answer(ask("sm3 - -"),
                  "1ab21d8355cfa17f8e61194831e81a8f22bec8c728fefb747ed035eb5082aa2b");
    assert_answer(ask("xof - 0 616263"), "-");
    /* SM3 of 61 62 63 and the counters 1 and 2, the second cut to two bytes. */
    answer = ask("xof - 34 616263");
    first = ask("sm3 - 61626300000001");
    second = ask("sm3 - 61626300000002");
    assert_int_equal(strlen(answer), 68);
    assert_memory_equal(answer, first, 64);
    assert_memory_equal(answer + 64, second, 4);
    free(answer);
    free(first);
    free(second);
    answer = ask("xof - 1048576 -"); /* the longest */
    assert_int_equal(strlen(answer), 2 << 20);
    free(answer);
    assert_answer(ask("  sm3\t-  616263 \r"),
                  "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0");
}

static void test_mldsa(void **state)
{
    static const char *const set_names[] = {"44", "87"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const char *set = set_names[i];
        char *keys = ask("mldsa-keygen %s %s", set, seed_a), *pk = strdup(keys), *sk, *sig, *raw;

        sk = strdup(word(keys, 1));
        word(pk, 0);
        sig = ask("mldsa-sign %s %s 01 0203 -", set, sk);
        assert_answer(ask("mldsa-verify %s %s 01 0203 %s", set, pk, sig), "ok");
        assert_answer(ask("mldsa-verify %s %s 02 0203 %s", set, pk, sig), "bad");
        assert_answer(ask("mldsa-verify %s %s raw 0001010203 %s", set, pk, sig), "ok");
        raw = ask("mldsa-sign %s %s raw 0001010203 %064d", set, sk, 0);
        assert_string_equal(raw, sig);
        assert_answer(ask("mldsa-check %s %s", set, sk), "ok");
        /* Wrong lengths: bad here, errors elsewhere. */
        assert_answer(ask("mldsa-check %s %s00", set, sk), "bad");
        assert_answer(ask("mldsa-check %s -", set), "bad");
        assert_answer(ask("mldsa-verify %s %s 01 0203 %s00", set, pk, sig), "bad");
        assert_answer(ask("mldsa-verify %s - 01 0203 %s", set, sig), "bad");
        assert_answer(ask("mldsa-verify %s %s %0512d 0203 %s", set, pk, 0, sig), "bad");
        assert_error(ask("mldsa-sign %s %s00 01 0203 -", set, sk));
        assert_error(ask("mldsa-sign %s %s %0512d 0203 -", set, sk, 0));
        assert_error(ask("mldsa-sign %s %s 01 0203 00", set, sk));
        sk[2 * 128] = 'f'; /* a coefficient of s1 out of range */
        sk[2 * 128 + 1] = 'f';
        assert_answer(ask("mldsa-check %s %s", set, sk), "bad");
        assert_error(ask("mldsa-sign %s %s 01 0203 -", set, sk));
        free(keys);
        free(pk);
        free(sk);
        free(sig);
        free(raw);
    }
}

static void test_exchange(void **state)
{
    static const int sets[] = {128, 256, 512};
    static const int seed_len[] = {32, 32, 64}, n_len[] = {32, 32, 64};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        const int coins1 = 2 * seed_len[i], coins2 = 2 * (seed_len[i] + n_len[i]);
        char *all =
            ask("handshake %d %s %s %0*d %0*d", sets[i], seed_a, seed_b, coins1, 0, coins2, 0);
        char *m1 = strdup(all), *m2 = strdup(all), *m3 = strdup(all), *secret = strdup(all);
        char *m2_word = word(m2, 1), *m3_word = word(m3, 2), *secret_word = word(secret, 3);
        char *answer, *dke, *reply, *sk;

        word(m1, 0);
        assert_int_equal(strlen(secret_word), 2 * n_len[i]);
        assert_string_equal(word(all, 4), secret_word);
        answer =
            ask("initiator DKEX-%d %s %s %0*d %s", sets[i], seed_a, seed_b, coins1, 0, m2_word);
        assert_words(answer, "%s %s %s", m1, m3_word, secret_word);
        answer = ask("responder %d %s %s %0*d %s", sets[i], seed_b, seed_a, coins2, 0, m1);
        assert_answer(answer, m2_word);
        answer =
            ask("responder %d %s %s %0*d %s %s", sets[i], seed_b, seed_a, coins2, 0, m1, m3_word);
        assert_words(answer, "%s %s", m2_word, secret_word);

        /* The lattice core alone is in the same messages. */
        dke = ask("dke-keygen %d %0*d", sets[i], coins1, 0);
        sk = strdup(word(dke, 1));
        assert_string_equal(dke, m1);
        reply = ask("dke-respond %d %s %0*d", sets[i], m1, coins2, 0);
        answer = strdup(reply);
        word(reply, 0);
        assert_int_equal(strncmp(reply, m2_word, strlen(reply)), 0);
        assert_answer(ask("dke-finish %d %s %s", sets[i], sk, reply), word(answer, 1));
        free(answer);

        /* Refusals by name. */
        assert_answer(ask("initiator %d %s %s %0*d 00", sets[i], seed_a, seed_b, coins1, 0),
                      "error bad message length");
        assert_answer(
            ask("initiator %d %s %s %0*d %s", sets[i], seed_a, seed_a, coins1, 0, m2_word),
            "error peer is own key");
        m2_word[0] = m2_word[0] == '0' ? '1' : '0';
        assert_answer(
            ask("initiator %d %s %s %0*d %s", sets[i], seed_a, seed_b, coins1, 0, m2_word),
            "error signature verification failed");
        memset(m1, 'f', 6);
        assert_answer(ask("responder %d %s %s %0*d %s", sets[i], seed_b, seed_a, coins2, 0, m1),
                      "error malformed message");
        memset(sk, 'f', 6);
        assert_error(ask("dke-finish %d %s %s", sets[i], sk, reply));
        free(dke);
        free(reply);
        free(sk);
        free(all);
        free(m1);
        free(m2);
        free(m3);
        free(secret);
    }
}

/* Each is one error line, and the next line is served. */
static void test_errors(void **state)
{
    static const char *const requests[] = {
        "",
        "   ",
        "unknown",
        "sm3",
        "sm3 -",
        "sm3 - 00 00",
        "sm3 x 00",
        "sm3 - 0",
        "sm3 - 0g",
        "sm3 - 00:01",
        "sm3 - 0x00",
        "xof - -1 00",
        "xof - 1048577 00",
        "xof - 99999999999999999999 00",
        "xof - 1x 00",
        "xof - - 00",
        "mldsa-keygen 65 00",
        "mldsa-keygen 44 00",
        "dke-keygen 129 00",
        "dke-keygen 128 -",
        "dke-respond 512 00 00",
        "dke-finish 256 00 00",
        "handshake 128 00 00 00 00",
        "a b c d e f g h i j k l m n o p q r s t u v w x y z",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++)
        assert_error(ask("%s", requests[i]));
    assert_error(ask_bytes("sm3 - 61\0", 9));
    assert_error(ask_bytes("\xff\xfe sm3", 6));
    assert_error(ask("sm3 - %0200001d", 0)); /* a long line with half a byte */
    assert_answer(ask("sm3 - 616263"),
                  "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0");
}

/* The exit status of dkex-eval run with arguments, standard input empty. */
static int run(const char *const *args)
{
    pid_t pid = fork();
    int status;

    if (pid == 0) {
        if (freopen("/dev/null", "r", stdin) == NULL || freopen("/dev/null", "w", stdout) == NULL ||
            freopen("/dev/null", "w", stderr) == NULL)
            _exit(126);
        execv(eval_path, (char *const *)args);
        _exit(127);
    }
    assert_true(pid > 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void test_options(void **state)
{
    (void)state;
    assert_int_equal(run((const char *[]){eval_path, NULL}), 0);
    assert_int_equal(run((const char *[]){eval_path, "--cpu", "auto", NULL}), 0);
    assert_int_equal(run((const char *[]){eval_path, "--help", NULL}), 0);
    assert_int_equal(run((const char *[]){eval_path, "--cpu", "no-such-cpu", NULL}), 2);
    assert_int_equal(run((const char *[]){eval_path, "--cpu", NULL}), 2);
    assert_int_equal(run((const char *[]){eval_path, "--unknown", NULL}), 2);
    assert_int_equal(run((const char *[]){eval_path, "word", NULL}), 2);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hashes),   cmocka_unit_test(test_mldsa),
        cmocka_unit_test(test_exchange), cmocka_unit_test(test_errors),
        cmocka_unit_test(test_options),
    };

    if (argc != 3)
        return 2;
    eval_path = argv[1];
    cpu = argv[2];
    return cmocka_run_group_tests(tests, start, finish);
}
