/* Trainers: a program's own loop gives what training gives, whatever happens between two steps. */
#include "support/foreign.h"
#include "support/learner_files.h"
#include "support/odd_state.h"
#include "support/subjects.h"

static void expect_same_results(const glnn_train_result *left, const glnn_train_result *right)
{
    assert_int_equal(left->epochs, right->epochs);
    assert_int_equal(left->steps, right->steps);
    assert_int_equal(left->stopped, right->stopped);
    assert_int_equal(left->best_epoch, right->best_epoch);
    assert_true(left->training.loss == right->training.loss &&
                left->training.accuracy == right->training.accuracy);
    assert_true(left->validation.loss == right->validation.loss);
    assert_true(left->validation.accuracy == right->validation.accuracy);
}

/* Inside the tests of this program's context, loops trained in these ways. */
static void expect_bits_of_training(const glnn_dataset *data, int steps, double milliseconds,
                                    const char *what)
{
    for (learner_kind kind = 0; kind < KINDS; ++kind) {
        const glnn_train_desc how = training_of(kind);
        const subject whole = subject_of(kind), stepped = subject_of(kind);
        glnn_train_result result = {.size = sizeof result};
        expect_ok(train_subject(&whole, data, &how, &result));
        glnn_trainer *trainer = trainer_of(&stepped, data, &how);
        run_by(trainer, steps, milliseconds);
        expect_same_subjects(&stepped, &whole, what);
        expect_same_results(glnn_trainer_get_result(trainer), &result);
    }
}

static void steps_one_at_a_time_give_the_bits_of_training(void **state)
{
    (void)state;
    expect_bits_of_training(dataset_of(some_samples()), 1, 0, "single steps");
}

static void steps_on_a_stream_give_the_bits_of_training(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_within(some_samples(), 2 * 48 * 16);
    assert_true(glnn_dataset_is_streamed(data));
    const glnn_train_desc how = training_of(NETWORK);
    const subject whole = subject_of(NETWORK), stepped = subject_of(NETWORK);
    glnn_train_result result = {.size = sizeof result};
    expect_ok(train_subject(&whole, data, &how, &result));
    glnn_trainer *trainer = trainer_of(&stepped, data, &how);
    while (!glnn_trainer_is_finished(trainer)) {
        bool epoch_ended;
        expect_ok(glnn_trainer_step(trainer, 2, 0, NULL, &epoch_ended));
        expect_ok(glnn_trainer_evaluate(trainer, data, NULL, NULL)); /* takes the windows over */
        if (epoch_ended)
            expect_ok(glnn_trainer_end_epoch(trainer));
    }
    expect_same_subjects(&stepped, &whole, "stream");
}

static void a_time_limit_changes_no_bits(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    expect_bits_of_training(data, 0, 1e-6, "no time");
    expect_bits_of_training(data, 5, 1e9, "all the time in the world");
}

/* The library does not know how long a step takes before it has measured one. */
static void the_first_of_steps_and_time_ends_a_call(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    const subject of = subject_of(NETWORK);
    const glnn_train_desc how = {.epochs = 2, .batch = 8};
    glnn_trainer *trainer = trainer_of(&of, data, &how);
    int done = 0, all = 0;
    bool epoch_ended = true;
    expect_ok(glnn_trainer_step(trainer, 3, 1e9, &done, &epoch_ended));
    assert_true(done == 1 && !epoch_ended);
    for (all = 1; all < 7; all += done) {
        expect_ok(glnn_context_finish(glnn_test_context()));
        expect_ok(glnn_trainer_step(trainer, 3, 1e9, &done, &epoch_ended));
        assert_int_equal(done, all == 1 ? 2 : all == 3 ? 3 : 1);
    }
    assert_true(epoch_ended);
    assert_int_equal(glnn_trainer_get_result(trainer)->steps, 7);
}

