/* Several processes train a network together as one does. Error bounds: a sum in another order
 * differs by rounding, which the steps of an epoch carry on. */
#include "support/together.h"

static outcome one[1], two[2], three[3], again[3];

/* 1, 2 and 3 processes, and 3 again. */
static void expect_same_training(const together *how, double bound, const char *what)
{
    train_together(how, &(team_desc){.ranks = 1}, one);
    expect_trained(one, 1);
    train_together(how, &(team_desc){.ranks = 2}, two);
    expect_trained(two, 2);
    expect_same_on_all(two, 2);
    expect_near(&two[0], &one[0], bound, what);
    train_together(how, &(team_desc){.ranks = 3, .is_late = true}, three);
    expect_trained(three, 3);
    expect_same_on_all(three, 3);
    expect_near(&three[0], &one[0], bound, what);
    train_together(how, &(team_desc){.ranks = 3}, again);
    expect_trained(again, 3);
    assert_memory_equal(again[0].numbers, three[0].numbers, three[0].count * sizeof(float));
}

static void dense_networks_learn_the_same(void **state)
{
    (void)state;
    static const glnn_optimizer optimizers[] = {
        {.momentum = 0.9f, .weight_decay = 1e-3f},
        {.kind = GLNN_OPTIMIZER_NESTEROV, .momentum = 0.5f, .clip_norm = 0.2f},
        {.kind = GLNN_OPTIMIZER_ADAM},
        {.gradient_noise = 0.01f},
    };
    for (size_t i = 0; i < COUNT_OF(optimizers); ++i) {
        together how = dense();
        how.network.optimizer = optimizers[i];
        how.network.layout = rendered_layout(i);
        if (optimizers[i].kind == GLNN_OPTIMIZER_ADAM)
            how.training.schedule.rate = 0.002f;
        expect_same_training(&how, 1e-4, glnn_optimizer_kind_name(optimizers[i].kind));
        release_learning();
    }
}

static void weights_of_samples_accumulation_and_validation_are_shared(void **state)
{
    (void)state;
    together how = dense();
    how.samples.weights = array_random(61, 1, 0.5, 2.0);
    how.training.accumulate = 2;
    how.training.epochs = 4;
    how.training.validation_split = 0.3f;
    how.training.patience = 2;
    how.training.restore_best = true;
    expect_same_training(&how, 1e-5, "weights of samples");
    assert_true(fabs(two[0].result.validation.loss / one[0].result.validation.loss - 1) < 1e-5);
    assert_int_equal(two[0].result.best_epoch, one[0].result.best_epoch);
}

static void growing_batches_are_shared(void **state)
{
    (void)state;
    together how = dense();
    how.training.epochs = 4;
    how.training.batch = 5;
    how.training.batch_schedule = (glnn_batch_schedule){.factor = 2, .every = 1, .most = 30};
    expect_same_training(&how, 1e-5, "growing batches");
    how.training.exchange.kind = GLNN_EXCHANGE_ACTIVATIONS;
    expect_same_training(&how, 1e-5, "growing batches, activations");
    how.training.exchange.kind = GLNN_EXCHANGE_GRADIENTS;
    how.texture_budget = 16 * 30 * 2 * sizeof(float) * 2;
    expect_same_training(&how, 1e-5, "growing batches, streamed");
}

static void streams_give_each_process_its_share(void **state)
{
    (void)state;
    together how = dense();
    how.samples = samples_random(61, 11, 5, false);
    how.network.loss = GLNN_LOSS_SQUARED;
    how.validation = samples_random(17, 11, 5, false);
    train_together(&how, &(team_desc){.ranks = 2}, two);
    expect_trained(two, 2);
    how.texture_budget = 16 * 20 * 2 * sizeof(float);
    expect_same_training(&how, 1e-5, "streams");
    how.texture_budget = 0;
    train_together(&how, &(team_desc){.ranks = 3}, again);
    assert_memory_equal(again[0].numbers, three[0].numbers, three[0].count * sizeof(float));
    assert_true(again[0].result.validation.loss == three[0].result.validation.loss);
}

