/* Training steps against the reference in double precision: every optimizer, layout and way to cut
 * a batch; and that equal seeds give equal bits. */
#include "support/network_checks.h"

enum { STEPS = 50, BATCH = 16 };

typedef struct recipe {
    const char *name;
    glnn_activation activations[3];
    glnn_loss loss;
    glnn_optimizer optimizer;
    float rate;
    bool labels;
} recipe;

static const recipe recipes[] = {
    {"plain descent",
     {GLNN_ACTIVATION_RELU, GLNN_ACTIVATION_RELU},
     GLNN_LOSS_CROSS_ENTROPY,
     {0},
     0.1f,
     true},
    {"momentum",
     {GLNN_ACTIVATION_TANH, GLNN_ACTIVATION_SIGMOID},
     GLNN_LOSS_CROSS_ENTROPY,
     {.momentum = 0.9f},
     0.05f,
     true},
    {"momentum and decay",
     {GLNN_ACTIVATION_SIGMOID, GLNN_ACTIVATION_SCALED_TANH, GLNN_ACTIVATION_SIGMOID},
     GLNN_LOSS_SQUARED,
     {.momentum = 0.5f, .weight_decay = 0.05f},
     0.2f,
     true},
    {"Nesterov's momentum",
     {GLNN_ACTIVATION_SCALED_TANH, GLNN_ACTIVATION_TANH, GLNN_ACTIVATION_TANH},
     GLNN_LOSS_SQUARED,
     {.kind = GLNN_OPTIMIZER_NESTEROV, .momentum = 0.9f},
     0.02f,
     false},
    {"Nesterov's momentum and decay",
     {GLNN_ACTIVATION_LEAKY_RELU, GLNN_ACTIVATION_IDENTITY},
     GLNN_LOSS_CROSS_ENTROPY,
     {.kind = GLNN_OPTIMIZER_NESTEROV, .momentum = 0.7f, .weight_decay = 0.01f},
     0.05f,
     true},
    {"Adam",
     {GLNN_ACTIVATION_TANH, GLNN_ACTIVATION_RELU},
     GLNN_LOSS_SQUARED,
     {.kind = GLNN_OPTIMIZER_ADAM},
     0.005f,
     false},
    {"Adam and decay",
     {GLNN_ACTIVATION_LEAKY_RELU, GLNN_ACTIVATION_TANH},
     GLNN_LOSS_CROSS_ENTROPY,
     {.kind = GLNN_OPTIMIZER_ADAM,
      .beta1 = 0.8f,
      .beta2 = 0.95f,
      .epsilon = 1e-6f,
      .weight_decay = 0.1f},
     0.005f,
     true},
    {"RMSprop and decay",
     {GLNN_ACTIVATION_TANH, GLNN_ACTIVATION_SIGMOID},
     GLNN_LOSS_CROSS_ENTROPY,
     {.kind = GLNN_OPTIMIZER_RMSPROP, .weight_decay = 0.1f},
     0.001f,
     true},
    {"RMSprop with momentum",
     {GLNN_ACTIVATION_SCALED_TANH, GLNN_ACTIVATION_TANH, GLNN_ACTIVATION_TANH},
     GLNN_LOSS_SQUARED,
     {.kind = GLNN_OPTIMIZER_RMSPROP, .momentum = 0.8f, .beta2 = 0.9f, .epsilon = 1e-5f},
     0.0005f,
     false},
    {"iRprop-",
     {GLNN_ACTIVATION_TANH, GLNN_ACTIVATION_SIGMOID},
     GLNN_LOSS_CROSS_ENTROPY,
     {.kind = GLNN_OPTIMIZER_RPROP, .step_max = 0.05f, .step_decrease = 0.25f},
     0,
     true},
};

/* Unless all cases are run, every other recipe is met in the fragment stage, and the others in the
 * compute stage. */
static bool is_its_turn(size_t number)
{
    return all_cases_are_run() || number % 2 == (case_is_left_out(0) ? 1 : 0);
}

/* Whether a recipe has a layout: one of them unless all cases are run, or two of them if they are
 * compared and it is its turn. The fragment and the compute stage take others. */
static bool is_met(size_t number, glnn_layout layout, bool compares)
{
    return !case_is_left_out((int)number + (int)layout) ||
           (compares && is_its_turn(number) && !case_is_left_out((int)number + (int)layout + 1));
}

/* The one that a recipe has in any case. */
static glnn_layout layout_of(size_t number)
{
    glnn_layout layout = GLNN_LAYOUT_TILED;
    while (!is_met(number, layout, false))
        ++layout;
    return layout;
}

/* The samples of a batch; all of them if the optimizer needs that. */
static int batch_of(const recipe *from, int batch)
{
    return from->optimizer.kind == GLNN_OPTIMIZER_RPROP ? GLNN_FULL_BATCH : batch;
}

