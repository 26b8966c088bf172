/* Inspections: a step whose passes are watched, with copies of what they read and write. */
#include <glnn/inspection.h>

#include "base/integers.h"
#include "base/log.h"
#include "base/sized.h"
#include "base/status.h"
#include "data/dataset.h"
#include "learn/train/trainer.h"
#include "ops/check.h"
#include "ops/copy.h"
#include "ops/kernel.h"

#include <stdlib.h>
#include <string.h>

/* A pass whose matrices are copies, and whose uniforms are numbers. */
typedef struct seen {
    glnn__label label;
    glnn__pass pass;
    glnn__epilogue epilogue; /* which pass.epilogue points to, if there is one */
    glnn__variant variant;
    const glnn_matrix *former_output;
    glnn_matrix *former_sides[GLNN__MAX_SIDE_OUTPUTS];
} seen;

/* A copy of a matrix, or the matrix itself if it never changes. Parts of a pass write a texture
 * that becomes that of the matrix later. */
typedef struct copy {
    const glnn_matrix *of; /* NULL: of a state that is past */
    const glnn__texture *texture;
    glnn_matrix *matrix;
} copy;

struct glnn_inspection {
    glnn_context *ctx;
    const glnn_dataset *data; /* of the training, during the step */
    seen *passes;
    int pass_count, pass_room;
    copy *copies;
    int copy_count, copy_room;
    glnn_status status; /* the first failure, after which nothing more is copied */
    glnn__text text;    /* of the shader that was asked for last */
    glnn__dependent object;
};

/* ---- Copies */

/* An array with room for one more element; NULL without memory, and the array stays. */
static void *grow(void *array, int count, int *room, size_t size)
{
    const int wanted = count < *room ? *room : 2 * *room + 32;
    void *grown = wanted == *room ? array : realloc(array, (size_t)wanted * size);
    if (grown)
        *room = wanted;
    return grown;
}

static glnn_status fail_memory(const glnn_inspection *in)
{
    return glnn__fail(GLNN_E_NOMEM, "no memory to inspect %d passes", in->pass_count + 1);
}

static bool is_constant(const glnn_inspection *in, const glnn_matrix *m)
{
    const glnn_dataset *data = in->data;
    return !data->stream && !data->may_change && (m == data->inputs || m == data->targets);
}

/* A texture of a host can have levels and layers, which shaders read. */
static glnn_status fill(const glnn_matrix *m, glnn__texture *texture, glnn_matrix *out)
{
    if (!texture->is_shared)
        return glnn__texture_copy(m->ctx, texture, out->texture);
    const glnn__pass pass = glnn__copy_pass(m, out);
    return glnn__pass_run(m->ctx, &pass);
}

static glnn_status make_copy(const glnn_inspection *in, const glnn_matrix *m,
                             glnn__texture *texture, glnn_matrix **out)
{
    if (is_constant(in, m)) {
        *out = glnn__matrix_share(m);
        return GLNN_OK;
    }
    GLNN__TRY(glnn__matrix_create_like(m, m->name, out));
    const glnn_status status = fill(m, texture, *out);
    if (status)
        glnn__matrix_release(*out);
    return status;
}

static glnn_status add_copy(glnn_inspection *in, const glnn_matrix *m, glnn__texture *texture)
{
    copy *copies = grow(in->copies, in->copy_count, &in->copy_room, sizeof *copies);
    if (!copies)
        return fail_memory(in);
    in->copies = copies;
    copy *added = &copies[in->copy_count];
    *added = (copy){m, texture, NULL};
    GLNN__TRY(make_copy(in, m, texture, &added->matrix));
    in->copy_count++;
    return GLNN_OK;
}

static glnn_matrix *find_copy(const glnn_inspection *in, const glnn_matrix *m,
                              const glnn__texture *texture)
{
    for (int i = in->copy_count - 1; i >= 0; --i)
        if (in->copies[i].of == m && in->copies[i].texture == texture)
            return in->copies[i].matrix;
    return NULL;
}

