/* The texels of messages between textures, pixel buffers and the memory of messages. */
#include "base/status.h"
#include "learn/exchange/message.h"
#include "tex/buffer.h"

#include <stdlib.h>
#include <string.h>

/* ---- Memory */

/* Room for the values of a message, which the messenger can provide. */
static glnn_status allocate_values(const glnn_messenger *messenger, size_t bytes, void **out)
{
    glnn_status status = GLNN_OK;
    *out = NULL;
    if (messenger->allocate)
        status = messenger->allocate(messenger->user, bytes, out);
    else
        *out = malloc(bytes);
    if (status)
        return glnn__fail(status, "%s", messenger->get_error(messenger->user));
    return *out ? GLNN_OK : glnn__fail(GLNN_E_NOMEM, "no memory to exchange %zu bytes", bytes);
}

static void release_values(const glnn_messenger *messenger, void *values)
{
    if (messenger->release)
        messenger->release(messenger->user, values);
    else
        free(values);
}

void glnn__texels_free_room(const glnn__exchange *exchange, glnn__message *m)
{
    glDeleteSync(m->computed);
    glDeleteSync(m->fence);
    glDeleteBuffers(1, &m->buffer);
    glnn__upload_destroy(&m->upload);
    release_values(exchange->messenger, m->room);
    free(m->all);
    free(m->begins);
    free(m->parts);
    m->computed = m->fence = NULL;
    m->all = NULL;
    m->begins = NULL;
    m->parts = NULL;
    m->buffer = 0;
    m->room = NULL;
    m->room_bytes = 0;
}

/* The buffers for `own` bytes of texels and `all_bytes` of all processes, unless they exist. */
static glnn_status make_buffers(const glnn__exchange *exchange, glnn__message *m, size_t own,
                                size_t all_bytes)
{
    glnn_context *ctx = exchange->ctx;
    if (m->room_bytes == all_bytes)
        return GLNN_OK;
    glnn__texels_free_room(exchange, m);
    GLNN__TRY(allocate_values(exchange->messenger, all_bytes, &m->room));
    GLNN__TRY(glnn__gl_claim(ctx, GLNN__PARTS_COPY));
    glGenBuffers(1, &m->buffer);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, m->buffer);
    glBufferData(GL_PIXEL_PACK_BUFFER, (GLsizeiptr)own, NULL, GL_STREAM_READ);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    GLNN__TRY(glnn__gl_check(ctx, "allocating a pixel buffer of %zu bytes", own));
    GLNN__TRY(glnn__upload_create(ctx, all_bytes, &m->upload));
    m->room_bytes = all_bytes;
    return GLNN_OK;
}

static glnn__blocks all_texels(const glnn_matrix *matrix)
{
    const glnn_rect all = {0, 0, matrix->rows, matrix->columns};
    return glnn__matrix_cover(matrix, &all);
}

static size_t bytes_of(const glnn_matrix *matrix)
{
    const glnn__blocks texels = all_texels(matrix);
    return glnn__blocks_floats(glnn__layout_of(matrix), &texels) * sizeof(float);
}

/* Lists the matrices of all, whose number and sizes stay the same. */
static glnn_status list_all(glnn__message *m, glnn_matrix *const *all, int rank, int ranks)
{
    const size_t count = (size_t)ranks;
    if (!m->all) {
        m->all = malloc(count * sizeof *m->all);
        m->begins = calloc(count + 1, sizeof *m->begins);
        m->parts = malloc(count * sizeof *m->parts);
    }
    if (!m->all || !m->begins || !m->parts)
        return glnn__fail(GLNN_E_NOMEM, "no memory to gather from %d processes", ranks);
    memcpy(m->all, all, count * sizeof *m->all);
    for (int r = 0; r < ranks; ++r)
        m->begins[r + 1] = m->begins[r] + bytes_of(r == rank ? m->matrix : all[r]);
    return GLNN_OK;
}

