#include "selftest/cell.h"

#include "base/status.h"
#include "gl/gl.h"

#include <glnn/texture.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void glnn__cell_add(glnn__cell *cell, glnn_status status, double error, const char *format, ...)
{
    const bool is_right = !status && error <= 1;
    ++cell->results;
    if (!status)
        cell->worst = fmax(cell->worst, error);
    cell->failed += !is_right;
    if (is_right || cell->first[0])
        return;
    char words[200];
    va_list list;
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    if (status)
        snprintf(cell->first, sizeof cell->first, "%s: %s: %.280s", words, glnn_status_name(status),
                 glnn_last_error());
    else
        snprintf(cell->first, sizeof cell->first, "%s: the error is %.3g times its bound", words,
                 error);
}

/* ---- Settings */

/* How the matrices of a problem are stored. UNORM8 is for operand 0 and the result alone. */
typedef struct setting {
    glnn_layout layouts[GLNN__MOST_OPERANDS], out;
    glnn_storage first_in, out_in; /* the other operands are float32 */
} setting;

enum { RENDERED = GLNN_LAYOUT_PAGED - GLNN_LAYOUT_TILED };

/* All layouts that passes write, then a PAGED operand in 16 bits, then 8 bits. */
enum { PAGED = RENDERED, HOSTED, SETTINGS };

static bool has_operands(const glnn__operation *op)
{
    return op->operands[0].rows != GLNN__SIDE_NONE;
}

/* Textures of 8 bits hold 0 to 1, and all other numbers would become 0 or 1. */
static bool takes_unorm8(const glnn__operation *op)
{
    const glnn__range range = op->operands[0].range;
    return has_operands(op) && (range == GLNN__RANGE_UNIT || range == GLNN__RANGE_WIDE ||
                                (range == GLNN__RANGE_DIVISOR && op->binary != GLNN_BINARY_DIVIDE));
}

/* Whether an operation meets a setting in a way. */
static bool is_met(const glnn__operation *op, int number, glnn__turn turn)
{
    int rows;
    const int place = glnn__operation_place(op, &rows);
    switch (number) {
    case PAGED:
        return has_operands(op) && turn.way % rows == place;
    case HOSTED:
        return takes_unorm8(op) && (turn.way + 1) % rows == place;
    default:
        return rows < RENDERED || glnn__is_turn(turn, number + place);
    }
}

/* Mixed settings have a result in one of the layouts, which depends on the way. */
static setting make_setting(int number, int way)
{
    const glnn_layout layout =
        (glnn_layout)(GLNN_LAYOUT_TILED + (number < RENDERED ? number : way) % RENDERED);
    setting s = {.layouts = {layout, layout, layout, layout}, .out = layout};
    if (number == PAGED) {
        s.layouts[0] = GLNN_LAYOUT_PAGED;
        s.first_in = s.out_in = GLNN_STORAGE_FLOAT16;
    } else if (number == HOSTED) {
        s.layouts[0] = s.out = GLNN_LAYOUT_UNPACKED;
        s.first_in = s.out_in = GLNN_STORAGE_UNORM8;
    }
    return s;
}

/* ---- Matrices */

/* A texture of 8 bits that is a matrix, as a host would lend it. */
static glnn_status host(glnn_context *ctx, const glnn__elements *values, GLuint *texture,
                        glnn_matrix **out)
{
    GLNN__TRY(glnn__gl_enter(ctx));
    glnn_status status = glnn__gl_claim(ctx, GLNN__PARTS_COPY);
    if (!status) {
        glGenTextures(1, texture);
        glActiveTexture(GL_TEXTURE0);
        glBindTexture(GL_TEXTURE_2D, *texture);
        glTexStorage2D(GL_TEXTURE_2D, 1, GL_R8, values->columns, values->rows);
        ++ctx->bindings_age;
    }
    GLNN__TRY(glnn__gl_leave(ctx, status));
    const glnn_texture_desc desc = {
        .texture = *texture, .width = values->columns, .height = values->rows, .format = GL_R8};
    GLNN__TRY(glnn_matrix_adopt(ctx, &desc, out));
    return glnn_matrix_upload(ctx, *out, NULL, values->data, 0);
}

/* Deletes it after its matrix. */
static void unhost(glnn_context *ctx, GLuint texture)
{
    if (texture == 0 || glnn__gl_enter(ctx) != GLNN_OK)
        return;
    glDeleteTextures(1, &texture);
    ++ctx->bindings_age;
    glnn__gl_leave(ctx, GLNN_OK);
}

typedef struct matrices {
    glnn_matrix *operands[GLNN__MOST_OPERANDS], *out;
    GLuint textures[2]; /* of the host: of operand 0 and the result; 0: none */
} matrices;

