/* Kernels of the program's own: what they compute, and the sentences about wrong ones. */
#include "support/reference.h"

#include "pass/program.h"

#include <glnn/kernel.h>

#include <stdio.h>

/* Kernels that a test makes, destroyed after it. */
static glnn_kernel *made[64];
static int made_count;

static int destroy_kernels(void **state)
{
    while (made_count > 0)
        glnn_kernel_destroy(made[--made_count]);
    return test_teardown(state);
}

#define KERNEL_TEST(function) cmocka_unit_test_teardown(function, destroy_kernels)

static glnn_kernel *kernel_new(const glnn_kernel_desc *desc)
{
    assert_true(made_count < (int)COUNT_OF(made));
    expect_ok(glnn_kernel_create(glnn_test_context(), desc, &made[made_count]));
    return made[made_count++];
}

/* An element of a matrix; past an edge the one at the edge. */
static double edge(array x, int row, int column)
{
    const int i = row < 0 ? 0 : row < x.rows ? row : x.rows - 1;
    const int j = column < 0 ? 0 : column < x.columns ? column : x.columns - 1;
    return *at(x, i, j);
}

/* ---- Results of kernels */

static const glnn_kernel_desc stencil = {
    .name = "stencil",
    .source = "float element(int row, int column)\n"
              "{\n"
              "    float sum = A_at(row - 1, column) + A_at(row + 2, column) +\n"
              "                A_at(row, column - 3) + A_at(row, column + 1);\n"
              "    return rate * sum + B_at(row, column) + float(steps * N);\n"
              "}\n",
    .operands = {"A", "B"},
    .uniforms = {"float rate", "int steps"},
    .options = {"N"}};

static const glnn_kernel_run_desc stencil_numbers = {.uniforms = {0.375, -7}, .options = {3}};

static expected reference_stencil(array a, array b)
{
    expected want = {array_new(a.rows, a.columns), array_new(a.rows, a.columns)};
    for (int i = 0; i < a.rows; ++i)
        for (int j = 0; j < a.columns; ++j) {
            const double terms[] = {edge(a, i - 1, j), edge(a, i + 2, j), edge(a, i, j - 3),
                                    edge(a, i, j + 1)};
            double sum = 0, size = 21 + fabs(edge(b, i, j));
            for (int k = 0; k < 4; ++k) {
                sum += terms[k];
                size += fabs(terms[k]);
            }
            *at(want.value, i, j) = 0.375 * sum + edge(b, i, j) - 21;
            *at(want.bound, i, j) = 8 * EPS * size;
        }
    return want;
}

/* B is a matrix, a row, a column or one element. */
static void check_stencil(int rows, int columns, glnn_layout a, glnn_layout b, glnn_layout out,
                          int number)
{
    const glnn_storage stored = (glnn_storage)(number % STORED_COUNT);
    const array x = array_stored(array_random(rows, columns, -1, 1), stored);
    const array y = array_random(number & 1 ? 1 : rows, number & 2 ? 1 : columns, -1, 1);
    glnn_kernel_run_desc run = stencil_numbers;
    run.operands[0].matrix = matrix_stored(x, a, stored);
    run.operands[1].matrix = matrix_of(y, b);
    glnn_matrix *result = matrix_stored(array_new(rows, columns), out, stored);
    expect_ok(glnn_kernel_run(made[0], &run, result));
    expect_close(result, expected_stored(reference_stencil(x, y), stored),
                 "%d x %d, %s and %s (%d x %d) to %s, %s", rows, columns, glnn_layout_name(a),
                 glnn_layout_name(b), y.rows, y.columns, glnn_layout_name(out),
                 glnn_storage_name(stored));
}

