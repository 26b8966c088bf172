/* Mixtures outside of their iterations: parameters that are read and set, components without
 * samples, how training ends, what a step costs, and what is refused. */
#include "support/clusters.h"

static const glnn_gmm_desc small = {.features = 2, .components = 2, .capacity = 8};

/* Two components of variance 2 in every direction. */
static const float *round_covariances(glnn_covariance covariance)
{
    static const float full[] = {2, 0, 0, 2, 2, 0, 0, 2}, others[] = {2, 2, 2, 2};
    return covariance == GLNN_COVARIANCE_FULL ? full : others;
}

static void parameters_come_back_as_they_were_set(void **state)
{
    (void)state;
    static const int sizes[] = {4, 2, 1};
    static const float weights[] = {0.25f, 0.75f}, means[] = {1, 2, -3, 4};
    static const float covariances[] = {2, 0.5f, 0.5f, 3, 1, 0, 0, 1};
    for (int c = 0; c < GLNN_COVARIANCE_COUNT; ++c) {
        float of_weights[2], of_means[4], of_covariances[8];
        glnn_gmm_desc desc = small;
        desc.covariance = (glnn_covariance)c;
        glnn_learner *gmm = gmm_of(&desc);
        assert_int_equal(covariance_size(gmm), sizes[c]);
        expect_ok(gmm_write(gmm, weights, means, covariances));
        expect_ok(gmm_read(gmm, of_weights, of_means, of_covariances));
        assert_memory_equal(of_weights, weights, sizeof weights);
        assert_memory_equal(of_means, means, sizeof means);
        assert_memory_equal(of_covariances, covariances, 2 * (size_t)sizes[c] * sizeof(float));
        expect_ok(gmm_write(gmm, (float[]){1, 3}, means, covariances));
        expect_ok(gmm_read(gmm, of_weights, NULL, NULL));
        assert_memory_equal(of_weights, weights, sizeof weights);
    }
}

static void the_lower_triangle_of_a_covariance_counts(void **state)
{
    (void)state;
    glnn_learner *gmm = gmm_of(&(glnn_gmm_desc){.features = 2, .components = 1});
    float covariance[4];
    expect_ok(gmm_write(gmm, (float[]){1}, (float[]){0, 0}, (float[]){2, 9, 1, 2}));
    expect_ok(gmm_read(gmm, NULL, NULL, covariance));
    assert_true(covariance[1] == 1);
}

static void parameters_that_cannot_be_change_nothing(void **state)
{
    (void)state;
    static const struct {
        glnn_covariance covariance;
        const char *name;
        float values[8];
        const char *part;
    } wrong[] = {
        {0, "weights", {-1, 1}, "`weights` has a weight of -1 for component 0"},
        {0, "weights", {1, NAN}, "`weights`: number 1 is nan"},
        {0, "weights", {0, 0}, "`weights` has no weight above 0"},
        {0, "means", {0, 0, 0, INFINITY}, "`means`: number 3 is inf"},
        {0,
         "covariances",
         {1, 0, 0, 1, 1, 2, 2, 1},
         "`covariances` has one of component 1 that is not positive definite"},
        {0, "covariances", {1, 0, 0, NAN, 1, 2, 2, 1}, "`covariances`: number 3 is nan"},
        {1, "covariances", {1, 1, 1, 0}, "`covariances` has a variance of 0 for component 1"},
        {2, "covariances", {-2, 1}, "`covariances` has a variance of -2 for component 0"},
    };
    static const float weights[] = {0.5f, 0.5f}, means[] = {1, 2, 3, 4};
    for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
        glnn_gmm_desc desc = small;
        desc.covariance = wrong[i].covariance;
        glnn_learner *gmm = gmm_of(&desc);
        expect_error(write_tensor(gmm, wrong[i].name, wrong[i].values), GLNN_E_ARG, wrong[i].part);
        float found[4], density[2];
        expect_error(gmm_read(gmm, found, NULL, NULL), GLNN_E_STATE, "no parameters yet");
        expect_error(glnn_learner_save(gmm, "never"), GLNN_E_STATE,
                     "glnn_learner_save: the mixture");
        expect_ok(gmm_write(gmm, weights, means, round_covariances(desc.covariance)));
        expect_ok(glnn_gmm_compute_densities(gmm, 1, means, density, NULL));
        expect_error(write_tensor(gmm, wrong[i].name, wrong[i].values), GLNN_E_ARG, wrong[i].part);
        expect_ok(gmm_read(gmm, NULL, found, NULL));
        assert_memory_equal(found, means, sizeof means);
        expect_ok(glnn_gmm_compute_densities(gmm, 1, means, density + 1, NULL));
        assert_true(density[0] == density[1]);
        release_learning();
    }
}

