/* Data sets whose samples stay in matrices of the program. */
#include "support/guest.h"
#include "support/learner_files.h"
#include "support/network_checks.h"
#include "support/odd_state.h"
#include "support/subjects.h"

#include <glnn/copy.h>

/* Matrices of samples, and the data set over them. */
typedef struct lent {
    glnn_matrix *inputs, *targets;
    glnn_dataset *data;
} lent;

static void destroy_dataset(void *data)
{
    glnn_dataset_destroy(data);
}

static lent lent_of(samples of, glnn_layout layout, glnn_storage storage)
{
    lent made = {.inputs = matrix_stored(of.inputs, layout, storage)};
    int labels[4096];
    for (int i = 0; of.labels.data && i < of.inputs.rows; ++i)
        labels[i] = (int)of.labels.data[i];
    if (of.targets.data)
        made.targets = matrix_stored(of.targets, layout, storage);
    const glnn_dataset_matrices_desc desc = {
        .inputs = made.inputs,
        .labels = of.labels.data ? labels : NULL,
        .classes = of.labels.data ? of.outputs : 0,
        .targets = made.targets,
        .name = "lent",
    };
    expect_ok(glnn_dataset_create_from_matrices(glnn_test_context(), &desc, &made.data));
    learning_own(made.data, destroy_dataset);
    return made;
}

static lent lent_plainly(samples of)
{
    return lent_of(of, GLNN_LAYOUT_TILED, GLNN_STORAGE_FLOAT32);
}

static void every_learner_learns_the_same_bits_as_from_a_copy(void **state)
{
    (void)state;
    for (learner_kind kind = 0; kind < KINDS; ++kind) {
        const glnn_train_desc how = training_of(kind);
        const samples all = some_samples();
        const subject copied = subject_of(kind), borrowed = subject_of(kind);
        glnn_train_result of_copy = {.size = sizeof of_copy}, of_lent = {.size = sizeof of_lent};
        expect_ok(train_subject(&copied, dataset_of(all), &how, &of_copy));
        expect_ok(train_subject(&borrowed, lent_plainly(all).data, &how, &of_lent));
        expect_same_subjects(&copied, &borrowed, "samples in a matrix");
        assert_true(of_copy.validation.loss == of_lent.validation.loss);
        assert_true(of_copy.validation.accuracy == of_lent.validation.accuracy);
        release_learning();
    }
}

static const glnn_network_desc regression = {
    .features = FEATURES,
    .layers = {{.units = 6, .activation = GLNN_ACTIVATION_TANH}, {.units = 3}},
    .loss = GLNN_LOSS_SQUARED,
    .capacity = 8,
    .seed = 3,
};

static samples stored(samples of, glnn_storage storage)
{
    of.inputs = array_stored(of.inputs, storage);
    if (of.targets.data)
        of.targets = array_stored(of.targets, storage);
    return of;
}

/* The stages take the pairs in turn. */
static void targets_and_inputs_can_have_any_layout_and_storage(void **state)
{
    (void)state;
    const glnn_train_desc how = {.epochs = 3, .batch = 7, .seed = 1, .validation_split = 0.2f};
    for (int turn = 0; turn < 2 * 4; ++turn) {
        if (case_is_left_out((turn + turn / 4) % 2))
            continue;
        const glnn_layout layout = (glnn_layout)(GLNN_LAYOUT_TILED + turn % 4);
        const glnn_storage storage = (glnn_storage)(turn / 4);
        const samples all = stored(samples_random(41, FEATURES, 3, false), storage);
        glnn_learner *copied = network_of(&regression), *borrowed = network_of(&regression);
        glnn_metrics of_copy, of_lent;
        const glnn_dataset *data = lent_of(all, layout, storage).data;
        expect_ok(glnn_learner_train(copied, dataset_of(all), &how, NULL));
        expect_ok(glnn_learner_train(borrowed, data, &how, NULL));
        expect_same_networks(copied, borrowed, glnn_layout_name(layout));
        expect_ok(glnn_learner_evaluate(copied, dataset_of(all), &of_copy, NULL));
        expect_ok(glnn_learner_evaluate(borrowed, data, &of_lent, NULL));
        assert_true(of_copy.loss == of_lent.loss);
        assert_true(of_copy.squared_error == of_lent.squared_error);
        assert_true(of_copy.accuracy == of_lent.accuracy);
        assert_true(isnan(of_lent.r_squared));
        release_learning();
    }
}

