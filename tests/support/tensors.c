#include "tensors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glnn/network.h>

#include "support.h"

glnn_tensor_info tensor_of(const glnn_learner *learner, const char *name)
{
    glnn_tensor_info info = {.size = sizeof info};
    expect_ok(glnn_learner_find_tensor(learner, name, &info));
    return info;
}

int tensor_rows(const glnn_learner *learner, const char *name)
{
    return (int)tensor_of(learner, name).shape[0];
}

/* The count of a tensor that the learner does not have is 0. */
static size_t count_of(const glnn_learner *learner, const char *name)
{
    glnn_tensor_info info = {.size = sizeof info};
    return name && !glnn_learner_find_tensor(learner, name, &info) ? info.count : 0;
}

glnn_status read_tensor(const glnn_learner *learner, const char *name, float *values)
{
    return glnn_learner_get_tensor(learner, name, count_of(learner, name), values);
}

glnn_status write_tensor(glnn_learner *learner, const char *name, const float *values)
{
    return glnn_learner_set_tensor(learner, name, count_of(learner, name), values);
}

const char *tensor_of_layer(const glnn_learner *network, int layer, const char *name)
{
    static glnn_tensor_info info;
    info.size = sizeof info;
    for (int i = 0; i < glnn_learner_get_tensor_count(network); ++i) {
        expect_ok(glnn_learner_get_tensor_info(network, i, &info));
        const size_t length = strlen(info.name), end = strlen(name);
        if (info.layer == layer && length > end && info.name[length - end - 1] == '.' &&
            strcmp(info.name + length - end, name) == 0)
            return info.name;
    }
    return NULL;
}

/* Those of a recurrent layer stand one below the other in this order. */
enum { RECURRENT_TENSORS = 4 };
static const char *const recurrent_names[RECURRENT_TENSORS] = {"weight_ih_l0", "bias_ih_l0",
                                                               "weight_hh_l0", "bias_hh_l0"};

static bool is_recurrent(const glnn_learner *network, int layer)
{
    return tensor_of_layer(network, layer, recurrent_names[0]) != NULL;
}

weights_shape weights_shape_of(const glnn_learner *network, int layer)
{
    const bool has_states = is_recurrent(network, layer);
    const char *name = tensor_of_layer(network, layer, has_states ? recurrent_names[0] : "weight");
    const glnn_matrix *matrix;
    if (!name)
        return (weights_shape){0};
    expect_ok(glnn_learner_get_tensor_matrix(network, name, &matrix));
    const int rows = glnn_matrix_get_rows(matrix), columns = glnn_matrix_get_columns(matrix);
    const bool has_biases =
        !has_states && tensor_rows(network, tensor_of_layer(network, layer, "bias")) == columns;
    return (weights_shape){rows - has_biases, columns, has_biases};
}

/* Where element `index` of a tensor stands in the matrix, by glnn/network.h. */
static size_t place_of(const glnn_tensor_info *of, size_t index)
{
    const size_t units = of->shape[0];
    if (of->dimensions == 1)
        return index;
    if (of->dimensions == 2)
        return index % of->shape[1] * units + index / of->shape[1];
    const size_t channels = of->shape[1], taps = of->shape[2] * of->shape[3];
    const size_t tap = index % taps, channel = index / taps % channels;
    return (tap * ((channels + 3) / 4 * 4) + channel) * units + index / taps / channels;
}

/* Where the biases stand that are rows of the weights. */
static size_t first_bias(const glnn_tensor_info *weights)
{
    return weights->shape[0] * ((weights->shape[1] + 3) / 4 * 4) * weights->shape[2] *
           weights->shape[3];
}

/* The matrix has columns for each gate, padded to a multiple of four. */
static size_t recurrent_place(const glnn_tensor_info *of, size_t units, size_t row, size_t index)
{
    const size_t inputs = of->dimensions == 2 ? of->shape[1] : 1, gates = of->shape[0] / units;
    const size_t unit = index / inputs, width = (units + 3) / 4 * 4;
    return (row + index % inputs) * gates * width + unit / units * width + unit % units;
}

