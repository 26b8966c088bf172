/* Predictions of the test samples. Failures end the program, as with CHECK. */
#ifndef TRAIN_PREDICTIONS_H
#define TRAIN_PREDICTIONS_H

#include "learner.h"

typedef struct predictions {
    int samples;
    int classes;            /* 0: targets were predicted                                         */
    int targets;            /* 0: classes were predicted                                         */
    int *predicted;         /* the class of each sample; NULL: targets                           */
    float *outputs;         /* samples x classes, or samples x targets in their own units; NULL: the
                               outputs of classes were not wanted                                */
    bool are_probabilities; /* the outputs are the probabilities of the classes                  */
} predictions;

/* Ends the program if the learner or the samples lack what an option about predictions needs. */
void predictions_check(const glnn_learner *of, const settings *with, const samples *data);

/* Predicts the test samples. */
void predictions_make(glnn_learner *of, const settings *with, const samples *data,
                      predictions *out);

/* Turns targets as the learner computes them into their own units. */
void predictions_undo_scale(const glnn_learner *of, int count, float *targets);

/* Finds the `count` most likely classes of a sample: the predicted one, then those with the
 * greatest outputs. Of equal outputs the lower class comes first. */
void predictions_rank(const predictions *of, int sample, int count, int *classes);

/* An array of `each` elements for each sample; the caller frees it. */
void *predictions_array(int count, int each, size_t size);

void predictions_free(predictions *of);

#endif
