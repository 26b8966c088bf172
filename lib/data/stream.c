#include "data/stream.h"

#include "base/status.h"
#include "data/order.h"

#include <stdlib.h>

/* Larger windows are not faster, because rows are collected one by one. They delay each epoch,
 * whose first window is collected while the GPU is idle. */
#define WINDOW_BYTES ((size_t)16 << 20)

static int target_columns(const glnn__source *source)
{
    return glnn__target_columns(source->outputs, source->labels);
}

static size_t row_bytes(const glnn__source *source)
{
    return (glnn__texel_floats(source->features) + glnn__texel_floats(target_columns(source))) *
           sizeof(float);
}

static glnn__extent extent_of(const glnn_context *ctx, int samples, int columns)
{
    return glnn__layout_extent(GLNN_LAYOUT_PAGED, samples, columns, ctx->info.max_texture_size);
}

/* Bytes of the PAGED textures for `samples` samples. */
static size_t bytes_of(const glnn_context *ctx, const glnn__source *source, int samples)
{
    const int columns[] = {source->features, target_columns(source)};
    size_t bytes = 0;
    for (int i = 0; i < 2; ++i)
        bytes += glnn__extent_bytes(GLNN_LAYOUT_PAGED, GLNN_STORAGE_FLOAT32,
                                    extent_of(ctx, samples, columns[i]));
    return bytes;
}

bool glnn__stream_fits(const glnn_context *ctx, const glnn__source *source, int samples,
                       size_t budget)
{
    return samples <= GLNN__MAX_NUMBERED &&
           extent_of(ctx, samples, 1).layers <= ctx->info.max_array_layers &&
           bytes_of(ctx, source, samples) <= budget;
}

/* The most samples that fit in a window. Textures are allocated by the page, so a window of several
 * pages fills all of them. */
static int most_rows(const glnn_context *ctx, const glnn__stream *stream)
{
    const size_t page = (size_t)ctx->info.max_texture_size;
    const size_t deepest = page * (size_t)ctx->info.max_array_layers;
    size_t rows = stream->budget / 2 / row_bytes(&stream->source);
    rows = rows < deepest ? rows : deepest;
    rows = rows < GLNN__MAX_NUMBERED ? rows : GLNN__MAX_NUMBERED;
    return (int)(rows > page ? rows / page * page : rows);
}

/* The number of samples in a window that must hold `unit` of them. */
static int choose_rows(const glnn_context *ctx, const glnn__stream *stream, int unit)
{
    const int page = ctx->info.max_texture_size;
    const int most = most_rows(ctx, stream);
    const size_t usual = WINDOW_BYTES / row_bytes(&stream->source);
    size_t rows = usual > (size_t)unit ? usual : (size_t)unit;
    if (rows > (size_t)page)
        rows = (rows + (size_t)page - 1) / (size_t)page * (size_t)page;
    return rows < (size_t)most ? (int)rows : most;
}

glnn_status glnn__stream_create(const glnn__source *source, size_t budget, glnn__stream **out)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a stream", source->name);
    (*out)->source = *source;
    (*out)->budget = budget;
    return GLNN_OK;
}

static void destroy_window(glnn__window *window)
{
    glnn__upload_destroy(&window->upload);
    glnn_matrix_destroy(window->set.inputs);
    glnn_matrix_destroy(window->set.targets);
    free(window->set.labels);
    *window = (glnn__window){0};
}

static void destroy_windows(glnn__stream *stream)
{
    for (int i = 0; i < 2; ++i)
        destroy_window(&stream->windows[i]);
    stream->rows = 0;
}

void glnn__stream_destroy(glnn__stream *stream)
{
    if (!stream)
        return;
    glnn__dependent_remove(&stream->threads);
    glnn__collector_destroy(stream->collector);
    destroy_windows(stream);
    glnn__sample_file_close(&stream->source.file);
    free(stream);
}