static void a_limit_that_no_step_fits_gives_one_step_a_call_when_the_device_is_idle(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    const subject of = subject_of(NETWORK);
    glnn_trainer *trainer = trainer_of(&of, data, &(glnn_train_desc){.epochs = 2, .batch = 8});
    while (!glnn_trainer_is_finished(trainer)) {
        int done = 0;
        bool epoch_ended = false;
        expect_ok(glnn_context_finish(glnn_test_context()));
        expect_ok(glnn_trainer_step(trainer, 0, 1e-6, &done, &epoch_ended));
        assert_int_equal(done, 1);
        if (epoch_ended)
            expect_ok(glnn_trainer_end_epoch(trainer));
    }
}

/* A frame makes calls with a limit, and nothing else. */
static void run_by_frames(glnn_trainer *trainer, double milliseconds)
{
    for (int calls = 0; !glnn_trainer_is_finished(trainer); ++calls) {
        assert_in_range(calls, 0, 1000000);
        expect_ok(glnn_trainer_step(trainer, 0, milliseconds, NULL, NULL));
    }
}

static void calls_with_a_limit_end_epochs_too_and_give_the_bits_of_training(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    for (learner_kind kind = 0; kind < KINDS; ++kind)
        for (int i = 0; i < 2; ++i) {
            const glnn_train_desc how = training_of(kind);
            const subject whole = subject_of(kind), framed = subject_of(kind);
            glnn_train_result result = {.size = sizeof result};
            expect_ok(train_subject(&whole, data, &how, &result));
            glnn_trainer *trainer = trainer_of(&framed, data, &how);
            run_by_frames(trainer, i ? 1e9 : 1e-6);
            expect_same_subjects(&framed, &whole, i ? "all the time in the world" : "no time");
            expect_same_results(glnn_trainer_get_result(trainer), &result);
        }
}

static void use_between_steps(const subject *of, glnn_trainer *trainer, const glnn_dataset *data,
                              samples all)
{
    const float *inputs = floats_of(all.inputs);
    float outputs[SAMPLES * CLASSES];
    int classes[SAMPLES];
    expect_ok(glnn_trainer_evaluate(trainer, data, NULL, NULL));
    if (of->kind < LVQ || of->kind == MIXTURE)
        expect_ok(glnn_learner_predict(of->learner, 3, inputs, outputs, NULL));
    else
        expect_ok(glnn_learner_predict(of->learner, 3, inputs, NULL, classes));
}

static void trainers_take_turns_and_learners_are_used_between_steps(void **state)
{
    (void)state;
    const samples all = some_samples();
    const glnn_dataset *data = dataset_of(all);
    subject subjects[KINDS];
    glnn_trainer *trainers[KINDS];
    glnn_train_desc how[KINDS];
    for (learner_kind kind = 0; kind < KINDS; ++kind) {
        how[kind] = training_of(kind);
        subjects[kind] = subject_of(kind);
        trainers[kind] = trainer_of(&subjects[kind], data, &how[kind]);
    }
    for (int running = KINDS; running > 0;) {
        running = 0;
        for (learner_kind kind = 0; kind < KINDS; ++kind) {
            if (glnn_trainer_is_finished(trainers[kind]))
                continue;
            running++;
            bool epoch_ended;
            expect_ok(glnn_trainer_step(trainers[kind], 1, 0, NULL, &epoch_ended));
            use_between_steps(&subjects[kind], trainers[kind], data, all);
            if (epoch_ended)
                expect_ok(glnn_trainer_end_epoch(trainers[kind]));
        }
    }
    for (learner_kind kind = 0; kind < KINDS; ++kind) {
        const subject whole = subject_of(kind);
        expect_ok(train_subject(&whole, data, &how[kind], NULL));
        expect_same_subjects(&subjects[kind], &whole, "in turns");
    }
}

