/* Training steps of GLVQ: made-up samples, the CPU's way, and double precision to judge by. */
#ifndef BENCH_GLVQ_H
#define BENCH_GLVQ_H

#include <stdbool.h>
#include <stddef.h>

#define GLVQ_RATE  0.01f
#define GLVQ_XI    20.0f
#define GLVQ_SCALE 160.0f

typedef struct glvq_case {
    int classes, prototypes; /* prototypes of each class */
    int features, batch;
} glvq_case;

int glvq_count(const glvq_case *of);

/* A mixture of Gaussians, one a class: features around 0, of variance 1 within a class and 1/6 of
 * the means between classes, so that a class has some others near it. The same in every run. */
typedef struct glvq_data {
    int samples;
    float *inputs;     /* samples x features                          */
    int *labels;       /* samples                                     */
    float *prototypes; /* count x features, near the means, by class  */
} glvq_data;

glvq_data glvq_data_new(const glvq_case *of, int samples);
void glvq_data_free(glvq_data *data);

/* The parts of a step. */
typedef enum glvq_phase {
    GLVQ_DISTANCE, /* of all samples and all prototypes                            */
    GLVQ_MINIMUM,  /* the nearest of the sample's class, the nearest of the others */
    GLVQ_UPDATE,   /* all the rest                                                 */
    GLVQ_PHASES
} glvq_phase;

typedef enum glvq_way {
    GLVQ_PLAIN,    /* sum of squared differences, one after another      */
    GLVQ_UNROLLED, /* four sums side by side, which a compiler vectorises */
    GLVQ_BLAS      /* matrix products by OpenBLAS, and norms              */
} glvq_way;

/* A classifier in main memory, float32. A batch does what glnn/lvq.h says. */
typedef struct glvq {
    glvq_case of;
    glvq_way way;
    float rate, scale; /* GLVQ_RATE and GLVQ_SCALE, unless the caller changes them */
    float *prototypes;
    double seconds[GLVQ_PHASES]; /* so far */

    float *scores; /* some samples x count    */
    float *norms;  /* of prototypes           */
    struct glvq_move *moves;
    int *places;           /* of prototypes among those that move; -1: not moved  */
    int *moved;            /* prototypes that move                                */
    float *sums, *weights; /* of what they add: a row of features each; sum of |a| */
} glvq;

glvq glvq_new(const glvq_case *of, const glvq_data *data, glvq_way way);
void glvq_free(glvq *g);

/* One step by the samples from `first` on. */
void glvq_step(glvq *g, const glvq_data *data, int first);

/* The share of samples whose nearest prototype is of another class. */
double glvq_error(glvq *g, const glvq_data *data);

/* The prototypes after one step by the first batch, in double precision. */
typedef struct glvq_reference {
    int count, features;
    double *prototypes;
    double *bounds; /* of the error of each coordinate; infinite: no telling */
} glvq_reference;

glvq_reference glvq_reference_new(const glvq_case *of, const glvq_data *data);
void glvq_reference_free(glvq_reference *r);

/* The greatest error of prototypes in units of its bound. */
double glvq_judge(const glvq_reference *r, const float *prototypes);

#endif
