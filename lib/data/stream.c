#include "data/stream.h"

#include "base/integers.h"
#include "base/sized.h"
#include "base/status.h"
#include "data/order.h"

#include <stdlib.h>

/* Larger windows are not faster, because rows are collected one by one. They delay each epoch,
 * whose first window is read while the GPU is idle. */
#define MIB          ((size_t)1 << 20)
#define WINDOW_BYTES (16 * MIB)

#define AT(member) offsetof(glnn_dataset_desc, member)

static const glnn__field fields[] = {
    GLNN__ROW(INT, buffers, GLNN__NOT_KEPT, .standard = 3, .least = 1, .most = 64),
    GLNN__ROW(INT, threads, GLNN__NOT_KEPT, .zero = "as many as the processors allow", .least = 1,
              .most = 64),
};

const glnn__fields glnn__dataset_fields = GLNN__DESCRIPTION(glnn_dataset_desc, fields);

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
    return glnn__layout_extent(glnn__layout_in(ctx, GLNN_LAYOUT_PAGED), samples, columns,
                               ctx->info.max_texture_size);
}

/* Bytes of the PAGED textures for `samples` samples. */
static size_t bytes_of(const glnn_context *ctx, const glnn__source *source, int samples)
{
    const int columns[] = {source->features, target_columns(source)};
    size_t bytes = 0;
    for (int i = 0; i < 2; ++i)
        bytes += glnn__extent_bytes(glnn__layout_in(ctx, GLNN_LAYOUT_PAGED), GLNN_STORAGE_FLOAT32,
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

/* ---- Its life */

glnn_status glnn__stream_create(const glnn__source *source, const glnn_dataset_desc *desc,
                                glnn__stream **out)
{
    glnn__stream *stream = calloc(1, sizeof *stream);
    glnn__buffer *buffers = calloc((size_t)desc->buffers, sizeof *buffers);
    glnn_status status = stream && buffers
                             ? GLNN_OK
                             : glnn__fail(GLNN_E_NOMEM, "%s: no memory for a stream", source->name);
    if (!status) {
        *stream = (glnn__stream){
            .source = *source,
            .budget = desc->texture_budget,
            .buffers = buffers,
            .count = desc->buffers,
        };
        status =
            glnn__reader_create(&stream->source, desc->buffers, desc->threads, &stream->reader);
    }
    if (status) {
        free(buffers);
        free(stream);
    }
    *out = status ? NULL : stream;
    return status;
}

static void destroy_room(glnn__stream *stream)
{
    for (int i = 0; i < 2; ++i) {
        glnn_matrix_destroy(stream->windows[i].set.inputs);
        glnn_matrix_destroy(stream->windows[i].set.targets);
        free(stream->windows[i].set.labels);
        stream->windows[i] = (glnn__window){0};
    }
    for (int i = 0; i < stream->count; ++i) {
        glnn__upload_destroy(&stream->buffers[i].upload);
        free(stream->buffers[i].labels);
        stream->buffers[i] = (glnn__buffer){0};
    }
    stream->rows = 0;
}

void glnn__stream_destroy(glnn__stream *stream)
{
    if (!stream)
        return;
    glnn__dependent_remove(&stream->threads);
    glnn__reader_destroy(stream->reader);
    destroy_room(stream);
    free(stream->buffers);
    glnn__sample_file_close(&stream->source.file);
    free(stream);
}

static glnn_status create_labels(const glnn_dataset *data, int rows, int **out)
{
    if (data->labels && !(*out = malloc((size_t)rows * sizeof **out)))
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %d labels", data->name, rows);
    return GLNN_OK;
}

static glnn_status create_window(const glnn_dataset *data, int rows, glnn_dataset *set)
{
    set->ctx = data->ctx;
    set->name = data->name;
    set->features = data->features;
    set->outputs = data->outputs;
    set->weights = data->weights; /* shows that there are any */
    GLNN__TRY(create_labels(data, rows, &set->labels));
    return glnn__dataset_create_matrices(set, rows, GLNN_STORAGE_FLOAT32);
}

static glnn_status create_room(const glnn_dataset *data, int rows)
{
    glnn__stream *stream = data->stream;
    for (int i = 0; i < 2; ++i)
        GLNN__TRY(create_window(data, rows, &stream->windows[i].set));
    for (int i = 0; i < stream->count; ++i) {
        GLNN__TRY(create_labels(data, rows, &stream->buffers[i].labels));
        GLNN__TRY(glnn__upload_create(data->ctx, (size_t)rows * row_bytes(&stream->source),
                                      &stream->buffers[i].upload));
    }
    stream->rows = rows;
    return GLNN_OK;
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
                      "texture; the data set's budget is %zu; a budget of %zu MiB holds them",
                      data->name, unit, needed, stream->budget, (needed + MIB - 1) / MIB);
}

static void stop_threads(void *user)
{
    glnn__stream *stream = user;
    glnn__stream_drop(stream);
    glnn__reader_stop(stream->reader);
}

static void start_threads(glnn_context *ctx, glnn__stream *stream)
{
    glnn__reader_start(stream->reader);
    if (stream->threads.link)
        return;
    stream->threads.stop = stop_threads;
    stream->threads.user = stream;
    glnn__dependent_add(ctx, &stream->threads);
}

/* Starts the threads, and replaces windows and buffers that cannot hold `unit` samples. */
static glnn_status prepare(const glnn_dataset *data, int unit)
{
    glnn__stream *stream = data->stream;
    const int rows = choose_rows(data->ctx, stream, unit);
    start_threads(data->ctx, stream);
    if (rows <= stream->rows)
        return GLNN_OK;
    destroy_room(stream);
    const glnn_status status = create_room(data, rows);
    if (status)
        destroy_room(stream);
    return status;
}

/* ---- An iteration */

/* The place of the targets in a pixel buffer. */
static size_t targets_place(const glnn__stream *stream)
{
    return (size_t)stream->rows * glnn__texel_floats(stream->source.features);
}

/* Lets the threads fill a buffer with the next samples. Waits until the GPU has copied its former
 * ones. */
static glnn_status fill(glnn__stream *stream, glnn__buffer *buffer)
{
    float *texels;
    GLNN__TRY(glnn__upload_begin(&buffer->upload, &texels));
    buffer->first = stream->at;
    buffer->count = glnn__least(stream->end - stream->at, stream->most);
    stream->at += buffer->count;
    glnn__reader_fill(stream->reader, &(glnn__collection){
                                          .order = stream->order,
                                          .first = buffer->first,
                                          .count = buffer->count,
                                          .inputs = texels,
                                          .targets = texels + targets_place(stream),
                                          .labels = buffer->labels,
                                      });
    return GLNN_OK;
}

/* Lets the threads fill all buffers that the GPU has copied. */
static glnn_status fill_free(glnn__stream *stream)
{
    for (int i; stream->at < stream->end && (i = glnn__reader_next_free(stream->reader)) >= 0;) {
        if (!glnn__upload_is_free(&stream->buffers[i].upload))
            return GLNN_OK;
        GLNN__TRY(fill(stream, &stream->buffers[i]));
    }
    return GLNN_OK;
}

/* Waits until the next buffer is filled, and submits its copy to a window. */
static glnn_status upload(glnn__stream *stream, glnn__window *window)
{
    glnn__buffer *buffer = &stream->buffers[glnn__reader_next_taken(stream->reader)];
    GLNN__TRY(glnn__reader_take(stream->reader));
    const glnn__upload_part parts[] = {
        {window->set.inputs, buffer->count, 0},
        {window->set.targets, buffer->count, targets_place(stream)},
    };
    GLNN__TRY(glnn__upload_end(&buffer->upload, parts, 2));
    int *labels = buffer->labels;
    buffer->labels = window->set.labels;
    window->set.labels = labels;
    window->is_ready = true;
    window->first = buffer->first;
    window->count = window->set.samples = buffer->count;
    window->set.version = ++stream->uploads;
    return GLNN_OK;
}

static glnn__window *other_window(glnn__stream *stream)
{
    return &stream->windows[1 - stream->present];
}

const glnn__window *glnn__stream_window(const glnn__stream *stream)
{
    return &stream->windows[stream->present];
}

glnn_status glnn__stream_begin(const glnn_dataset *data, const int *order, int first, int end,
                               int unit)
{
    glnn__stream *stream = data->stream;
    GLNN__TRY(glnn__stream_check(data, unit));
    GLNN__TRY(glnn__stream_drop(stream));
    GLNN__TRY(prepare(data, unit));
    stream->order = order;
    stream->at = first;
    stream->end = end;
    stream->most = stream->rows / unit * unit;
    return fill_free(stream);
}

glnn_status glnn__stream_step(glnn__stream *stream)
{
    if (!other_window(stream)->is_ready) {
        if (glnn__reader_next_taken(stream->reader) < 0)
            GLNN__TRY(fill(stream, &stream->buffers[glnn__reader_next_free(stream->reader)]));
        GLNN__TRY(upload(stream, other_window(stream)));
    }
    stream->windows[stream->present].is_ready = false;
    stream->present = 1 - stream->present;
    return GLNN_OK;
}

glnn_status glnn__stream_look_ahead(glnn__stream *stream)
{
    if (!other_window(stream)->is_ready && glnn__reader_is_ready(stream->reader))
        GLNN__TRY(upload(stream, other_window(stream)));
    return fill_free(stream);
}

glnn_status glnn__stream_drop(glnn__stream *stream)
{
    glnn_status status = GLNN_OK;
    glnn__reader_drop(stream->reader);
    for (int i = 0; i < stream->count; ++i)
        if (stream->buffers[i].upload.mapped) {
            const glnn_status ended = glnn__upload_end(&stream->buffers[i].upload, NULL, 0);
            status = status ? status : ended;
        }
    stream->windows[0].is_ready = stream->windows[1].is_ready = false;
    stream->at = stream->end = 0;
    return status;
}

glnn_status glnn_dataset_get_stream_figures(const glnn_dataset *data, glnn_stream_figures *out)
{
    glnn_stream_figures figures = {0};
    GLNN__NOT_NULL(data);
    GLNN__NOT_NULL(out);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_stream_figures, wait_seconds, out));
    if (data->stream)
        glnn__reader_get_figures(data->stream->reader, &figures);
    glnn__sized_fill(out, &figures, sizeof figures);
    return GLNN_OK;
}
