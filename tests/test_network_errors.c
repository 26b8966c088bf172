/* Arguments that networks and their training refuse, and the sentences of these errors. */
#include "support/learning.h"

static const glnn_network_desc sound = {
    .features = 3, .layers = {{.units = 4}, {.units = 2}}, .capacity = 8};

#define TWO_UNITS .features = 3, .layers = {{.units = 2}}
#define RPROP     .kind = GLNN_OPTIMIZER_RPROP
#define DROPOUT   .kind = GLNN_LAYER_DROPOUT, .rate = 0.5f

static const struct {
    glnn_network_desc desc;
    const char *part;
} senseless[] = {
    {{.features = 0, .layers = {{.units = 1}}}, "0 features"},
    {{.features = 3},
     "0 layers; it can have 1 to 64, and a last layer whose fields are all 0 is none"},
    {{.features = 3, .layer_count = 65},
     "layer_count is 65; it has to be an integer from 1 to 64, or 0 for those up to the last"},
    {{.features = 3, .layers = {{.kind = (glnn_layer_kind)-1}, {.units = 1}}},
     "layer 0: kind is -1; it has to be one of dense, dropout, "},
    {{.features = 3, .layers = {{0}, {.units = 1}}}, "layer 0 has 0 units"},
    {{.features = 3, .layers = {{.units = 2, .rate = 0.5f}}},
     "layer 0: rate is 0.5, but dense layers do not use it"},
    {{.features = 3, .layers = {{.kind = GLNN_LAYER_DROPOUT}, {.units = 1}}},
     "at a rate of 0; it has to be in (0, 1)"},
    {{.features = 3, .layers = {{.kind = GLNN_LAYER_DROPOUT, .rate = 1}, {.units = 1}}},
     "layer 0: rate is 1; it has to be a number in [0, 1)"},
    {{.features = 3, .layers = {{.kind = GLNN_LAYER_DROPOUT, .rate = NAN}, {.units = 1}}},
     "rate is nan"},
    {{.features = 3, .layers = {{DROPOUT, .units = 3}, {.units = 1}}},
     "layer 0: units is 3, but dropout layers do not use it"},
    {{.features = 3, .layers = {{DROPOUT, .activation = GLNN_ACTIVATION_TANH}, {.units = 1}}},
     "layer 0: activation is tanh"},
    {{.features = 3, .layers = {{.units = 1}, {DROPOUT}}}, "layer 1, the last one, is dropout"},
    {{.shape = {3, 0, 4}, .layers = {{.units = 1}}}, "3 x 0 x 4"},
    {{.features = 3, .layers = {{.units = 1, .activation = GLNN_ACTIVATION_SIGMOID}}},
     "the sigmoid follows"},
    {{TWO_UNITS, .optimizer.clip_norm = -1},
     "optimizer.clip_norm is -1; it has to be a finite number from 0 on"},
    {{.features = 3, .layers = {{.units = 4}, {.units = -2}}},
     "layer 1: units is -2; it has to be an integer from 1 on, or 0 for layers without units"},
    {{.features = 3, .layer_count = 2, .layers = {{.units = 4}}}, "layer 1 has 0 units"},
    {{.features = 3, .layers = {{.units = 1, .activation = GLNN_ACTIVATION_COUNT}}},
     "layer 0: activation is 9; it has to be one of default, sigmoid, "},
    {{.features = 3, .layers = {{.units = 2, .activation = GLNN_ACTIVATION_SIGMOID}}},
     "sigmoid; with cross-entropy it has to be identity"},
    {{TWO_UNITS, .loss = GLNN_LOSS_COUNT},
     "loss is 8; it has to be one of cross_entropy, squared, "},
    {{TWO_UNITS, .init = (glnn_init)-1}, "init is -1; it has to be one of auto, "},
    {{TWO_UNITS, .init_range = -1},
     "init_range is -1; it has to be a number in (0, 1.70141e+38], or 0 for 0.05"},
    {{TWO_UNITS, .init_range = INFINITY}, "init_range is inf"},
    {{TWO_UNITS, .layout = GLNN_LAYOUT_PAGED}, "paged"},
    {{TWO_UNITS, .layout = (glnn_layout)9},
     "layout is 9; it has to be one of auto, tiled, packed, unpacked"},
    {{TWO_UNITS, .precision = GLNN_PRECISION_COUNT},
     "precision is 2; it has to be one of float32, mixed"},
    {{TWO_UNITS, .capacity = -5},
     "capacity is -5; it has to be an integer from 1 on, or 0 for 1024"},
    {{TWO_UNITS, .optimizer.kind = GLNN_OPTIMIZER_COUNT},
     "optimizer.kind is 5; it has to be one of sgd, nesterov, adam, rmsprop, rprop"},
    {{TWO_UNITS, .optimizer.momentum = 1},
     "optimizer.momentum is 1; it has to be a number in [0, 1)"},
    {{TWO_UNITS, .optimizer.momentum = -0.5f}, "momentum is -0.5"},
    {{TWO_UNITS, .optimizer.weight_decay = -2}, "weight_decay is -2"},
    {{TWO_UNITS, .optimizer.weight_decay = NAN}, "weight_decay is "},
    {{TWO_UNITS, .optimizer.beta1 = 1.5f}, "beta1 is 1.5"},
    {{TWO_UNITS, .optimizer.beta2 = -1}, "beta2 is -1"},
    {{TWO_UNITS, .optimizer.epsilon = -3}, "epsilon is -3"},
    {{TWO_UNITS, .optimizer = {.kind = GLNN_OPTIMIZER_ADAM, .momentum = 0.9f}},
     "momentum is 0.9, but adam does not use it"},
    {{TWO_UNITS, .optimizer.beta1 = 0.8f}, "beta1 is 0.8, but sgd does not use it"},
    {{TWO_UNITS, .optimizer = {.kind = GLNN_OPTIMIZER_NESTEROV, .momentum = 0.9f, .beta2 = 0.5f}},
     "beta2 is 0.5, but nesterov does not use it"},
    {{TWO_UNITS, .optimizer = {.kind = GLNN_OPTIMIZER_ADAM, .epsilon = 1e-45f}},
     "epsilon is 1.4013e-45; it has to be a finite number from 1.17549e-38 on, or 0 for 1e-08"},
    {{TWO_UNITS, .optimizer.epsilon = 1e-6f}, "epsilon is 1e-06, but sgd"},
    {{TWO_UNITS, .optimizer = {.kind = GLNN_OPTIMIZER_RMSPROP, .beta1 = 0.5f}},
     "beta1 is 0.5, but rmsprop does not use it"},
    {{TWO_UNITS, .optimizer.step_min = 0.5f}, "step_min is 0.5, but sgd does not use it"},
    {{TWO_UNITS, .optimizer.gradient_noise = -1},
     "gradient_noise is -1; it has to be a finite number from 0 on"},
    {{TWO_UNITS, .optimizer.noise_decay = 0.5f}, "noise_decay is 0.5, but gradient_noise is 0"},
    {{TWO_UNITS, .optimizer = {RPROP, .momentum = 0.5f}}, "momentum is 0.5, but rprop does not"},
    {{TWO_UNITS, .optimizer = {RPROP, .weight_decay = 1}}, "weight_decay is 1, but rprop does not"},
    {{TWO_UNITS, .optimizer = {RPROP, .clip_norm = 1}}, "clip_norm is 1, but rprop does not"},
    {{TWO_UNITS, .optimizer = {RPROP, .gradient_noise = 0.01f}},
     "gradient_noise is 0.01, but rprop does not use it"},
    {{TWO_UNITS, .optimizer = {RPROP, .noise_decay = 1}}, "noise_decay is 1, but rprop does not"},
    {{.features = 3, .layers = {{DROPOUT}, {.units = 2}}, .optimizer = {RPROP}},
     "layer 0, dropout, and rprop exclude each other, because dropout changes the gradient at "
     "random from step to step"},
    {{TWO_UNITS, .optimizer = {RPROP, .step_increase = 0.5f}},
     "step_increase is 0.5; it has to be a finite number from 1 on, or 0 for 1.2"},
    {{TWO_UNITS, .optimizer = {RPROP, .step_decrease = 1}},
     "step_decrease is 1; it has to be a number in [1.17549e-38, 1), or 0 for 0.5"},
    {{TWO_UNITS, .optimizer = {RPROP, .step_first = 100}},
     "step_first is 100, which is not in [1e-06, 50]"},
    {{TWO_UNITS, .optimizer = {RPROP, .step_max = 1e-6f, .step_min = 1e-5f}},
     "step_first is 0.01, which is not in [1e-05, 1e-06]"},
    {{TWO_UNITS, .init_range = 0.1f}, "range of 0.1, but only GLNN_INIT_UNIFORM"},
};