/* 20-13-7-5. */
static glnn_network_desc describe(const recipe *from, glnn_layout layout)
{
    glnn_network_desc desc = {
        .features = 20,
        .layers = {{.units = 13}, {.units = 7}, {.units = 5}},
        .loss = from->loss,
        .optimizer = from->optimizer,
        .layout = layout,
        .seed = 7,
    };
    for (int l = 0; l < 3; ++l)
        desc.layers[l].activation = from->activations[l];
    return desc;
}

static samples draw_samples(const recipe *from, int count)
{
    random_seed(11);
    return samples_random(count, 20, 5, from->labels);
}

typedef struct curve {
    double losses[STEPS];
} curve;

static bool record_loss(void *user, const glnn_report *report)
{
    if (report->event == GLNN_EVENT_EPOCH)
        ((curve *)user)->losses[report->epoch - 1] = report->training.loss;
    return true;
}

static void expect_relative(double got, double want, double bound, const char *name, int step,
                            const char *what)
{
    if (!(fabs(got - want) <= bound * fabs(want)))
        fail_at(__FILE__, __LINE__, "%s, step %d: the loss is %.9g, %s %.9g, which is %.2g off",
                name, step, got, what, want, fabs(got - want) / fabs(want));
}

/* Epochs of one batch each show the loss of each step. */
static void check_curves(size_t number)
{
    const recipe *from = &recipes[number];
    curve first, next;
    curve *own = &first;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        if (!is_met(number, layout, true))
            continue;
        const glnn_network_desc desc = describe(from, layout);
        glnn_learner *network = network_of(&desc);
        const samples batch = draw_samples(from, BATCH);
        network_reference reference = network_reference_of(network);
        const glnn_train_desc train = {.epochs = STEPS,
                                       .batch = BATCH,
                                       .schedule.rate = from->rate,
                                       .keep_order = true,
                                       .report = record_loss,
                                       .user = own};
        expect_ok(glnn_learner_train(network, dataset_of(batch), &train, NULL));
        for (int t = 0; t < STEPS; ++t) {
            const bounded loss = network_reference_step(&reference, batch, (double)from->rate);
            const double got = own->losses[t];
            expect_relative(got, loss.value, 1e-4, from->name, t, "the reference's");
            expect_relative(got, first.losses[t], 1e-5, from->name, t, "another layout's");
        }
        own = &next;
        release_learning();
    }
}

static void the_loss_of_50_steps_agrees_with_the_reference_and_among_layouts(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(recipes); ++i)
        check_curves(i);
}

/* Each step starts from the library's own weights, so that the reference's running bounds cover
 * all that it may differ by. */
static void check_steps(const recipe *from, glnn_network_desc desc, int batch, int steps)
{
    glnn_learner *network = network_of(&desc);
    for (int t = 0; t < steps; ++t)
        expect_step(network, samples_random(batch, 20, 5, from->labels),
                    (glnn_train_desc){.schedule.rate = from->rate}, from->name);
    release_learning();
}

static void each_step_agrees_with_the_reference_within_its_roundings(void **state)
{
    (void)state;
    random_seed(13);
    for (size_t i = 0; i < COUNT_OF(recipes); ++i)
        for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
            if (is_met(i, layout, false))
                check_steps(&recipes[i], describe(&recipes[i], layout), BATCH, 6);
}

/* The same with what products read in 16 bits; the recipes take the layouts and the stages in turn.
 * The bounds are those of the roundings that it takes, 2^-11 of activations and deltas; weights and
 * state stay float32. */
static void
each_step_of_mixed_precision_agrees_with_the_reference_within_its_roundings(void **state)
{
    (void)state;
    random_seed(19);
    for (size_t i = 0; i < COUNT_OF(recipes); ++i) {
        if (!is_its_turn(i))
            continue;
        glnn_network_desc desc = describe(&recipes[i], layout_of(i));
        desc.precision = GLNN_PRECISION_MIXED;
        check_steps(&recipes[i], desc, BATCH, 3);
        desc.capacity = 7;
        check_steps(&recipes[i], desc, BATCH, 1);
    }
}

/* Bounds as for one list of passes: a sum in parts has no more roundings. */
static void a_batch_larger_than_the_capacity_makes_the_same_step(void **state)
{
    (void)state;
    static const int cuts[][2] = {{64, 16}, {50, 16}, {17, 16}, {5, 1}};
    random_seed(17);
    for (size_t i = 0; i < COUNT_OF(recipes); ++i)
        for (size_t cut = 0; cut < COUNT_OF(cuts); ++cut) {
            glnn_network_desc desc = describe(&recipes[i], layout_of(i));
            desc.capacity = cuts[cut][1];
            check_steps(&recipes[i], desc, cuts[cut][0], 2);
        }
}

/* Over epochs of several batches errors add up. A step rounds a parameter w twice, by (1 + |w|) eps
 * or less. The gradient, which the rate makes small, is allowed the same again, and the curvature
 * of the loss, which carries old errors on, twice as much: 8 eps (1 + |w|) a step.
 * The loss of an epoch is the mean over its samples, not over its batches. */
