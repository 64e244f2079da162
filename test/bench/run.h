/* SPDX-License-Identifier: Apache-2.0 */
/* A timing program as its tests call it. cmocka.h comes first. */
#ifndef TEST_BENCH_RUN_H
#define TEST_BENCH_RUN_H

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

/* Runs the program and keeps what it prints, on either stream; returns its exit status. */
static inline int run(char *output, size_t size, const char *program, const char *arguments)
{
    char command[12288];
    size_t got = 0;
    FILE *pipe;
    int status;

    snprintf(command, sizeof(command), "'%s' %s 2>&1", program, arguments);
    pipe = popen(command, "r");
    assert_non_null(pipe);
    while (got + 1 < size && fgets(output + got, (int)(size - got), pipe) != NULL)
        got += strlen(output + got);
    status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

#endif
