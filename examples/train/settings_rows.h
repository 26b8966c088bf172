/* The rows of the command line. */
#ifndef TRAIN_SETTINGS_ROWS_H
#define TRAIN_SETTINGS_ROWS_H

#include "settings.h"

/* The places of the rows that are asked about by number. */
enum {
    LEARNER = DATA_ROWS_END + 1,
    HIDDEN = LEARNER + 2,
    LAYERS,
    ACTIVATION,
    LOSS,
    WEIGHTS,
    OPTIMIZER,
    MOMENTUM,
    DECAY,
    LOSS_PARAMETER,
    LOSS_VALUE,
    LOSS_DERIVATIVE,
    LABEL_SMOOTHING,
    GRADIENT_NOISE,
    TWO_PARTS,
    PRECISION,
    PROTOTYPES = PRECISION + 2,
    INIT,
    XI,
    WINDOW,
    EPSILON,
    SIGMA,
    RANK,
    NEAREST,
    RESTARTS,
    COVARIANCE,
    VARIANCE_FLOOR,
    SHRINKAGE,
    SVM_LOSS = SHRINKAGE + 2,
    LAMBDA,
    EPOCHS = LAMBDA + 2,
    BATCH,
    BATCH_SCHEDULE_FACTOR,
    BATCH_SCHEDULE_EVERY,
    BATCH_SCHEDULE_MOST,
    RATE,
    SCHEDULE,
    PATIENCE,
    DESIRED_LOSS,
    DESIRED_ERROR,
    RESTORE_BEST,
    CLASS_WEIGHTS,
    SAMPLE_WEIGHTS,
    EMPHASIS,
    EMPHASIS_BY,
    DISTORT,
    ADVISE,
    SEED,
    CV = SEED + 2,
    SEEDS,
    SEARCH,
    TRIALS,
    SEARCH_BY,
    METRICS = SEARCH_BY + 9
};

extern const option_row settings_rows[];
extern const int settings_row_count;

#endif
