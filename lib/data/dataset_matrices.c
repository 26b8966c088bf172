/* Data sets whose samples stay in matrices of the program. */
#include "base/string.h"
#include "data/dataset.h"

#include "base/sized.h"
#include "base/status.h"
#include "data/order.h"
#include "gl/lifetime.h"
#include "ops/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static glnn_status check_targets(const glnn_context *ctx, const char *subject,
                                 const glnn_dataset_matrices_desc *desc)
{
    const glnn_matrix *targets = desc->targets;
    if (desc->labels && targets)
        return glnn__fail(GLNN_E_ARG,
                          "%s: `labels` and `targets` are both given; a data set has one of them",
                          subject);
    GLNN__TRY(glnn__dataset_check_pair(subject, "labels", desc->labels, "classes", desc->classes));
    if (!targets)
        return GLNN_OK;
    GLNN__TRY(glnn__check_operand(ctx, subject, "targets", targets));
    return glnn__check_shape(subject, "targets", targets, desc->inputs->rows, targets->columns);
}

static glnn_status check(const glnn_context *ctx, const char *subject,
                         const glnn_dataset_matrices_desc *desc)
{
    GLNN__TRY(glnn__check_operand(ctx, subject, "inputs", desc->inputs));
    GLNN__TRY(check_targets(ctx, subject, desc));
    if (desc->inputs->rows > GLNN__MAX_NUMBERED)
        return glnn__fail(GLNN_E_LIMIT, "%s: %d samples; a resident data set has at most %d",
                          subject, desc->inputs->rows, GLNN__MAX_NUMBERED);
    return GLNN_OK;
}

/* Copies the labels to a matrix, next to weights of 1. */
static glnn_status upload_labels(const char *subject, glnn_dataset *data)
{
    GLNN__TRY(glnn__dataset_create_targets(data, data->samples));
    const size_t columns = (size_t)data->targets->columns, samples = (size_t)data->samples;
    float *numbers = malloc(samples * columns * sizeof *numbers);
    if (!numbers)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu labels", subject, samples);
    for (size_t i = 0; i < samples; ++i) {
        numbers[i * columns] = (float)data->labels[i];
        numbers[i * columns + 1] = 1;
    }
    const glnn_status status = glnn_matrix_upload(data->ctx, data->targets, NULL, numbers, 0);
    free(numbers);
    return status;
}

static glnn_status take(const char *subject, const glnn_dataset_matrices_desc *desc,
                        glnn_dataset *data)
{
    data->inputs = glnn__matrix_share(desc->inputs);
    data->targets = desc->targets ? glnn__matrix_share(desc->targets) : NULL;
    data->may_change = true;
    data->samples = desc->inputs->rows;
    data->features = desc->inputs->columns;
    data->outputs = desc->targets ? desc->targets->columns : desc->classes;
    data->name = glnn__string_copy(desc->name ? desc->name : "data set");
    if (!data->name)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a data set", subject);
    if (!desc->labels)
        return GLNN_OK;
    GLNN__TRY(glnn__dataset_take_labels(subject, desc->labels, data));
    return upload_labels(subject, data);
}

static glnn_status create(glnn_context *ctx, const char *subject,
                          const glnn_dataset_matrices_desc *desc, glnn_dataset **out)
{
    GLNN__TRY(check(ctx, subject, desc));
    glnn_dataset *data = calloc(1, sizeof *data);
    if (!data)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a data set", subject);
    data->ctx = ctx;
    data->owners = 1;
    const glnn_status status = take(subject, desc, data);
    if (status)
        glnn__dataset_release(data);
    else
        *out = data;
    return status;
}

glnn_status glnn_dataset_create_from_matrices(glnn_context *ctx,
                                              const glnn_dataset_matrices_desc *desc,
                                              glnn_dataset **out)
{
    char subject[256];
    GLNN__NOT_NULL(out);
    *out = NULL;
    GLNN__CONTEXT(ctx);
    GLNN__NOT_NULL(desc);
    GLNN__TRY(glnn__fail_in(__func__, GLNN__RESERVED_CHECK(glnn_dataset_matrices_desc, desc)));
    snprintf(subject, sizeof subject, desc->name ? "%s: %s" : "%s", __func__, desc->name);
    GLNN__TRY(create(ctx, subject, desc, out));
    glnn__dataset_add_object(*out);
    return GLNN_OK;
}
