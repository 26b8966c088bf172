/* Defects of drivers, which the library finds by trials and works around. Functions of OpenGL are
 * replaced here by ones that have such a defect. */
#include "support/reference.h"

#include <GL/glew.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_factor_that_blending_ignores_is_multiplied_by_the_shader),
        TEST(fragments_compute_where_compute_shaders_lose_uniforms),
    };
    return cmocka_run_group_tests_name("drivers", tests, test_group_setup, test_group_teardown);
}