/* A component so far away that no sample has to do with it. */
static void a_component_without_samples_stays_where_it_is(void **state)
{
    (void)state;
    for (int c = 0; c < GLNN_COVARIANCE_COUNT; ++c) {
        random_seed(51);
        const samples all = samples_clustered(60, 2, 2, 1.0, 0);
        glnn_gmm_desc desc = small;
        desc.covariance = (glnn_covariance)c;
        glnn_learner *gmm = gmm_of(&desc);
        float weights[2], means[4] = {0, 0, 900, 900};
        expect_ok(gmm_write(gmm, (float[]){0.5f, 0.5f}, means, round_covariances(desc.covariance)));
        expect_ok(glnn_learner_train(gmm, dataset_of(all), NULL, NULL));
        expect_ok(gmm_read(gmm, weights, means, NULL));
        assert_true(weights[0] == 1 && weights[1] == 0);
        assert_true(means[2] == 900 && means[3] == 900);
        float density = NAN, shares[2];
        expect_ok(glnn_gmm_compute_densities(gmm, 1, floats_of(all.inputs), &density, shares));
        assert_true(isfinite(density) && shares[0] == 1 && shares[1] == 0);
    }
}

static void samples_far_from_all_components_have_finite_densities(void **state)
{
    (void)state;
    for (int c = 0; c < GLNN_COVARIANCE_COUNT; ++c) {
        glnn_gmm_desc desc = small;
        desc.covariance = (glnn_covariance)c;
        glnn_learner *gmm = gmm_of(&desc);
        float density, shares[2];
        expect_ok(gmm_write(gmm, (float[]){0.5f, 0.5f}, (float[]){-1, 0, 1, 0},
                            round_covariances(desc.covariance)));
        expect_ok(glnn_gmm_compute_densities(gmm, 1, (float[]){1e4f, 0}, &density, shares));
        assert_true(fabs((double)density / -0.25e8 - 1) < 1e-3);
        assert_true(shares[0] == 0 && shares[1] == 1);
    }
}

static void predictions_without_classes_are_responsibilities_and_components(void **state)
{
    (void)state;
    const float inputs[] = {-1, 0, 1, 0, 0, 5, -3, 2, 4, 4};
    for (int c = 0; c < GLNN_COVARIANCE_COUNT; ++c) {
        glnn_gmm_desc desc = small;
        desc.covariance = (glnn_covariance)c;
        desc.capacity = 2;
        glnn_learner *gmm = gmm_of(&desc);
        float outputs[10], shares[10];
        int components[5];
        expect_ok(gmm_write(gmm, (float[]){0.5f, 0.5f}, (float[]){-1, 0, 1, 0},
                            round_covariances(desc.covariance)));
        assert_int_equal(glnn_learner_get_outputs(gmm), 2);
        expect_ok(glnn_learner_predict(gmm, 5, inputs, outputs, components));
        expect_ok(glnn_gmm_compute_densities(gmm, 5, inputs, NULL, shares));
        assert_memory_equal(outputs, shares, sizeof shares);
        static const int want[] = {0, 1, 0, 0, 1}; /* of the third, both are as likely */
        assert_memory_equal(components, want, sizeof want);
    }
}

static void expect_same_mixtures(const glnn_learner *left, const glnn_learner *right)
{
    float of[2][12 + 12 * 2 + 12 * 4] = {{0}};
    const glnn_learner *const both[] = {left, right};
    for (int i = 0; i < 2; ++i)
        expect_ok(gmm_read(both[i], of[i], of[i] + 12, of[i] + 36));
    assert_memory_equal(of[0], of[1], sizeof of[0]);
}

