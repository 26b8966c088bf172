/* Networks whose passes a program runs itself: forward, backward from a given gradient, update. */
#include "support/learning.h"

#include <glnn/train.h>
#include <glnn/trainer.h>

enum { COUNT = 6 };

#define CONVOLUTION .kind = GLNN_LAYER_CONVOLUTION, .kernel = {3, 3}
#define FLATTEN                                                                                    \
    {                                                                                              \
        .kind = GLNN_LAYER_FLATTEN                                                                 \
    }
#define TANH .activation = GLNN_ACTIVATION_TANH

/* Smooth networks, so that differences are slopes. The first layers take samples flat, as pixels,
 * without parameters and by two ways. */
static const glnn_network_desc nets[] = {
    {.features = 5, .layers = {{.units = 7, TANH}, {.units = 3}}},
    {.features = 5, .layers = {{.units = 3, .activation = GLNN_ACTIVATION_SIGMOID}}},
    {.shape = {1, 5, 5}, .layers = {{CONVOLUTION, .units = 2, TANH}, FLATTEN, {.units = 3}}},
    {.shape = {3, 5, 4},
     .layers = {{CONVOLUTION, .units = 2, .stride = {2, 2}, .padding = {1, 1}, TANH},
                FLATTEN,
                {.units = 3}}},
    {.shape = {2, 4, 4},
     .layers = {{.kind = GLNN_LAYER_AVERAGE_POOL, .kernel = {2, 2}}, FLATTEN, {.units = 3, TANH}}},
    {.shape = {2, 3, 3}, .layers = {FLATTEN, {.units = 4, TANH}, {.units = 3}}},
    {.features = 6,
     .layers = {{.kind = GLNN_LAYER_DROPOUT, .rate = 0.3f}, {.units = 5, TANH}, {.units = 3}}},
    {.features = 6,
     .layers = {{.kind = GLNN_LAYER_BATCH_NORM, TANH}, {.units = 4, TANH}, {.units = 3}}},
    {.features = 4,
     .layers = {{.units = 4, TANH},
                {.units = 4, TANH},
                {.kind = GLNN_LAYER_RESIDUAL, .skip = 2, TANH},
                {.units = 3}}},
};

static glnn_learner *net_of(size_t number, glnn_layout layout)
{
    glnn_network_desc desc = nets[number];
    desc.loss = GLNN_LOSS_SQUARED;
    desc.layout = layout;
    desc.capacity = 2 * COUNT;
    desc.optimizer.momentum = 0.5f;
    desc.seed = 11;
    return network_of(&desc);
}

static int features_of(const glnn_learner *network)
{
    return glnn_network_get_desc(network)->features;
}

static array run_forward(glnn_learner *network, array inputs, bool trains, glnn_layout layout)
{
    glnn_matrix *outputs = matrix_of(array_new(inputs.rows, outputs_of(network)), layout);
    expect_ok(glnn_network_forward(network, matrix_of(inputs, layout), trains, outputs));
    return values_of(outputs);
}

/* Every other layout than that of the network takes part too. */
static glnn_layout other_layout(glnn_layout layout)
{
    return rendered_layout(layout - GLNN_LAYOUT_TILED + 1);
}

/* The sum of the outputs times some factors. */
static double loss_of(glnn_learner *network, array inputs, array factors, glnn_layout layout)
{
    const array outputs = run_forward(network, inputs, true, layout);
    double loss = 0;
    for (size_t i = 0; i < length_of(outputs); ++i)
        loss += outputs.data[i] * factors.data[i];
    return loss;
}

static array input_gradient_of(glnn_learner *network, array inputs, array factors,
                               glnn_layout layout)
{
    glnn_matrix *gradient = matrix_of(array_new(inputs.rows, inputs.columns), layout);
    run_forward(network, inputs, true, layout);
    expect_ok(glnn_network_backward(network, matrix_of(factors, layout), gradient));
    return values_of(gradient);
}

