/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A peer that misbehaves in one way. Usage: badpeer PORT KIND PUBLIC_KEY_BYTES MESSAGE_BYTES
 * Connects to loopback, or with port 0 listens there and says where; sends what KIND says, then
 * waits for the other side to hang up.
 */
#define _POSIX_C_SOURCE 200809L

#include <arpa/inet.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static void send_frame(int fd, uint32_t announced, size_t sent)
{
    const unsigned char header[4] = {(unsigned char)(announced >> 24),
                                     (unsigned char)(announced >> 16),
                                     (unsigned char)(announced >> 8), (unsigned char)announced};
    unsigned char body[8192];

    memset(body, 0xff, sizeof(body));
    (void)!write(fd, header, sizeof(header));
    (void)!write(fd, body, sent < sizeof(body) ? sent : sizeof(body));
}

/* A byte each 0.2 seconds, until nobody takes them any more. */
static void drip(int fd, uint32_t announced)
{
    const struct timespec pause = {.tv_nsec = 200000000};
    const unsigned char byte = 0;

    send_frame(fd, announced, 0);
    while (write(fd, &byte, 1) == 1)
        nanosleep(&pause, NULL);
}

static int open_connection(uint16_t port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    socklen_t len = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (port != 0)
        return connect(fd, (struct sockaddr *)&address, len) == 0 ? fd : -1;
    if (bind(fd, (struct sockaddr *)&address, len) != 0 || listen(fd, 1) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &len) != 0)
        return -1;
    printf("listening on 127.0.0.1:%d\n", ntohs(address.sin_port));
    fflush(stdout);
    return accept(fd, NULL, NULL);
}

/* 1, or 0 when there is no such kind. */
static int misbehave(int fd, const char *kind, uint32_t pub, uint32_t message)
{
    if (strcmp(kind, "garbage") == 0) {
        send_frame(fd, 0x47455420, 4000); /* "GET " */
    } else if (strcmp(kind, "huge") == 0) {
        send_frame(fd, 0xffffffff, 0);
    } else if (strcmp(kind, "empty") == 0) {
        send_frame(fd, 0, 0);
    } else if (strcmp(kind, "half") == 0) {
        send_frame(fd, pub, pub / 2); /* and then silence */
    } else if (strcmp(kind, "cut") == 0) {
        send_frame(fd, pub, pub / 2);
        shutdown(fd, SHUT_WR);
    } else if (strcmp(kind, "drip") == 0) {
        drip(fd, pub);
    } else if (strcmp(kind, "malformed") == 0) {
        send_frame(fd, pub, pub);
        send_frame(fd, message, message); /* no coefficient below q, no valid signature */
    } else if (strcmp(kind, "close") == 0) {
        shutdown(fd, SHUT_RDWR);
    } else if (strcmp(kind, "stall") != 0) {
        return 0;
    }
    return 1;
}

int main(int argc, char **argv)
{
    unsigned char sink[4096];
    int fd;

    if (argc != 5)
        return 2;
    alarm(30);
    signal(SIGPIPE, SIG_IGN);
    fd = open_connection((uint16_t)strtoul(argv[1], NULL, 10));
    if (fd < 0)
        return 1;
    if (!misbehave(fd, argv[2], (uint32_t)strtoul(argv[3], NULL, 10),
                   (uint32_t)strtoul(argv[4], NULL, 10)))
        return 2;
    while (read(fd, sink, sizeof(sink)) > 0)
        continue;
    return 0;
}