static void drop_copies(glnn_inspection *in)
{
    for (int i = 0; i < in->copy_count; ++i)
        glnn__matrix_release(in->copies[i].matrix);
    in->copy_count = 0;
}

/* The copy of a matrix with one of its textures; NULL after a failure. */
static glnn_matrix *keep_texture(glnn_inspection *in, const glnn_matrix *m, glnn__texture *texture)
{
    glnn_matrix *known = find_copy(in, m, texture);
    if (known || in->status)
        return known;
    in->status = add_copy(in, m, texture);
    if (in->status)
        drop_copies(in); /* the step may need their memory */
    return find_copy(in, m, texture);
}

/* The copy of a matrix as it is now; NULL without a matrix, and after a failure. */
static glnn_matrix *keep(glnn_inspection *in, const glnn_matrix *m)
{
    return m ? keep_texture(in, m, m->texture) : NULL;
}

/* The copy of what a pass, or a part of one, has written. */
static glnn_matrix *keep_written(glnn_inspection *in, const glnn_matrix *m)
{
    glnn__texture *texture = m->next ? m->next : m->texture;
    for (int i = 0; i < in->copy_count; ++i)
        if (in->copies[i].of == m && in->copies[i].texture == texture)
            in->copies[i].of = NULL;
    return keep_texture(in, m, texture);
}

static void forget(void *self)
{
    glnn_inspection *in = self;
    for (int i = 0; i < in->copy_count; ++i)
        in->copies[i].of = NULL;
}

/* ---- Watching a step */

static void fix(glnn__uniform *uniforms, int count)
{
    for (int i = 0; i < count; ++i)
        uniforms[i] = (glnn__uniform){.i = glnn__uniform_get(&uniforms[i]).i};
}

/* The pass with all that it points to. A kernel of the program stays until the inspection ends. */
static void take(seen *to, const glnn__program *program, const glnn__pass *pass)
{
    glnn_kernel *owner = glnn__kernel_owner(pass->kernel);
    to->pass = *pass;
    to->variant = program->variant;
    to->pass.constants = program->variant.constants;
    to->pass.way = NULL;
    fix(to->pass.uniforms, GLNN__MAX_UNIFORMS);
    fix(&to->pass.blend_factor, 1);
    if (pass->epilogue) {
        to->epilogue = *pass->epilogue;
        fix(to->epilogue.uniforms, GLNN__MAX_UNIFORMS);
    }
    if (owner)
        ++owner->owners;
}

/* The next pass; NULL after a failure. */
static seen *add_pass(glnn_inspection *in)
{
    if (in->status)
        return NULL;
    seen *passes = grow(in->passes, in->pass_count, &in->pass_room, sizeof *passes);
    if (!passes) {
        in->status = fail_memory(in);
        return NULL;
    }
    in->passes = passes;
    passes[in->pass_count] = (seen){.label = in->ctx->label};
    return &passes[in->pass_count++];
}

static void see_before(void *self, const glnn__program *program, const glnn__pass *pass)
{
    glnn_inspection *in = self;
    seen *to = add_pass(in);
    if (!to)
        return;
    take(to, program, pass);
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i)
        to->pass.operands[i].matrix = keep(in, pass->operands[i].matrix);
    if (pass->blend || pass->picks > 0 || pass->region.width > 0)
        to->former_output = keep(in, pass->output);
    for (int i = 0; i < GLNN__MAX_SIDE_OUTPUTS; ++i)
        to->former_sides[i] = keep(in, glnn__pass_side_output(pass, i));
}

