/* Descriptions, data and calls that k-means refuses, and the sentences. */
#include "support/clusters.h"

static const glnn_kmeans_desc small = {.features = 3, .centres = 2, .capacity = 8};

static void descriptions_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    static const struct {
        glnn_kmeans_desc desc;
        glnn_status status;
        const char *part;
    } wrong[] = {
        {{.features = 0, .centres = 2},
         GLNN_E_ARG,
         "features is 0; it has to be an integer from 1 on"},
        {{.features = 3, .centres = 0},
         GLNN_E_ARG,
         "centres is 0; it has to be an integer from 1 on"},
        {{.features = 3, .centres = 2, .classes = -1},
         GLNN_E_ARG,
         "classes is -1; it has to be an integer from 0 on"},
        {{.features = 3, .centres = 1 << 20, .classes = 17}, GLNN_E_LIMIT, "17825792 centres"},
        {{.features = 3, .centres = 2, .init = GLNN_KMEANS_INIT_COUNT},
         GLNN_E_ARG,
         "glnn_kmeans_create: init is 2; it has to be one of plus_plus, samples"},
        {{.features = 3, .centres = 2, .search = GLNN_SEARCH_COUNT},
         GLNN_E_ARG,
         "search is 4; it has to be one of auto, "},
        {{.features = 3, .centres = 5, .init_samples = 4}, GLNN_E_ARG, "init_samples is 4"},
        {{.features = 3, .centres = 2, .restarts = -1},
         GLNN_E_ARG,
         "restarts is -1; it has to be an integer from 0 to 1000000"},
        {{.features = 3, .centres = 2, .layout = GLNN_LAYOUT_PAGED}, GLNN_E_ARG, "paged"},
        {{.features = 3, .centres = 2, .capacity = -1},
         GLNN_E_ARG,
         "capacity is -1; it has to be an integer from 1 on, or 0 for 1024"},
        {{.features = 3, .centres = 2, .tolerance = NAN},
         GLNN_E_ARG,
         "tolerance is nan; it has to be a finite number, or 0 for 0.0001"},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
        glnn_learner *kmeans = (glnn_learner *)state;
        expect_error(glnn_kmeans_create(glnn_test_context(), &wrong[i].desc, &kmeans),
                     wrong[i].status, wrong[i].part);
        assert_null(kmeans);
    }
}

static void data_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    random_seed(35);
    glnn_learner *plain = kmeans_of(&small);
    glnn_learner *labelled =
        kmeans_of(&(glnn_kmeans_desc){.features = 3, .centres = 2, .classes = 2});
    const glnn_dataset *one = dataset_of(samples_random(1, 3, 2, true));
    const glnn_dataset *wide = dataset_of(samples_random(9, 4, 2, true));
    const glnn_dataset *three = dataset_of(samples_random(9, 3, 3, true));
    samples of_one = samples_random(9, 3, 2, true);
    for (int i = 0; i < 9; ++i)
        of_one.labels.data[i] = 0;
    samples without = {.inputs = array_random(9, 3, -1.0, 1.0)};
    expect_error(glnn_learner_train(plain, one, NULL, NULL), GLNN_E_SHAPE,
                 "1 samples for 2 centres");
    expect_error(glnn_learner_train(plain, wide, NULL, NULL), GLNN_E_SHAPE, "4 features");
    expect_error(glnn_learner_train(labelled, three, NULL, NULL), GLNN_E_SHAPE, "3 classes");
    expect_error(glnn_learner_train(labelled, dataset_of(of_one), NULL, NULL), GLNN_E_SHAPE,
                 "class 1 has no samples");
    expect_error(glnn_learner_train(labelled, dataset_of(without), NULL, NULL), GLNN_E_STATE,
                 "needs labels");
    expect_error(
        glnn_learner_train(plain, dataset_of(without), &(glnn_train_desc){.epochs = -1}, NULL),
        GLNN_E_ARG, "epochs is -1");
}

