/* Defects of drivers, which the library finds by trials and works around. Functions of OpenGL are
 * replaced here by ones that have such a defect. */
#include "support/folder.h"
#include "support/reference.h"

#include <GL/glew.h>

#include <glnn/glnn.h>

/* ---- A driver that keeps the first colour of blending, as zink of Mesa 22.3 does */

static PFNGLBLENDCOLORPROC true_blend_color;
static int colors;

static void GLAPIENTRY keep_first_color(GLfloat r, GLfloat g, GLfloat b, GLfloat a)
{
    if (colors++ == 0)
        true_blend_color(r, g, b, a);
}

static void a_factor_that_blending_ignores_is_multiplied_by_the_shader(void **state)
{
    (void)state;
    enum { SIDE = 5 };
    const float factors[] = {0.5f, -0.25f, 3};
    glnn_context *ctx = context_new(0, 0.0);
    context_use(ctx);
    glnn_matrix *x = matrix_of(array_random(SIDE, SIDE, -2, 2), GLNN_LAYOUT_PACKED);
    glnn_matrix *y = matrix_of(array_random(SIDE, SIDE, -2, 2), GLNN_LAYOUT_PACKED);
    true_blend_color = glBlendColor;
    colors = 0;
    glBlendColor = keep_first_color;
    for (size_t i = 0; i < COUNT_OF(factors); ++i) {
        const array added = values_of(x), sum = values_of(y);
        for (size_t j = 0; j < length_of(sum); ++j)
            sum.data[j] = added.data[j] + (double)factors[i] * sum.data[j];
        expect_ok(glnn_axpby(ctx, 1, x, factors[i], y));
        const array found = values_of(y);
        for (size_t j = 0; j < length_of(sum); ++j)
            assert_true(fabs(found.data[j] - sum.data[j]) <= 4 * EPS * 16);
    }
    glBlendColor = true_blend_color;
    assert_true(colors > 0);
}

/* ---- A driver whose compute shaders keep old values of uniforms, as zink on llvmpipe does */

static PFNGLUNIFORM1IPROC true_uniform;
static int uniforms;

static void GLAPIENTRY keep_first_value(GLint location, GLint value)
{
    if (++uniforms <= 3)
        true_uniform(location, value);
}

static void fragments_compute_where_compute_shaders_lose_uniforms(void **state)
{
    (void)state;
    const glnn_context_desc desc = {.stage = GLNN_STAGE_COMPUTE, .cache_dir = ""};
    for (int has_defect = 0; has_defect < 2; ++has_defect) {
        glnn_context_info info = {.size = sizeof info};
        glnn_context *ctx = NULL;
        /* Contexts load OpenGL once, so its functions are there now. */
        true_uniform = glUniform1i;
        uniforms = 0;
        if (has_defect)
            glUniform1i = keep_first_value;
        log_clear();
        expect_ok(glnn_context_create(&desc, &ctx));
        glUniform1i = true_uniform;
        expect_ok(glnn_context_get_info(ctx, &info));
        const bool is_lost = has_defect || strstr(info.renderer, "zink");
        assert_int_equal(info.stage, is_lost ? GLNN_STAGE_FRAGMENT : GLNN_STAGE_COMPUTE);
        assert_int_equal(log_count(GLNN_LOG_WARNING), is_lost);
        assert_int_equal(info.texture_bytes, 0);
        glnn_context_destroy(ctx);
    }
}

static glnn_stage stage_of_new_context(void)
{
    const glnn_context_desc desc = {.stage = GLNN_STAGE_COMPUTE, .cache_dir = "cache"};
    glnn_context_info info = {.size = sizeof info};
    glnn_context *ctx;
    expect_ok(glnn_context_create(&desc, &ctx));
    expect_ok(glnn_context_get_info(ctx, &info));
    glnn_context_destroy(ctx);
    return info.stage;
}

