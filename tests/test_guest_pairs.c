/* A guest that keeps the context of its host between glnn_context_begin and glnn_context_end. */
#include "support/gl_calls.h"
#include "support/guest.h"
#include "support/guest_work.h"
#include "support/odd_state.h"

#include <glnn/gemm.h>
#include <glnn/map.h>
#include <glnn/network.h>
#include <glnn/trainer.h>

/* Calls of OpenGL */

static void a_single_call_makes_at_most_150_calls_of_opengl(void **state)
{
    (void)state;
    adopt();
    glnn_matrix *a = new_square(guest), *b = new_square(guest);
    for (int pass = 0; pass < 2; ++pass) { /* the first one compiles */
        count_gl_calls(true);
        expect_ok(glnn_fill(guest, 2, a));
        assert_in_range(gl_calls, 20, 150);
        gl_calls = 0;
        expect_ok(glnn_map_apply(guest, GLNN_MAP_TANH, a, b));
        assert_in_range(gl_calls, 20, pass == 0 ? 300 : 150);
        gl_calls = 0;
        expect_ok(glnn_matrix_upload(guest, a, NULL, (float[SQUARE_SIDE * SQUARE_SIDE]){1}, 0));
        assert_in_range(gl_calls, 20, 150);
        gl_calls = 0;
        expect_ok(glnn_matrix_download(guest, a, NULL, (float[SQUARE_SIDE * SQUARE_SIDE]){0}, 0));
        assert_in_range(gl_calls, 20, 150);
        count_gl_calls(false);
    }
    glnn_matrix_destroy(a);
    glnn_matrix_destroy(b);
    leave_host();
}

static void calls_in_a_pair_save_and_restore_nothing(void **state)
{
    (void)state;
    adopt();
    glnn_matrix *matrix = new_square(guest);
    expect_ok(glnn_context_begin(guest));
    expect_ok(glnn_fill(guest, 1, matrix));
    count_gl_calls(true);
    for (int i = 0; i < 100; ++i)
        expect_ok(glnn_fill(guest, (float)i, matrix));
    assert_in_range(gl_calls, 100, 100 * 8);
    count_gl_calls(false);
    expect_square(guest, matrix, 99);
    expect_ok(glnn_context_end(guest));
    glnn_matrix_destroy(matrix);
    leave_host();
}

enum { TRIAL_SAMPLES = 64 };

static glnn_trainer *new_trainer(glnn_learner **network, glnn_dataset **data)
{
    static const float inputs[TRIAL_SAMPLES * 4] = {1};
    static const int labels[TRIAL_SAMPLES] = {0, 1};
    glnn_trainer *trainer = NULL;
    expect_ok(glnn_dataset_create(guest,
                                  &(glnn_dataset_desc){.samples = TRIAL_SAMPLES,
                                                       .features = 4,
                                                       .inputs = inputs,
                                                       .labels = labels,
                                                       .classes = 3},
                                  data));
    expect_ok(glnn_network_create(
        guest, &(glnn_network_desc){.features = 4, .layers = {{.units = 5}, {.units = 3}}},
        network));
    expect_ok(glnn_trainer_create(*network, *data, &(glnn_train_desc){.epochs = 9, .batch = 4},
                                  &trainer));
    return trainer;
}

static int end_counting(void)
{
    const int calls = gl_calls;
    count_gl_calls(false);
    return calls;
}

static int calls_of_a_step(glnn_trainer *trainer)
{
    count_gl_calls(true);
    expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
    return end_counting();
}

static int calls_of_a_prediction(glnn_learner *network)
{
    static const float inputs[4];
    float outputs[3];
    count_gl_calls(true);
    expect_ok(glnn_learner_predict(network, 1, inputs, outputs, NULL));
    return end_counting();
}

static void saving_and_restoring_for_a_learner_makes_at_most_150_calls_of_opengl(void **state)
{
    (void)state;
    int inside[2] = {0}, alone[2] = {0};
    glnn_learner *network = NULL;
    glnn_dataset *data = NULL;
    adopt();
    glnn_trainer *trainer = new_trainer(&network, &data);
    for (int turn = 0; turn < 2; ++turn) { /* the first one compiles */
        alone[0] = calls_of_a_step(trainer);
        alone[1] = calls_of_a_prediction(network);
        expect_ok(glnn_context_begin(guest));
        for (int i = 0; i < 2; ++i) { /* the first ones save */
            inside[0] = calls_of_a_step(trainer);
            inside[1] = calls_of_a_prediction(network);
        }
        expect_ok(glnn_context_end(guest));
    }
    for (int i = 0; i < 2; ++i) {
        print_message("%s: %d calls alone, %d in a pair\n", i ? "a prediction" : "a step", alone[i],
                      inside[i]);
        assert_in_range(alone[i] - inside[i], 20, 150);
    }
    glnn_trainer_destroy(trainer);
    glnn_learner_destroy(network);
    glnn_dataset_destroy(data);
    leave_host();
}