static void training_initialises_what_has_not_been(void **state)
{
    (void)state;
    random_seed(57);
    const glnn_dataset *data = dataset_of(samples_clustered(120, 2, 6, 1.0, 3));
    for (int classes = 0; classes < 4; classes += 3)
        for (int c = 0; c < GLNN_COVARIANCE_COUNT; ++c) {
            const glnn_gmm_desc desc = {.features = 2,
                                        .components = classes > 0 ? 2 : 6,
                                        .classes = classes,
                                        .covariance = (glnn_covariance)c,
                                        .capacity = 16,
                                        .seed = 7};
            glnn_learner *by_itself = gmm_of(&desc), *before = gmm_of(&desc);
            expect_ok(glnn_learner_initialise(before, data));
            glnn_learner *again = gmm_of(&desc);
            expect_ok(glnn_learner_train(again, data, &(glnn_train_desc){.epochs = 1}, NULL));
            expect_ok(glnn_learner_initialise(again, data));
            expect_same_mixtures(again, before);
            expect_ok(glnn_learner_train(by_itself, data, &(glnn_train_desc){.epochs = 3}, NULL));
            expect_ok(glnn_learner_train(before, data, &(glnn_train_desc){.epochs = 3}, NULL));
            expect_same_mixtures(by_itself, before);
        }
}

static void an_initialisation_that_fails_leaves_the_parameters(void **state)
{
    (void)state;
    glnn_learner *gmm = gmm_of(&small);
    samples all = {.inputs = array_random(9, 2, -1.0, 1.0)};
    float before[4], after[4];
    expect_ok(glnn_learner_initialise(gmm, dataset_of(all)));
    expect_ok(gmm_read(gmm, NULL, before, NULL));
    for (int i = 0; i < 9; ++i)
        *at(all.inputs, i, 1) = i % 2 ? 1e30 : -1e30;
    expect_error(glnn_learner_initialise(gmm, dataset_of(all)), GLNN_E_DIVERGED,
                 "squared distance");
    expect_error(glnn_learner_initialise(gmm, dataset_of(samples_part(all, 0, 1))), GLNN_E_SHAPE,
                 "1 samples for 2");
    expect_ok(gmm_read(gmm, NULL, after, NULL));
    assert_memory_equal(before, after, sizeof before);
    expect_error(glnn_learner_initialise(NULL, dataset_of(all)), GLNN_E_ARG, "`learner` is null");
    expect_error(glnn_learner_initialise(gmm, NULL), GLNN_E_ARG, "`data` is null");
}

static bool stop_at_two(void *user, const glnn_report *report)
{
    (void)user;
    return report->event != GLNN_EVENT_EPOCH || report->epoch < 2;
}

static void training_ends_by_tolerance_patience_or_callback(void **state)
{
    (void)state;
    random_seed(52);
    const glnn_dataset *data = dataset_of(samples_clustered(200, 2, 5, 1.0, 0));
    glnn_gmm_desc desc = {.features = 2, .components = 5, .tolerance = -1};
    glnn_train_result result = {.size = sizeof result};
    expect_ok(glnn_learner_train(gmm_of(&desc), data, &(glnn_train_desc){.epochs = 30}, &result));
    assert_int_equal(result.epochs, 30);
    desc.tolerance = 0;
    expect_ok(glnn_learner_train(gmm_of(&desc), data, NULL, &result));
    assert_true(result.stopped && result.epochs > 1 && result.epochs < 100);
    desc.tolerance = -1;
    const glnn_train_desc patient = {
        .epochs = 90, .patience = 2, .min_improvement = 1e-2f, .validation = data};
    expect_ok(glnn_learner_train(gmm_of(&desc), data, &patient, &result));
    assert_true(result.stopped && result.epochs < 90);
    const glnn_train_desc stopped = {.epochs = 40, .report = stop_at_two};
    expect_ok(glnn_learner_train(gmm_of(&desc), data, &stopped, &result));
    assert_int_equal(result.epochs, 2);
}

