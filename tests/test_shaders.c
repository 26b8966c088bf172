/* Shaders read from a folder, and what their compiler's complaints are turned into. The tests copy
 * the folder `shaders` of the repository, in whose root they run. */
#include "support/tree.h"

#include <stdio.h>

#include <glnn/map.h>

static char folder[TREE_PATH];

static int copy_shaders(void **state)
{
    (void)state;
    /* The files that the tests edit are those of the fragment stage. */
    unsetenv("GLNN_STAGE");
    unsetenv("GLNN_WRITES");
    tree_make(folder);
    tree_copy("shaders", folder);
    return 0;
}

static int remove_shaders(void **state)
{
    unsetenv("GLNN_SHADER_DIR");
    tree_remove(folder);
    return test_teardown(state);
}

#define SHADER_TEST(function)                                                                      \
    cmocka_unit_test_setup_teardown(function, copy_shaders, remove_shaders)

/* Replaces the first `old` of a file by `text`; returns the number of the line where it stood. */
static int edit(const char *name, const char *old, const char *text)
{
    size_t size = 0;
    char *content = (char *)tree_read(tree_path(folder, name), &size);
    char *found = strstr(content, old);
    if (found == NULL)
        fail_at(__FILE__, __LINE__, "%s has no \"%s\"", name, old);
    int line = 1;
    for (const char *c = content; c < found; ++c)
        line += *c == '\n';
    const size_t length = size + strlen(text) + 1, before = (size_t)(found - content);
    char *edited = calloc(length, 1);
    assert_non_null(edited);
    snprintf(edited, length, "%.*s%s%s", (int)before, content, text, found + strlen(old));
    tree_write(tree_path(folder, name), edited, strlen(edited));
    free(edited);
    free(content);
    return line;
}

static void restore(const char *name)
{
    char original[TREE_PATH];
    size_t size = 0;
    snprintf(original, sizeof original, "shaders/%s", name);
    unsigned char *bytes = tree_read(original, &size);
    tree_write(tree_path(folder, name), bytes, size);
    free(bytes);
}

/* relu(x) for an x of 5 in a new context, as a status and, where it is OK, a number. */
static glnn_status relu_of_five(const char *shader_dir, float *result)
{
    const glnn_context_desc desc = {.debug = true, .cache_dir = "", .shader_dir = shader_dir};
    const float five = 5;
    glnn_context *ctx = NULL;
    glnn_matrix *x = NULL;
    expect_ok(glnn_context_create(&desc, &ctx));
    glnn_status status =
        glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = 1, .columns = 1, .data = &five}, &x);
    if (!status)
        status = glnn_map_apply(ctx, GLNN_MAP_RELU, x, x);
    if (!status)
        status = glnn_matrix_download(ctx, x, NULL, result, 0);
    glnn_matrix_destroy(x);
    glnn_context_destroy(ctx);
    return status;
}

static void expect_relu(const char *shader_dir, float want)
{
    float got = 0;
    expect_ok(relu_of_five(shader_dir, &got));
    assert_true(got == want);
}

static void an_edited_shader_changes_the_result(void **state)
{
    (void)state;
    expect_relu(folder, 5);
    edit("kernels/ops/map.glsl", "alpha * map_value", "3.0 * alpha * map_value");
    expect_relu(folder, 15);
    expect_relu(NULL, 5);
}

static void the_environment_names_the_folder_and_the_description_wins(void **state)
{
    (void)state;
    edit("include/maps.glsl", "return rectified(x);", "return max(x, 7.0);");
    assert_int_equal(setenv("GLNN_SHADER_DIR", folder, 1), 0);
    expect_relu(NULL, 7);
    expect_relu("shaders", 5);
    assert_int_equal(unsetenv("GLNN_SHADER_DIR"), 0);
    expect_relu(NULL, 5);
}

/* A mistake is planted on a line of its own, before `anchor`; some compilers name places that a
 * parser notices in another way than those that only the meaning shows. */
typedef struct mistake {
    const char *file, *anchor, *text;
} mistake;

