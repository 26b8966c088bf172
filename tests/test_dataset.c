/* Data sets: what they refuse, and that more samples than a texture has rows are found again. */
#include "support/clusters.h"
#include "support/prototypes.h"

#include "data/dataset.h"

#include <stdio.h>

static const float zeros[64];
static const int labels[8] = {0, 1, 2, 0, 1, 2, 0, 1};

static glnn_status create(const glnn_dataset_desc *desc)
{
    glnn_dataset *data = NULL;
    const glnn_status status = glnn_dataset_create(glnn_test_context(), desc, &data);
    assert_true((status == GLNN_OK) == (data != NULL));
    glnn_dataset_destroy(data);
    return status;
}

static void data_sets_refuse_descriptions_that_make_no_sense(void **state)
{
    (void)state;
    static const struct {
        glnn_dataset_desc desc;
        const char *part;
    } wrong[] = {
        {{.samples = 8, .features = 2, .labels = labels, .classes = 3},
         "`inputs` and `read` are both null"},
        {{.samples = 0, .features = 2, .inputs = zeros, .labels = labels, .classes = 3},
         "0 samples of 2 features"},
        {{.samples = 8, .features = -1, .inputs = zeros, .labels = labels, .classes = 3},
         "8 samples of -1 features"},
        {{.samples = 8,
          .features = 2,
          .inputs = zeros,
          .labels = labels,
          .classes = 3,
          .targets = zeros,
          .outputs = 1},
         "`labels` and `targets` are both given"},
        {{.samples = 8, .features = 2, .inputs = zeros, .labels = labels},
         "labels are given, but `classes` is 0; it must be at least 1"},
        {{.samples = 8, .features = 2, .inputs = zeros, .targets = zeros, .outputs = -3},
         "targets are given, but `outputs` is -3; it must be at least 1"},
        {{.samples = 8, .features = 2, .inputs = zeros, .classes = 2},
         "`classes` is 2, but `labels` is null"},
        {{.samples = 8, .features = 2, .inputs = zeros, .classes = -3},
         "`classes` is -3, but `labels` is null"},
        {{.samples = 8, .features = 2, .inputs = zeros, .outputs = 3},
         "`outputs` is 3, but `targets` is null"},
        {{.samples = 8, .features = 2, .inputs = zeros, .outputs = -3},
         "`outputs` is -3, but `targets` is null"},
        {{.samples = 8,
          .features = 2,
          .inputs = zeros,
          .labels = labels,
          .classes = 3,
          .outputs = 3},
         "`outputs` is 3, but `targets` is null"},
        {{.samples = 8, .features = 2, .inputs = zeros, .targets = zeros, .name = "flowers"},
         "glnn_dataset_create: flowers: "},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); ++i)
        expect_error(create(&wrong[i].desc), GLNN_E_ARG, wrong[i].part);
    glnn_dataset *data = NULL;
    expect_error(glnn_dataset_create(NULL, &wrong[0].desc, &data), GLNN_E_ARG, "null");
    expect_error(glnn_dataset_create(glnn_test_context(), NULL, &data), GLNN_E_ARG, "null");
    expect_error(glnn_dataset_create(glnn_test_context(), &wrong[0].desc, NULL), GLNN_E_ARG,
                 "null");
}

static void inputs_alone_are_a_data_set_without_outputs(void **state)
{
    (void)state;
    static const size_t budgets[] = {0, 100};
    for (size_t b = 0; b < COUNT_OF(budgets); ++b) {
        const glnn_dataset_desc desc = {
            .samples = 8, .features = 2, .inputs = zeros, .texture_budget = budgets[b]};
        glnn_dataset *data = NULL;
        expect_ok(glnn_dataset_create(glnn_test_context(), &desc, &data));
        assert_int_equal(glnn_dataset_get_outputs(data), 0);
        glnn_learner *network =
            network_of(&(glnn_network_desc){.features = 2, .layers = {{.units = 1}}});
        expect_error(glnn_learner_train(network, data, NULL, NULL), GLNN_E_STATE,
                     "cross-entropy needs labels");
        glnn_dataset_destroy(data);
    }
}

/* Expects the targets that a set keeps with its inputs: as many columns a sample as `want` has. */
static void expect_targets(const glnn_dataset_desc *desc, array want)
{
    glnn_dataset *data = NULL;
    expect_ok(glnn_dataset_create(glnn_test_context(), desc, &data));
    expect_equal(data->targets, want, "%d columns", want.columns);
    glnn_dataset_destroy(data);
}

