/* A guest in a host at work: its queries and conditional renders, its debug output and its
 * units. */
#include "support/guest.h"
#include "support/odd_state.h"

#include <glnn/map.h>

#include "gl/gl.h"

static glnn_matrix *small_matrix(void)
{
    glnn_matrix *matrix = NULL;
    expect_ok(glnn_matrix_create(guest, &(glnn_matrix_desc){.rows = 2, .columns = 2}, &matrix));
    return matrix;
}

static void expect_filled(glnn_matrix *matrix, float value)
{
    float values[4] = {0};
    expect_ok(glnn_fill(guest, value, matrix));
    expect_ok(glnn_matrix_download(guest, matrix, NULL, values, 0));
    for (int i = 0; i < 4; ++i)
        assert_true(values[i] == value);
}

/* The errors that the host's debug output reports. */
static int messages;

static void GLAPIENTRY count_message(GLenum source, GLenum type, GLuint id, GLenum severity,
                                     GLsizei length, const GLchar *text, const void *user)
{
    (void)source, (void)id, (void)severity, (void)length, (void)text, (void)user;
    messages += type == GL_DEBUG_TYPE_ERROR;
}

static void watch_debug_output(void)
{
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(count_message, NULL);
    messages = 0;
}

/* The host's callback still hears of the host's own errors. */
static void end_debug_output(void)
{
    assert_int_equal(messages, 0);
    glEnable(0xdead);
    assert_int_equal(messages, 1);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glDebugMessageCallback(NULL, NULL);
}

/* Queries and conditional renders */

static void calls_inside_a_conditional_render_are_refused(void **state)
{
    (void)state;
    adopt();
    glnn_matrix *matrix = small_matrix();
    glnn_context *second = NULL;
    const GLuint query = failed_query();
    watch_debug_output();
    for (int i = 0; i < 2; ++i) {
        expect_filled(matrix, (float)(3 + i));
        glBeginConditionalRender(query, i ? GL_QUERY_NO_WAIT : GL_QUERY_WAIT);
        expect_error(glnn_fill(guest, 1, matrix), GLNN_E_STATE, "glEndConditionalRender");
        expect_error(adopt_current(&second), GLNN_E_STATE, "conditional render");
        assert_int_equal(glGetError(), GL_NO_ERROR);
        glEndConditionalRender();
        assert_int_equal(glGetError(), GL_NO_ERROR); /* the host's was active to its end */
    }
    end_debug_output();
    glDeleteQueries(1, &query);
    glnn_matrix_destroy(matrix);
    leave_host();
}

/* The count of a query while the library is called inside it. */
static GLuint count_during_refusal(GLenum target, glnn_matrix *matrix)
{
    GLuint query = 0, count = 1;
    glGenQueries(1, &query);
    glBeginQuery(target, query);
    expect_error(glnn_fill(guest, 1, matrix), GLNN_E_STATE, "glEndQuery");
    glEndQuery(target);
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &count);
    glDeleteQueries(1, &query);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    return count;
}

static bool has_statistics(void)
{
    GLint version = 0;
    glGetIntegerv(GL_MINOR_VERSION, &version);
    return version >= 6 || glewGetExtension("GL_ARB_pipeline_statistics_query");
}

static void calls_inside_a_query_that_would_count_them_are_refused(void **state)
{
    (void)state;
    static const GLenum targets[] = {
        GL_SAMPLES_PASSED,
        GL_ANY_SAMPLES_PASSED,
        GL_ANY_SAMPLES_PASSED_CONSERVATIVE,
        GL_PRIMITIVES_GENERATED,
        GL_VERTICES_SUBMITTED_ARB,
        GL_PRIMITIVES_SUBMITTED_ARB,
        GL_VERTEX_SHADER_INVOCATIONS_ARB,
        GL_TESS_CONTROL_SHADER_PATCHES_ARB,
        GL_TESS_EVALUATION_SHADER_INVOCATIONS_ARB,
        GL_GEOMETRY_SHADER_INVOCATIONS,
        GL_GEOMETRY_SHADER_PRIMITIVES_EMITTED_ARB,
        GL_FRAGMENT_SHADER_INVOCATIONS_ARB,
        GL_COMPUTE_SHADER_INVOCATIONS_ARB,
        GL_CLIPPING_INPUT_PRIMITIVES_ARB,
        GL_CLIPPING_OUTPUT_PRIMITIVES_ARB,
    };
    adopt();
    glnn_matrix *matrix = small_matrix();
    const size_t count = has_statistics() ? COUNT_OF(targets) : 4;
    for (size_t i = 0; i < count; ++i)
        assert_int_equal(count_during_refusal(targets[i], matrix), 0);
    expect_filled(matrix, 5);
    glnn_matrix_destroy(matrix);
    leave_host();
}

