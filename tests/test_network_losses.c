/* Losses other than cross-entropy and the squared error: values, gradients, metrics, descriptions
 * and files. */
#include "support/learner_files.h"
#include "support/loss_reference.h"
#include "support/network_checks.h"

#include <stdio.h>
#include <string.h>

enum { SAMPLES = 21, FEATURES = 5 };

/* A loss, and what a data set for it has. */
typedef struct goal {
    glnn_loss loss;
    float parameter;
    bool labels;
} goal;

static const goal goals[] = {
    {GLNN_LOSS_ABSOLUTE, 0, false},
    {GLNN_LOSS_ABSOLUTE, 0, true},
    {GLNN_LOSS_HUBER, 0, false},
    {GLNN_LOSS_HUBER, 0.25f, true},
    {GLNN_LOSS_HINGE, 0, true},
    {GLNN_LOSS_BINARY_CROSS_ENTROPY, 0, false},
    {GLNN_LOSS_BINARY_CROSS_ENTROPY, 0, true},
    {GLNN_LOSS_QUANTILE, 0, true},
    {GLNN_LOSS_QUANTILE, 0.9f, false},
    {GLNN_LOSS_EXPRESSION, 0, false},
    {GLNN_LOSS_EXPRESSION, 0, true},
};

/* 70 outputs are more than a pass compares next to a block of deltas. */
static const int outputs[] = {1, 3, 70};

static glnn_network_desc describe(const goal *to, int units, glnn_layout layout)
{
    const bool has_text = to->loss == GLNN_LOSS_EXPRESSION;
    glnn_network_desc desc = {
        .features = FEATURES,
        .layers = {{.units = 6, .activation = GLNN_ACTIVATION_TANH},
                   {.units = units, .activation = GLNN_ACTIVATION_SOFTSIGN}},
        .loss = to->loss,
        .loss_parameter = to->parameter,
        .loss_value = has_text ? EXPRESSION_VALUE : NULL,
        .loss_derivative = has_text ? EXPRESSION_DERIVATIVE : NULL,
        .layout = layout,
        .seed = 5,
    };
    if (to->loss == GLNN_LOSS_BINARY_CROSS_ENTROPY || to->loss == GLNN_LOSS_HINGE)
        desc.layers[1].activation = GLNN_ACTIVATION_IDENTITY;
    return desc;
}

static glnn_learner *network_for(const goal *to, int units, glnn_layout layout)
{
    const glnn_network_desc desc = describe(to, units, layout);
    glnn_learner *network = network_of(&desc);
    draw_parameters(network);
    return network;
}

/* A single output has no classes that it could tell apart, unless the loss is for two. */
static bool is_senseless(const goal *to, int units)
{
    return units == 1 && to->labels && to->loss != GLNN_LOSS_HINGE;
}

static void check_gradients(const goal *to, int units, glnn_layout layout)
{
    glnn_learner *network = network_for(to, units, layout);
    samples all = samples_for(network, SAMPLES, to->labels);
    expect_gradients(network, all, SAMPLES, glnn_loss_name(to->loss));
    all.weights = array_random(SAMPLES, 1, 0.0, 3.0);
    expect_gradients(network, all, SAMPLES, "weights of samples");
    expect_predictions(network, 9, glnn_loss_name(to->loss));
    release_learning();
}

/* Every loss in every layout; unless all cases are run, each with another number of outputs. */
static void losses_gradients_and_predictions_agree_with_the_reference(void **state)
{
    (void)state;
    random_seed(71);
    for (size_t g = 0; g < COUNT_OF(goals); ++g)
        for (size_t o = 0; o < COUNT_OF(outputs); ++o)
            for (size_t l = 0; l < RENDERED_COUNT; ++l)
                if (!is_senseless(&goals[g], outputs[o]) &&
                    (all_cases_are_run() || (g + l) % COUNT_OF(outputs) == o))
                    check_gradients(&goals[g], outputs[o], rendered_layout(l));
}

