/* The inside of a network. */
#ifndef GLNN__NET_NETWORK_H
#define GLNN__NET_NETWORK_H

#include "layers/layer.h"
#include "learn/learner.h"
#include "learn/train/training.h"
#include "net/loss_kind.h"

/* An output. */
typedef struct glnn__output {
    int layer, columns;
    int first; /* of its columns among those of all outputs */
    glnn_loss loss;
    float parameter;
    float weight;       /* of one of several outputs */
    glnn_matrix *stats; /* rows x 2: what the softmax needs; NULL: not needed */
} glnn__output;

/* For programs that run the passes themselves (network_ends.c). */
typedef struct glnn__ends {
    bool are_open;     /* all signals have deltas; that of the input are pixels if layer 0 can take
                          pixels, whatever form the input has */
    int samples;       /* that can be run backward; 0: none   */
    bool has_gradient; /* which no update has used            */
    glnn_matrix *output_gradient; /* rows x outputs */
} glnn__ends;

typedef struct glnn__network {
    glnn_learner learner;
    glnn_context *ctx;
    glnn_network_desc desc; /* defaults filled in */
    glnn__layer layers[GLNN_NETWORK_MAX_LAYERS];
    int rows;           /* of the matrices of a batch; 0: none */
    bool is_computed;   /* the layers have outputs of samples       */
    bool is_trained;    /* of samples of a gradient, for which all layers were computed */
    glnn__signal input; /* the samples of the batch */
    glnn_matrix *flat;  /* the same, as data sets have them; NULL: `input` has that form */
    glnn__output outputs[GLNN_NETWORK_MAX_OUTPUTS];
    int output_count;
    glnn__value step; /* the number of the step under way, modulo 2^32    */
    glnn__ends ends;
    glnn__squares squares; /* of the gradients of all layers; NULL: not needed */
    glnn__loss_expressions expressions;
} glnn__network;

/* NULL for NULL, and for a learner of another kind. */
static inline glnn__network *glnn__network_of(const glnn_learner *learner)
{
    return glnn__learner_of_kind(learner, GLNN_LEARNER_NETWORK);
}

/* Matrices of state that the optimizer has for each layer with parameters. */
static inline int glnn__network_states(const glnn__network *network)
{
    return glnn__optimizer_states(&network->desc.optimizer);
}

/* As glnn__learner_type. */
glnn_status glnn__network_build(void *self, const void *desc);
void glnn__network_destroy(void *self);
glnn_status glnn__network_export_c(const void *self, const char *path, const char *name);

/* Updates all layers by the sums of their gradients. */
glnn_status glnn__network_apply(glnn__network *network, const glnn__sink *sink);

extern const struct glnn__file_form glnn__network_file;
extern const glnn__learner_type glnn__network_type;

/* The numbers of an output. */
glnn__signal *glnn__network_output(glnn__network *network, int output);

/* Whether the output of a layer is one of the network. */
bool glnn__network_is_output(const glnn__network *network, int layer);

/* The first layer that has parameters. Training runs backward to its output. */
int glnn__network_lowest(const glnn__network *network);

/* Numbers that a sample's prediction has, and classes that those of the first output tell apart. */
int glnn__network_outputs(const glnn__network *network);
int glnn__network_classes(const glnn__network *network);

/* The matrix that takes the samples of a batch, samples x features. */
glnn_matrix *glnn__network_samples(const glnn__network *network);

/* Makes the matrices of a batch for `rows` samples, or keeps them where they have that size. */
glnn_status glnn__network_prepare(glnn__network *network, int rows);

/* Makes those of at least so many samples, with all deltas. */
glnn_status glnn__network_open(glnn__network *network, int samples);

#endif
