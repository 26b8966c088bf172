/* Adopted contexts: what the caller had set is there again after every call. */
#include "support/guest.h"
#include "support/guest_work.h"
#include "support/odd_state.h"

#include <glnn/gemm.h>
#include <glnn/map.h>

static void check_adoption(const foreign *own)
{
    glnn_context *ctx = NULL;
    set_odd_state();
    snapshot *before = snapshot_take();
    expect_ok(adopt_current(&ctx));
    snapshot_check(before);
    expect_ok(glnn_context_finish(ctx));
    snapshot_check(before);
    compute_something(ctx);
    snapshot_check(before);
    train_something(ctx);
    snapshot_check(before);
    glnn_context_destroy(ctx);
    snapshot_check(before);
    snapshot_free(before);
    leave_odd_state();
    foreign_end(own);
}

static void adoption_of_a_window_changes_no_state(void **state)
{
    (void)state;
    foreign own = foreign_window(GLFW_OPENGL_CORE_PROFILE);
    check_adoption(&own);
}

static void adoption_of_a_headless_context_changes_no_state(void **state)
{
    (void)state;
    foreign own = foreign_headless();
    check_adoption(&own);
}

static void adoption_of_an_old_style_context_changes_no_state(void **state)
{
    (void)state;
    foreign own = foreign_window(GLFW_OPENGL_COMPAT_PROFILE);
    glPolygonMode(GL_FRONT, GL_POINT);
    glEnable(GL_ALPHA_TEST);
    glEnable(GL_POLYGON_STIPPLE);
    glPixelTransferf(GL_RED_SCALE, 0.5f);
    glPixelTransferf(GL_ALPHA_BIAS, 0.25f);
    glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_TRUE);
    glnn_context *ctx = NULL;
    expect_ok(adopt_current(&ctx));
    compute_something(ctx);
    glnn_context_destroy(ctx);
    GLint mode[2] = {0};
    GLint clamp = 0;
    GLfloat scale = 0;
    GLfloat bias = 0;
    glGetIntegerv(GL_POLYGON_MODE, mode);
    glGetIntegerv(GL_CLAMP_FRAGMENT_COLOR, &clamp);
    glGetFloatv(GL_RED_SCALE, &scale);
    glGetFloatv(GL_ALPHA_BIAS, &bias);
    assert_int_equal(mode[0], GL_POINT);
    assert_int_equal(mode[1], GL_FILL);
    assert_int_equal(clamp, GL_TRUE);
    assert_true(scale == 0.5f && bias == 0.25f);
    assert_true(glIsEnabled(GL_ALPHA_TEST) && glIsEnabled(GL_POLYGON_STIPPLE));
    foreign_end(&own);
}

static void calls_are_refused_while_a_display_list_is_open(void **state)
{
    (void)state;
    static const GLenum modes[] = {GL_COMPILE, GL_COMPILE_AND_EXECUTE};
    foreign own = foreign_window(GLFW_OPENGL_COMPAT_PROFILE);
    glnn_context *ctx = NULL, *second = NULL;
    glnn_matrix *matrix = NULL;
    float value = 0;
    expect_ok(adopt_current(&ctx));
    expect_ok(glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = 1, .columns = 1}, &matrix));
    for (size_t i = 0; i < COUNT_OF(modes); ++i) {
        expect_ok(glnn_fill(ctx, 3, matrix));
        glNewList(7, modes[i]);
        expect_error(glnn_fill(ctx, 4, matrix), GLNN_E_STATE, "display list 7");
        expect_error(adopt_current(&second), GLNN_E_STATE, "display list 7");
        glEndList();
        glCallList(7);
        expect_ok(glnn_matrix_download(ctx, matrix, NULL, &value, 0));
        assert_true(value == 3);
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glnn_matrix_destroy(matrix);
    glnn_context_destroy(ctx);
    foreign_end(&own);
}