static void gradients_of_the_reference_are_slopes_of_its_loss(void **state)
{
    (void)state;
    random_seed(72);
    for (size_t g = 0; g < COUNT_OF(goals); ++g) {
        glnn_learner *network = network_for(&goals[g], 3, GLNN_LAYOUT_PACKED);
        network_reference net = network_reference_of(network);
        expect_slopes(&net, samples_for(network, SAMPLES, goals[g].labels),
                      glnn_loss_name(goals[g].loss));
        release_learning();
    }
}

static void steps_agree_with_the_reference(void **state)
{
    (void)state;
    random_seed(73);
    for (size_t g = 0; g < COUNT_OF(goals); ++g)
        for (int precision = 0; precision < GLNN_PRECISION_COUNT; ++precision) {
            glnn_learner *network = network_for(&goals[g], 3, rendered_layout(g));
            expect_ok(glnn_network_set_precision(network, (glnn_precision)precision));
            const samples all = samples_for(network, SAMPLES, goals[g].labels);
            for (int s = 0; s < 2; ++s)
                expect_step(network, all, (glnn_train_desc){.schedule.rate = 0.125f},
                            glnn_loss_name(goals[g].loss));
            release_learning();
        }
}

static void labels_of_several_outputs_are_smoothed_towards_one_half(void **state)
{
    (void)state;
    random_seed(74);
    for (int labels = 0; labels < 2; ++labels) {
        const goal to = {GLNN_LOSS_BINARY_CROSS_ENTROPY, 0, labels};
        glnn_network_desc desc = describe(&to, 5, rendered_layout((size_t)labels));
        desc.label_smoothing = 0.25f;
        glnn_learner *network = network_of(&desc);
        const samples all = samples_for(network, SAMPLES, labels);
        network_reference net = network_reference_of(network);
        expect_gradients(network, all, SAMPLES, "smoothed labels");
        expect_slopes(&net, all, "smoothed labels");
        release_learning();
    }
}

/* ---- Metrics */

static glnn_metrics metrics_of(glnn_learner *network, samples all)
{
    glnn_metrics metrics;
    expect_ok(glnn_learner_evaluate(network, dataset_of(all), &metrics, NULL));
    return metrics;
}

/* The mean of the squares, and of the outputs on the right side of 1/2. */
static void find_fit(glnn_learner *network, samples all, double *error, double *right)
{
    const array got = predictions_of(network, all.inputs);
    *error = *right = 0;
    for (int i = 0; i < got.rows; ++i)
        for (int j = 0; j < got.columns; ++j) {
            const double y = *at(got, i, j), t = *at(all.targets, i, j);
            const double weight = all.weights.data ? *at(all.weights, i, 0) : 1;
            *error += weight * (y - t) * (y - t) / (double)length_of(got);
            *right += ((y > 0.5) == (t > 0.5)) / (double)length_of(got);
        }
}

static void metrics_of_targets_are_the_squared_error_or_the_share_of_right_labels(void **state)
{
    (void)state;
    random_seed(75);
    for (size_t g = 0; g < COUNT_OF(goals); ++g)
        for (int weighs = 0; weighs < 2 && !goals[g].labels; ++weighs) {
            glnn_learner *network = network_for(&goals[g], 3, rendered_layout(g));
            samples all = samples_for(network, SAMPLES, false);
            if (weighs)
                all.weights = array_random(SAMPLES, 1, 0.5, 2.0);
            const glnn_metrics got = metrics_of(network, all);
            double error, right;
            find_fit(network, all, &error, &right);
            const bool has_labels = goals[g].loss == GLNN_LOSS_BINARY_CROSS_ENTROPY;
            assert_true(isnan(got.r_squared));
            assert_true(has_labels ? isnan(got.squared_error)
                                   : fabs(got.squared_error - error) < 1e-5 * (1 + error));
            assert_true(fabs(got.accuracy - (has_labels ? right : 0)) < 1e-6);
            assert_true(!has_labels || (right > 0 && right < 1));
            release_learning();
        }
}

