/* The shares of the processes of an exchange. */
#include "learn/exchange/message.h"

#include <math.h>

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

void glnn__exchange_count_samples(glnn__exchange *exchange, int own, int all)
{
    exchange->own_samples += own;
    exchange->all_samples += all;
}

float glnn__exchange_take_weight(glnn__exchange *exchange)
{
    const double weight = exchange->all_samples > 0
                              ? exchange->own_samples / exchange->all_samples
                              : glnn__exchange_weight(exchange, exchange->messenger->rank);
    exchange->own_samples = exchange->all_samples = 0;
    return (float)weight;
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
    return exchange ? (int)ceil(glnn__shares_exact(&exchange->shares, count, rank)) : count;
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