static void kernels_compute_every_mixture_of_layouts(void **state)
{
    static const int sizes[][2] = {{1, 1}, {5, 3}, {9, 13}, {37, 70}};
    int number = 0;
    (void)state;
    kernel_new(&stencil);
    for (glnn_layout out = GLNN_LAYOUT_TILED; out < RENDERED_END; ++out)
        for (glnn_layout a = GLNN_LAYOUT_TILED; a < GLNN_LAYOUT_COUNT; ++a)
            for (glnn_layout b = GLNN_LAYOUT_TILED; b < GLNN_LAYOUT_COUNT; ++b) {
                if (case_is_left_out((int)out + (int)a + (int)b))
                    continue;
                for (size_t i = 0; i < COUNT_OF(sizes); ++i, ++number)
                    check_stencil(sizes[i][0], sizes[i][1], a, b, out, number);
                release_all();
            }
}

static void wrapped_operands_and_outputs_are_computed(void **state)
{
    const array x = array_random(67, 9, -1, 1), y = array_random(67, 9, -1, 1);
    (void)state;
    kernel_new(&stencil);
    for (int i = 0; i < RENDERED_COUNT; ++i) {
        glnn_kernel_run_desc run = stencil_numbers;
        run.operands[0].matrix = matrix_wrapped(matrix_of(x, rendered_layout(i)), 2);
        run.operands[1].matrix = matrix_of(y, rendered_layout(i + 1));
        glnn_matrix *out = matrix_wrapped(matrix_zero(67, 9, rendered_layout(i)), 1);
        expect_ok(glnn_kernel_run(made[0], &run, out));
        expect_close(out, reference_stencil(x, y), "wrapped, %s",
                     glnn_layout_name(rendered_layout(i)));
    }
}

/* Reads two elements past each edge, and the size. */
static const glnn_kernel_desc framed = {
    .source = "float element(int row, int column)\n"
              "{\n"
              "    return X_at(row - 2, column - 2) + 1000.0 * float(X_rows) +\n"
              "           100000.0 * float(X_columns);\n"
              "}\n",
    .operands = {"X"}};

static array reference_framed(array x, glnn_rect rect, bool transpose)
{
    array view = array_new(rect.rows, rect.columns);
    for (int i = 0; i < rect.rows; ++i)
        for (int j = 0; j < rect.columns; ++j)
            *at(view, i, j) = *at(x, rect.row + i, rect.column + j);
    view = transpose ? reference_transpose(view) : view;
    array want = array_new(view.rows + 4, view.columns + 4);
    for (int i = 0; i < want.rows; ++i)
        for (int j = 0; j < want.columns; ++j)
            *at(want, i, j) =
                edge(view, i - 2, j - 2) + 1000.0 * view.rows + 100000.0 * view.columns;
    return want;
}

static void a_rectangle_looks_like_a_matrix_of_its_own(void **state)
{
    static const glnn_rect rects[] = {
        {0, 0, 9, 13}, {3, 5, 4, 6}, {8, 0, 1, 13}, {0, 12, 9, 1}, {7, 11, 1, 1}};
    (void)state;
    kernel_new(&framed);
    for (int i = 0; i < 2 * (int)COUNT_OF(rects); ++i)
        for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < GLNN_LAYOUT_COUNT; ++layout) {
            const glnn_rect rect = rects[i / 2];
            const array x = array_numbered(9, 13);
            const array want = reference_framed(x, rect, i % 2);
            const glnn_kernel_run_desc run = {
                .operands = {{.matrix = matrix_of(x, layout), .rect = rect, .transpose = i % 2}}};
            glnn_matrix *out =
                matrix_zero(want.rows, want.columns, rendered_layout(i + (int)layout));
            expect_ok(glnn_kernel_run(made[0], &run, out));
            expect_equal(out, want, "rectangle %d of %s", i, glnn_layout_name(layout));
            release_all();
        }
}

static void an_output_can_be_an_operand(void **state)
{
    (void)state;
    kernel_new(&stencil);
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        const array x = array_random(9, 13, -1, 1);
        glnn_matrix *both = matrix_of(x, layout);
        glnn_kernel_run_desc run = stencil_numbers;
        run.operands[0].matrix = run.operands[1].matrix = both;
        expect_ok(glnn_kernel_run(made[0], &run, both));
        expect_close(both, reference_stencil(x, x), "in place, %s", glnn_layout_name(layout));
    }
}

