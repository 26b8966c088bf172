/* Every kind of layer: against its reference in layouts, precisions and optimizers, its parameters,
 * and its files. */
#include "support/layer_checks.h"
#include "support/layer_reference.h"
#include "support/learner_files.h"
#include "support/network_checks.h"

#include "net/network_passes.h"

#include <glnn/trainer.h>

enum { SAMPLES = LAYER_SAMPLES, FEW_SAMPLES = 4 };

static glnn_network_desc describe(glnn_layer_kind kind, bool ends)
{
    const layer_reference *reference = layer_reference_of(kind);
    return network_of_layers(layer_reference_shape(kind), reference->layers, reference->count,
                             ends);
}

static samples draw_samples(const glnn_learner *network)
{
    return samples_for(network, SAMPLES,
                       glnn_network_get_desc(network)->loss == GLNN_LOSS_CROSS_ENTROPY);
}

/* Whether a kind has a case, out of four, in a layout: the layouts of a kind take other cases, and
 * so do the kinds. Unless all cases are run, a kind has one layout. Kinds that only train have the
 * two cases in which they are not the last. */
static bool is_met(glnn_layer_kind kind, int its_case, int layout)
{
    const bool trains_only = glnn__layer_type_get(kind)->trains_only;
    if ((trains_only && its_case % 2) || case_is_left_out((int)kind + layout))
        return false;
    const int turn = ((int)kind + layout) % 4;
    return all_cases_are_run() || its_case == (trains_only ? turn / 2 * 2 : turn);
}

/* The cases of a kind: both precisions, and the kind last where it may, in each layout. Over all
 * kinds, any two choices of layout, precision and place meet. If all cases are run, all do. */
enum { CASES = 4 * RENDERED_COUNT };

static bool describe_case(glnn_layer_kind kind, int number, glnn_network_desc *desc)
{
    *desc = describe(kind, number % 2);
    desc->precision = number / 2 % 2 ? GLNN_PRECISION_MIXED : GLNN_PRECISION_FLOAT32;
    desc->layout = rendered_layout(number / 4);
    return is_met(kind, number % 4, number / 4);
}

/* Calls with a network of each case. */
static void for_every_kind(void (*check)(glnn_learner *network, const char *kind))
{
    glnn_network_desc desc;
    random_seed(31);
    for (glnn_layer_kind kind = 0; kind < GLNN_LAYER_COUNT; ++kind)
        for (int i = 0; i < CASES; ++i) {
            if (!describe_case(kind, i, &desc))
                continue;
            glnn_learner *network = network_of(&desc);
            draw_parameters(network);
            check(network, glnn_layer_kind_name(kind));
            release_learning();
        }
}

static void kinds_have_names_of_their_own(void **state)
{
    (void)state;
    for (glnn_layer_kind kind = 0; kind < GLNN_LAYER_COUNT; ++kind) {
        assert_string_not_equal(glnn_layer_kind_name(kind), "unknown");
        for (glnn_layer_kind other = 0; other < kind; ++other)
            assert_string_not_equal(glnn_layer_kind_name(kind), glnn_layer_kind_name(other));
        assert_int_equal(layer_reference_of(kind)->layers[layer_reference_of(kind)->count - 1].kind,
                         kind);
    }
    assert_string_equal(glnn_layer_kind_name(GLNN_LAYER_COUNT), "unknown");
}

static void check_outputs(glnn_learner *network, const char *kind)
{
    const network_reference net = network_reference_of(network);
    const samples all = draw_samples(network);
    glnn_metrics metrics;
    expect_predictions(network, SAMPLES + 3, kind);
    expect_ok(glnn_learner_evaluate(network, dataset_of(all), &metrics, NULL));
    expect_bounded(metrics.loss, network_reference_loss(&net, all), "the loss", kind);
}

static void outputs_agree_with_the_reference(void **state)
{
    (void)state;
    for_every_kind(check_outputs);
}

static void check_gradients(glnn_learner *network, const char *kind)
{
    expect_gradients(network, draw_samples(network), SAMPLES - 5, kind);
}

static void gradients_agree_with_the_reference(void **state)
{
    (void)state;
    for_every_kind(check_gradients);
}

static void check_deltas(glnn_learner *network, const char *kind)
{
    const glnn_network_desc *desc = glnn_network_get_desc(network);
    for (int l = 0; l < desc->layer_count; ++l)
        if (desc->layers[l].kind != GLNN_LAYER_MULTIPLY &&
            (all_cases_are_run() || strcmp(glnn_layer_kind_name(desc->layers[l].kind), kind) == 0))
            expect_deltas(network, l, SAMPLES, kind);
}

/* Also where no layer below has parameters, so that a training would not compute them. Those of a
 * product also depend on its other inputs, so they are only compared as parts of gradients. Unless
 * all cases are run, other kinds in the network of a kind are left to their own. */
static void deltas_of_inputs_agree_with_the_reference(void **state)
{
    (void)state;
    for_every_kind(check_deltas);
}