static void accuracies_of_labels_are_shares_of_classes(void **state)
{
    (void)state;
    random_seed(76);
    for (size_t g = 0; g < COUNT_OF(goals); ++g)
        for (size_t o = 0; o < 2 && goals[g].labels; ++o) {
            if (is_senseless(&goals[g], outputs[o]))
                continue;
            glnn_learner *network = network_for(&goals[g], outputs[o], rendered_layout(g));
            const samples all = samples_for(network, SAMPLES, true);
            int classes[SAMPLES], right = 0;
            expect_ok(glnn_learner_predict(network, SAMPLES, floats_of(all.inputs), NULL, classes));
            for (int i = 0; i < SAMPLES; ++i)
                right += classes[i] == (int)*at(all.labels, i, 0);
            assert_true(fabs(metrics_of(network, all).accuracy - (double)right / SAMPLES) < 1e-6);
            assert_true(right > 0 && right < SAMPLES);
            release_learning();
        }
}

/* ---- Uses of the losses */

/* One output without inputs that matter learns the number with the least loss. */
static double learnt_number(const goal *to)
{
    const glnn_network_desc desc = {.features = 1,
                                    .layers = {{.units = 1}},
                                    .loss = to->loss,
                                    .loss_parameter = to->parameter,
                                    .seed = 1};
    glnn_learner *network = network_of(&desc);
    samples all = {.inputs = array_new(11, 1), .targets = array_new(11, 1), .outputs = 1};
    for (int i = 0; i < 11; ++i)
        *at(all.targets, i, 0) = i < 10 ? i : 100; /* the last one is an outlier */
    const glnn_train_desc how = {.epochs = 2000,
                                 .batch = GLNN_FULL_BATCH,
                                 .schedule = {.kind = GLNN_SCHEDULE_COSINE, .rate = 0.5f}};
    expect_ok(glnn_learner_train(network, dataset_of(all), &how, NULL));
    const float zero = 0;
    float output;
    expect_ok(glnn_learner_predict(network, 1, &zero, &output, NULL));
    release_learning();
    return (double)output;
}

static void an_output_learns_the_median_or_the_quantile_of_its_targets(void **state)
{
    (void)state;
    assert_true(fabs(learnt_number(&(goal){.loss = GLNN_LOSS_ABSOLUTE}) - 5) < 0.1);
    assert_true(fabs(learnt_number(&(goal){.loss = GLNN_LOSS_QUANTILE}) - 5) < 0.1);
    assert_true(fabs(learnt_number(&(goal){GLNN_LOSS_QUANTILE, 0.25f, false}) - 2) < 0.1);
    assert_true(fabs(learnt_number(&(goal){.loss = GLNN_LOSS_HUBER}) - 5) < 0.1);
}

static void several_labels_of_a_sample_are_learnt_at_once(void **state)
{
    (void)state;
    random_seed(77);
    samples all = samples_random(64, 3, 3, false);
    for (size_t i = 0; i < length_of(all.targets); ++i)
        all.targets.data[i] = all.inputs.data[i] > 0; /* label j: feature j is positive */
    const glnn_network_desc desc = {
        .features = 3, .layers = {{.units = 3}}, .loss = GLNN_LOSS_BINARY_CROSS_ENTROPY, .seed = 1};
    glnn_learner *network = network_of(&desc);
    const glnn_train_desc how = {.epochs = 200, .batch = 16, .schedule.rate = 1};
    glnn_train_result result = {.size = sizeof result};
    expect_ok(glnn_learner_train(network, dataset_of(all), &how, &result));
    assert_true(result.training.accuracy > 0.97);
    assert_true(metrics_of(network, all).accuracy > 0.97);
}

/* ---- Descriptions */

static const glnn_network_desc plain = {.features = 3, .layers = {{.units = 2}}};

