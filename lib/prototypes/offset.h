/* The offset that prototypes or centres have in common. Scores |m|^2 - 2 x m cancel where |m| is large
 * against the distances between prototypes, so that prototypes and samples are taken relative to the
 * offset. It is used only where it matters: other data keep their passes and their bits. */
#ifndef GLNN__PROTOTYPES_OFFSET_H
#define GLNN__PROTOTYPES_OFFSET_H

#include "tex/matrix.h"

#include <stdbool.h>

typedef struct glnn__offset {
    int features;
    bool is_used;
    float *values;    /* features; 0 where a feature is not shifted */
    glnn_matrix *row; /* the values, 1 x features; NULL before they were first used */
    float *snapshot;  /* features: the values that glnn__offset_snapshot set aside */
    bool snapshot_is_used;
} glnn__offset;

/* None is used yet. To be destroyed after failure too. */
glnn_status glnn__offset_create(int features, glnn__offset *out);
void glnn__offset_destroy(glnn__offset *offset);

/* Finds the offset of some rows (to->rows x features), and writes the rows relative to it. */
glnn_status glnn__offset_upload(glnn_context *ctx, glnn__offset *offset, const float *rows,
                                glnn_matrix *to);

/* Reads rows that are relative to the offset, and adds it. */
glnn_status glnn__offset_download(glnn_context *ctx, const glnn__offset *offset,
                                  const glnn_matrix *from, float *rows);

/* Takes the offset from samples, by one pass where it is used, else by none. */
glnn_status glnn__offset_shift(glnn_context *ctx, const glnn__offset *offset, glnn_matrix *samples);

/* Sets the offset aside together with prototypes that are relative to it, and takes it back. */
void glnn__offset_snapshot(glnn__offset *offset);
glnn_status glnn__offset_restore(glnn_context *ctx, glnn__offset *offset);

#endif
