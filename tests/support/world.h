/* One object of every kind in a context of its own, for tests of the whole interface. */
#ifndef TESTS_WORLD_H
#define TESTS_WORLD_H

#include "support.h"

#include <glnn/glnn.h>

enum { WORLD_SAMPLES = 64, WORLD_FEATURES = 4, WORLD_CLASSES = 2, WORLD_ROOM = 1024 };

/* Samples, and room for whatever a call returns. */
typedef struct world {
    float inputs[WORLD_SAMPLES * WORLD_FEATURES];
    int labels[WORLD_SAMPLES];
    float floats[WORLD_ROOM];
    int ints[WORLD_ROOM];

    glnn_context *ctx;
    glnn_matrix *a, *b, *c; /* 4 x 4 zeros, TILED */
    glnn_matrix *column;    /* 4 x 1 */
    glnn_download *download;
    glnn_kernel *kernel;         /* of one operand, X */
    glnn_list *list;             /* copies a to c */
    glnn_dataset *data, *stream; /* the same samples, resident and streamed */
    glnn_learner *network;
    glnn_learner *lvq;
    glnn_learner *kmeans;
    glnn_learner *gmm;
    glnn_learner *svm;
    glnn_trainer *trainer;       /* of the network; a step was made, the stream is being read */
    glnn_inspection *inspection; /* of that step                                                  */
    glnn_projection *projection; /* NULL in a library without LAPACK */
} world;

world *world_create(void);

/* In a context of this description. */
world *world_create_in(const glnn_context_desc *desc);

/* The context may have been destroyed before. */
void world_destroy(world *w);

#endif