static void sizes_that_end_in_a_block_are_learnt_too(void **state)
{
    (void)state;
    static const int counts[] = {1, 2, 7, 8, 9, 31};
    const glnn_train_desc how = {.epochs = 2, .batch = 8};
    for (size_t i = 0; i < COUNT_OF(counts); ++i) {
        const samples all = samples_random(counts[i], FEATURES, 3, i % 2);
        glnn_learner *copied = network_of(&regression), *borrowed = network_of(&regression);
        expect_ok(glnn_learner_train(copied, dataset_of(all), &how, NULL));
        expect_ok(glnn_learner_train(borrowed, lent_plainly(all).data, &how, NULL));
        expect_same_networks(copied, borrowed, "sizes");
        release_learning();
    }
}

static void confusion_is_counted_by_the_labels(void **state)
{
    (void)state;
    const samples all = some_samples();
    glnn_learner *network = small_network(16);
    glnn_metrics of_copy, of_lent;
    int64_t copied[CLASSES * CLASSES], borrowed[CLASSES * CLASSES];
    expect_ok(glnn_learner_evaluate(network, dataset_of(all), &of_copy, copied));
    expect_ok(glnn_learner_evaluate(network, lent_plainly(all).data, &of_lent, borrowed));
    assert_memory_equal(copied, borrowed, sizeof copied);
    assert_true(of_copy.loss == of_lent.loss && of_copy.accuracy == of_lent.accuracy);
}

static void emphasis_draws_the_same_samples(void **state)
{
    (void)state;
    const samples all = some_samples();
    const glnn_train_desc how = {.epochs = 4, .batch = 8, .emphasis = 0.5f, .seed = 3};
    glnn_learner *copied = small_network(8), *borrowed = small_network(8);
    expect_ok(glnn_learner_train(copied, dataset_of(all), &how, NULL));
    expect_ok(glnn_learner_train(borrowed, lent_plainly(all).data, &how, NULL));
    expect_same_networks(copied, borrowed, "emphasis");
}

static void replace(glnn_matrix *matrix, array numbers)
{
    if (matrix)
        expect_ok(glnn_matrix_upload(glnn_test_context(), matrix, NULL, floats_of(numbers), 0));
}

/* The first half of the samples is learnt before they are replaced, the second one after that. */
static void a_step_sees_numbers_that_were_written_after_the_step_before(void **state)
{
    (void)state;
    enum { HALF = 8 };
    const samples old = samples_random(2 * HALF, FEATURES, 3, false);
    const samples fresh = samples_random(2 * HALF, FEATURES, 3, false);
    samples seen = {.inputs = array_copy(fresh.inputs),
                    .targets = array_copy(fresh.targets),
                    .outputs = fresh.outputs};
    for (int i = 0; i < HALF * FEATURES; ++i)
        seen.inputs.data[i] = old.inputs.data[i];
    for (int i = 0; i < HALF * 3; ++i)
        seen.targets.data[i] = old.targets.data[i];
    const glnn_train_desc how = {.epochs = 1, .batch = HALF, .keep_order = true};
    const subject changed = {.learner = network_of(&regression)};
    const lent set = lent_plainly(old);
    glnn_trainer *trainer = trainer_of(&changed, set.data, &how);
    expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
    replace(set.inputs, fresh.inputs);
    replace(set.targets, fresh.targets);
    run_by(trainer, 1, 0);
    glnn_learner *network = network_of(&regression);
    expect_ok(glnn_learner_train(network, dataset_of(seen), &how, NULL));
    expect_same_networks(changed.learner, network, "numbers that were replaced");
}

static void passes_can_write_the_samples_too(void **state)
{
    (void)state;
    const samples all = some_samples();
    const lent set = lent_of(some_samples(), GLNN_LAYOUT_PACKED, GLNN_STORAGE_FLOAT32);
    const array fresh = array_random(SAMPLES, FEATURES, -1.0, 1.0);
    glnn_learner *network = small_network(16);
    glnn_metrics of_copy, of_lent;
    expect_ok(glnn_learner_evaluate(network, set.data, &of_lent, NULL));
    expect_ok(glnn_copy(glnn_test_context(), matrix_of(fresh, GLNN_LAYOUT_TILED), set.inputs));
    expect_ok(glnn_learner_evaluate(network, set.data, &of_lent, NULL));
    const samples seen = {.inputs = fresh, .labels = all.labels, .outputs = all.outputs};
    expect_ok(glnn_learner_evaluate(network, dataset_of(seen), &of_copy, NULL));
    assert_true(of_copy.loss == of_lent.loss);
}