static void see_after(void *self, const glnn__pass *pass)
{
    glnn_inspection *in = self;
    if (in->status)
        return;
    seen *to = &in->passes[in->pass_count - 1];
    to->pass.output =
        glnn__pass_writes(pass, 0) ? keep_written(in, pass->output) : keep(in, pass->output);
    for (int i = 0; i < GLNN__MAX_SIDE_OUTPUTS; ++i) {
        const glnn_matrix *m = glnn__pass_side_output(pass, i);
        glnn_matrix **side = pass->side_outputs[i]
                                 ? &to->pass.side_outputs[i]
                                 : &to->epilogue.side_outputs[GLNN__MAX_SIDE_OUTPUTS - 1 - i];
        if (m)
            *side = glnn__pass_writes(pass, 1 + i) ? keep_written(in, m) : to->former_sides[i];
    }
}

/* The array of passes no longer grows. */
static void finish(glnn_inspection *in)
{
    for (int i = 0; i < in->pass_count; ++i)
        if (in->passes[i].pass.epilogue)
            in->passes[i].pass.epilogue = &in->passes[i].epilogue;
    in->data = NULL;
}

/* A failure of the step comes before one of the copies. */
static glnn_status make_step(glnn_trainer *trainer, const char *what, glnn_inspection *in)
{
    glnn__watch watch = {in, see_before, see_after, forget};
    GLNN__TRY(glnn__trainer_step_watched(trainer, what, &watch));
    finish(in);
    return in->status;
}

static void report(void *self)
{
    (void)self;
    glnn__log(GLNN_LOG_WARNING, "glnn_context_destroy: an inspection still exists");
}

glnn_status glnn_inspection_create(glnn_trainer *trainer, glnn_inspection **out)
{
    GLNN__NOT_NULL(out);
    *out = NULL;
    GLNN__TRY(glnn__trainer_check_running(trainer, __func__));
    glnn_inspection *in = malloc(sizeof *in);
    if (!in)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for an inspection", __func__);
    *in = (glnn_inspection){.ctx = trainer->training.ctx, .data = trainer->training.data};
    const glnn_status status = make_step(trainer, __func__, in);
    if (status) {
        glnn_inspection_destroy(in);
        return status;
    }
    glnn__object_add(in->ctx, &in->object, report, in);
    *out = in;
    return GLNN_OK;
}

void glnn_inspection_destroy(glnn_inspection *in)
{
    if (!in)
        return;
    glnn__dependent_remove(&in->object);
    drop_copies(in);
    for (int i = 0; i < in->pass_count; ++i)
        if (glnn__kernel_owner(in->passes[i].pass.kernel))
            glnn__kernel_release(glnn__kernel_owner(in->passes[i].pass.kernel));
    glnn__text_free(&in->text);
    free(in->copies);
    free(in->passes);
    free(in);
}

/* ---- Looking at passes */

int glnn_inspection_get_pass_count(const glnn_inspection *in)
{
    return in ? in->pass_count : 0;
}

static glnn_status find_pass(const glnn_inspection *in, const char *what, int number,
                             const seen **out)
{
    if (!in)
        return glnn__fail_null(what, "inspection");
    GLNN__TRY(glnn__context_check(what, "inspection", in->ctx));
    if (number < 0 || number >= in->pass_count)
        return glnn__fail(GLNN_E_ARG, "%s: pass %d of a step of %d passes", what, number,
                          in->pass_count);
    *out = &in->passes[number];
    return GLNN_OK;
}

glnn_status glnn_inspection_get_pass(const glnn_inspection *in, int number, glnn_pass_info *out)
{
    const seen *of;
    GLNN__NOT_NULL(out);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_pass_info, expected_us, out));
    GLNN__TRY(find_pass(in, __func__, number, &of));
    glnn_pass_info filled = {.size = sizeof filled, .former_output = of->former_output};
    glnn__pass_describe(&of->pass, &of->label, &filled);
    memcpy(filled.former_side_outputs, of->former_sides, sizeof of->former_sides);
    glnn__sized_fill(out, &filled, sizeof filled);
    return GLNN_OK;
}