static void beta_adds_the_former_output(void **state)
{
    (void)state;
    kernel_new(&stencil);
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        const array x = array_random(9, 13, -1, 1), former = array_random(9, 13, -1, 1);
        glnn_matrix *out = matrix_of(former, layout);
        glnn_kernel_run_desc run = stencil_numbers;
        run.operands[0].matrix = run.operands[1].matrix = matrix_of(x, layout);
        run.beta = -0.5f;
        expect_ok(glnn_kernel_run(made[0], &run, out));
        expected want = reference_stencil(x, x);
        for (int i = 0; i < 9 * 13; ++i) {
            want.value.data[i] -= 0.5 * former.data[i];
            want.bound.data[i] += 2 * EPS * fabs(former.data[i]);
        }
        expect_close(out, want, "added to %s", glnn_layout_name(layout));
    }
}

static void an_operand_that_is_left_out_is_known_to_the_text(void **state)
{
    const array x = array_numbered(3, 5);
    glnn_matrix *out = matrix_zero(3, 5, GLNN_LAYOUT_PACKED);
    glnn_kernel_run_desc run = {.operands = {{0}, {.matrix = matrix_of(x, GLNN_LAYOUT_TILED)}}};
    (void)state;
    kernel_new(&(glnn_kernel_desc){.source = "float element(int row, int column)\n"
                                             "{\n"
                                             "#if HAS_X\n"
                                             "    return 2.0 * Y_at(row, column);\n"
                                             "#else\n"
                                             "    return Y_at(row, column);\n"
                                             "#endif\n"
                                             "}\n",
                                   .operands = {"X", "Y"}});
    expect_ok(glnn_kernel_run(made[0], &run, out));
    expect_equal(out, x, "without X");
    run.operands[0] = run.operands[1];
    expect_ok(glnn_kernel_run(made[0], &run, out));
    assert_true(*at(values_of(out), 2, 4) == 30);
}

static void options_are_constants_of_any_sign_and_uniforms_have_types(void **state)
{
    static const struct {
        int option;
        double whole, real, want;
    } cases[] = {{-3, 5, 0.5, 10.5}, {70000, -1, 0.25, -69998.75}, {0, 1 << 30, 0, 1073741826}};
    glnn_matrix *out = matrix_zero(1, 1, GLNN_LAYOUT_UNPACKED);
    (void)state;
    kernel_new(&(glnn_kernel_desc){
        .source = "float element(int row, int column) { return float(2-N+whole) + real; }",
        .uniforms = {"int whole", "float real"},
        .options = {"N"}});
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const glnn_kernel_run_desc run = {.uniforms = {cases[i].whole, cases[i].real},
                                          .options = {cases[i].option}};
        expect_ok(glnn_kernel_run(made[0], &run, out));
        assert_true(values_of(out).data[0] == (double)(float)cases[i].want);
    }
}

static void the_size_of_the_output_is_known(void **state)
{
    glnn_matrix *out = matrix_zero(7, 11, GLNN_LAYOUT_TILED);
    (void)state;
    kernel_new(&(glnn_kernel_desc){.source =
                                       "float element(int row, int column)\n"
                                       "{ return float(output_rows * 100 + output_columns); }"});
    expect_ok(glnn_kernel_run(made[0], NULL, out));
    assert_true(*at(values_of(out), 6, 10) == 711);
}

static int programs_of(const void *kernel)
{
    const glnn__programs *programs = glnn__programs_of(glnn_test_context());
    int count = 0;
    for (int i = 0; i < GLNN__BUCKETS; ++i)
        for (const glnn__program *p = programs->buckets[i]; p; p = p->next)
            count += p->variant.kernel == kernel;
    return count;
}