static void adopted_context_must_be_current(void **state)
{
    (void)state;
    foreign own = foreign_headless();
    glnn_context *ctx = NULL;
    glnn_context *other = NULL;
    expect_ok(adopt_current(&ctx));
    expect_ok(glnn_context_create(NULL, &other));
    expect_error(glnn_context_finish(ctx), GLNN_E_STATE, "not current");
    foreign_make_current(&own);
    expect_ok(glnn_context_finish(ctx));
    expect_ok(glnn_context_finish(other));
    glnn_context_destroy(other);
    foreign_make_current(&own);
    glnn_context_destroy(ctx);
    foreign_end(&own);
}

static void destroying_without_the_adopted_context_warns(void **state)
{
    (void)state;
    foreign own = foreign_headless();
    glnn_context *ctx = NULL;
    watch_log();
    expect_ok(adopt_current(&ctx));
    eglMakeCurrent(own.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    glnn_context_destroy(ctx);
    assert_int_equal(watched_messages(GLNN_LOG_WARNING), 1);
    glnn_log_set(NULL, NULL);
    foreign_end(&own);
}

static void errors_of_the_adopted_context_are_told_apart(void **state)
{
    (void)state;
    foreign own = foreign_headless();
    glnn_context *ctx = NULL;
    watch_log();
    expect_ok(adopt_current(&ctx));
    glEnable(0xdead);
    expect_ok(glnn_context_finish(ctx));
    assert_int_equal(watched_messages(GLNN_LOG_WARNING), 1);
    glnn_context_destroy(ctx);
    glnn_log_set(NULL, NULL);
    foreign_end(&own);
}

static void a_deleted_program_in_use_is_not_lost(void **state)
{
    (void)state;
    foreign own = foreign_headless();
    glnn_context *ctx = NULL;
    expect_ok(adopt_current(&ctx));
    GLuint program = feedback_program();
    glnn_matrix *matrix = NULL;
    expect_ok(glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = 1, .columns = 1}, &matrix));
    glUseProgram(program);
    glDeleteProgram(program);
    expect_ok(glnn_context_finish(ctx)); /* needs no program */
    expect_error(glnn_fill(ctx, 1, matrix), GLNN_E_STATE, "deleted");
    assert_true(glIsProgram(program));
    glUseProgram(0);
    expect_ok(glnn_fill(ctx, 1, matrix));
    glnn_matrix_destroy(matrix);
    glnn_context_destroy(ctx);
    foreign_end(&own);
}

/* Where an object of a host can be bound that a sharing context deletes. */
typedef enum place {
    PLACE_TEXTURE_2D,
    PLACE_TEXTURE_2D_ARRAY,
    PLACE_SAMPLER,
    PLACE_IMAGE,
    PLACE_PACK_BUFFER,
    PLACE_UNPACK_BUFFER,
    PLACES
} place;

static GLuint create_object(place where)
{
    GLuint name = 0;
    if (where == PLACE_SAMPLER)
        glGenSamplers(1, &name);
    else if (where < PLACE_PACK_BUFFER)
        glGenTextures(1, &name);
    else
        glGenBuffers(1, &name);
    if (where == PLACE_IMAGE) {
        glBindTexture(GL_TEXTURE_2D, name);
        glTexStorage2D(GL_TEXTURE_2D, 1, GL_R32F, 4, 4);
        glBindTexture(GL_TEXTURE_2D, 0);
    }
    return name;
}

static void bind_object(place where, GLuint name)
{
    static const GLenum targets[PLACES] = {
        GL_TEXTURE_2D, GL_TEXTURE_2D_ARRAY, 0, 0, GL_PIXEL_PACK_BUFFER, GL_PIXEL_UNPACK_BUFFER,
    };
    if (where == PLACE_SAMPLER) {
        glBindSampler(3, name);
    } else if (where == PLACE_IMAGE) {
        glBindImageTexture(2, name, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32F);
    } else if (where < PLACE_SAMPLER) {
        glActiveTexture(GL_TEXTURE4);
        glBindTexture(targets[where], name);
    } else {
        glBindBuffer(targets[where], name);
    }
}