/* The first batch of a network that has learnt nothing is measured as that network measures it. */
static void the_report_of_the_steps_so_far_can_be_asked_for(void **state)
{
    (void)state;
    const samples all = some_samples();
    const subject of = subject_of(NETWORK);
    const glnn_train_desc how = {.batch = 8, .keep_order = true};
    glnn_metrics metrics;
    expect_ok(
        glnn_learner_evaluate(of.learner, dataset_of(samples_part(all, 0, 8)), &metrics, NULL));
    glnn_trainer *trainer = trainer_of(&of, dataset_of(all), &how);
    const glnn_report *report = glnn_trainer_get_report(trainer);
    expect_ok(glnn_trainer_update_report(trainer));
    assert_int_equal(report->batch, 0);
    expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
    expect_ok(glnn_trainer_update_report(trainer));
    assert_int_equal(report->event, GLNN_EVENT_BATCH);
    assert_true(report->epoch == 1 && report->batch == 1 && report->step == 1);
    assert_true(fabs(report->training.loss - metrics.loss) <= 8 * EPS * metrics.loss);
    assert_true(report->training.accuracy == metrics.accuracy);
    expect_ok(glnn_trainer_step(trainer, 0, 0, NULL, NULL));
    expect_error(glnn_trainer_update_report(trainer), GLNN_E_STATE, "glnn_trainer_end_epoch");
}

static void reports_between_steps_change_no_bits(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    for (learner_kind kind = 0; kind < KINDS; ++kind) {
        const glnn_train_desc how = training_of(kind);
        const subject whole = subject_of(kind), asked = subject_of(kind);
        glnn_train_result result = {.size = sizeof result};
        expect_ok(train_subject(&whole, data, &how, &result));
        glnn_trainer *trainer = trainer_of(&asked, data, &how);
        while (!glnn_trainer_is_finished(trainer)) {
            bool epoch_ended;
            expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, &epoch_ended));
            expect_ok(epoch_ended ? glnn_trainer_end_epoch(trainer)
                                  : glnn_trainer_update_report(trainer));
        }
        expect_same_subjects(&asked, &whole, "reports");
        expect_same_results(glnn_trainer_get_result(trainer), &result);
    }
}

/* The loss of an epoch is that of the centres, or of the weights, before its one step. */
static void what_is_learnt_can_be_set_between_two_epochs(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    const file_path path = path_of("network");
    const subject subjects[] = {subject_of(NETWORK), subject_of(LLOYD)};
    expect_ok(glnn_learner_save(subjects[0].learner, path.text));
    for (size_t i = 0; i < COUNT_OF(subjects); ++i) {
        const glnn_train_desc how = {.epochs = 4, .batch = GLNN_FULL_BATCH, .keep_order = true};
        glnn_trainer *trainer = trainer_of(&subjects[i], data, &how);
        double losses[4];
        for (int epoch = 0; epoch < how.epochs; ++epoch) {
            if (epoch == 2)
                expect_ok(i == 0 ? glnn_learner_load_parameters(subjects[i].learner, path.text)
                                 : glnn_learner_initialise(subjects[i].learner, data));
            expect_ok(glnn_trainer_step(trainer, 0, 0, NULL, NULL));
            expect_ok(glnn_trainer_end_epoch(trainer));
            losses[epoch] = glnn_trainer_get_result(trainer)->training.loss;
        }
        assert_true(losses[1] != losses[0]);
        assert_true(losses[2] == losses[0] && losses[3] == losses[1]);
    }
}

static void several_batches_make_one_step(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    for (learner_kind kind = NETWORK; kind <= LVQ; ++kind) {
        glnn_train_desc at_once = training_of(kind), in_batches = training_of(kind);
        const subject large = subject_of(kind), small = subject_of(kind);
        glnn_train_result result_large = {.size = sizeof result_large};
        glnn_train_result result_small = {.size = sizeof result_small};
        at_once.batch = 12;
        in_batches.batch = 4;
        in_batches.accumulate = 3;
        expect_ok(train_subject(&large, data, &at_once, &result_large));
        expect_ok(train_subject(&small, data, &in_batches, &result_small));
        assert_int_equal(result_large.steps, 3 * 4); /* 43 samples */
        expect_same_subjects(&small, &large, "accumulated");
        expect_same_results(&result_small, &result_large);
    }
}

