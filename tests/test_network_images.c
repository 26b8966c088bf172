/* Networks that combine the layers of images. */
#include "support/layer_checks.h"
#include "support/learner_files.h"
#include "support/network_checks.h"

#include "net/network.h"

/* clang-format off */
#define CONVOLUTION(UNITS, ...) {.kind = GLNN_LAYER_CONVOLUTION, .units = UNITS, __VA_ARGS__}
#define NORM(FUNCTION) {.kind = GLNN_LAYER_BATCH_NORM, .activation = GLNN_ACTIVATION_##FUNCTION}
/* clang-format on */
#define PLAIN .activation = GLNN_ACTIVATION_IDENTITY

/* A residual block between two poolings, as in the networks of He, Zhang, Ren, Sun 2016. */
static const glnn_network_desc residual = {
    .shape = {3, 9, 7},
    .layers = {CONVOLUTION(6, .kernel = {3, 3}, .padding = {1, 1}, PLAIN),
               NORM(RELU),
               {.kind = GLNN_LAYER_MAX_POOL, .kernel = {2, 2}},
               CONVOLUTION(6, .kernel = {3, 3}, .padding = {1, 1}, PLAIN),
               NORM(RELU),
               CONVOLUTION(6, .kernel = {3, 3}, .padding = {1, 1}, .groups = 2, PLAIN),
               NORM(IDENTITY),
               {.kind = GLNN_LAYER_RESIDUAL, .skip = 4},
               {.kind = GLNN_LAYER_DROPOUT, .rate = 0.25f},
               {.kind = GLNN_LAYER_AVERAGE_POOL, .kernel = {4, 3}},
               {.kind = GLNN_LAYER_FLATTEN},
               {.units = 4}},
    .optimizer.momentum = 0.5f,
    .seed = 91,
};

/* LeNet-5 with fewer units, on an image with a rest that no window covers. */
static const glnn_network_desc lenet = {
    .shape = {1, 14, 15},
    .layers = {CONVOLUTION(3, .kernel = {5, 5}, .padding = {2, 2},
                           .activation = GLNN_ACTIVATION_SCALED_TANH),
               {.kind = GLNN_LAYER_AVERAGE_POOL, .kernel = {2, 2}},
               CONVOLUTION(5, .kernel = {3, 3}, .activation = GLNN_ACTIVATION_SCALED_TANH),
               {.kind = GLNN_LAYER_MAX_POOL, .kernel = {2, 2}, .stride = {1, 2}},
               {.kind = GLNN_LAYER_FLATTEN},
               {.units = 9, .activation = GLNN_ACTIVATION_TANH},
               {.units = 4}},
    .optimizer.kind = GLNN_OPTIMIZER_ADAM,
    .seed = 92,
};

enum { SAMPLES = 11 };

/* In every layout with float32; with mixed precision the networks take the layouts in turn. */
static void for_every_network(void (*check)(glnn_learner *network, const char *where))
{
    static const glnn_network_desc *const networks[] = {&residual, &lenet};
    static const char *const names[] = {"residual", "lenet"};
    random_seed(93);
    for (size_t n = 0; n < COUNT_OF(networks); ++n)
        for (int i = 0; i < 2 * RENDERED_COUNT; ++i) {
            glnn_network_desc desc = *networks[n];
            if ((i >= RENDERED_COUNT && (size_t)i % 2 != n) ||
                case_is_left_out(i / RENDERED_COUNT + i % RENDERED_COUNT + (int)n))
                continue;
            desc.layout = rendered_layout(i);
            desc.precision = i < RENDERED_COUNT ? GLNN_PRECISION_FLOAT32 : GLNN_PRECISION_MIXED;
            desc.capacity = i % 2 ? SAMPLES : 4;
            glnn_learner *network = network_of(&desc);
            draw_parameters(network);
            check(network, names[n]);
            release_learning();
        }
}

static void check_outputs(glnn_learner *network, const char *where)
{
    expect_predictions(network, SAMPLES, where);
}

static void outputs_agree_with_the_reference(void **state)
{
    (void)state;
    for_every_network(check_outputs);
}

static void check_gradients(glnn_learner *network, const char *where)
{
    const int count = glnn_network_get_desc(network)->capacity;
    expect_gradients(network, samples_for(network, SAMPLES, true), count, where);
}

static void gradients_agree_with_the_reference(void **state)
{
    (void)state;
    for_every_network(check_gradients);
}

static void check_steps(glnn_learner *network, const char *where)
{
    const samples all = samples_for(network, SAMPLES, true);
    expect_step(network, all, (glnn_train_desc){.schedule.rate = 0.03125f}, where);
    expect_step(network, all,
                (glnn_train_desc){.schedule.rate = 0.03125f, .batch = 6, .accumulate = 2}, where);
}

static void steps_agree_with_the_reference(void **state)
{
    (void)state;
    for_every_network(check_steps);
}

/* Even UNPACKED weights are no wider than this. */
#define SMALL_SIDE 256