/* A difference over 2 h is off by the rounding of the sums, and by h^2 times a third derivative. */
static void gradients_of_inputs_are_slopes(void **state)
{
    (void)state;
    const double h = 0x1p-6, bound = 4e-3;
    random_seed(3);
    for (size_t n = 0; n < COUNT_OF(nets); ++n)
        for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
            glnn_learner *network = net_of(n, layout);
            const array inputs = array_random(COUNT, features_of(network), -1, 1);
            const array factors = array_random(COUNT, 3, -1, 1);
            const array gradient =
                input_gradient_of(network, inputs, factors, other_layout(layout));
            for (size_t i = n % 5; i < length_of(inputs); i += 5) {
                const double x = inputs.data[i];
                inputs.data[i] = x + h;
                const double above = loss_of(network, inputs, factors, layout);
                inputs.data[i] = x - h;
                const double below = loss_of(network, inputs, factors, layout);
                inputs.data[i] = x;
                if (fabs((above - below) / (2 * h) - gradient.data[i]) > bound)
                    fail_at(__FILE__, __LINE__, "net %zu, %s, input %zu: %g is not the slope %g", n,
                            glnn_layout_name(layout), i, gradient.data[i],
                            (above - below) / (2 * h));
            }
            release_learning();
            release_all();
        }
}

/* The gradient of half the squared error, as a mean over the samples. */
static array gradient_of_error(array outputs, array targets)
{
    array gradient = array_copy(outputs);
    for (size_t i = 0; i < length_of(outputs); ++i)
        gradient.data[i] = (outputs.data[i] - targets.data[i]) / outputs.rows;
    return gradient;
}

static void make_step(glnn_learner *network, samples of, glnn_layout layout)
{
    const array outputs = run_forward(network, of.inputs, true, layout);
    const array gradient = gradient_of_error(outputs, of.targets);
    expect_ok(glnn_network_backward(network, matrix_of(gradient, layout), NULL));
    expect_ok(glnn_network_update(network, 0.1f));
}

static void expect_near_parameters(const glnn_learner *left, const glnn_learner *right, size_t n)
{
    for (int layer = 0; layer < glnn_network_get_desc(left)->layer_count; ++layer) {
        if (!has_parameters(left, layer))
            continue;
        const array a = weights_of(left, layer), b = weights_of(right, layer);
        for (size_t i = 0; i < length_of(a); ++i)
            if (fabs(a.data[i] - b.data[i]) > 1e-5)
                fail_at(__FILE__, __LINE__, "net %zu, layer %d: %g and %g", n, layer, a.data[i],
                        b.data[i]);
    }
}

static void steps_by_a_given_gradient_are_those_of_a_training(void **state)
{
    (void)state;
    enum { STEPS = 3 };
    random_seed(5);
    for (size_t n = 0; n < COUNT_OF(nets); ++n)
        for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
            glnn_learner *own = net_of(n, layout), *trained = net_of(n, layout);
            const samples of = samples_random(COUNT, features_of(own), 3, false);
            const glnn_train_desc train = {
                .epochs = STEPS, .batch = COUNT, .schedule.rate = 0.1f, .keep_order = true};
            expect_ok(glnn_learner_train(trained, dataset_of(of), &train, NULL));
            for (int step = 0; step < STEPS; ++step)
                make_step(own, of, layout);
            expect_near_parameters(own, trained, n);
            assert_int_equal(glnn_network_get_steps(own), STEPS);
            release_learning();
            release_all();
        }
}

/* Clipping needs the norm of all gradients, and ADAM the number of the step. */
static void every_optimizer_takes_the_gradient(void **state)
{
    (void)state;
    static const glnn_optimizer optimizers[] = {
        {.kind = GLNN_OPTIMIZER_SGD, .clip_norm = 0.01f},
        {.kind = GLNN_OPTIMIZER_SGD, .momentum = 0.9f, .two_parts = true},
        {.kind = GLNN_OPTIMIZER_NESTEROV, .momentum = 0.9f, .weight_decay = 0.01f},
        {.kind = GLNN_OPTIMIZER_ADAM, .clip_norm = 0.01f},
        {.kind = GLNN_OPTIMIZER_RMSPROP},
    };
    random_seed(7);
    for (size_t o = 0; o < COUNT_OF(optimizers); ++o) {
        glnn_network_desc desc = nets[0];
        desc.loss = GLNN_LOSS_SQUARED;
        desc.optimizer = optimizers[o];
        glnn_learner *own = network_of(&desc), *trained = network_of(&desc);
        const samples of = samples_random(COUNT, 5, 3, false);
        const glnn_train_desc train = {.epochs = 2, .batch = COUNT, .schedule.rate = 0.1f};
        expect_ok(glnn_learner_train(trained, dataset_of(of), &train, NULL));
        make_step(own, of, GLNN_LAYOUT_TILED);
        make_step(own, of, GLNN_LAYOUT_TILED);
        expect_near_parameters(own, trained, o);
        release_learning();
    }
}