static void descriptions_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    static const struct {
        glnn_loss loss;
        float parameter;
        const char *value, *derivative;
        glnn_status status;
        const char *part;
    } wrong[] = {
        {GLNN_LOSS_SQUARED, 2, NULL, NULL, GLNN_E_ARG,
         "glnn_network_create: loss_parameter is 2, but the loss squared does not use it"},
        {GLNN_LOSS_HUBER, -1, NULL, NULL, GLNN_E_ARG, "loss_parameter is -1; it has to be"},
        {GLNN_LOSS_HUBER, INFINITY, NULL, NULL, GLNN_E_ARG, "loss_parameter is inf"},
        {GLNN_LOSS_QUANTILE, 1, NULL, NULL, GLNN_E_ARG,
         "loss_parameter is 1; with the loss quantile it has to be a number in (0, 1)"},
        {GLNN_LOSS_COUNT, 0, NULL, NULL, GLNN_E_ARG,
         "loss is 8; it has to be one of cross_entropy, squared, absolute, huber, hinge, "
         "binary_cross_entropy, quantile, expression"},
        {GLNN_LOSS_SQUARED, 0, "y", NULL, GLNN_E_ARG,
         "loss_value is given, but the loss squared does not use it"},
        {GLNN_LOSS_SQUARED, 0, NULL, "y", GLNN_E_ARG, "loss_derivative is given"},
        {GLNN_LOSS_EXPRESSION, 0, NULL, "y", GLNN_E_ARG,
         "loss_value is null, but the loss expression needs it"},
        {GLNN_LOSS_EXPRESSION, 0, "y", NULL, GLNN_E_ARG, "loss_derivative is null"},
        {GLNN_LOSS_EXPRESSION, 0, "y", " ", GLNN_E_ARG,
         "glnn_network_create: loss_derivative: the expression is empty"},
        {GLNN_LOSS_EXPRESSION, 0, "(y", "1.0", GLNN_E_ARG, "leaves 1 '(' open"},
        {GLNN_LOSS_EXPRESSION, 0, "y; y", "1.0", GLNN_E_ARG, "has a ';' at character 2"},
        {GLNN_LOSS_EXPRESSION, 0, "y - target", "1.0", GLNN_E_SHADER,
         "glnn_network_create: loss_value is \"y - target\": "},
        {GLNN_LOSS_EXPRESSION, 0, "y - t", "vec2(1.0, y)", GLNN_E_SHADER,
         "loss_derivative is \"vec2(1.0, y)\": "},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
        glnn_network_desc desc = plain;
        glnn_learner *network;
        desc.loss = wrong[i].loss;
        desc.loss_parameter = wrong[i].parameter;
        desc.loss_value = wrong[i].value;
        desc.loss_derivative = wrong[i].derivative;
        expect_error(glnn_network_create(glnn_test_context(), &desc, &network), wrong[i].status,
                     wrong[i].part);
        assert_null(network);
    }
}

static void a_sigmoid_follows_the_identity_alone(void **state)
{
    (void)state;
    glnn_network_desc desc = plain;
    glnn_learner *network;
    desc.loss = GLNN_LOSS_BINARY_CROSS_ENTROPY;
    desc.layers[0].activation = GLNN_ACTIVATION_SIGMOID;
    expect_error(glnn_network_create(glnn_test_context(), &desc, &network), GLNN_E_ARG,
                 "the activation of layer 0, the last one, is sigmoid; with binary cross-entropy "
                 "it has to be "
                 "identity, because the sigmoid follows");
}

static void hinges_need_labels(void **state)
{
    (void)state;
    glnn_network_desc desc = plain;
    desc.loss = GLNN_LOSS_HINGE;
    glnn_learner *network = network_of(&desc);
    const glnn_dataset *data = dataset_of(samples_random(5, 3, 2, false));
    expect_error(glnn_learner_train(network, data, NULL, NULL), GLNN_E_STATE,
                 "the hinge loss needs labels, but the data set has none");
}