static void a_data_set_of_matrices_makes_no_texture_and_waits_for_nothing(void **state)
{
    (void)state;
    const samples all = samples_random(64, FEATURES, 3, false);
    glnn_matrix *inputs = matrix_of(all.inputs, GLNN_LAYOUT_TILED);
    glnn_matrix *targets = matrix_of(all.targets, GLNN_LAYOUT_TILED);
    glnn_context_reset_counters(glnn_test_context());
    glnn_dataset *data = NULL;
    expect_ok(glnn_dataset_create_from_matrices(
        glnn_test_context(), &(glnn_dataset_matrices_desc){.inputs = inputs, .targets = targets},
        &data));
    learning_own(data, destroy_dataset);
    const glnn_counters made = counters_of(glnn_test_context());
    assert_int_equal(made.textures_created + made.waits + made.passes + made.bytes_uploaded, 0);
    assert_int_equal(glnn_dataset_get_samples(data), 64);
    assert_int_equal(glnn_dataset_get_features(data), FEATURES);
    assert_int_equal(glnn_dataset_get_outputs(data), 3);
    assert_false(glnn_dataset_is_streamed(data));
    epoch_watch watch = {.most_waits = 1};
    expect_ok(glnn_learner_train(
        network_of(&regression), data,
        &(glnn_train_desc){.epochs = 6, .batch = 8, .report = watch_steady_epoch, .user = &watch},
        NULL));
    assert_in_range(watch.epochs, 3, 6);
    glnn_dataset_destroy(NULL);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    glnn_matrix *inputs = matrix_zero(6, 4, GLNN_LAYOUT_TILED);
    glnn_matrix *targets = matrix_zero(6, 2, GLNN_LAYOUT_PAGED);
    glnn_matrix *fewer = matrix_zero(5, 2, GLNN_LAYOUT_TILED);
    static const int labels[6] = {0, 1, 2, 1, 0, 3};
    context_use(context_new(0, 0));
    glnn_matrix *foreign_inputs = matrix_zero(6, 4, GLNN_LAYOUT_TILED);
    const struct {
        glnn_dataset_matrices_desc desc;
        glnn_status status;
        const char *part;
    } cases[] = {
        {{0}, GLNN_E_ARG, "`inputs` is null"},
        {{.inputs = foreign_inputs}, GLNN_E_ARG, "`inputs` (matrix) belongs to another context"},
        {{.inputs = inputs, .targets = foreign_inputs}, GLNN_E_ARG, "`targets` (matrix) belongs"},
        {{.inputs = inputs, .targets = fewer},
         GLNN_E_SHAPE,
         "`targets` (matrix) is 5 x 2; it must be 6 x 2"},
        {{.inputs = inputs, .targets = targets, .labels = labels, .classes = 4},
         GLNN_E_ARG,
         "`labels` and `targets` are both given"},
        {{.inputs = inputs, .labels = labels}, GLNN_E_ARG, "`classes` is 0"},
        {{.inputs = inputs, .classes = 2}, GLNN_E_ARG, "`labels` is null"},
        {{.inputs = inputs, .labels = labels, .classes = 3},
         GLNN_E_FORMAT,
         "the label of sample 5 is 3; there are 3 classes"},
        {{.inputs = inputs, .labels = labels, .classes = 3, .name = "pixels"},
         GLNN_E_FORMAT,
         "glnn_dataset_create_from_matrices: pixels: "},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        glnn_dataset *data = (glnn_dataset *)&data;
        expect_error(glnn_dataset_create_from_matrices(ctx, &cases[i].desc, &data), cases[i].status,
                     cases[i].part);
        assert_null(data);
    }
}

static void a_distortion_is_refused(void **state)
{
    (void)state;
    const samples all = samples_random(9, 16, 2, true);
    glnn_learner *network =
        network_of(&(glnn_network_desc){.shape = {1, 4, 4}, .layers = {{.units = 2}}});
    expect_error(glnn_learner_train(network, lent_plainly(all).data,
                                    &(glnn_train_desc){.distortion = {.rotation = 5}}, NULL),
                 GLNN_E_UNSUPPORTED, "lent: a distortion, but the samples are in a matrix");
}