static void weights_of_samples_and_classes_are_multiplied(void **state)
{
    (void)state;
    static const float weights[8] = {1, 2, 3, 4, 5, 6, 7, 8}, of_classes[3] = {1, 0.5f, 0};
    array want = array_new(8, 2);
    for (int i = 0; i < 8; ++i) {
        *at(want, i, 0) = labels[i];
        *at(want, i, 1) = (double)(weights[i] * of_classes[labels[i]]);
    }
    glnn_dataset_desc desc = {.samples = 8,
                              .features = 2,
                              .inputs = zeros,
                              .labels = labels,
                              .classes = 3,
                              .sample_weights = weights,
                              .class_weights = of_classes};
    expect_targets(&desc, want);
    desc.sample_weights = desc.class_weights = NULL;
    for (int i = 0; i < 8; ++i)
        *at(want, i, 1) = 1;
    expect_targets(&desc, want);
}

static void targets_come_with_their_distance_from_the_mean(void **state)
{
    (void)state;
    static const float targets[8] = {1, 2, 3, 4, 5, 6, 7, 8}; /* the mean is 4, 5 */
    static const float weights[4] = {1, 2, 3, 4};
    array want = array_new(4, 4);
    for (int i = 0; i < 4; ++i) {
        *at(want, i, 0) = 2 * i + 1;
        *at(want, i, 1) = 2 * i + 2;
        *at(want, i, 2) = i + 1;
        *at(want, i, 3) = 2 * (2 * i - 3) * (2 * i - 3);
    }
    expect_targets(&(glnn_dataset_desc){.samples = 4,
                                        .features = 2,
                                        .inputs = zeros,
                                        .targets = targets,
                                        .outputs = 2,
                                        .sample_weights = weights},
                   want);
}

static void weights_that_make_no_sense_are_named(void **state)
{
    (void)state;
    static const float negative[8] = {1, 1, -2, 1, 1, 1, 1, 1}, infinite[3] = {1, INFINITY, 1};
    glnn_dataset_desc desc = {.samples = 8,
                              .features = 2,
                              .inputs = zeros,
                              .labels = labels,
                              .classes = 3,
                              .sample_weights = negative};
    expect_error(create(&desc), GLNN_E_FORMAT, "the weight of sample 2 is -2");
    desc.sample_weights = NULL;
    desc.class_weights = infinite;
    expect_error(create(&desc), GLNN_E_FORMAT, "the weight of class 1 is inf");
    desc.class_weights = zeros;
    expect_error(create(&desc), GLNN_E_ARG, "no sample has a weight above 0");
    desc.class_weights = (const float[]){0, 1, 1};
    desc.sample_weights = (const float[]){1, 0, 0, 1, 0, 0, 1, 0};
    expect_error(create(&desc), GLNN_E_ARG, "no sample has a weight above 0");
    desc.class_weights = (const float[]){1, 1e30f, 1};
    desc.sample_weights = (const float[]){1, 1, 1, 1, 1e30f, 1, 1, 1};
    expect_error(create(&desc), GLNN_E_FORMAT,
                 "the weight 1e+30 of sample 4 times the weight 1e+30 of its class 1");
    desc.labels = NULL;
    desc.classes = 0;
    desc.sample_weights = NULL;
    expect_error(create(&desc), GLNN_E_ARG, "`class_weights` needs `labels`");
    desc.class_weights = NULL;
    desc.sample_weights = infinite;
    expect_error(create(&desc), GLNN_E_ARG, "`sample_weights` needs `labels` or `targets`");
}