static void gradients_add_up_until_an_update(void **state)
{
    (void)state;
    random_seed(9);
    glnn_learner *parts = net_of(0, GLNN_LAYOUT_TILED), *whole = net_of(0, GLNN_LAYOUT_TILED);
    const samples of = samples_random(COUNT, 5, 3, false);
    const array all =
        gradient_of_error(run_forward(whole, of.inputs, true, GLNN_LAYOUT_TILED), of.targets);
    expect_ok(glnn_network_backward(whole, matrix_of(all, GLNN_LAYOUT_TILED), NULL));
    for (int first = 0; first < COUNT; first += 2) {
        run_forward(parts, rows_of(of.inputs, first, 2), true, GLNN_LAYOUT_PACKED);
        expect_ok(glnn_network_backward(
            parts, matrix_of(rows_of(all, first, 2), GLNN_LAYOUT_PACKED), NULL));
    }
    expect_ok(glnn_network_update(parts, 0.1f));
    expect_ok(glnn_network_update(whole, 0.1f));
    expect_near_parameters(parts, whole, 0);
}

/* Passes compute all rows of the matrices of a batch. */
static void samples_after_many_more_take_no_more_time(void **state)
{
    (void)state;
    random_seed(12);
    glnn_learner *network = net_of(0, GLNN_LAYOUT_TILED);
    const array inputs = array_random(COUNT, 5, -1, 1);
    const glnn_matrix *outputs;
    run_forward(network, inputs, true, GLNN_LAYOUT_TILED);
    run_forward(network, rows_of(inputs, 0, COUNT / 3), true, GLNN_LAYOUT_TILED);
    expect_ok(glnn_network_get_activation_matrix(network, 0, &outputs));
    assert_int_equal(glnn_matrix_get_rows(outputs), COUNT / 3);
}

/* The gradient of the inputs is the same, and no parameter learns from it. */
static void a_gradient_to_the_inputs_alone_changes_nothing_else(void **state)
{
    (void)state;
    random_seed(10);
    glnn_learner *fixed = net_of(0, GLNN_LAYOUT_TILED), *whole = net_of(0, GLNN_LAYOUT_TILED);
    const samples of = samples_random(COUNT, 5, 3, false);
    const array by_outputs =
        gradient_of_error(run_forward(whole, of.inputs, true, GLNN_LAYOUT_TILED), of.targets);
    run_forward(fixed, of.inputs, true, GLNN_LAYOUT_TILED);
    glnn_matrix *given = matrix_of(by_outputs, GLNN_LAYOUT_TILED);
    glnn_matrix *by_inputs[2] = {matrix_zero(COUNT, 5, GLNN_LAYOUT_TILED),
                                 matrix_zero(COUNT, 5, GLNN_LAYOUT_TILED)};
    expect_ok(glnn_network_backward_to_inputs(fixed, given, by_inputs[0]));
    expect_error(glnn_network_update(fixed, 0.1f), GLNN_E_STATE, "there is no gradient");
    expect_ok(glnn_network_backward(whole, given, by_inputs[1]));
    const array got = values_of(by_inputs[0]), want = values_of(by_inputs[1]);
    assert_memory_equal(got.data, want.data, length_of(want) * sizeof *want.data);

    /* It also leaves a gradient that is there. */
    expect_ok(glnn_network_backward(fixed, given, NULL));
    expect_ok(glnn_network_backward_to_inputs(fixed, given, by_inputs[0]));
    expect_ok(glnn_network_update(fixed, 0.1f));
    expect_ok(glnn_network_update(whole, 0.1f));
    expect_same_networks(fixed, whole, "the gradient of one call");
    expect_error(glnn_network_backward_to_inputs(fixed, given, NULL), GLNN_E_ARG, "is null");
}

