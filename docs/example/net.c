/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "net.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <openssl/crypto.h>

#include "report.h"

enum { HEADER_BYTES = 4, HOST_CHARS = 256 };

void net_open(struct connection *c, unsigned seconds)
{
    c->fd = -1;
    clock_gettime(CLOCK_MONOTONIC, &c->deadline);
    c->deadline.tv_sec += (time_t)seconds;
}

void net_close(struct connection *c)
{
    if (c->fd >= 0)
        close(c->fd);
    c->fd = -1;
}

/* Milliseconds left, rounded up; 0 once the deadline has passed. */
static int milliseconds_left(const struct connection *c)
{
    struct timespec now;
    int64_t left;

    clock_gettime(CLOCK_MONOTONIC, &now);
    left = ((int64_t)c->deadline.tv_sec - now.tv_sec) * 1000 +
           (c->deadline.tv_nsec - now.tv_nsec + 999999) / 1000000;
    return left > 0 ? (int)left : 0;
}

/* poll() for one descriptor until the deadline: 1 when it can do what events says, 0 or -1. */
static int poll_one(const struct connection *c, int fd, short events)
{
    struct pollfd p = {.fd = fd, .events = events};
    int n;

    do {
        n = poll(&p, 1, milliseconds_left(c));
    } while (n < 0 && errno == EINTR);
    return n;
}

static int wait_for(const struct connection *c, int fd, short events)
{
    int n = poll_one(c, fd, events);

    if (n > 0)
        return 1;
    return n == 0 ? complain("timed out: see --timeout") : complain("poll: %s", strerror(errno));
}

static int is_temporary(int error)
{
    return error == EINTR || error == EAGAIN || error == EWOULDBLOCK;
}

static int send_all(struct connection *c, const unsigned char *data, size_t len)
{
    while (len > 0) {
        ssize_t n;

        if (!wait_for(c, c->fd, POLLOUT))
            return 0;
        n = send(c->fd, data, len, MSG_NOSIGNAL);
        if (n < 0 && !is_temporary(errno))
            return complain("send: %s", strerror(errno));
        if (n > 0) {
            data += n;
            len -= (size_t)n;
        }
    }
    return 1;
}

static int receive_all(struct connection *c, unsigned char *data, size_t len)
{
    while (len > 0) {
        ssize_t n;

        if (!wait_for(c, c->fd, POLLIN))
            return 0;
        n = recv(c->fd, data, len, 0);
        if (n == 0)
            return complain("the peer closed the connection");
        if (n < 0 && !is_temporary(errno))
            return complain("receive: %s", strerror(errno));
        if (n > 0) {
            data += n;
            len -= (size_t)n;
        }
    }
    return 1;
}

int net_send(struct connection *c, const struct message *m)
{
    unsigned char header[HEADER_BYTES];

    for (size_t i = 0; i < HEADER_BYTES; i++)
        header[i] = (unsigned char)(m->len >> (24 - 8 * i));
    return send_all(c, header, sizeof(header)) && send_all(c, m->data, m->len);
}

int net_receive(struct connection *c, struct message *m, size_t len)
{
    unsigned char header[HEADER_BYTES];
    uint32_t announced = 0;

    if (!receive_all(c, header, sizeof(header)))
        return 0;
    for (size_t i = 0; i < HEADER_BYTES; i++)
        announced = announced << 8 | header[i];
    if (announced != len)
        return complain("the peer announced %lu bytes where %zu belong: another set, or no peer",
                        (unsigned long)announced, len);
    if ((m->data = OPENSSL_malloc(len)) == NULL)
        return complain("out of memory");
    m->len = len;
    return receive_all(c, m->data, len);
}

/* The addresses of where; NULL having complained. */
static struct addrinfo *resolve(const char *where, int flags)
{
    const struct addrinfo hints = {
        .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = flags | AI_NUMERICSERV};
    const char *colon = strrchr(where, ':'), *port = colon != NULL ? colon + 1 : where;
    const char *start = where;
    size_t len = colon != NULL ? (size_t)(colon - where) : 0;
    char host[HOST_CHARS] = "127.0.0.1";
    struct addrinfo *list = NULL;
    int error;

