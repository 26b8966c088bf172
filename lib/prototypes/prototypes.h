/* Prototypes: rows of features that samples are compared with, each of a class or of none. The LVQ
 * family and k-means are made of them. */
#ifndef GLNN__PROTOTYPES_PROTOTYPES_H
#define GLNN__PROTOTYPES_PROTOTYPES_H

#include "data/batch.h"
#include "learn/learner.h"
#include "ops/scatter_add.h"
#include "tex/matrices.h"

#include <glnn/nearest.h>

/* Their numbers are float32 on the GPU, which is exact up to here. */
#define GLNN__MAX_PROTOTYPES (1 << 24)

/* Samples and prototypes are compared directly, or by their images under a learnt map. */
typedef enum glnn__metric {
    GLNN__METRIC_PLAIN,
    GLNN__METRIC_ROOTS, /* x times `learnt`, 1 x features                      */
    GLNN__METRIC_OMEGA  /* `learnt` times x, as many rows as the images have columns */
} glnn__metric;

typedef struct glnn__prototypes_desc {
    const char *name; /* of one of them, for sentences: "centre"                     */
    int count, features;
    int classes;        /* 0: they have none                                       */
    const int *counts;  /* of the prototypes of each class; NULL: they are equal   */
    int weight_columns; /* of `weights` below: 1 or 2                             */
    glnn__metric metric;
    bool keeps_norms; /* they serve searches of several batches                   */
    bool two_parts;   /* the values have low digits                               */

    /* Parameters next to the values, float32; NULL: there are none. */
    struct {
        const char *name;
        glnn_layout layout; /* AUTO: that of the prototypes */
        int rows, columns;
    } learnt;

    glnn_layout layout;
    glnn_search search;
    int capacity; /* most samples in one list of passes */
} glnn__prototypes_desc;

/* Flags of what is that of the values as of now, and of k-means. */
enum {
    GLNN__HAS_NORMS = 1,
    GLNN__HAS_IMAGES = 2,
    GLNN__LOOKS_FAR = 4, /* a step looks for samples far from their centres */
    GLNN__SHIFTS = 8     /* the offset is used                              */
};

/* The first member of every learner that is made of prototypes. */
typedef struct glnn__prototypes {
    /* The last four columns of the rows of its metrics are sums over samples; the first four are
     * the moves of a batch's samples, or with RULE_POSTERIOR the numbers that its shares need. */
    glnn_learner learner;
    glnn_context *ctx;
    glnn__prototypes_desc desc;
    bool is_set;          /* the values are                                     */
    int *class_numbers;   /* of each prototype; NULL: they have no classes      */
    glnn_matrix *classes; /* the same, 1 x count                                */
    glnn_matrix *values;  /* count x features                                   */
    glnn_matrix *low;     /* the same: their low digits; NULL: they have none   */
    glnn_matrix *moved;   /* the same, with low digits: how far they should go  */
    glnn_matrix *learnt;  /* NULL: nothing else is learnt                       */

    /* Values and input are relative to an offset. Scores |m|^2 - 2 x m cancel where |m| is large
     * against the distances between prototypes. It is used only where that matters: other data keep
     * their passes and their bits. */
    glnn_matrix *offset; /* 1 x features; 0 where a feature is not shifted */
    bool uses_offset;

    glnn_matrix *norms;  /* 1 x count, squared: of the values or the images      */
    glnn_matrix *images; /* of the prototypes under the metric; NULL: the values */

    /* The sums of a batch. */
    glnn_matrix *sums;    /* count x features: of factor times sample                    */
    glnn_matrix *weights; /* count x 1 or 2: of factors, and of their absolute values */

    int rows;               /* of the matrices of a batch; 0: there are none                    */
    glnn_matrix *input;     /* rows x features: the samples                                     */
    glnn_matrix *points;    /* their images under a learnt metric; NULL: the input              */
    glnn_matrix *winners;   /* rows x 4, see ops/nearest.h                                      */
    glnn_matrix *distances; /* rows x 4 for each slice of features; two columns of four are used */
    glnn__scatter_add links;
} glnn__prototypes;

/* AUTO becomes the layout that is faster for the scores of a batch. The matrices of a batch are
 * left to prepare. The learner has its type and context. To be destroyed after failure too.
 * Errors: E_LIMIT, E_NOMEM, E_GL. */
glnn_status glnn__prototypes_create(const glnn__prototypes_desc *desc, glnn__prototypes *out);
void glnn__prototypes_destroy(glnn__prototypes *p);

/* Matrices for a batch of `rows` samples, kept if they have that size. */
glnn_status glnn__prototypes_prepare(glnn__prototypes *p, int rows);

/* Numbers the prototypes as the description counts them, class by class; or by these classes. */
glnn_status glnn__prototypes_number_classes(glnn__prototypes *p);
glnn_status glnn__prototypes_set_classes(glnn__prototypes *p, const float *values);
int glnn__prototypes_class_of(const glnn__prototypes *p, int prototype); /* 0 without classes */

/* ---- values.c */

/* Reads the first `count` rows of a matrix. Owner: the caller, who frees *out. */
glnn_status glnn__take_rows(glnn_context *ctx, const glnn_matrix *matrix, int count, float **out);

/* Prototypes (count x features) as the program has them, without the offset. Upload finds the
 * offset. */
glnn_status glnn__prototypes_upload(glnn__prototypes *p, const float *values);
glnn_status glnn__prototypes_download(const glnn__prototypes *p, float *values);

/* Takes the offset from samples, by one pass where it is used, else by none. */
glnn_status glnn__prototypes_shift(const glnn__prototypes *p, glnn_matrix *samples);

/* Outputs of a sample: a score of each class, or without classes of each prototype. */
static inline int glnn__prototypes_outputs(const glnn__prototypes *p)
{
    return p->desc.classes > 0 ? p->desc.classes : p->desc.count;
}

/* As glnn__learner_type. `self` is a learner whose first member is its prototypes. */
void glnn__prototypes_visit(void *self, glnn__visitor *visitor);
void glnn__prototypes_follow_change(void *self);

/* As `forget` there. */
static inline void glnn__prototypes_forget(void *self)
{
    ((glnn__prototypes *)self)->is_set = false;
}

void glnn__prototypes_describe_step(const void *self, int samples, glnn__task_work *out);

/* ---- prototypes.c */

/* To be called when values or what is learnt with them have changed on the GPU. */
static inline void glnn__prototypes_changed(glnn__prototypes *p)
{
    p->learner.flags &= ~(unsigned)(GLNN__HAS_NORMS | GLNN__HAS_IMAGES);
}

/* out = x under the metric, which is not plain. */
glnn_status glnn__prototypes_map(const glnn__prototypes *p, const glnn_matrix *x, glnn_matrix *out);

/* Brings the samples of a batch or piece into p->input, relative to the offset, and finds their
 * images and those of the prototypes. */
glnn_status glnn__prototypes_gather(glnn__prototypes *p, const glnn__batch *batch);
glnn_status glnn__prototypes_place(glnn__prototypes *p, const glnn__piece *piece);

#endif