/* A forward pass that does not train is a prediction, and takes the place of the samples. */
static void outputs_are_those_of_predictions(void **state)
{
    (void)state;
    random_seed(11);
    for (size_t n = 0; n < COUNT_OF(nets); ++n) {
        glnn_learner *network = net_of(n, GLNN_LAYOUT_TILED);
        const array inputs = array_random(COUNT, features_of(network), -1, 1);
        float *predicted = floats_new(3 * COUNT);
        run_forward(network, inputs, true, GLNN_LAYOUT_TILED);
        const array outputs = run_forward(network, inputs, false, GLNN_LAYOUT_UNPACKED);
        expect_ok(glnn_learner_predict(network, COUNT, floats_of(inputs), predicted, NULL));
        for (size_t i = 0; i < length_of(outputs); ++i)
            assert_true(fabs(outputs.data[i] - (double)predicted[i]) <= 1e-6);
        release_learning();
    }
}

/* Lists are recorded by the first step, and matrices of its gradients made. */
static void steady_steps_make_nothing_and_wait_for_nothing(void **state)
{
    (void)state;
    glnn_learner *network = net_of(3, GLNN_LAYOUT_TILED);
    glnn_matrix *const inputs =
        matrix_of(array_random(COUNT, features_of(network), -1, 1), GLNN_LAYOUT_PACKED);
    glnn_matrix *const outputs = matrix_of(array_new(COUNT, 3), GLNN_LAYOUT_TILED);
    glnn_matrix *const back = matrix_of(array_new(COUNT, features_of(network)), GLNN_LAYOUT_TILED);
    glnn_counters before = {0};
    for (int step = 0; step < 6; ++step) {
        if (step == 3)
            before = counters_of(glnn_test_context());
        expect_ok(glnn_network_forward(network, inputs, true, outputs));
        expect_ok(glnn_network_backward(network, outputs, back));
        expect_ok(glnn_network_update(network, 0.01f));
    }
    const glnn_counters after = counters_of(glnn_test_context());
    assert_int_equal(after.textures_created, before.textures_created);
    assert_int_equal(after.programs_compiled, before.programs_compiled);
    assert_int_equal(after.waits, before.waits);
}

static void fewer_samples_leave_nothing_of_those_before(void **state)
{
    (void)state;
    random_seed(13);
    for (size_t n = 0; n < COUNT_OF(nets); ++n) {
        glnn_learner *used = net_of(n, GLNN_LAYOUT_TILED), *fresh = net_of(n, GLNN_LAYOUT_TILED);
        const samples of = samples_random(3, features_of(used), 3, false);
        run_forward(used, array_random(2 * COUNT, features_of(used), -9, 9), true,
                    GLNN_LAYOUT_TILED);
        make_step(used, of, GLNN_LAYOUT_TILED);
        make_step(fresh, of, GLNN_LAYOUT_TILED);
        expect_near_parameters(used, fresh, n);
        release_learning();
    }
}

static void training_goes_on_as_if_nothing_had_been_run(void **state)
{
    (void)state;
    random_seed(17);
    for (size_t n = 0; n < COUNT_OF(nets); ++n) {
        glnn_learner *used = net_of(n, GLNN_LAYOUT_TILED), *fresh = net_of(n, GLNN_LAYOUT_TILED);
        const samples of = samples_random(COUNT, features_of(used), 3, false);
        const glnn_train_desc train = {.epochs = 2, .batch = 4, .schedule.rate = 0.1f};
        run_forward(used, of.inputs, false, GLNN_LAYOUT_TILED);
        input_gradient_of(used, of.inputs, of.targets, GLNN_LAYOUT_TILED);
        if (has_statistics(used, 0)) /* which have seen the samples */
            expect_ok(write_statistics(used, 0, (float[6]){0}, (float[6]){1, 1, 1, 1, 1, 1}));
        expect_ok(glnn_learner_train(used, dataset_of(of), &train, NULL));
        expect_ok(glnn_learner_train(fresh, dataset_of(of), &train, NULL));
        expect_same_networks(used, fresh, "after own passes");
        expect_error(glnn_network_update(used, 0.1f), GLNN_E_STATE, "there is no gradient");
        release_learning();
    }
}