static void networks_refuse_descriptions_that_make_no_sense(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(senseless); ++i) {
        glnn_learner *network = (glnn_learner *)state;
        expect_error(glnn_network_create(glnn_test_context(), &senseless[i].desc, &network),
                     GLNN_E_ARG, senseless[i].part);
        assert_null(network);
    }
    glnn_learner *network = NULL;
    expect_error(glnn_network_create(NULL, &sound, &network), GLNN_E_ARG, "null");
    expect_error(glnn_network_create(glnn_test_context(), NULL, &network), GLNN_E_ARG, "null");
    expect_error(glnn_network_create(glnn_test_context(), &sound, NULL), GLNN_E_ARG, "null");
}

/* A row of biases more would overflow. */
static void a_shape_has_as_many_numbers_as_features(void **state)
{
    (void)state;
    const glnn_network_desc desc = {.features = 25, .shape = {2, 3, 4}, .layers = {{.units = 1}}};
    glnn_learner *network = NULL;
    expect_error(glnn_network_create(glnn_test_context(), &desc, &network), GLNN_E_SHAPE,
                 "25 features, but its shape of 2 x 3 x 4 has 24");
    assert_null(network);
}

static void layers_without_weights_have_none_to_read(void **state)
{
    (void)state;
    glnn_learner *network = network_of(
        &(glnn_network_desc){.features = 3,
                             .layers = {{.kind = GLNN_LAYER_DROPOUT, .rate = 0.5f}, {.units = 2}},
                             .optimizer.momentum = 0.5f});
    float numbers[8];
    expect_error(glnn_learner_get_tensor(network, "0.weight", 8, numbers), GLNN_E_ARG,
                 "the network has no tensor '0.weight'; did you mean '1.weight'?");
    expect_error(glnn_learner_set_tensor(network, "glnn.0.state.0", 8, numbers), GLNN_E_ARG,
                 "did you mean 'glnn.1.state.0'?");
    assert_string_equal(glnn_layer_kind_name(GLNN_LAYER_DROPOUT), "dropout");
    assert_string_equal(glnn_layer_kind_name(GLNN_LAYER_COUNT), "unknown");
}

