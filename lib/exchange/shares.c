#include "exchange/shares.h"

#include "base/integers.h"
#include "base/status.h"
#include "exchange/message.h"

#include <math.h>
#include <stdlib.h>

glnn_status glnn__shares_create(int ranks, glnn__shares *out)
{
    const size_t count = (size_t)ranks;
    *out = (glnn__shares){
        .ranks = ranks,
        .weights = malloc(count * sizeof *out->weights),
        .remainders = malloc(count * sizeof *out->remainders),
        .begins = calloc(count + 1, sizeof *out->begins),
    };
    if (!out->weights || !out->remainders || !out->begins)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the shares of %d processes", ranks);
    for (int r = 0; r < ranks; ++r)
        out->remainders[r] = 1;
    glnn__shares_set(out, out->remainders);
    return GLNN_OK;
}

void glnn__shares_destroy(glnn__shares *shares)
{
    free(shares->weights);
    free(shares->remainders);
    free(shares->begins);
    free(shares->turns);
    *shares = (glnn__shares){0};
}

void glnn__shares_set(glnn__shares *shares, const double *weights)
{
    shares->total = 0;
    shares->least = weights[0];
    shares->count = 0;
    for (int r = 0; r <= shares->ranks; ++r)
        shares->begins[r] = 0;
    for (int r = 0; r < shares->ranks; ++r) {
        shares->weights[r] = weights[r];
        shares->total += weights[r];
        shares->least = fmin(shares->least, weights[r]);
    }
}

static double exact_share(const glnn__shares *shares, int count, int rank)
{
    return count * shares->weights[rank] / shares->total;
}

/* Hands out the samples that rounding down has left: fewer than there are ranks. */
static void add_left(glnn__shares *shares, int left)
{
    for (; left > 0; --left) {
        int next = 0;
        for (int r = 1; r < shares->ranks; ++r)
            next = shares->remainders[r] > shares->remainders[next] ? r : next;
        shares->remainders[next] = -1;
        shares->begins[next + 1]++;
    }
}

void glnn__shares_divide(glnn__shares *shares, int count)
{
    int left = count;
    if (shares->count == count)
        return;
    for (int r = 0; r < shares->ranks; ++r) {
        const double exact = exact_share(shares, count, r);
        shares->begins[r + 1] = (int)exact;
        shares->remainders[r] = exact - shares->begins[r + 1];
        left -= shares->begins[r + 1];
    }
    add_left(shares, left);
    for (int r = 0; r < shares->ranks; ++r)
        shares->begins[r + 1] += shares->begins[r];
    shares->count = count;
}

static int next_turn(glnn__shares *shares, int done)
{
    int next = 0;
    double furthest = -1;
    for (int r = 0; r < shares->ranks; ++r) {
        const double behind = exact_share(shares, done + 1, r) - shares->remainders[r];
        next = behind > furthest ? r : next;
        furthest = fmax(behind, furthest);
    }
    shares->remainders[next]++;
    return next;
}

glnn_status glnn__shares_take_turns(glnn__shares *shares, int count)
{
    free(shares->turns);
    shares->turns = malloc((size_t)count * sizeof *shares->turns);
    if (!shares->turns)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the turns of %d batches", count);
    for (int r = 0; r < shares->ranks; ++r)
        shares->remainders[r] = 0; /* batches that the rank has had */
    for (int i = 0; i < count; ++i)
        shares->turns[i] = next_turn(shares, i);
    return GLNN_OK;
}

/* ---- Of an exchange */

void glnn__exchange_set_weights(glnn__exchange *exchange, const double *weights)
{
    glnn__shares_set(&exchange->shares, weights);
}

double glnn__exchange_weight(const glnn__exchange *exchange, int rank)
{
    return exchange ? exchange->shares.weights[rank] / exchange->shares.total : 1;
}

double glnn__exchange_least_weight(const glnn__exchange *exchange)
{
    return exchange ? exchange->shares.least / exchange->shares.total : 1;
}

glnn_status glnn__exchange_take_turns(glnn__exchange *exchange, int count)
{
    return exchange ? glnn__shares_take_turns(&exchange->shares, count) : GLNN_OK;
}

int glnn__exchange_turn(const glnn__exchange *exchange, int number)
{
    return exchange->shares.turns[number];
}

int glnn__exchange_share(glnn__exchange *exchange, int count, int *first)
{
    const int rank = glnn__exchange_rank(exchange);
    *first = 0;
    if (!exchange)
        return count;
    glnn__shares_divide(&exchange->shares, count);
    *first = exchange->shares.begins[rank];
    return exchange->shares.begins[rank + 1] - *first;
}

int glnn__exchange_most(const glnn__exchange *exchange, int count, int rank)
{
    return exchange ? (int)ceil(exact_share(&exchange->shares, count, rank)) : count;
}

int glnn__exchange_most_of_all(const glnn__exchange *exchange, int count)
{
    int most = 0;
    for (int r = 0; r < glnn__exchange_ranks(exchange); ++r) {
        const int of_rank = glnn__exchange_most(exchange, count, r);
        most = of_rank > most ? of_rank : most;
    }
    return most;
}
