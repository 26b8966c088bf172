#include "learn/dataset.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The order of samples is a column of float32, which holds numbers exactly up to here. */
#define MAX_SAMPLES (1 << 24)

/* From here on a number of 16 bits would be infinite. */
#define HALF_OVERFLOW 65520.0f

static glnn_status check_desc(const glnn_dataset_desc *desc, const char *name)
{
    if (!desc->inputs)
        return glnn__fail(GLNN_E_ARG, "%s: the inputs are null", name);
    if (desc->samples < 1 || desc->features < 1)
        return glnn__fail(GLNN_E_ARG, "%s: %d samples of %d features; both must be at least 1",
                          name, desc->samples, desc->features);
    if ((unsigned)desc->storage >= GLNN_STORAGE_COUNT)
        return glnn__fail(GLNN_E_ARG, "%s: storage %d is unknown", name, (int)desc->storage);
    if (desc->samples > MAX_SAMPLES)
        return glnn__fail(GLNN_E_LIMIT, "%s: %d samples; at most %d can be numbered", name,
                          desc->samples, MAX_SAMPLES);
    if (!desc->labels == !desc->targets)
        return glnn__fail(GLNN_E_ARG, "%s: either labels or targets are needed, not %s", name,
                          desc->labels ? "both" : "neither");
    if (desc->labels && desc->classes < 1)
        return glnn__fail(GLNN_E_ARG, "%s: %d classes; there must be at least 1", name,
                          desc->classes);
    if (desc->targets && desc->outputs < 1)
        return glnn__fail(GLNN_E_ARG, "%s: targets of length %d; it must be at least 1", name,
                          desc->outputs);
    return GLNN_OK;
}

static glnn_status check_finite(const char *name, const char *what, int rows, int columns,
                                const float *values)
{
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            const float value = values[(size_t)i * (size_t)columns + (size_t)j];
            if (!isfinite(value))
                return glnn__fail(GLNN_E_FORMAT, "%s: %s %d of sample %d is %g, not finite", name,
                                  what, j, i, (double)value);
        }
    return GLNN_OK;
}

glnn_status glnn__dataset_check_half(const glnn_dataset *data)
{
    if (data->greatest < HALF_OVERFLOW)
        return GLNN_OK;
    return glnn__fail(GLNN_E_FORMAT,
                      "%s: there is a feature of magnitude %g; float16 holds at most 65504",
                      data->name, (double)data->greatest);
}

static glnn_status check_labels(const glnn_dataset_desc *desc, const char *name)
{
    for (int i = 0; i < desc->samples; ++i)
        if (desc->labels[i] < 0 || desc->labels[i] >= desc->classes)
            return glnn__fail(GLNN_E_FORMAT,
                              "%s: the label of sample %d is %d; there are %d classes", name, i,
                              desc->labels[i], desc->classes);
    return GLNN_OK;
}

static glnn_status upload(glnn_context *ctx, const char *name, glnn_storage storage, int rows,
                          int columns, const float *data, glnn_matrix **out)
{
    return glnn_matrix_create(ctx,
                              &(glnn_matrix_desc){.rows = rows,
                                                  .columns = columns,
                                                  .layout = GLNN_LAYOUT_PAGED,
                                                  .storage = storage,
                                                  .data = data,
                                                  .name = name},
                              out);
}

/* Class numbers as a column of floats; float32 holds them exactly up to 2^24. */
static glnn_status upload_labels(glnn_dataset *data, const glnn_dataset_desc *desc)
{
    const size_t samples = (size_t)desc->samples;
    float *column = malloc(samples * sizeof *column);
    data->labels = malloc(samples * sizeof *data->labels);
    glnn_status status = GLNN_OK;
    if (!column || !data->labels) {
        status = glnn__fail(GLNN_E_NOMEM, "%s: no memory for %d labels", data->name, data->samples);
    } else {
        memcpy(data->labels, desc->labels, samples * sizeof *data->labels);
        for (size_t i = 0; i < samples; ++i)
            column[i] = (float)desc->labels[i];
        status = upload(data->ctx, "labels", GLNN_STORAGE_FLOAT32, desc->samples, 1, column,
                        &data->targets);
    }
    free(column);
    return status;
}

static float greatest_of(const float *values, size_t count)
{
    float greatest = 0;
    for (size_t i = 0; i < count; ++i)
        greatest = fmaxf(greatest, fabsf(values[i]));
    return greatest;
}

static glnn_status fill(glnn_dataset *data, const glnn_dataset_desc *desc)
{
    data->greatest = greatest_of(desc->inputs, (size_t)desc->samples * (size_t)desc->features);
    if (desc->storage == GLNN_STORAGE_FLOAT16)
        GLNN__TRY(glnn__dataset_check_half(data));
    GLNN__TRY(upload(data->ctx, "inputs", desc->storage, desc->samples, desc->features,
                     desc->inputs, &data->inputs));
    if (desc->labels)
        return upload_labels(data, desc);
    return upload(data->ctx, "targets", GLNN_STORAGE_FLOAT32, desc->samples, desc->outputs,
                  desc->targets, &data->targets);
}

glnn_status glnn_dataset_create(glnn_context *ctx, const glnn_dataset_desc *desc,
                                glnn_dataset **out)
{
    if (!ctx || !desc || !out)
        return glnn__fail(GLNN_E_ARG, "glnn_dataset_create: an argument is null");
    *out = NULL;
    const char *name = desc->name ? desc->name : "data set";
    GLNN__TRY(check_desc(desc, name));
    GLNN__TRY(check_finite(name, "feature", desc->samples, desc->features, desc->inputs));
    if (desc->labels)
        GLNN__TRY(check_labels(desc, name));
    else
        GLNN__TRY(check_finite(name, "target", desc->samples, desc->outputs, desc->targets));

    glnn_dataset *data = calloc(1, sizeof *data);
    char *copy = strdup(name);
    if (!data || !copy) {
        free(data);
        free(copy);
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a data set", name);
    }
    data->ctx = ctx;
    data->name = copy;
    data->samples = desc->samples;
    data->features = desc->features;
    data->outputs = desc->labels ? desc->classes : desc->outputs;
    glnn_status status = fill(data, desc);
    if (status)
        glnn_dataset_destroy(data);
    else
        *out = data;
    return status;
}

void glnn_dataset_destroy(glnn_dataset *data)
{
    if (!data)
        return;
    glnn_matrix_destroy(data->inputs);
    glnn_matrix_destroy(data->targets);
    free(data->labels);
    free(data->name);
    free(data);
}

int glnn_dataset_samples(const glnn_dataset *data)
{
    return data ? data->samples : 0;
}

int glnn_dataset_features(const glnn_dataset *data)
{
    return data ? data->features : 0;
}

int glnn_dataset_outputs(const glnn_dataset *data)
{
    return data ? data->outputs : 0;
}
