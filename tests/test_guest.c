/* A guest beside a host at work: its queries and conditional renders, its units, and its callbacks. */
#include "support/foreign.h"
#include "support/odd_state.h"

#include <glnn/gmm.h>
#include <glnn/map.h>
#include <glnn/network.h>

#include "gl/gl.h"
#include "tex/upload.h"

/* Most tests: a host's context, current, and the library in it. */
static foreign host;
static glnn_context *guest;

static void adopt(void)
{
    host = foreign_headless();
    expect_ok(glnn_context_create(&(glnn_context_desc){.platform = GLNN_PLATFORM_ADOPT}, &guest));
}

static void leave_host(void)
{
    glnn_context_destroy(guest);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    foreign_end(&host);
}

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

/* An occlusion query that saw nothing, so that a render under its condition is discarded. */
static GLuint failed_query(void)
{
    GLuint query = 0;
    glGenQueries(1, &query);
    glBeginQuery(GL_SAMPLES_PASSED, query);
    glEndQuery(GL_SAMPLES_PASSED);
    return query;
}

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
        expect_error(
            glnn_context_create(&(glnn_context_desc){.platform = GLNN_PLATFORM_ADOPT}, &second),
            GLNN_E_STATE, "conditional render");
        assert_int_equal(glGetError(), GL_NO_ERROR);
        glEndConditionalRender();
        assert_int_equal(glGetError(), GL_NO_ERROR); /* the host's was active to its end */
    }
    end_debug_output();
    glDeleteQueries(1, &query);
    glnn_matrix_destroy(matrix);
    leave_host();
}

/* What each query counts while the library is called inside it. */
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
    expect_error(glnn_context_create(&(glnn_context_desc){.platform = GLNN_PLATFORM_ADOPT}, &ctx),
                 GLNN_E_STATE, "GL_SAMPLES_PASSED");
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
    glEndTransformFeedback();
    leave_host();
}

/* Callbacks */

/* A second context of the program; it has no state that the library has touched. */
static EGLContext other;

typedef enum deed { MAKE_OTHER_CURRENT, MAKE_NONE_CURRENT, BEGIN_CONDITION, DEEDS } deed;

typedef struct reporter {
    deed does;
    int reports; /* of the second epoch */
    GLuint query;
} reporter;

/* In the first report of the second epoch: within it, where figures arrive in time. */
static bool misbehave(void *user, const glnn_report *report)
{
    reporter *r = user;
    assert_int_equal(guest->depth, 0);
    if (report->epoch < 2 || r->reports++ > 0)
        return true;
    if (r->does == BEGIN_CONDITION)
        glBeginConditionalRender(r->query, GL_QUERY_WAIT);
    else
        assert_true(eglMakeCurrent(host.display, EGL_NO_SURFACE, EGL_NO_SURFACE,
                                   r->does == MAKE_OTHER_CURRENT ? other : EGL_NO_CONTEXT));
    return true;
}

static bool visit_other(void *user, const glnn_report *report)
{
    (void)user, (void)report;
    assert_true(eglMakeCurrent(host.display, EGL_NO_SURFACE, EGL_NO_SURFACE, other));
    glFinish();
    foreign_make_current(&host);
    return true;
}

enum { SAMPLES = 400 };

/* With a budget it streams, in windows of 8 samples. */
static glnn_dataset *two_classes(size_t budget)
{
    static float inputs[SAMPLES];
    static int labels[SAMPLES];
    glnn_dataset *data = NULL;
    for (int i = 0; i < SAMPLES; ++i)
        inputs[i] = (float)(labels[i] = i % 2);
    expect_ok(glnn_dataset_create(guest,
                                  &(glnn_dataset_desc){.samples = SAMPLES,
                                                       .features = 1,
                                                       .inputs = inputs,
                                                       .labels = labels,
                                                       .classes = 2,
                                                       .texture_budget = budget},
                                  &data));
    return data;
}