    if (len >= 2 && where[0] == '[' && where[len - 1] == ']') {
        start++;
        len -= 2;
    }
    if (colon != NULL) {
        if (len == 0 || len >= sizeof(host)) {
            complain("%s: not [HOST:]PORT", where);
            return NULL;
        }
        memcpy(host, start, len);
        host[len] = '\0';
    }
    if (strspn(port, "0123456789") != strlen(port) || *port == '\0' || strlen(port) > 5 ||
        atol(port) > UINT16_MAX) {
        complain("%s: no port between 0 and 65535", where);
        return NULL;
    }
    if ((error = getaddrinfo(host, port, &hints, &list)) != 0)
        complain("%s: %s", where, gai_strerror(error));
    return list;
}

static int set_nonblocking(int fd)
{
    int flags = fcntl(fd, F_GETFL);

    return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) >= 0 &&
           fcntl(fd, F_SETFD, FD_CLOEXEC) >= 0;
}

/* A socket for the address that doesn't block, or -1 with errno. */
static int new_socket(const struct addrinfo *a)
{
    int fd = socket(a->ai_family, a->ai_socktype, a->ai_protocol);

    if (fd >= 0 && !set_nonblocking(fd)) {
        close(fd);
        return -1;
    }
    return fd;
}

static void tell_address(int fd)
{
    struct sockaddr_storage address;
    socklen_t len = sizeof(address);
    char host[HOST_CHARS], port[16], text[HOST_CHARS + 32];

    if (getsockname(fd, (struct sockaddr *)&address, &len) != 0 ||
        getnameinfo((struct sockaddr *)&address, len, host, sizeof(host), port, sizeof(port),
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0)
        return;
    snprintf(text, sizeof(text), strchr(host, ':') != NULL ? "[%s]:%s" : "%s:%s", host, port);
    tell("listening on", text);
}

/* The one connection that the listening socket is there for. */
static int accept_one(struct connection *c, int listener)
{
    do {
        if (!wait_for(c, listener, POLLIN))
            return 0;
        c->fd = accept(listener, NULL, NULL);
    } while (c->fd < 0 && (is_temporary(errno) || errno == ECONNABORTED));
    if (c->fd < 0)
        return complain("accept: %s", strerror(errno));
    return set_nonblocking(c->fd) ? 1 : complain("accept: %s", strerror(errno));
}

int net_listen(struct connection *c, const char *where)
{
    struct addrinfo *list = resolve(where, AI_PASSIVE);
    const int on = 1;
    int ok = 0, fd;

    if (list == NULL)
        return 0;
    fd = new_socket(list);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) != 0 ||
        bind(fd, list->ai_addr, list->ai_addrlen) != 0 || listen(fd, 1) != 0) {
        complain("%s: %s", where, strerror(errno));
    } else {
        tell_address(fd);
        ok = accept_one(c, fd);
    }
    if (fd >= 0)
        close(fd);
    freeaddrinfo(list);
    return ok;
}

/* One address; 0 with the reason in errno, and c->fd to be closed. */
static int try_connect(struct connection *c, const struct addrinfo *a)
{
    int error = 0, n;
    socklen_t len = sizeof(error);

    if ((c->fd = new_socket(a)) < 0)
        return 0;
    if (connect(c->fd, a->ai_addr, a->ai_addrlen) != 0) {
        if (errno != EINPROGRESS && errno != EINTR)
            return 0;
        if ((n = poll_one(c, c->fd, POLLOUT)) <= 0) {
            errno = n == 0 ? ETIMEDOUT : errno;
            return 0;
        }
        if (getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &error, &len) != 0 || error != 0) {
            errno = error != 0 ? error : errno;
            return 0;
        }
    }
    return 1;
}

int net_connect(struct connection *c, const char *where)
{
    struct addrinfo *list = resolve(where, 0);
    int ok = 0, error = 0;

    if (list == NULL)
        return 0;
    for (const struct addrinfo *a = list; a != NULL && !ok; a = a->ai_next) {
        if (!(ok = try_connect(c, a))) {
            error = errno;
            net_close(c);
        }
    }
    freeaddrinfo(list);
    return ok ? 1 : complain("%s: %s", where, strerror(error));
}
