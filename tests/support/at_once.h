/* Messengers for tests of one process that is given the answers of others: all is there when it is
 * asked for. */
#ifndef TESTS_AT_ONCE_H
#define TESTS_AT_ONCE_H

#include <glnn/exchange.h>

/* The messenger with the functions that wait and fail, which do nothing. The caller has set the
 * ranks, `user`, and the functions that gather and sum. */
glnn_messenger at_once(glnn_messenger of);

#endif