static void a_stored_verdict_is_used_without_a_trial(void **state)
{
    (void)state;
    true_uniform = glUniform1i;
    uniforms = 0;
    glUniform1i = keep_first_value;
    assert_int_equal(stage_of_new_context(), GLNN_STAGE_FRAGMENT);
    const int tried = uniforms;
    assert_int_equal(stage_of_new_context(), GLNN_STAGE_FRAGMENT);
    glUniform1i = true_uniform;
    assert_true(tried > 0);
    assert_int_equal(uniforms, tried);
}

/* ---- A driver whose command to clear a texture does nothing */

static PFNGLCLEARTEXIMAGEPROC true_clear;

static void GLAPIENTRY clear_nothing(GLuint texture, GLint level, GLenum format, GLenum type,
                                     const void *data)
{
    (void)texture, (void)level, (void)format, (void)type, (void)data;
}

static void a_texture_that_the_driver_does_not_clear_is_cleared_by_layers(void **state)
{
    (void)state;
    enum { SIDE = 37 };
    true_clear = glClearTexImage;
    glClearTexImage = clear_nothing;
    context_use(context_new(0, 0.0));
    for (int i = 0; i < RENDERED_COUNT; ++i) {
        /* The pool gives the texture of a matrix to the next one. */
        glnn_matrix *former;
        expect_ok(glnn_matrix_create(
            glnn_test_context(),
            &(glnn_matrix_desc){.rows = SIDE,
                                .columns = SIDE,
                                .layout = rendered_layout(i),
                                .data = floats_of(array_random(SIDE, SIDE, 1, 2))},
            &former));
        glnn_matrix_destroy(former);
        const array zeros = values_of(matrix_zero(SIDE, SIDE, rendered_layout(i)));
        for (size_t j = 0; j < length_of(zeros); ++j)
            assert_true(zeros.data[j] == 0);
    }
    glClearTexImage = true_clear;
}

/* ---- A driver that does not show stores to images after a barrier: here they are not made */

static PFNGLDISPATCHCOMPUTEPROC true_dispatch;

static void GLAPIENTRY dispatch_nothing(GLuint x, GLuint y, GLuint z)
{
    (void)x, (void)y, (void)z;
}

static void passes_write_render_targets_where_stores_are_not_seen(void **state)
{
    (void)state;
    const glnn_context_desc desc = {.writes = GLNN_WRITES_IMAGES, .cache_dir = ""};
    glnn_context_info info = {.size = sizeof info};
    glnn_context *ctx;
    true_dispatch = glDispatchCompute;
    glDispatchCompute = dispatch_nothing;
    log_clear();
    expect_ok(glnn_context_create(&desc, &ctx));
    glDispatchCompute = true_dispatch;
    expect_ok(glnn_context_get_info(ctx, &info));
    glnn_context_destroy(ctx);
    assert_int_equal(info.writes, GLNN_WRITES_TARGETS);
    assert_non_null(strstr(log_text(GLNN_LOG_WARNING), "does not show stores to images"));
}

/* ---- A driver whose compiler does to the text of shaders what this one has no reason to do */

static PFNGLSHADERSOURCEPROC true_source;
static const char *right_text, *wrong_text;

static void GLAPIENTRY compile_wrong_text(GLuint shader, GLsizei count, const GLchar *const *texts,
                                          const GLint *lengths)
{
    const char *found = count == 1 ? strstr(texts[0], right_text) : NULL;
    if (!found) {
        true_source(shader, count, texts, lengths);
        return;
    }
    const GLint first = (GLint)(found - texts[0]);
    const char *const parts[] = {texts[0], wrong_text, found + strlen(right_text)};
    true_source(shader, 3, parts, (const GLint[]){first, -1, -1});
}

static glnn_context *context_of_wrong_compiler(const char *right, const char *wrong)
{
    glnn_context *ctx = context_new(0, 0.0);
    context_use(ctx);
    true_source = glShaderSource;
    right_text = right;
    wrong_text = wrong;
    glShaderSource = compile_wrong_text;
    log_clear();
    return ctx;
}