static void learners_that_use_no_weights_refuse_them(void **state)
{
    (void)state;
    static const float weights[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const char *const part = "its samples have weights, which only networks use";
    const glnn_dataset_desc desc = {.samples = 8,
                                    .features = 2,
                                    .inputs = zeros,
                                    .labels = labels,
                                    .classes = 3,
                                    .sample_weights = weights};
    glnn_learner *kmeans = kmeans_of(&(glnn_kmeans_desc){.features = 2, .centres = 1});
    glnn_learner *lvq = lvq_of(&(glnn_lvq_desc){.features = 2, .classes = 3});
    glnn_learner *gmm = gmm_of(&(glnn_gmm_desc){.features = 2, .components = 1});
    glnn_dataset *data = NULL;
    expect_ok(glnn_dataset_create(glnn_test_context(), &desc, &data));
    expect_error(glnn_learner_initialise(kmeans, data), GLNN_E_ARG, part);
    expect_error(glnn_learner_train(kmeans, data, NULL, NULL), GLNN_E_ARG, part);
    expect_ok(write_tensor(kmeans, "centres", zeros));
    expect_error(glnn_learner_evaluate(kmeans, data, NULL, NULL), GLNN_E_ARG, part);
    expect_error(glnn_learner_initialise(lvq, data), GLNN_E_ARG, part);
    expect_ok(lvq_write(lvq, zeros, NULL));
    expect_error(glnn_learner_train(lvq, data, NULL, NULL), GLNN_E_ARG, part);
    expect_error(glnn_learner_evaluate(lvq, data, NULL, NULL), GLNN_E_ARG, part);
    expect_error(glnn_learner_train(gmm, data, NULL, NULL), GLNN_E_ARG, part);
    expect_ok(gmm_write(gmm, (float[]){1}, zeros, (float[]){1, 0, 0, 1}));
    expect_error(glnn_learner_evaluate(gmm, data, NULL, NULL), GLNN_E_ARG, part);
    glnn_dataset_destroy(data);
}

static void labels_outside_the_classes_are_named(void **state)
{
    (void)state;
    static const int bad[] = {3, -1, 1000000};
    static const char *const parts[] = {"sample 5 is 3; there are 3 classes", "sample 5 is -1",
                                        "sample 5 is 1000000"};
    for (size_t i = 0; i < COUNT_OF(bad); ++i) {
        int copy[8];
        memcpy(copy, labels, sizeof copy);
        copy[5] = bad[i];
        const glnn_dataset_desc desc = {
            .samples = 8, .features = 2, .inputs = zeros, .labels = copy, .classes = 3};
        expect_error(create(&desc), GLNN_E_FORMAT, parts[i]);
    }
}

static void numbers_that_are_not_finite_are_named(void **state)
{
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < COUNT_OF(bad); ++i) {
        float values[24] = {0};
        values[3 * 5 + 2] = bad[i];
        glnn_dataset_desc desc = {.samples = 8,
                                  .features = 3,
                                  .inputs = values,
                                  .labels = labels,
                                  .classes = 3,
                                  .name = "flowers"};
        expect_error(create(&desc), GLNN_E_FORMAT,
                     "glnn_dataset_create: flowers: feature 2 of sample 5 is ");
        desc = (glnn_dataset_desc){
            .samples = 8, .features = 3, .inputs = zeros, .targets = values, .outputs = 3};
        expect_error(create(&desc), GLNN_E_FORMAT,
                     "glnn_dataset_create: data set: target 2 of sample 5 is ");
    }
}

static void a_number_that_is_not_finite_is_named_in_each_column(void **state)
{
    (void)state;
    for (int features = 1; features <= 5; ++features)
        for (int column = 0; column < features; ++column) {
            float values[2 * 5] = {0};
            char part[64];
            values[features + column] = INFINITY;
            snprintf(part, sizeof part, "feature %d of sample 1 is inf", column);
            const glnn_dataset_desc desc = {.samples = 2, .features = features, .inputs = values};
            expect_error(create(&desc), GLNN_E_FORMAT, part);
        }
}

static void data_sets_that_do_not_fit_the_budget_say_so(void **state)
{
    (void)state;
    glnn_context *small = context_new(100000, 0.0);
    float *inputs = floats_new(100 * 1000);
    const glnn_dataset_desc desc = {
        .samples = 1000, .features = 100, .inputs = inputs, .targets = inputs, .outputs = 1};
    glnn_dataset *data = NULL;
    expect_error(glnn_dataset_create(small, &desc, &data), GLNN_E_LIMIT, "100000");
    expect_error(glnn_dataset_create(small, &desc, &data), GLNN_E_LIMIT,
                 "with a texture_budget the data set streams");
    assert_null(data);
}

static void data_sets_know_their_sizes(void **state)
{
    (void)state;
    const glnn_dataset *labelled = dataset_of(samples_random(7, 3, 4, true));
    const glnn_dataset *valued = dataset_of(samples_random(5, 2, 9, false));
    assert_int_equal(glnn_dataset_get_samples(labelled), 7);
    assert_int_equal(glnn_dataset_get_features(labelled), 3);
    assert_int_equal(glnn_dataset_get_outputs(labelled), 4);
    assert_int_equal(glnn_dataset_get_outputs(valued), 9);
    assert_int_equal(glnn_dataset_get_samples(NULL), 0);
    assert_int_equal(glnn_dataset_get_features(NULL), 0);
    assert_int_equal(glnn_dataset_get_outputs(NULL), 0);
}

