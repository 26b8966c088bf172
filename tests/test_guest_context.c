/* A host that takes its context away while the library is at work: during a call or in a
 * callback. */
#include "support/guest.h"
#include "support/odd_state.h"
#include "support/tensors.h"

#include <glnn/gmm.h>
#include <glnn/network.h>

#include "gl/gl.h"
#include "tex/upload.h"

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

static glnn_status train(glnn_learner *network, const glnn_dataset *data, glnn_report_fn report,
                         void *user)
{
    return glnn_learner_train(network, data,
                              &(glnn_train_desc){.epochs = 3,
                                                 .batch = 4,
                                                 .restore_best = true,
                                                 .report = report,
                                                 .report_every = 1,
                                                 .user = user},
                              NULL);
}

/* The training fails, changes neither context's state, and leaves a library that works. */
static void train_with_deed(glnn_learner *network, const glnn_dataset *data, reporter *r,
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
    glnn_learner *network = NULL;
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
    expect_ok(glnn_learner_predict(network, 2, inputs, outputs, NULL));
    assert_true(outputs[0] > 0.5f && outputs[3] > 0.5f);
    glnn_learner_destroy(network);
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
    expect_error(glnn__gl_leave(guest, GLNN_OK), GLNN_E_STATE,
                 "was not current at the end of the call");
    snapshot_check(of_other);
    foreign_make_current(&host);
    expect_ok(glnn_context_finish(guest));
    snapshot_free(of_other);
    make_other_current();
    leave_odd_state();
    foreign_make_current(&host);
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
        assert_int_equal(glnn_dataset_is_streamed(data), streams);
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
    glnn_learner *gmm = NULL;
    int epochs = 0;
    float weights[6], means[12], variances[6];
    glnn_metrics fitted, read;
    expect_ok(glnn_gmm_create(guest,
                              &(glnn_gmm_desc){.features = 2,
                                               .components = 6,
                                               .covariance = GLNN_COVARIANCE_SPHERICAL,
                                               .tolerance = -1},
                              &gmm));
    expect_error(glnn_learner_train(gmm, data,
                                    &(glnn_train_desc){.epochs = 30,
                                                       .validation = validation,
                                                       .restore_best = true,
                                                       .report = take_away_after_the_best,
                                                       .user = &epochs},
                                    NULL),
                 GLNN_E_STATE, "not current");
    assert_in_range(epochs, 2, 29);
    foreign_make_current(&host);
    expect_ok(glnn_learner_evaluate(gmm, validation, &fitted, NULL));
    expect_ok(gmm_read(gmm, weights, means, variances));
    expect_ok(gmm_write(gmm, weights, means, variances));
    expect_ok(glnn_learner_evaluate(gmm, validation, &read, NULL));
    assert_true(fitted.loss == read.loss);
    glnn_learner_destroy(gmm);
    glnn_dataset_destroy(validation);
    glnn_dataset_destroy(data);
    leave_host();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(state_is_restored_into_its_own_context_alone),
        CONTEXT_TEST(an_upload_that_lost_its_context_can_begin_again),
        CONTEXT_TEST(a_callback_that_takes_the_context_away_ends_one_training_alone),
        CONTEXT_TEST(a_training_cut_off_leaves_the_learner_as_the_callback_found_it),
    };
    return cmocka_run_group_tests(tests, keep_driver_loaded, NULL);
}
