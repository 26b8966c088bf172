#include "data/dataset.h"

#include "base/status.h"
#include "data/order.h"
#include "data/stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of texels that samples are brought into textures with at a time. */
#define PART_BYTES ((size_t)4 << 20)

/* Labels come with classes, and targets with outputs. */
static glnn_status check_pair(const char *name, const char *values, bool are_given,
                              const char *counted, int count)
{
    if (are_given && count < 1)
        return glnn__fail(GLNN_E_ARG, "%s: %s, but %d %s; there must be at least 1", name, values,
                          count, counted);
    if (!are_given && count != 0)
        return glnn__fail(GLNN_E_ARG, "%s: %d %s, but the %s are null", name, count, counted,
                          values);
    return GLNN_OK;
}

static glnn_status check_desc(const glnn_dataset_desc *desc, const char *name)
{
    if (desc->samples < 1 || desc->features < 1)
        return glnn__fail(GLNN_E_ARG, "%s: %d samples of %d features; both must be at least 1",
                          name, desc->samples, desc->features);
    if ((unsigned)desc->storage >= GLNN_STORAGE_COUNT)
        return glnn__fail(GLNN_E_ARG, "%s: storage %d is unknown", name, (int)desc->storage);
    if (desc->labels && desc->targets)
        return glnn__fail(GLNN_E_ARG, "%s: labels and targets exclude each other", name);
    GLNN__TRY(check_pair(name, "labels", desc->labels, "classes", desc->classes));
    GLNN__TRY(check_pair(name, "targets", desc->targets, "outputs", desc->outputs));
    if (desc->class_weights && !desc->labels)
        return glnn__fail(GLNN_E_ARG, "%s: weights of classes need labels", name);
    if (desc->sample_weights && !desc->labels && !desc->targets)
        return glnn__fail(GLNN_E_ARG, "%s: weights of samples need labels or targets", name);
    return GLNN_OK;
}

static glnn_status lack_memory(const glnn_dataset_desc *desc, const char *name)
{
    return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a data set of %d samples", name,
                      desc->samples);
}

static glnn_status take_labels(const glnn_dataset_desc *desc, glnn_dataset *data)
{
    if (!desc->labels)
        return GLNN_OK;
    data->labels = malloc((size_t)desc->samples * sizeof *data->labels);
    if (!data->labels)
        return lack_memory(desc, data->name);
    for (int i = 0; i < desc->samples; ++i) {
        data->labels[i] = desc->labels[i];
        if (data->labels[i] < 0 || data->labels[i] >= desc->classes)
            return glnn__fail(GLNN_E_FORMAT,
                              "%s: the label of sample %d is %d; there are %d classes", data->name,
                              i, data->labels[i], desc->classes);
    }
    return GLNN_OK;
}

/* The mean target. */
static glnn_status take_means(const glnn_dataset_desc *desc, glnn_dataset *data)
{
    const size_t outputs = (size_t)desc->outputs;
    if (!desc->targets)
        return GLNN_OK;
    data->means = calloc(outputs, sizeof *data->means);
    if (!data->means)
        return lack_memory(desc, data->name);
    for (size_t i = 0; i < (size_t)desc->samples; ++i)
        for (size_t j = 0; j < outputs; ++j)
            data->means[j] += (double)desc->targets[i * outputs + j];
    /* Divided at the end, so that the mean of equal targets is exactly their value. */
    for (size_t j = 0; j < outputs; ++j)
        data->means[j] /= desc->samples;
    return GLNN_OK;
}

/* All `count` weights are finite and not negative; `what` each is of. */
static glnn_status check_weights(const char *name, const char *what, int count,
                                 const float *weights)
{
    for (int i = 0; weights && i < count; ++i)
        if (!(weights[i] >= 0) || !isfinite(weights[i]))
            return glnn__fail(GLNN_E_FORMAT,
                              "%s: the weight of %s %d is %g; it has to be finite and not negative",
                              name, what, i, (double)weights[i]);
    return GLNN_OK;
}

/* The products of each sample's own weight and its class's. */
static glnn_status take_weights(const glnn_dataset_desc *desc, glnn_dataset *data)
{
    if (!desc->sample_weights && !desc->class_weights)
        return GLNN_OK;
    GLNN__TRY(check_weights(data->name, "sample", desc->samples, desc->sample_weights));
    GLNN__TRY(check_weights(data->name, "class", desc->classes, desc->class_weights));
    data->weights = malloc((size_t)desc->samples * sizeof *data->weights);
    if (!data->weights)
        return lack_memory(desc, data->name);
    bool any = false;
    for (int i = 0; i < desc->samples; ++i) {
        const float own = desc->sample_weights ? desc->sample_weights[i] : 1;
        const float of_class = desc->class_weights ? desc->class_weights[desc->labels[i]] : 1;
        data->weights[i] = own * of_class;
        if (!isfinite(data->weights[i]))
            return glnn__fail(GLNN_E_FORMAT,
                              "%s: the weight %g of sample %d times the weight %g of its class %d "
                              "is above the largest float32",
                              data->name, (double)own, i, (double)of_class, desc->labels[i]);
        any = any || data->weights[i] > 0;
    }
    return any ? GLNN_OK : glnn__fail(GLNN_E_ARG, "%s: no sample has a weight above 0", data->name);
}

static glnn_status upload_rows(glnn_matrix *matrix, int first, int count, const float *texels)
{
    const glnn_rect rows = {first, 0, count, matrix->columns};
    return glnn_matrix_upload(matrix->ctx, matrix, &rows, texels,
                              (int)glnn__texel_floats(matrix->columns));
}