/* More rows than two pages of 16384 have; the label of a sample is its greatest feature, but for
 * every seventh, so that an input that meets another sample's label is noticed. */
enum { MANY = 40000 };

static glnn_dataset *many_samples(int64_t *confusion)
{
    float *inputs = floats_new(3 * MANY);
    int *numbers = calloc(MANY, sizeof *numbers);
    assert_non_null(numbers);
    random_seed(8);
    const array drawn = array_random(MANY, 3, -1.0, 1.0);
    for (int i = 0; i < MANY; ++i) {
        int best = 0;
        for (int j = 0; j < 3; ++j) {
            inputs[3 * i + j] = (float)*at(drawn, i, j);
            best = *at(drawn, i, j) > *at(drawn, i, best) ? j : best;
        }
        numbers[i] = i % 7 == 0 ? (best + 1) % 3 : best;
        confusion[3 * numbers[i] + best]++;
    }
    const glnn_dataset_desc desc = {
        .samples = MANY, .features = 3, .inputs = inputs, .labels = numbers, .classes = 3};
    glnn_dataset *data = NULL;
    expect_ok(glnn_dataset_create(glnn_test_context(), &desc, &data));
    free(numbers);
    return data;
}

static glnn_learner *identity_network(glnn_layout layout)
{
    static const float identity[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const glnn_network_desc desc = {.features = 3, .layers = {{.units = 3}}, .layout = layout};
    glnn_learner *network = network_of(&desc);
    expect_ok(write_weights(network, 0, identity, NULL));
    return network;
}

static void samples_beyond_the_first_page_are_found_in_every_layout(void **state)
{
    (void)state;
    int64_t want[9] = {0}, got[9];
    glnn_dataset *data = many_samples(want);
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        glnn_metrics metrics;
        expect_ok(glnn_learner_evaluate(identity_network(layout), data, &metrics, got));
        assert_memory_equal(got, want, sizeof want);
        assert_true(metrics.accuracy == (double)(want[0] + want[4] + want[8]) / MANY);
        release_learning();
    }
    glnn_dataset_destroy(data);
}

/* A rate of 1e-30 leaves the weights as they are. */
static void a_shuffled_order_finds_them_too(void **state)
{
    (void)state;
    int64_t confusion[9] = {0};
    glnn_dataset *data = many_samples(confusion);
    const double right = (double)(confusion[0] + confusion[4] + confusion[8]);
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        glnn_train_desc train = {.epochs = 1, .batch = 1000, .schedule.rate = 1e-30f};
        glnn_train_result result = {.size = sizeof result};
        expect_ok(glnn_learner_train(identity_network(layout), data, &train, &result));
        assert_true(result.training.accuracy == right / MANY);
        train.validation_split = 0.25f;
        expect_ok(glnn_learner_train(identity_network(layout), data, &train, &result));
        assert_true(fabs(result.training.accuracy * 30000 + result.validation.accuracy * 10000 -
                         right) < 0.5);
        release_learning();
    }
    glnn_dataset_destroy(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(data_sets_refuse_descriptions_that_make_no_sense),
        LEARNING_TEST(inputs_alone_are_a_data_set_without_outputs),
        LEARNING_TEST(weights_of_samples_and_classes_are_multiplied),
        LEARNING_TEST(targets_come_with_their_distance_from_the_mean),
        LEARNING_TEST(weights_that_make_no_sense_are_named),
        LEARNING_TEST(learners_that_use_no_weights_refuse_them),
        LEARNING_TEST(labels_outside_the_classes_are_named),
        LEARNING_TEST(numbers_that_are_not_finite_are_named),
        LEARNING_TEST(a_number_that_is_not_finite_is_named_in_each_column),
        LEARNING_TEST(data_sets_that_do_not_fit_the_budget_say_so),
        LEARNING_TEST(data_sets_know_their_sizes),
        LEARNING_TEST(samples_beyond_the_first_page_are_found_in_every_layout),
        LEARNING_TEST(a_shuffled_order_finds_them_too),
    };
    return cmocka_run_group_tests_name("dataset", tests, test_group_setup, test_group_teardown);
}
