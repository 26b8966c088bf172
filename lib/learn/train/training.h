/* The subject of a training: a learner, the samples, and the description. Only the order of the
 * samples and their emphasis change once it has begun. */
#ifndef GLNN__LEARN_TRAIN_TRAINING_H
#define GLNN__LEARN_TRAIN_TRAINING_H

#include "data/emphasis.h"
#include "learn/learner.h"
#include "learn/train/samples.h"

/* The fields of a glnn_train_desc and of its schedules. */
extern const glnn__fields glnn__schedule_fields;
extern const glnn__fields glnn__batch_schedule_fields;
extern const glnn__fields glnn__train_fields;

typedef struct glnn__training {
    glnn_context *ctx;
    glnn_learner *learner;    /* NULL once it was destroyed, or has another trainer */
    const char *learner_name; /* of its kind, for errors */
    glnn_dataset *data;       /* shared with the program */
    glnn_dataset *validation; /* desc.validation, shared too; NULL: none */
    glnn_curve *curve;        /* desc.curve, shared too; NULL: none */
    glnn_train_desc desc;     /* defaults filled in */
    char *checkpoint;         /* own copy of desc.checkpoint */
    glnn__samples samples;
    glnn__distorter *distorter; /* NULL: none */
    glnn__emphasis emphasis;    /* zeros: none */
    glnn__exchange *exchange;   /* NULL: one process trains alone */
} glnn__training;

/* Checks the description and takes the learner for a trainer. `is_taken` says that a trainer of it
 * has not finished, which is an error. `out` is zeros before; to be destroyed after failure too. */
glnn_status glnn__training_create(glnn_learner *learner, const glnn_dataset *data,
                                  const glnn_train_desc *desc, bool is_taken, glnn_trainer *trainer,
                                  glnn__training *out);

/* Begins the training of the learner, fills in the defaults and chooses the samples. */
glnn_status glnn__training_begin(glnn__training *training);
void glnn__training_destroy(glnn__training *training);

/* Whether processes can exchange averages of the learner's parameters. */
bool glnn__training_averages(const glnn_learner *learner);

/* E_ARG for a rate above 0 that the learner cannot use. */
glnn_status glnn__training_check_rate(float rate, const glnn_learner *learner);

/* The rate of an update that a program makes by itself: 0 becomes the default. E_ARG for one that
 * the learner cannot use; `function` begins the sentence. */
glnn_status glnn__training_choose_rate(const char *function, const glnn_learner *learner,
                                       float *rate);

/* Goes to the batches of an epoch, counted from 0. */
glnn_status glnn__training_go_to_epoch(glnn__training *training, int epoch);

/* Orders the samples for an epoch, counted from 0, and ends it for this order. */
glnn_status glnn__training_order_samples(glnn__training *training, int epoch);
glnn_status glnn__training_end_order(glnn__training *training, int epoch);

/* Records the passes of both (pass/list.h), if there are any. */
glnn_status glnn__training_record_order(glnn__training *training, int epoch);

/* Uploads the order if passes read it, as the first epoch does. */
glnn_status glnn__training_upload_order(glnn__training *training);

/* Exchanges the order for that after so many epochs, of which the last one may have begun; `former`
 * receives the order before, and is to be destroyed after failure too. The second function goes
 * back to that one. The third finds again what follows from it and from recent losses that are back
 * too. */
glnn_status glnn__training_go_to_order(glnn__training *training, int epoch, bool is_begun,
                                       glnn__order *former);
void glnn__training_swap_orders(glnn__training *training, glnn__order *other);
glnn_status glnn__training_return_to_order(glnn__training *training, int epoch, bool is_begun);

#endif