static glnn_status create_matrix(glnn_context *ctx, glnn__elements *values, glnn_layout layout,
                                 glnn_storage storage, GLuint *texture, glnn_matrix **out)
{
    glnn__elements_round(*values, storage);
    if (storage == GLNN_STORAGE_UNORM8)
        return host(ctx, values, texture, out);
    return glnn_matrix_create(ctx,
                              &(glnn_matrix_desc){.rows = values->rows,
                                                  .columns = values->columns,
                                                  .layout = layout,
                                                  .storage = storage,
                                                  .data = values->data},
                              out);
}

static glnn_status create_matrices(glnn_context *ctx, glnn__problem *p, const setting *s,
                                   matrices *all)
{
    for (int i = 0; i < GLNN__MOST_OPERANDS; ++i)
        if (p->operand[i].data)
            GLNN__TRY(create_matrix(ctx, &p->operand[i], s->layouts[i],
                                    i == 0 ? s->first_in : GLNN_STORAGE_FLOAT32, &all->textures[0],
                                    &all->operands[i]));
    return create_matrix(ctx, &p->former, s->out, s->out_in, &all->textures[1], &all->out);
}

static void destroy_matrices(glnn_context *ctx, matrices *all)
{
    for (int i = 0; i < GLNN__MOST_OPERANDS; ++i)
        glnn_matrix_destroy(all->operands[i]);
    glnn_matrix_destroy(all->out);
    for (int i = 0; i < 2; ++i)
        unhost(ctx, all->textures[i]);
}

/* Drivers widen 8 bits with an error of the last place, so the numbers that a pass finds are the
 * operands. */
static glnn_status read_hosted(glnn_context *ctx, const glnn_matrix *from, glnn__elements *values)
{
    glnn_matrix *copy;
    GLNN__TRY(glnn_matrix_create(
        ctx, &(glnn_matrix_desc){.rows = values->rows, .columns = values->columns}, &copy));
    glnn_status status = glnn_copy(ctx, from, copy);
    if (!status)
        status = glnn_matrix_download(ctx, copy, NULL, values->data, 0);
    glnn_matrix_destroy(copy);
    return status;
}

/* ---- Running */

static glnn_status run_problem(glnn_context *ctx, glnn__problem *p, const setting *s, matrices *all,
                               double *error)
{
    GLNN__TRY(create_matrices(ctx, p, s, all));
    if (s->first_in == GLNN_STORAGE_UNORM8) {
        GLNN__TRY(read_hosted(ctx, all->operands[0], &p->operand[0]));
        GLNN__TRY(read_hosted(ctx, all->out, &p->former));
    }
    const uint64_t passes = ctx->counters.passes;
    GLNN__TRY(p->op->run(ctx, p, (const glnn_matrix *const *)all->operands, all->out));
    p->passes = (int)(ctx->counters.passes - passes);
    GLNN__TRY(glnn_matrix_download(ctx, all->out, NULL, p->out.data, 0));
    return glnn__problem_error(p, glnn_matrix_get_storage(all->out), error);
}

static void run_setting(glnn_context *ctx, const glnn__operation *op, const setting *s,
                        glnn__sizes size, glnn__cell *cell)
{
    glnn__problem p = {0};
    matrices all = {0};
    double error = 0;
    glnn_status status = glnn__problem_create(op, size, &p);
    if (!status)
        status = run_problem(ctx, &p, s, &all, &error);
    glnn__cell_add(cell, status, error, "m %d, n %d, k %d; %s %s, %s float32 -> %s %s", size.m,
                   size.n, size.k, glnn_layout_name(s->layouts[0]), glnn_storage_name(s->first_in),
                   glnn_layout_name(s->layouts[1]), glnn_layout_name(s->out),
                   glnn_storage_name(s->out_in));
    destroy_matrices(ctx, &all);
    glnn__problem_free(&p);
}

/* Parts of blocks, and more than one block. Reductions of the first size take several passes. No
 * side of the others is 1: a matrix of one row has programs of its own where an operation repeats
 * rows, and the table has rows for that. */
static const glnn__sizes product_sizes[] = {{13, 17, 22}, {3, 1, 7}},
                         other_sizes[] = {{41, 37, 22}, {2, 5, 1}};

static void run_sizes(glnn_context *ctx, const glnn__operation *op, int number, int way,
                      glnn__cell *cell)
{
    const glnn__sizes *sizes = op->kind == GLNN__KIND_PRODUCT ? product_sizes : other_sizes;
    const setting s = make_setting(number, way);
    for (int i = 0; i < 2; ++i)
        run_setting(ctx, op, &s, sizes[i], cell);
}

void glnn__cell_run_operation(glnn_context *ctx, const glnn__operation *op, glnn__turn turn,
                              glnn__cell *cell)
{
    for (int number = 0; number < SETTINGS; ++number)
        if (is_met(op, number, turn))
            run_sizes(ctx, op, number, turn.way, cell);
}

void glnn__cell_run_settings(glnn_context *ctx, const glnn__operation *op, glnn__turn turn,
                             glnn__cell *cell)
{
    for (int number = 0; number < SETTINGS; ++number)
        run_sizes(ctx, op, number, turn.way, cell);
}
