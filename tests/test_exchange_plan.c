/* The plan of an exchange: what AUTO chooses, the times of layers and steps, and that measuring
 * leaves no trace. Processes measure if their contexts can store a device profile. */
#include "support/together.h"
#include "support/tree.h"

#include "device/profiler.h"
#include "learn/train/exchange_plan.h"

static outcome two[2], again[2], three[3];

static char cache[TREE_PATH];

/* The first test measures the device, and the others find its profile: that takes a second each. */
static int make_cache(void **state)
{
    tree_make(cache);
    return test_group_setup(state);
}

static int remove_cache(void **state)
{
    tree_remove(cache);
    return test_group_teardown(state);
}

static bool is_time(double seconds)
{
    return isfinite(seconds) && seconds > 0;
}

static void expect_complete(const glnn_exchange_plan *plan, int processes)
{
    assert_int_equal(plan->size, sizeof *plan);
    assert_int_equal(plan->processes, processes);
    assert_true(plan->measured && is_time(plan->alone_seconds) &&
                is_time(plan->alone_samples_per_second));
    assert_true(is_time(plan->expected_seconds) && is_time(plan->expected_speedup));
    assert_true(is_time(plan->measured_seconds) && is_time(plan->measured_speedup));
    for (int i = 0; i < plan->layer_count; ++i)
        assert_true(plan->layers[i].numbers > 0 && is_time(plan->layers[i].measured_seconds));
}

/* All but the times of the training, which each process measures for itself. */
static void expect_same_plans(const outcome *outcomes, int ranks)
{
    for (int r = 0; r < ranks; ++r) {
        const glnn_exchange_plan *plan = &outcomes[r].plan, *first = &outcomes[0].plan;
        assert_int_equal(plan->kind, first->kind);
        assert_int_equal(plan->every, first->every);
        assert_true(plan->alone_seconds == first->alone_seconds &&
                    plan->expected_seconds == first->expected_seconds &&
                    plan->expected_speedup == first->expected_speedup);
        assert_string_equal(plan->sentence, first->sentence);
        assert_int_equal(plan->layer_count, first->layer_count);
        for (int i = 0; i < plan->layer_count; ++i) {
            const glnn_exchange_layer *layer = &plan->layers[i], *other = &first->layers[i];
            assert_true(layer->layer == other->layer && layer->kind == other->kind &&
                        layer->fewer_numbers == other->fewer_numbers &&
                        layer->numbers == other->numbers);
        }
    }
}

/* ---- Long work */

static void the_messenger_hears_of_measuring_and_compiling(void **state)
{
    (void)state;
    together how = dense();
    log_clear();
    train_together(&how, &(team_desc){.ranks = 2, .cache = cache}, two);
    expect_trained(two, 2);
    const char *notes = log_text(GLNN_LOG_PROGRESS);
    const char *measuring = strstr(notes, "measuring the device");
    assert_non_null(measuring);
    assert_null(strstr(measuring + 1, "measuring the device"));
    assert_true(team_get_counts().works > 10);
}

/* ---- The times of the training */

/* Two epochs of 10 steps of 0.1 seconds. The first step compiles for 5 seconds, and the request for
 * metrics for 2. */
static void steps_that_compile_do_not_count(void **state)
{
    const glnn__training of = {.samples = {.steps = 10, .count = 95, .batch = 10}};
    glnn__cursor at = {.of = &of, .steps = 1, .batches = 1, .stepping.seconds = 5.1};
    glnn__exchange_plan plan = {.of = &of, .at = &at};
    (void)state;
    glnn__exchange_plan_leave_out_steps(&plan);
    glnn__exchange_plan_leave_out(&plan, 2);
    at.stepping.seconds = 8;
    glnn__exchange_plan_follow(&plan);
    assert_true(fabs(plan.epoch_seconds - 0.9) < 1e-9);
    assert_true(plan.epoch_steps == 9 && plan.epoch_samples == 85);
    glnn__exchange_plan_leave_out(&plan, 0.1);
    at.stepping.seconds = 1;
    glnn__exchange_plan_follow(&plan);
    assert_true(fabs(plan.epoch_seconds - 1.9) < 1e-9);
    assert_true(plan.epoch_steps == 19 && plan.epoch_samples == 180);
}

/* A weight so small that the first of two processes has no sample of any step. It computes nothing
 * between two means. */