static void steps_without_a_time_limit_wait_for_nothing_and_make_nothing(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    const glnn_train_desc how = {.epochs = 3, .batch = 8, .schedule.rate = 0.01f};
    const subject of = {.learner = small_network(64)};
    glnn_trainer *trainer = trainer_of(&of, data, &how);
    for (int epoch = 0; epoch < 2; ++epoch) {
        expect_ok(glnn_trainer_step(trainer, 0, 0, NULL, NULL));
        expect_ok(glnn_trainer_end_epoch(trainer));
    }
    expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
    glnn_context_reset_counters(glnn_test_context());
    for (int i = 0; i < 5; ++i)
        expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
    const glnn_counters counters = counters_of(glnn_test_context());
    assert_int_equal(counters.waits, 0);
    assert_int_equal(counters.textures_created, 0);
    assert_int_equal(counters.bytes_uploaded + counters.bytes_downloaded, 0);
    assert_int_equal(counters.passes, 5 * 7); /* 1 + 3 a layer, as glnn/network.h promises */
}

/* A step of a network of two layers: gather, two products, the loss, backward, two gradients. */
static void the_passes_of_a_step_can_be_looked_at(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    const glnn_dataset *data = dataset_of(samples_random(32, 20, 5, true));
    glnn_learner *network = network_of(&(glnn_network_desc){
        .features = 20, .layers = {{.units = 12}, {.units = 5}}, .capacity = 8});
    glnn_trainer *trainer;
    glnn_pass_info pass = {.size = sizeof pass};
    expect_ok(glnn_trainer_create(network, data, &(glnn_train_desc){.batch = 8}, &trainer));
    assert_int_equal(glnn_trainer_get_pass_count(trainer), 0);
    expect_error(glnn_trainer_get_pass(trainer, 0, &pass), GLNN_E_STATE,
                 "glnn_trainer_get_pass: no step was made since the training began");
    expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
    glnn_context_reset_counters(ctx);
    expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
    const int count = glnn_trainer_get_pass_count(trainer);
    assert_int_equal(count, counters_of(ctx).passes);
    expect_ok(glnn_trainer_get_pass(trainer, 0, &pass));
    assert_string_equal(pass.part, "gather a batch");
    assert_string_equal(pass.kernel, "ops/gather");
    assert_int_equal(pass.layer, -1);
    assert_string_equal(pass.operand_names[0], "X");
    assert_int_equal(glnn_matrix_get_rows(pass.operands[0]), 32);
    assert_int_equal(glnn_matrix_get_columns(pass.output), 20);
    expect_ok(glnn_trainer_get_pass(trainer, count - 1, &pass));
    assert_string_equal(pass.part, "gradient");
    assert_int_equal(pass.layer, 1);
    assert_true(pass.adds);
    const glnn_matrix *weights;
    expect_ok(
        glnn_learner_get_tensor_matrix(network, tensor_of_layer(network, 1, "weight"), &weights));
    assert_ptr_equal(pass.output, weights);
    pass.size = 1;
    expect_error(glnn_trainer_get_pass(trainer, 0, &pass), GLNN_E_ARG, "glnn_pass_info");
    glnn_trainer_destroy(trainer);
}

static void updates_of_their_own_name_their_layers(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(samples_random(32, 20, 5, true));
    glnn_learner *network = network_of(&(glnn_network_desc){.features = 20,
                                                            .layers = {{.units = 12}, {.units = 5}},
                                                            .optimizer = {.clip_norm = 1},
                                                            .capacity = 8});
    glnn_trainer *trainer;
    glnn_pass_info pass = {.size = sizeof pass};
    int updates[2] = {0, 0};
    expect_ok(glnn_trainer_create(network, data, &(glnn_train_desc){.batch = 8}, &trainer));
    expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
    for (int i = 0; i < glnn_trainer_get_pass_count(trainer); ++i) {
        expect_ok(glnn_trainer_get_pass(trainer, i, &pass));
        const glnn_matrix *weights;
        if (strcmp(pass.part, "update") != 0 || pass.layer < 0)
            continue;
        expect_ok(glnn_learner_get_tensor_matrix(
            network, tensor_of_layer(network, pass.layer, "weight"), &weights));
        assert_ptr_equal(pass.output, weights);
        ++updates[pass.layer];
    }
    assert_true(updates[0] == 1 && updates[1] == 1);
    glnn_trainer_destroy(trainer);
}