/* Programs are found by the address of their kernel, which a new kernel may have. */
static void the_programs_of_a_destroyed_kernel_are_gone(void **state)
{
    (void)state;
    for (int i = 0; i < 8; ++i) {
        char text[80];
        glnn_kernel *kernel;
        snprintf(text, sizeof text, "float element(int row, int column) { return %d.0; }", i);
        expect_ok(
            glnn_kernel_create(glnn_test_context(), &(glnn_kernel_desc){.source = text}, &kernel));
        for (int j = 0; j < RENDERED_COUNT; ++j) {
            glnn_matrix *out = matrix_zero(2, 2, rendered_layout(j));
            expect_ok(glnn_kernel_run(kernel, NULL, out));
            assert_true(values_of(out).data[0] == i);
        }
        assert_int_equal(programs_of(kernel), RENDERED_COUNT);
        glnn_kernel_destroy(kernel);
        assert_int_equal(programs_of(kernel), 0);
    }
}

static void a_run_after_the_first_one_compiles_nothing(void **state)
{
    glnn_context *ctx = glnn_test_context();
    glnn_kernel_run_desc run = stencil_numbers;
    glnn_matrix *out = matrix_zero(9, 13, GLNN_LAYOUT_TILED);
    (void)state;
    kernel_new(&stencil);
    run.operands[0].matrix = run.operands[1].matrix =
        matrix_of(array_random(9, 13, -1, 1), GLNN_LAYOUT_TILED);
    expect_ok(glnn_kernel_run(made[0], &run, out));
    const glnn_counters before = counters_of(ctx);
    run.uniforms[0] = 2;
    run.operands[1].rect = (glnn_rect){1, 2, 3, 4};
    run.operands[1].transpose = true;
    expect_ok(glnn_kernel_run(made[0], &run, out));
    assert_int_equal(counters_of(ctx).programs_compiled, before.programs_compiled);
    assert_int_equal(counters_of(ctx).passes, before.passes + 1);
}

/* ---- Wrong descriptions */

#define BODY "float element(int row, int column) { return 1.0; }"

static char long_text[40000], long_name[80];

static const struct {
    glnn_kernel_desc desc;
    const char *sentence;
} wrong_descriptions[] = {
    {{.name = "k"}, "k: `source` is null"},
    {{.source = ""}, "kernel: the source has no function float element(int row, int column)"},
    {{.source = "float elements(int row, int column) { return 1.0; }"},
     "kernel: the source has no function float element"},
    {{.name = "", .source = BODY}, "the name has 0 characters; it may have 1 to 63"},
    {{.name = long_name, .source = BODY}, "the name has 64 characters; it may have 1 to 63"},
    {{.name = "include/maps.glsl", .source = BODY},
     "character 8 of the name is a '/' or a control character"},
    {{.name = "a\nb", .source = BODY}, "character 2 of the name is a '/' or a control"},
    {{.source = long_text}, "kernel: the source has more than 9999 lines"},
    {{.source = "\n #version 330\n" BODY}, "kernel:2: the source may not have #version"},
    {{.source = BODY "\n# line 7"}, "kernel:2: the source may not have #line"},
    {{.source = BODY "\n/* open *\n"}, "kernel:2: a comment begins here and does not end"},
    {{.source = "/* a\n b */ #extension GL_X : enable\n" BODY},
     "kernel:2: the source may not have #extension"},
    {{.source = BODY "\nvoid main() {}"},
     "kernel:2: the source may not have 'main', because the library has the function main"},
    {{.source = "uniform float rate;\n" BODY},
     "kernel:1: the source may not have 'uniform', because the description declares the "
     "uniform"},
    {{.source = "#define A \\\n  1\nlayout(local_size_x = 1) in;\n" BODY},
     "kernel:3: the source may not have 'layout', because the library places all inputs"},
    {{.source = BODY "\n in vec2 place;"},
     "kernel:2: the source may not have 'in', because a kernel reads its operands alone"},
    {{.source = "flat\nout float x;\n" BODY},
     "kernel:2: the source may not have 'out', because a kernel returns its element"},
    {{.source = "shared float sum;\n" BODY}, "kernel:1: the source may not have 'shared'"},
    {{.source = "buffer b { float x; };\n" BODY}, "kernel:1: the source may not have 'buffer'"},
    {{.source = "float element(int row, int column)\n{ if (row > 1) discard; return 1.0; }"},
     "kernel:2: the source may not have 'discard', because a kernel computes every element"},
    {{.source = BODY, .operands = {"2X"}},
     "kernel: operand 0 is declared as \"2X\"; a name is a letter, followed by letters, digits "
     "and underscores"},
    {{.source = BODY, .operands = {"X", NULL, "Y"}},
     "kernel: operand 2 is declared, but operand 1 is not"},
    {{.source = BODY, .operands = {"X", "Y", "X"}},
     "kernel: operand 0 and operand 2 are both called X"},
    {{.source = BODY, .uniforms = {"float output_rows"}},
     "kernel: uniform 0 is called output_rows, which already has a meaning"},
    {{.source = BODY, .operands = {"X"}, .options = {"X_columns"}},
     "kernel: option 0 is called X_columns, which already has a meaning"},
    {{.source = BODY, .operands = {"gl_X"}},
     "kernel: operand 0 is called gl_X, which already has a meaning"},
    {{.source = BODY, .uniforms = {"rate"}},
     "kernel: uniform 0 is declared as \"rate\"; a declaration is \"float NAME\" or \"int "
     "NAME\""},
    {{.source = BODY, .uniforms = {"vec2 rate"}}, "kernel: uniform 0 is declared as \"vec2 rate\""},
    {{.source = BODY, .uniforms = {"float a", "int a"}},
     "kernel: uniform 0 and uniform 1 are both called a"},
    {{.source = BODY, .uniforms = {[1] = "float a"}},
     "kernel: uniform 1 is declared, but uniform 0 is not"},
    {{.source = BODY, .options = {"N 3"}}, "kernel: option 0 is declared as \"N 3\"; a name"},
    {{.source = BODY, .options = {"N"}, .operands = {"N"}},
     "kernel: operand 0 and option 0 are both called N"},
    {{.source = BODY, .options = {[2] = "N"}}, "kernel: option 2 is declared, but option 1 is not"},
};