static void give_first_no_share(const team_member *self, glnn_network_desc *network,
                                glnn_train_desc *training)
{
    (void)network;
    training->exchange.share = self->rank == 0 ? 1e-6f : 1;
}

static void steps_of_a_process_without_samples_have_a_time(void **state)
{
    static const glnn_exchange_kind kinds[] = {GLNN_EXCHANGE_GRADIENTS, GLNN_EXCHANGE_AVERAGES};
    (void)state;
    together how = dense();
    how.change = give_first_no_share;
    for (size_t i = 0; i < COUNT_OF(kinds); ++i) {
        how.training.exchange.kind = kinds[i];
        train_together(&how, &(team_desc){.ranks = 2}, two);
        expect_trained(two, 2);
        assert_true(is_time(two[0].plan.measured_seconds));
        assert_true(is_time(two[1].plan.measured_seconds));
    }
}

/* ---- AUTO */

static void gradients_are_chosen_unless_they_cannot_be_hidden(void **state)
{
    (void)state;
    static const struct {
        double gradients, activations, averages;
        glnn_exchange_kind chosen;
    } cases[] = {
        {1.1, 0, 1.0, GLNN_EXCHANGE_GRADIENTS}, /* hidden                     */
        {1.2, 0, 1.0, GLNN_EXCHANGE_GRADIENTS}, /* averages save too little   */
        {1.3, 0, 1.0, GLNN_EXCHANGE_AVERAGES},  /* more than a fifth          */
        {9, 3, 4, GLNN_EXCHANGE_ACTIVATIONS},   /* the fastest                */
        {9, 0, 8, GLNN_EXCHANGE_GRADIENTS},     /* all are slower than one    */
        {9, 0, 7, GLNN_EXCHANGE_AVERAGES},      /* ... and one of them less   */
        {9, 0, 0, GLNN_EXCHANGE_GRADIENTS},     /* nothing else is a choice   */
        {9, 3, 0, GLNN_EXCHANGE_ACTIVATIONS},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const double seconds[GLNN_EXCHANGE_COUNT] = {[GLNN_EXCHANGE_GRADIENTS] = cases[i].gradients,
                                                     [GLNN_EXCHANGE_ACTIVATIONS] =
                                                         cases[i].activations,
                                                     [GLNN_EXCHANGE_AVERAGES] = cases[i].averages};
        assert_int_equal(glnn__exchange_plan_choose(1, seconds), cases[i].chosen);
    }
}

/* A sum takes much longer than a step, so that one in 16 steps is the fastest. */
static void auto_chooses_averages_if_sums_are_slow(void **state)
{
    (void)state;
    together how = dense();
    train_together(&how, &(team_desc){.ranks = 3, .cache = cache, .delay = 0.03}, three);
    expect_trained(three, 3);
    expect_same_on_all(three, 3);
    expect_same_plans(three, 3);
    const glnn_exchange_plan *plan = &three[0].plan;
    expect_complete(plan, 3);
    assert_int_equal(plan->kind, GLNN_EXCHANGE_AVERAGES);
    assert_int_equal(plan->every, 16);
    assert_non_null(strstr(plan->sentence, "3 processes exchange averages, which auto chose"));
    assert_non_null(strstr(plan->sentence, "; speed relative to one process: gradients "));
    assert_int_equal(plan->layer_count, 2);
    assert_string_equal(plan->layers[1].name, "dense");
    assert_int_equal(plan->layers[1].layer, 1);
    assert_true(plan->layers[0].numbers == 12 * 9 && plan->layers[1].numbers == 10 * 5);
    assert_true(plan->layers[0].measured_seconds >= 0.03);
    assert_int_equal(plan->layers[0].fewer_numbers, GLNN_EXCHANGE_GRADIENTS);
    how.training.exchange.every = 3;
    train_together(&how, &(team_desc){.ranks = 2, .cache = cache, .delay = 0.03}, two);
    assert_int_equal(two[1].plan.every, 3);
}

/* Averages of the high digits and of the low ones would spoil the parameters. */
static void auto_keeps_gradients_if_averages_would_spoil_the_optimizer(void **state)
{
    (void)state;
    together how = dense();
    how.network.optimizer.two_parts = true;
    train_together(&how, &(team_desc){.ranks = 2, .cache = cache, .delay = 0.03}, two);
    expect_trained(two, 2);
    expect_same_plans(two, 2);
    expect_complete(&two[0].plan, 2);
    assert_int_equal(two[0].plan.kind, GLNN_EXCHANGE_GRADIENTS);
    assert_true(two[0].plan.expected_speedup < 1);
    assert_non_null(strstr(two[0].plan.sentence, ", but are slower than one"));
    assert_non_null(strstr(two[0].plan.sentence, "speed relative to one process: gradients 0."));
}

