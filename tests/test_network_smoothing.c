/* Smoothed labels: losses and gradients of training, and the plain losses of evaluation. */
#include "support/network_checks.h"

enum { SAMPLES = 23, FEATURES = 5 };

static const float smoothings[] = {0.1f, 0.75f};

/* 70 outputs take a pass of their own for the sums of the softmax, and one is a sigmoid. */
static const int outputs[] = {1, 2, 5, 70};

static glnn_learner *network_with(int units, float smoothing, glnn_layout layout)
{
    glnn_learner *network = network_of(&(glnn_network_desc){
        .features = FEATURES,
        .layers = {{.units = 6, .activation = GLNN_ACTIVATION_TANH}, {.units = units}},
        .label_smoothing = smoothing,
        .layout = layout,
        .seed = 5,
    });
    draw_parameters(network);
    return network;
}

static void check_gradients(int units, float smoothing, glnn_layout layout)
{
    glnn_learner *network = network_with(units, smoothing, layout);
    samples all = samples_for(network, SAMPLES, true);
    expect_gradients(network, all, SAMPLES, "smoothed labels");
    all.weights = array_random(SAMPLES, 1, 0.0, 3.0);
    expect_gradients(network, all, SAMPLES, "smoothed labels and weights");
    release_learning();
}

static void gradients_and_losses_agree_with_the_reference(void **state)
{
    (void)state;
    random_seed(41);
    for (size_t o = 0; o < COUNT_OF(outputs); ++o)
        for (size_t s = 0; s < COUNT_OF(smoothings); ++s)
            for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
                check_gradients(outputs[o], smoothings[s], layout);
}

static void gradients_of_the_reference_are_slopes_of_its_loss(void **state)
{
    (void)state;
    random_seed(42);
    for (size_t o = 0; o < COUNT_OF(outputs); ++o) {
        glnn_learner *network = network_with(outputs[o], 0.25f, GLNN_LAYOUT_PACKED);
        network_reference net = network_reference_of(network);
        expect_slopes(&net, samples_for(network, SAMPLES, true), "smoothed labels");
        release_learning();
    }
}

static void steps_agree_with_the_reference(void **state)
{
    (void)state;
    random_seed(43);
    for (size_t o = 0; o < COUNT_OF(outputs); ++o)
        for (int precision = 0; precision < GLNN_PRECISION_COUNT; ++precision) {
            glnn_learner *network = network_with(outputs[o], 0.1f, rendered_layout(o));
            expect_ok(glnn_network_set_precision(network, (glnn_precision)precision));
            const samples all = samples_for(network, SAMPLES, true);
            for (int s = 0; s < 2; ++s)
                expect_step(network, all, (glnn_train_desc){.schedule.rate = 0.125f},
                            "smoothed labels");
            release_learning();
        }
}

/* The rate is so small that the parameters stay what they are. */
static void training_reports_the_smoothed_loss_and_evaluation_the_plain_one(void **state)
{
    (void)state;
    random_seed(44);
    for (size_t o = 0; o < COUNT_OF(outputs); ++o) {
        glnn_learner *network = network_with(outputs[o], 0.5f, rendered_layout(o));
        const samples all = samples_for(network, SAMPLES, true);
        const glnn_dataset *data = dataset_of(all);
        network_reference net = network_reference_of(network);
        const bounded plain = network_reference_loss(&net, all);
        const bounded smoothed = network_reference_gradient(&net, all);
        assert_true(fabs(smoothed.value - plain.value) > plain.bound + smoothed.bound);
        glnn_train_result result = {.size = sizeof result};
        const glnn_train_desc how = {
            .epochs = 1, .batch = GLNN_FULL_BATCH, .schedule.rate = 1e-30f, .validation = data};
        expect_ok(glnn_learner_train(network, data, &how, &result));
        glnn_metrics metrics;
        expect_ok(glnn_learner_evaluate(network, data, &metrics, NULL));
        expect_bounded(result.training.loss, smoothed, "the loss of training", "");
        expect_bounded(result.validation.loss, plain, "the loss of validation", "");
        expect_bounded(metrics.loss, plain, "the loss of evaluation", "");
        assert_true(result.training.accuracy == metrics.accuracy);
        release_learning();
    }
}

static void smoothing_needs_cross_entropy_and_a_number_below_one(void **state)
{
    (void)state;
    static const struct {
        float smoothing;
        glnn_loss loss;
        const char *part;
    } senseless[] = {
        {1, GLNN_LOSS_CROSS_ENTROPY, "label_smoothing is 1; it has to be a number in [0, 1)"},
        {-0.5f, GLNN_LOSS_CROSS_ENTROPY, "label_smoothing is -0.5"},
        {NAN, GLNN_LOSS_CROSS_ENTROPY, "label_smoothing is nan"},
        {0.5f, GLNN_LOSS_SQUARED, "0.5, but the loss squared does not use it"},
        {0.5f, GLNN_LOSS_HINGE, "a label smoothing of 0.5, but the loss hinge does not use it"},
        {0.5f, GLNN_LOSS_QUANTILE, "but the loss quantile does not use it"},
    };
    for (size_t i = 0; i < COUNT_OF(senseless); ++i) {
        const glnn_network_desc desc = {.features = 3,
                                        .layers = {{.units = 2}},
                                        .loss = senseless[i].loss,
                                        .label_smoothing = senseless[i].smoothing};
        glnn_learner *network = NULL;
        expect_error(glnn_network_create(glnn_test_context(), &desc, &network), GLNN_E_ARG,
                     senseless[i].part);
        assert_null(network);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(gradients_and_losses_agree_with_the_reference),
        LEARNING_TEST(gradients_of_the_reference_are_slopes_of_its_loss),
        LEARNING_TEST(steps_agree_with_the_reference),
        LEARNING_TEST(training_reports_the_smoothed_loss_and_evaluation_the_plain_one),
        LEARNING_TEST(smoothing_needs_cross_entropy_and_a_number_below_one),
    };
    return cmocka_run_group_tests_name("network smoothing", tests, test_group_setup,
                                       test_group_teardown);
}