static together images(void)
{
    random_seed(6);
    return (together){
        .network = {.features = 64,
                    .shape = {1, 8, 8},
                    .layers = {{.kind = GLNN_LAYER_CONVOLUTION,
                                .units = 6,
                                .kernel = {3, 3},
                                .activation = GLNN_ACTIVATION_TANH},
                               {.kind = GLNN_LAYER_MAX_POOL, .kernel = {2, 2}},
                               {.kind = GLNN_LAYER_FLATTEN},
                               {.kind = GLNN_LAYER_DROPOUT, .rate = 0.3f},
                               {.units = 4}},
                    .optimizer = {.momentum = 0.9f},
                    .capacity = 8,
                    .seed = 3},
        .training = {.epochs = 2,
                     .batch = 13,
                     .schedule.rate = 0.05f,
                     .seed = 8,
                     .distortion = {.shift = 1, .rotation = 10, .elastic = 2, .sigma = 3}},
        .samples = samples_random(40, 64, 4, true),
    };
}

static void convolution_dropout_and_distortion_learn_the_same(void **state)
{
    (void)state;
    const together how = images();
    expect_same_training(&how, 1e-4, "images");
}

/* The gradient of shared weights is complete after their first layer. Their factors do not travel,
 * because it is the sum of two products. */
static void graphs_with_shared_weights_and_several_outputs_learn_the_same(void **state)
{
    (void)state;
    together how = dense();
    how.samples = samples_random(61, 11, 7, false);
    how.network.layers[0] = (glnn_layer_desc){.units = 11, .activation = GLNN_ACTIVATION_TANH};
    how.network.layers[1] =
        (glnn_layer_desc){.units = 11, .activation = GLNN_ACTIVATION_TANH, .shares = 1};
    how.network.layers[2] = (glnn_layer_desc){.units = 5, .activation = GLNN_ACTIVATION_IDENTITY};
    how.network.layers[3] =
        (glnn_layer_desc){.units = 2, .activation = GLNN_ACTIVATION_IDENTITY, .inputs = {2}};
    how.network.loss = 0;
    how.network.output_count = 2;
    how.network.outputs[0] = (glnn_output_desc){.layer = 2, .loss = GLNN_LOSS_SQUARED};
    how.network.outputs[1] =
        (glnn_output_desc){.layer = 3, .loss = GLNN_LOSS_HUBER, .weight = 0.5f};
    expect_same_training(&how, 1e-5, "a graph");
    how.training.exchange.kind = GLNN_EXCHANGE_ACTIVATIONS;
    expect_same_training(&how, 1e-5, "a graph, activations");
}

/* The last batch has one sample, so that two processes have none. */
static void recurrent_layers_learn_the_same(void **state)
{
    (void)state;
    together how = images();
    how.network.shape = (glnn_shape){8, 1, 8};
    how.training.distortion = (glnn_distortion){0};
    memset(how.network.layers, 0, sizeof how.network.layers);
    how.network.layers[0] =
        (glnn_layer_desc){.kind = GLNN_LAYER_GRU, .units = 5, .all_states = true};
    how.network.layers[1] = (glnn_layer_desc){.kind = GLNN_LAYER_RECURRENT, .units = 6};
    how.network.layers[2].units = 4;
    expect_same_training(&how, 1e-4, "sequences");
}

/* Each process normalises by its share, so that the numbers differ from those of one process. */
static void running_statistics_are_the_same_on_all(void **state)
{
    (void)state;
    together how = images();
    how.network.layers[1] = (glnn_layer_desc){.kind = GLNN_LAYER_BATCH_NORM};
    train_together(&how, &(team_desc){.ranks = 3}, three);
    expect_trained(three, 3);
    expect_same_on_all(three, 3);
    train_together(&how, &(team_desc){.ranks = 3, .is_late = true}, again);
    assert_memory_equal(again[0].numbers, three[0].numbers, three[0].count * sizeof(float));
}

/* ---- Differences before the first step */

static void other_batch(const team_member *self, glnn_network_desc *network,
                        glnn_train_desc *training)
{
    (void)network;
    training->batch += self->rank == 1;
}

static void other_units(const team_member *self, glnn_network_desc *network,
                        glnn_train_desc *training)
{
    (void)training;
    network->layers[0].units += self->rank == 2;
}

static void other_seed(const team_member *self, glnn_network_desc *network,
                       glnn_train_desc *training)
{
    (void)training;
    network->seed += self->rank == 1;
}

static void other_layout(const team_member *self, glnn_network_desc *network,
                         glnn_train_desc *training)
{
    (void)training;
    network->layout = self->rank == 2 ? GLNN_LAYOUT_PACKED : GLNN_LAYOUT_TILED;
}

static void other_reports(const team_member *self, glnn_network_desc *network,
                          glnn_train_desc *training)
{
    (void)network;
    training->report_every = self->rank == 1 ? 7 : 0;
}

