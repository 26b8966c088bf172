#include "ops/scatter_add.h"

#include "base/status.h"
#include "pass/pass.h"

#include <math.h>

enum { COUNT, SEGMENT_SIZE };

static const glnn__kernel segments_kernel = {
    .name = "ops/member_segments",
    .operands = {"MOVES"},
    .unviewed = 1,
    .uniforms = {[COUNT] = "int count", [SEGMENT_SIZE] = "int segment_rows"},
};

static const glnn__kernel links_kernel = {
    .name = "ops/member_links",
    .operands = {"MOVES", "SEGMENTS"},
    .unviewed = 2,
    .uniforms = {[COUNT] = "int count", [SEGMENT_SIZE] = "int segment_rows"},
};

static const glnn__kernel first_kernel = {
    .name = "ops/member_first",
    .operands = {"SEGMENTS"},
    .unviewed = 1,
};

static const glnn__kernel put_kernel = {
    .name = "ops/member_put",
    .operands = {"ENTRIES", "X"},
    .unviewed = 2,
    .uniforms = {[COUNT] = "int count"},
};

enum { PICKED, REPULSION };
enum { LIMIT = COUNT + 1, EXCESS };

static const glnn__kernel sum_kernel = {
    .name = "ops/members",
    .operands = {"ENTRIES", "FIRST", "X", "M"},
    .unviewed = 3,
    .options = {[PICKED] = "PICKED", [REPULSION] = "REPULSION"},
    .uniforms = {[COUNT] = "int count", [LIMIT] = "float limit", [EXCESS] = "float excess"},
};

/* Rows of a segment: linking looks through one segment and the first entries of the others, so that
 * both should be few. */
#define SEGMENT_ROWS 64

/* Up to so many rows each prototype looks through all entries, and nothing is linked. */
#define UNLINKED_ROWS 16

static bool is_linked(const glnn__members *members)
{
    return members->count > UNLINKED_ROWS;
}

glnn_status glnn__members_create(glnn_context *ctx, int rows, int prototypes, glnn__members *out)
{
    const int segments = (rows - 1) / SEGMENT_ROWS + 1;
    *out = (glnn__members){0};
    if (rows <= UNLINKED_ROWS)
        return GLNN_OK;
    glnn_status status = glnn__matrix_create_zero(ctx, GLNN_LAYOUT_PACKED, segments, prototypes,
                                                  "first members of segments", &out->segments);
    if (!status && segments > 1)
        status = glnn__matrix_create_zero(ctx, GLNN_LAYOUT_PACKED, 1, prototypes, "first members",
                                          &out->first);
    if (!status)
        status = glnn__matrix_create_zero(ctx, GLNN_LAYOUT_PACKED, rows, 4, "links of members",
                                          &out->links);
    if (status)
        glnn__members_destroy(out);
    return status;
}

void glnn__members_destroy(glnn__members *members)
{
    glnn_matrix_destroy(members->segments);
    glnn_matrix_destroy(members->first);
    glnn_matrix_destroy(members->links);
    *members = (glnn__members){0};
}

glnn_status glnn__members_link(glnn_context *ctx, const glnn_matrix *moves, int count,
                               glnn__members *members)
{
    members->count = count;
    if (!is_linked(members))
        return GLNN_OK;
    GLNN__TRY(glnn__pass_run(
        ctx, &(glnn__pass){
                 .kernel = &segments_kernel,
                 .operands = {{.matrix = moves}},
                 .output = members->segments,
                 .uniforms = {[COUNT] = {.i = count}, [SEGMENT_SIZE] = {.i = SEGMENT_ROWS}},
             }));
    GLNN__TRY(glnn__pass_run(
        ctx, &(glnn__pass){
                 .kernel = &links_kernel,
                 .operands = {{.matrix = moves}, {.matrix = members->segments}},
                 .output = members->links,
                 .uniforms = {[COUNT] = {.i = count}, [SEGMENT_SIZE] = {.i = SEGMENT_ROWS}},
             }));
    if (!members->first)
        return GLNN_OK;
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = &first_kernel,
                                   .operands = {{.matrix = members->segments}},
                                   .output = members->first,
                               });
}

