/* The speeds of an exchange, measured by exchanging matrices of zeros. */
#ifndef BENCH_SCALING_SPEEDS_H
#define BENCH_SCALING_SPEEDS_H

#include "common/scaling_cost.h"
#include "learn/exchange/exchange.h"

/* Measures all speeds but `delay` and `bucket`, which are 1 and 0: with a matrix of one number and
 * one of about `numbers` numbers. All processes call it together with the same numbers, and receive
 * the speeds of the slowest one. Waits. */
glnn_status speeds_measure(glnn__exchange *exchange, int numbers, cost_speeds *out);

#endif
