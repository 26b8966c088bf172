/* Mixtures of several classes: what a class has to do with the others, while training and when
 * samples are measured. */
#include "support/clusters.h"

#include "data/order.h"

/* Components of class c start around its samples, in no special place. */
static void set_start(glnn_learner *gmm, int first)
{
    const glnn_gmm_desc *desc = glnn_gmm_get_desc(gmm);
    const int n = desc->features, count = tensor_rows(gmm, "weights");
    array weights = array_new(count, 1), means = array_new(count, n);
    array covariances = array_new(count, n * n);
    for (int j = 0; j < count; ++j) {
        weights.data[j] = 1;
        for (int f = 0; f < n; ++f) {
            *at(means, j, f) = sin(3 * (first + j) + f);
            *at(covariances, j, f * (n + 1)) = 4;
        }
    }
    expect_ok(gmm_write(gmm, floats_of(weights), floats_of(means), floats_of(covariances)));
}

static samples samples_of_class(samples all, int class)
{
    int count = 0;
    samples made = {.inputs = array_new(all.inputs.rows, all.inputs.columns)};
    for (int i = 0; i < all.inputs.rows; ++i) {
        if ((int)all.labels.data[i] != class)
            continue;
        for (int f = 0; f < all.inputs.columns; ++f)
            *at(made.inputs, count, f) = *at(all.inputs, i, f);
        ++count;
    }
    made.inputs.rows = count;
    return made;
}

static void expect_part(array got, int first, array want, double scale, const char *what)
{
    for (int j = 0; j < want.rows; ++j)
        for (int e = 0; e < want.columns; ++e)
            if (!(fabs(*at(got, first + j, e) - scale * *at(want, j, e)) <=
                  1e-3 * (1 + fabs(*at(want, j, e)))))
                fail_at(__FILE__, __LINE__, "%s %d, %d: %.9g, by itself %.9g", what, first + j, e,
                        *at(got, first + j, e), scale * *at(want, j, e));
}

/* Class 0 is two clouds, which its components find soon; those of class 1, three clouds and an
 * eighth of the samples, take many iterations. Class 0 does not go on with it, and does not end it
 * early. */
static void a_mixture_of_classes_is_the_mixture_of_each(void **state)
{
    (void)state;
    enum { SAMPLES = 720, CLASSES = 2, COMPONENTS = 2 };
    static const double shares[CLASSES] = {7 / 8.0, 1 / 8.0};
    random_seed(61);
    samples all = samples_clustered(SAMPLES, 3, 6, 0.6, CLASSES);
    const glnn_gmm_desc desc = {.features = 3, .components = COMPONENTS, .capacity = 64};
    glnn_gmm_desc joint = desc;
    joint.classes = CLASSES;
    for (int i = 0; i < SAMPLES; ++i) {
        all.labels.data[i] = i % 24 == 1 || i % 24 == 3 || i % 24 == 5;
        for (int f = 0; f < 3 && all.labels.data[i] == 0; ++f)
            *at(all.inputs, i, f) = 0.1 * *at(all.inputs, i, f) + (i % 2 ? 20 : -20);
    }
    glnn_learner *gmm = gmm_of(&joint);
    set_start(gmm, 0);
    glnn_train_result result = {.size = sizeof result}, alone[CLASSES];
    expect_ok(glnn_learner_train(gmm, dataset_of(all), NULL, &result));
    const gmm_reference got = gmm_reference_of(gmm);
    double loss = 0;
    for (int c = 0; c < CLASSES; ++c) {
        glnn_learner *of_class = gmm_of(&desc);
        alone[c].size = sizeof alone[c];
        set_start(of_class, c * COMPONENTS);
        expect_ok(
            glnn_learner_train(of_class, dataset_of(samples_of_class(all, c)), NULL, &alone[c]));
        const gmm_reference want = gmm_reference_of(of_class);
        expect_part(got.weights, c * COMPONENTS, want.weights, shares[c], "weight");
        expect_part(got.means, c * COMPONENTS, want.means, 1, "mean");
        expect_part(got.covariances, c * COMPONENTS, want.covariances, 1, "covariance");
        loss += shares[c] * (alone[c].training.loss - log(shares[c]));
    }
    assert_true(alone[0].epochs + 1 < alone[1].epochs);
    assert_int_equal(result.epochs, alone[1].epochs);
    assert_true(result.stopped && fabs(result.training.loss - loss) < 1e-4 * (1 + fabs(loss)));
}

/* 40 classes of 10 components: side by side, what a list of passes makes of 1024 samples would take
 * 26 MB. */
static void training_needs_no_room_for_other_classes(void **state)
{
    (void)state;
    random_seed(62);
    const samples all = samples_clustered(2000, 16, 40, 1.0, 40);
    context_use(context_new((size_t)6 << 20, 0.0));
    glnn_learner *gmm = gmm_of(&(glnn_gmm_desc){.features = 16, .components = 10, .classes = 40});
    expect_ok(glnn_learner_train(gmm, dataset_of(all), &(glnn_train_desc){.epochs = 2}, NULL));
}

