/* The interface between a learner and the trainer above it, the same for networks, prototypes and
 * mixtures. A kind of learner is one `static const` table of type glnn__learner_type. */
#ifndef GLNN__LEARN_LEARNER_H
#define GLNN__LEARN_LEARNER_H

#include "data/batch.h"
#include "device/advice.h"
#include "gl/lifetime.h"
#include "io/safetensors/description.h"
#include "learn/exchange/exchange.h"
#include "learn/metrics.h"
#include "learn/state.h"
#include "learn/tensor.h"
#include "pass/list_cache.h"

#include <glnn/train.h>

/* A step updates what is learnt by the samples of one batch or of several. They come in parts, one
 * after the other; no part of another step comes in between. */
typedef struct glnn__step {
    bool is_first, is_last; /* the part is this process's first, or last one, of the step */
    int samples;            /* of all parts of the step, of all processes                 */
    int own_samples;        /* of this process                                            */
    int batch;              /* samples of a whole batch, of all processes                 */
    bool has_one_part;      /* no process has several parts                               */
    int epoch_samples;      /* of all steps of an epoch                            */
    float weight;           /* of the gradient: 1 / the samples that it is summed over    */
    glnn__uniform rate;
    bool is_summed; /* over several processes: `gradient` only adds to the sums of the step, which
                       are complete in `apply`                                            */
    glnn__exchange *exchange; /* NULL: one process trains alone                           */
} glnn__step;

typedef struct glnn__piece glnn__piece;

/* The functions of a kind of learner. `self` is the learner. A function may be NULL if its comment
 * says so. Sentences of errors begin with what is wrong: glnn__gl_leave puts the public function
 * before it. */
typedef struct glnn__learner_type {
    const char *name; /* such as "network", for error sentences */
    glnn_learner_kind kind;

    /* Makes all of a learner by its description. Its type and context are set, and all else is
     * zeros. */
    size_t size; /* of its structure */
    glnn_status (*build)(void *self, const void *desc);

    /* Frees what `build` has made, perhaps not all of it. */
    void (*destroy)(void *self);

    /* The name of its variant, such as "glvq". NULL: the kind has no variants. */
    const char *(*variant)(const void *self);

    /* Describes it in a few words, for the line that reports it. */
    void (*print)(const void *self, char *text, size_t size);

    /* Makes the matrices for parts of up to `rows` samples of a group, unless they exist, and fills
     * the slots and flags of the learner, where a step is under way by self->rate and self->steps.
     * It is called before the parts of each batch, because the program may have used the learner in
     * between. The group is that of glnn__batch: 0 when samples are measured or predicted. */
    glnn_status (*prepare)(void *self, int rows, int group);

    /* Adds the gradient of a part to that of the step, and its losses and counts to
     * self->metrics. The trainer records and replays this function and the next two
     * (pass/list.h), so they do nothing but run passes and set self->flags. A learner may make
     * the update within the passes of the last part, unless the step is summed; `apply` then has
     * nothing left to do. If the step is summed, a process may have no sample of it: its only part
     * then has a count of 0. Its STEP tensors are zeros already, and a sink makes zeros of any
     * gradient. */
    glnn_status (*gradient)(void *self, const glnn__batch *part, const glnn__step *step);

    /* Makes the update from the sums of `gradient`: of a step or, with updates_by_epoch, of an
     * epoch, where `step` is NULL. NULL: `gradient` always makes it, or end_epoch does. */
    glnn_status (*apply)(void *self, const glnn__step *step);

    /* Describes the work of a step of so many samples, by which its time is expected. NULL: it
     * cannot be expected. */
    void (*describe_step)(const void *self, int samples, glnn__task_work *out);

    /* Adds a part's losses and counts to self->measured, and changes no parameters. */
    glnn_status (*measure)(void *self, const glnn__batch *part);

    /* Predicts the samples of a piece (learn/predict.h). One of outputs (count x self->predicted)
     * and classes (count; -1: a sample has none) may be NULL. */
    glnn_status (*predict)(void *self, const glnn__piece *piece, float *outputs, int *classes);

    /* Predicts them into as many rows of a matrix (samples x self->predicted, or samples x 1) from
     * row piece->first on, without a wait. */
    glnn_status (*store)(void *self, const glnn__piece *piece, glnn_matrix *out);

    /* Lists the tensors, always in the same order (learn/tensor.h). A flag precedes the tensor
     * that it is about. */
    void (*visit)(void *self, glnn__visitor *visitor);

    /* Follows a change of tensors that the learner has not made itself. NULL: it need not. */
    void (*changed)(void *self);

    /* Hands all else that a training changes to the state, which saves or loads it: counts, and
     * numbers in main memory. Two learners with the same description that have equal tensors and
     * states between two steps make the same further steps. NULL: there is nothing else. */
    void (*state)(void *self, glnn__state *state);

    /* In files and checkpoints (learn/learner_file.h). */
    const struct glnn__file_form *file;

    /* As the public functions, after their checks. NULL: the kind has no C source, or draws its
     * first parameters when it is made. */
    glnn_status (*export_c)(const void *self, const char *path, const char *name);
    glnn_status (*initialise)(void *self, const glnn_dataset *data);

    /* Makes it one that was neither trained nor set, which *is_set says then. NULL: it can be used
     * from the start. */
    void (*forget)(void *self);

    /* Looks at the data that it is going to be measured on. NULL: it need not. */
    glnn_status (*meet)(void *self, const glnn_dataset *data);

    /* Begins a training, after all checks. NULL: there is nothing to begin. */
    glnn_status (*begin)(void *self, const glnn_dataset *data, glnn_train_desc *desc);

    /* Begins an epoch, before its first step. NULL: an epoch needs no beginning. */
    glnn_status (*begin_epoch)(void *self);

    /* Ends an epoch after its update, before it is validated; `loss` is its mean loss. *is_done,
     * false before, ends training. NULL: an epoch needs no end. */
    glnn_status (*end_epoch)(void *self, double loss, bool *is_done);

    /* Frees everything that only training needs. It is also called after `begin` has failed. NULL:
     * there is none. */
    void (*end_training)(void *self);
} glnn__learner_type;

