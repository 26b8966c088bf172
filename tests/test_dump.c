/* GLNN_DUMP_SHADERS: texts of shaders that are cut to what they use, and their files. */
#include "support/problems.h"
#include "support/tree.h"

#include <stdio.h>

#include <glnn/map.h>

#include "pass/dump/conditions.h"
#include "pass/dump/cut.h"
#include "pass/program.h"

/* ---- Conditions */

/* The lines that the conditions leave of a text; NULL: unknown. Valid until the next call. */
static const char *resolved(const char *text)
{
    static char left[1024];
    char *out = NULL;
    size_t length;
    FILE *to = open_memstream(&out, &length);
    assert_non_null(to);
    const bool is_known = glnn__conditions_resolve(text, to);
    assert_int_equal(fclose(to), 0);
    snprintf(left, sizeof left, "%s", out);
    free(out);
    return is_known ? left : NULL;
}

static void conditions_are_computed_as_a_compiler_does(void **state)
{
    (void)state;
    static const char *const hold[] = {
        "1",
        "!0",
        "2 + 3 * 4 == 14",
        "(2 + 3) * 4 == 20",
        "7 / 2 == 3 && 7 % 2 == 1",
        "1 || 0 && 0",
        "3 - 2 - 1 == 0",
        "TWO == 2",
        "SUM == 5",
        "UNKNOWN == 0",
        "-1 < 0 && 1 >= 1 && 1 <= 1 && 2 > 1 && 1 != 2",
        "0x10 == 16",
        "LONG_SUM == 6",
    };
    static const char *const macros =
        "#define TWO 2\n#define SUM (TWO + 3)\n#define LONG_SUM \\\n  (TWO \\\n  + 4)\n";
    char text[512], want[512];
    for (size_t i = 0; i < COUNT_OF(hold); ++i)
        for (int is_not = 0; is_not < 2; ++is_not) {
            snprintf(text, sizeof text, "%s#if %s(%s) // a remark\nyes;\n#else\nno;\n#endif\n",
                     macros, is_not ? "!" : "", hold[i]);
            snprintf(want, sizeof want, "%s%s;\n", macros, is_not ? "no" : "yes");
            assert_non_null(resolved(text));
            assert_string_equal(resolved(text), want);
        }
}

static void branches_nest_and_one_is_taken(void **state)
{
    (void)state;
    assert_string_equal(resolved("#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif\ne\n"),
                        "b\ne\n");
    assert_string_equal(
        resolved("#if 0\n#if 1\na\n#else\nb\n#endif\n#elif 0\nc\n#else\nd\n#endif\n"), "d\n");
    assert_string_equal(resolved("#if 1\n#if 0\na\n#else\nb\n#endif\n#else\nc\n#endif\n"), "b\n");
    /* A macro that is not seen is not defined. */
    assert_string_equal(resolved("#if 0\n#define A 1\n#endif\n#if A\na\n#endif\nb\n"), "b\n");
}

static void what_is_not_understood_is_not_guessed(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "#if 1\na\n",
        "#endif\n",
        "#else\n",
        "#if\n#endif\n",
        "#if 1 +\n#endif\n",
        "#if (1\n#endif\n",
        "#if 1 1\n#endif\n",
        "#ifdef A\n#endif\n",
        "#undef A\n",
        "#if 1 / 0\n#endif\n",
        "#if \"a\"\n#endif\n",
        "#define F(x) x\n#if F(1)\n#endif\n",
        "#define A A\n#if A\n#endif\n",
    };
    for (size_t i = 0; i < COUNT_OF(texts); ++i)
        if (resolved(texts[i]))
            fail_at(__FILE__, __LINE__, "this is taken for known: %s", texts[i]);
}

/* ---- Cutting */

/* Freed by the caller. */
static char *cut(const glnn__text *text)
{
    char *out = NULL;
    size_t length;
    FILE *to = open_memstream(&out, &length);
    assert_non_null(to);
    assert_true(glnn__text_cut(text, to));
    assert_int_equal(fclose(to), 0);
    return out;
}

