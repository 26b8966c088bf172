#include "learn/dataset.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The order of samples is a column of float32, which holds numbers exactly up to here. */
#define MAX_SAMPLES (1 << 24)

static glnn_status check_desc(const glnn_dataset_desc *desc, const char *name)
{
    if (!desc->inputs)
        return glnn__fail(GLNN_E_ARG, "%s: the inputs are null", name);
    if (desc->samples < 1 || desc->features < 1)
        return glnn__fail(GLNN_E_ARG, "%s: %d samples of %d features; both must be at least 1",
                          name, desc->samples, desc->features);
    if (desc->samples > MAX_SAMPLES)
        return glnn__fail(GLNN_E_LIMIT, "%s: %d samples; at most %d can be numbered", name,
                          desc->samples, MAX_SAMPLES);
    if (desc->labels && desc->targets)
        return glnn__fail(GLNN_E_ARG, "%s: labels and targets exclude each other", name);
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

static glnn_status check_labels(const glnn_dataset_desc *desc, const char *name)
{
    for (int i = 0; i < desc->samples; ++i)
        if (desc->labels[i] < 0 || desc->labels[i] >= desc->classes)
            return glnn__fail(GLNN_E_FORMAT,
                              "%s: the label of sample %d is %d; there are %d classes", name, i,
                              desc->labels[i], desc->classes);
    return GLNN_OK;
}

static glnn_status upload(glnn_context *ctx, const char *name, int rows, int columns,
                          const float *data, glnn_matrix **out)
{
    return glnn_matrix_create(ctx,
                              &(glnn_matrix_desc){.rows = rows,
                                                  .columns = columns,
                                                  .layout = GLNN_LAYOUT_PAGED,
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
        status = upload(data->ctx, "labels", desc->samples, 1, column, &data->targets);
    }
    free(column);
    return status;
}

static glnn_status fill(glnn_dataset *data, const glnn_dataset_desc *desc)
{
    GLNN__TRY(
        upload(data->ctx, "inputs", desc->samples, desc->features, desc->inputs, &data->inputs));
    if (desc->labels)
        return upload_labels(data, desc);
    if (desc->targets)
        return upload(data->ctx, "targets", desc->samples, desc->outputs, desc->targets,
                      &data->targets);
    return GLNN_OK;
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
    if (desc->targets)
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
    data->outputs = desc->labels ? desc->classes : desc->targets ? desc->outputs : 0;
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