/* Copies of tensors (learn/snapshot.h). Zeros: there are none. */
typedef struct glnn__snapshot {
    struct glnn__kept *all;
    int count;
} glnn__snapshot;

/* A learner: the first member of the structure of each kind, so that a pointer to one is a pointer
 * to the other. */
struct glnn_learner {
    const glnn__learner_type *type;
    glnn_context *ctx;
    glnn__dependent object;
    glnn_learner **remains; /* receives the structure when the learner is destroyed, to free it;
                               NULL: it is freed at once */

    /* Constant after the learner was made, but for a change of its precision. */
    int features;          /* of a sample                                            */
    glnn_shape shape;      /* of a sample; zeros: unknown                            */
    int outputs;           /* classes, or the length of targets; 0: it learns neither */
    int predicted;         /* outputs that are predicted for a sample                */
    bool stores_classes;   /* a matrix of predictions has classes, not outputs       */
    const char *labelled;  /* the part that needs labels, for an error; NULL: none   */
    bool trains_labelled;  /* only training needs them                               */
    int capacity;          /* most samples of a part                                 */
    glnn_layout layout;    /* of the parameters                                      */
    int default_epochs;    /* of a training; 0: 10 */
    float default_rate;    /* 0: no rate is used                                     */
    float rate_limit;      /* rates have to be below it; 0: they need not            */
    int targets;           /* where a data set has target vectors, these are learnt, and have
                              this length; 0: they are not                           */
    int fitted;            /* numbers of a target vector that `fit` is about         */
    bool refuses_labels;   /* outputs have different numbers of classes              */
    bool learns_shares;    /* targets are probabilities                              */
    glnn__fit fit;         /* the metrics of target vectors                          */
    bool uses_weights;     /* of the samples of a data set                           */
    bool records_losses;   /* `gradient` writes to metrics.losses                    */
    bool reads_half;       /* its passes read samples in 16 bits                      */
    bool takes_full_batch; /* training has no other batches                           */
    bool sums_epochs;      /* training with the full batch updates once an epoch; in what
                                   batches and order samples come then does not matter */
    bool restores_best;    /* training always ends with the best epoch                */
    bool has_own_loss;     /* the loss is an expression of the program                */
    bool is_checked;       /* its parameters may cease to be finite although the loss is    */
    bool groups_classes;   /* the samples of each class are a group, and batches are of one
                            group; desc.keep_order is set */
    const glnn_optimizer *optimizer; /* of the gradients that it hands to a sink; NULL: none */
    uint64_t seed;                   /* of the noise of these gradients                      */
    const bool *is_set;              /* NULL: it can be used from the start                  */
    const char *unset;               /* why it cannot be used unless *is_set, for an error   */