static void calls_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    glnn_learner *kmeans = kmeans_of(&small);
    const glnn_dataset *data = dataset_of(samples_random(9, 3, 2, true));
    float values[6] = {0};
    int64_t confusion[4];
    int named[4];
    glnn_metrics metrics;
    expect_error(glnn_learner_predict(kmeans, 1, values, NULL, named), GLNN_E_STATE, "no centres");
    expect_error(glnn_learner_find_nearest(kmeans, 1, values, 1, named, NULL), GLNN_E_STATE,
                 "no centres");
    expect_error(glnn_learner_evaluate(kmeans, data, &metrics, NULL), GLNN_E_STATE, "no centres");
    expect_error(read_tensor(kmeans, "centres", values), GLNN_E_STATE, "no centres");
    expect_error(glnn_learner_save(kmeans, "never"), GLNN_E_STATE,
                 "glnn_learner_save: there are no");
    expect_error(write_tensor(kmeans, "sizes", values), GLNN_E_STATE, "no centres");
    values[4] = NAN;
    expect_error(write_tensor(kmeans, "centres", values), GLNN_E_ARG, "`centres`: number 4 is");
    values[4] = 0;
    expect_ok(write_tensor(kmeans, "centres", values));
    expect_error(glnn_learner_evaluate(kmeans, data, NULL, confusion), GLNN_E_STATE, "confusion");
    expect_error(glnn_learner_predict(kmeans, 0, values, NULL, named), GLNN_E_ARG, "0 samples");
    expect_error(glnn_learner_predict(kmeans, 1, NULL, NULL, named), GLNN_E_ARG,
                 "`inputs` is null");
    expect_error(glnn_learner_predict(kmeans, 1, values, NULL, NULL), GLNN_E_ARG, "both null");
    expect_error(glnn_learner_predict(NULL, 1, values, NULL, named), GLNN_E_ARG,
                 "`learner` is null");
    expect_error(glnn_learner_find_nearest(kmeans, 1, values, 3, named, NULL), GLNN_E_ARG,
                 "the 3 nearest of 2 centres");
    expect_error(glnn_learner_find_nearest(kmeans, 1, values, 1, NULL, NULL), GLNN_E_ARG,
                 "`prototypes` and `distances` are both null");
    values[2] = INFINITY;
    expect_error(glnn_learner_predict(kmeans, 2, values, NULL, named), GLNN_E_ARG,
                 "feature 2 of sample 0 is inf");
    values[0] = -1;
    expect_error(write_tensor(kmeans, "sizes", values), GLNN_E_ARG,
                 "has a size of -1 for centre 0");
    expect_error(glnn_learner_initialise(NULL, data), GLNN_E_ARG, "null");
    expect_error(glnn_learner_train(kmeans, NULL, NULL, NULL), GLNN_E_ARG, "null");
    glnn_learner_destroy(NULL);
    assert_null(glnn_kmeans_get_desc(NULL));
}

static void distances_that_overflow_say_so(void **state)
{
    (void)state;
    samples all = {.inputs = array_new(4, 3)};
    for (int i = 0; i < 4; ++i)
        *at(all.inputs, i, 1) = i % 2 ? 1e30 : -1e30;
    expect_error(glnn_learner_train(kmeans_of(&small), dataset_of(all), NULL, NULL),
                 GLNN_E_DIVERGED, "squared distance");
    array centres = array_new(2, 3);
    glnn_learner *kmeans = kmeans_of(&small);
    set_centres(kmeans, centres);
    expect_error(glnn_learner_train(kmeans, dataset_of(all), NULL, NULL), GLNN_E_DIVERGED,
                 "not finite");
    expect_error(glnn_learner_train(kmeans, dataset_of(all),
                                    &(glnn_train_desc){.schedule.rate = 0.5f}, NULL),
                 GLNN_E_ARG, "no learning rate");
    int winner = 0, class = 0;
    float distance = 0;
    glnn_metrics metrics;
    expect_error(glnn_learner_evaluate(kmeans, dataset_of(all), &metrics, NULL), GLNN_E_DIVERGED,
                 "not finite");
    const float far[] = {0, 1e30f, 0};
    expect_ok(glnn_learner_find_nearest(kmeans, 1, far, 1, &winner, &distance));
    expect_ok(glnn_learner_predict(kmeans, 1, far, NULL, &class));
    assert_true(isinf(distance) && winner == -1 && class == -1);
    float outputs[2];
    expect_error(glnn_learner_predict(kmeans, 1, far, outputs, NULL), GLNN_E_DIVERGED,
                 "score of centre 0 for sample 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(descriptions_that_make_no_sense_are_refused),
        LEARNING_TEST(data_that_do_not_fit_are_refused),
        LEARNING_TEST(calls_that_make_no_sense_are_refused),
        LEARNING_TEST(distances_that_overflow_say_so),
    };
    return cmocka_run_group_tests_name("kmeans_errors", tests, test_group_setup,
                                       test_group_teardown);
}
