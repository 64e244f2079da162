/* SPDX-License-Identifier: Apache-2.0 */
/* The two ways to run a handshake. */
#ifndef EXAMPLE_RUN_H
#define EXAMPLE_RUN_H

#include "session.h"

/* What the command line asks for. */
struct options {
    const struct set *set;
    const char *key;    /* file of the own identity; NULL: make one */
    const char *peer;   /* the peer to insist on, as identity.h has it; NULL: any */
    const char *cafile; /* authorities for the peer's certificate; NULL: none */
    unsigned timeout;   /* seconds for the whole session; 0: not given */
    int show_secret;
};

/* Both parties in this process. 1, or 0 having complained. */
int run_both(const struct set *set, int show_secret);

/* One party, the peer being another process: `where` as net.h has it. The connecting side is the
 * initiator. 1, or 0 having complained. */
int run_listen(const struct options *o, const char *where);
int run_connect(const struct options *o, const char *where);

/* Tells the SM3 of the secret, and the secret itself if asked to. 1, or 0 having complained. */
int tell_secret(const struct message *secret, int show_secret);

#endif