/* A description that the library has filled in can be used again. */
static void a_description_from_the_library_makes_another_network(void **state)
{
    (void)state;
    for (glnn_optimizer_kind kind = 0; kind < GLNN_OPTIMIZER_COUNT; ++kind) {
        glnn_network_desc desc = sound;
        desc.optimizer.kind = kind;
        network_of(glnn_network_get_desc(network_of(&desc)));
    }
}

typedef struct setting {
    glnn_train_desc desc;
    const char *part;
} setting;

static void training_refuses_numbers_out_of_range(void **state)
{
    (void)state;
    glnn_learner *network = network_of(&sound);
    const glnn_dataset *data = dataset_of(samples_random(5, 3, 2, true));
    const glnn_dataset *other = dataset_of(samples_random(4, 3, 2, true));
    const setting wrong[] = {
        {{.epochs = -1}, "epochs is -1"},
        {{.batch = -2},
         "batch is -2; it has to be an integer from -1 on, or 0 for 128, or all samples, -1, for"},
        {{.patience = -2}, "patience is -2"},
        {{.report_every = -3}, "report_every is -3"},
        {{.schedule.kind = GLNN_SCHEDULE_COUNT},
         "schedule.kind is 6; it has to be one of constant, step, "},
        {{.schedule.rate = -0.5f}, "schedule.rate is -0.5"},
        {{.schedule.rate = NAN}, "schedule.rate is "},
        {{.schedule.rate = INFINITY}, "schedule.rate is inf"},
        {{.schedule.final_rate = -4}, "schedule.final_rate is -4"},
        {{.validation_split = 1}, "validation_split is 1; it has to be a number in [0, 1)"},
        {{.validation_split = -0.25f}, "validation_split is -0.25"},
        {{.validation_split = NAN}, "validation_split is "},
        {{.validation_split = 0.5f, .validation = other}, "exclude each other"},
        {{.schedule = {.kind = GLNN_SCHEDULE_STEP, .factor = NAN}}, "factor is "},
        {{.schedule = {.kind = GLNN_SCHEDULE_STEP, .factor = INFINITY}}, "factor is inf"},
        {{.schedule = {.kind = GLNN_SCHEDULE_STEP, .factor = -0.5f}}, "factor is -0.5"},
        {{.schedule = {.kind = GLNN_SCHEDULE_STEP, .every = -2}}, "schedule.every is -2"},
        {{.schedule = {.kind = GLNN_SCHEDULE_STEP, .final_rate = 0.5f}}, "a final rate of 0.5"},
        {{.schedule.final_rate = 0.5f}, "schedule constant does not lead to one"},
        {{.schedule = {.kind = GLNN_SCHEDULE_COSINE, .factor = 0.5f}}, "the schedule is cosine"},
        {{.schedule = {.kind = GLNN_SCHEDULE_LINEAR, .every = 3}}, "every 3 epochs"},
        {{.min_improvement = NAN}, "min_improvement is "},
        {{.min_improvement = -1}, "min_improvement is -1"},
        {{.min_improvement = INFINITY}, "min_improvement is inf"},
        {{.patience = 2}, "patience of 2 epochs needs a validation set"},
        {{.patience = 2, .restore_best = true}, "needs a validation set"},
    };
    const array before = weights_of(network, 0);
    for (size_t i = 0; i < COUNT_OF(wrong); ++i)
        expect_error(glnn_learner_train(network, data, &wrong[i].desc, NULL), GLNN_E_ARG,
                     wrong[i].part);
    glnn_train_result result = {0};
    expect_error(glnn_learner_train(network, data, NULL, &result), GLNN_E_ARG,
                 "glnn_learner_train: glnn_train_result.size is 0");
    expect_error(glnn_learner_train(NULL, data, NULL, NULL), GLNN_E_ARG, "null");
    expect_error(glnn_learner_train(network, NULL, NULL, NULL), GLNN_E_ARG, "null");
    expect_same_bits(before, weights_of(network, 0), "weights after training was refused");
    assert_int_equal(glnn_network_get_steps(network), 0);
}