static void only_what_main_uses_is_left(void **state)
{
    (void)state;
    static char whole[] = "#version 430 core\n"
                          "#define USED 1\n"
                          "#define UNUSED 2\n"
                          "layout(location = 0) uniform float alpha;\n"
                          "layout(location = 1) uniform float beta;\n"
                          "layout(local_size_x = 1) in;\n"
                          "struct Pair { float a, b; };\n"
                          "struct Other { float a; };\n"
                          "\n"
                          "// Of nothing.\n"
                          "\n"
                          "// Of one.\n"
                          "float one(float x) { return x; }\n"
                          "vec4 one(vec4 x) { return x; } // for four\n"
                          "float two(float x) { return one(x) * beta; }\n"
                          "const float table[2] = float[2](1.0, 2.0), half_of = 0.5;\n"
                          "int unused_number = USED, another[3];\n"
                          "void main()\n"
                          "{\n"
                          "    Pair p = Pair(alpha, half_of * 1.0e3); // two\n"
                          "    one(p.a + float(USED));\n"
                          "}\n";
    static const char want[] = "#version 430 core\n"
                               "#define USED 1\n"
                               "\n"
                               "layout(location = 0) uniform float alpha;\n"
                               "\n"
                               "layout(local_size_x = 1) in;\n"
                               "\n"
                               "struct Pair { float a, b; };\n"
                               "\n"
                               "// Of one.\n"
                               "float one(float x) { return x; }\n"
                               "\n"
                               "vec4 one(vec4 x) { return x; } // for four\n"
                               "\n"
                               "const float table[2] = float[2](1.0, 2.0), half_of = 0.5;\n"
                               "\n"
                               "void main()\n"
                               "{\n"
                               "    Pair p = Pair(alpha, half_of * 1.0e3); // two\n"
                               "    one(p.a + float(USED));\n"
                               "}\n";
    char *left = cut(&(glnn__text){.text = whole, .size = sizeof whole - 1});
    assert_string_equal(left, want);
    free(left);
}

static GLuint compile(const glnn__program *program, const char *text)
{
    const GLenum stage =
        program->variant.stage == GLNN_STAGE_COMPUTE ? GL_COMPUTE_SHADER : GL_FRAGMENT_SHADER;
    const GLuint shader = glCreateShader(stage);
    GLint compiled;
    char log[1024] = "";
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    if (!compiled)
        fail_at(__FILE__, __LINE__, "%s: the cut text does not compile: %s\n%s",
                program->variant.kernel->name, log, text);
    return shader;
}

/* The location that the library sets a uniform at, or the unit that a texture or an image is bound
 * to. */
static GLint place_of(GLuint program, const char *name, GLenum type)
{
    const bool is_bound = type == GL_SAMPLER_2D || type == GL_SAMPLER_2D_ARRAY ||
                          type == GL_IMAGE_2D || type == GL_IMAGE_2D_ARRAY;
    GLint place = glGetUniformLocation(program, name);
    if (place >= 0 && is_bound)
        glGetUniformiv(program, place, &place);
    return place;
}

/* The program has the uniforms of another one, and they are in the same places. */
static void expect_same_uniforms(GLuint got, GLuint want, const char *kernel)
{
    GLint count = 0, wanted = 0;
    glGetProgramiv(got, GL_ACTIVE_UNIFORMS, &count);
    glGetProgramiv(want, GL_ACTIVE_UNIFORMS, &wanted);
    if (count != wanted)
        fail_at(__FILE__, __LINE__, "%s: %d uniforms, not %d", kernel, count, wanted);
    for (GLint i = 0; i < wanted; ++i) {
        char name[64];
        GLint array_size;
        GLenum type;
        glGetActiveUniform(want, (GLuint)i, sizeof name, NULL, &array_size, &type, name);
        assert_true(place_of(got, name, type) >= 0);
        assert_int_equal(place_of(got, name, type), place_of(want, name, type));
    }
}