static float greatest_of(const float *values, size_t count, float greatest)
{
    for (size_t i = 0; i < count; ++i)
        greatest = fmaxf(greatest, fabsf(values[i]));
    return greatest;
}

/* Part by part, so that samples are checked and packed while the caches have them. */
static glnn_status fill(glnn_dataset *data, const glnn__source *source)
{
    const size_t input_floats = glnn__texel_floats(data->inputs->columns);
    const size_t target_floats = glnn__texel_floats(data->targets->columns);
    const size_t fitting = PART_BYTES / sizeof(float) / (input_floats + target_floats);
    const int rows = fitting < 1 ? 1 : (int)fitting;
    float *texels = malloc((size_t)rows * (input_floats + target_floats) * sizeof *texels);
    if (!texels)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory to pack %d samples", data->name, rows);
    glnn_status status = GLNN_OK;
    for (int first = 0; first < data->samples && !status; first += rows) {
        const int count = data->samples - first < rows ? data->samples - first : rows;
        float *targets = texels + (size_t)rows * input_floats;
        status = glnn__collect(
            source, &(glnn__collection){
                        .first = first, .count = count, .inputs = texels, .targets = targets});
        data->greatest = greatest_of(texels, (size_t)count * input_floats, data->greatest);
        if (!status && data->inputs->storage == GLNN_STORAGE_FLOAT16)
            status = glnn__dataset_check_half(data);
        if (!status)
            status = upload_rows(data->inputs, first, count, texels);
        if (!status)
            status = upload_rows(data->targets, first, count, targets);
    }
    free(texels);
    return status;
}

static glnn_status make_resident(glnn_dataset *data, const glnn__source *source,
                                 glnn_storage storage)
{
    if (data->samples > GLNN__MAX_NUMBERED)
        return glnn__fail(GLNN_E_LIMIT,
                          "%s: %d samples; at most %d can be numbered on the GPU, unless the data "
                          "set streams",
                          data->name, data->samples, GLNN__MAX_NUMBERED);
    GLNN__TRY(glnn__dataset_create_matrices(data, data->samples, storage));
    return fill(data, source);
}

/* Takes source->file over where the set streams. */
static glnn_status bring(glnn_dataset *data, glnn__source *source, const glnn_dataset_desc *desc)
{
    const size_t budget = desc->texture_budget;
    source->name = data->name;
    source->labels = data->labels;
    source->weights = data->weights;
    source->means = data->means;
    if (budget == 0 || glnn__stream_fits(data->ctx, source, data->samples, budget))
        return make_resident(data, source, desc->storage);
    GLNN__TRY(glnn__stream_create(source, budget, &data->stream));
    source->file = (glnn__mapping){0};
    return glnn__stream_check(data, 1);
}

/* Copies what stays in main memory, and brings the samples to the GPU or lets them stream. */
static glnn_status take(const glnn_dataset_desc *desc, glnn__source *source, glnn_dataset *data)
{
    data->name = strdup(source->name);
    if (!data->name)
        return lack_memory(desc, source->name);
    GLNN__TRY(take_labels(desc, data));
    GLNN__TRY(take_means(desc, data));
    GLNN__TRY(take_weights(desc, data));
    return bring(data, source, desc);
}

static glnn_status create(glnn_context *ctx, const glnn_dataset_desc *desc, glnn__source *source,
                          glnn_dataset **out)
{
    GLNN__TRY(check_desc(desc, source->name));
    source->outputs = desc->labels ? desc->classes : desc->outputs;
    glnn_dataset *data = calloc(1, sizeof *data);
    if (!data)
        return lack_memory(desc, source->name);
    data->ctx = ctx;
    data->samples = desc->samples;
    data->features = desc->features;
    data->outputs = source->outputs;
    const glnn_status status = take(desc, source, data);
    if (status)
        glnn_dataset_destroy(data);
    else
        *out = data;
    return status;
}

glnn_status glnn__dataset_create(glnn_context *ctx, const glnn_dataset_desc *desc,
                                 const unsigned char *inputs, glnn__mapping *file,
                                 glnn_dataset **out)
{
    glnn__source source = {
        .name = desc->name ? desc->name : "data set",
        .inputs = inputs,
        .targets = desc->targets,
        .features = desc->features,
        .file = *file,
    };
    *file = (glnn__mapping){0};
    const glnn_status status = create(ctx, desc, &source, out);
    glnn__mapping_close(&source.file);
    return status;
}

glnn_status glnn_dataset_create(glnn_context *ctx, const glnn_dataset_desc *desc,
                                glnn_dataset **out)
{
    if (!ctx || !desc || !out)
        return glnn__fail(GLNN_E_ARG, "glnn_dataset_create: an argument is null");
    *out = NULL;
    if (!desc->inputs)
        return glnn__fail(GLNN_E_ARG, "%s: the inputs are null",
                          desc->name ? desc->name : "data set");
    return glnn__dataset_create(ctx, desc, (const unsigned char *)desc->inputs, &(glnn__mapping){0},
                                out);
}

void glnn_dataset_destroy(glnn_dataset *data)
{
    if (!data)
        return;
    glnn__stream_destroy(data->stream);
    glnn_matrix_destroy(data->inputs);
    glnn_matrix_destroy(data->targets);
    free(data->labels);
    free(data->weights);
    free(data->means);
    free(data->name);
    free(data);
}
