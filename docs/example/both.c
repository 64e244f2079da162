/* SPDX-License-Identifier: Apache-2.0 */
/* Both parties in one process, with timing. */
#define _POSIX_C_SOURCE 200809L

#include "run.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include <openssl/crypto.h>

#include "report.h"

struct party {
    EVP_PKEY *identity;
    EVP_PKEY_CTX *ctx;
    struct message secret;
    char fingerprint[DIGEST_CHARS + 1];
};

struct both {
    const struct set *set;
    struct party a, b;
    struct timespec last;
};

/* Tells the microseconds since the last call, unless step is NULL. */
static void lap(struct both *x, const char *step)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    if (step != NULL)
        printf("  %-36s %9.1f us\n", step,
               (double)(now.tv_sec - x->last.tv_sec) * 1e6 +
                   (double)(now.tv_nsec - x->last.tv_nsec) / 1e3);
    clock_gettime(CLOCK_MONOTONIC, &x->last);
}

/* What `from` has to send, handed to `to`. */
static int pass(struct party *from, struct party *to)
{
    struct message m = {0};
    int ok = session_message_out(&m, from->ctx) && session_message_in(to->ctx, &m);

    message_free(&m);
    return ok;
}

static int make_identities(struct both *x)
{
    lap(x, NULL);
    if ((x->a.identity = session_new_identity(x->set)) == NULL)
        return 0;
    lap(x, "A makes an identity key");
    if ((x->b.identity = session_new_identity(x->set)) == NULL)
        return 0;
    lap(x, "B makes an identity key");
    return session_fingerprint(x->a.fingerprint, x->a.identity) &&
           session_fingerprint(x->b.fingerprint, x->b.identity);
}

static int agree(struct both *x)
{
    lap(x, NULL);
    if ((x->a.ctx = session_start(x->a.identity, x->b.identity, "initiator")) == NULL)
        return 0;
    lap(x, "A makes m1");
    if ((x->b.ctx = session_start(x->b.identity, x->a.identity, "responder")) == NULL ||
        !pass(&x->a, &x->b))
        return 0;
    lap(x, "B answers m1 with m2");
    if (!pass(&x->b, &x->a))
        return 0;
    lap(x, "A verifies m2 and answers with m3");
    if (!session_secret(&x->a.secret, x->a.ctx))
        return 0;
    lap(x, "A derives the secret");
    if (!pass(&x->a, &x->b))
        return 0;
    lap(x, "B verifies m3");
    if (!session_secret(&x->b.secret, x->b.ctx))
        return 0;
    lap(x, "B derives the secret");
    return 1;
}

static void close_party(struct party *p)
{
    EVP_PKEY_free(p->identity);
    EVP_PKEY_CTX_free(p->ctx);
    message_free(&p->secret);
}

int run_both(const struct set *set, int show_secret)
{
    struct both x = {.set = set};
    int ok;

    puts(set->name);
    ok = make_identities(&x) && agree(&x);
    if (!ok) {
        complain_openssl(set->name);
    } else {
        tell("A's identity", x.a.fingerprint);
        tell("B's identity", x.b.fingerprint);
        ok = x.a.secret.len == x.b.secret.len &&
             CRYPTO_memcmp(x.a.secret.data, x.b.secret.data, x.a.secret.len) == 0;
        ok = ok ? tell_secret(&x.a.secret, show_secret)
                : complain("%s: the two secrets differ", set->name);
    }
    if (ok)
        puts("the two secrets agree\n");
    close_party(&x.a);
    close_party(&x.b);
    return ok;
}
