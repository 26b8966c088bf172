/* The inside of a classifier of labelled prototypes. */
#ifndef GLNN__PROTOTYPES_LVQ_LVQ_H
#define GLNN__PROTOTYPES_LVQ_LVQ_H

#include "io/fields.h"
#include "learn/learner_file.h"
#include "prototypes/moves.h"
#include "prototypes/use.h"

#include <glnn/lvq.h>

/* The properties of a kind of classifier. */
typedef struct glnn__lvq_traits {
    glnn__rule rule;
    float rate;        /* of training, if its description has none             */
    float metric_rate; /* the same; 0: the kind learns no metric               */
    glnn__metric metric;
    const char *learnt; /* next to the prototypes, in files; NULL: nothing     */
} glnn__lvq_traits;

/* How far prototypes of LVQ1, OLVQ1, LVQ2.1 and LVQ3 may go in a training. */
typedef struct glnn__lvq_reach {
    double *mean;  /* of the samples that were looked at last           */
    double square; /* their mean squared distance from it               */
    double limit;  /* of a prototype's distance from it                 */
    int epochs;    /* of this training so far                           */
} glnn__lvq_reach;

typedef struct glnn__lvq {
    glnn__prototypes
        prototypes; /* `learnt` of GRLVQ: square roots of the relevances, 1 x features; of
                                    GMLVQ: Omega, rank x features; of OLVQ1: rates, 1 x count, 0
                                    before a prototype has won */
    glnn_context *ctx;
    glnn_lvq_desc desc; /* defaults filled in; prototypes_of is its own copy */
    const glnn__lvq_traits *traits;
    bool finds_scale, finds_sigma; /* from the data: the description left them open */
    double epochs;
    struct {
        glnn__value rate; /* of moves, in the step under way */
        glnn__value xi;   /* after so many epochs            */
    } slots;
    glnn__lvq_reach reach;

    /* For programs that run the passes themselves (ends.c). */
    struct {
        bool has_gradient; /* which no update has used            */
        int samples;       /* of it                               */
        bool is_measured;  /* the metrics are those of such passes */
    } ends;

    /* In use by the passes of a batch. */
    int rows;                /* that the following are for; 0: none                            */
    glnn_matrix *candidates; /* for one sample: the winners of parts of the prototypes, in a row  */
    glnn_matrix *shares;     /* RSLVQ: rows x count, scores and then factors of moves          */
    glnn_matrix *slices;     /* GRLVQ: slices x features, the gradient of the relevances       */
    glnn_matrix *differences; /* GMLVQ: 2 rows x features, x - m for both winners               */
    glnn_matrix *weighted;    /* GMLVQ: 2 rows x rank, their images times the moves' factors    */

    /* The sums of a batch whose parts are summed before the prototypes move. */
    glnn_matrix *pushes;      /* LVQ1 to LVQ3: the part of the sums whose factors are negative */
    glnn_matrix *moved;       /* GMLVQ: count x features, how far the prototypes should go */
    glnn_matrix *moved_image; /* GMLVQ: count x rank */
    glnn_matrix *gradient;    /* GMLVQ: rank x features, of Omega; GRLVQ: 1 x features, of the
                                 relevances, for the sums of several processes */
    glnn_matrix *wins; /* OLVQ1: capacity x 4, the moves of a step's samples on all processes */
    glnn_matrix *norm; /* GMLVQ: 1 x 1, the squared norm of Omega */
} glnn__lvq;

/* NULL for NULL, and for a learner of another kind. */
static inline glnn__lvq *glnn__lvq_of(const glnn_learner *learner)
{
    return glnn__learner_of_kind(learner, GLNN_LEARNER_LVQ);
}

/* Samples of one slice of GRLVQ's gradient. */
#define GLNN__LVQ_SLICE_SAMPLES 32

/* ---- lvq.c */

extern const glnn__fields glnn__lvq_fields; /* of the description */

/* As glnn__learner_type. */
glnn_status glnn__lvq_build(void *self, const void *desc);
void glnn__lvq_destroy(void *self);

/* Matrices of a batch of `rows` samples, kept where they have that size. */
glnn_status glnn__lvq_prepare(glnn__lvq *lvq, int rows);

/* ---- state.c */

/* The precision_half of glnn__prototypes_predict: RSLVQ's outputs are posteriors of sigma, those of
 * the other kinds distances. E_STATE if sigma is not known. */
glnn_status glnn__lvq_find_precision(const glnn__lvq *lvq, double *half);

/* Puts the metric, the rates and the epochs where they start. */
glnn_status glnn__lvq_reset(glnn__lvq *lvq);

