/* Advice: whether the GPU pays. */
#include "support/prototypes.h"
#include "support/svms.h"

#include <glnn/advice.h>
#include <glnn/gmm.h>

#include <math.h>
#include <string.h>

static glnn_advice advice_on(const glnn_advice_desc *desc)
{
    glnn_advice advice = {.size = sizeof advice};
    expect_ok(glnn_context_get_advice(glnn_test_context(), desc, &advice));
    assert_true(advice.gpu_us > 0 && advice.cpu_us > 0);
    assert_int_equal(advice.use_gpu, advice.gpu_us < advice.cpu_us);
    assert_int_equal(advice.use_gpu, advice.from_factor == 1);
    return advice;
}

static void every_task_has_its_advice(void **state)
{
    (void)state;
    for (int task = 0; task < GLNN_TASK_COUNT; ++task) {
        const glnn_advice_desc desc = {
            .task = (glnn_task)task, .rows = 64, .columns = 64, .inner = 64};
        advice_on(&desc);
    }
}

static void larger_tasks_take_longer_and_transfers_cost(void **state)
{
    (void)state;
    for (int task = 0; task < GLNN_TASK_COUNT; ++task) {
        glnn_advice_desc desc = {
            .task = (glnn_task)task, .rows = 256, .columns = 256, .inner = 256};
        const glnn_advice small = advice_on(&desc);
        desc.transfers = true;
        assert_true(advice_on(&desc).gpu_us > small.gpu_us);
        desc = (glnn_advice_desc){
            .task = (glnn_task)task, .rows = 4096, .columns = 4096, .inner = 4096};
        const glnn_advice large = advice_on(&desc);
        assert_true(large.gpu_us > small.gpu_us && large.cpu_us > small.cpu_us);
    }
}

static void a_slow_processor_makes_the_gpu_pay_and_a_fast_one_never(void **state)
{
    (void)state;
    glnn_advice_desc desc = {.task = GLNN_TASK_GEMM,
                             .rows = 512,
                             .columns = 512,
                             .inner = 512,
                             .cpu_gflops = 1e-3,
                             .cpu_gb = 1e-3};
    assert_true(advice_on(&desc).use_gpu);
    desc.cpu_gflops = 1e12;
    assert_int_equal(advice_on(&desc).from_factor, 0);
}

/* For a map of 4 x 4 the CPU takes less time than the GPU for a pass. It moves at most half as many
 * bytes a second, so the GPU pays from some size on. */
static void the_gpu_pays_from_the_factor_that_is_advised(void **state)
{
    (void)state;
    glnn_profile profile = {.size = sizeof profile};
    expect_ok(glnn_context_get_profile(glnn_test_context(), &profile));
    glnn_advice_desc desc = {.task = GLNN_TASK_MAP, .rows = 4, .columns = 4};
    desc.cpu_gb = fmin(10 / profile.pass_us, profile.copy_gb / 2);
    const int factor = advice_on(&desc).from_factor;
    assert_true(factor > 1);
    desc.rows = desc.columns = 4 * factor;
    assert_true(advice_on(&desc).use_gpu);
    desc.rows = desc.columns = 2 * factor;
    assert_false(advice_on(&desc).use_gpu);
}

static glnn_advice step_of(const glnn_learner *learner, int count)
{
    glnn_advice advice = {.size = sizeof advice};
    expect_ok(glnn_learner_get_advice(learner, count, true, &advice));
    assert_int_equal(advice.use_gpu, advice.gpu_us < advice.cpu_us);
    return advice;
}

/* The CPU is expected to take the time of the products alone. */
static void steps_of_learners_have_the_products_of_their_layers(void **state)
{
    (void)state;
    glnn_advice gemm = {.size = sizeof gemm};
    const glnn_advice_desc task = {.rows = 64, .columns = 32, .inner = 48};
    expect_ok(glnn_context_get_advice(glnn_test_context(), &task, &gemm));
    const double one = gemm.cpu_us;
    glnn_learner *network =
        network_of(&(glnn_network_desc){.features = 48, .layers = {{.units = 32}, {.units = 48}}});
    glnn_learner *image = network_of(&(glnn_network_desc){
        .shape = {4, 3, 4},
        .layers = {{.kind = GLNN_LAYER_CONVOLUTION, .units = 32, .kernel = {3, 4}},
                   {.kind = GLNN_LAYER_FLATTEN}}});
    glnn_learner *lvq = lvq_of(&(glnn_lvq_desc){.features = 48, .classes = 32});
    glnn_learner *svm = svm_of(&(glnn_svm_desc){.features = 48, .classes = 32});
    assert_true(fabs(step_of(network, 64).cpu_us / (5 * one) - 1) < 1e-9);
    assert_true(fabs(step_of(image, 64).cpu_us / (2 * one) - 1) < 1e-9);
    assert_true(fabs(step_of(lvq, 64).cpu_us / one - 1) < 1e-9);
    assert_true(fabs(step_of(svm, 64).cpu_us / (2 * one) - 1) < 1e-9);
    assert_true(step_of(network, 640).gpu_us > step_of(network, 64).gpu_us);
    assert_true(step_of(lvq, 1).gpu_us < step_of(lvq, 2).gpu_us); /* fewer passes */
}