static void auto_tries_activations_only_if_the_description_allows_them(void **state)
{
    (void)state;
    together how = dense();
    for (int allow = 0; allow < 2; ++allow) {
        how.training.exchange.allow_activations = allow;
        train_together(&how, &(team_desc){.ranks = 3, .cache = cache}, three);
        expect_trained(three, 3);
        expect_same_plans(three, 3);
        expect_complete(&three[0].plan, 3);
        assert_int_equal(strstr(three[0].plan.sentence, "activations") != NULL, allow);
    }
}

static void auto_exchanges_gradients_without_measurements(void **state)
{
    (void)state;
    together how = dense();
    train_together(&how, &(team_desc){.ranks = 2, .delay = 0.01}, two);
    expect_trained(two, 2);
    const glnn_exchange_plan *plan = &two[0].plan;
    assert_int_equal(plan->kind, GLNN_EXCHANGE_GRADIENTS);
    assert_false(plan->measured);
    assert_true(plan->alone_seconds == 0 && plan->expected_seconds == 0 &&
                plan->expected_speedup == 0 && plan->measured_speedup == 0);
    assert_true(is_time(plan->measured_seconds));
    assert_int_equal(plan->layer_count, 2);
    for (int i = 0; i < 2; ++i)
        assert_true(plan->layers[i].numbers > 0 && plan->layers[i].measured_seconds >= 0.01);
    assert_non_null(strstr(plan->sentence, "their speed was not measured"));
    train_together(&how, &(team_desc){.ranks = 1}, two);
    assert_int_equal(two[0].plan.processes, 1);
    assert_int_equal(two[0].plan.layer_count, 0);
}

/* ---- Activations */

static void layers_exchange_activations_if_these_are_fewer_numbers(void **state)
{
    (void)state;
    together how = dense();
    how.training.exchange.kind = GLNN_EXCHANGE_ACTIVATIONS;
    how.training.batch = 6;
    for (int measures = 0; measures < 2; ++measures) {
        train_together(&how, &(team_desc){.ranks = 3, .cache = measures ? cache : NULL}, three);
        expect_trained(three, 3);
        expect_same_plans(three, 3);
        for (int i = 0; i < 2; ++i) {
            const glnn_exchange_layer *layer = &three[0].plan.layers[i];
            assert_int_equal(layer->kind, GLNN_EXCHANGE_ACTIVATIONS);
            assert_int_equal(layer->fewer_numbers, GLNN_EXCHANGE_ACTIVATIONS);
            assert_true(layer->numbers == (i == 0 ? 2 * (11 + 9) : 2 * (9 + 5)));
        }
    }
}

/* A batch of many samples has more numbers in inputs and deltas than in gradients. */
static void a_plan_says_that_no_layer_exchanges_activations(void **state)
{
    (void)state;
    together how = dense();
    how.training.exchange.kind = GLNN_EXCHANGE_ACTIVATIONS;
    how.training.batch = 60;
    train_together(&how, &(team_desc){.ranks = 2}, two);
    expect_trained(two, 2);
    for (int i = 0; i < 2; ++i)
        assert_int_equal(two[0].plan.layers[i].kind, GLNN_EXCHANGE_GRADIENTS);
    assert_string_equal(two[0].plan.sentence,
                        "2 processes exchange gradients; no layer exchanges activations, because "
                        "gradients have fewer numbers; their speed was not measured");
}

/* ---- No trace */

static together images(void)
{
    random_seed(6);
    return (together){
        .network = {.features = 64,
                    .shape = {1, 8, 8},
                    .layers = {{.kind = GLNN_LAYER_CONVOLUTION, .units = 6, .kernel = {3, 3}},
                               {.kind = GLNN_LAYER_BATCH_NORM},
                               {.kind = GLNN_LAYER_FLATTEN},
                               {.kind = GLNN_LAYER_DROPOUT, .rate = 0.3f},
                               {.units = 4}},
                    .optimizer = {.kind = GLNN_OPTIMIZER_ADAM, .clip_norm = 1},
                    .capacity = 8,
                    .seed = 3},
        .training = {.epochs = 2,
                     .batch = 13,
                     .schedule.rate = 0.005f,
                     .seed = 8,
                     .distortion = {.shift = 1, .rotation = 10}},
        .samples = samples_random(40, 64, 4, true),
    };
}