static void check_epochs(const recipe *from, glnn_layout layout, int some)
{
    const int batch = batch_of(from, some);
    const glnn_network_desc desc = describe(from, layout);
    const samples all = draw_samples(from, 60);
    const int epochs = 2, size = batch < 0 ? 60 : batch;
    const double rate = (double)from->rate;
    curve got;
    glnn_learner *network = network_of(&desc);
    network_reference net = network_reference_of(network);
    const glnn_train_desc train = {.epochs = epochs,
                                   .batch = batch,
                                   .schedule.rate = from->rate,
                                   .keep_order = true,
                                   .report = record_loss,
                                   .user = &got};
    expect_ok(glnn_learner_train(network, dataset_of(all), &train, NULL));
    for (int e = 0; e < epochs; ++e) {
        double loss = 0;
        for (int first = 0; first < 60; first += size) {
            const int count = first + size < 60 ? size : 60 - first;
            loss += count *
                    network_reference_step(&net, samples_part(all, first, count), rate).value / 60;
        }
        expect_relative(got.losses[e], loss, 1e-4, from->name, e, "the reference's");
    }
    for (int l = 0; l < net.desc.layer_count; ++l) {
        for (size_t i = 0; i < length_of(net.parameters[l].value); ++i)
            net.parameters[l].bound.data[i] =
                8 * EPS * (1 + fabs(net.parameters[l].value.data[i])) * (double)net.steps;
        expect_within(weights_of(network, l), net.parameters[l], "weight", from->name);
    }
    assert_int_equal(glnn_network_get_steps(network), net.steps);
    release_learning();
}

static void epochs_agree_with_the_reference_for_every_size_of_batch(void **state)
{
    (void)state;
    static const int batches[] = {BATCH, 7, -1};
    for (size_t i = 0; i < COUNT_OF(recipes); ++i)
        for (size_t b = 0; b < COUNT_OF(batches); ++b)
            check_epochs(&recipes[i], all_cases_are_run() ? rendered_layout(i + b) : layout_of(i),
                         batches[b]);
    check_epochs(&recipes[0], GLNN_LAYOUT_TILED, 1);
    check_epochs(&recipes[5], GLNN_LAYOUT_UNPACKED, 1);
}

/* Odd layouts with mixed precision, so that both are covered. */
static glnn_learner *train_with_seeds(const recipe *from, glnn_layout layout, uint64_t weights,
                                      uint64_t order)
{
    glnn_network_desc desc = describe(from, layout);
    desc.precision = layout % 2 ? GLNN_PRECISION_MIXED : GLNN_PRECISION_FLOAT32;
    desc.seed = weights;
    glnn_learner *network = network_of(&desc);
    const glnn_train_desc train = {
        .epochs = 3, .batch = batch_of(from, BATCH), .schedule.rate = from->rate, .seed = order};
    expect_ok(glnn_learner_train(network, dataset_of(draw_samples(from, 100)), &train, NULL));
    return network;
}

static void equal_seeds_give_equal_bits_in_every_context(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(recipes); ++i) {
        const glnn_layout layout = layout_of(i);
        const glnn_learner *first = train_with_seeds(&recipes[i], layout, 1, 2);
        expect_same_networks(first, train_with_seeds(&recipes[i], layout, 1, 2),
                             "the same context");
        context_use(context_new(0, 0.0));
        const glnn_learner *other = train_with_seeds(&recipes[i], layout, 1, 2);
        expect_same_networks(first, other, "another context");
        release_learning();
    }
}

static bool have_same_weights(const glnn_learner *left, const glnn_learner *right)
{
    const array a = weights_of(left, 0), b = weights_of(right, 0);
    return memcmp(a.data, b.data, length_of(a) * sizeof *a.data) == 0;
}

static void other_seeds_give_other_weights(void **state)
{
    (void)state;
    const glnn_learner *one = train_with_seeds(&recipes[0], GLNN_LAYOUT_TILED, 1, 2);
    const glnn_learner *other_weights = train_with_seeds(&recipes[0], GLNN_LAYOUT_TILED, 3, 2);
    const glnn_learner *other_order = train_with_seeds(&recipes[0], GLNN_LAYOUT_TILED, 1, 3);
    assert_false(have_same_weights(one, other_weights));
    assert_false(have_same_weights(one, other_order));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(the_loss_of_50_steps_agrees_with_the_reference_and_among_layouts),
        LEARNING_TEST(each_step_agrees_with_the_reference_within_its_roundings),
        LEARNING_TEST(each_step_of_mixed_precision_agrees_with_the_reference_within_its_roundings),
        LEARNING_TEST(a_batch_larger_than_the_capacity_makes_the_same_step),
        LEARNING_TEST(epochs_agree_with_the_reference_for_every_size_of_batch),
        LEARNING_TEST(equal_seeds_give_equal_bits_in_every_context),
        LEARNING_TEST(other_seeds_give_other_weights),
    };
    return cmocka_run_group_tests_name("network", tests, test_group_setup, test_group_teardown);
}
