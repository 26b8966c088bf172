/* Arguments that LVQ classifiers refuse, and the sentences of these errors. */
#include "support/prototypes.h"

#include <limits.h>

static const glnn_lvq_desc sound = {.features = 3, .classes = 2, .capacity = 8};

static void classifiers_refuse_descriptions_that_make_no_sense(void **state)
{
    (void)state;
    static const int negative[2] = {1, -1}, none[2] = {0, 0}, one[2] = {0, 1};
    static const struct {
        glnn_lvq_desc desc;
        const char *part;
    } wrong[] = {
        {{.features = 0, .classes = 2}, "features is 0; it has to be an integer from 1 on"},
        {{.features = 3, .classes = 0}, "classes is 0; it has to be an integer from 1 on"},
        {{.features = 3, .classes = 2, .kind = GLNN_LVQ_KIND_COUNT},
         "kind is 8; it has to be one of glvq, grlvq, gmlvq, rslvq, lvq1, olvq1, lvq2.1, lvq3"},
        {{.features = 3, .classes = 2, .init = GLNN_LVQ_INIT_COUNT},
         "init is 4; it has to be one of auto, means, kmeans, samples"},
        {{.features = 3, .classes = 2, .search = GLNN_SEARCH_COUNT},
         "search is 4; it has to be one of auto, "},
        {{.features = 3, .classes = 2, .layout = GLNN_LAYOUT_PAGED}, "paged"},
        {{.features = 3, .classes = 2, .prototypes = -1},
         "prototypes is -1; it has to be an integer from 1 on, or 0 for 1"},
        {{.features = 3, .classes = 2, .prototypes_of = negative}, "class 1 has -1 prototypes"},
        {{.features = 3, .classes = 2, .prototypes_of = none}, "no class has a prototype"},
        {{.features = 3, .classes = 2, .prototypes_of = one, .kind = GLNN_LVQ_RSLVQ},
         "class 0 has 0 prototypes; rslvq needs at least 1"},
        {{.features = 3, .classes = 2, .kmeans_steps = -2},
         "kmeans_steps is -2; it has to be an integer from 1 to 1000, or 0 for 5"},
        {{.features = 3, .classes = 2, .kmeans_steps = INT_MAX}, "kmeans_steps is 2147483647"},
        {{.features = 3, .classes = 2, .capacity = -5},
         "capacity is -5; it has to be an integer from 1 on, or 0 for 1024"},
        {{.features = 3, .classes = 2, .rank = 4}, "rank of 4"},
        {{.features = 3, .classes = 2, .rank = -1}, "rank is -1"},
        {{.features = 3, .classes = 2, .xi = -1},
         "xi is -1; it has to be a finite number above 0, or 0 for 20"},
        {{.features = 3, .classes = 2, .xi = NAN}, "xi is"},
        {{.features = 3, .classes = 2, .xi_growth = INFINITY},
         "xi_growth is inf; it has to be a finite number from 0 on"},
        {{.features = 3, .classes = 2, .window = 1},
         "window is 1; it has to be a number in (0, 1), or 0 for 0.3"},
        {{.features = 3, .classes = 2, .epsilon = 1.5f},
         "epsilon is 1.5; it has to be a number in (0, 1], or 0 for 0.2"},
        {{.features = 3, .classes = 2, .sigma = -2},
         "sigma is -2; it has to be a finite number from 0 on, or 0 for one found from the data"},
        {{.features = 3, .classes = 2, .scale = -3}, "scale is -3"},
        {{.features = 3, .classes = 2, .metric_rate = -4}, "metric_rate is -4"},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
        glnn_learner *lvq = (glnn_learner *)state;
        expect_error(glnn_lvq_create(glnn_test_context(), &wrong[i].desc, &lvq), GLNN_E_ARG,
                     wrong[i].part);
        assert_null(lvq);
    }
    glnn_learner *lvq = NULL;
    expect_error(glnn_lvq_create(NULL, &sound, &lvq), GLNN_E_ARG, "null");
    expect_error(glnn_lvq_create(glnn_test_context(), NULL, &lvq), GLNN_E_ARG, "null");
    expect_error(glnn_lvq_create(glnn_test_context(), &sound, NULL), GLNN_E_ARG, "null");
}

static void classifiers_that_do_not_fit_say_so_and_leave_nothing_behind(void **state)
{
    (void)state;
    glnn_context *small = context_new(100000, 0.0);
    const glnn_lvq_desc many = {.features = 3, .classes = 2, .prototypes = 9000000};
    const glnn_lvq_desc large = {.features = 100, .classes = 2, .prototypes = 500, .capacity = 8};
    glnn_learner *lvq = NULL;
    expect_error(glnn_lvq_create(small, &many, &lvq), GLNN_E_LIMIT, "18000000 prototypes");
    expect_error(glnn_lvq_create(small, &large, &lvq), GLNN_E_LIMIT, "100000");
    assert_null(lvq);
    context_use(small);
    lvq_of(&sound);
}