/* Copies between the matrix and the tensors. */
static glnn_status move_recurrent(glnn_learner *network, int layer, bool reads, float *matrix)
{
    const size_t units =
        tensor_of(network, tensor_of_layer(network, layer, recurrent_names[2])).shape[1];
    glnn_status status = GLNN_OK;
    size_t row = 0;
    for (int n = 0; n < RECURRENT_TENSORS && !status; ++n) {
        const glnn_tensor_info info =
            tensor_of(network, tensor_of_layer(network, layer, recurrent_names[n]));
        float *values = malloc(info.count * sizeof *values);
        status = reads ? read_tensor(network, info.name, values) : GLNN_OK;
        for (size_t i = 0; i < info.count && !status; ++i) {
            float *place = &matrix[recurrent_place(&info, units, row, i)];
            *(reads ? place : &values[i]) = reads ? values[i] : *place;
        }
        if (!reads)
            status = write_tensor(network, info.name, values);
        free(values);
        row += info.dimensions == 2 ? info.shape[1] : 1;
    }
    return status;
}

glnn_status read_weights(const glnn_learner *network, int layer, float *weights, float *biases)
{
    const weights_shape shape = weights_shape_of(network, layer);
    glnn_status status = GLNN_OK;
    if (weights && is_recurrent(network, layer)) {
        memset(weights, 0, (size_t)shape.rows * (size_t)shape.columns * sizeof *weights);
        return move_recurrent((glnn_learner *)(uintptr_t)network, layer, true, weights);
    }
    if (weights) {
        const glnn_tensor_info info = tensor_of(network, tensor_of_layer(network, layer, "weight"));
        float *values = malloc(info.count * sizeof *values);
        status = read_tensor(network, info.name, values);
        memset(weights, 0, (size_t)shape.rows * (size_t)shape.columns * sizeof *weights);
        for (size_t i = 0; i < info.count && !status; ++i)
            weights[place_of(&info, i)] = values[i];
        free(values);
        if (!shape.has_biases && !status)
            status = read_tensor(network, tensor_of_layer(network, layer, "bias"),
                                 weights + first_bias(&info));
    }
    if (biases && !status)
        status = read_tensor(network, tensor_of_layer(network, layer, "bias"), biases);
    return status;
}

glnn_status write_weights(glnn_learner *network, int layer, const float *weights,
                          const float *biases)
{
    glnn_status status = GLNN_OK;
    if (weights && is_recurrent(network, layer))
        return move_recurrent(network, layer, false, (float *)(uintptr_t)weights);
    if (weights) {
        const glnn_tensor_info info = tensor_of(network, tensor_of_layer(network, layer, "weight"));
        float *values = malloc(info.count * sizeof *values);
        for (size_t i = 0; i < info.count; ++i)
            values[i] = weights[place_of(&info, i)];
        status = write_tensor(network, info.name, values);
        free(values);
        if (!weights_shape_of(network, layer).has_biases && !status)
            status = write_tensor(network, tensor_of_layer(network, layer, "bias"),
                                  weights + first_bias(&info));
    }
    if (biases && !status)
        status = write_tensor(network, tensor_of_layer(network, layer, "bias"), biases);
    return status;
}

void force_biases(glnn_learner *network, const char *name, const float *biases)
{
    const glnn_matrix *matrix;
    expect_ok(glnn_learner_get_tensor_matrix(network, name, &matrix));
    const glnn_rect last = {glnn_matrix_get_rows(matrix) - 1, 0, 1,
                            glnn_matrix_get_columns(matrix)};
    expect_ok(glnn_matrix_upload(glnn_test_context(), (glnn_matrix *)(uintptr_t)matrix, &last,
                                 biases, 0));
}

glnn_status read_statistics(const glnn_learner *network, int layer, float *means, float *variances)
{
    glnn_status status = GLNN_OK;
    if (means)
        status = read_tensor(network, tensor_of_layer(network, layer, "running_mean"), means);
    if (variances && !status)
        status = read_tensor(network, tensor_of_layer(network, layer, "running_var"), variances);
    return status;
}

