/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A peer that misbehaves in one way. Usage: badpeer PORT KIND PUBLIC_KEY_BYTES
 * Connects to loopback and sends what KIND says, then waits for the other side to hang up.
 */
#define _POSIX_C_SOURCE 200809L

#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
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

int main(int argc, char **argv)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    unsigned char sink[4096];
    unsigned long pub;
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    if (argc != 4 || fd < 0)
        return 2;
    address.sin_port = htons((uint16_t)strtoul(argv[1], NULL, 10));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    pub = strtoul(argv[3], NULL, 10);
    alarm(30);
    if (connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0)
        return 1;

    if (strcmp(argv[2], "garbage") == 0)
        send_frame(fd, 0x47455420, 4000); /* "GET " */
    else if (strcmp(argv[2], "huge") == 0)
        send_frame(fd, 0xffffffff, 0);
    else if (strcmp(argv[2], "empty") == 0)
        send_frame(fd, 0, 0);
    else if (strcmp(argv[2], "half") == 0)
        send_frame(fd, (uint32_t)pub, pub / 2); /* and then silence */
    else if (strcmp(argv[2], "malformed") == 0) {
        send_frame(fd, (uint32_t)pub, pub);
        send_frame(fd, 1568, 1568); /* the m1 of DKEX-256, no coefficient below q */
    } else if (strcmp(argv[2], "close") == 0)
        return 0;
    else if (strcmp(argv[2], "stall") != 0)
        return 2;
    while (read(fd, sink, sizeof(sink)) > 0)
        continue;
    return 0;
}