static void probabilities_need_targets_from_zero_to_one(void **state)
{
    (void)state;
    glnn_network_desc desc = plain;
    desc.loss = GLNN_LOSS_BINARY_CROSS_ENTROPY;
    glnn_learner *network = network_of(&desc);
    samples all = samples_random(5, 3, 2, false);
    for (size_t i = 0; i < length_of(all.targets); ++i)
        all.targets.data[i] = (double)i / 9;
    expect_ok(glnn_learner_train(network, dataset_of(all), NULL, NULL));
    static const double wrong[] = {1.5, -0.25};
    for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
        *at(all.targets, 3, 1) = wrong[i];
        char part[96];
        snprintf(part, sizeof part, "a target is %g; the network learns probabilities", wrong[i]);
        expect_error(glnn_learner_train(network, dataset_of(all), NULL, NULL), GLNN_E_FORMAT, part);
    }
}

static void parameters_that_are_left_out_are_filled_in(void **state)
{
    (void)state;
    glnn_network_desc desc = plain;
    desc.loss = GLNN_LOSS_HUBER;
    assert_true(glnn_network_get_desc(network_of(&desc))->loss_parameter == 1);
    desc.loss = GLNN_LOSS_QUANTILE;
    assert_true(glnn_network_get_desc(network_of(&desc))->loss_parameter == 0.5f);
    desc.loss = GLNN_LOSS_ABSOLUTE;
    assert_true(glnn_network_get_desc(network_of(&desc))->loss_parameter == 0);
}

/* ---- Expressions and files */

static glnn_learner *expression_network(const char *value, const char *derivative)
{
    glnn_network_desc desc = plain;
    desc.loss = GLNN_LOSS_EXPRESSION;
    desc.loss_value = value;
    desc.loss_derivative = derivative;
    return network_of(&desc);
}

static void expressions_are_copied(void **state)
{
    (void)state;
    char value[] = "abs(y - t)", derivative[] = "sign(y - t)";
    glnn_learner *network = expression_network(value, derivative);
    memset(value, '#', sizeof value - 1);
    memset(derivative, '#', sizeof derivative - 1);
    const glnn_network_desc *desc = glnn_network_get_desc(network);
    assert_string_equal(desc->loss_value, "abs(y - t)");
    assert_string_equal(desc->loss_derivative, "sign(y - t)");
    const glnn_dataset *data = dataset_of(samples_random(5, 3, 2, false));
    expect_ok(glnn_learner_train(network, data, NULL, NULL));
}

/* A lower rate does not help where the loss itself has no value. */
static void an_expression_without_a_finite_value_is_named_as_the_cause(void **state)
{
    (void)state;
    random_seed(79);
    static const char cause[] = "; the expressions of the loss may not be finite for some outputs";
    const glnn_dataset *data = dataset_of(samples_random(40, 3, 2, false));
    const glnn_train_desc how = {.batch = 8};
    expect_error(
        glnn_learner_train(expression_network("log(y - y)", "1.0 / (y - y)"), data, &how, NULL),
        GLNN_E_DIVERGED, cause);
    assert_null(strstr(glnn_last_error(), "rate"));
    const glnn_train_desc steep = {.batch = 8, .schedule.rate = 1e30f};
    expect_error(glnn_learner_train(expression_network("y * y", "2.0 * y"), data, &steep, NULL),
                 GLNN_E_DIVERGED, cause);
    assert_non_null(strstr(glnn_last_error(), ", or the rate may be too high"));
    assert_null(strstr(glnn_last_error(), "a lower rate may help"));
}

/* The same loss by name and by expression. */
static void an_expression_trains_as_the_loss_that_it_repeats(void **state)
{
    (void)state;
    random_seed(78);
    glnn_network_desc desc = plain;
    desc.loss = GLNN_LOSS_ABSOLUTE;
    glnn_learner *named = network_of(&desc);
    glnn_learner *given = expression_network("abs(y - t)", "sign(y - t)");
    const glnn_dataset *data = dataset_of(samples_random(40, 3, 2, false));
    const glnn_train_desc how = {.epochs = 3, .batch = 8};
    glnn_train_result left = {.size = sizeof left}, right = {.size = sizeof right};
    expect_ok(glnn_learner_train(named, data, &how, &left));
    expect_ok(glnn_learner_train(given, data, &how, &right));
    assert_true(left.training.loss == right.training.loss);
    expect_same_networks(named, given, "a loss by name and by expression");
}