static void numbers_that_are_not_finite_end_training(void **state)
{
    (void)state;
    const samples all = samples_random(9, FEATURES, 3, false);
    const lent set = lent_plainly(all);
    *at(all.inputs, 4, 2) = INFINITY;
    replace(set.inputs, all.inputs);
    glnn_learner *network = network_of(&regression);
    expect_error(glnn_learner_train(network, set.data, NULL, NULL), GLNN_E_DIVERGED, "finite");
    *at(all.targets, 2, 1) = NAN;
    replace(set.targets, all.targets);
    expect_error(glnn_learner_evaluate(network_of(&regression), set.data, NULL, NULL),
                 GLNN_E_DIVERGED, "lent: the mean loss is not finite");
}

/* Resumes from the file of a training on `of`, with other samples of the same numbers. */
static void checkpoints_compare_counts_and_labels_but_no_contents(void **state)
{
    (void)state;
    const glnn_train_desc how = {.epochs = 2, .batch = 8};
    const subject first = {.learner = small_network(8)}, second = {.learner = small_network(8)};
    const file_path path = path_of("lent.checkpoint");
    samples all = some_samples();
    glnn_trainer *trainer = trainer_of(&first, lent_plainly(all).data, &how);
    expect_ok(glnn_trainer_step(trainer, 2, 0, NULL, NULL));
    expect_ok(glnn_trainer_save_checkpoint(trainer, path.text));
    const samples other = {.inputs = array_random(SAMPLES, FEATURES, -1.0, 1.0),
                           .labels = array_copy(all.labels),
                           .outputs = all.outputs};
    trainer = trainer_of(&second, lent_plainly(other).data, &how);
    expect_ok(glnn_trainer_load_checkpoint(trainer, path.text));
    expect_same_networks(first.learner, second.learner, "a checkpoint");
    other.labels.data[3] = fmod(other.labels.data[3] + 1, CLASSES);
    const subject third = {.learner = small_network(8)};
    trainer = trainer_of(&third, lent_plainly(other).data, &how);
    expect_error(glnn_trainer_load_checkpoint(trainer, path.text), GLNN_E_ARG, "the labels differ");
    const subject fourth = {.learner = small_network(8)};
    trainer = trainer_of(&fourth, dataset_of(all), &how);
    expect_error(glnn_trainer_load_checkpoint(trainer, path.text), GLNN_E_ARG,
                 "inputs=matrices of the program");
}

static void a_guest_leaves_the_state_of_its_host(void **state)
{
    (void)state;
    glnn_matrix *inputs = NULL, *targets = NULL;
    glnn_dataset *data = NULL;
    glnn_learner *network = NULL;
    adopt();
    set_odd_state();
    expect_ok(
        glnn_matrix_create(guest, &(glnn_matrix_desc){.rows = 20, .columns = FEATURES}, &inputs));
    expect_ok(glnn_matrix_create(guest, &(glnn_matrix_desc){.rows = 20, .columns = 3}, &targets));
    expect_ok(glnn_network_create(guest, &regression, &network));
    snapshot *before = snapshot_take();
    static const int labels[20] = {0, 1, 2};
    for (int labelled = 0; labelled < 2; ++labelled) {
        const glnn_dataset_matrices_desc desc = {.inputs = inputs,
                                                 .labels = labelled ? labels : NULL,
                                                 .classes = labelled ? 3 : 0,
                                                 .targets = labelled ? NULL : targets};
        expect_ok(glnn_dataset_create_from_matrices(guest, &desc, &data));
        snapshot_check(before);
        expect_ok(glnn_learner_train(network, data, &(glnn_train_desc){.epochs = 2}, NULL));
        snapshot_check(before);
        glnn_dataset_destroy(data);
    }
    snapshot_free(before);
    glnn_learner_destroy(network);
    glnn_matrix_destroy(inputs);
    glnn_matrix_destroy(targets);
    leave_odd_state();
    leave_host();
}

/* Learns from matrices that are destroyed after the first step, and compares with a copy. `which`
 * are the matrices: 1 the inputs, 2 the targets. */
