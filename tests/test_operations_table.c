/* The table of operations has all operations, and they refuse what no operation takes. */
#include "support/problems.h"

#include <glob.h>
#include <stdio.h>

/* Public functions that write a matrix and need no row. */
static const struct {
    const char *name, *reason;
} no_operations[] = {
    {"glnn_image_blur", "of images with a shape, in test_image_filters"},
    {"glnn_image_gradients", "of images with a shape, in test_image_gradients"},
    {"glnn_image_distort", "of images with a shape, in test_distortion"},
    {"glnn_image_normalise", "of images with a shape, in test_image_filters"},
    {"glnn_matrix_upload", "a transfer, in test_matrix"},
    {"glnn_projection_apply_matrix", "several operations, in test_projection_apply"},
};

static bool needs_no_row(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(no_operations); ++i)
        if (strcmp(no_operations[i].name, name) == 0)
            return true;
    return false;
}

static int rows_of_call(const char *name)
{
    int count = 0;
    for (int i = 0; i < glnn__operation_count; ++i)
        count += strcmp(glnn__operations[i].call, name) == 0;
    return count;
}

/* Whether a function with these parameters computes a matrix: one that is not constant, of a
 * context. */
static bool writes_matrix(const char *parameters)
{
    static const char type[] = "glnn_matrix *";
    if (!strstr(parameters, "glnn_context *"))
        return false;
    for (const char *at = parameters; (at = strstr(at, type)); at += sizeof type - 1)
        if (at[sizeof type - 1] != '*' && (at < parameters + 6 || strncmp(at - 6, "const ", 6)))
            return true;
    return false;
}

/* Looks for rows of all operations that a header declares; returns how many functions it
 * declares. */
static int check_header(const char *path)
{
    static char text[1 << 16];
    static const char declaration[] = "GLNN_API glnn_status ";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    assert_true(feof(file));
    fclose(file);
    int count = 0;
    for (char *at = text; (at = strstr(at, declaration)); ++count) {
        char *name = at + sizeof declaration - 1, *parameters = strchr(name, '(');
        at = strchr(parameters, ';');
        *parameters = *at++ = '\0';
        if (writes_matrix(parameters + 1) && !needs_no_row(name) && rows_of_call(name) == 0)
            fail_at(__FILE__, __LINE__, "%s in %s has no row in the table of operations", name,
                    path);
    }
    return count;
}

static void every_public_operation_has_a_row(void **state)
{
    (void)state;
    glob_t headers;
    int functions = 0;
    if (glob("include/glnn/*.h", 0, NULL, &headers) != 0)
        fail_at(__FILE__, __LINE__, "there are no headers here; run it where include/ is");
    for (size_t i = 0; i < headers.gl_pathc; ++i)
        functions += check_header(headers.gl_pathv[i]);
    globfree(&headers);
    assert_true(functions > glnn__operation_count / 10);
}

static void every_map_operator_and_reduction_has_a_row(void **state)
{
    (void)state;
    int maps[GLNN_MAP_COUNT] = {0}, derivatives[GLNN_MAP_COUNT] = {0};
    int operators[GLNN_BINARY_COUNT] = {0}, reductions[GLNN_REDUCTION_COUNT][GLNN_AXIS_COUNT] = {0};
    for (int i = 0; i < glnn__operation_count; ++i) {
        const glnn__operation *op = &glnn__operations[i];
        maps[op->map] += strcmp(op->call, "glnn_map_apply") == 0;
        derivatives[op->map] +=
            strcmp(op->call, "glnn_map_apply_derivative") == 0 && op->gradient.of;
        operators[op->binary] += strcmp(op->call, "glnn_binary_apply") == 0;
        reductions[op->reduction][op->axis] += strcmp(op->call, "glnn_reduce") == 0;
    }
    for (int i = 0; i < GLNN_MAP_COUNT; ++i)
        assert_true(maps[i] > 0 && derivatives[i] > 0);
    for (int i = 0; i < GLNN_BINARY_COUNT; ++i)
        assert_true(operators[i] > 0);
    for (int i = 0; i < GLNN_REDUCTION_COUNT * GLNN_AXIS_COUNT; ++i)
        assert_true(reductions[i / GLNN_AXIS_COUNT][i % GLNN_AXIS_COUNT] > 0);
}

/* ---- Errors that all have in common */

/* A dy of glnn_map_apply_derivative, and what follows a matrix product, may be missing. */
static bool may_be_missing(const glnn__operation *op, int number)
{
    return number > 1 || (number == 1 && op->run == glnn__operation_get("sigmoid_derivative")->run);
}

/* Fills fit all matrices, and so do single numbers that are repeated. */
static bool needs_shape(const glnn__problem *p)
{
    return glnn__elements_count(p->operand[0]) > 1 || glnn__elements_count(p->operand[1]) > 1;
}

/* The call with one operand missing, or another result, fails with a sentence that begins with the
 * public function and has these words. */
static void expect_refusal(glnn_context *ctx, const glnn__problem *p,
                           const glnn_matrix *const operands[], glnn_matrix *out,
                           glnn_status status, const char *part)
{
    char begin[64];
    expect_error(p->op->run(ctx, p, operands, out), status, part);
    snprintf(begin, sizeof begin, "%s: ", p->op->call);
    if (strncmp(glnn_last_error(), begin, strlen(begin)) != 0)
        fail_msg("\"%s\" does not begin with \"%s\"", glnn_last_error(), begin);
}

static void every_operation_refuses_what_is_missing_paged_or_of_another_shape(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    for (int i = 0; i < glnn__operation_count; ++i) {
        glnn__problem p = problem_new(&glnn__operations[i], (glnn__sizes){9, 13, 7});
        const glnn_matrix *operands[GLNN__MOST_OPERANDS] = {NULL};
        for (int j = 0; j < GLNN__MOST_OPERANDS; ++j)
            if (p.operand[j].data)
                operands[j] = matrix_zero(p.operand[j].rows, p.operand[j].columns, 0);
        glnn_matrix *out = matrix_zero(p.out.rows, p.out.columns, 0);
        expect_refusal(NULL, &p, operands, out, GLNN_E_ARG, "`ctx` is null");
        expect_refusal(ctx, &p, operands, NULL, GLNN_E_ARG, "` is null");
        expect_refusal(ctx, &p, operands, matrix_zero(p.out.rows, p.out.columns, GLNN_LAYOUT_PAGED),
                       GLNN_E_ARG, "paged");
        if (needs_shape(&p))
            expect_refusal(ctx, &p, operands, matrix_zero(1, 2, 0), GLNN_E_SHAPE, "");
        for (int j = 0; j < GLNN__MOST_OPERANDS; ++j) {
            const glnn_matrix *former = operands[j];
            if (!former || may_be_missing(p.op, j))
                continue;
            operands[j] = NULL;
            expect_refusal(ctx, &p, operands, out, GLNN_E_ARG, "` is null");
            operands[j] = former;
        }
        glnn__problem_free(&p);
        release_all();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_public_operation_has_a_row),
        TEST(every_map_operator_and_reduction_has_a_row),
        TEST(every_operation_refuses_what_is_missing_paged_or_of_another_shape),
    };
    return cmocka_run_group_tests_name("table of operations", tests, test_group_setup,
                                       test_group_teardown);
}