/* The stages take the layouts in turn. */
static void batches_that_are_higher_than_a_texture_are_trained_at_once(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    const glnn_network_desc *const networks[] = {&residual, &lenet};
    const int former = ctx->info.max_texture_size;
    random_seed(94);
    for (int i = 0; i < RENDERED_COUNT; ++i) {
        if (case_is_left_out(i % 2))
            continue;
        glnn_network_desc desc = *networks[i % 2];
        desc.layout = rendered_layout(i);
        desc.capacity = SAMPLES;
        ctx->info.max_texture_size = SMALL_SIDE;
        glnn_learner *network = network_of(&desc);
        assert_int_equal(glnn_network_get_desc(network)->capacity, SAMPLES);
        draw_parameters(network);
        check_steps(network, "wrapped");
        assert_true(glnn__network_of(network)->layers[0].out.values->texture->extent.height <=
                    SMALL_SIDE);
        assert_true(glnn__network_of(network)->layers[0].out.values->texture->extent.wrap > 0);
        check_outputs(network, "wrapped");
        release_learning();
        ctx->info.max_texture_size = former;
    }
}

/* A sample of the first layer has 210 rows of one block of 32 elements, and so has its delta. */
static void a_capacity_that_needs_too_much_memory_is_lessened(void **state)
{
    (void)state;
    glnn_network_desc desc = lenet;
    desc.layout = GLNN_LAYOUT_TILED;
    glnn_context *large = glnn_test_context(), *small = context_new(1 << 20, 0.0);
    glnn_learner *network = NULL;
    expect_ok(glnn_network_create(small, &desc, &network));
    const int capacity = glnn_network_get_desc(network)->capacity;
    assert_in_range(capacity, 4, 39);
    glnn_learner_destroy(network);
    desc.capacity = capacity;
    expect_ok(glnn_network_create(large, &desc, &network));
    assert_int_equal(glnn_network_get_desc(network)->capacity, capacity);
    glnn_learner_destroy(network);
    desc.shape = (glnn_shape){1, 210, 210};
    expect_error(glnn_network_create(small, &desc, &network), GLNN_E_LIMIT,
                 "more than half of the texture budget of 1048576 bytes");
}

static void train(glnn_learner *network, const glnn_dataset *data)
{
    const glnn_train_desc how = {.epochs = 2, .batch = 5, .schedule.rate = 0.03125f};
    expect_ok(glnn_learner_train(network, data, &how, NULL));
}

static void check_bits(glnn_learner *network, const char *where)
{
    glnn_learner *other = network_of(glnn_network_get_desc(network));
    const glnn_dataset *data = dataset_of(samples_for(network, SAMPLES, true));
    const file_path path = path_of("network");
    expect_ok(glnn_learner_save(network, path.text));
    expect_ok(glnn_learner_load_parameters(other, path.text));
    train(network, data);
    train(other, data);
    expect_same_networks(network, other, where);
}

static void two_trainings_have_the_same_bits(void **state)
{
    (void)state;
    for_every_network(check_bits);
}

static void check_steadiness(glnn_learner *network, const char *where)
{
    (void)where;
    epoch_watch watch = {.most_waits = 1};
    const glnn_train_desc how = {
        .epochs = 4, .batch = 4, .report = watch_steady_epoch, .user = &watch};
    expect_ok(
        glnn_learner_train(network, dataset_of(samples_for(network, SAMPLES, true)), &how, NULL));
    assert_int_equal(watch.epochs, 2);
}

static void steps_make_nothing_and_do_not_wait(void **state)
{
    (void)state;
    for_every_network(check_steadiness);
}

/* Images of a bright bar that is upright or level, at a random place. */
static samples bars(int count)
{
    samples all = {.inputs = array_random(count, 64, -0.25, 0.25),
                   .labels = array_new(count, 1),
                   .outputs = 2};
    for (int i = 0; i < count; ++i) {
        const int place = i / 2 % 8;
        all.labels.data[i] = i % 2;
        for (int k = 0; k < 8; ++k)
            *at(all.inputs, i, i % 2 ? 8 * place + k : 8 * k + place) += 1;
    }
    return all;
}

static void a_network_of_images_learns(void **state)
{
    (void)state;
    random_seed(94);
    const glnn_network_desc desc = {
        .shape = {1, 8, 8},
        .layers = {CONVOLUTION(4, .kernel = {3, 3}, .padding = {1, 1}, PLAIN),
                   NORM(RELU),
                   {.kind = GLNN_LAYER_MAX_POOL, .kernel = {8, 8}},
                   {.kind = GLNN_LAYER_FLATTEN},
                   {.units = 2}},
        .optimizer.momentum = 0.9f,
        .seed = 95,
    };
    glnn_learner *network = network_of(&desc);
    glnn_metrics metrics;
    expect_ok(glnn_learner_train(
        network, dataset_of(bars(64)),
        &(glnn_train_desc){.epochs = 20, .batch = 16, .schedule.rate = 0.1f}, NULL));
    expect_ok(glnn_learner_evaluate(network, dataset_of(bars(64)), &metrics, NULL));
    assert_true(metrics.accuracy == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(outputs_agree_with_the_reference),
        LEARNING_TEST(gradients_agree_with_the_reference),
        LEARNING_TEST(steps_agree_with_the_reference),
        LEARNING_TEST(batches_that_are_higher_than_a_texture_are_trained_at_once),
        LEARNING_TEST(a_capacity_that_needs_too_much_memory_is_lessened),
        LEARNING_TEST(two_trainings_have_the_same_bits),
        LEARNING_TEST(steps_make_nothing_and_do_not_wait),
        LEARNING_TEST(a_network_of_images_learns),
    };
    return cmocka_run_group_tests_name("network images", tests, learner_files_setup,
                                       learner_files_teardown);
}
