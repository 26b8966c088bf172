/* Results that are not finite are errors, whichever result is asked for. */
#include "support/subjects.h"

#include "learn/train/trainer.h"

/* Six samples of two classes; the fourth is so far away that its inner products overflow. */
static samples far_samples(void)
{
    samples all = samples_random(6, 2, 2, true);
    for (int i = 0; i < 6; ++i)
        all.labels.data[i] = i % 2;
    *at(all.inputs, 3, 0) = *at(all.inputs, 3, 1) = 3e38;
    return all;
}

/* A glnn_*_evaluate function, which is called for metrics and for a confusion matrix. */
typedef glnn_status (*evaluate_call)(void *learner, const glnn_dataset *data, glnn_metrics *metrics,
                                     int64_t *confusion);

static void expect_diverged(void *learner, evaluate_call evaluate, const glnn_dataset *data,
                            const char *what)
{
    glnn_metrics metrics = {.loss = 7, .accuracy = 7};
    int64_t confusion[4];
    const glnn_status results[] = {
        evaluate(learner, data, &metrics, NULL),
        evaluate(learner, data, NULL, confusion),
    };
    for (size_t i = 0; i < COUNT_OF(results); ++i)
        if (results[i] != GLNN_E_DIVERGED || !strstr(glnn_last_error(), "not finite"))
            fail_at(__FILE__, __LINE__, "%s, call %zu: %s: %s", what, i,
                    glnn_status_name(results[i]), glnn_last_error());
    assert_true(metrics.loss == 7 && metrics.accuracy == 7);
}

static glnn_status evaluate_lvq(void *lvq, const glnn_dataset *data, glnn_metrics *metrics,
                                int64_t *confusion)
{
    return glnn_learner_evaluate(lvq, data, metrics, confusion);
}

static glnn_status evaluate_gmm(void *gmm, const glnn_dataset *data, glnn_metrics *metrics,
                                int64_t *confusion)
{
    return glnn_learner_evaluate(gmm, data, metrics, confusion);
}

static glnn_status evaluate_kmeans(void *kmeans, const glnn_dataset *data, glnn_metrics *metrics,
                                   int64_t *confusion)
{
    return glnn_learner_evaluate(kmeans, data, metrics, confusion);
}

static glnn_status evaluate_network(void *network, const glnn_dataset *data, glnn_metrics *metrics,
                                    int64_t *confusion)
{
    return glnn_learner_evaluate(network, data, metrics, confusion);
}

static void evaluations_of_prototypes_fail_where_a_distance_overflows(void **state)
{
    (void)state;
    static const float prototypes[] = {-2, 1, 2, 1};
    static const glnn_lvq_kind kinds[] = {GLNN_LVQ_GLVQ, GLNN_LVQ_RSLVQ, GLNN_LVQ_LVQ1};
    const glnn_dataset *data = dataset_of(far_samples());
    for (size_t i = 0; i < COUNT_OF(kinds); ++i) {
        glnn_learner *lvq = lvq_of(&(glnn_lvq_desc){
            .kind = kinds[i], .features = 2, .classes = 2, .scale = 1, .sigma = 1});
        expect_ok(lvq_write(lvq, prototypes, NULL));
        expect_diverged(lvq, evaluate_lvq, data, glnn_lvq_kind_name(kinds[i]));
    }
    glnn_learner *kmeans =
        kmeans_of(&(glnn_kmeans_desc){.features = 2, .centres = 1, .classes = 2});
    expect_ok(write_tensor(kmeans, "centres", prototypes));
    expect_diverged(kmeans, evaluate_kmeans, data, "k-means");
}

static void evaluations_of_mixtures_fail_where_a_density_vanishes(void **state)
{
    (void)state;
    static const float weights[] = {1, 1}, means[] = {-1, 0, 1, 0};
    static const float covariances[GLNN_COVARIANCE_COUNT][8] = {
        {1, 0, 0, 1, 1, 0, 0, 1}, {1, 1, 1, 1}, {1, 1}};
    const glnn_dataset *data = dataset_of(far_samples());
    for (glnn_covariance c = 0; c < GLNN_COVARIANCE_COUNT; ++c) {
        glnn_learner *gmm =
            gmm_of(&(glnn_gmm_desc){.features = 2, .components = 1, .classes = 2, .covariance = c});
        expect_ok(gmm_write(gmm, weights, means, covariances[c]));
        expect_diverged(gmm, evaluate_gmm, data, glnn_covariance_name(c));
    }
}