static void the_parameters_of_the_best_epoch_can_be_kept(void **state)
{
    (void)state;
    random_seed(53);
    const samples all = samples_clustered(120, 4, 3, 2.0, 0);
    glnn_learner *gmm =
        gmm_of(&(glnn_gmm_desc){.features = 4, .components = 8, .tolerance = -1, .capacity = 64});
    const glnn_dataset *validation = dataset_of(samples_part(all, 0, 40));
    const glnn_train_desc training = {.epochs = 30, .validation = validation, .restore_best = true};
    glnn_train_result result = {.size = sizeof result};
    glnn_metrics metrics;
    expect_ok(glnn_learner_train(gmm, dataset_of(samples_part(all, 40, 80)), &training, &result));
    expect_ok(glnn_learner_evaluate(gmm, validation, &metrics, NULL));
    assert_true(result.best_epoch >= 1 && result.best_epoch < 30);
    assert_true(metrics.loss < result.validation.loss);
}

/* An epoch of 20 steps waits for its score and for the sums, of which there are four. */
static void steps_make_no_texture_or_program_and_do_not_wait(void **state)
{
    (void)state;
    for (int c = 0; c < GLNN_COVARIANCE_COUNT; ++c) {
        random_seed(54);
        epoch_watch w = {.most_waits = 5};
        glnn_learner *gmm = gmm_of(&(glnn_gmm_desc){.features = 6,
                                                    .components = 2,
                                                    .classes = 2,
                                                    .covariance = (glnn_covariance)c,
                                                    .tolerance = -1,
                                                    .layout = rendered_layout(c),
                                                    .capacity = 10});
        const glnn_train_desc training = {
            .epochs = 5, .report_every = 1, .report = watch_steady_epoch, .user = &w};
        expect_ok(glnn_learner_train(gmm, dataset_of(samples_clustered(200, 6, 4, 1.0, 2)),
                                     &training, NULL));
        assert_int_equal(w.epochs, 3);
        release_learning();
    }
}

static void descriptions_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    static const struct {
        glnn_gmm_desc desc;
        glnn_status status;
        const char *part;
    } wrong[] = {
        {{.features = 0, .components = 2},
         GLNN_E_ARG,
         "features is 0; it has to be an integer from 1 on"},
        {{.features = 3, .components = 0},
         GLNN_E_ARG,
         "components is 0; it has to be an integer from 1 on"},
        {{.features = 3, .components = 2, .classes = -2},
         GLNN_E_ARG,
         "classes is -2; it has to be an integer from 0 on"},
        {{.features = 65, .components = 2}, GLNN_E_LIMIT, "65 features; they can have 64"},
        {{.features = 3, .components = 1 << 23, .classes = 3}, GLNN_E_LIMIT, "25165824 components"},
        {{.features = 3, .components = 2, .covariance = GLNN_COVARIANCE_COUNT},
         GLNN_E_ARG,
         "covariance is 3; it has to be one of full, diagonal, spherical"},
        {{.features = 3, .components = 2, .layout = GLNN_LAYOUT_PAGED}, GLNN_E_ARG, "paged"},
        {{.features = 3, .components = 2, .capacity = -1}, GLNN_E_ARG, "capacity is -1"},
        {{.features = 3, .components = 2, .variance_floor = 0.6f},
         GLNN_E_ARG,
         "variance_floor is 0.6; it has to be a number in [1e-06, 0.5], or 0 for 0.0001"},
        {{.features = 3, .components = 2, .variance_floor = NAN},
         GLNN_E_ARG,
         "variance_floor is nan"},
        {{.features = 3, .components = 2, .shrinkage = NAN}, GLNN_E_ARG, "shrinkage is nan"},
        {{.features = 3, .components = 2, .shrinkage = 2e6f},
         GLNN_E_ARG,
         "shrinkage is 2e+06; it has to be a number up to 1e+06, or 0 for 1"},
        {{.features = 3, .components = 2, .tolerance = INFINITY},
         GLNN_E_ARG,
         "tolerance is inf; it has to be a finite number, or 0 for 0.001"},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
        glnn_learner *gmm = (glnn_learner *)state;
        expect_error(glnn_gmm_create(glnn_test_context(), &wrong[i].desc, &gmm), wrong[i].status,
                     wrong[i].part);
        assert_null(gmm);
    }
}