static void calls_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    glnn_learner *network = net_of(0, GLNN_LAYOUT_TILED);
    glnn_matrix *const inputs = matrix_of(array_new(COUNT, 5), GLNN_LAYOUT_TILED);
    glnn_matrix *const many = matrix_of(array_new(2 * COUNT + 1, 5), GLNN_LAYOUT_TILED);
    glnn_matrix *const outputs = matrix_of(array_new(COUNT, 3), GLNN_LAYOUT_TILED);
    glnn_matrix *const wide = matrix_of(array_new(COUNT, 4), GLNN_LAYOUT_TILED);
    expect_error(glnn_network_forward(NULL, inputs, true, outputs), GLNN_E_ARG, "learner");
    expect_error(glnn_network_forward(network, NULL, true, outputs), GLNN_E_ARG, "inputs");
    expect_error(glnn_network_forward(network, wide, true, outputs), GLNN_E_SHAPE, "inputs");
    expect_error(glnn_network_forward(network, inputs, true, wide), GLNN_E_SHAPE, "outputs");
    expect_error(glnn_network_forward(network, many, true, NULL), GLNN_E_LIMIT,
                 "inputs has 13 samples; the capacity of the network is 12");
    expect_error(glnn_network_backward(network, outputs, NULL), GLNN_E_STATE,
                 "there is nothing to run backward");
    expect_error(glnn_network_update(network, 0.1f), GLNN_E_STATE, "there is no gradient");
    expect_ok(glnn_network_forward(network, inputs, false, outputs));
    expect_error(glnn_network_backward(network, outputs, NULL), GLNN_E_STATE, "`trains`");
    expect_ok(glnn_network_forward(network, inputs, true, outputs));
    expect_error(glnn_network_backward(network, wide, NULL), GLNN_E_SHAPE, "output_gradient");
    expect_error(glnn_network_backward(network, outputs, wide), GLNN_E_SHAPE, "input_gradient");
    expect_ok(glnn_network_backward(network, outputs, NULL));
    expect_error(glnn_network_update(network, -1), GLNN_E_ARG, "rate is -1");
    expect_error(glnn_network_update(network, NAN), GLNN_E_ARG, "rate is nan");
    expect_ok(glnn_network_update(network, 0));
    expect_error(glnn_network_update(network, 0), GLNN_E_STATE, "there is no gradient");
}

static void a_network_under_training_is_refused(void **state)
{
    (void)state;
    glnn_learner *network = net_of(0, GLNN_LAYOUT_TILED);
    glnn_trainer *trainer;
    const samples of = samples_random(COUNT, 5, 3, false);
    glnn_matrix *const inputs = matrix_of(of.inputs, GLNN_LAYOUT_TILED);
    const glnn_train_desc train = {.epochs = 1, .batch = COUNT};
    expect_ok(glnn_trainer_create(network, dataset_of(of), &train, &trainer));
    expect_error(glnn_network_forward(network, inputs, true, NULL), GLNN_E_STATE,
                 "is being trained");
    expect_error(glnn_network_backward(network, inputs, NULL), GLNN_E_STATE, "is being trained");
    expect_error(glnn_network_update(network, 0), GLNN_E_STATE, "is being trained");
    glnn_trainer_destroy(trainer);
    expect_ok(glnn_network_forward(network, inputs, true, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(gradients_of_inputs_are_slopes),
        LEARNING_TEST(steps_by_a_given_gradient_are_those_of_a_training),
        LEARNING_TEST(every_optimizer_takes_the_gradient),
        LEARNING_TEST(gradients_add_up_until_an_update),
        LEARNING_TEST(a_gradient_to_the_inputs_alone_changes_nothing_else),
        LEARNING_TEST(samples_after_many_more_take_no_more_time),
        LEARNING_TEST(outputs_are_those_of_predictions),
        LEARNING_TEST(steady_steps_make_nothing_and_wait_for_nothing),
        LEARNING_TEST(fewer_samples_leave_nothing_of_those_before),
        LEARNING_TEST(training_goes_on_as_if_nothing_had_been_run),
        LEARNING_TEST(calls_that_do_not_fit_are_refused),
        LEARNING_TEST(a_network_under_training_is_refused),
    };
    return cmocka_run_group_tests_name("network ends", tests, test_group_setup,
                                       test_group_teardown);
}