/* The state at the end */

static void work_in_pairs(glnn_context *ctx, const snapshot *before)
{
    expect_ok(glnn_context_begin(ctx));
    expect_ok(glnn_context_end(ctx));
    snapshot_check(before);
    expect_ok(glnn_context_begin(ctx));
    compute_something(ctx);
    expect_ok(glnn_context_begin(ctx));
    train_something(ctx);
    expect_ok(glnn_context_end(ctx));
    compute_something(ctx);
    expect_ok(glnn_context_end(ctx));
    snapshot_check(before);
    compute_something(ctx);
    snapshot_check(before);
}

static void check_pairs(const foreign *own)
{
    glnn_context *ctx = NULL;
    set_odd_state();
    snapshot *before = snapshot_take();
    expect_ok(adopt_current(&ctx));
    work_in_pairs(ctx, before);
    glnn_context_destroy(ctx);
    snapshot_check(before);
    snapshot_free(before);
    leave_odd_state();
    foreign_end(own);
}

static void the_end_of_the_outermost_pair_restores_the_state(void **state)
{
    (void)state;
    const foreign own = foreign_headless();
    check_pairs(&own);
}

static void pairs_restore_the_state_of_every_version_and_profile(void **state)
{
    (void)state;
    static const int profiles[] = {GLFW_OPENGL_CORE_PROFILE, GLFW_OPENGL_COMPAT_PROFILE};
    int windows = 0;
    for (int minor = 3; minor <= 6; ++minor)
        for (size_t i = 0; i < COUNT_OF(profiles); ++i) {
            foreign own;
            if (!foreign_window_of(profiles[i], minor, &own))
                continue;
            check_pairs(&own);
            ++windows;
        }
    assert_true(windows > 0);
}

/* Several guests */

static void pairs_of_two_guests_can_overlap(void **state)
{
    (void)state;
    adopt();
    glnn_context *other = NULL;
    set_odd_state();
    snapshot *before = snapshot_take();
    expect_ok(glnn_context_begin(guest));
    glnn_matrix *a = new_square(guest);
    expect_ok(adopt_current(&other));
    glnn_matrix *b = new_square(other);
    expect_ok(glnn_context_begin(other));
    for (int i = 0; i < 10; ++i) {
        expect_ok(glnn_fill(guest, (float)i, a));
        expect_ok(glnn_fill(other, (float)i, b));
        expect_ok(glnn_gemm(guest, NULL, 1, a, a, 1, a));
        expect_ok(glnn_map_apply(other, GLNN_MAP_RELU, b, b));
        expect_square(guest, a, (float)(SQUARE_SIDE * i * i + i));
        expect_square(other, b, (float)i);
    }
    expect_ok(glnn_context_end(guest));
    expect_ok(glnn_fill(guest, 4, a)); /* a single call in the pair of the other guest */
    expect_ok(glnn_fill(other, 5, b));
    expect_square(guest, a, 4);
    expect_square(other, b, 5);
    expect_ok(glnn_context_end(other));
    snapshot_check(before);
    expect_ok(glnn_context_begin(other));
    expect_ok(glnn_fill(guest, 6, a));
    expect_ok(glnn_fill(other, 7, b));
    expect_ok(glnn_context_begin(guest));
    glnn_matrix_destroy(a);
    glnn_context_destroy(guest);
    expect_square(other, b, 7);
    expect_ok(glnn_context_end(other));
    snapshot_check(before);
    snapshot_free(before);
    glnn_matrix_destroy(b);
    guest = other;
    leave_odd_state();
    leave_host();
}

/* Training */

static glnn_learner *small_network(int features)
{
    glnn_learner *network = NULL;
    expect_ok(glnn_network_create(
        guest, &(glnn_network_desc){.features = features, .layers = {{.units = 4}, {.units = 2}}},
        &network));
    return network;
}

