#include "data/dataset.h"

#include "base/status.h"
#include "data/check.h"

glnn_status glnn__dataset_create_targets(glnn_dataset *data, int samples)
{
    const int columns = glnn__target_columns(data->outputs, data->labels);
    return glnn__matrix_create_scratch(data->ctx, GLNN_LAYOUT_PAGED, samples, columns,
                                       data->labels ? "labels" : "targets", &data->targets);
}

glnn_status glnn__dataset_create_matrices(glnn_dataset *data, int samples, glnn_storage storage)
{
    GLNN__TRY(glnn__matrix_create_undefined(data->ctx, GLNN_LAYOUT_PAGED, storage, samples,
                                            data->features, "inputs", &data->inputs));
    return glnn__dataset_create_targets(data, samples);
}

glnn_status glnn__dataset_check_half(const glnn_dataset *data)
{
    if (data->greatest < GLNN__HALF_OVERFLOW)
        return GLNN_OK;
    return glnn__fail(GLNN_E_FORMAT,
                      "%s: a feature has magnitude %g; float16 represents at most 65504",
                      data->name, (double)data->greatest);
}

/* A constant data set can have another owner: nothing that the caller can ask for changes. */
glnn_dataset *glnn__dataset_share(const glnn_dataset *data)
{
    glnn_dataset *shared = (glnn_dataset *)data;
    ++shared->owners;
    return shared;
}

bool glnn_dataset_is_streamed(const glnn_dataset *data)
{
    return data && data->stream;
}

int64_t glnn_dataset_get_samples(const glnn_dataset *data)
{
    return data ? data->samples : 0;
}

int glnn_dataset_get_features(const glnn_dataset *data)
{
    return data ? data->features : 0;
}

int glnn_dataset_get_outputs(const glnn_dataset *data)
{
    return data ? data->outputs : 0;
}