static void wrong_descriptions_are_refused(void **state)
{
    (void)state;
    memset(long_name, 'a', 64);
    memset(long_text, '\n', 10000);
    strcpy(long_text + 10000, BODY);
    for (size_t i = 0; i < COUNT_OF(wrong_descriptions); ++i) {
        char sentence[256];
        glnn_kernel *kernel;
        snprintf(sentence, sizeof sentence, "glnn_kernel_create: %s",
                 wrong_descriptions[i].sentence);
        expect_error(glnn_kernel_create(glnn_test_context(), &wrong_descriptions[i].desc, &kernel),
                     GLNN_E_ARG, sentence);
        assert_null(kernel);
    }
}

/* Comments, directives and parameters may have the words. */
static void words_that_mean_something_else_are_taken(void **state)
{
    glnn_matrix *out = matrix_zero(2, 2, GLNN_LAYOUT_TILED);
    (void)state;
    kernel_new(&(glnn_kernel_desc){.source = "// uniform main in layout\n"
                                             "/* #version 430\n"
                                             " #line 3 */\n"
                                             "#define UNIFORM 2.0 // out )\n"
                                             "const float inner = 3.0, maintained = 1.0;\n"
                                             "void add(in float x, inout float sum, out float y)\n"
                                             "{\n"
                                             "    sum += x;\n"
                                             "    y = sum;\n"
                                             "}\n"
                                             "float element(int row, int column)\n"
                                             "{\n"
                                             "    float sum = maintained, y;\n"
                                             "    add(UNIFORM * inner, sum, y);\n"
                                             "    return y;\n"
                                             "}\n"});
    expect_ok(glnn_kernel_run(made[0], NULL, out));
    assert_true(values_of(out).data[0] == 7);
}

static void a_text_of_the_most_lines_names_its_last_one(void **state)
{
    glnn_matrix *out = matrix_zero(2, 2, GLNN_LAYOUT_TILED);
    (void)state;
    memset(long_text, '\n', 9998);
    strcpy(long_text + 9998, "float element(int row, int column) { return rows; }");
    kernel_new(&(glnn_kernel_desc){.source = long_text});
    expect_error(glnn_kernel_run(made[0], NULL, out), GLNN_E_SHADER, "kernel:9999: ");
}

