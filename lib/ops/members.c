#include "ops/members.h"

#include "base/status.h"
#include "pass/pass.h"

/* Rows of a segment: linking looks through one segment and the first entries of the others, so that
 * both should be few. */
#define SEGMENT_ROWS 64

/* Up to so many rows each prototype looks through all entries, and nothing is linked. */
#define UNLINKED_ROWS 8

static bool is_linked(const glnn__members *members)
{
    return members->count > UNLINKED_ROWS;
}

static glnn_status create_packed(glnn_context *ctx, int rows, int columns, const char *name,
                                 glnn_matrix **out)
{
    return glnn_matrix_create(
        ctx,
        &(glnn_matrix_desc){
            .rows = rows, .columns = columns, .layout = GLNN_LAYOUT_PACKED, .name = name},
        out);
}

glnn_status glnn__members_create(glnn_context *ctx, int rows, int prototypes, glnn__members *out)
{
    const int segments = (rows - 1) / SEGMENT_ROWS + 1;
    *out = (glnn__members){0};
    if (rows <= UNLINKED_ROWS)
        return GLNN_OK;
    glnn_status status =
        create_packed(ctx, segments, prototypes, "first members of segments", &out->segments);
    if (!status && segments > 1)
        status = create_packed(ctx, 1, prototypes, "first members", &out->first);
    if (!status)
        status = create_packed(ctx, rows, 4, "links of members", &out->links);
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
    GLNN__TRY(glnn__pass_run(ctx, &(glnn__pass){
                                      .kernel = GLNN__KERNEL_MEMBER_SEGMENTS,
                                      .operands = {{.matrix = moves}},
                                      .output = members->segments,
                                      .integers = {count, SEGMENT_ROWS},
                                  }));
    GLNN__TRY(
        glnn__pass_run(ctx, &(glnn__pass){
                                .kernel = GLNN__KERNEL_MEMBER_LINKS,
                                .operands = {{.matrix = moves}, {.matrix = members->segments}},
                                .output = members->links,
                                .integers = {count, SEGMENT_ROWS},
                            }));
    if (!members->first)
        return GLNN_OK;
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = GLNN__KERNEL_MEMBER_FIRST,
                                   .operands = {{.matrix = members->segments}},
                                   .output = members->first,
                               });
}

/* Sums over the entries of each prototype: of 1, of x, or of x - m where there is an m. */
static glnn_status sum_entries(glnn_context *ctx, const glnn__members *members,
                               const glnn_matrix *moves, const glnn_matrix *x, const glnn_matrix *m,
                               float keep, glnn_matrix *out)
{
    const glnn_matrix *first = members->first ? members->first : members->segments;
    glnn__pass pass = {
        .kernel = GLNN__KERNEL_MEMBERS,
        .operands = {{.matrix = moves}, {0}, {.matrix = x}, {.matrix = m}},
        .output = out,
        .integers = {members->count},
        .blend = keep != 0,
        .blend_factor = keep,
    };
    if (is_linked(members)) {
        pass.operands[0].matrix = members->links;
        pass.operands[1].matrix = first;
        pass.integers[0] = 0;
    }
    return glnn__pass_run(ctx, &pass);
}

glnn_status glnn__members_move(glnn_context *ctx, const glnn__members *members,
                               const glnn_matrix *moves, const glnn_matrix *samples,
                               glnn_matrix *prototypes)
{
    return sum_entries(ctx, members, moves, samples, prototypes, 0, prototypes);
}

glnn_status glnn__members_sum(glnn_context *ctx, const glnn__members *members,
                              const glnn_matrix *moves, const glnn_matrix *samples, float keep,
                              glnn_matrix *sums, glnn_matrix *weights)
{
    if (sums)
        GLNN__TRY(sum_entries(ctx, members, moves, samples, NULL, keep, sums));
    return weights ? sum_entries(ctx, members, moves, NULL, NULL, keep, weights) : GLNN_OK;
}
