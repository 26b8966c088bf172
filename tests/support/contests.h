/* Trainings of LVQ, k-means, mixtures and support vector machines by several processes, and what
 * they end with. */
#ifndef TESTS_CONTESTS_H
#define TESTS_CONTESTS_H

#include "clusters.h"
#include "messenger.h"
#include "prototypes.h"
#include "streams.h"
#include "svms.h"

enum { MOST_RANKS = 3, RUNS = 2, MOST_NUMBERS = 4096 };

/* The last batch of an epoch has one sample, so that all processes but the first have none. */
enum { BATCH = 34 };

/* A learner, and how it is trained. One of the four descriptions is used. */
typedef struct trial {
    const char *name;
    glnn_lvq_desc lvq;
    glnn_kmeans_desc kmeans;
    glnn_gmm_desc gmm;
    glnn_svm_desc svm;
    glnn_exchange_kind exchange; /* AVERAGES after each step */
    int batch;                   /* 0: BATCH */
    int accumulate;              /* batches of a step */
    bool has_far;                /* a centre starts so far away that it has no samples */
} trial;

/* The end of a training: all that was learnt, and the losses. */
typedef struct outcome {
    glnn_status status;
    char sentence[1024];
    glnn_train_result result;
    int count, exact; /* the last numbers are the same as with one process */
    float numbers[MOST_NUMBERS];
} outcome;

/* The trainings of one team. */
typedef struct contest {
    const trial *how;
    const glnn_dataset_desc *desc;
    const char *path;    /* streams from this file; NULL: the set is resident */
    int runs;            /* of the same training; 0: RUNS */
    const float *shares; /* of the ranks; NULL: equal shares        */
    bool breaks;         /* rank 1 fails after its first epoch        */
    bool tries;          /* makes trial steps before the first one    */
    const char *cache;   /* of the contexts, which then measure their exchange; NULL: none */
    glnn_exchange_plan plans[MOST_RANKS]; /* at the end of the latest run */
    const char *checkpoint;               /* is saved, and continued from; NULL: none  */
    int batches[MOST_RANKS];              /* until rank 0 stops; 0: it does not       */
    outcome of[RUNS][MOST_RANKS];
} contest;

/* Trains in all runs; a training that fails leaves its sentence. */
void train_contest(contest *in, int ranks);

/* Trains successfully, with equal bits on all ranks and in all runs. */
void run_contest(contest *in, int ranks);

/* The same bits; the same but for the order of sums. */
void expect_same(const outcome *left, const outcome *right, const char *name, const char *what);
void expect_alike(const outcome *left, const outcome *right, const char *name);

#endif