/* ---- Wrong sources, which only the compiler understands */

static void a_mistake_in_the_source_is_named_with_its_line(void **state)
{
    static const struct {
        const char *source, *place;
    } wrong[] = {
        {"float element(int row, int column)\n{\n    return lack;\n}", "mine:3: "},
        {"float element(int row, int column)\n{\n    return 1.0\n}", "mine:4: "},
        {"float twice(float x) { return 2.0 * x; }\n\n\nfloat element(int row, int column) { "
         "return "
         "twise(1.0); }",
         "mine:4: "},
        {"float element(int row, int column)\n{\n    return X_at(row);\n}", "mine:3: "},
        {"float element(int row, int column)\n{\n    rate = 2.0;\n    return rate;\n}", "mine:3: "},
        {"float element(int row) { return 1.0; }", "the end of mine: error"},
        {"vec4 element(int row, int column) { return vec4(1.0); }", "the end of mine: "},
        {"float element(int row, int column)\n{\n    return 1.0;\n", "the end of mine: "},
        {BODY "\nfloat lack = 1.0", "the end of mine: "},
        {BODY "\nfloat twice(float x", "the end of mine: "},
        {"int tile;\n" BODY, "mine:1: "},
        {BODY "\n#if 1\n", "mine:2: "},
        {"// element\n", "the end of mine: "},
    };
    glnn_matrix *out = matrix_zero(2, 2, GLNN_LAYOUT_TILED);
    const glnn_kernel_run_desc run = {.operands = {{.matrix = out}}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
        glnn_kernel *kernel = kernel_new(&(glnn_kernel_desc){.name = "mine",
                                                             .source = wrong[i].source,
                                                             .operands = {"X"},
                                                             .uniforms = {"float rate"}});
        expect_error(glnn_kernel_run(kernel, &run, out), GLNN_E_SHADER,
                     "glnn_kernel_run: mine does not compile: ");
        expect_error(glnn_kernel_run(kernel, &run, out), GLNN_E_SHADER, wrong[i].place);
    }
}

static void a_kernel_that_reads_an_operand_without_a_matrix_is_told_so(void **state)
{
    (void)state;
    kernel_new(&stencil);
    const glnn_matrix *x = matrix_zero(2, 2, GLNN_LAYOUT_TILED);
    expect_error(glnn_kernel_run(made[0], &(glnn_kernel_run_desc){.operands = {{.matrix = x}}},
                                 matrix_zero(2, 2, GLNN_LAYOUT_TILED)),
                 GLNN_E_ARG,
                 "glnn_kernel_run: stencil: operand B has no matrix, but the kernel reads it: "
                 "stencil:5: ");
}

/* ---- Wrong runs */