static glnn_learner *ready(void)
{
    glnn_learner *lvq = lvq_of(&sound);
    expect_ok(lvq_write(lvq, floats_of(array_random(2, 3, -1.0, 1.0)), NULL));
    return lvq;
}

static glnn_status train_on(void *lvq, const glnn_dataset *data)
{
    return glnn_learner_train(lvq, data, NULL, NULL);
}

static glnn_status validate_on(void *lvq, const glnn_dataset *data)
{
    const glnn_train_desc desc = {.validation = data};
    return glnn_learner_train(lvq, dataset_of(samples_random(5, 3, 2, true)), &desc, NULL);
}

static glnn_status evaluate_on(void *lvq, const glnn_dataset *data)
{
    return glnn_learner_evaluate(lvq, data, NULL, NULL);
}

static glnn_status initialise_on(void *lvq, const glnn_dataset *data)
{
    return glnn_learner_initialise(lvq, data);
}

static void data_sets_have_to_fit_the_classifier(void **state)
{
    (void)state;
    static const data_call calls[] = {train_on, validate_on, evaluate_on, initialise_on};
    glnn_learner *lvq = ready();
    const glnn_dataset *data = dataset_of(samples_random(5, 3, 2, true));
    const array before = prototypes_of(lvq);
    expect_unfit_data_refused(lvq, calls, COUNT_OF(calls), "4 features",
                              "the classifier is made for 2");
    expect_error(glnn_learner_train(NULL, data, NULL, NULL), GLNN_E_ARG, "null");
    expect_error(glnn_learner_train(lvq, NULL, NULL, NULL), GLNN_E_ARG, "null");
    expect_error(glnn_learner_initialise(NULL, data), GLNN_E_ARG, "null");
    expect_error(glnn_learner_initialise(lvq, NULL), GLNN_E_ARG, "null");
    expect_error(glnn_learner_evaluate(NULL, data, NULL, NULL), GLNN_E_ARG, "null");
    expect_same_bits(before, prototypes_of(lvq), "prototypes after all was refused");
    assert_true(glnn_lvq_get_epochs(lvq) == 0);
}

static void prototypes_that_were_never_set_are_missed(void **state)
{
    (void)state;
    glnn_learner *lvq = lvq_of(&sound);
    const glnn_dataset *data = dataset_of(samples_random(5, 3, 2, true));
    const float x[3] = {1, 2, 3};
    float values[6];
    int numbers[2];
    expect_error(glnn_learner_evaluate(lvq, data, NULL, NULL), GLNN_E_STATE, "no prototypes yet");
    expect_error(glnn_learner_predict(lvq, 1, x, NULL, numbers), GLNN_E_STATE, "no prototypes yet");
    expect_error(glnn_learner_find_nearest(lvq, 1, x, 1, numbers, NULL), GLNN_E_STATE,
                 "no prototypes yet");
    expect_error(glnn_learner_predict(lvq, 1, x, values, NULL), GLNN_E_STATE, "no prototypes yet");
    expect_error(lvq_read(lvq, values, numbers), GLNN_E_STATE, "no prototypes yet");
    expect_error(glnn_learner_save(lvq, "never"), GLNN_E_STATE,
                 "glnn_learner_save: the classifier has no");
}

static void inputs_and_lengths_that_cannot_be_are_refused(void **state)
{
    (void)state;
    glnn_learner *lvq = ready();
    const float x[6] = {1, 2, 3, 4, NAN, 6};
    float scores[4];
    int numbers[6];
    expect_error(glnn_learner_predict(lvq, 2, x, NULL, numbers), GLNN_E_ARG,
                 "feature 1 of sample 1 is");
    expect_error(glnn_learner_find_nearest(lvq, 2, x, 1, numbers, NULL), GLNN_E_ARG, "sample 1");
    expect_error(glnn_learner_predict(lvq, 2, x, scores, NULL), GLNN_E_ARG, "sample 1");
    expect_error(glnn_learner_predict(lvq, 0, x, NULL, numbers), GLNN_E_ARG, "0 samples");
    expect_error(glnn_learner_predict(lvq, 1, NULL, NULL, numbers), GLNN_E_ARG, "`inputs` is null");
    expect_error(glnn_learner_predict(NULL, 1, x, NULL, numbers), GLNN_E_ARG, "`learner` is null");
    expect_error(glnn_learner_find_nearest(lvq, 1, x, 0, numbers, NULL), GLNN_E_ARG,
                 "the 0 nearest of 2");
    expect_error(glnn_learner_find_nearest(lvq, 1, x, 3, numbers, NULL), GLNN_E_ARG,
                 "the 3 nearest of 2");
    expect_error(glnn_learner_find_nearest(lvq, 1, x, 1, NULL, NULL), GLNN_E_ARG,
                 "`prototypes` and `distances` are both null");
    expect_error(glnn_learner_predict(lvq, 1, x, NULL, NULL), GLNN_E_ARG, "both null");
}