static void mistakes_are_reported_with_file_and_line_of_the_shader(void **state)
{
    (void)state;
    static const mistake mistakes[] = {
        {"kernels/ops/map.glsl", "TEXEL x = X_at", "this is no shader;\n"},
        {"kernels/ops/map.glsl", "TEXEL x = X_at", "tile[t] = nobody_declared_this;\n"},
        {"kernels/ops/map.glsl", "TEXEL x = X_at", "tile[t] = TEXEL(mat4(1.0) * vec2(1.0));\n"},
        {"kernels/ops/map.glsl", "TEXEL x = X_at", "float f = texelFetch(X_texture, 1, 2);\n"},
        {"kernels/ops/map.glsl", "void block", "float early = ;\n"},
        {"include/maps.glsl", "return rectified(x) + LEAK", "x = nobody_declared_this;\n"},
        {"include/maps.glsl", "if (map == GLNN_MAP_SQRT)", "x = = x;\n"},
        {"include/prelude.glsl", "return at.y * BLOCK_ROWS", "at = nobody_declared_this;\n"},
        {"include/operand.glsl", "return OPERAND_element(OPERAND_inside",
         "row = nobody_declared_this;\n"},
        {"include/operand.glsl", "return OPERAND_element(OPERAND_inside", "row = = row;\n"},
        {"stage/fragment.glsl", "void main()", "nobody_declared_this f();\n"},
        {"stage/cover.vert", "void main()", "float f = nobody_declared_this;\n"},
    };
    for (size_t i = 0; i < COUNT_OF(mistakes); ++i) {
        const mistake *m = &mistakes[i];
        char text[256], place[256];
        float result;
        snprintf(text, sizeof text, "%s%s", m->text, m->anchor);
        const int line = edit(m->file, m->anchor, text);
        snprintf(place, sizeof place, "does not compile: %s:%d:", m->file, line);
        expect_error(relu_of_five(folder, &result), GLNN_E_SHADER, place);
        restore(m->file);
    }
    expect_relu(folder, 5);
}

static void missing_files_are_named(void **state)
{
    (void)state;
    static const char *const files[] = {"kernels/ops/map.glsl", "include/maps.glsl",
                                        "include/prelude.glsl", "include/operand.glsl",
                                        "stage/fragment.glsl",  "stage/cover.vert"};
    for (size_t i = 0; i < COUNT_OF(files); ++i) {
        float result;
        assert_int_equal(remove(tree_path(folder, files[i])), 0);
        expect_error(relu_of_five(folder, &result), GLNN_E_IO, files[i]);
        restore(files[i]);
    }
    expect_error(relu_of_five("/no/such/folder", &(float){0}), GLNN_E_IO, "/no/such/folder");
}

static void a_shader_that_is_put_right_works_in_the_same_context(void **state)
{
    (void)state;
    const glnn_context_desc desc = {.debug = true, .cache_dir = "", .shader_dir = folder};
    glnn_context *ctx = NULL;
    expect_ok(glnn_context_create(&desc, &ctx));
    const float five = 5;
    float got = 0;
    glnn_matrix *x = NULL;
    expect_ok(
        glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = 1, .columns = 1, .data = &five}, &x));
    edit("kernels/ops/map.glsl", "void block", "void black");
    expect_error(glnn_map_apply(ctx, GLNN_MAP_RELU, x, x), GLNN_E_SHADER, "map does not");
    restore("kernels/ops/map.glsl");
    expect_ok(glnn_map_apply(ctx, GLNN_MAP_RELU, x, x));
    expect_ok(glnn_matrix_download(ctx, x, NULL, &got, 0));
    assert_true(got == 5);
    glnn_matrix_destroy(x);
    glnn_context_destroy(ctx);
}

static void mistakes_in_an_expression_are_reported_as_the_expressions(void **state)
{
    (void)state;
    static const char *const wrong[] = {"nobody",  "x +",  "x + + * 2",
                                        "vec2(x)", "f(x)", "texelFetch(X_texture, 1, 2)"};
    glnn_matrix *x = matrix_zero(3, 5, GLNN_LAYOUT_TILED);
    for (size_t i = 0; i < COUNT_OF(wrong); ++i)
        expect_error(glnn_map_apply_expression(glnn_test_context(), wrong[i], x, x), GLNN_E_SHADER,
                     "does not compile: expression:");
    expect_ok(glnn_map_apply_expression(glnn_test_context(), "x + 1.0", x, x));
    array ones = array_new(3, 5);
    for (size_t i = 0; i < length_of(ones); ++i)
        ones.data[i] = 1;
    expect_equal(x, ones, "an expression after those that fail");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SHADER_TEST(an_edited_shader_changes_the_result),
        SHADER_TEST(the_environment_names_the_folder_and_the_description_wins),
        SHADER_TEST(mistakes_are_reported_with_file_and_line_of_the_shader),
        SHADER_TEST(missing_files_are_named),
        SHADER_TEST(a_shader_that_is_put_right_works_in_the_same_context),
        SHADER_TEST(mistakes_in_an_expression_are_reported_as_the_expressions),
    };
    return cmocka_run_group_tests_name("shaders", tests, test_group_setup, test_group_teardown);
}