static void wrong_runs_are_refused(void **state)
{
    const glnn_matrix *x = matrix_zero(3, 5, GLNN_LAYOUT_TILED);
    glnn_matrix *out = matrix_zero(3, 5, GLNN_LAYOUT_PACKED);
    glnn_context *other = context_new(0, 0), *ctx = glnn_test_context();
    context_use(other);
    const glnn_matrix *foreign = matrix_zero(3, 5, GLNN_LAYOUT_TILED);
    context_use(ctx);
    const struct {
        glnn_kernel_run_desc run;
        glnn_status status;
        const char *sentence;
    } wrong[] = {
        {{.operands = {{.matrix = foreign}}},
         GLNN_E_ARG,
         "`A` (matrix) belongs to another context"},
        {{.operands = {[2] = {.matrix = x}}},
         GLNN_E_ARG,
         "stencil has no operand 2, but the run gives it a matrix"},
        {{.operands = {{.matrix = x, .rect = {1, 0, 3, 5}}}},
         GLNN_E_SHAPE,
         "a rectangle of 3 x 5 at (1, 0) does not lie inside matrix, 3 x 5"},
        {{.operands = {{.matrix = x, .rect = {1, 1, 0, 0}}}},
         GLNN_E_SHAPE,
         "a rectangle of 0 x 0 at (1, 1) does not lie inside"},
        {{.operands = {{.matrix = x, .rect = {0, -1, 1, 1}}}},
         GLNN_E_SHAPE,
         "a rectangle of 1 x 1 at (0, -1) does not lie inside"},
        {{.uniforms = {[2] = 4.5}},
         GLNN_E_ARG,
         "stencil has no uniform 2, but the run sets it to 4.5"},
        {{.uniforms = {1, 2.5}},
         GLNN_E_ARG,
         "steps of stencil is 2.5; an int must be a whole number of 32 bits"},
        {{.uniforms = {1, 3e9}}, GLNN_E_ARG, "steps of stencil is 3e+09; an int must"},
        {{.uniforms = {1, NAN}}, GLNN_E_ARG, "steps of stencil is nan; an int must"},
        {{.options = {1, 2}}, GLNN_E_ARG, "stencil has no option 1, but the run sets it to 2"},
        {{.beta = INFINITY}, GLNN_E_ARG, "beta is inf; it must be finite"},
        {{.operands = {{.matrix = out}}, .beta = 1},
         GLNN_E_ARG,
         "`out` (matrix) is also operand A; with a beta other than 0 it must not be"},
    };
    (void)state;
    kernel_new(&stencil);
    for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
        char sentence[256];
        snprintf(sentence, sizeof sentence, "glnn_kernel_run: %s", wrong[i].sentence);
        expect_error(glnn_kernel_run(made[0], &wrong[i].run, out), wrong[i].status, sentence);
    }
    expect_error(glnn_kernel_run(made[0], NULL, matrix_zero(3, 5, GLNN_LAYOUT_PAGED)), GLNN_E_ARG,
                 "glnn_kernel_run: `out` (matrix) is paged");
}

static void a_kernel_outlives_its_context(void **state)
{
    glnn_context *ctx;
    glnn_kernel *kernel;
    (void)state;
    expect_ok(glnn_context_create(&(glnn_context_desc){.cache_dir = ""}, &ctx));
    expect_ok(
        glnn_kernel_create(ctx, &(glnn_kernel_desc){.name = "late", .source = BODY}, &kernel));
    log_clear();
    glnn_context_destroy(ctx);
    assert_non_null(strstr(log_text(GLNN_LOG_WARNING), "a kernel still exists: late"));
    expect_error(glnn_kernel_run(kernel, NULL, NULL), GLNN_E_STATE,
                 "glnn_kernel_run: the context of `kernel` was destroyed");
    glnn_kernel_destroy(kernel);
    log_clear();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        KERNEL_TEST(kernels_compute_every_mixture_of_layouts),
        KERNEL_TEST(wrapped_operands_and_outputs_are_computed),
        KERNEL_TEST(a_rectangle_looks_like_a_matrix_of_its_own),
        KERNEL_TEST(an_output_can_be_an_operand),
        KERNEL_TEST(beta_adds_the_former_output),
        KERNEL_TEST(an_operand_that_is_left_out_is_known_to_the_text),
        KERNEL_TEST(options_are_constants_of_any_sign_and_uniforms_have_types),
        KERNEL_TEST(the_size_of_the_output_is_known),
        KERNEL_TEST(the_programs_of_a_destroyed_kernel_are_gone),
        KERNEL_TEST(a_run_after_the_first_one_compiles_nothing),
        KERNEL_TEST(wrong_descriptions_are_refused),
        KERNEL_TEST(words_that_mean_something_else_are_taken),
        KERNEL_TEST(a_text_of_the_most_lines_names_its_last_one),
        KERNEL_TEST(a_mistake_in_the_source_is_named_with_its_line),
        KERNEL_TEST(a_kernel_that_reads_an_operand_without_a_matrix_is_told_so),
        KERNEL_TEST(wrong_runs_are_refused),
        KERNEL_TEST(a_kernel_outlives_its_context),
    };
    return cmocka_run_group_tests_name("kernel", tests, test_group_setup, test_group_teardown);
}
