/* The inside of k-means. */
#ifndef GLNN__PROTOTYPES_KMEANS_KMEANS_H
#define GLNN__PROTOTYPES_KMEANS_KMEANS_H

#include "io/fields.h"
#include "prototypes/kmeans/far.h"
#include "prototypes/moves.h"
#include "prototypes/use.h"

#include <glnn/kmeans.h>

/* Some samples of a data set. */
typedef struct glnn__chosen {
    const int *samples; /* their numbers */
    int count;
    int class; /* of all of them; -1: they are of any */
} glnn__chosen;

/* A training consists of several runs, each from a start of its own. */
typedef struct glnn__run {
    const glnn_dataset *data; /* that starts are drawn from                                */
    int number;               /* from 0 on                                                 */
    int epochs;               /* that it has made                                          */
    int limit;                /* the most epochs of a run, where another one follows       */
} glnn__run;

typedef struct glnn__kmeans {
    glnn__prototypes prototypes; /* the centres; `learnt` has their sizes, count x 1: the
                                    number of samples of each */
    glnn_context *ctx;
    glnn_kmeans_desc desc;      /* defaults filled in */
    const glnn__chosen *chosen; /* the samples that are seen; NULL: all */

    bool is_lloyd;       /* of the training under way: centres move once an epoch */
    glnn__run run;       /* of the training under way                             */
    double last_loss;    /* of the epoch before                                   */
    float *sizes_before; /* count: at the start of the epoch                     */
    float *sizes_now;    /* count: at its end                                    */
    glnn__far far;       /* far samples, for the centres that have had none      */
} glnn__kmeans;

/* NULL for NULL, and for a learner of another kind. */
static inline glnn__kmeans *glnn__kmeans_of(const glnn_learner *learner)
{
    return glnn__learner_of_kind(learner, GLNN_LEARNER_KMEANS);
}

/* ---- kmeans.c */

extern const glnn__fields glnn__kmeans_fields; /* of the description */

/* As glnn__learner_type. */
glnn_status glnn__kmeans_build(void *self, const void *desc);
void glnn__kmeans_destroy(void *self);

/* Classes, or 1 without. */
static inline int glnn__kmeans_class_count(const glnn__kmeans *kmeans)
{
    return kmeans->desc.classes > 0 ? kmeans->desc.classes : 1;
}

/* The centres (count x features) as they are before any step, and the offset that they have. */
glnn_status glnn__kmeans_start_from(glnn__kmeans *kmeans, const float *centres);

/* ---- file.c */

/* As glnn__learner_type. */
extern const struct glnn__file_form glnn__kmeans_file;

/* ---- export.c */

/* As glnn__learner_type. */
glnn_status glnn__kmeans_export_c(const void *self, const char *path, const char *name);

/* ---- start.c */

/* As glnn_learner_initialise, for a run of a training: the first run is 0. */
glnn_status glnn__kmeans_initialise(glnn__kmeans *kmeans, const glnn_dataset *data, int run);

/* ---- learner.c */

/* As glnn_learner_train, after placing centres anew, for centres without classes, on some samples
 * of a data set alone. None are kept apart. */
glnn_status glnn__kmeans_train_chosen(glnn_learner *kmeans, const glnn_dataset *data,
                                      const glnn__chosen *chosen, const glnn_train_desc *desc,
                                      glnn_train_result *result);

/* The kind, for files. */
extern const glnn__learner_type glnn__kmeans_type;

#endif