static void files_keep_the_loss_and_its_parameter(void **state)
{
    (void)state;
    const file_path file = path_of("loss.safetensors");
    const char *path = file.text;
    for (size_t g = 0; g < COUNT_OF(goals); ++g) {
        glnn_learner *network = network_for(&goals[g], 3, GLNN_LAYOUT_AUTO), *loaded;
        const glnn_network_desc *desc = glnn_network_get_desc(network);
        expect_ok(glnn_learner_save(network, path));
        expect_ok(glnn_learner_load(glnn_test_context(), path, NULL, &loaded));
        learning_own_learner(loaded);
        const glnn_network_desc *got = glnn_network_get_desc(loaded);
        assert_int_equal(got->loss, desc->loss);
        assert_true(got->loss_parameter == desc->loss_parameter);
        assert_int_equal(got->loss_value == NULL, desc->loss_value == NULL);
        if (desc->loss_value) {
            assert_string_equal(got->loss_value, desc->loss_value);
            assert_string_equal(got->loss_derivative, desc->loss_derivative);
        }
        expect_ok(glnn_learner_load_parameters(network, path));
        const samples all = samples_for(network, SAMPLES, goals[g].labels);
        assert_true(metrics_of(network, all).loss == metrics_of(loaded, all).loss);
        release_learning();
    }
}

static void a_checkpoint_of_another_expression_is_refused(void **state)
{
    (void)state;
    const file_path file = path_of("loss.checkpoint");
    const char *path = file.text;
    const glnn_dataset *data = dataset_of(samples_random(20, 3, 2, false));
    const glnn_train_desc first = {.epochs = 1, .batch = 8, .checkpoint = path};
    const glnn_train_desc next = {.epochs = 2, .batch = 8, .checkpoint = path, .resume = true};
    expect_ok(
        glnn_learner_train(expression_network("abs(y - t)", "sign(y - t)"), data, &first, NULL));
    expect_error(
        glnn_learner_train(expression_network("abs(y - t)", "2.0 * sign(y - t)"), data, &next,
                           NULL),
        GLNN_E_ARG,
        "there it has loss_derivative=sign(y - t), here loss_derivative=2.0 * sign(y - t)");
    expect_ok(
        glnn_learner_train(expression_network("abs(y - t)", "sign(y - t)"), data, &next, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(losses_gradients_and_predictions_agree_with_the_reference),
        LEARNING_TEST(gradients_of_the_reference_are_slopes_of_its_loss),
        LEARNING_TEST(steps_agree_with_the_reference),
        LEARNING_TEST(labels_of_several_outputs_are_smoothed_towards_one_half),
        LEARNING_TEST(metrics_of_targets_are_the_squared_error_or_the_share_of_right_labels),
        LEARNING_TEST(accuracies_of_labels_are_shares_of_classes),
        LEARNING_TEST(an_output_learns_the_median_or_the_quantile_of_its_targets),
        LEARNING_TEST(several_labels_of_a_sample_are_learnt_at_once),
        LEARNING_TEST(descriptions_that_make_no_sense_are_refused),
        LEARNING_TEST(a_sigmoid_follows_the_identity_alone),
        LEARNING_TEST(hinges_need_labels),
        LEARNING_TEST(probabilities_need_targets_from_zero_to_one),
        LEARNING_TEST(parameters_that_are_left_out_are_filled_in),
        LEARNING_TEST(expressions_are_copied),
        LEARNING_TEST(an_expression_without_a_finite_value_is_named_as_the_cause),
        LEARNING_TEST(an_expression_trains_as_the_loss_that_it_repeats),
        LEARNING_TEST(files_keep_the_loss_and_its_parameter),
        LEARNING_TEST(a_checkpoint_of_another_expression_is_refused),
    };
    return cmocka_run_group_tests_name("network losses", tests, learner_files_setup,
                                       learner_files_teardown);
}
