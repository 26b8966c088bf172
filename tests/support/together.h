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
    bool tries;            /* makes trial steps of all kinds before the first step */
    /* Changes the training of one process; NULL: it does not. */
    void (*change)(const team_member *self, glnn_network_desc *network, glnn_train_desc *training);
} together;

/* The end of the training of one process. */
typedef struct outcome {
    glnn_status status;
    char sentence[512];
    glnn_train_result result;
    glnn_exchange_plan plan;
    size_t count; /* of numbers: all parameters, statistics and states of the optimizer */
    float numbers[TOGETHER_NUMBERS];
} outcome;

/* Trains with so many processes; outcomes[r] is that of rank r. With 1, the training has no
 * messenger. */
void train_together(const together *how, const team_desc *team, outcome *outcomes);

/* A small dense network: an epoch has 61 samples in 6 batches, the last one of 1 sample. */
together dense(void);

void expect_trained(const outcome *outcomes, int ranks);

/* The processes end with the same bits and the same results. */
void expect_same_on_all(const outcome *outcomes, int ranks);

/* No number differs by more than this share of its size, and at least of 0.05. */
void expect_near(const outcome *got, const outcome *want, double bound, const char *what);

/* All processes fail with this status and part of a sentence. */
void expect_all_fail(const outcome *outcomes, int ranks, glnn_status status, const char *part);

#endif
