#include "base/string.h"
#include "data/dataset.h"

#include "base/checksum.h"
#include "base/log.h"
#include "base/status.h"
#include "data/order.h"
#include "data/stream.h"
#include "gl/lifetime.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of texels that are uploaded at a time. */
#define PART_BYTES ((size_t)4 << 20)

/* A data set that is being made. */
typedef struct making {
    const char *subject; /* begins the sentence of an error: the called function, and a name */
    glnn_dataset_desc *desc;
    glnn__source *source;
    glnn_dataset *data;
} making;

glnn_status glnn__dataset_check_counts(const char *subject, const glnn_dataset_desc *desc)
{
    if (desc->samples < 1 || desc->features < 1)
        return glnn__fail(GLNN_E_ARG,
                          "%s: %" PRId64 " samples of %d features; both must be at least 1",
                          subject, desc->samples, desc->features);
    if (desc->samples > INT_MAX)
        return glnn__fail(GLNN_E_LIMIT, "%s: %" PRId64 " samples; a data set has at most %d",
                          subject, desc->samples, INT_MAX);
    return GLNN_OK;
}

/* Labels come with classes, and targets with outputs. */
glnn_status glnn__dataset_check_pair(const char *subject, const char *values, bool are_given,
                                     const char *counted, int count)
{
    if (are_given && count < 1)
        return glnn__fail(GLNN_E_ARG, "%s: %s are given, but `%s` is %d; it must be at least 1",
                          subject, values, counted, count);
    if (!are_given && count != 0)
        return glnn__fail(GLNN_E_ARG, "%s: `%s` is %d, but `%s` is null", subject, counted, count,
                          values);
    return GLNN_OK;
}

/* Fills in the defaults. */
static glnn_status check_desc(const char *subject, glnn_dataset_desc *desc)
{
    GLNN__TRY(glnn__fail_in(subject, glnn__fields_check(&glnn__dataset_fields, desc)));
    GLNN__TRY(glnn__dataset_check_counts(subject, desc));
    if ((unsigned)desc->storage > GLNN_STORAGE_FLOAT16)
        return glnn__fail(GLNN_E_ARG, "%s: `storage` is %d; it must be float32 or float16", subject,
                          (int)desc->storage);
    if (desc->labels && desc->targets)
        return glnn__fail(GLNN_E_ARG,
                          "%s: `labels` and `targets` are both given; a data set has one of them",
                          subject);
    GLNN__TRY(glnn__dataset_check_pair(subject, "labels", desc->labels, "classes", desc->classes));
    GLNN__TRY(
        glnn__dataset_check_pair(subject, "targets", desc->targets, "outputs", desc->outputs));
    if (desc->class_weights && !desc->labels)
        return glnn__fail(GLNN_E_ARG, "%s: `class_weights` needs `labels`", subject);
    if (desc->sample_weights && !desc->labels && !desc->targets)
        return glnn__fail(GLNN_E_ARG, "%s: `sample_weights` needs `labels` or `targets`", subject);
    return GLNN_OK;
}

static glnn_status lack_memory(const making *of)
{
    return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a data set of %" PRId64 " samples",
                      of->subject, of->desc->samples);
}

glnn_status glnn__dataset_take_labels(const char *subject, const int *labels, glnn_dataset *data)
{
    data->labels = malloc((size_t)data->samples * sizeof *labels);
    if (!data->labels)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %d labels", subject, data->samples);
    for (int i = 0; i < data->samples; ++i) {
        data->labels[i] = labels[i];
        if (labels[i] < 0 || labels[i] >= data->outputs)
            return glnn__fail(GLNN_E_FORMAT,
                              "%s: the label of sample %d is %d; there are %d classes", subject, i,
                              labels[i], data->outputs);
    }
    return GLNN_OK;
}

static glnn_status take_means(const making *of)
{
    const glnn_dataset_desc *desc = of->desc;
    const size_t outputs = (size_t)desc->outputs;
    if (!desc->targets)
        return GLNN_OK;
    double *means = of->data->means = calloc(outputs, sizeof *means);
    if (!means)
        return lack_memory(of);
    for (size_t i = 0; i < (size_t)desc->samples; ++i)
        for (size_t j = 0; j < outputs; ++j) {
            const float target = desc->targets[i * outputs + j];
            means[j] += (double)target;
            if (of->data->odd_target == 0 && (target < 0 || target > 1))
                of->data->odd_target = target;
        }
    /* Divided at the end, so that the mean of equal targets is exactly their value. */
    for (size_t j = 0; j < outputs; ++j)
        means[j] /= (double)desc->samples;
    return GLNN_OK;
}