glnn_status glnn_inspection_get_shader(glnn_inspection *in, int number, const char **text)
{
    const seen *of;
    GLNN__NOT_NULL(text);
    *text = NULL;
    GLNN__TRY(find_pass(in, __func__, number, &of));
    glnn__text_free(&in->text);
    GLNN__TRY(glnn__fail_in(
        __func__, glnn__variant_assemble(in->ctx, &of->variant, of->pass.expression, &in->text)));
    *text = in->text.content.text;
    return GLNN_OK;
}

static glnn_status check_element(const char *what, const seen *of, int row, int column)
{
    const glnn_matrix *m = glnn__pass_written(&of->pass);
    if (row >= 0 && row < m->rows && column >= 0 && column < m->columns)
        return GLNN_OK;
    return glnn__fail(GLNN_E_ARG, "%s: element (%d, %d) of the %s %s, which is %d x %d", what, row,
                      column, m == of->pass.output ? "output" : "side output", m->name, m->rows,
                      m->columns);
}

glnn_status glnn_inspection_get_block(const glnn_inspection *in, int number, int row, int column,
                                      glnn_rect *out)
{
    const seen *of;
    int rows, columns;
    GLNN__NOT_NULL(out);
    GLNN__TRY(find_pass(in, __func__, number, &of));
    GLNN__TRY(check_element(__func__, of, row, column));
    glnn__pass_block_size(&of->pass, &rows, &columns);
    const glnn_matrix *m = glnn__pass_written(&of->pass);
    const int first_row = row - row % rows, first_column = column - column % columns;
    *out = (glnn_rect){first_row, first_column, glnn__least(rows, m->rows - first_row),
                       glnn__least(columns, m->columns - first_column)};
    return GLNN_OK;
}

/* ---- Fetches */

static glnn_status check_fetches(const glnn_inspection *in, const char *what, const seen *of,
                                 int operand, const glnn_matrix *out)
{
    if (operand < 0 || operand >= GLNN__MAX_OPERANDS || !of->pass.operands[operand].matrix)
        return glnn__fail(GLNN_E_ARG, "%s: %s has no operand %d in this pass", what,
                          of->pass.kernel->name, operand);
    const glnn_matrix *m = of->pass.operands[operand].matrix;
    GLNN__TRY(glnn__check_output(in->ctx, what, "out", out));
    return glnn__check_shape(what, "out", out, m->rows, m->columns);
}

static glnn_status count(const seen *of, int row, int column, int operand, glnn_matrix *out)
{
    const glnn_matrix *m = of->pass.operands[operand].matrix;
    glnn__counting counting = {.operand = operand};
    int rows, columns;
    glnn__pass_block_size(&of->pass, &rows, &columns);
    counting.row = row / rows;
    counting.column = column / columns;
    GLNN__TRY(glnn__matrix_create_scratch(
        m->ctx, m->layout == GLNN_LAYOUT_UNPACKED ? m->layout : GLNN_LAYOUT_PACKED, m->rows,
        m->columns, "fetches", &counting.counts));
    const glnn__pass to_out = glnn__copy_pass(counting.counts, out);
    glnn_status status = glnn__pass_count_fetches(m->ctx, &of->pass, &counting);
    if (!status)
        status = glnn__pass_run(m->ctx, &to_out);
    glnn__matrix_release(counting.counts);
    return status;
}

glnn_status glnn_inspection_find_fetches(glnn_inspection *in, int number, int row, int column,
                                         int operand, glnn_matrix *out)
{
    const seen *of;
    GLNN__TRY(find_pass(in, __func__, number, &of));
    GLNN__NOT_NULL(out);
    GLNN__TRY(check_element(__func__, of, row, column));
    GLNN__TRY(check_fetches(in, __func__, of, operand, out));
    GLNN__TRY(glnn__gl_enter(in->ctx));
    return glnn__gl_leave(in->ctx, count(of, row, column, operand, out));
}