/* Lists all that steps change. */
void glnn__lvq_state(void *self, glnn__state *state);

/* As glnn__file_form: prototypes, their classes, and `learnt` if the kind has it. */
glnn__tensor_place glnn__lvq_place(const void *self, int number);
glnn_status glnn__lvq_read(const void *self, int number, float *values);
glnn_status glnn__lvq_check(const void *self, int number, const float *values);
glnn_status glnn__lvq_write(void *self, int number, const float *values);

/* E_ARG if a prototype of some has none of the classes. */
glnn_status glnn__lvq_check_classes(int classes, int count, const float *values);

/* ---- file.c */

/* As glnn__learner_type. */
extern const struct glnn__file_form glnn__lvq_file;

/* ---- export.c */

/* As glnn__learner_type. */
glnn_status glnn__lvq_export_c(const void *self, const char *path, const char *name);

/* ---- start.c */

/* As glnn__learner_type. */
glnn_status glnn__lvq_initialise(void *self, const glnn_dataset *data);

/* Forgets the scale and the sigma that were found in data. */
void glnn__lvq_forget_scale(glnn__lvq *lvq);

/* The scale of the loss, or the sigma of RSLVQ, is not known yet. */
bool glnn__lvq_needs_scale(const glnn__lvq *lvq);

/* Finds the mean of the samples, their distance from it, and the scale and the sigma that the
 * description leaves to the data. */
glnn_status glnn__lvq_look_at(glnn__lvq *lvq, const glnn_dataset *data);

/* ---- step.c */

/* Fills the slots, by the rate of the step and by the epochs so far. */
void glnn__lvq_fill_slots(glnn__lvq *lvq);

/* From the samples of a part to moves or posteriors; adds losses and counts to metrics. Without
 * `trains` the moves are zeros. */
glnn_status glnn__lvq_forward(glnn__lvq *lvq, const glnn__batch *part, bool trains,
                              const glnn__metrics *metrics);

/* How samples move prototypes; without `trains`, by 0. */
glnn__moves glnn__lvq_moves(const glnn__lvq *lvq, bool trains);

/* Nothing but the prototypes changes in a step, and the sums over one part are all. */
bool glnn__lvq_moves_at_once(const glnn__lvq *lvq, const glnn__step *step);

/* The rule's repulsion grows with the distance, so that a batch has to limit it. */
bool glnn__lvq_is_limited(const glnn__lvq *lvq);

/* Adds what the samples of a part do to the sums, or moves the prototypes right away. */
glnn_status glnn__lvq_add(glnn__lvq *lvq, const glnn__batch *batch, const glnn__step *step);

/* Moves the prototypes, and what is learnt with them, by the sums of all parts of a step. */
glnn_status glnn__lvq_finish(glnn__lvq *lvq, const glnn__step *step);

/* ---- single.c */

/* Whether steps of one sample may take the passes of glnn__lvq_move_single, of which at most two
 * follow that of the distances; whether the step of this part does. */
bool glnn__lvq_has_single(const glnn__lvq *lvq);
bool glnn__lvq_is_single(const glnn__lvq *lvq, const glnn__batch *part, const glnn__step *step);

/* The whole step, as glnn__lvq_add. */
glnn_status glnn__lvq_move_single(glnn__lvq *lvq, const glnn__batch *part);

/* ---- learner.c */

/* The kind, for files. */
extern const glnn__learner_type glnn__lvq_type;

/* ---- metric.c */

/* Scales Omega to trace(Omega' Omega) = 1. */
glnn_status glnn__lvq_scale_omega(glnn__lvq *lvq);

/* GRLVQ: relevances less rate times the sum of the rows of their gradient, none of them negative,
 * and divided by their sum. `roots` are their square roots. */
glnn_status glnn__lvq_descend_relevances(glnn_context *ctx, const glnn_matrix *gradient, float rate,
                                         glnn_matrix *roots);

/* Row i of out becomes `weight` times the sum of factor (x - m) over both winners of sample i, of
 * the latest moves. */
glnn_status glnn__lvq_sum_differences(const glnn__lvq *lvq, int count, const glnn_matrix *x,
                                      const glnn_matrix *m, float weight, glnn_matrix *out);

/* Adds the gradient of the metric over the `count` samples of a part; moves prototypes and metric
 * by all that a step has added. */
glnn_status glnn__lvq_add_metric(glnn__lvq *lvq, int count, bool is_first);
glnn_status glnn__lvq_step_metric(glnn__lvq *lvq, const glnn__step *step);

#endif