static void learn_without_matrices(glnn_context *ctx, int which)
{
    const samples all = samples_random(24, FEATURES, 3, false);
    const glnn_train_desc how = {.epochs = 2, .batch = 8};
    glnn_learner *copied = network_of(&regression), *borrowed = network_of(&regression);
    glnn_matrix *matrices[2] = {NULL};
    const array numbers[] = {all.inputs, all.targets};
    glnn_dataset *data = NULL;
    glnn_trainer *trainer = NULL;
    glnn_metrics of_copy, of_lent;
    for (int i = 0; i < 2; ++i)
        expect_ok(glnn_matrix_create(ctx,
                                     &(glnn_matrix_desc){.rows = numbers[i].rows,
                                                         .columns = numbers[i].columns,
                                                         .data = floats_of(numbers[i])},
                                     &matrices[i]));
    expect_ok(glnn_dataset_create_from_matrices(
        ctx, &(glnn_dataset_matrices_desc){.inputs = matrices[0], .targets = matrices[1]}, &data));
    expect_ok(glnn_trainer_create(borrowed, data, &how, &trainer));
    expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
    for (int i = 0; i < 2; ++i)
        if (which & 1 << i)
            glnn_matrix_destroy(matrices[i]);
    glnn_matrix *other = matrix_zero(24, FEATURES, GLNN_LAYOUT_TILED);
    run_by(trainer, 1, 0);
    expect_ok(glnn_learner_train(copied, dataset_of(all), &how, NULL));
    expect_same_networks(copied, borrowed, "matrices that were destroyed");
    expect_ok(glnn_learner_evaluate(copied, dataset_of(all), &of_copy, NULL));
    expect_ok(glnn_learner_evaluate(borrowed, data, &of_lent, NULL));
    assert_true(of_copy.loss == of_lent.loss);
    glnn_trainer_destroy(trainer);
    glnn_dataset_destroy(data);
    expect_equal(other, array_new(24, FEATURES), "a matrix that was created later");
    for (int i = 0; i < 2; ++i)
        if (!(which & 1 << i))
            glnn_matrix_destroy(matrices[i]);
}

static void matrices_can_be_destroyed_before_the_data_set(void **state)
{
    (void)state;
    for (int which = 1; which <= 3; ++which) {
        learn_without_matrices(glnn_test_context(), which);
        release_learning();
    }
}

/* The context reports each data set that still exists, and not its matrix. */
static void a_matrix_ends_with_the_last_data_set_that_uses_it(void **state)
{
    (void)state;
    for (int kept = 0; kept < 3; ++kept) {
        glnn_context *ctx = NULL;
        glnn_matrix *inputs = NULL;
        glnn_dataset *data[2] = {NULL};
        expect_ok(glnn_context_create(NULL, &ctx));
        expect_ok(glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = 5, .columns = 4}, &inputs));
        for (int i = 0; i < 2; ++i)
            expect_ok(glnn_dataset_create_from_matrices(
                ctx, &(glnn_dataset_matrices_desc){.inputs = inputs}, &data[i]));
        glnn_matrix_destroy(inputs);
        for (int i = kept; i < 2; ++i)
            glnn_dataset_destroy(data[i]);
        watch_log();
        glnn_context_destroy(ctx);
        assert_int_equal(watched_messages(GLNN_LOG_WARNING), kept);
        for (int i = 0; i < kept; ++i)
            glnn_dataset_destroy(data[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(every_learner_learns_the_same_bits_as_from_a_copy),
        LEARNING_TEST(targets_and_inputs_can_have_any_layout_and_storage),
        LEARNING_TEST(sizes_that_end_in_a_block_are_learnt_too),
        LEARNING_TEST(confusion_is_counted_by_the_labels),
        LEARNING_TEST(emphasis_draws_the_same_samples),
        LEARNING_TEST(a_step_sees_numbers_that_were_written_after_the_step_before),
        LEARNING_TEST(passes_can_write_the_samples_too),
        LEARNING_TEST(a_data_set_of_matrices_makes_no_texture_and_waits_for_nothing),
        LEARNING_TEST(what_does_not_fit_is_refused),
        LEARNING_TEST(a_distortion_is_refused),
        LEARNING_TEST(numbers_that_are_not_finite_end_training),
        LEARNING_TEST(checkpoints_compare_counts_and_labels_but_no_contents),
        LEARNING_TEST(matrices_can_be_destroyed_before_the_data_set),
        LEARNING_TEST(a_matrix_ends_with_the_last_data_set_that_uses_it),
        LEARNING_TEST(a_guest_leaves_the_state_of_its_host),
    };
    return cmocka_run_group_tests_name("dataset_matrices", tests, learner_files_setup,
                                       learner_files_teardown);
}
