/* Prototypes: rows of features that samples are compared with, each of a class or of none. The LVQ
 * family and k-means are made of them. */
#ifndef GLNN__PROTOTYPES_PROTOTYPES_H
#define GLNN__PROTOTYPES_PROTOTYPES_H

#include "data/batch.h"
#include "ops/scatter_add.h"
#include "prototypes/offset.h"
#include "train/learner.h"

#include <glnn/nearest.h>

/* Their numbers are float32 on the GPU, which is exact up to here. */
#define GLNN__MAX_PROTOTYPES (1 << 24)

typedef struct glnn__prototypes_desc {
    int count, features;
    bool has_classes;
    int weight_columns; /* of `weights` below: 1 or 2                                */
    int image_columns;  /* a learnt metric compares images of so many columns; 0: none */
    glnn_layout layout;
    glnn_search search;
    int capacity; /* most samples in one list of passes */
} glnn__prototypes_desc;

typedef struct glnn__prototypes {
    glnn_context *ctx;
    glnn__prototypes_desc desc;
    bool is_set;          /* the values are                                     */
    int *class_numbers;   /* of each prototype; NULL: they have no classes      */
    glnn_matrix *classes; /* the same, 1 x count                                */
    glnn__offset offset;  /* that values and input are relative to              */
    glnn_matrix *values;  /* count x features                                   */
    glnn_matrix *norms;   /* 1 x count, squared: of the values or the images    */
    bool has_norms;       /* they are those of the values as of now             */
    glnn_matrix *images;  /* of the prototypes under a learnt metric; NULL: the values */

    /* The sums of a batch. */
    glnn_matrix *sums;    /* count x features: of factor times sample                    */
    glnn_matrix *weights; /* count x 1 or 2: of factors, and of their absolute values */

    int rows;               /* of the matrices of a batch; 0: there are none                    */
    glnn_matrix *input;     /* rows x features: the samples                                     */
    glnn_matrix *points;    /* their images under a learnt metric; NULL: the input              */
    glnn_matrix *winners;   /* rows x 4, see ops/nearest.h                                      */
    glnn_matrix *distances; /* rows x 4 for each slice of features; two columns of four are used */
    glnn__scatter_add links;

    /* The last four columns of the rows of its metrics are sums over samples; the first four are
     * the moves of a batch's samples, or with RULE_POSTERIOR the numbers that its shares need. */
    glnn__trained trained;
} glnn__prototypes;

/* Replaces AUTO by the layout that is faster for the scores of a batch. */
glnn_status glnn__prototypes_choose_layout(glnn_context *ctx, int capacity, int count, int features,
                                           glnn_layout *layout);

/* The matrices of a batch are left to prepare. To be destroyed after failure too.
 * Errors: E_LIMIT, E_NOMEM, E_GL. */
glnn_status glnn__prototypes_create(glnn_context *ctx, const glnn__prototypes_desc *desc,
                                    glnn__prototypes *out);
void glnn__prototypes_destroy(glnn__prototypes *p);

/* Matrices for a batch of `rows` samples, kept if they have that size. */
glnn_status glnn__prototypes_prepare(glnn__prototypes *p, int rows);

glnn_status glnn__prototypes_set_classes(glnn__prototypes *p, const int *class_numbers);
int glnn__prototypes_class_of(const glnn__prototypes *p, int prototype); /* 0 without classes */

/* Prototypes (count x features) as the program has them, without the offset. */
glnn_status glnn__prototypes_upload(glnn__prototypes *p, const float *values);
glnn_status glnn__prototypes_download(const glnn__prototypes *p, float *values);

/* Brings the samples of a batch into p->input, relative to the offset. */
glnn_status glnn__prototypes_gather(glnn__prototypes *p, const glnn__batch *batch);

/* Brings p->rows samples of the program into p->input, relative to the offset. */
glnn_status glnn__prototypes_place(glnn__prototypes *p, const float *inputs);

/* Reads the first `count` rows of a matrix. Owner: the caller, who frees *out. */
glnn_status glnn__take_rows(glnn_context *ctx, const glnn_matrix *matrix, int count, float **out);

#endif