static void a_context_is_not_adopted_inside_an_occlusion_query(void **state)
{
    (void)state;
    const foreign own = foreign_headless();
    glnn_context *ctx = NULL;
    GLuint query = 0;
    glGenQueries(1, &query);
    glBeginQuery(GL_SAMPLES_PASSED, query);
    expect_error(adopt_current(&ctx), GLNN_E_STATE, "GL_SAMPLES_PASSED");
    assert_null(ctx);
    glEndQuery(GL_SAMPLES_PASSED);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    foreign_end(&own);
}

static void queries_of_time_and_of_feedback_go_on_through_a_call(void **state)
{
    (void)state;
    static const GLenum targets[] = {GL_TIME_ELAPSED, GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN};
    adopt();
    glnn_matrix *matrix = small_matrix();
    GLuint queries[2], written = 1;
    glGenQueries(2, queries);
    for (int i = 0; i < 2; ++i)
        glBeginQuery(targets[i], queries[i]);
    expect_filled(matrix, 5);
    for (int i = 0; i < 2; ++i) {
        GLint active = 0;
        glGetQueryiv(targets[i], GL_CURRENT_QUERY, &active);
        assert_int_equal(active, queries[i]);
        glEndQuery(targets[i]);
    }
    glGetQueryObjectuiv(queries[1], GL_QUERY_RESULT, &written);
    assert_int_equal(written, 0);
    glDeleteQueries(2, queries);
    glnn_matrix_destroy(matrix);
    leave_host();
}

static void the_hosts_debug_output_sees_no_error_of_a_call(void **state)
{
    (void)state;
    adopt();
    glnn_matrix *matrix = small_matrix();
    watch_debug_output();
    expect_filled(matrix, 4);
    expect_ok(glnn_context_finish(guest));
    end_debug_output();
    glnn_matrix_destroy(matrix);
    leave_host();
}

/* The first texture of the guest is deleted though a call would be refused. */
static void a_context_is_destroyed_whatever_the_host_has_under_way(void **state)
{
    (void)state;
    adopt();
    glnn_matrix *matrix = small_matrix();
    expect_filled(matrix, 2);
    const GLuint query = failed_query();
    GLuint counting = 0;
    glGenQueries(1, &counting);
    glBeginQuery(GL_PRIMITIVES_GENERATED, counting);
    glBeginConditionalRender(query, GL_QUERY_WAIT);
    glnn_matrix_destroy(matrix);
    watch_log();
    snapshot *before = snapshot_take();
    glnn_context_destroy(guest);
    snapshot_check(before);
    snapshot_free(before);
    assert_int_equal(watched_messages(GLNN_LOG_WARNING), 0);
    for (GLuint name = 1; name < 100; ++name)
        assert_false(glIsTexture(name) || glIsProgram(name) || glIsFramebuffer(name));
    glEndConditionalRender();
    glEndQuery(GL_PRIMITIVES_GENERATED);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    foreign_end(&host);
}

/* Units */

static void every_texture_and_image_unit_is_restored(void **state)
{
    (void)state;
    adopt();
    set_odd_state();
    snapshot *before = snapshot_take();
    expect_ok(glnn__gl_enter(guest));
    expect_ok(glnn__gl_claim(guest, GLNN__PARTS_ALL));
    for (GLuint i = 0; i < GLNN__TEXTURE_UNITS; ++i) {
        glActiveTexture(GL_TEXTURE0 + i);
        glBindTexture(GL_TEXTURE_2D, 0);
        glBindTexture(GL_TEXTURE_2D_ARRAY, 0);
    }
    for (GLuint i = 0; i < GLNN__IMAGE_UNITS; ++i)
        glBindImageTexture(i, 0, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32F);
    expect_ok(glnn__gl_leave(guest, GLNN_OK));
    snapshot_check(before);
    snapshot_free(before);
    leave_odd_state();
    leave_host();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(calls_inside_a_conditional_render_are_refused),
        CONTEXT_TEST(calls_inside_a_query_that_would_count_them_are_refused),
        CONTEXT_TEST(a_context_is_not_adopted_inside_an_occlusion_query),
        CONTEXT_TEST(queries_of_time_and_of_feedback_go_on_through_a_call),
        CONTEXT_TEST(the_hosts_debug_output_sees_no_error_of_a_call),
        CONTEXT_TEST(a_context_is_destroyed_whatever_the_host_has_under_way),
        CONTEXT_TEST(every_texture_and_image_unit_is_restored),
    };
    return cmocka_run_group_tests(tests, keep_driver_loaded, NULL);
}