/* The reference computes in double precision, whatever layout and precision a network has. Each
 * number of each sample takes two losses of all samples, so there are few of these. */
static void gradients_of_the_reference_are_slopes_of_its_loss(void **state)
{
    (void)state;
    random_seed(32);
    for (glnn_layer_kind kind = 0; kind < GLNN_LAYER_COUNT; ++kind) {
        const glnn_network_desc desc = describe(kind, false);
        glnn_learner *network = network_of(&desc);
        draw_parameters(network);
        network_reference net = network_reference_of(network);
        expect_slopes(&net, samples_for(network, FEW_SAMPLES, true), glnn_layer_kind_name(kind));
        release_learning();
    }
}

/* One batch, a batch in parts, and a step of several batches. */
static void check_steps(glnn_learner *network, const char *kind)
{
    const samples all = draw_samples(network);
    expect_step(network, all, (glnn_train_desc){.schedule.rate = 0.0625f}, kind);
    expect_step(network, all,
                (glnn_train_desc){.schedule.rate = 0.0625f, .batch = 7, .accumulate = 4}, kind);
}

static void steps_agree_with_the_reference(void **state)
{
    (void)state;
    for_every_kind(check_steps);
}

/* To a layer without parameters all optimizers are the same. */
static bool has_kind_parameters(glnn_layer_kind kind)
{
    return glnn__layer_type_get(kind)->arrays != NULL;
}

static void steps_of_every_optimizer_agree_with_the_reference(void **state)
{
    (void)state;
    static const glnn_optimizer optimizers[] = {
        {.weight_decay = 0.01f},
        {.kind = GLNN_OPTIMIZER_NESTEROV, .momentum = 0.9f},
        {.kind = GLNN_OPTIMIZER_ADAM},
        {.clip_norm = 0.01f},
        {.kind = GLNN_OPTIMIZER_ADAM, .clip_norm = 0.01f},
    };
    glnn_network_desc desc;
    random_seed(33);
    for (glnn_layer_kind kind = 0; kind < GLNN_LAYER_COUNT; ++kind)
        for (size_t i = 0; i < CASES * COUNT_OF(optimizers); ++i) {
            const size_t o = i % COUNT_OF(optimizers);
            if (!has_kind_parameters(kind) ||
                !describe_case(kind, (int)(i / COUNT_OF(optimizers)), &desc))
                continue;
            desc.optimizer = optimizers[o];
            desc.capacity = o % 2 ? 10 : SAMPLES;
            glnn_learner *network = network_of(&desc);
            draw_parameters(network);
            const samples all = draw_samples(network);
            for (int s = 0; s < 3; ++s)
                expect_step(network, all, (glnn_train_desc){.schedule.rate = 0.0625f},
                            glnn_layer_kind_name(kind));
            release_learning();
        }
}

/* Tensors come back as they were set, and the others keep their numbers. */
static void check_parameters(glnn_learner *network, const char *kind)
{
    const int count = glnn_learner_get_tensor_count(network);
    glnn_tensor_info info = {.size = sizeof info};
    float *drawn[GLNN_NETWORK_MAX_LAYERS];
    for (int i = 0; i < count; ++i) {
        expect_ok(glnn_learner_get_tensor_info(network, i, &info));
        drawn[i] = floats_of(array_random(1, (int)info.count, 0.25, 1.0));
        expect_ok(write_tensor(network, info.name, drawn[i]));
    }
    for (int i = 0; i < count; ++i) {
        expect_ok(glnn_learner_get_tensor_info(network, i, &info));
        float *found = floats_new(info.count);
        expect_ok(read_tensor(network, info.name, found));
        assert_memory_equal(found, drawn[i], info.count * sizeof *found);
    }
    expect_predictions(network, 3, kind);
}

static void parameters_are_read_as_they_were_written(void **state)
{
    (void)state;
    for_every_kind(check_parameters);
}

static void check_snapshot(glnn_learner *network, const char *kind)
{
    const glnn_train_desc how = {.schedule.rate = 0.0625f};
    glnn_trainer *trainer;
    array before[GLNN_NETWORK_MAX_LAYERS], former[GLNN_NETWORK_MAX_LAYERS];
    const int layers = glnn_network_get_desc(network)->layer_count;
    const glnn_dataset *data = dataset_of(draw_samples(network));
    expect_ok(glnn_trainer_create(network, data, &how, &trainer));
    expect_ok(glnn_trainer_snapshot(trainer));
    for (int l = 0; l < layers; ++l) {
        before[l] = has_parameters(network, l) ? weights_of(network, l) : (array){0};
        former[l] = has_statistics(network, l) ? statistics_of(network, l) : (array){0};
    }
    expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
    for (int l = 0; l < layers; ++l)
        if (has_parameters(network, l))
            assert_memory_not_equal(before[l].data, weights_of(network, l).data,
                                    length_of(before[l]) * sizeof(double));
    expect_ok(glnn_trainer_restore(trainer));
    glnn_trainer_destroy(trainer);
    for (int l = 0; l < layers; ++l) {
        if (has_parameters(network, l))
            expect_same_bits(weights_of(network, l), before[l], "%s: layer %d", kind, l);
        if (has_statistics(network, l))
            expect_same_bits(statistics_of(network, l), former[l], "%s: layer %d", kind, l);
    }
    expect_predictions(network, 3, kind);
}

