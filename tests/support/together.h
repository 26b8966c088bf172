/* Networks that one process trains, or several. */
#ifndef TESTS_TOGETHER_H
#define TESTS_TOGETHER_H

#include "learning.h"
#include "messenger.h"

enum { TOGETHER_RANKS = 3, TOGETHER_NUMBERS = 8192 };

/* A training. `samples` and `validation` are of the main thread; each process makes data sets of
 * its own from them. */
typedef struct together {
    glnn_network_desc network;
    glnn_train_desc training; /* without `exchange.messenger` and `validation` */
    samples samples, validation;
    size_t texture_budget; /* of the data sets */
    /* Changes the training of one process; NULL: it does not. */
    void (*change)(const team_member *self, glnn_network_desc *network, glnn_train_desc *training);
} together;

/* The end of the training of one process. */
typedef struct outcome {
    glnn_status status;
    char sentence[512];
    glnn_train_result result;
    size_t count; /* of numbers: all parameters, statistics and states of the optimizer */
    float numbers[TOGETHER_NUMBERS];
} outcome;

/* Trains with so many processes; outcomes[r] is that of rank r. With 1, the training has no
 * messenger. */
void train_together(const together *how, const team_desc *team, outcome *outcomes);

#endif