glnn_status write_statistics(glnn_learner *network, int layer, const float *means,
                             const float *variances)
{
    glnn_status status = GLNN_OK;
    if (means)
        status = write_tensor(network, tensor_of_layer(network, layer, "running_mean"), means);
    if (variances && !status)
        status = write_tensor(network, tensor_of_layer(network, layer, "running_var"), variances);
    return status;
}

int state_count(const glnn_learner *network)
{
    glnn_tensor_info info = {.size = sizeof info};
    int count = 0, layer = -1;
    for (int i = 0; i < glnn_learner_get_tensor_count(network); ++i) {
        expect_ok(glnn_learner_get_tensor_info(network, i, &info));
        layer = layer < 0 ? info.layer : layer;
        count += info.layer == layer && strcmp(info.role, "state") == 0;
    }
    return count;
}

static const char *name_of_state(const glnn_learner *network, int layer, int state)
{
    char name[16];
    snprintf(name, sizeof name, "state.%d", state);
    return tensor_of_layer(network, layer, name);
}

glnn_status read_state(const glnn_learner *network, int layer, int state, float *values)
{
    return read_tensor(network, name_of_state(network, layer, state), values);
}

glnn_status write_state(glnn_learner *network, int layer, int state, const float *values)
{
    return write_tensor(network, name_of_state(network, layer, state), values);
}

glnn_status lvq_read(const glnn_learner *lvq, float *prototypes, int *classes)
{
    const size_t count = count_of(lvq, "classes");
    float *numbers = malloc((count + 1) * sizeof *numbers);
    glnn_status status = read_tensor(lvq, "classes", numbers);
    for (size_t p = 0; classes && p < count && !status; ++p)
        classes[p] = (int)numbers[p];
    if (prototypes && !status)
        status = read_tensor(lvq, "prototypes", prototypes);
    free(numbers);
    return status;
}

static glnn_status write_classes(glnn_learner *lvq, const int *classes)
{
    const size_t count = count_of(lvq, "classes");
    float *numbers = malloc((count + 1) * sizeof *numbers);
    for (size_t p = 0; p < count; ++p)
        numbers[p] = (float)classes[p];
    const glnn_status status = write_tensor(lvq, "classes", numbers);
    free(numbers);
    return status;
}

glnn_status lvq_write(glnn_learner *lvq, const float *prototypes, const int *classes)
{
    const glnn_status status = classes ? write_classes(lvq, classes) : GLNN_OK;
    return status ? status : write_tensor(lvq, "prototypes", prototypes);
}

static const char *const gmm_names[] = {"weights", "means", "covariances"};

glnn_status gmm_read(const glnn_learner *gmm, float *weights, float *means, float *covariances)
{
    float *const to[] = {weights, means, covariances};
    glnn_status status = GLNN_OK;
    for (int i = 0; i < 3 && !status; ++i)
        if (to[i])
            status = read_tensor(gmm, gmm_names[i], to[i]);
    return status;
}

glnn_status gmm_write(glnn_learner *gmm, const float *weights, const float *means,
                      const float *covariances)
{
    const float *const from[] = {weights, means, covariances};
    glnn_status status = GLNN_OK;
    for (int i = 0; i < 3 && !status; ++i)
        if (from[i])
            status = write_tensor(gmm, gmm_names[i], from[i]);
    return status;
}

int covariance_size(const glnn_learner *gmm)
{
    return (int)(tensor_of(gmm, "covariances").count / tensor_of(gmm, "weights").count);
}

glnn_status svm_read(const glnn_learner *svm, float *weights, float *biases)
{
    const glnn_status status = weights ? read_tensor(svm, "weight", weights) : GLNN_OK;
    return status || !biases ? status : read_tensor(svm, "bias", biases);
}

glnn_status svm_write(glnn_learner *svm, const float *weights, const float *biases)
{
    const glnn_status status = weights ? write_tensor(svm, "weight", weights) : GLNN_OK;
    return status || !biases ? status : write_tensor(svm, "bias", biases);
}
