#include "ops/scatter_add.h"

#include "base/integers.h"
#include "base/status.h"
#include "ops/check.h"
#include "pass/list.h"

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
enum { LIMIT = COUNT + 1, EXCESS, FIRST_ROW };

static const glnn__kernel add_kernel = {
    .name = "ops/scatter_add",
    .operands = {[ENTRIES] = "ENTRIES", [FIRST] = "FIRST", [X] = "X", [M] = "M"},
    .unviewed = 3,
    .options = {[REPULSION] = "REPULSION"},
    .uniforms = {[COUNT] = "int count",
                 [LIMIT] = "float limit",
                 [EXCESS] = "float excess",
                 [FIRST_ROW] = "int first_row"},
};

enum { FIRST_INDEX, ROWS, COEFFICIENT };

static const glnn__kernel moves_kernel = {
    .name = "ops/scatter_moves",
    .operands = {"INDEX"},
    .unviewed = 1,
    .uniforms =
        {[FIRST_INDEX] = "int first", [ROWS] = "int rows", [COEFFICIENT] = "float coefficient"},
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
    glnn_status status = glnn__matrix_create_scratch(ctx, GLNN_LAYOUT_PACKED, segments, rows,
                                                     "first entries of segments", &out->segments);
    if (!status && segments > 1)
        status = glnn__matrix_create_scratch(ctx, GLNN_LAYOUT_PACKED, 1, rows, "first entries",
                                             &out->first);
    if (!status)
        status = glnn__matrix_create_scratch(ctx, GLNN_LAYOUT_PACKED, samples, 4,
                                             "links of entries", &out->links);
    if (status)
        glnn__scatter_add_destroy(out);
    return status;
}

void glnn__scatter_add_destroy(glnn__scatter_add *scatter)
{
    glnn__scratch_destroy(scatter->segments);
    glnn__scratch_destroy(scatter->first);
    glnn__scratch_destroy(scatter->links);
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

/* ---- Rows that an index names */

/* Rows of x in a part. A row of blocks walks through the entries of a part in one fragment, and a
 * software rasteriser ends all loops of a fragment after 65535 turns together, without an error. */
#define PART_ROWS 8192

typedef struct scattering {
    float alpha;
    const glnn_matrix *x, *index;
    glnn_matrix *out;
} scattering;

static glnn_status name_rows(glnn_context *ctx, const scattering *s, int first, glnn_matrix *moves)
{
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = &moves_kernel,
                                   .operands = {{.matrix = s->index}},
                                   .output = moves,
                                   .uniforms = {[FIRST_INDEX] = {.i = first},
                                                [ROWS] = {.i = s->out->rows},
                                                [COEFFICIENT] = {.f = s->alpha}},
                               });
}

/* Adds the rows of x from `first` on to out, which is multiplied by a factor. */
static glnn_status add_linked(glnn_context *ctx, const scattering *s, int first, float factor,
                              glnn_matrix *moves, glnn__scatter_add *scatter)
{
    GLNN__TRY(name_rows(ctx, s, first, moves));
    GLNN__TRY(glnn__scatter_add_link(ctx, moves, moves->rows, scatter));
    glnn__pass pass = entry_pass(scatter, moves, s->x, s->out);
    pass.uniforms[FIRST_ROW].i = first;
    pass.blend = factor != 0;
    pass.blend_factor.f = factor;
    return glnn__pass_run(ctx, &pass);
}

static glnn_status add_part(glnn_context *ctx, const scattering *s, int first, float factor)
{
    const int count = glnn__least(s->x->rows - first, PART_ROWS);
    glnn__scatter_add scatter;
    glnn_matrix *moves;
    GLNN__TRY(glnn__matrix_create_scratch(ctx, GLNN_LAYOUT_PACKED, count, 4, "moves", &moves));
    glnn_status status = glnn__scatter_add_create(ctx, count, s->out->rows, &scatter);
    if (!status)
        status = add_linked(ctx, s, first, factor, moves, &scatter);
    glnn__scatter_add_destroy(&scatter);
    glnn__scratch_destroy(moves);
    return status;
}

static glnn_status add_parts(glnn_context *ctx, const scattering *s, float beta)
{
    for (int first = 0; first < s->x->rows; first += PART_ROWS)
        GLNN__TRY(add_part(ctx, s, first, first == 0 ? beta : 1));
    return GLNN_OK;
}

static glnn_status check_rows(const glnn_context *ctx, const char *what, const scattering *s)
{
    GLNN__TRY(glnn__check_operand(ctx, what, "x", s->x));
    GLNN__TRY(glnn__check_operand(ctx, what, "index", s->index));
    GLNN__TRY(glnn__check_output(ctx, what, "out", s->out));
    GLNN__TRY(glnn__check_shape(what, "index", s->index, s->x->rows, 1));
    GLNN__TRY(glnn__check_shape(what, "out", s->out, s->out->rows, s->x->columns));
    if (s->out == s->x || s->out == s->index)
        return glnn__fail(GLNN_E_ARG, "%s: `out` is also an operand", what);
    return GLNN_OK;
}

glnn_status glnn_scatter_add_rows(glnn_context *ctx, float alpha, const glnn_matrix *x,
                                  const glnn_matrix *index, float beta, glnn_matrix *out)
{
    const scattering s = {alpha, x, index, out};
    GLNN__TRY(check_rows(ctx, __func__, &s));
    GLNN__TRY(glnn__gl_enter_recording(ctx));
    return glnn__gl_leave(ctx, add_parts(ctx, &s, beta));
}
