/* Transfers of a whole matrix between the device and main memory, as an exchange makes them: its
 * texels travel as they are. */
#ifndef BENCH_SCALING_TRANSFER_H
#define BENCH_SCALING_TRANSFER_H

#include "base/pool.h"
#include "common/harness.h"
#include "tex/upload.h"

typedef struct transfer {
    glnn_context *ctx;
    glnn__pool *pool; /* copies the values */
    glnn_matrix *matrix;
    GLuint pack;
    glnn__upload upload;
    glnn__blocks texels;
    void *values;
    size_t bytes; /* of the values */
} transfer;

/* With a matrix of zeros. `processes` share the cores of the host. */
transfer transfer_new(glnn_context *ctx, int processes, int rows, int columns);
void transfer_free(transfer *t);

/* From the matrix to the values: the end waits. */
void transfer_begin_readback(const transfer *t);
void transfer_end_readback(const transfer *t);

/* From the values to the matrix, without a wait for the device. */
void transfer_upload(transfer *t);

#endif