/* A pass over the entries of each prototype. */
static glnn__pass entry_pass(const glnn__members *members, const glnn_matrix *moves,
                             const glnn_matrix *samples, glnn_matrix *output)
{
    glnn__pass pass = {
        .kernel = &sum_kernel,
        .operands = {{.matrix = moves}, {0}, {.matrix = samples}},
        .output = output,
    };
    if (is_linked(members)) {
        pass.operands[0].matrix = members->links;
        pass.operands[1].matrix = members->first ? members->first : members->segments;
    } else {
        pass.uniforms[COUNT].i = members->count;
    }
    return pass;
}

static glnn__pass move_pass(const glnn__members *members, const glnn_matrix *moves,
                            const glnn_matrix *samples, glnn__member_limits limits,
                            const glnn_matrix *prototypes, glnn_matrix *output)
{
    glnn__pass pass = entry_pass(members, moves, samples, output);
    pass.operands[3].matrix = prototypes;
    pass.uniforms[LIMIT].f = limits.total > 0 ? limits.total : INFINITY;
    pass.uniforms[EXCESS].f = limits.excess;
    pass.options[REPULSION] = limits.excess > 0;
    return pass;
}

/* Few entries touch few prototypes: these alone are computed, a row of blocks for each entry, and put
 * where they belong. */
static glnn_status move_few(glnn_context *ctx, const glnn__members *members,
                            const glnn_matrix *moves, const glnn_matrix *samples,
                            glnn__member_limits limits, glnn_matrix *prototypes)
{
    const int entries = 2 * members->count;
    const int block_rows = glnn__layout_get(prototypes->layout)->block_rows;
    glnn_matrix *moved;
    GLNN__TRY(glnn__matrix_create_scratch(ctx, prototypes->layout, block_rows * entries,
                                          prototypes->columns, "moved prototypes", &moved));
    glnn__pass pass = move_pass(members, moves, samples, limits, prototypes, moved);
    pass.options[PICKED] = true;
    glnn_status status = glnn__pass_run(ctx, &pass);
    if (!status)
        status = glnn__pass_run(ctx, &(glnn__pass){
                                         .kernel = &put_kernel,
                                         .operands = {{.matrix = moves}, {.matrix = moved}},
                                         .output = prototypes,
                                         .uniforms = {[COUNT] = {.i = members->count}},
                                         .picks = entries,
                                     });
    glnn_matrix_destroy(moved);
    return status;
}

glnn_status glnn__members_move(glnn_context *ctx, const glnn__members *members,
                               const glnn_matrix *moves, const glnn_matrix *samples,
                               glnn__member_limits limits, glnn_matrix *prototypes)
{
    if (!is_linked(members) && 4 * members->count <= prototypes->texture->extent.height)
        return move_few(ctx, members, moves, samples, limits, prototypes);
    const glnn__pass pass = move_pass(members, moves, samples, limits, prototypes, prototypes);
    return glnn__pass_run(ctx, &pass);
}

static glnn_status add_entries(glnn_context *ctx, const glnn__members *members,
                               const glnn_matrix *moves, const glnn_matrix *samples, float keep,
                               bool pushes, glnn_matrix *out)
{
    glnn__pass pass = entry_pass(members, moves, samples, out);
    pass.options[REPULSION] = pushes;
    pass.blend = keep != 0;
    pass.blend_factor = keep;
    return glnn__pass_run(ctx, &pass);
}

glnn_status glnn__members_sum(glnn_context *ctx, const glnn__members *members,
                              const glnn_matrix *moves, const glnn_matrix *samples, float keep,
                              glnn_matrix *sums, glnn_matrix *weights)
{
    if (sums)
        GLNN__TRY(add_entries(ctx, members, moves, samples, keep, false, sums));
    return weights ? add_entries(ctx, members, moves, NULL, keep, false, weights) : GLNN_OK;
}

glnn_status glnn__members_sum_pushes(glnn_context *ctx, const glnn__members *members,
                                     const glnn_matrix *moves, const glnn_matrix *samples,
                                     float keep, glnn_matrix *pushes)
{
    return add_entries(ctx, members, moves, samples, keep, true, pushes);
}
