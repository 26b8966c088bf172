/* Advice: whether the GPU pays. */
#include "support/support.h"

#include <glnn/advice.h>

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
        TEST(every_task_has_its_advice),
        TEST(larger_tasks_take_longer_and_transfers_cost),
        TEST(a_slow_processor_makes_the_gpu_pay_and_a_fast_one_never),
        TEST(impossible_tasks_and_speeds_are_refused),
    };
    return cmocka_run_group_tests_name("advice", tests, test_group_setup, test_group_teardown);
}
