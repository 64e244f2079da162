/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One TCP connection and frames on it, all before one deadline: a peer that stalls costs no more
 * than that. (Only the resolver, asked for a host's name, keeps its own time.) A frame is a length
 * of four bytes, big-endian, and as many bytes.
 *
 * Every function returns 1 or 0, having complained.
 */
#ifndef EXAMPLE_NET_H
#define EXAMPLE_NET_H

#include <time.h>

#include "session.h"

struct connection {
    int fd; /* -1: none */
    struct timespec deadline;
};

/* Sets the deadline, from now on. */
void net_open(struct connection *c, unsigned seconds);
void net_close(struct connection *c);

/* where: PORT, HOST:PORT or [HOST]:PORT; loopback where no host is given. listen takes one
 * connection and tells where it waits for it; port 0 is any free one. */
int net_listen(struct connection *c, const char *where);
int net_connect(struct connection *c, const char *where);

int net_send(struct connection *c, const struct message *m);

/* A frame of exactly len bytes: any other length is refused before memory is taken for it. */
int net_receive(struct connection *c, struct message *m, size_t len);

#endif