static void a_step_that_cannot_be_expected_is_refused(void **state)
{
    (void)state;
    glnn_advice advice = {.size = sizeof advice};
    glnn_learner *gmm, *lvq = lvq_of(&(glnn_lvq_desc){.features = 4, .classes = 3});
    expect_ok(glnn_gmm_create(glnn_test_context(), &(glnn_gmm_desc){.features = 2, .components = 1},
                              &gmm));
    learning_own_learner(gmm);
    expect_error(glnn_learner_get_advice(gmm, 1, true, &advice), GLNN_E_UNSUPPORTED,
                 "glnn_learner_get_advice: the time of a step of a mixture cannot be expected");
    expect_error(glnn_learner_get_advice(lvq, 0, true, &advice), GLNN_E_ARG, "a step of 0 samples");
}

static void nothing_is_measured_unless_it_may_be(void **state)
{
    (void)state;
    glnn_advice advice = {.size = sizeof advice};
    glnn_context *fresh;
    glnn_learner *lvq;
    /* This tuning reads nothing that others have stored. */
    expect_ok(glnn_context_create(&(glnn_context_desc){.tuning = GLNN_TUNING_AGAIN}, &fresh));
    expect_ok(glnn_lvq_create(
        fresh, &(glnn_lvq_desc){.features = 4, .classes = 3, .layout = GLNN_LAYOUT_UNPACKED},
        &lvq));
    expect_error(glnn_learner_get_advice(lvq, 8, false, &advice), GLNN_E_STATE,
                 "glnn_learner_get_advice: the device profile is not known yet");
    expect_ok(glnn_learner_get_advice(lvq, 8, true, &advice));
    expect_ok(glnn_learner_get_advice(lvq, 8, false, &advice));
    glnn_learner_destroy(lvq);
    glnn_context_destroy(fresh);
}

static void impossible_tasks_and_speeds_are_refused(void **state)
{
    (void)state;
    glnn_advice advice = {.size = sizeof advice};
    glnn_advice_desc desc = {.task = GLNN_TASK_GEMM, .rows = 8, .columns = 8};
    glnn_context *ctx = glnn_test_context();
    expect_error(glnn_context_get_advice(ctx, &desc, &advice), GLNN_E_ARG, "inner 0");
    desc = (glnn_advice_desc){.task = GLNN_TASK_COUNT, .rows = 8, .columns = 8, .inner = 8};
    expect_error(glnn_context_get_advice(ctx, &desc, &advice), GLNN_E_ARG, "task is 5");
    desc = (glnn_advice_desc){
        .task = GLNN_TASK_MAP, .rows = 8, .columns = 8, .inner = 8, .cpu_gflops = -1};
    expect_error(glnn_context_get_advice(ctx, &desc, &advice), GLNN_E_ARG, "cpu_gflops is -1");
    desc = (glnn_advice_desc){
        .task = GLNN_TASK_MAP, .rows = 8, .columns = 8, .inner = 8, .cpu_gb = INFINITY};
    expect_error(glnn_context_get_advice(ctx, &desc, &advice), GLNN_E_ARG, "cpu_gb is inf");
    desc = (glnn_advice_desc){
        .task = GLNN_TASK_MAP, .rows = 8, .columns = 8, .inner = 8, .cpu_gflops = NAN};
    expect_error(glnn_context_get_advice(ctx, &desc, &advice), GLNN_E_ARG, "cpu_gflops is nan");
    expect_error(glnn_context_get_advice(NULL, &desc, &advice), GLNN_E_ARG, "null");
    expect_error(glnn_context_get_advice(ctx, &desc, NULL), GLNN_E_ARG, "null");
    expect_error(glnn_context_get_profile(ctx, NULL), GLNN_E_ARG, "null");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(nothing_is_measured_unless_it_may_be),
        TEST(every_task_has_its_advice),
        LEARNING_TEST(steps_of_learners_have_the_products_of_their_layers),
        LEARNING_TEST(a_step_that_cannot_be_expected_is_refused),
        TEST(larger_tasks_take_longer_and_transfers_cost),
        TEST(a_slow_processor_makes_the_gpu_pay_and_a_fast_one_never),
        TEST(the_gpu_pays_from_the_factor_that_is_advised),
        TEST(impossible_tasks_and_speeds_are_refused),
    };
    return cmocka_run_group_tests_name("advice", tests, test_group_setup, test_group_teardown);
}
