/* SPDX-License-Identifier: Apache-2.0 */
/* One party, with the peer at the other end of a TCP connection. */
#include "run.h"

#include <stdio.h>
#include <strings.h>

#include "identity.h"
#include "net.h"
#include "report.h"

struct party {
    const struct options *options;
    struct connection connection;
    EVP_PKEY *identity, *peer;
    char expected[DIGEST_CHARS + 1]; /* the peer's fingerprint; empty: any */
    EVP_PKEY_CTX *ctx;
};

int tell_secret(const struct message *secret, int show_secret)
{
    char hex[DIGEST_CHARS + 1];

    if (!session_digest(hex, secret->data, secret->len))
        return complain_openssl("SM3");
    tell("SM3 of secret", hex);
    if (show_secret) {
        printf("%-15s ", "secret");
        for (size_t i = 0; i < secret->len; i++)
            printf("%02x", secret->data[i]);
        putchar('\n');
    }
    return 1;
}

static int send_public(struct party *p)
{
    struct message m = {0};
    int ok = session_export_public(&m, p->identity) || complain_openssl("own key");

    ok = ok && net_send(&p->connection, &m);
    message_free(&m);
    return ok;
}

/* Who the peer says it is. That it holds the private key, its signature will show. */
static int is_expected(const struct party *p, const char *fingerprint)
{
    tell("peer's identity", fingerprint);
    if (p->expected[0] == '\0')
        puts("peer not authenticated: --peer would insist on one");
    else if (strcasecmp(fingerprint, p->expected) != 0)
        return complain("the peer is not the one that --peer names");
    return 1;
}

/* A key that --peer does not name is refused before anything else is computed from it. */
static int receive_public(struct party *p)
{
    const struct options *o = p->options;
    struct message m = {0};
    char fingerprint[DIGEST_CHARS + 1];
    int ok = net_receive(&p->connection, &m, o->set->pub_len);

    ok = ok && (session_digest(fingerprint, m.data, m.len) || complain_openssl("SM3"));
    ok = ok && is_expected(p, fingerprint);
    ok = ok && ((p->peer = session_import_public(o->set, &m)) != NULL ||
                complain_openssl("the peer's key"));
    message_free(&m);
    return ok;
}

static int send_message(struct party *p)
{
    struct message m = {0};
    int ok = session_message_out(&m, p->ctx) || complain_openssl(p->options->set->name);

    ok = ok && net_send(&p->connection, &m);
    message_free(&m);
    return ok;
}

static int receive_message(struct party *p, size_t len)
{
    struct message m = {0};
    int ok = net_receive(&p->connection, &m, len);

    ok = ok && (session_message_in(p->ctx, &m) || complain_openssl(p->options->set->name));
    message_free(&m);
    return ok;
}

/* Before anybody is there: a listener's fingerprint can be given to those who will connect. */
static int open_identities(struct party *p)
{
    const struct options *o = p->options;
    char fingerprint[DIGEST_CHARS + 1];

    if (o->peer != NULL && !identity_peer(p->expected, o->peer, o->cafile, o->set))
        return 0;
    if (o->key != NULL)
        p->identity = identity_read(o->key, o->set);
    else if ((p->identity = session_new_identity(o->set)) == NULL)
        complain_openssl(o->set->name);
    if (p->identity == NULL)
        return 0;
    if (!session_fingerprint(fingerprint, p->identity))
        return complain_openssl(o->set->name);
    tell("set", o->set->name);
    tell("own identity", fingerprint);
    return 1;
}

static int start(struct party *p, const char *role)
{
    if (!send_public(p) || !receive_public(p))
        return 0;
    p->ctx = session_start(p->identity, p->peer, role);
    return p->ctx != NULL || complain_openssl(p->options->set->name);
}

static int initiate(struct party *p)
{
    const struct set *set = p->options->set;

    return start(p, "initiator") && send_message(p) && receive_message(p, set->m2_len) &&
           send_message(p);
}

static int respond(struct party *p)
{
    const struct set *set = p->options->set;

    return start(p, "responder") && receive_message(p, set->m1_len) && send_message(p) &&
           receive_message(p, set->m3_len);
}

/* Derives and tells the secret, then lets go of everything. */
static int finish(struct party *p, int ok)
{
    struct message secret = {0};

    ok = ok && (session_secret(&secret, p->ctx) || complain_openssl(p->options->set->name));
    ok = ok && tell_secret(&secret, p->options->show_secret);
    message_free(&secret);
    EVP_PKEY_CTX_free(p->ctx);
    EVP_PKEY_free(p->peer);
    EVP_PKEY_free(p->identity);
    net_close(&p->connection);
    return ok;
}

int run_listen(const struct options *o, const char *where)
{
    struct party p = {.options = o};

    net_open(&p.connection, o->timeout);
    return finish(&p, open_identities(&p) && net_listen(&p.connection, where) && respond(&p));
}

int run_connect(const struct options *o, const char *where)
{
    struct party p = {.options = o};
    int ok;

    net_open(&p.connection, o->timeout);
    ok = finish(&p, open_identities(&p) && net_connect(&p.connection, where) && initiate(&p));
    if (ok)
        puts("the secret does not prove that the responder accepted the last message");
    return ok;
}