static GLuint link_cut(glnn_context *ctx, glnn__programs *programs, const glnn__program *program)
{
    const uint32_t number = program->variant.expression;
    glnn__text text = {0};
    expect_ok(glnn__variant_assemble(ctx, &program->variant,
                                     number ? programs->expressions[number - 1] : NULL, &text));
    char *left = cut(&text);
    assert_true(strlen(left) < text.size);
    const GLuint shader = compile(program, left), name = glCreateProgram();
    GLint linked;
    glAttachShader(name, shader);
    if (program->variant.stage == GLNN_STAGE_FRAGMENT)
        glAttachShader(name, programs->cover);
    glLinkProgram(name);
    glDeleteShader(shader);
    glGetProgramiv(name, GL_LINK_STATUS, &linked);
    assert_true(linked);
    glnn__text_free(&text);
    free(left);
    return name;
}

/* Puts programs of cut texts in the place of those that the context has. */
static void use_cut_texts(glnn_context *ctx)
{
    glnn__programs *programs;
    expect_ok(glnn__gl_enter(ctx));
    expect_ok(glnn__programs_get(ctx, &programs));
    for (int i = 0; i < GLNN__BUCKETS; ++i)
        for (glnn__program *p = programs->buckets[i]; p; p = p->next) {
            const GLuint name = link_cut(ctx, programs, p);
            expect_same_uniforms(name, p->name, p->variant.kernel->name);
            glDeleteProgram(p->name);
            p->name = name;
            memset(&p->uniforms, 0, sizeof p->uniforms);
        }
    ++ctx->bindings_age;
    expect_ok(glnn__gl_leave(ctx, GLNN_OK));
}

static void cut_texts_of_every_operation_compute_the_same(void **state)
{
    (void)state;
    static const setting mixed = {
        .operands = {GLNN_LAYOUT_TILED, GLNN_LAYOUT_PACKED, GLNN_LAYOUT_UNPACKED,
                     GLNN_LAYOUT_PAGED},
        .out = GLNN_LAYOUT_PACKED,
        .out_in = GLNN_STORAGE_FLOAT16,
    };
    const setting settings[] = {setting_of(GLNN_LAYOUT_TILED), setting_of(GLNN_LAYOUT_UNPACKED),
                                mixed};
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < operation_count; ++i)
            for (size_t s = 0; s < COUNT_OF(settings); ++s)
                if (i == 0 || strcmp(operations[i].family, operations[i - 1].family) != 0)
                    check_operation(&operations[i], (size){9, 13, 7}, &settings[s]);
        if (round == 0)
            use_cut_texts(glnn_test_context());
    }
}

/* ---- Files */

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
    assert_true(file_has(RELU_NAME, "// ops/map: X tiled -> tiled, fragment stage, MAP 4\n"));
    assert_true(file_has(RELU_NAME, "// ---- kernels/ops/map.glsl\n"));
    assert_false(file_has(RELU_NAME, "#if"));
    assert_false(file_has(RELU_NAME, "X_edge_group"));
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

static void a_text_that_cannot_be_cut_is_written_whole(void **state)
{
    (void)state;
    static const char remark[] = "/* of another kind */\n";
    char names[8][256];
    size_t length;
    tree_copy("shaders", folder);
    char *text = (char *)tree_read(tree_path(folder, "kernels/ops/map.glsl"), &length);
    char *longer = realloc(text, length + sizeof remark);
    assert_non_null(longer);
    memcpy(longer + length, remark, sizeof remark);
    tree_write(tree_path(folder, "kernels/ops/map.glsl"), longer, length + sizeof remark - 1);
    free(longer);
    apply(GLNN_MAP_RELU, folder);
    assert_int_equal(list(names), 1);
    assert_true(file_has(RELU_NAME, "#if"));
    assert_true(file_has(RELU_NAME, remark));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(conditions_are_computed_as_a_compiler_does),
        TEST(branches_nest_and_one_is_taken),
        TEST(what_is_not_understood_is_not_guessed),
        TEST(only_what_main_uses_is_left),
        TEST(cut_texts_of_every_operation_compute_the_same),
        DUMP_TEST(a_file_is_named_after_kernel_layouts_and_stage),
        DUMP_TEST(variants_of_one_name_are_told_apart_by_a_number),
        DUMP_TEST(the_text_of_an_edited_shader_takes_the_former_one_s_place),
        DUMP_TEST(a_text_that_cannot_be_cut_is_written_whole),
    };
    return cmocka_run_group_tests_name("dump", tests, test_group_setup, test_group_teardown);
}