/* A network whose outputs are 1e38 times ten times the sum of the inputs. */
static glnn_learner *steep_network(glnn_loss loss)
{
    static const float weights[] = {1e38f, 1e38f, 1e38f, 1e38f};
    const bool has_text = loss == GLNN_LOSS_EXPRESSION;
    glnn_learner *network =
        network_of(&(glnn_network_desc){.features = 2,
                                        .layers = {{.units = 2}},
                                        .loss = loss,
                                        .loss_value = has_text ? "abs(y - t)" : NULL,
                                        .loss_derivative = has_text ? "sign(y - t)" : NULL,
                                        .capacity = 2});
    expect_ok(write_weights(network, 0, weights, NULL));
    return network;
}

static void evaluations_of_networks_fail_where_an_output_overflows(void **state)
{
    (void)state;
    for (glnn_loss loss = 0; loss < GLNN_LOSS_COUNT; ++loss) {
        samples all = samples_random(6, 2, 2, true);
        *at(all.inputs, 3, 0) = 100;
        const glnn_dataset *data = dataset_of(all);
        glnn_learner *network = steep_network(loss);
        double value = 7;
        float gradient[6];
        expect_diverged(network, evaluate_network, data, glnn_loss_name(loss));
        *at(all.inputs, 1, 0) = 100;
        expect_error(
            glnn_network_compute_gradient(network, dataset_of(all), 2, 0, &value, gradient),
            GLNN_E_DIVERGED, "not finite");
        assert_true(value == 7);
    }
}

static void predictions_that_are_not_finite_name_the_sample(void **state)
{
    (void)state;
    for (glnn_loss loss = 0; loss < GLNN_LOSS_COUNT; ++loss) {
        if (loss == GLNN_LOSS_BINARY_CROSS_ENTROPY)
            continue; /* the sigmoid of an infinite number is finite */
        glnn_learner *network = steep_network(loss);
        float inputs[14] = {0}, outputs[14];
        expect_ok(glnn_learner_predict(network, 7, inputs, outputs, NULL));
        inputs[2 * 4] = 100; /* the third of the lists of passes */
        expect_error(glnn_learner_predict(network, 7, inputs, outputs, NULL), GLNN_E_DIVERGED,
                     "output 0 of sample 4 is ");
        int classes[7];
        expect_error(glnn_learner_predict(network, 7, inputs, NULL, classes), GLNN_E_DIVERGED,
                     "output 0 of sample 4 is ");
    }
}

static void predictions_of_mixtures_and_posteriors_name_the_sample(void **state)
{
    (void)state;
    static const float prototypes[] = {-2, 1, 2, 1}, ones[] = {1, 1, 1, 1};
    float inputs[10] = {0}, scores[10];
    int classes[5];
    glnn_learner *gmm = gmm_of(&(glnn_gmm_desc){.features = 2,
                                                .components = 1,
                                                .classes = 2,
                                                .covariance = GLNN_COVARIANCE_DIAGONAL,
                                                .capacity = 2});
    glnn_learner *lvq = lvq_of(&(glnn_lvq_desc){.kind = GLNN_LVQ_RSLVQ,
                                                .features = 2,
                                                .classes = 2,
                                                .scale = 1,
                                                .sigma = 1,
                                                .capacity = 2});
    expect_ok(gmm_write(gmm, ones, prototypes, ones));
    expect_ok(lvq_write(lvq, prototypes, NULL));
    expect_ok(glnn_gmm_compute_densities(gmm, 5, inputs, scores, NULL));
    expect_ok(glnn_learner_predict(lvq, 5, inputs, scores, NULL));
    inputs[6] = inputs[7] = 3e38f;
    expect_error(glnn_gmm_compute_densities(gmm, 5, inputs, scores, NULL), GLNN_E_DIVERGED,
                 "glnn_gmm_compute_densities: the logarithm of the density of sample 3");
    expect_error(glnn_gmm_compute_densities(gmm, 5, inputs, NULL, scores), GLNN_E_DIVERGED,
                 "sample 3");
    expect_error(glnn_learner_predict(gmm, 5, inputs, NULL, classes), GLNN_E_DIVERGED, "sample 3");
    expect_error(glnn_learner_predict(lvq, 5, inputs, scores, NULL), GLNN_E_DIVERGED, "sample 3");
}

static void expect_unusable(glnn_learner *lvq, int count, const float *inputs, const char *words)
{
    int winners[12], classes[12];
    float distances[24], scores[24];
    expect_error(glnn_learner_predict(lvq, count, inputs, NULL, classes), GLNN_E_DIVERGED, words);
    expect_error(glnn_learner_find_nearest(lvq, count, inputs, 1, winners, distances),
                 GLNN_E_DIVERGED, words);
    expect_error(glnn_learner_find_nearest(lvq, count, inputs, 2, winners, distances),
                 GLNN_E_DIVERGED, words);
    expect_error(glnn_learner_predict(lvq, count, inputs, scores, NULL), GLNN_E_DIVERGED, words);
}