    uint64_t steps;               /* made so far; a kind whose passes depend on them saves them */
    glnn_preparation preparation; /* of its samples; empty: none            */
    glnn__metrics metrics, measured; /* `gradient` and `measure` add to these  */

    /* Of the training under way. */
    glnn_trainer *trainer;       /* NULL: none                                             */
    glnn_learner **held_by;      /* the trainer's pointer to the learner; NULL: none       */
    const glnn__totals *settled; /* of each group: the losses and counts of its samples if it learns
                                    no more, so that an epoch leaves them out; NULL: none does */
    bool updates_by_epoch;       /* once an epoch; batches only divide the samples         */
    const int *chosen;           /* the samples to train on, by their numbers, without validation;
                                 NULL: all but those that are kept apart */
    int chosen_count;
    int rows, validation_rows; /* of parts of training, and of the validation of groups; 0: the
                                  least of capacity and batch */
    glnn__lists lists;
    glnn__batch_slots slots;       /* of the part under way */
    glnn__value rate;              /* of the step under way */
    glnn__optimizer_slots updates; /* the same              */
    unsigned flags; /* which intermediate results exist, as the learner numbers them */
    glnn__snapshot snapshot;
};

/* Makes a learner for the program. `function` is the public one, whose arguments are checked. */
glnn_status glnn__learner_create(const char *function, glnn_context *ctx,
                                 const glnn__learner_type *type, const void *desc,
                                 glnn_learner **out);

/* For `build`: the metrics, for samples up to the capacity; `columns` as glnn__metrics_create. */
glnn_status glnn__learner_create_metrics(glnn_learner *learner, int columns);

/* In a public function of one kind of learner: fails if the learner is null, of another kind, or
 * its context was destroyed. */
#define GLNN__OF_KIND(learner, of_kind)                                                            \
    do {                                                                                           \
        GLNN__HELD(learner);                                                                       \
        GLNN__TRY(glnn__learner_check_kind(__func__, learner, of_kind));                           \
    } while (0)
glnn_status glnn__learner_check_kind(const char *function, const glnn_learner *learner,
                                     glnn_learner_kind kind);

/* NULL for NULL, and for a learner of another kind: in functions without a status. */
static inline void *glnn__learner_of_kind(const glnn_learner *learner, glnn_learner_kind kind)
{
    return learner && learner->type->kind == kind ? (void *)learner : NULL;
}

/* Visits the tensors of some roles. */
static inline glnn_status glnn__learner_visit(glnn_learner *learner, unsigned roles,
                                              glnn__visitor_fn *take, void *user)
{
    glnn__visitor visitor = {roles, take, user, GLNN_OK};
    learner->type->visit(learner, &visitor);
    return visitor.status;
}

/* E_STATE where it was neither trained nor set, so that it cannot be used. */
glnn_status glnn__learner_check_set(const glnn_learner *learner);

static inline void glnn__learner_changed(glnn_learner *learner)
{
    if (learner->type->changed)
        learner->type->changed(learner);
}

#endif
