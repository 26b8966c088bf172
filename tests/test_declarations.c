/* Mistakes in descriptors and passes, with kernels in a copy of the folder `shaders`. */
#include "support/tree.h"

#include "pass/pass.h"

static char folder[TREE_PATH];
static glnn_context *ctx;
static glnn_matrix *x, *y;

static void write_kernel(const char *name, const char *text)
{
    tree_write(tree_path(folder, name), text, strlen(text));
}

static int open_folder(void **state)
{
    (void)state;
    tree_make(folder);
    tree_copy("shaders", folder);
    write_kernel("kernels/ops/scaled.glsl", "void block(ivec2 at)\n"
                                            "{\n"
                                            "    for (int t = 0; t < BLOCK_TEXELS; ++t)\n"
                                            "#if HAS_K\n"
                                            "        tile[t] = rate * K_at(at, t) * X_at(at, t);\n"
                                            "#else\n"
                                            "        tile[t] = rate * X_at(at, t);\n"
                                            "#endif\n"
                                            "}\n");
    const glnn_context_desc desc = {.debug = true, .cache_dir = "", .shader_dir = folder};
    const glnn_matrix_desc two = {.rows = 1, .columns = 1, .data = &(float){2}};
    expect_ok(glnn_context_create(&desc, &ctx));
    expect_ok(glnn_matrix_create(ctx, &two, &x));
    expect_ok(glnn_matrix_create(ctx, &two, &y));
    return 0;
}

static int close_folder(void **state)
{
    glnn_matrix_destroy(x);
    glnn_matrix_destroy(y);
    glnn_context_destroy(ctx);
    tree_remove(folder);
    return test_teardown(state);
}

#define DECLARATION_TEST(function)                                                                 \
    cmocka_unit_test_setup_teardown(function, open_folder, close_folder)

/* A pass of y = 3 x. */
static glnn__pass pass_of(const glnn__kernel *kernel)
{
    return (glnn__pass){
        .kernel = kernel, .operands = {{.matrix = x}}, .output = y, .uniforms = {{.f = 3}}};
}

static void expect_rejected(const glnn__kernel *kernel, const char *sentence)
{
    const glnn__pass pass = pass_of(kernel);
    expect_error(glnn__pass_run(ctx, &pass), GLNN_E_ARG, sentence);
}

static void expect_result(const glnn__pass *pass, float want)
{
    float got = 0;
    expect_ok(glnn__pass_run(ctx, pass));
    expect_ok(glnn_matrix_download(ctx, y, NULL, &got, 0));
    assert_true(got == want);
}

static const glnn__kernel scaled = {
    .name = "ops/scaled", .operands = {"X", "K"}, .uniforms = {"float rate"}};

static void an_operand_is_optional_if_the_kernel_asks_for_it(void **state)
{
    (void)state;
    glnn__pass pass = pass_of(&scaled);
    expect_result(&pass, 6);
    pass.operands[1].matrix = x;
    expect_result(&pass, 12);
}

static void a_missing_operand_is_named_with_the_place_that_reads_it(void **state)
{
    (void)state;
    static const glnn__kernel reading = {.name = "ops/reading", .operands = {"X", "K"}};
    static const glnn__kernel sizing = {.name = "ops/sizing", .operands = {"X", "K"}};
    write_kernel("kernels/ops/reading.glsl", "void block(ivec2 at)\n"
                                             "{\n"
                                             "    tile[0] = X_at(at, 0) + K_at(at, 0);\n"
                                             "}\n");
    write_kernel("kernels/ops/sizing.glsl", "void block(ivec2 at)\n"
                                            "{\n"
                                            "    tile[0] = TEXEL(K_size.x);\n"
                                            "}\n");
    expect_rejected(&reading, "ops/reading: operand K has no matrix, but the kernel reads it: "
                              "kernels/ops/reading.glsl:3:");
    expect_rejected(&sizing, "ops/sizing: operand K has no matrix, but the kernel reads it: "
                             "kernels/ops/sizing.glsl:3:");
}

static void a_mistake_is_not_blamed_on_an_operand_that_is_absent(void **state)
{
    (void)state;
    static const glnn__kernel wrong = {.name = "ops/wrong", .operands = {"X", "K"}};
    write_kernel("kernels/ops/wrong.glsl", "void block(ivec2 at)\n"
                                           "{\n"
                                           "    tile[0] = X_at(at, 0) + LACK_at(at, K);\n"
                                           "}\n");
    const glnn__pass pass = pass_of(&wrong);
    expect_error(glnn__pass_run(ctx, &pass), GLNN_E_SHADER,
                 "ops/wrong does not compile: kernels/ops/wrong.glsl:3:");
}