static bool expect_no_accuracy(void *user, const glnn_report *report)
{
    *(int *)user += 1;
    assert_true(report->training.accuracy == 0 && report->validation.accuracy == 0);
    return true;
}

/* Samples are measured class by class there, with all components here; the set kept apart has other
 * shares of the classes, and none of the last. */
static void the_validation_loss_is_what_an_evaluation_finds(void **state)
{
    (void)state;
    random_seed(63);
    for (int c = 0; c < GLNN_COVARIANCE_COUNT; ++c) {
        const samples all = samples_clustered(180, 5, 6, 1.5, 3);
        samples apart = samples_clustered(50, 5, 6, 1.5, 3);
        for (int i = 0; i < 50; ++i)
            apart.labels.data[i] = i % 5 == 0;
        glnn_learner *gmm = gmm_of(&(glnn_gmm_desc){.features = 5,
                                                    .components = 2,
                                                    .classes = 3,
                                                    .covariance = (glnn_covariance)c,
                                                    .capacity = 32});
        int reports = 0;
        glnn_metrics metrics;
        const glnn_dataset *validation = dataset_of(apart);
        const glnn_train_desc training = {
            .epochs = 3, .validation = validation, .report = expect_no_accuracy, .user = &reports};
        glnn_train_result result = {.size = sizeof result};
        expect_ok(glnn_learner_train(gmm, dataset_of(all), &training, &result));
        expect_ok(glnn_learner_evaluate(gmm, validation, &metrics, NULL));
        assert_true(fabs(result.validation.loss - metrics.loss) <= 1e-5 * (1 + fabs(metrics.loss)));
        assert_true(reports >= 3 && metrics.accuracy > 0);
        release_learning();
    }
}

static void a_class_without_samples_weighs_nothing(void **state)
{
    (void)state;
    random_seed(64);
    samples all = samples_clustered(60, 2, 4, 1.0, 2);
    all.outputs = 3;
    glnn_learner *gmm = gmm_of(&(glnn_gmm_desc){.features = 2, .components = 2, .classes = 3});
    set_start(gmm, 0);
    const gmm_reference before = gmm_reference_of(gmm);
    expect_ok(glnn_learner_train(gmm, dataset_of(all), NULL, NULL));
    const gmm_reference after = gmm_reference_of(gmm);
    double sum = 0;
    for (int j = 0; j < 4; ++j)
        sum += after.weights.data[j];
    assert_true(fabs(sum - 1) < 1e-6);
    for (int j = 4; j < 6; ++j) {
        assert_true(after.weights.data[j] == 0);
        for (int f = 0; f < 2; ++f)
            assert_true(*at(after.means, j, f) == *at(before.means, j, f));
    }
    glnn_learner *started = gmm_of(glnn_gmm_get_desc(gmm));
    expect_error(glnn_learner_train(started, dataset_of(all), NULL, NULL), GLNN_E_SHAPE,
                 "class 2 has no samples");
}

enum { EPOCHS = 12 };

typedef struct curve {
    double losses[EPOCHS], validation_losses[EPOCHS];
} curve;

static bool record_curve(void *user, const glnn_report *report)
{
    curve *of = user;
    if (report->event == GLNN_EVENT_EPOCH) {
        of->losses[report->epoch - 1] = report->training.loss;
        of->validation_losses[report->epoch - 1] = report->validation.loss;
    }
    return true;
}

static void streamed_sets_are_trained_and_validated_with_the_same_bits(void **state)
{
    (void)state;
    random_seed(65);
    const samples both = samples_clustered(1000, 6, 4, 4.0, 2);
    const samples all = samples_part(both, 0, 300), apart = samples_part(both, 300, 700);
    curve curves[2] = {0};
    for (int i = 0; i < 2; ++i) {
        const size_t budget = i > 0 ? 9000 : 0;
        glnn_learner *gmm = gmm_of(&(glnn_gmm_desc){
            .features = 6, .components = 2, .classes = 2, .tolerance = -1, .capacity = 64});
        const glnn_train_desc training = {.epochs = EPOCHS,
                                          .validation = dataset_within(apart, budget),
                                          .report = record_curve,
                                          .user = &curves[i]};
        expect_ok(glnn_learner_train(gmm, dataset_within(all, budget), &training, NULL));
    }
    assert_memory_equal(&curves[0], &curves[1], sizeof *curves);
}