static void a_class_of_few_samples_has_as_many_components_with_a_warning(void **state)
{
    (void)state;
    for (int c = 0; c < GLNN_COVARIANCE_COUNT; ++c) {
        random_seed(56);
        samples all = {
            .inputs = array_random(40, 2, -1, 1), .labels = array_new(40, 1), .outputs = 2};
        for (int i = 0; i < 40; ++i) {
            all.labels.data[i] = i == 3 || i == 30;
            *at(all.inputs, i, 0) += all.labels.data[i] > 0 ? 20 + i : 0;
        }
        glnn_learner *gmm = gmm_of(&(glnn_gmm_desc){
            .features = 2, .components = 4, .classes = 2, .covariance = (glnn_covariance)c});
        const glnn_dataset *data = dataset_of(all);
        float weights[8];
        double sum = 0;
        glnn_metrics metrics;
        log_clear();
        expect_ok(glnn_learner_train(gmm, data, NULL, NULL));
        assert_non_null(strstr(log_text(GLNN_LOG_WARNING), "class 1 has 2 samples for 4"));
        expect_ok(gmm_read(gmm, weights, NULL, NULL));
        for (int j = 4; j < 8; ++j) {
            assert_true(weights[j] < 1e-6f || fabs((double)weights[j] - 1 / 40.0) < 1e-4);
            sum += (double)weights[j];
        }
        assert_true(fabs(sum - 2 / 40.0) < 1e-4);
        expect_ok(glnn_learner_evaluate(gmm, data, &metrics, NULL));
        assert_true(metrics.accuracy == 1);
        release_learning();
    }
}

static void data_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    random_seed(55);
    glnn_learner *plain = gmm_of(&small);
    glnn_learner *labelled = gmm_of(&(glnn_gmm_desc){.features = 2, .components = 2, .classes = 2});
    samples without = {.inputs = array_random(9, 2, -1.0, 1.0)};
    expect_error(glnn_learner_train(plain, dataset_of(samples_random(1, 2, 2, true)), NULL, NULL),
                 GLNN_E_SHAPE, "1 samples for 2 centres");
    expect_error(glnn_learner_train(plain, dataset_of(samples_random(9, 3, 2, true)), NULL, NULL),
                 GLNN_E_SHAPE, "3 features; the mixture has 2");
    expect_error(
        glnn_learner_train(labelled, dataset_of(samples_random(9, 2, 3, true)), NULL, NULL),
        GLNN_E_SHAPE, "3 classes; the mixture is made for 2");
    expect_error(glnn_learner_train(labelled, dataset_of(without), NULL, NULL), GLNN_E_STATE,
                 "labels");
    *at(without.inputs, 3, 1) = 1e30;
    expect_ok(gmm_write(plain, (float[]){1, 1}, (float[]){0, 0, 1, 1},
                        (float[]){1, 0, 0, 1, 1, 0, 0, 1}));
    expect_error(glnn_learner_train(plain, dataset_of(without), NULL, NULL), GLNN_E_DIVERGED,
                 "not finite");
}