static void a_matrix_for_an_operand_that_is_not_declared_is_rejected(void **state)
{
    (void)state;
    static const glnn__kernel one = {
        .name = "ops/scaled", .operands = {"X"}, .uniforms = {"float rate"}};
    glnn__pass pass = pass_of(&one);
    pass.operands[1].matrix = x;
    expect_error(glnn__pass_run(ctx, &pass), GLNN_E_ARG,
                 "ops/scaled: operand 1 has a matrix, but the kernel declares 1 operand");
    static const glnn__kernel none = {.name = "ops/constant"};
    pass = pass_of(&none);
    expect_error(glnn__pass_run(ctx, &pass), GLNN_E_ARG,
                 "ops/constant: operand 0 has a matrix, but the kernel declares 0 operands");
}

static void malformed_uniforms_are_named(void **state)
{
    (void)state;
    static const struct {
        glnn__kernel kernel;
        const char *sentence;
    } cases[] = {
        {{.name = "ops/scaled", .operands = {"X"}, .uniforms = {"flaot rate"}},
         "uniform 0 is declared as \"flaot ra"},
        {{.name = "ops/scaled", .operands = {"X"}, .uniforms = {"rate"}},
         "uniform 0 is declared as \"rate\""},
        {{.name = "ops/scaled", .operands = {"X"}, .uniforms = {"float"}},
         "uniform 0 is declared as \"float\""},
        {{.name = "ops/scaled", .operands = {"X"}, .uniforms = {"float rate;"}},
         "uniform 0 is declared as \"float ra"},
        {{.name = "ops/scaled", .operands = {"X"}, .uniforms = {"float rate[2]"}},
         "uniform 0 is declared as \"float "},
        {{.name = "ops/scaled", .operands = {"X"}, .uniforms = {"float 2nd"}},
         "uniform 0 is declared as \"float 2nd"},
        {{.name = "ops/scaled", .operands = {"X"}, .uniforms = {"float rate", "vec2 centre"}},
         "ops/scaled: uniform 1 is declared as \"vec2 centre\"; a declaration is \"float NAME\""},
        {{.name = "ops/scaled", .operands = {"X"}, .uniforms = {[1] = "float rate"}},
         "ops/scaled: uniform 1 is declared, but uniform 0 is not"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i)
        expect_rejected(&cases[i].kernel, cases[i].sentence);
}

static void malformed_operands_are_named(void **state)
{
    (void)state;
    static const struct {
        glnn__kernel kernel;
        const char *sentence;
    } cases[] = {
        {{.name = "ops/scaled", .operands = {"2X"}},
         "ops/scaled: operand 0 is declared as \"2X\"; a name is a letter"},
        {{.name = "ops/scaled", .operands = {"X", ""}},
         "ops/scaled: operand 1 is declared as \"\""},
        {{.name = "ops/scaled", .operands = {"X", "a-b"}},
         "ops/scaled: operand 1 is declared as \"a-b\""},
        {{.name = "ops/scaled", .operands = {[1] = "X"}},
         "ops/scaled: operand 1 is declared, but operand 0 is not"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i)
        expect_rejected(&cases[i].kernel, cases[i].sentence);
}

static void a_uniform_whose_name_is_taken_is_reported_as_the_uniforms(void **state)
{
    (void)state;
    static const glnn__kernel clashing = {
        .name = "ops/scaled", .operands = {"X"}, .uniforms = {"float rate", "float block_row"}};
    const glnn__pass pass = pass_of(&clashing);
    expect_error(glnn__pass_run(ctx, &pass), GLNN_E_SHADER,
                 "does not compile: uniforms of ops/scaled:2:");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        DECLARATION_TEST(an_operand_is_optional_if_the_kernel_asks_for_it),
        DECLARATION_TEST(a_missing_operand_is_named_with_the_place_that_reads_it),
        DECLARATION_TEST(a_mistake_is_not_blamed_on_an_operand_that_is_absent),
        DECLARATION_TEST(a_matrix_for_an_operand_that_is_not_declared_is_rejected),
        DECLARATION_TEST(malformed_uniforms_are_named),
        DECLARATION_TEST(malformed_operands_are_named),
        DECLARATION_TEST(a_uniform_whose_name_is_taken_is_reported_as_the_uniforms),
    };
    return cmocka_run_group_tests_name("declarations", tests, test_group_setup,
                                       test_group_teardown);
}
