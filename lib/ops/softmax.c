#include "ops/softmax.h"

#include "base/status.h"
#include "ops/check.h"
#include "pass/list.h"

#include <glnn/map.h>

enum { CHUNKS };
enum { CHUNK };
enum { COUNT };

static const glnn__kernel stats_kernel = {
    .name = "ops/row_stats",
    .operands = {"Z", "PARTS"},
    .unviewed = 2,
    .options = {[CHUNKS] = "CHUNKS"},
    .uniforms = {[CHUNK] = "int chunk"},
};

static const glnn__kernel softmax_kernel = {
    .name = "ops/softmax",
    .operands = {"X", "STATS"},
    .uniforms = {[COUNT] = "int count"},
};

/* Rows longer than LONG_ROW are cut into chunks of CHUNK_GROUPS column groups, read in parallel. */
#define LONG_ROW     512
#define CHUNK_GROUPS 64

/* In a PACKED matrix each row of statistics is computed by a fragment of its own. Very many rows
 * only fit in a TILED one. */
static glnn_status create_stats(glnn_context *ctx, int rows, int columns, const char *name,
                                glnn_matrix **out)
{
    const bool fits = rows <= ctx->info.max_texture_size;
    return glnn__matrix_create_scratch(ctx, fits ? GLNN_LAYOUT_PACKED : GLNN_LAYOUT_TILED, rows,
                                       columns, name, out);
}

static glnn_status run_stats(glnn_context *ctx, const glnn_matrix *x, const glnn_matrix *parts,
                             bool chunks, glnn_matrix *out)
{
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = &stats_kernel,
                                   .operands = {{.matrix = x}, {.matrix = parts}},
                                   .output = out,
                                   .options = {[CHUNKS] = chunks},
                                   .uniforms = {[CHUNK] = {.i = CHUNK_GROUPS}},
                               });
}

glnn_status glnn__row_stats(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out)
{
    if (x->columns <= LONG_ROW)
        return run_stats(ctx, x, NULL, false, out);
    const int chunks = (x->columns - 1) / (4 * CHUNK_GROUPS) + 1;
    glnn_matrix *parts;
    GLNN__TRY(create_stats(ctx, x->rows, 4 * chunks, "statistics of chunks", &parts));
    glnn_status status = run_stats(ctx, x, NULL, true, parts);
    if (!status)
        status = run_stats(ctx, x, parts, false, out);
    glnn__scratch_destroy(parts);
    return status;
}

glnn_status glnn__softmax_rows(glnn_context *ctx, const glnn_matrix *x, const glnn_matrix *stats,
                               int count, glnn_matrix *out)
{
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = &softmax_kernel,
                                   .operands = {{.matrix = x}, {.matrix = stats}},
                                   .output = out,
                                   .uniforms = {[COUNT] = {.i = count}},
                               });
}

static glnn_status run_softmax(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out)
{
    glnn_matrix *stats;
    GLNN__TRY(create_stats(ctx, x->rows, 2, "row statistics", &stats));
    glnn_status status = glnn__row_stats(ctx, x, stats);
    if (!status)
        status = glnn__softmax_rows(ctx, x, stats, x->rows, out);
    glnn__scratch_destroy(stats);
    return status;
}

glnn_status glnn_softmax(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out)
{
    GLNN__TRY(glnn__check_operand(ctx, __func__, "x", x));
    GLNN__TRY(glnn__check_output(ctx, __func__, "out", out));
    GLNN__TRY(glnn__check_shape(__func__, "out", out, x->rows, x->columns));
    GLNN__TRY(glnn__gl_enter_recording(ctx));
    return glnn__gl_leave(ctx, run_softmax(ctx, x, out));
}