static glnn_status train(glnn_network *network, const glnn_dataset *data, glnn_report_fn report,
                         void *user)
{
    return glnn_network_train(network, data,
                              &(glnn_train_desc){.epochs = 3,
                                                 .batch = 4,
                                                 .restore_best = true,
                                                 .report = report,
                                                 .report_every = 1,
                                                 .user = user},
                              NULL);
}

/* The training fails, changes neither context's state, and leaves a library that works. */
static void train_with_deed(glnn_network *network, const glnn_dataset *data, reporter *r,
                            const snapshot *of_host, const snapshot *of_other)
{
    static const char *const words[DEEDS] = {"not current", "not current", "conditional render"};
    expect_error(train(network, data, misbehave, r), GLNN_E_STATE, words[r->does]);
    assert_int_equal(r->reports, 1);
    expect_error(train(network, data, NULL, NULL), GLNN_E_STATE, words[r->does]);
    assert_int_equal(guest->depth, 0);
    if (r->does == BEGIN_CONDITION)
        glEndConditionalRender();
    if (r->does == MAKE_OTHER_CURRENT)
        snapshot_check(of_other);
    foreign_make_current(&host);
    snapshot_check(of_host);
    expect_ok(train(network, data, NULL, NULL));
    snapshot_check(of_host);
}

static void check_deeds(const glnn_dataset *data, const snapshot *of_host, const snapshot *of_other)
{
    glnn_network *network = NULL;
    expect_ok(glnn_network_create(
        guest, &(glnn_network_desc){.features = 1, .layers = {{.units = 2}}, .capacity = 8},
        &network));
    for (deed does = 0; does < DEEDS; ++does) {
        reporter r = {.does = does, .query = failed_query()};
        train_with_deed(network, data, &r, of_host, of_other);
        glDeleteQueries(1, &r.query);
    }
    expect_ok(train(network, data, visit_other, NULL));
    snapshot_check(of_host);
    float inputs[2] = {0, 1}, outputs[4];
    expect_ok(glnn_network_predict(network, 2, inputs, outputs));
    assert_true(outputs[0] > 0.5f && outputs[3] > 0.5f);
    glnn_network_destroy(network);
}

static void make_other_current(void)
{
    assert_true(eglMakeCurrent(host.display, EGL_NO_SURFACE, EGL_NO_SURFACE, other));
}

/* Leaves it current. */
static snapshot *create_other(void)
{
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 3,
                                 EGL_NONE};
    other = eglCreateContext(host.display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
    make_other_current();
    set_odd_state();
    return snapshot_take();
}

static void state_is_restored_into_its_own_context_alone(void **state)
{
    (void)state;
    adopt();
    snapshot *of_other = create_other();
    foreign_make_current(&host);
    expect_ok(glnn__gl_enter(guest));
    make_other_current();
    expect_error(glnn__gl_leave(guest, GLNN_OK), GLNN_E_STATE, "ceased to be current");
    snapshot_check(of_other);
    foreign_make_current(&host);
    expect_ok(glnn_context_finish(guest));
    snapshot_free(of_other);
    eglDestroyContext(host.display, other);
    leave_host();
}

static void an_upload_that_lost_its_context_can_begin_again(void **state)
{
    (void)state;
    adopt();
    snapshot *of_other = create_other();
    foreign_make_current(&host);
    glnn__upload upload;
    float *texels;
    expect_ok(glnn__upload_create(guest, 64, &upload));
    expect_ok(glnn__upload_begin(&upload, &texels));
    make_other_current();
    expect_error(glnn__upload_end(&upload, NULL, 0), GLNN_E_STATE, "not current");
    expect_error(glnn__upload_begin(&upload, &texels), GLNN_E_STATE, "not current");
    assert_false(glnn__upload_is_free(&upload));
    snapshot_check(of_other);
    foreign_make_current(&host);
    expect_ok(glnn__upload_begin(&upload, &texels));
    texels[15] = 1;
    expect_ok(glnn__upload_end(&upload, NULL, 0));
    glnn__upload_destroy(&upload);
    snapshot_free(of_other);
    eglDestroyContext(host.display, other);
    leave_host();
}