/* Checks that the weights are finite and not negative. `kind` is "sample" or "class". */
static glnn_status check_weights(const making *of, const char *kind, int64_t count,
                                 const float *weights)
{
    for (int64_t i = 0; weights && i < count; ++i)
        if (!(weights[i] >= 0) || !isfinite(weights[i]))
            return glnn__fail(GLNN_E_FORMAT,
                              "%s: the weight of %s %" PRId64
                              " is %g; it must be finite and not negative",
                              of->subject, kind, i, (double)weights[i]);
    return GLNN_OK;
}

/* Multiplies each sample's weight and the weight of its class. */
static glnn_status multiply_weights(const making *of, float *weights)
{
    const glnn_dataset_desc *desc = of->desc;
    bool any = false;
    for (int64_t i = 0; i < desc->samples; ++i) {
        const float own = desc->sample_weights ? desc->sample_weights[i] : 1;
        const float of_class = desc->class_weights ? desc->class_weights[desc->labels[i]] : 1;
        weights[i] = own * of_class;
        if (!isfinite(weights[i]))
            return glnn__fail(GLNN_E_FORMAT,
                              "%s: the weight %g of sample %" PRId64
                              " times the weight %g of its class %d is above the largest float32",
                              of->subject, (double)own, i, (double)of_class, desc->labels[i]);
        any = any || weights[i] > 0;
    }
    return any ? GLNN_OK
               : glnn__fail(GLNN_E_ARG, "%s: no sample has a weight above 0", of->subject);
}

static glnn_status take_weights(const making *of)
{
    const glnn_dataset_desc *desc = of->desc;
    if (!desc->sample_weights && !desc->class_weights)
        return GLNN_OK;
    GLNN__TRY(check_weights(of, "sample", desc->samples, desc->sample_weights));
    GLNN__TRY(check_weights(of, "class", desc->classes, desc->class_weights));
    of->data->weights = malloc((size_t)desc->samples * sizeof *of->data->weights);
    return of->data->weights ? multiply_weights(of, of->data->weights) : lack_memory(of);
}

static glnn_status upload_rows(glnn_matrix *matrix, int first, int count, const float *texels)
{
    const glnn_rect rows = {first, 0, count, matrix->columns};
    return glnn_matrix_upload(matrix->ctx, matrix, &rows, texels,
                              (int)glnn__texel_floats(matrix->columns));
}

/* Of rows of `columns` numbers in whole texels, so that it does not depend on their padding. */
static uint64_t sum_rows(uint64_t sum, const float *texels, int count, int columns, size_t floats)
{
    for (int i = 0; i < count; ++i)
        sum = glnn__checksum_floats(sum, texels + (size_t)i * floats, (size_t)columns);
    return sum;
}

static float greatest_of(const float *values, size_t count, float greatest)
{
    for (size_t i = 0; i < count; ++i)
        greatest = fmaxf(greatest, fabsf(values[i]));
    return greatest;
}