static void classifiers_that_have_diverged_predict_nothing(void **state)
{
    (void)state;
    static const glnn_lvq_kind kinds[] = {GLNN_LVQ_GLVQ, GLNN_LVQ_GRLVQ, GLNN_LVQ_GMLVQ};
    samples all = samples_random(6, 2, 2, true);
    for (int i = 0; i < 6; ++i)
        all.labels.data[i] = i % 2;
    const glnn_dataset *data = dataset_of(all);
    float inputs[12];
    for (int i = 0; i < 12; ++i)
        inputs[i] = (float)all.inputs.data[i];
    for (size_t i = 0; i < COUNT_OF(kinds); ++i) {
        glnn_learner *lvq = lvq_of(&(glnn_lvq_desc){
            .kind = kinds[i], .features = 2, .classes = 2, .prototypes = 1, .capacity = 4});
        expect_ok(glnn_learner_initialise(lvq, data));
        expect_error(glnn_learner_train(
                         lvq, data,
                         &(glnn_train_desc){.epochs = 3, .batch = 2, .schedule.rate = 1e38f}, NULL),
                     GLNN_E_DIVERGED, "not finite");
        expect_unusable(lvq, 6, inputs, " of prototype 0 is ");
    }
}

static void distances_that_overflow_name_class_and_sample(void **state)
{
    (void)state;
    static const float prototypes[] = {-2, 1, 2, 1};
    int winners[10];
    float inputs[10] = {0}, distances[10], scores[10];
    glnn_learner *lvq =
        lvq_of(&(glnn_lvq_desc){.kind = GLNN_LVQ_LVQ1, .features = 2, .classes = 2, .capacity = 2});
    expect_ok(lvq_write(lvq, prototypes, NULL));
    expect_ok(glnn_learner_find_nearest(lvq, 5, inputs, 2, winners, distances));
    expect_ok(glnn_learner_predict(lvq, 5, inputs, scores, NULL));
    inputs[6] = inputs[7] = 3e38f;
    expect_error(glnn_learner_find_nearest(lvq, 5, inputs, 2, winners, distances), GLNN_E_DIVERGED,
                 "sample 3");
    expect_error(glnn_learner_predict(lvq, 5, inputs, scores, NULL), GLNN_E_DIVERGED,
                 "class 0 for sample 3");
}

static void predictions_refuse_inputs_that_are_not_finite(void **state)
{
    (void)state;
    glnn_learner *network =
        network_of(&(glnn_network_desc){.features = 2, .layers = {{.units = 2}}});
    float inputs[6] = {0}, outputs[6];
    inputs[3] = 7e4f;
    expect_ok(glnn_learner_predict(network, 3, inputs, outputs, NULL));
    expect_ok(glnn_network_set_precision(network, GLNN_PRECISION_MIXED));
    expect_error(glnn_learner_predict(network, 3, inputs, outputs, NULL), GLNN_E_FORMAT,
                 "feature 1 of sample 1 is 70000; float16");
    inputs[3] = NAN;
    expect_error(glnn_learner_predict(network, 3, inputs, outputs, NULL), GLNN_E_ARG,
                 "feature 1 of sample 1");
}

/* Parameters of mixtures and k-means are not looked at, so there is no sum of their squares. */
static void learners_that_are_not_checked_have_no_squares(void **state)
{
    (void)state;
    static const learner_kind kinds[] = {KMEANS, MIXTURE};
    for (size_t i = 0; i < COUNT_OF(kinds); ++i) {
        const subject of = subject_of(kinds[i]);
        const glnn_train_desc how = training_of(kinds[i]);
        glnn_trainer *trainer = trainer_of(&of, dataset_of(some_samples()), &how);
        run_by(trainer, 0, 0);
        assert_true(trainer->stopper.squares == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(evaluations_of_prototypes_fail_where_a_distance_overflows),
        LEARNING_TEST(evaluations_of_mixtures_fail_where_a_density_vanishes),
        LEARNING_TEST(evaluations_of_networks_fail_where_an_output_overflows),
        LEARNING_TEST(predictions_that_are_not_finite_name_the_sample),
        LEARNING_TEST(predictions_of_mixtures_and_posteriors_name_the_sample),
        LEARNING_TEST(classifiers_that_have_diverged_predict_nothing),
        LEARNING_TEST(distances_that_overflow_name_class_and_sample),
        LEARNING_TEST(predictions_refuse_inputs_that_are_not_finite),
        LEARNING_TEST(learners_that_are_not_checked_have_no_squares),
    };
    return cmocka_run_group_tests_name("diverged", tests, test_group_setup, test_group_teardown);
}