static void create_and_run_kernel(glnn_context *ctx)
{
    glnn_kernel *kernel;
    glnn_matrix *out = matrix_zero(2, 3, GLNN_LAYOUT_PACKED);
    expect_ok(glnn_kernel_create(
        ctx, &(glnn_kernel_desc){.source = "float element(int row, int column) { return 2.0; }"},
        &kernel));
    expect_ok(glnn_kernel_run(kernel, NULL, out));
    glnn_kernel_destroy(kernel);
}

static void a_kernel_of_the_program_warns_where_loops_copy_to_wrong_places(void **state)
{
    (void)state;
    for (int has_defect = 0; has_defect < 2; ++has_defect) {
        glnn_context *ctx = context_of_wrong_compiler(
            "to[i] = from[i + 1]", has_defect ? "to[i] = from[i]" : "to[i] = from[i + 1]");
        expect_ok(glnn_transpose(ctx, matrix_zero(3, 2, GLNN_LAYOUT_PACKED),
                                 matrix_zero(2, 3, GLNN_LAYOUT_PACKED)));
        assert_int_equal(log_count(GLNN_LOG_WARNING), 0);
        for (int i = 0; i < 2; ++i)
            create_and_run_kernel(ctx);
        glShaderSource = true_source;
        assert_int_equal(log_count(GLNN_LOG_WARNING), has_defect);
        if (has_defect)
            assert_non_null(strstr(log_text(GLNN_LOG_WARNING),
                                   "stores to[i] = from[i + 1] in the wrong place"));
        release_all();
    }
}

static void create_network(glnn_context *ctx, bool two_parts)
{
    glnn_learner *network;
    const glnn_network_desc desc = {
        .features = 3,
        .layers = {{.units = 2}},
        .optimizer.two_parts = two_parts,
    };
    expect_ok(glnn_network_create(ctx, &desc, &network));
    glnn_learner_destroy(network);
}

static void create_prototypes(glnn_context *ctx)
{
    glnn_learner *lvq;
    expect_ok(glnn_lvq_create(ctx, &(glnn_lvq_desc){.features = 3, .classes = 2, .two_parts = true},
                              &lvq));
    glnn_learner_destroy(lvq);
}

static void parameters_of_two_parts_warn_where_compilers_lose_their_low_digits(void **state)
{
    (void)state;
    for (int learner = 0; learner < 2; ++learner) {
        glnn_context *ctx = context_of_wrong_compiler("AS_COMPUTED(sum - a)", "added");
        create_network(ctx, false);
        assert_int_equal(log_count(GLNN_LOG_WARNING), 0);
        for (int i = 0; i < 2; ++i)
            if (learner == 0)
                create_network(ctx, true);
            else
                create_prototypes(ctx);
        glShaderSource = true_source;
        assert_int_equal(log_count(GLNN_LOG_WARNING), 1);
        assert_non_null(strstr(log_text(GLNN_LOG_WARNING),
                               "loses the rounding error of a sum; workaround: "
                               "none; parameters in two parts"));
        release_all();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_factor_that_blending_ignores_is_multiplied_by_the_shader),
        TEST(fragments_compute_where_compute_shaders_lose_uniforms),
        IN_FOLDER(a_stored_verdict_is_used_without_a_trial),
        TEST(a_texture_that_the_driver_does_not_clear_is_cleared_by_layers),
        TEST(passes_write_render_targets_where_stores_are_not_seen),
        TEST(a_kernel_of_the_program_warns_where_loops_copy_to_wrong_places),
        TEST(parameters_of_two_parts_warn_where_compilers_lose_their_low_digits),
    };
    return cmocka_run_group_tests_name("drivers", tests, test_group_setup, test_group_teardown);
}