/* Part by part, so that samples are checked and packed while they are in the caches. */
static glnn_status fill(glnn_dataset *data, const glnn__source *source)
{
    const size_t input_floats = glnn__texel_floats(data->inputs->columns);
    const size_t target_floats = glnn__texel_floats(data->targets->columns);
    const size_t fitting = PART_BYTES / sizeof(float) / (input_floats + target_floats);
    const int rows = fitting < 1 ? 1 : (int)fitting;
    float *texels = malloc((size_t)rows * (input_floats + target_floats) * sizeof *texels);
    if (!texels)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory to upload %d samples", data->name, rows);
    glnn_status status = GLNN_OK;
    data->inputs_sum = data->targets_sum = GLNN__CHECKSUM_START;
    for (int first = 0; first < data->samples && !status; first += rows) {
        const int count = data->samples - first < rows ? data->samples - first : rows;
        float *targets = texels + (size_t)rows * input_floats;
        status = glnn__collect(
            source, &(glnn__collection){
                        .first = first, .count = count, .inputs = texels, .targets = targets});
        data->greatest = greatest_of(texels, (size_t)count * input_floats, data->greatest);
        data->inputs_sum = sum_rows(data->inputs_sum, texels, count, data->features, input_floats);
        if (source->targets)
            data->targets_sum =
                sum_rows(data->targets_sum, targets, count, data->outputs, target_floats);
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

static glnn_status make_resident(const making *of)
{
    glnn_dataset *data = of->data;
    if (data->samples > GLNN__MAX_NUMBERED)
        return glnn__fail(GLNN_E_LIMIT,
                          "%s: %d samples; a resident data set has at most %d, but with a "
                          "texture_budget it streams",
                          of->subject, data->samples, GLNN__MAX_NUMBERED);
    glnn_status status = glnn__dataset_create_matrices(data, data->samples, of->desc->storage);
    if (status == GLNN_E_LIMIT)
        return glnn__fail(status, "%s: %s; with a texture_budget the data set streams", of->subject,
                          glnn_last_error());
    return status ? status : fill(data, of->source);
}

/* A sample is a row of a texture. The windows of a stream have fewer rows, not shorter ones. */
static glnn_status check_sample(const making *of, const char *what, int columns)
{
    const glnn_context *ctx = of->data->ctx;
    const glnn__extent extent = glnn__layout_extent(glnn__layout_in(ctx, GLNN_LAYOUT_PAGED), 1,
                                                    columns, ctx->info.max_texture_size);
    return glnn__fail_in(of->subject,
                         glnn__texture_check(ctx, GLNN_LAYOUT_PAGED, 1, columns, extent, what));
}

/* Copies the inputs to the GPU, or creates a stream, which takes source->file over. */
static glnn_status bring(const making *of)
{
    const size_t budget = of->desc->texture_budget;
    glnn_dataset *data = of->data;
    glnn__source *source = of->source;
    source->name = data->name;
    source->labels = data->labels;
    source->weights = data->weights;
    source->means = data->means;
    GLNN__TRY(check_sample(of, "the features of a sample", data->features));
    GLNN__TRY(check_sample(of, "the targets of a sample",
                           glnn__target_columns(data->outputs, data->labels)));
    if (budget == 0 || glnn__stream_fits(data->ctx, source, data->samples, budget))
        return make_resident(of);
    GLNN__TRY(glnn__stream_create(source, of->desc, &data->stream));
    source->file = (glnn__sample_file){0};
    return glnn__stream_check(data, 1);
}

/* Copies the parts that stay in main memory, and then the inputs. */
static glnn_status take(const making *of)
{
    of->data->name = glnn__string_copy(of->source->name);
    if (!of->data->name)
        return lack_memory(of);
    if (of->desc->labels)
        GLNN__TRY(glnn__dataset_take_labels(of->subject, of->desc->labels, of->data));
    GLNN__TRY(take_means(of));
    GLNN__TRY(take_weights(of));
    return bring(of);
}

static glnn_status create(glnn_context *ctx, making *of, glnn_dataset **out)
{
    glnn_dataset_desc *desc = of->desc;
    GLNN__TRY(check_desc(of->subject, desc));
    of->source->targets = desc->targets;
    of->source->features = desc->features;
    of->source->outputs = desc->labels ? desc->classes : desc->outputs;
    glnn_dataset *data = of->data = calloc(1, sizeof *data);
    if (!data)
        return lack_memory(of);
    data->ctx = ctx;
    data->owners = 1;
    data->samples = (int)desc->samples;
    data->features = desc->features;
    data->outputs = of->source->outputs;
    const glnn_status status = take(of);
    if (status)
        glnn__dataset_release(data);
    else
        *out = data;
    return status;
}

static void report(void *self)
{
    const glnn_dataset *data = self;
    glnn__log(GLNN_LOG_WARNING, "glnn_context_destroy: a data set still exists: %s", data->name);
}

void glnn__dataset_add_object(glnn_dataset *data)
{
    glnn__object_add(data->ctx, &data->object, report, data);
}

glnn_status glnn__dataset_create(glnn_context *ctx, const char *function,
                                 const glnn_dataset_desc *desc, const glnn__source *from,
                                 glnn_dataset **out)
{
    char subject[256];
    glnn_dataset_desc own = *desc;
    glnn__source source = *from;
    source.name = desc->name ? desc->name : "data set";
    snprintf(subject, sizeof subject, desc->name ? "%s: %s" : "%s", function, desc->name);
    const glnn_status status = glnn__fail_in(
        function, create(ctx, &(making){.subject = subject, .desc = &own, .source = &source}, out));
    glnn__sample_file_close(&source.file);
    if (!status)
        glnn__dataset_add_object(*out);
    return status;
}

glnn_status glnn_dataset_create(glnn_context *ctx, const glnn_dataset_desc *desc,
                                glnn_dataset **out)
{
    GLNN__NOT_NULL(out);
    *out = NULL;
    GLNN__CONTEXT(ctx);
    GLNN__NOT_NULL(desc);
    if (!desc->inputs == !desc->read)
        return glnn__fail(GLNN_E_ARG,
                          "%s: `inputs` and `read` are both %s; a data set has one of them",
                          __func__, desc->read ? "given" : "null");
    const glnn__source source = {
        .inputs = (const unsigned char *)desc->inputs, .read = desc->read, .user = desc->user};
    return glnn__dataset_create(ctx, __func__, desc, &source, out);
}

void glnn__dataset_release(glnn_dataset *data)
{
    if (!data || --data->owners > 0)
        return;
    glnn__stream_destroy(data->stream);
    glnn__matrix_release(data->inputs);
    glnn__matrix_release(data->targets);
    free(data->labels);
    free(data->weights);
    free(data->means);
    free(data->name);
    free(data);
}

void glnn_dataset_destroy(glnn_dataset *data)
{
    if (data)
        glnn__dependent_remove(&data->object);
    glnn__dataset_release(data);
}