static void a_difference_is_an_error_on_all_that_names_the_rank(void **state)
{
    (void)state;
    static const struct {
        void (*change)(const team_member *self, glnn_network_desc *network,
                       glnn_train_desc *training);
        const char *part;
    } cases[] = {
        {other_batch, "glnn_learner_train: rank 1 has another training than rank 0: there "
                      "batch=13, on rank 0 batch=12"},
        {other_units, "rank 2 has another learner than rank 0: there "},
        {other_seed, "rank 1 has another learner than rank 0: there seed="},
        {other_layout, "rank 2 has another exchange than rank 0: there layout=packed, on rank 0 "
                       "layout=tiled"},
        {other_reports, "rank 1 has another exchange than rank 0: there report_every=7, on rank 0 "
                        "report_every=64"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        together how = dense();
        how.change = cases[i].change;
        train_together(&how, &(team_desc){.ranks = 3}, three);
        expect_all_fail(three, 3, GLNN_E_ARG, cases[i].part);
    }
}

enum { MANY = 1000, WIDE = 9, OUTPUTS = 3 };

/* A number that is another one on rank 1. */
typedef struct difference {
    int input, target; /* its place; -1: none */
    const char *part;  /* of the sentence */
} difference;

static void train_on_other_numbers(const team_member *self)
{
    static float inputs[TOGETHER_RANKS][MANY * WIDE], targets[TOGETHER_RANKS][MANY * OUTPUTS];
    const difference *from = self->user;
    float *own = inputs[self->rank], *wanted = targets[self->rank];
    glnn_learner *network;
    glnn_dataset *data;
    for (int i = 0; i < MANY * WIDE; ++i)
        own[i] = (float)(i % 101) + (i == from->input && self->rank == 1 ? 1e-3f : 0);
    for (int i = 0; i < MANY * OUTPUTS; ++i)
        wanted[i] = (float)(i % 7);
    if (from->target >= 0 && self->rank == 1) { /* the mean target is the same */
        wanted[from->target] += 1;
        wanted[from->target + OUTPUTS] -= 1;
    }
    expect_ok(glnn_dataset_create(self->ctx,
                                  &(glnn_dataset_desc){.samples = MANY,
                                                       .features = WIDE,
                                                       .inputs = own,
                                                       .targets = wanted,
                                                       .outputs = OUTPUTS},
                                  &data));
    expect_ok(glnn_network_create(
        self->ctx,
        &(glnn_network_desc){
            .features = WIDE, .layers = {{.units = OUTPUTS}}, .loss = GLNN_LOSS_SQUARED, .seed = 1},
        &network));
    expect_error(glnn_learner_train(network, data,
                                    &(glnn_train_desc){.exchange.messenger = self->messenger},
                                    NULL),
                 GLNN_E_ARG, from->part);
    glnn_learner_destroy(network);
    glnn_dataset_destroy(data);
}

static void each_input_and_each_target_of_a_data_set_counts(void **state)
{
    (void)state;
    static const char inputs[] = "rank 1 has another data set than rank 0: the inputs differ from "
                                 "those of rank 0",
                      targets[] = "the targets differ from those of rank 0";
    difference cases[] = {{0, -1, inputs},
                          {501 * WIDE + 4, -1, inputs},
                          {MANY * WIDE - 1, -1, inputs},
                          {-1, 333 * OUTPUTS + 1, targets}};
    for (size_t i = 0; i < COUNT_OF(cases); ++i)
        team_run(&(team_desc){.ranks = 2}, train_on_other_numbers, &cases[i]);
}

/* A messenger of a program whose processes all say that they are rank 0. */
static void train_as_rank_0(const team_member *self)
{
    glnn_messenger messenger = *self->messenger;
    const team_member other = {
        .ctx = self->ctx, .rank = self->rank, .messenger = &messenger, .user = self->user};
    messenger.rank = 0;
    train_on_other_numbers(&other);
}

static void a_rank_that_appears_twice_is_named(void **state)
{
    (void)state;
    difference none = {
        -1, -1,
        "exchange.messenger: the process at place 1 of 2 in a gather says that it is "
        "rank 0 of 2"};
    team_run(&(team_desc){.ranks = 2}, train_as_rank_0, &none);
}

/* ---- Failures */

static void negative_epochs(const team_member *self, glnn_network_desc *network,
                            glnn_train_desc *training)
{
    (void)network;
    training->epochs = self->rank == 1 ? -1 : training->epochs;
}

static void a_process_that_fails_is_named_by_the_others(void **state)
{
    (void)state;
    together how = dense();
    how.change = negative_epochs;
    train_together(&how, &(team_desc){.ranks = 3}, three);
    assert_int_equal(three[1].status, GLNN_E_ARG);
    for (int r = 0; r < 3; r += 2) {
        assert_int_equal(three[r].status, GLNN_E_PROCESS);
        assert_non_null(strstr(three[r].sentence, "rank 1 failed: epochs is -1"));
    }
}

/* After each number of calls, in each phase of a training. */
static void a_messenger_that_fails_ends_training_on_all(void **state)
{
    (void)state;
    together how = dense();
    how.training.epochs = 1;
    how.training.batch = 20;
    how.training.report_every = 1;
    int failures = 0;
    for (int calls = 1;; calls += 3, ++failures) {
        train_together(&how, &(team_desc){.ranks = 2, .fails_after = calls}, two);
        if (!two[0].status)
            break;
        assert_int_equal(two[0].status, GLNN_E_PROCESS);
        assert_non_null(strstr(two[0].sentence, "rank 1 has lost its cable"));
        assert_int_equal(two[1].status, GLNN_E_PROCESS);
        assert_non_null(strstr(two[1].sentence, "rank 0 does not answer"));
    }
    assert_in_range(failures, 8, 80);
}

static void a_divergence_is_found_by_all(void **state)
{
    (void)state;
    together how = dense();
    how.network.layers[0].activation = GLNN_ACTIVATION_IDENTITY;
    how.training.schedule.rate = 1e30f;
    for (int every = 0; every < 2; ++every) {
        how.training.report_every = every;
        train_together(&how, &(team_desc){.ranks = 3}, three);
        expect_all_fail(three, 3, GLNN_E_DIVERGED, "of epoch 1 on (rate 1e+30)");
    }
}

/* ---- Kinds */

/* Without momentum, the mean of updated parameters is an update by the gradient of all. */
static void averages_after_each_step_are_gradients(void **state)
{
    (void)state;
    together how = dense();
    train_together(&how, &(team_desc){.ranks = 1}, one);
    how.training.exchange = (glnn_exchange_desc){.kind = GLNN_EXCHANGE_AVERAGES, .every = 1};
    train_together(&how, &(team_desc){.ranks = 3}, three);
    expect_trained(three, 3);
    expect_same_on_all(three, 3);
    expect_near(&three[0], &one[0], 1e-5, "averages");
}

static void averages_after_some_steps_are_the_same_on_all(void **state)
{
    (void)state;
    together how = images();
    how.network.layers[1] = (glnn_layer_desc){.kind = GLNN_LAYER_BATCH_NORM};
    how.network.optimizer = (glnn_optimizer){.kind = GLNN_OPTIMIZER_ADAM, .clip_norm = 1};
    how.training.schedule.rate = 0.002f;
    how.training.validation_split = 0.2f;
    how.training.batch = 10;
    how.training.exchange = (glnn_exchange_desc){.kind = GLNN_EXCHANGE_AVERAGES, .every = 3};
    train_together(&how, &(team_desc){.ranks = 3}, three);
    expect_trained(three, 3);
    expect_same_on_all(three, 3);
    train_together(&how, &(team_desc){.ranks = 3, .is_late = true}, again);
    assert_memory_equal(again[0].numbers, three[0].numbers, three[0].count * sizeof(float));
}

/* The limits 2 M N / (M + N) of the layers are 9.9 and 6.4 samples. */
static void activations_give_the_gradient_of_all(void **state)
{
    (void)state;
    static const glnn_optimizer optimizers[] = {{.momentum = 0.9f}, {.clip_norm = 0.2f}};
    for (int batch = 6; batch <= 12; batch += 6)
        for (size_t i = 0; i < 3 * COUNT_OF(optimizers); ++i) {
            together how = dense();
            how.network.optimizer = optimizers[i % COUNT_OF(optimizers)];
            how.network.layout = rendered_layout(i);
            how.training.batch = batch;
            how.training.exchange.kind = GLNN_EXCHANGE_ACTIVATIONS;
            expect_same_training(&how, 1e-4, "activations");
            const uint64_t numbers = team_get_counts().numbers;
            how.training.exchange.kind = GLNN_EXCHANGE_GRADIENTS;
            train_together(&how, &(team_desc){.ranks = 3}, again);
            if (batch == 12)
                assert_int_equal(numbers, team_get_counts().numbers);
            else
                assert_int_not_equal(numbers, team_get_counts().numbers);
            release_learning();
        }
}

static void averages_refuse_optimizers_that_they_would_spoil(void **state)
{
    (void)state;
    together how = dense();
    how.training.exchange.kind = GLNN_EXCHANGE_AVERAGES;
    how.network.optimizer.two_parts = true;
    train_together(&how, &(team_desc){.ranks = 2}, two);
    expect_all_fail(two, 2, GLNN_E_UNSUPPORTED, "exchange: averages, but optimizer.two_parts");
    how = dense();
    how.training.exchange.kind = GLNN_EXCHANGE_AVERAGES;
    how.training.batch = GLNN_FULL_BATCH;
    how.training.schedule.rate = 0;
    how.network.optimizer.kind = GLNN_OPTIMIZER_RPROP;
    train_together(&how, &(team_desc){.ranks = 2}, two);
    expect_all_fail(two, 2, GLNN_E_UNSUPPORTED, "exchange: averages, but rprop");
}

/* ---- Reports */

/* Reports of each rank: their number and the sum of their losses. */
static struct {
    int batches, epochs;
    double losses;
    glnn_event stop_at; /* of rank 1 */
} reports[TOGETHER_RANKS];

static bool count_report(void *user, const glnn_report *report)
{
    const int rank = *(const int *)user;
    reports[rank].batches += report->event == GLNN_EVENT_BATCH;
    reports[rank].epochs += report->event == GLNN_EVENT_EPOCH;
    reports[rank].losses += report->training.loss;
    return !(rank == 1 && report->event == reports[rank].stop_at && reports[rank].batches > 1);
}

static void report_all(const team_member *self, glnn_network_desc *network,
                       glnn_train_desc *training)
{
    static const int ranks[TOGETHER_RANKS] = {0, 1, 2};
    (void)network;
    training->report = count_report;
    training->user = (void *)&ranks[self->rank];
    training->report_every = 1;
}

static void reports_are_the_same_and_one_process_can_stop_all(void **state)
{
    (void)state;
    static const glnn_event events[] = {GLNN_EVENT_COUNT, GLNN_EVENT_BATCH, GLNN_EVENT_EPOCH};
    for (size_t i = 0; i < COUNT_OF(events); ++i) {
        together how = dense();
        how.change = report_all;
        memset(reports, 0, sizeof reports);
        reports[1].stop_at = events[i];
        train_together(&how, &(team_desc){.ranks = 3}, three);
        expect_trained(three, 3);
        expect_same_on_all(three, 3);
        for (int r = 1; r < 3; ++r)
            assert_memory_equal(&reports[r].losses, &reports[0].losses, sizeof(double));
        assert_int_equal(reports[2].batches, reports[0].batches);
        assert_int_equal(three[2].result.stopped, events[i] != GLNN_EVENT_COUNT);
        /* An epoch has 6 batches. Its third report, after 4 of them, makes the next step the
         * last. */
        const int steps = events[i] == GLNN_EVENT_COUNT   ? 12
                          : events[i] == GLNN_EVENT_EPOCH ? 6
                                                          : 4;
        assert_int_equal(three[0].result.steps, steps);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(dense_networks_learn_the_same),
        LEARNING_TEST(weights_of_samples_accumulation_and_validation_are_shared),
        LEARNING_TEST(growing_batches_are_shared),
        LEARNING_TEST(streams_give_each_process_its_share),
        LEARNING_TEST(convolution_dropout_and_distortion_learn_the_same),
        LEARNING_TEST(graphs_with_shared_weights_and_several_outputs_learn_the_same),
        LEARNING_TEST(recurrent_layers_learn_the_same),
        LEARNING_TEST(running_statistics_are_the_same_on_all),
        LEARNING_TEST(a_difference_is_an_error_on_all_that_names_the_rank),
        LEARNING_TEST(each_input_and_each_target_of_a_data_set_counts),
        LEARNING_TEST(a_rank_that_appears_twice_is_named),
        LEARNING_TEST(a_process_that_fails_is_named_by_the_others),
        LEARNING_TEST(a_messenger_that_fails_ends_training_on_all),
        LEARNING_TEST(a_divergence_is_found_by_all),
        LEARNING_TEST(averages_after_each_step_are_gradients),
        LEARNING_TEST(averages_after_some_steps_are_the_same_on_all),
        LEARNING_TEST(activations_give_the_gradient_of_all),
        LEARNING_TEST(averages_refuse_optimizers_that_they_would_spoil),
        LEARNING_TEST(reports_are_the_same_and_one_process_can_stop_all),
    };
    return cmocka_run_group_tests_name("exchange", tests, test_group_setup, test_group_teardown);
}