static glnn_status train_on(void *network, const glnn_dataset *data)
{
    return glnn_learner_train(network, data, NULL, NULL);
}

static glnn_status validate_on(void *network, const glnn_dataset *data)
{
    const glnn_train_desc desc = {.validation = data};
    return glnn_learner_train(network, dataset_of(samples_random(5, 3, 2, true)), &desc, NULL);
}

static glnn_status evaluate_on(void *network, const glnn_dataset *data)
{
    return glnn_learner_evaluate(network, data, NULL, NULL);
}

static glnn_status differentiate_on(void *network, const glnn_dataset *data)
{
    double loss;
    float gradient[16];
    return glnn_network_compute_gradient(network, data, 1, 0, &loss, gradient);
}

static void data_sets_have_to_fit_the_network(void **state)
{
    (void)state;
    static const data_call calls[] = {train_on, validate_on, evaluate_on, differentiate_on};
    expect_unfit_data_refused(network_of(&sound), calls, COUNT_OF(calls), "4 features",
                              "the network is made for 2");
}

static void data_sets_have_to_say_what_to_learn(void **state)
{
    (void)state;
    static const data_call calls[] = {train_on, evaluate_on, differentiate_on};
    glnn_network_desc squared = sound;
    squared.loss = GLNN_LOSS_SQUARED;
    glnn_learner *networks[] = {network_of(&sound), network_of(&squared)};
    static const char *const parts[] = {"cross-entropy needs labels, but the data set has none",
                                        "learns targets or labels, but the data set has neither"};
    samples bare = samples_random(5, 3, 2, true);
    bare.labels.data = NULL;
    bare.outputs = 0;
    const glnn_dataset *data = dataset_of(bare);
    for (int n = 0; n < 2; ++n)
        for (size_t c = 0; c < COUNT_OF(calls); ++c)
            expect_error(calls[c](networks[n], data), GLNN_E_STATE, parts[n]);
}