static void a_snapshot_brings_back_all_parameters(void **state)
{
    (void)state;
    for_every_kind(check_snapshot);
}

static void train(glnn_learner *network, const glnn_dataset *data)
{
    const glnn_train_desc how = {.epochs = 2, .batch = 8, .schedule.rate = 0.0625f};
    expect_ok(glnn_learner_train(network, data, &how, NULL));
}

/* The texts of functions are copies. */
static void expect_same_layers(const glnn_network_desc *left, const glnn_network_desc *right)
{
    for (int l = 0; l < GLNN_NETWORK_MAX_LAYERS; ++l) {
        glnn_layer_desc a = left->layers[l], b = right->layers[l];
        if (a.function) {
            assert_string_equal(a.function->name, b.function->name);
            assert_string_equal(a.function->source, b.function->source);
            assert_string_equal(a.function->operands[0], b.function->operands[0]);
            assert_string_equal(a.function->adjoint, b.function->adjoint);
            a.function = b.function = NULL;
        }
        assert_memory_equal(&a, &b, sizeof a);
    }
}

/* A network from a file, and one that a file was restored into, train on with the same bits. */
static void check_file(glnn_learner *network, const char *kind)
{
    const file_path path = path_of("network");
    const glnn_network_desc *desc = glnn_network_get_desc(network);
    const glnn_dataset *data = dataset_of(draw_samples(network));
    glnn_learner *loaded = NULL, *restored = network_of(desc);
    train(network, data);
    expect_ok(glnn_learner_save(network, path.text));
    expect_ok(glnn_learner_load(glnn_test_context(), path.text,
                                &(glnn_load_desc){.layout = desc->layout, .capacity = SAMPLES},
                                &loaded));
    learning_own_learner(loaded);
    expect_ok(glnn_network_set_precision(loaded, desc->precision));
    expect_ok(glnn_learner_load_parameters(restored, path.text));
    expect_same_layers(desc, glnn_network_get_desc(loaded));
    train(network, data);
    train(loaded, data);
    train(restored, data);
    expect_same_networks(network, loaded, kind);
    expect_same_networks(network, restored, kind);
}

static void files_hold_all_that_training_goes_on_from(void **state)
{
    (void)state;
    for_every_kind(check_file);
}

/* It may be that no layer of the network has parameters. */
static void a_network_of_one_layer_is_saved_and_loaded(void **state)
{
    (void)state;
    random_seed(37);
    for (glnn_layer_kind kind = 0; kind < GLNN_LAYER_COUNT; ++kind) {
        const glnn__layer_type *type = glnn__layer_type_get(kind);
        if (type->trains_only || type->least_inputs > 0)
            continue;
        const layer_reference *reference = layer_reference_of(kind);
        const glnn_network_desc desc = network_of_layers(
            layer_reference_shape(kind), &reference->layers[reference->count - 1], 1, true);
        check_file(network_of(&desc), glnn_layer_kind_name(kind));
        release_learning();
    }
}

static void check_steadiness(glnn_learner *network, const char *kind)
{
    (void)kind;
    epoch_watch watch = {.most_waits = 1};
    const glnn_train_desc how = {
        .epochs = 4, .batch = 7, .accumulate = 2, .report = watch_steady_epoch, .user = &watch};
    expect_ok(glnn_learner_train(network, dataset_of(draw_samples(network)), &how, NULL));
    assert_int_equal(watch.epochs, 2);
}

static void steps_make_nothing_and_do_not_wait(void **state)
{
    (void)state;
    for_every_kind(check_steadiness);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(kinds_have_names_of_their_own),
        LEARNING_TEST(outputs_agree_with_the_reference),
        LEARNING_TEST(gradients_agree_with_the_reference),
        LEARNING_TEST(deltas_of_inputs_agree_with_the_reference),
        LEARNING_TEST(gradients_of_the_reference_are_slopes_of_its_loss),
        LEARNING_TEST(steps_agree_with_the_reference),
        LEARNING_TEST(steps_of_every_optimizer_agree_with_the_reference),
        LEARNING_TEST(parameters_are_read_as_they_were_written),
        LEARNING_TEST(a_snapshot_brings_back_all_parameters),
        LEARNING_TEST(files_hold_all_that_training_goes_on_from),
        LEARNING_TEST(a_network_of_one_layer_is_saved_and_loaded),
        LEARNING_TEST(steps_make_nothing_and_do_not_wait),
    };
    return cmocka_run_group_tests_name("network kinds", tests, learner_files_setup,
                                       learner_files_teardown);
}