static void a_host_finds_its_state_between_steps(void **state)
{
    (void)state;
    foreign host = foreign_headless();
    glnn_context *guest = NULL;
    expect_ok(glnn_context_create(&(glnn_context_desc){.platform = GLNN_PLATFORM_ADOPT}, &guest));
    context_use(guest);
    const glnn_dataset *data = dataset_within(some_samples(), 2 * 48 * 16);
    const subject of = subject_of(NETWORK);
    glnn_trainer *trainer = trainer_of(&of, data, &(glnn_train_desc){.epochs = 2, .batch = 8});
    set_odd_state();
    snapshot *before = snapshot_take();
    /* How many steps a call with a time limit makes depends on the device. */
    for (int i = 0; !glnn_trainer_is_finished(trainer); ++i) {
        bool epoch_ended;
        expect_ok(glnn_trainer_step(trainer, 2, i % 2 ? 1e9 : 0, NULL, &epoch_ended));
        snapshot_check(before);
        if (epoch_ended)
            expect_ok(glnn_trainer_end_epoch(trainer));
        snapshot_check(before);
    }
    snapshot_free(before);
    release_learning();
    glnn_context_destroy(guest);
    leave_odd_state();
    foreign_end(&host);
}

/* The products of these layers read the layers of their factors as single textures. */
static void a_host_finds_the_texture_units_of_single_layers(void **state)
{
    (void)state;
    enum { SIDE = 128 };
    foreign host = foreign_headless();
    glnn_context *guest = NULL;
    expect_ok(glnn_context_create(
        &(glnn_context_desc){.platform = GLNN_PLATFORM_ADOPT, .tuning = GLNN_TUNING_OFF}, &guest));
    context_use(guest);
    const glnn_dataset *data = dataset_of(samples_random(2 * SIDE, SIDE, SIDE, true));
    glnn_learner *network = network_of(&(glnn_network_desc){.features = SIDE,
                                                            .layers = {{.units = SIDE}},
                                                            .layout = GLNN_LAYOUT_TILED,
                                                            .capacity = SIDE});
    glnn_trainer *trainer;
    glnn_train_desc how = {.epochs = 9, .batch = SIDE};
    expect_ok(glnn_trainer_create(network, data, &how, &trainer));
    set_odd_state();
    snapshot *before = snapshot_take();
    for (int i = 0; i < 2; ++i) {
        expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
        snapshot_check(before);
    }
    snapshot_free(before);
    glnn_trainer_destroy(trainer);
    release_learning();
    glnn_context_destroy(guest);
    leave_odd_state();
    foreign_end(&host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(steps_one_at_a_time_give_the_bits_of_training),
        LEARNING_TEST(steps_on_a_stream_give_the_bits_of_training),
        LEARNING_TEST(a_time_limit_changes_no_bits),
        LEARNING_TEST(the_first_of_steps_and_time_ends_a_call),
        LEARNING_TEST(a_limit_that_no_step_fits_gives_one_step_a_call_when_the_device_is_idle),
        LEARNING_TEST(calls_with_a_limit_end_epochs_too_and_give_the_bits_of_training),
        LEARNING_TEST(trainers_take_turns_and_learners_are_used_between_steps),
        LEARNING_TEST(what_is_learnt_can_be_set_between_two_epochs),
        LEARNING_TEST(the_report_of_the_steps_so_far_can_be_asked_for),
        LEARNING_TEST(reports_between_steps_change_no_bits),
        LEARNING_TEST(several_batches_make_one_step),
        LEARNING_TEST(steps_without_a_time_limit_wait_for_nothing_and_make_nothing),
        LEARNING_TEST(the_passes_of_a_step_can_be_looked_at),
        LEARNING_TEST(updates_of_their_own_name_their_layers),
        LEARNING_TEST(a_host_finds_the_texture_units_of_single_layers),
        LEARNING_TEST(a_host_finds_its_state_between_steps),
    };
    return cmocka_run_group_tests_name("trainer", tests, learner_files_setup,
                                       learner_files_teardown);
}