static void calls_refuse_arguments_that_are_null_or_out_of_range(void **state)
{
    (void)state;
    glnn_learner *network = network_of(&sound);
    glnn_network_desc squared = sound;
    squared.loss = GLNN_LOSS_SQUARED;
    squared.optimizer.momentum = 0.5f;
    glnn_learner *moving = network_of(&squared);
    const glnn_dataset *data = dataset_of(samples_random(12, 3, 2, true));
    const glnn_dataset *plain = dataset_of(samples_random(5, 3, 2, false));
    float numbers[64] = {0};
    int64_t confusion[4];
    double loss;
    expect_error(glnn_learner_evaluate(NULL, data, NULL, NULL), GLNN_E_ARG, "null");
    expect_error(glnn_learner_evaluate(network, NULL, NULL, NULL), GLNN_E_ARG, "null");
    expect_error(glnn_learner_evaluate(moving, plain, NULL, confusion), GLNN_E_STATE, "labels");
    expect_error(glnn_learner_predict(NULL, 1, numbers, numbers, NULL), GLNN_E_ARG,
                 "`learner` is null");
    expect_error(glnn_learner_predict(network, 1, NULL, numbers, NULL), GLNN_E_ARG,
                 "`inputs` is null");
    expect_error(glnn_learner_predict(network, 4, numbers, NULL, NULL), GLNN_E_ARG,
                 "`classes` are both null");
    expect_error(glnn_learner_predict(network, 0, numbers, numbers, NULL), GLNN_E_ARG, "0 samples");
    expect_error(glnn_learner_predict(network, -4, numbers, numbers, NULL), GLNN_E_ARG,
                 "-4 samples; there must be at least 1");
    expect_error(glnn_network_compute_gradient(network, data, 0, 0, &loss, numbers), GLNN_E_ARG,
                 "0 samples");
    expect_error(glnn_network_compute_gradient(network, data, 13, 0, &loss, numbers), GLNN_E_ARG,
                 "has 12");
    expect_error(glnn_network_compute_gradient(network, data, 9, 0, &loss, numbers), GLNN_E_ARG,
                 "the capacity is 8");
    expect_error(glnn_network_compute_gradient(network, data, 1, 2, &loss, numbers), GLNN_E_ARG,
                 "layer 2");
    expect_error(glnn_network_compute_gradient(network, NULL, 1, 0, &loss, numbers), GLNN_E_ARG,
                 "null");
    expect_error(glnn_network_compute_gradient(network, data, 1, 0, NULL, numbers), GLNN_E_ARG,
                 "null");
    expect_error(glnn_network_compute_gradient(network, data, 1, 0, &loss, NULL), GLNN_E_ARG,
                 "null");
    expect_error(glnn_learner_get_tensor(moving, "glnn.0.state.1", 1, numbers), GLNN_E_ARG,
                 "did you mean 'glnn.0.state.0'?");
    expect_error(glnn_network_set_steps(NULL, 1), GLNN_E_ARG, "null");
}

static void null_networks_have_nothing(void **state)
{
    (void)state;
    glnn_learner_destroy(NULL);
    glnn_dataset_destroy(NULL);
    assert_null(glnn_network_get_desc(NULL));
    assert_int_equal(glnn_learner_get_tensor_count(NULL), 0);
    assert_int_equal(glnn_network_get_steps(NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(networks_refuse_descriptions_that_make_no_sense),
        LEARNING_TEST(a_shape_has_as_many_numbers_as_features),
        LEARNING_TEST(layers_without_weights_have_none_to_read),
        LEARNING_TEST(a_description_from_the_library_makes_another_network),
        LEARNING_TEST(training_refuses_numbers_out_of_range),
        LEARNING_TEST(data_sets_have_to_fit_the_network),
        LEARNING_TEST(data_sets_have_to_say_what_to_learn),
        LEARNING_TEST(calls_refuse_arguments_that_are_null_or_out_of_range),
        LEARNING_TEST(null_networks_have_nothing),
    };
    return cmocka_run_group_tests_name("network errors", tests, test_group_setup,
                                       test_group_teardown);
}
