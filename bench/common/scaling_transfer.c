#include "common/scaling_transfer.h"

#include "common/failure.h"
#include "tex/buffer.h"

transfer transfer_new(glnn_context *ctx, int processes, int rows, int columns)
{
    transfer t = {.ctx = ctx, .pool = glnn__pool_create_share(processes)};
    const glnn_rect all = {0, 0, rows, columns};
    const glnn_matrix_desc desc = {.rows = rows, .columns = columns};
    CHECK(glnn_matrix_create(ctx, &desc, &t.matrix));
    t.texels = glnn__matrix_cover(t.matrix, &all);
    t.bytes = sizeof(float) * glnn__blocks_floats(glnn__layout_of(t.matrix), &t.texels);
    t.values = allocate(t.bytes, 1);
    REQUIRE(t.pool);
    CHECK(glnn__upload_create(ctx, t.bytes, &t.upload));
    CHECK(glnn__gl_enter(ctx));
    glGenBuffers(1, &t.pack);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, t.pack);
    glBufferData(GL_PIXEL_PACK_BUFFER, (GLsizeiptr)t.bytes, NULL, GL_STREAM_READ);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    CHECK(glnn__gl_leave(ctx, GLNN_OK));
    return t;
}

void transfer_free(transfer *t)
{
    CHECK(glnn__gl_enter(t->ctx));
    glDeleteBuffers(1, &t->pack);
    CHECK(glnn__gl_leave(t->ctx, GLNN_OK));
    glnn__upload_destroy(&t->upload);
    glnn_matrix_destroy(t->matrix);
    glnn__pool_destroy(t->pool);
    free(t->values);
}

void transfer_begin_readback(const transfer *t)
{
    CHECK(glnn__gl_enter(t->ctx));
    glBindBuffer(GL_PIXEL_PACK_BUFFER, t->pack);
    glnn__matrix_read_blocks(t->ctx, t->matrix, &t->texels, NULL);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glFlush();
    CHECK(glnn__gl_leave(t->ctx, GLNN_OK));
}

void transfer_end_readback(const transfer *t)
{
    void *mapped;
    CHECK(glnn__gl_enter(t->ctx));
    CHECK(glnn__buffer_map(t->ctx, GL_PIXEL_PACK_BUFFER, t->pack, t->bytes, GL_MAP_READ_BIT,
                           &mapped));
    glnn__pool_copy(t->pool, t->values, mapped, t->bytes);
    CHECK(glnn__buffer_unmap(t->ctx, GL_PIXEL_PACK_BUFFER, t->pack, t->bytes, mapped));
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    CHECK(glnn__gl_leave(t->ctx, GLNN_OK));
}

void transfer_upload(transfer *t)
{
    float *mapped;
    CHECK(glnn__upload_begin(&t->upload, &mapped));
    glnn__pool_copy(t->pool, mapped, t->values, t->bytes);
    CHECK(glnn__upload_end(&t->upload, &(glnn__upload_part){t->matrix, t->matrix->rows, 0}, 1));
}