static void expect_no_trace(together *how, const char *what)
{
    how->tries = false;
    train_together(how, &(team_desc){.ranks = 2}, two);
    expect_trained(two, 2);
    how->tries = true;
    train_together(how, &(team_desc){.ranks = 2}, again);
    if (memcmp(again[0].numbers, two[0].numbers, two[0].count * sizeof(float)) != 0 ||
        again[0].result.training.loss != two[0].result.training.loss)
        fail_at(__FILE__, __LINE__, "%s: other bits after trial steps", what);
}

static void trial_steps_of_networks_leave_no_trace(void **state)
{
    (void)state;
    static const glnn_optimizer optimizers[] = {
        {.momentum = 0.9f},
        {.gradient_noise = 0.01f},
        {.kind = GLNN_OPTIMIZER_RMSPROP},
    };
    for (size_t i = 0; i < COUNT_OF(optimizers); ++i) {
        together how = dense();
        how.network.optimizer = optimizers[i];
        how.training.validation_split = 0.3f;
        how.training.restore_best = true;
        how.training.accumulate = 1 + (int)i;
        expect_no_trace(&how, glnn_optimizer_kind_name(optimizers[i].kind));
        how.training.exchange.kind = GLNN_EXCHANGE_AVERAGES;
        expect_no_trace(&how, "averages");
        release_learning();
    }
    together how = images();
    expect_no_trace(&how, "images");
}

/* One of three processes has the sample. */
static void plan_steps_of_one_sample(const team_member *self)
{
    int begins[] = {0, 5};
    glnn__training of = {.samples = {.batch = 1, .step = 1, .groups = {1, begins}}};
    const glnn__cursor at = {.of = &of};
    const glnn__exchange_plan plan = {.of = &of, .at = &at};
    const glnn_exchange_desc desc = {.messenger = self->messenger};
    expect_ok(glnn__exchange_create(self->ctx, &desc, &of.exchange));
    of.samples.exchange = of.exchange;
    assert_int_equal(glnn__exchange_plan_samples(&plan), 1);
    glnn__exchange_destroy(of.exchange);
}

static void a_process_without_samples_in_a_step_is_measured_with_one(void **state)
{
    (void)state;
    team_run(&(team_desc){.ranks = 3}, plan_steps_of_one_sample, NULL);
}

/* A trainer that is made by train_together has none before its first step. */
static void steps_that_are_only_measured_give_layers_no_times(void **state)
{
    (void)state;
    together how = dense();
    how.tries = true;
    train_together(&how, &(team_desc){.ranks = 2, .cache = cache}, two);
    expect_trained(two, 2);
    expect_complete(&two[0].plan, 2);
}

/* The first training makes sure that the profile is in the cache. */
static void auto_that_chooses_gradients_trains_as_gradients_do(void **state)
{
    (void)state;
    together how = dense();
    how.network.optimizer = (glnn_optimizer){.two_parts = true, .momentum = 0.9f};
    const team_desc team = {.ranks = 2, .cache = cache};
    train_together(&how, &team, two);
    how.training.exchange.kind = GLNN_EXCHANGE_GRADIENTS;
    train_together(&how, &team, two);
    expect_trained(two, 2);
    how.training.exchange.kind = GLNN_EXCHANGE_AUTO;
    train_together(&how, &team, again);
    expect_trained(again, 2);
    assert_true(again[0].plan.measured && two[0].plan.measured);
    assert_memory_equal(again[0].numbers, two[0].numbers, two[0].count * sizeof(float));
}

/* ---- Errors */

/* In each phase of the measurements: all fail, and the parameters are those from before. */
static void a_messenger_that_fails_while_it_is_measured_changes_nothing(void **state)
{
    (void)state;
    together how = dense();
    train_together(&how, &(team_desc){.ranks = 2, .cache = cache, .fails_after = 1}, again);
    int failures = 0;
    for (int calls = 12;; calls += 17, ++failures) {
        train_together(&how, &(team_desc){.ranks = 2, .cache = cache, .fails_after = calls}, two);
        if (!two[0].status || two[0].result.steps > 0)
            break;
        assert_int_equal(two[0].status, GLNN_E_PROCESS);
        assert_int_equal(two[1].status, GLNN_E_PROCESS);
        for (int r = 0; r < 2; ++r)
            assert_memory_equal(two[r].numbers, again[r].numbers, again[r].count * sizeof(float));
    }
    assert_true(failures > 3);
}