static void samples_are_sorted_by_class_in_their_old_order(void **state)
{
    (void)state;
    static const int labels[] = {2, 0, 3, 2, 0, 0, 3, 2}, want[] = {0, 1, 4, 5, 3, 7, 2, 6};
    static const int begins[] = {1, 4, 4, 6, 8};
    glnn__order order;
    glnn__groups groups;
    expect_ok(glnn__order_create(8, 0, &order));
    expect_ok(glnn__order_group(&order, 1, 7, labels, 4, &groups));
    assert_int_equal(groups.count, 4);
    assert_memory_equal(order.entries, want, sizeof want);
    assert_memory_equal(groups.begins, begins, sizeof begins);
    glnn__groups_destroy(&groups);
    expect_ok(glnn__order_group(&order, 2, 5, NULL, 4, &groups));
    assert_int_equal(groups.count, 1);
    assert_true(groups.begins[0] == 2 && groups.begins[1] == 7);
    glnn__groups_destroy(&groups);
    glnn__order_destroy(&order);
}

/* Trains on 16 samples of each of 5 classes, or of none; returns how many warnings the log has. */
static int warnings_of(glnn_gmm_desc desc, int classes)
{
    random_seed(65);
    const samples all = samples_clustered(80, desc.features, 5, 2, classes);
    desc.classes = classes;
    desc.capacity = 64;
    log_clear();
    expect_ok(
        glnn_learner_train(gmm_of(&desc), dataset_of(all), &(glnn_train_desc){.epochs = 2}, NULL));
    return log_count(GLNN_LOG_WARNING);
}

/* A full component of 4 features has 15 parameters, a diagonal one 9 and a spherical one 6. */
static void fewer_samples_than_parameters_are_warned_of_once(void **state)
{
    (void)state;
    const glnn_gmm_desc full = {.features = 4, .components = 2};
    glnn_gmm_desc enough = full, diagonal = full, spherical = full, many = full;
    enough.components = 1;
    diagonal.covariance = GLNN_COVARIANCE_DIAGONAL;
    spherical.covariance = GLNN_COVARIANCE_SPHERICAL;
    many.components = 6;
    assert_int_equal(warnings_of(full, 5), 1);
    const char *text = log_text(GLNN_LOG_WARNING);
    assert_non_null(strstr(text,
                           "class 0 has 16 samples for 2 components of 15 parameters each, 30 "
                           "in all (5 of 5 classes have too few); fewer components or "
                           "diagonal covariances may be better"));
    assert_int_equal(warnings_of(enough, 5), 0);
    assert_int_equal(warnings_of(diagonal, 5), 1);
    assert_non_null(strstr(log_text(GLNN_LOG_WARNING), "9 parameters each, 18 in all"));
    assert_int_equal(warnings_of(spherical, 5), 0);
    assert_int_equal(warnings_of(full, 0), 0);
    assert_int_equal(warnings_of(many, 0), 1);
    assert_non_null(strstr(log_text(GLNN_LOG_WARNING), "data set: 80 samples for 6 components of "
                                                       "15 parameters each, 90 in all; fewer"));
    log_clear();
}

/* 12 samples for a component of 10 features. */
static void small_components_classify_other_samples(void **state)
{
    (void)state;
    enum { FEATURES = 10, COMPONENTS = 4, CLASSES = 3, SAMPLES = 12 * COMPONENTS * CLASSES };
    double accuracy[2];
    for (int i = 0; i < 2; ++i) {
        random_seed(66);
        const samples all = samples_clustered(2 * SAMPLES, FEATURES, CLASSES, 4, CLASSES);
        glnn_learner *gmm = gmm_of(&(glnn_gmm_desc){.features = FEATURES,
                                                    .components = COMPONENTS,
                                                    .classes = CLASSES,
                                                    .shrinkage = i ? 0 : -1});
        glnn_metrics metrics;
        const glnn_dataset *data = dataset_of(samples_part(all, 0, SAMPLES));
        const glnn_dataset *other = dataset_of(samples_part(all, SAMPLES, SAMPLES));
        expect_ok(glnn_learner_train(gmm, data, NULL, NULL));
        expect_ok(glnn_learner_evaluate(gmm, other, &metrics, NULL));
        accuracy[i] = metrics.accuracy;
    }
    assert_true(accuracy[1] > accuracy[0] + 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(a_mixture_of_classes_is_the_mixture_of_each),
        LEARNING_TEST(training_needs_no_room_for_other_classes),
        LEARNING_TEST(the_validation_loss_is_what_an_evaluation_finds),
        LEARNING_TEST(a_class_without_samples_weighs_nothing),
        LEARNING_TEST(fewer_samples_than_parameters_are_warned_of_once),
        LEARNING_TEST(small_components_classify_other_samples),
        LEARNING_TEST(streamed_sets_are_trained_and_validated_with_the_same_bits),
        LEARNING_TEST(samples_are_sorted_by_class_in_their_old_order),
    };
    return cmocka_run_group_tests_name("mixtures of classes", tests, test_group_setup,
                                       test_group_teardown);
}
