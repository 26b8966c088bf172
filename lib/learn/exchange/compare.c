/* Comparison of ranks and texts between the processes of a training. */
#include "base/checksum.h"
#include "base/lines.h"
#include "base/status.h"
#include "learn/exchange/message.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Ranks */

glnn_status glnn__exchange_compare_ranks(glnn__exchange *exchange)
{
    const int own[] = {exchange->messenger->rank, exchange->messenger->ranks};
    int(*all)[2] = calloc((size_t)own[1], sizeof *all);
    if (!all)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the ranks of %d processes", own[1]);
    glnn_status status = glnn__exchange_gather(exchange, own, sizeof own, all);
    for (int r = 0; r < own[1] && !status; ++r)
        if (all[r][0] != r || all[r][1] != own[1])
            status = glnn__fail(GLNN_E_ARG,
                                "exchange.messenger: the process at place %d of %d in a gather "
                                "says that it is rank %d of %d",
                                r, own[1], all[r][0], all[r][1]);
    exchange->is_known = status == GLNN_E_ARG;
    free(all);
    return status;
}

/* ---- Texts */

/* The part of a text that processes compare first. */
typedef struct digest {
    uint64_t checksum, length;
} digest;

static digest digest_of(const char *text)
{
    return (digest){glnn__checksum_text(GLNN__CHECKSUM_START, text), strlen(text)};
}

static bool is_same(const digest *left, const digest *right)
{
    return left->checksum == right->checksum && left->length == right->length;
}

/* The first text that differs on a rank from that of rank 0. Returns false if there is none. */
static bool find_other(const digest *all, int ranks, int count, int *rank, int *text)
{
    for (*text = 0; *text < count; ++*text)
        for (*rank = 1; *rank < ranks; ++*rank)
            if (!is_same(&all[*text], &all[*rank * count + *text]))
                return true;
    return false;
}

/* A text of a training has some kilobytes. */
#define MOST_OF_TEXT (1 << 20)

/* Another process may claim any length. */
static glnn_status find_longest(const digest *all, int ranks, int count, int text,
                                const char *subject, size_t *most)
{
    *most = 0;
    for (int r = 0; r < ranks; ++r) {
        const uint64_t length = all[r * count + text].length;
        if (length > MOST_OF_TEXT)
            return glnn__fail(GLNN_E_ARG,
                              "rank %d describes its %s in %" PRIu64 " bytes; at most %d are read",
                              r, subject, length, MOST_OF_TEXT);
        *most = length > *most ? (size_t)length : *most;
    }
    return GLNN_OK;
}

static glnn_status fail_for(const char *subject, int rank, const char *first, const char *other)
{
    const char *there = glnn__line_difference(other, first), *here;
    if (there) {
        here = glnn__line_find(first, there);
    } else {
        here = glnn__line_difference(first, other);
        there = here ? glnn__line_find(other, here) : "";
        here = here ? here : "";
    }
    int length;
    const char *summed = glnn__line_summed(there, &length);
    if (summed && *here)
        return glnn__fail(
            GLNN_E_ARG, "rank %d has another %s than rank 0: the %.*s differ from those of rank 0",
            rank, subject, length, summed);
    here = glnn__line_or_none(here);
    there = glnn__line_or_none(there);
    return glnn__fail(GLNN_E_ARG, "rank %d has another %s than rank 0: there %.*s, on rank 0 %.*s",
                      rank, subject, glnn__line_length(there), there, glnn__line_length(here),
                      here);
}

/* Gathers the texts of all, and names the difference. */
static glnn_status name_difference(glnn__exchange *exchange, const glnn__exchange_text *text,
                                   int rank, size_t length)
{
    const size_t room = length + 1, ranks = (size_t)glnn__exchange_ranks(exchange);
    char *own = calloc(ranks + 1, room), *all = own + room;
    if (!own)
        return glnn__fail(GLNN_E_NOMEM, "no memory for texts of %zu processes", ranks);
    snprintf(own, room, "%s", text->text);
    glnn_status status = glnn__exchange_gather(exchange, own, room, all);
    for (size_t r = 0; r < ranks; ++r)
        all[r * room + length] = 0;
    if (!status)
        status = fail_for(text->subject, rank, all, all + (size_t)rank * room);
    free(own);
    return status;
}

glnn_status glnn__exchange_compare(glnn__exchange *exchange, const glnn__exchange_text *texts,
                                   int count)
{
    const int ranks = glnn__exchange_ranks(exchange);
    const size_t bytes = (size_t)count * sizeof(digest);
    int rank, text;
    size_t most = 0;
    if (!exchange)
        return GLNN_OK;
    digest *own = malloc(((size_t)ranks + 1) * bytes), *all = own + count;
    if (!own)
        return glnn__fail(GLNN_E_NOMEM, "no memory for digests of %d processes", ranks);
    for (int i = 0; i < count; ++i)
        own[i] = digest_of(texts[i].text);
    glnn_status status = glnn__exchange_gather(exchange, own, bytes, all);
    if (!status && find_other(all, ranks, count, &rank, &text)) {
        status = find_longest(all, ranks, count, text, texts[text].subject, &most);
        if (!status)
            status = name_difference(exchange, &texts[text], rank, most);
        exchange->is_known = status == GLNN_E_ARG;
    }
    free(own);
    return status;
}