static void allow_on_one(const team_member *self, glnn_network_desc *network,
                         glnn_train_desc *training)
{
    (void)network;
    training->exchange.allow_activations = self->rank == 1;
}

static glnn_exchange_plan small_plan = {.size = 8};

static void give_small_plan(const team_member *self, glnn_network_desc *network,
                            glnn_train_desc *training)
{
    (void)self;
    (void)network;
    training->exchange.plan = &small_plan;
}

static void wrong_members_are_refused(void **state)
{
    (void)state;
    together how = dense();
    how.change = allow_on_one;
    train_together(&how, &(team_desc){.ranks = 2}, two);
    expect_all_fail(two, 2, GLNN_E_ARG,
                    "rank 1 has another exchange than rank 0: there exchange.allow_activations=1");
    how.change = NULL;
    how.training.exchange.kind = GLNN_EXCHANGE_GRADIENTS;
    how.training.exchange.allow_activations = true;
    train_together(&how, &(team_desc){.ranks = 2}, two);
    expect_all_fail(two, 2, GLNN_E_ARG, "exchange.allow_activations is set, but the kind is");
    how.training.exchange = (glnn_exchange_desc){.kind = GLNN_EXCHANGE_GRADIENTS, .every = 2};
    train_together(&how, &(team_desc){.ranks = 2}, two);
    expect_all_fail(two, 2, GLNN_E_ARG, "exchange.every is 2, but the kind is gradients");
    how = dense();
    how.change = give_small_plan;
    train_together(&how, &(team_desc){.ranks = 2}, two);
    expect_all_fail(two, 2, GLNN_E_ARG, "exchange.plan: glnn_exchange_plan.size is 8");
}

/* Another process may send any bytes in place of its profile. */
static void profiles_of_other_processes_need_finite_numbers(void **state)
{
    (void)state;
    static const double wrong[] = {NAN, INFINITY, -1};
    glnn_context *ctx = glnn_test_context();
    glnn__planning sound, planning;
    expect_ok(glnn__profiler_give(ctx, &sound));
    for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
        planning = sound;
        planning.profile.packed[GLNN__FORMS - 1] = wrong[i];
        expect_error(glnn__profiler_take(ctx, &planning), GLNN_E_ARG,
                     "the device profile of another process has the number ");
    }
    planning = sound;
    planning.tuning = GLNN_TUNING_COUNT;
    expect_error(glnn__profiler_take(ctx, &planning), GLNN_E_ARG,
                 "the tuning of another process is 4");
    expect_ok(glnn__profiler_take(ctx, &sound));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(the_messenger_hears_of_measuring_and_compiling),
        LEARNING_TEST(steps_that_compile_do_not_count),
        LEARNING_TEST(steps_of_a_process_without_samples_have_a_time),
        cmocka_unit_test(gradients_are_chosen_unless_they_cannot_be_hidden),
        LEARNING_TEST(auto_chooses_averages_if_sums_are_slow),
        LEARNING_TEST(auto_keeps_gradients_if_averages_would_spoil_the_optimizer),
        LEARNING_TEST(auto_tries_activations_only_if_the_description_allows_them),
        LEARNING_TEST(auto_exchanges_gradients_without_measurements),
        LEARNING_TEST(layers_exchange_activations_if_these_are_fewer_numbers),
        LEARNING_TEST(a_plan_says_that_no_layer_exchanges_activations),
        LEARNING_TEST(trial_steps_of_networks_leave_no_trace),
        LEARNING_TEST(a_process_without_samples_in_a_step_is_measured_with_one),
        LEARNING_TEST(steps_that_are_only_measured_give_layers_no_times),
        LEARNING_TEST(auto_that_chooses_gradients_trains_as_gradients_do),
        LEARNING_TEST(a_messenger_that_fails_while_it_is_measured_changes_nothing),
        LEARNING_TEST(wrong_members_are_refused),
        TEST(profiles_of_other_processes_need_finite_numbers),
    };
    return cmocka_run_group_tests_name("exchange_plan", tests, make_cache, remove_cache);
}