glnn_status glnn__texels_make_room(const glnn__exchange *exchange, glnn__message *m,
                                   glnn_matrix *matrix, glnn_matrix *const *all)
{
    const glnn__blocks texels = all_texels(matrix);
    const int rank = exchange->messenger->rank, ranks = exchange->messenger->ranks;
    size_t bytes = bytes_of(matrix);
    m->matrix = matrix;
    m->count = glnn__blocks_floats(glnn__layout_of(matrix), &texels);
    if ((m->all != NULL) != (all != NULL))
        glnn__texels_free_room(exchange, m);
    for (int r = 0; r < ranks && all; ++r)
        bytes += r == rank ? 0 : bytes_of(all[r]);
    GLNN__TRY(make_buffers(exchange, m, bytes_of(matrix), bytes));
    return all ? list_all(m, all, rank, ranks) : GLNN_OK;
}

/* ---- From the texture to the messenger */

glnn_status glnn__texels_read(const glnn__exchange *exchange, glnn__message *m)
{
    const glnn__blocks texels = all_texels(m->matrix);
    GLNN__TRY(glnn__gl_claim(exchange->ctx, GLNN__PARTS_COPY));
    glBindBuffer(GL_PIXEL_PACK_BUFFER, m->buffer);
    const glnn_status status = glnn__matrix_read_blocks(exchange->ctx, m->matrix, &texels, NULL);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    GLNN__TRY(status);
    m->fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    glFlush();
    return glnn__gl_check(exchange->ctx, "reading %s for other processes", m->matrix->name);
}

typedef struct weighing {
    const float *texels;
    float weight, *own;
} weighing;

static void weigh(const void *work, size_t begin, size_t end)
{
    const weighing *of = work;
    for (size_t i = begin; i < end; ++i)
        of->own[i] = of->weight * of->texels[i];
}

glnn_status glnn__texels_take(const glnn__exchange *exchange, glnn__message *m)
{
    const size_t bytes = bytes_of(m->matrix);
    void *own = (char *)m->values + (m->all ? m->begins[exchange->messenger->rank] : 0);
    void *mapped;
    GLNN__TRY(glnn__gl_claim(exchange->ctx, GLNN__PARTS_COPY));
    glDeleteSync(m->fence);
    m->fence = NULL;
    GLNN__TRY(glnn__buffer_map(exchange->ctx, GL_PIXEL_PACK_BUFFER, m->buffer, bytes,
                               GL_MAP_READ_BIT, &mapped));
    if (m->weight != 1)
        glnn__pool_run(exchange->pool, weigh, &(weighing){mapped, m->weight, own}, m->count,
                       2 * sizeof(float));
    else
        glnn__pool_copy(exchange->pool, own, mapped, bytes);
    GLNN__TRY(glnn__buffer_unmap(exchange->ctx, GL_PIXEL_PACK_BUFFER, m->buffer, bytes, mapped));
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    return GLNN_OK;
}

/* ---- From the messenger to the texture */

static glnn_status write_sum(const glnn__exchange *exchange, glnn__message *m)
{
    float *mapped;
    GLNN__TRY(glnn__upload_begin(&m->upload, &mapped));
    glnn__pool_copy(exchange->pool, mapped, m->values, bytes_of(m->matrix));
    const glnn__upload_part all = {m->matrix, m->matrix->rows, 0};
    return glnn__upload_end(&m->upload, &all, 1);
}

/* One upload for each of the other processes, because it takes the texels of one matrix. */
static glnn_status write_gathered(const glnn__exchange *exchange, glnn__message *m)
{
    const int ranks = exchange->messenger->ranks;
    float *mapped;
    int count = 0;
    GLNN__TRY(glnn__upload_begin(&m->upload, &mapped));
    glnn__pool_copy(exchange->pool, mapped, m->values, m->begins[ranks]);
    for (int r = 0; r < ranks; ++r)
        if (r != exchange->messenger->rank)
            m->parts[count++] =
                (glnn__upload_part){m->all[r], m->all[r]->rows, m->begins[r] / sizeof(float)};
    return glnn__upload_end(&m->upload, m->parts, count);
}

glnn_status glnn__texels_write(const glnn__exchange *exchange, glnn__message *m)
{
    return m->all ? write_gathered(exchange, m) : write_sum(exchange, m);
}