static void a_callback_that_takes_the_context_away_ends_one_training_alone(void **state)
{
    (void)state;
    adopt();
    snapshot *of_other = create_other();
    foreign_make_current(&host);
    snapshot *of_host = snapshot_take();
    for (int streams = 0; streams < 2; ++streams) {
        glnn_dataset *data = two_classes(streams ? 2 * 8 * 32 : 0);
        assert_int_equal(glnn_dataset_streams(data), streams);
        check_deeds(data, of_host, of_other);
        glnn_dataset_destroy(data);
    }
    snapshot_free(of_host);
    snapshot_free(of_other);
    eglDestroyContext(host.display, other);
    leave_host();
}

/* Takes the context away behind an epoch that is not the best. */
static bool take_away_after_the_best(void *user, const glnn_report *report)
{
    int *epochs = user;
    *epochs = report->epoch;
    if (report->event == GLNN_EVENT_EPOCH && !report->best)
        eglMakeCurrent(host.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    return true;
}

static glnn_dataset *random_points(int count, uint64_t seed)
{
    float inputs[40 * 2];
    glnn_dataset *data = NULL;
    random_seed(seed);
    const array values = array_random(count, 2, -1.0, 1.0);
    for (int i = 0; i < 2 * count; ++i)
        inputs[i] = (float)values.data[i];
    expect_ok(glnn_dataset_create(
        guest, &(glnn_dataset_desc){.samples = count, .features = 2, .inputs = inputs}, &data));
    release_all();
    return data;
}

/* Six components for twelve samples fit others worse and worse. */
static void a_training_cut_off_leaves_the_learner_as_the_callback_found_it(void **state)
{
    (void)state;
    adopt();
    glnn_dataset *data = random_points(12, 3), *validation = random_points(40, 4);
    glnn_gmm *gmm = NULL;
    int epochs = 0;
    float weights[6], means[12], variances[6];
    glnn_metrics fitted, read;
    expect_ok(glnn_gmm_create(guest,
                              &(glnn_gmm_desc){.features = 2,
                                               .components = 6,
                                               .covariance = GLNN_COVARIANCE_SPHERICAL,
                                               .tolerance = -1},
                              &gmm));
    expect_error(glnn_gmm_train(gmm, data,
                                &(glnn_train_desc){.epochs = 30,
                                                   .validation = validation,
                                                   .restore_best = true,
                                                   .report = take_away_after_the_best,
                                                   .user = &epochs},
                                NULL),
                 GLNN_E_STATE, "not current");
    assert_in_range(epochs, 2, 29);
    foreign_make_current(&host);
    expect_ok(glnn_gmm_evaluate(gmm, validation, &fitted, NULL));
    expect_ok(glnn_gmm_get_parameters(gmm, weights, means, variances));
    expect_ok(glnn_gmm_set_parameters(gmm, weights, means, variances));
    expect_ok(glnn_gmm_evaluate(gmm, validation, &read, NULL));
    assert_true(fitted.loss == read.loss);
    glnn_gmm_destroy(gmm);
    glnn_dataset_destroy(validation);
    glnn_dataset_destroy(data);
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
        CONTEXT_TEST(state_is_restored_into_its_own_context_alone),
        CONTEXT_TEST(an_upload_that_lost_its_context_can_begin_again),
        CONTEXT_TEST(a_callback_that_takes_the_context_away_ends_one_training_alone),
        CONTEXT_TEST(a_training_cut_off_leaves_the_learner_as_the_callback_found_it),
    };
    return cmocka_run_group_tests(tests, keep_driver_loaded, NULL);
}