static void delete_object(place where, GLuint name)
{
    if (where == PLACE_SAMPLER)
        glDeleteSamplers(1, &name);
    else if (where < PLACE_PACK_BUFFER)
        glDeleteTextures(1, &name);
    else
        glDeleteBuffers(1, &name);
}

static void an_object_deleted_in_a_sharing_context_is_not_lost(void **state)
{
    (void)state;
    static const char *const words[PLACES] = {
        "bound to GL_TEXTURE_2D of texture unit 4 in",
        "bound to GL_TEXTURE_2D_ARRAY of texture unit 4 in",
        "bound to texture unit 3 in",
        "bound to image unit 2 in",
        "bound to GL_PIXEL_PACK_BUFFER in",
        "bound to GL_PIXEL_UNPACK_BUFFER in",
    };
    const foreign own = foreign_headless(), sharing = foreign_sharing(&own);
    glnn_context *ctx = NULL;
    glnn_matrix *a = NULL, *c = NULL;
    float values[4] = {0};
    expect_ok(adopt_current(&ctx));
    expect_ok(glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = 2, .columns = 2}, &a));
    expect_ok(glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = 2, .columns = 2}, &c));
    for (place where = 0; where < PLACES; ++where) {
        const GLuint name = create_object(where);
        bind_object(where, name);
        expect_ok(glnn_gemm(ctx, NULL, 1, a, a, 0, c));
        expect_ok(glnn_fill(ctx, 3, c));
        foreign_make_current(&sharing);
        delete_object(where, name);
        foreign_make_current(&own);
        snapshot *before = snapshot_take();
        expect_error(glnn_gemm(ctx, NULL, 1, a, a, 0, c), GLNN_E_STATE, words[where]);
        snapshot_check(before);
        expect_ok(glnn_context_finish(ctx)); /* binds nothing */
        snapshot_check(before);
        snapshot_free(before);
        bind_object(where, 0);
        expect_ok(glnn_matrix_download(ctx, c, NULL, values, 0));
        for (int i = 0; i < 4; ++i)
            assert_true(values[i] == 3);
    }
    glnn_matrix_destroy(c);
    glnn_matrix_destroy(a);
    glnn_context_destroy(ctx);
    eglDestroyContext(own.display, sharing.context);
    foreign_end(&own);
}

static void a_lost_texture_at_a_unit_of_layers_only_changes_how_factors_are_read(void **state)
{
    (void)state;
    const foreign own = foreign_headless(), sharing = foreign_sharing(&own);
    glnn_context *ctx = NULL;
    expect_ok(adopt_current(&ctx));
    for (int unit = 7; unit < 23; unit += 15) {
        const GLuint name = create_object(PLACE_TEXTURE_2D);
        GLuint same = 0;
        glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
        glBindTexture(GL_TEXTURE_2D, name);
        foreign_make_current(&sharing);
        delete_object(PLACE_TEXTURE_2D, name);
        foreign_make_current(&own);
        glGenTextures(1, &same); /* so that no matrix gets the name */
        snapshot *before = snapshot_take();
        compute_something(ctx);
        snapshot_check(before);
        snapshot_free(before);
    }
    glnn_context_destroy(ctx);
    eglDestroyContext(own.display, sharing.context);
    foreign_end(&own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(adoption_of_a_window_changes_no_state),
        CONTEXT_TEST(adoption_of_a_headless_context_changes_no_state),
        CONTEXT_TEST(adoption_of_an_old_style_context_changes_no_state),
        CONTEXT_TEST(calls_are_refused_while_a_display_list_is_open),
        CONTEXT_TEST(adopted_context_must_be_current),
        CONTEXT_TEST(destroying_without_the_adopted_context_warns),
        CONTEXT_TEST(errors_of_the_adopted_context_are_told_apart),
        CONTEXT_TEST(a_deleted_program_in_use_is_not_lost),
        CONTEXT_TEST(an_object_deleted_in_a_sharing_context_is_not_lost),
        CONTEXT_TEST(a_lost_texture_at_a_unit_of_layers_only_changes_how_factors_are_read),
    };
    return cmocka_run_group_tests(tests, keep_driver_loaded, NULL);
}
