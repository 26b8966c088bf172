/* Tensors of learners without their counts, and several of them at once. */
#ifndef TESTS_TENSORS_H
#define TESTS_TENSORS_H

#include <stdbool.h>
#include <stddef.h>

#include <glnn/learner.h>

glnn_tensor_info tensor_of(const glnn_learner *learner, const char *name);

/* The size of its first dimension. */
int tensor_rows(const glnn_learner *learner, const char *name);

/* All numbers of a tensor, or the status of the library's refusal. */
glnn_status read_tensor(const glnn_learner *learner, const char *name, float *values);
glnn_status write_tensor(glnn_learner *learner, const char *name, const float *values);

/* The tensor of a layer of a network with such a name, as "weight" or "state.1"; NULL: none. The
 * text lives until the next call. */
const char *tensor_of_layer(const glnn_learner *network, int layer, const char *name);

/* The weights of a layer as the columns of a matrix, with rows for the padding of a convolution,
 * and whether there are biases; zeros without weights. Biases of a transposed convolution that are
 * not as many as its columns are rows of the weights. */
typedef struct weights_shape {
    int rows, columns;
    bool has_biases;
} weights_shape;

weights_shape weights_shape_of(const glnn_learner *network, int layer);

/* In that form; either array can be NULL. Padding is read as zeros, and not written. */
glnn_status read_weights(const glnn_learner *network, int layer, float *weights, float *biases);
glnn_status write_weights(glnn_learner *network, int layer, const float *weights,
                          const float *biases);

/* Writes the biases of a layer past the check for finite numbers. */
void force_biases(glnn_learner *network, const char *name, const float *biases);

glnn_status read_statistics(const glnn_learner *network, int layer, float *means, float *variances);
glnn_status write_statistics(glnn_learner *network, int layer, const float *means,
                             const float *variances);

/* States of the optimizer for a layer with weights. */
int state_count(const glnn_learner *network);
glnn_status read_state(const glnn_learner *network, int layer, int state, float *values);
glnn_status write_state(glnn_learner *network, int layer, int state, const float *values);

/* Arrays of other learners; each can be NULL. */
glnn_status lvq_read(const glnn_learner *lvq, float *prototypes, int *classes);
glnn_status lvq_write(glnn_learner *lvq, const float *prototypes, const int *classes);
glnn_status gmm_read(const glnn_learner *gmm, float *weights, float *means, float *covariances);
glnn_status gmm_write(glnn_learner *gmm, const float *weights, const float *means,
                      const float *covariances);
glnn_status svm_read(const glnn_learner *svm, float *weights, float *biases);
glnn_status svm_write(glnn_learner *svm, const float *weights, const float *biases);

/* The numbers of one covariance. */
int covariance_size(const glnn_learner *gmm);

#endif