static void calls_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    glnn_learner *gmm = gmm_of(&small);
    const glnn_dataset *data = dataset_of(samples_random(9, 2, 2, true));
    float values[4] = {0};
    int64_t confusion[4];
    float outputs[4];
    int components[2];
    expect_error(glnn_learner_predict(gmm, 1, values, outputs, NULL), GLNN_E_STATE,
                 "no parameters");
    expect_error(glnn_gmm_compute_densities(gmm, 1, values, outputs, NULL), GLNN_E_STATE,
                 "no parameters");
    expect_error(glnn_learner_evaluate(gmm, data, NULL, NULL), GLNN_E_STATE, "no parameters");
    expect_error(gmm_write(gmm, values, NULL, NULL), GLNN_E_ARG, "no weight above 0");
    expect_ok(gmm_write(gmm, (float[]){1, 1}, values, (float[]){1, 0, 0, 1, 1, 0, 0, 1}));
    expect_error(glnn_learner_evaluate(gmm, data, NULL, confusion), GLNN_E_STATE, "confusion");
    expect_error(glnn_learner_predict(gmm, 1, values, NULL, NULL), GLNN_E_ARG, "both null");
    expect_error(glnn_gmm_compute_densities(gmm, 1, values, NULL, NULL), GLNN_E_ARG, "both null");
    expect_error(glnn_learner_predict(gmm, 0, values, outputs, NULL), GLNN_E_ARG, "0 samples");
    expect_error(glnn_learner_predict(gmm, 1, NULL, outputs, NULL), GLNN_E_ARG, "`inputs` is null");
    expect_error(glnn_learner_predict(NULL, 1, values, outputs, NULL), GLNN_E_ARG,
                 "`learner` is null");
    values[3] = NAN;
    expect_error(glnn_learner_predict(gmm, 2, values, NULL, components), GLNN_E_ARG,
                 "feature 1 of sample 1");
    expect_error(glnn_learner_train(gmm, data, &(glnn_train_desc){.batch = 4}, NULL), GLNN_E_ARG,
                 "a batch of 4 samples, but this learner always takes the full batch");
    const glnn_schedule step = {.kind = GLNN_SCHEDULE_STEP};
    expect_error(glnn_learner_train(gmm, data, &(glnn_train_desc){.schedule = step}, NULL),
                 GLNN_E_ARG, "schedule step, but this learner has no learning rate");
    expect_error(glnn_learner_train(gmm, NULL, NULL, NULL), GLNN_E_ARG, "null");
    expect_error(glnn_learner_train(NULL, data, NULL, NULL), GLNN_E_ARG, "null");
    glnn_learner_destroy(NULL);
    assert_null(glnn_gmm_get_desc(NULL));
    assert_string_equal(glnn_covariance_name(GLNN_COVARIANCE_COUNT), "unknown");
}

static void a_data_set_that_streams_gives_the_same_parameters(void **state)
{
    (void)state;
    random_seed(56);
    const samples all = samples_clustered(300, 6, 4, 1.0, 2);
    gmm_reference found[2];
    for (int i = 0; i < 2; ++i) {
        const glnn_dataset *data = dataset_within(all, i > 0 ? 6000 : 0);
        glnn_learner *gmm =
            gmm_of(&(glnn_gmm_desc){.features = 6, .components = 2, .classes = 2, .capacity = 16});
        expect_ok(glnn_learner_train(gmm, data, &(glnn_train_desc){.epochs = 3}, NULL));
        int64_t confusion[4];
        expect_ok(glnn_learner_evaluate(gmm, data, NULL, confusion));
        assert_int_equal(confusion[0] + confusion[1] + confusion[2] + confusion[3], 300);
        found[i] = gmm_reference_of(gmm);
    }
    expect_same_bits(found[0].means, found[1].means, "means, resident and streamed");
    expect_same_bits(found[0].covariances, found[1].covariances, "covariances likewise");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(parameters_come_back_as_they_were_set),
        LEARNING_TEST(the_lower_triangle_of_a_covariance_counts),
        LEARNING_TEST(parameters_that_cannot_be_change_nothing),
        LEARNING_TEST(a_component_without_samples_stays_where_it_is),
        LEARNING_TEST(samples_far_from_all_components_have_finite_densities),
        LEARNING_TEST(training_initialises_what_has_not_been),
        LEARNING_TEST(an_initialisation_that_fails_leaves_the_parameters),
        LEARNING_TEST(predictions_without_classes_are_responsibilities_and_components),
        LEARNING_TEST(training_ends_by_tolerance_patience_or_callback),
        LEARNING_TEST(the_parameters_of_the_best_epoch_can_be_kept),
        LEARNING_TEST(steps_make_no_texture_or_program_and_do_not_wait),
        LEARNING_TEST(descriptions_that_make_no_sense_are_refused),
        LEARNING_TEST(a_class_of_few_samples_has_as_many_components_with_a_warning),
        LEARNING_TEST(data_that_do_not_fit_are_refused),
        LEARNING_TEST(calls_that_make_no_sense_are_refused),
        LEARNING_TEST(a_data_set_that_streams_gives_the_same_parameters),
    };
    return cmocka_run_group_tests_name("mixtures in use", tests, test_group_setup,
                                       test_group_teardown);
}