static void what_is_written_has_to_make_sense(void **state)
{
    (void)state;
    glnn_learner *plain = ready();
    const glnn_lvq_desc grlvq = {.kind = GLNN_LVQ_GRLVQ, .features = 3, .classes = 2};
    const glnn_lvq_desc gmlvq = {.kind = GLNN_LVQ_GMLVQ, .features = 3, .classes = 2};
    const glnn_lvq_desc olvq1 = {.kind = GLNN_LVQ_OLVQ1, .features = 3, .classes = 2};
    const float zeros[9] = {0}, bad[6] = {1, 2, INFINITY, 4, 5, 6}, negative[3] = {1, -1, 1};
    const float good[6] = {1, 2, 3, 4, 5, 6}, rates[2] = {0.5f, 1};
    const int classes[2] = {0, 2};
    float values[9];
    expect_error(lvq_write(plain, bad, NULL), GLNN_E_ARG, "`prototypes`: number 2 is inf");
    expect_error(lvq_write(plain, good, classes), GLNN_E_ARG, "has the class 2");
    expect_error(lvq_write(plain, NULL, NULL), GLNN_E_ARG, "null");
    expect_error(write_tensor(plain, "relevances", good), GLNN_E_ARG,
                 "the classifier has no tensor 'relevances'");
    expect_error(write_tensor(lvq_of(&grlvq), "relevances", zeros), GLNN_E_ARG, "none is above 0");
    expect_error(write_tensor(lvq_of(&grlvq), "relevances", negative), GLNN_E_ARG,
                 "has -1 for feature 1");
    expect_error(read_tensor(lvq_of(&grlvq), "relevances", NULL), GLNN_E_ARG, "null");
    expect_error(read_tensor(plain, "omega", values), GLNN_E_ARG, "no tensor 'omega'");
    expect_error(write_tensor(lvq_of(&gmlvq), "omega", zeros), GLNN_E_ARG, "sum to 0");
    expect_error(read_tensor(plain, "rates", values), GLNN_E_ARG, "no tensor 'rates'");
    expect_error(write_tensor(lvq_of(&olvq1), "rates", rates), GLNN_E_ARG,
                 "has a rate of 1 for prototype 1");
    expect_error(glnn_lvq_set_epochs(plain, -1), GLNN_E_ARG, "-1 epochs");
    expect_error(glnn_lvq_set_epochs(NULL, 1), GLNN_E_ARG, "`learner` is null");
}

static void rates_of_olvq1_stay_below_one(void **state)
{
    (void)state;
    const glnn_lvq_desc desc = {.kind = GLNN_LVQ_OLVQ1, .features = 3, .classes = 2};
    const glnn_dataset *data = dataset_of(samples_random(5, 3, 2, true));
    const glnn_train_desc train = {.schedule.rate = 1};
    glnn_learner *lvq = lvq_of(&desc);
    expect_ok(glnn_learner_initialise(lvq, data));
    expect_error(glnn_learner_train(lvq, data, &train, NULL), GLNN_E_ARG, "below 1");
}

static void posteriors_need_a_sigma(void **state)
{
    (void)state;
    const glnn_lvq_desc desc = {.kind = GLNN_LVQ_RSLVQ, .features = 3, .classes = 2};
    const float x[3] = {1, 2, 3};
    float scores[2];
    glnn_learner *lvq = lvq_of(&desc);
    expect_ok(lvq_write(lvq, floats_of(array_random(2, 3, -1.0, 1.0)), NULL));
    expect_error(glnn_learner_predict(lvq, 1, x, scores, NULL), GLNN_E_STATE, "sigma");
    expect_ok(glnn_learner_evaluate(lvq, dataset_of(samples_random(9, 3, 2, true)), NULL, NULL));
    expect_ok(glnn_learner_predict(lvq, 1, x, scores, NULL));
}

static void kinds_have_names(void **state)
{
    (void)state;
    assert_string_equal(glnn_lvq_kind_name(GLNN_LVQ_LVQ21), "lvq2.1");
    assert_string_equal(glnn_lvq_kind_name(GLNN_LVQ_KIND_COUNT), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(classifiers_refuse_descriptions_that_make_no_sense),
        LEARNING_TEST(classifiers_that_do_not_fit_say_so_and_leave_nothing_behind),
        LEARNING_TEST(data_sets_have_to_fit_the_classifier),
        LEARNING_TEST(prototypes_that_were_never_set_are_missed),
        LEARNING_TEST(inputs_and_lengths_that_cannot_be_are_refused),
        LEARNING_TEST(what_is_written_has_to_make_sense),
        LEARNING_TEST(rates_of_olvq1_stay_below_one),
        LEARNING_TEST(posteriors_need_a_sigma),
        LEARNING_TEST(kinds_have_names),
    };
    return cmocka_run_group_tests_name("lvq errors", tests, test_group_setup, test_group_teardown);
}
