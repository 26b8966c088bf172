#include "ops/scatter_add.h"

#include "base/status.h"
#include "pass/pass.h"

#include <glnn/reduce.h>

#include <math.h>

enum { COUNT, SEGMENT_SIZE };

static const glnn__kernel segments_kernel = {
    .name = "ops/scatter_segments",
    .operands = {"MOVES"},
    .unviewed = 1,
    .uniforms = {[COUNT] = "int count", [SEGMENT_SIZE] = "int segment_rows"},
};

static const glnn__kernel links_kernel = {
    .name = "ops/scatter_links",
    .operands = {"MOVES", "SEGMENTS"},
    .unviewed = 2,
    .uniforms = {[COUNT] = "int count", [SEGMENT_SIZE] = "int segment_rows"},
};

enum { ENTRIES, FIRST, X, M };
enum { REPULSION };
enum { LIMIT = COUNT + 1, EXCESS };

static const glnn__kernel add_kernel = {
    .name = "ops/scatter_add",
    .operands = {[ENTRIES] = "ENTRIES", [FIRST] = "FIRST", [X] = "X", [M] = "M"},
    .unviewed = 3,
    .options = {[REPULSION] = "REPULSION"},
    .uniforms = {[COUNT] = "int count", [LIMIT] = "float limit", [EXCESS] = "float excess"},
};

/* Samples of a segment. Linking searches one segment and then the first entries of the others, so
 * neither the segments nor their number should be large. */
#define SEGMENT_SAMPLES 64

/* Up to this number of samples each row searches all entries, and nothing is linked. */
#define UNLINKED_SAMPLES 16

static bool is_linked(const glnn__scatter_add *scatter)
{
    return scatter->count > UNLINKED_SAMPLES;
}

glnn_status glnn__scatter_add_create(glnn_context *ctx, int samples, int rows,
                                     glnn__scatter_add *out)
{
    const int segments = (samples - 1) / SEGMENT_SAMPLES + 1;
    *out = (glnn__scatter_add){0};
    if (samples <= UNLINKED_SAMPLES)
        return GLNN_OK;
    glnn_status status = glnn__matrix_create_zero(ctx, GLNN_LAYOUT_PACKED, segments, rows,
                                                  "first entries of segments", &out->segments);
    if (!status && segments > 1)
        status = glnn__matrix_create_zero(ctx, GLNN_LAYOUT_PACKED, 1, rows, "first entries",
                                          &out->first);
    if (!status)
        status = glnn__matrix_create_zero(ctx, GLNN_LAYOUT_PACKED, samples, 4, "links of entries",
                                          &out->links);
    if (status)
        glnn__scatter_add_destroy(out);
    return status;
}

void glnn__scatter_add_destroy(glnn__scatter_add *scatter)
{
    glnn_matrix_destroy(scatter->segments);
    glnn_matrix_destroy(scatter->first);
    glnn_matrix_destroy(scatter->links);
    *scatter = (glnn__scatter_add){0};
}

glnn_status glnn__scatter_add_link(glnn_context *ctx, const glnn_matrix *moves, int count,
                                   glnn__scatter_add *scatter)
{
    scatter->count = count;
    if (!is_linked(scatter))
        return GLNN_OK;
    GLNN__TRY(glnn__pass_run(
        ctx, &(glnn__pass){
                 .kernel = &segments_kernel,
                 .operands = {{.matrix = moves}},
                 .output = scatter->segments,
                 .uniforms = {[COUNT] = {.i = count}, [SEGMENT_SIZE] = {.i = SEGMENT_SAMPLES}},
             }));
    GLNN__TRY(glnn__pass_run(
        ctx, &(glnn__pass){
                 .kernel = &links_kernel,
                 .operands = {{.matrix = moves}, {.matrix = scatter->segments}},
                 .output = scatter->links,
                 .uniforms = {[COUNT] = {.i = count}, [SEGMENT_SIZE] = {.i = SEGMENT_SAMPLES}},
             }));
    if (!scatter->first)
        return GLNN_OK;
    return glnn_reduce(ctx, GLNN_REDUCTION_MIN, GLNN_AXIS_COLUMNS, scatter->segments,
                       scatter->first);
}

/* A pass over the entries of each row. */
static glnn__pass entry_pass(const glnn__scatter_add *scatter, const glnn_matrix *moves,
                             const glnn_matrix *samples, glnn_matrix *output)
{
    glnn__pass pass = {
        .kernel = &add_kernel,
        .operands = {[ENTRIES] = {.matrix = moves}, [X] = {.matrix = samples}},
        .output = output,
    };
    if (is_linked(scatter)) {
        pass.operands[ENTRIES].matrix = scatter->links;
        pass.operands[FIRST].matrix = scatter->first ? scatter->first : scatter->segments;
    } else {
        pass.uniforms[COUNT].i = scatter->count;
    }
    return pass;
}

glnn_status glnn__scatter_add_move(glnn_context *ctx, const glnn__scatter_add *scatter,
                                   const glnn_matrix *moves, const glnn_matrix *samples,
                                   glnn__move_limits limits, glnn_matrix *rows)
{
    const int entries = 2 * scatter->count;
    glnn__pass pass = entry_pass(scatter, moves, samples, rows);
    pass.operands[M].matrix = rows;
    pass.options[REPULSION] = glnn__uniform_is_set(&limits.excess);
    pass.uniforms[LIMIT].f = limits.total > 0 ? limits.total : INFINITY;
    pass.uniforms[EXCESS] = limits.excess;
    if (!is_linked(scatter) && rows->texture->extent.wrap == 0 &&
        2 * entries <= rows->texture->extent.height)
        pass.picks = entries;
    return glnn__pass_run(ctx, &pass);
}

static glnn_status add_entries(glnn_context *ctx, const glnn__scatter_add *scatter,
                               const glnn_matrix *moves, const glnn_matrix *samples, float factor,
                               bool pushes, glnn_matrix *out)
{
    glnn__pass pass = entry_pass(scatter, moves, samples, out);
    pass.options[REPULSION] = pushes;
    pass.blend = factor != 0;
    pass.blend_factor.f = factor;
    return glnn__pass_run(ctx, &pass);
}

glnn_status glnn__scatter_add_sum(glnn_context *ctx, const glnn__scatter_add *scatter,
                                  const glnn_matrix *moves, const glnn_matrix *samples,
                                  float factor, glnn_matrix *sums, glnn_matrix *weights)
{
    if (sums)
        GLNN__TRY(add_entries(ctx, scatter, moves, samples, factor, false, sums));
    return weights ? add_entries(ctx, scatter, moves, NULL, factor, false, weights) : GLNN_OK;
}

glnn_status glnn__scatter_add_sum_pushes(glnn_context *ctx, const glnn__scatter_add *scatter,
                                         const glnn_matrix *moves, const glnn_matrix *samples,
                                         float factor, glnn_matrix *pushes)
{
    return add_entries(ctx, scatter, moves, samples, factor, true, pushes);
}