static glnn_status create_window(const glnn_dataset *data, int rows, glnn__window *out)
{
    const glnn__source *source = &data->stream->source;
    glnn_dataset *set = &out->set;
    set->ctx = data->ctx;
    set->name = data->name;
    set->features = data->features;
    set->outputs = data->outputs;
    set->weights = data->weights; /* shows that there are any */
    if (source->labels && !(set->labels = malloc((size_t)rows * sizeof *set->labels)))
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %d labels", data->name, rows);
    GLNN__TRY(glnn__dataset_create_matrices(set, rows, GLNN_STORAGE_FLOAT32));
    return glnn__upload_create(data->ctx, (size_t)rows * row_bytes(source), &out->upload);
}

bool glnn__stream_holds(const glnn_dataset *data, int unit)
{
    return unit <= most_rows(data->ctx, data->stream);
}

glnn_status glnn__stream_check(const glnn_dataset *data, int unit)
{
    const glnn__stream *stream = data->stream;
    if (glnn__stream_holds(data, unit))
        return GLNN_OK;
    const size_t needed = 2 * bytes_of(data->ctx, &stream->source, unit);
    return glnn__fail(GLNN_E_LIMIT,
                      "%s: two windows of %d samples, which are used at a time, take %zu bytes of "
                      "texture; the data set's budget is %zu",
                      data->name, unit, needed, stream->budget);
}

static void stop_threads(void *user)
{
    glnn__stream *stream = user;
    glnn__stream_drop(stream);
    glnn__collector_destroy(stream->collector);
    stream->collector = NULL;
}

static glnn_status start_threads(glnn_context *ctx, glnn__stream *stream)
{
    GLNN__TRY(glnn__collector_create(&stream->source, &stream->collector));
    stream->threads.stop = stop_threads;
    stream->threads.user = stream;
    glnn__dependent_add(ctx, &stream->threads);
    return GLNN_OK;
}

glnn_status glnn__stream_prepare(const glnn_dataset *data, int unit)
{
    glnn__stream *stream = data->stream;
    GLNN__TRY(glnn__stream_check(data, unit));
    GLNN__TRY(glnn__stream_drop(stream));
    if (!stream->collector)
        GLNN__TRY(start_threads(data->ctx, stream));
    const int rows = choose_rows(data->ctx, stream, unit);
    if (rows <= stream->rows)
        return GLNN_OK;
    destroy_windows(stream);
    glnn_status status = create_window(data, rows, &stream->windows[0]);
    if (!status)
        status = create_window(data, rows, &stream->windows[1]);
    if (status)
        destroy_windows(stream);
    else
        stream->rows = rows;
    return status;
}

/* The place of the targets in the pixel buffer. */
static size_t targets_place(const glnn__stream *stream)
{
    return (size_t)stream->rows * glnn__texel_floats(stream->source.features);
}

glnn_status glnn__stream_collect(glnn__stream *stream, glnn__window *window, const int *order,
                                 int first, int count)
{
    float *texels;
    GLNN__TRY(glnn__upload_begin(&window->upload, &texels));
    const glnn__collection what = {
        .order = order,
        .first = first,
        .count = count,
        .inputs = texels,
        .targets = texels + targets_place(stream),
        .labels = window->set.labels,
    };
    window->state = GLNN__WINDOW_COLLECTING;
    window->first = first;
    window->count = count;
    glnn__collector_start(stream->collector, &what);
    return GLNN_OK;
}

glnn_status glnn__stream_upload(glnn__stream *stream, glnn__window *window)
{
    GLNN__TRY(glnn__collector_finish(stream->collector));
    const glnn__upload_part parts[] = {
        {window->set.inputs, window->count, 0},
        {window->set.targets, window->count, targets_place(stream)},
    };
    window->state = GLNN__WINDOW_EMPTY;
    GLNN__TRY(glnn__upload_end(&window->upload, parts, 2));
    window->state = GLNN__WINDOW_READY;
    window->set.version = ++stream->uploads;
    window->set.samples = window->count;
    return GLNN_OK;
}

glnn_status glnn__stream_drop(glnn__stream *stream)
{
    glnn_status status = GLNN_OK;
    for (int i = 0; i < 2; ++i) {
        glnn__window *window = &stream->windows[i];
        if (window->state == GLNN__WINDOW_COLLECTING) {
            glnn__collector_cancel(stream->collector);
            status = glnn__upload_end(&window->upload, NULL, 0);
        }
        window->state = GLNN__WINDOW_EMPTY;
    }
    return status;
}
