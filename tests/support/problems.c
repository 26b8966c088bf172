#include "problems.h"

#include "host_textures.h"

#include <stdio.h>

setting setting_of(glnn_layout layout)
{
    return (setting){.operands = {layout, layout, layout, layout}, .out = layout};
}

turn turn_of(const glnn__operation *op)
{
    turn made;
    made.place = glnn__operation_place(op, &made.rows);
    return made;
}

bool is_its_turn(const glnn__operation *op, int number)
{
    const turn t = turn_of(op);
    return number % t.rows == t.place;
}

glnn__problem problem_new(const glnn__operation *op, glnn__sizes of)
{
    glnn__problem made;
    expect_ok(glnn__problem_create(op, of, &made));
    return made;
}

expected expected_of(const glnn__problem *p)
{
    expected want = {array_new(p->out.rows, p->out.columns),
                     array_new(p->out.rows, p->out.columns)};
    for (int i = 0; i < p->out.rows; ++i)
        p->op->reference(p, i, at(want.value, i, 0), at(want.bound, i, 0));
    return want;
}

/* Operand `number` of a setting, or out after the last one. */
static glnn_matrix *matrix_holding(glnn__elements values, const setting *s, int number)
{
    const bool is_out = number == GLNN__MOST_OPERANDS;
    if (s->hosted >> number & 1) {
        const host_texture texture = texture_holding(
            s->hosted_as, array_of_floats(values.rows, values.columns, values.data));
        return adopted(&texture);
    }
    glnn_storage storage = is_out ? s->out_in : number == 1 ? s->second_in : s->operands_in;
    if (storage == GLNN_STORAGE_UNORM8) /* of another operand, which is adopted */
        storage = GLNN_STORAGE_FLOAT32;
    glnn_matrix *matrix = matrix_stored(array_of_floats(values.rows, values.columns, values.data),
                                        is_out ? s->out : s->operands[number], storage);
    return s->wrapped >> number & 1 ? matrix_wrapped(matrix, s->wrap) : matrix;
}

/* Each operand with its shape, layout and storage, then out. */
static const char *words_of(const glnn_matrix *const operands[], const glnn_matrix *out)
{
    static char words[256];
    int used = 0;
    for (int i = 0; i <= GLNN__MOST_OPERANDS; ++i) {
        const glnn_matrix *matrix = i < GLNN__MOST_OPERANDS ? operands[i] : out;
        if (matrix)
            used += snprintf(words + used, sizeof words - (size_t)used, "%s%d x %d %s %s",
                             i == GLNN__MOST_OPERANDS ? " -> "
                             : i                      ? ", "
                                                      : " of ",
                             glnn_matrix_get_rows(matrix), glnn_matrix_get_columns(matrix),
                             glnn_layout_name(glnn_matrix_get_layout(matrix)),
                             glnn_storage_name(glnn_matrix_get_storage(matrix)));
    }
    return words;
}

/* The numbers that a pass finds: drivers convert 8 bits with an error of the last place. */
static void read_hosted(glnn__elements values, const glnn_matrix *matrix)
{
    glnn_matrix *copy = matrix_zero(values.rows, values.columns, GLNN_LAYOUT_UNPACKED);
    expect_ok(glnn_copy(glnn_test_context(), matrix, copy));
    expect_ok(glnn_matrix_download(glnn_test_context(), copy, NULL, values.data, 0));
}

glnn_status try_problem(glnn__problem *p, const setting *s, glnn_matrix **result)
{
    glnn_context *ctx = glnn_test_context();
    const glnn_matrix *operands[GLNN__MOST_OPERANDS] = {NULL};
    glnn__elements_round(p->former, s->out_in);
    for (int i = 0; i < GLNN__MOST_OPERANDS; ++i)
        glnn__elements_round(p->operand[i], i == 1 ? s->second_in : s->operands_in);
    for (int i = 0; i < GLNN__MOST_OPERANDS; ++i)
        if (s->in_place >> i & 1)
            memcpy(p->operand[i].data, p->former.data,
                   glnn__elements_count(p->former) * sizeof(float));
    glnn_matrix *out = matrix_holding(p->former, s, GLNN__MOST_OPERANDS);
    for (int i = 0; i < GLNN__MOST_OPERANDS; ++i)
        if (s->in_place >> i & 1)
            operands[i] = out;
        else if (p->operand[i].data)
            operands[i] = matrix_holding(p->operand[i], s, i);
    for (int i = 0; i < GLNN__MOST_OPERANDS; ++i)
        if (s->hosted >> i & 1)
            read_hosted(p->operand[i], operands[i]);
    const uint64_t before = counters_of(ctx).passes;
    const glnn_status status = p->op->run(ctx, p, operands, out);
    if (status)
        return status;
    p->passes = (int)(counters_of(ctx).passes - before);
    expect_close(out, expected_of(p), "%s%s%s, wrapped %d: %x", p->op->name,
                 words_of(operands, out), s->in_place ? " in place" : "", s->wrap, s->wrapped);
    *result = out;
    return GLNN_OK;
}

glnn_matrix *check_problem(glnn__problem *p, const setting *s)
{
    glnn_matrix *result = NULL;
    const glnn_status status = try_problem(p, s, &result);
    if (status)
        fail_at(__FILE__, __LINE__, "%s gives %s: %s", p->op->name, glnn_status_name(status),
                glnn_last_error());
    return result;
}

void check_operation(const glnn__operation *op, glnn__sizes of, const setting *s)
{
    glnn__problem p = problem_new(op, of);
    check_problem(&p, s);
    glnn__problem_free(&p);
    release_all();
}