static glnn_dataset *two_classes(void)
{
    static float inputs[64];
    static int labels[64];
    glnn_dataset *data = NULL;
    for (int i = 0; i < 64; ++i)
        inputs[i] = (float)(labels[i] = i % 2);
    expect_ok(glnn_dataset_create(
        guest,
        &(glnn_dataset_desc){
            .samples = 64, .features = 1, .inputs = inputs, .labels = labels, .classes = 2},
        &data));
    return data;
}

/* Calls of the library in a report. */
static bool use_library(void *user, const glnn_report *report)
{
    (void)report;
    expect_ok(glnn_fill(guest, 1, user));
    expect_ok(glnn_context_begin(guest));
    expect_ok(glnn_fill(guest, 2, user));
    expect_ok(glnn_context_end(guest));
    return true;
}

static void callbacks_in_a_pair_are_in_the_pair(void **state)
{
    (void)state;
    adopt();
    glnn_matrix *matrix = new_square(guest);
    glnn_dataset *data = two_classes();
    glnn_learner *network = small_network(1);
    set_odd_state();
    snapshot *before = snapshot_take();
    for (int pairs = 0; pairs < 2; ++pairs) {
        for (int i = 0; i < pairs; ++i)
            expect_ok(glnn_context_begin(guest));
        expect_ok(glnn_learner_train(
            network, data,
            &(glnn_train_desc){
                .epochs = 3, .batch = 16, .report = use_library, .report_every = 1, .user = matrix},
            NULL));
        for (int i = 0; i < pairs; ++i)
            expect_ok(glnn_context_end(guest));
        snapshot_check(before);
        expect_square(guest, matrix, 2);
    }
    snapshot_free(before);
    glnn_learner_destroy(network);
    glnn_dataset_destroy(data);
    glnn_matrix_destroy(matrix);
    leave_odd_state();
    leave_host();
}

/* The textures, framebuffers, buffers and programs that exist. */
static int count_objects(void)
{
    int count = 0;
    for (GLuint name = 1; name < 40000; ++name)
        count += glIsTexture(name) + glIsFramebuffer(name) + glIsBuffer(name) + glIsProgram(name);
    return count;
}

static void frame(glnn_trainer *trainer)
{
    bool ended = false;
    expect_ok(glnn_context_begin(guest));
    expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, &ended));
    if (ended)
        expect_ok(glnn_trainer_end_epoch(trainer));
    expect_ok(glnn_context_end(guest));
}

static void ten_thousand_frames_leave_nothing_behind(void **state)
{
    (void)state;
    enum { FRAMES = 10000, WARM = 200 };
    adopt();
    glnn_dataset *data = two_classes();
    glnn_learner *network = small_network(1);
    glnn_trainer *trainer = NULL;
    expect_ok(glnn_trainer_create(network, data, &(glnn_train_desc){.epochs = FRAMES, .batch = 16},
                                  &trainer));
    set_odd_state();
    snapshot *before = snapshot_take();
    for (int i = 0; i < WARM; ++i)
        frame(trainer);
    const glnn_counters warm = counters_of(guest);
    const int objects = count_objects();
    assert_in_range(objects, 10, 1000);
    for (int i = WARM; i < FRAMES; ++i)
        frame(trainer);
    assert_int_equal(count_objects(), objects);
    assert_int_equal(counters_of(guest).textures_created, warm.textures_created);
    assert_int_equal(counters_of(guest).programs_compiled, warm.programs_compiled);
    snapshot_check(before);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    snapshot_free(before);
    glnn_trainer_destroy(trainer);
    glnn_learner_destroy(network);
    glnn_dataset_destroy(data);
    leave_odd_state();
    leave_host();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_single_call_makes_at_most_150_calls_of_opengl),
        CONTEXT_TEST(calls_in_a_pair_save_and_restore_nothing),
        CONTEXT_TEST(saving_and_restoring_for_a_learner_makes_at_most_150_calls_of_opengl),
        CONTEXT_TEST(the_end_of_the_outermost_pair_restores_the_state),
        CONTEXT_TEST(pairs_restore_the_state_of_every_version_and_profile),
        CONTEXT_TEST(pairs_of_two_guests_can_overlap),
        CONTEXT_TEST(callbacks_in_a_pair_are_in_the_pair),
        CONTEXT_TEST(ten_thousand_frames_leave_nothing_behind),
    };
    return cmocka_run_group_tests(tests, keep_driver_loaded, NULL);
}
