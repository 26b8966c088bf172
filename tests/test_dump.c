/* GLNN_DUMP_SHADERS: files of the texts of shaders. */
#include "support/tree.h"

#include <stdio.h>

#include <glnn/map.h>

static char folder[TREE_PATH];
static char *former_folder;

static int make_folder(void **state)
{
    (void)state;
    const char *value = getenv("GLNN_DUMP_SHADERS");
    former_folder = value ? strdup(value) : NULL;
    tree_make(folder);
    return setenv("GLNN_DUMP_SHADERS", tree_path(folder, "texts"), 1);
}

static int remove_folder(void **state)
{
    if (former_folder)
        setenv("GLNN_DUMP_SHADERS", former_folder, 1);
    else
        unsetenv("GLNN_DUMP_SHADERS");
    free(former_folder);
    former_folder = NULL;
    tree_remove(folder);
    return test_teardown(state);
}

#define DUMP_TEST(function) cmocka_unit_test_setup_teardown(function, make_folder, remove_folder)

/* Applies a map in a context of its own, by render targets of the fragment stage. */
static void apply(glnn_map map, const char *shader_dir)
{
    const glnn_context_desc desc = {
        .cache_dir = "", .shader_dir = shader_dir, .writes = GLNN_WRITES_TARGETS};
    const float five = 5;
    glnn_context *ctx = NULL;
    glnn_matrix *x = NULL;
    unsetenv("GLNN_STAGE");
    expect_ok(glnn_context_create(&desc, &ctx));
    expect_ok(
        glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = 1, .columns = 1, .data = &five}, &x));
    expect_ok(glnn_map_apply(ctx, map, x, x));
    glnn_matrix_destroy(x);
    glnn_context_destroy(ctx);
}

/* The files of the folder, by the alphabet. */
static int list(char names[8][256])
{
    return tree_list(tree_path(folder, "texts"), names, 8);
}

static bool file_has(const char *name, const char *part)
{
    char path[300];
    size_t length;
    snprintf(path, sizeof path, "texts/%s", name);
    char *text = (char *)tree_read(tree_path(folder, path), &length);
    const bool has = strstr(text, part) != NULL;
    free(text);
    return has;
}

#define RELU_NAME "ops-map.tiled-tiled.fragment.glsl"

static void a_file_is_named_after_kernel_layouts_and_stage(void **state)
{
    (void)state;
    char names[8][256];
    apply(GLNN_MAP_RELU, NULL);
    assert_int_equal(list(names), 1);
    assert_string_equal(names[0], RELU_NAME);
    assert_true(file_has(RELU_NAME, "#version 430 core\n"
                                    "// ops/map: X tiled -> tiled, fragment stage, MAP 4\n"));
    assert_true(file_has(RELU_NAME, "\nvoid block(ivec2 at)\n"));
}

static void variants_of_one_name_are_told_apart_by_a_number(void **state)
{
    (void)state;
    char names[8][256];
    apply(GLNN_MAP_RELU, NULL);
    apply(GLNN_MAP_EXP, NULL);
    apply(GLNN_MAP_EXP, NULL);
    assert_int_equal(list(names), 2);
    assert_int_equal(strlen(names[0]), strlen(RELU_NAME) + strlen(".01234567"));
    assert_true(file_has(names[0], ", MAP 7\n"));
    assert_string_equal(names[1], RELU_NAME);
    assert_true(file_has(RELU_NAME, ", MAP 4\n"));
}

static void the_text_of_an_edited_shader_takes_the_former_one_s_place(void **state)
{
    (void)state;
    static const char old[] = "alpha * map_value";
    char names[8][256];
    size_t length;
    tree_copy("shaders", folder);
    apply(GLNN_MAP_RELU, folder);
    char *text = (char *)tree_read(tree_path(folder, "kernels/ops/map.glsl"), &length);
    memcpy(strstr(text, old), "beta_", 5);
    memcpy(strstr(text, "beta_ * map_value"), "alpha + map_value", strlen(old));
    tree_write(tree_path(folder, "kernels/ops/map.glsl"), text, length);
    free(text);
    apply(GLNN_MAP_RELU, folder);
    assert_int_equal(list(names), 1);
    assert_true(file_has(RELU_NAME, "alpha + map_value"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        DUMP_TEST(a_file_is_named_after_kernel_layouts_and_stage),
        DUMP_TEST(variants_of_one_name_are_told_apart_by_a_number),
        DUMP_TEST(the_text_of_an_edited_shader_takes_the_former_one_s_place),
    };
    return cmocka_run_group_tests_name("dump", tests, test_group_setup, test_group_teardown);
}
