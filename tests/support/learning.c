#include "learning.h"

/* One learner or data set; the newest comes first. */
typedef struct owned {
    struct owned *next;
    void *thing;
    void (*destroy)(void *thing);
} owned;

static owned *newest;

void learning_own(void *learner, void (*destroy)(void *learner))
{
    owned *node = malloc(sizeof *node);
    if (node == NULL)
        fail_at(__FILE__, __LINE__, "no memory for a test");
    *node = (owned){newest, learner, destroy};
    newest = node;
}

static void destroy_learner(void *learner)
{
    glnn_learner_destroy(learner);
}

void learning_own_learner(glnn_learner *learner)
{
    learning_own(learner, destroy_learner);
}

static void destroy_dataset(void *data)
{
    glnn_dataset_destroy(data);
}

void release_learning(void)
{
    while (newest != NULL) {
        owned *node = newest;
        newest = node->next;
        node->destroy(node->thing);
        free(node);
    }
    release_all();
}

int learning_teardown(void **state)
{
    release_learning();
    return test_teardown(state);
}

array rows_of(array values, int row, int count)
{
    if (values.data == NULL)
        return (array){0};
    return (array){count, values.columns, at(values, row, 0)};
}

samples samples_part(samples all, int first, int count)
{
    return (samples){.inputs = rows_of(all.inputs, first, count),
                     .labels = rows_of(all.labels, first, count),
                     .targets = rows_of(all.targets, first, count),
                     .weights = rows_of(all.weights, first, count),
                     .outputs = all.outputs};
}

samples samples_random(int count, int features, int outputs, bool labels)
{
    samples made = {.inputs = array_random(count, features, -1.0, 1.0), .outputs = outputs};
    if (labels) {
        made.labels = array_random(count, 1, 0.0, outputs);
        for (int i = 0; i < count; ++i)
            made.labels.data[i] = fmin(floor(made.labels.data[i]), outputs - 1);
    } else {
        made.targets = array_random(count, outputs, -0.9, 0.9);
    }
    return made;
}

glnn_dataset *dataset_create(samples of, size_t texture_budget)
{
    int labels[4096];
    assert_true(of.inputs.rows <= (int)COUNT_OF(labels));
    for (int i = 0; of.labels.data != NULL && i < of.inputs.rows; ++i)
        labels[i] = (int)of.labels.data[i];
    const glnn_dataset_desc desc = {
        .samples = of.inputs.rows,
        .features = of.inputs.columns,
        .inputs = floats_of(of.inputs),
        .labels = of.labels.data ? labels : NULL,
        .classes = of.labels.data ? of.outputs : 0,
        .targets = of.targets.data ? floats_of(of.targets) : NULL,
        .outputs = of.targets.data ? of.outputs : 0,
        .sample_weights = of.weights.data ? floats_of(of.weights) : NULL,
        .texture_budget = texture_budget,
    };
    glnn_dataset *data = NULL;
    expect_ok(glnn_dataset_create(glnn_test_context(), &desc, &data));
    return data;
}

glnn_dataset *dataset_within(samples of, size_t texture_budget)
{
    glnn_dataset *data = dataset_create(of, texture_budget);
    learning_own(data, destroy_dataset);
    return data;
}

glnn_dataset *dataset_of(samples of)
{
    return dataset_within(of, 0);
}

void expect_unfit_data_refused(void *learner, const data_call *calls, size_t count,
                               const char *wide_part, const char *deep_part)
{
    const glnn_dataset *wide = dataset_of(samples_random(5, 4, 2, true));
    const glnn_dataset *deep = dataset_of(samples_random(5, 3, 7, true));
    const glnn_dataset *plain = dataset_of(samples_random(5, 3, 2, false));
    glnn_context *own = glnn_test_context();
    context_use(context_new(0, 0.0));
    const glnn_dataset *foreign = dataset_of(samples_random(5, 3, 2, true));
    context_use(own);
    for (size_t i = 0; i < count; ++i) {
        expect_error(calls[i](learner, wide), GLNN_E_SHAPE, wide_part);
        expect_error(calls[i](learner, deep), GLNN_E_SHAPE, deep_part);
        expect_error(calls[i](learner, plain), GLNN_E_STATE, "labels");
        expect_error(calls[i](learner, foreign), GLNN_E_ARG, "another context");
    }
}

bool record_losses(void *user, const glnn_report *report)
{
    loss_curve *curve = user;
    if (report->event == GLNN_EVENT_EPOCH && curve->epochs < (int)COUNT_OF(curve->losses))
        curve->losses[curve->epochs++] = report->training.loss;
    return true;
}

int passes_per_step(void *learner, train_call train, samples all, int batch)
{
    static const int batches[] = {1, 2, 4};
    uint64_t passes[3] = {0};
    assert_int_equal(all.inputs.rows, 4 * batch);
    for (int i = 0; i < 3; ++i) {
        const glnn_dataset *data = dataset_of(samples_part(all, 0, batches[i] * batch));
        const glnn_train_desc desc = {.epochs = 1, .batch = batch, .schedule.rate = 0.001f};
        glnn_context_reset_counters(glnn_test_context());
        expect_ok(train(learner, data, &desc));
        passes[i] = counters_of(glnn_test_context()).passes;
    }
    assert_int_equal((passes[2] - passes[1]) % 2, 0);
    return (int)(passes[2] - passes[1]) / 2;
}

glnn_learner *network_of(const glnn_network_desc *desc)
{
    glnn_learner *network = NULL;
    expect_ok(glnn_network_create(glnn_test_context(), desc, &network));
    learning_own_learner(network);
    return network;
}

int outputs_of(const glnn_learner *network)
{
    const glnn_network_desc *desc = glnn_network_get_desc(network);
    int sum = 0;
    for (int i = 0; i < (desc->output_count > 0 ? desc->output_count : 1); ++i) {
        const glnn_shape out = glnn_network_get_shape(
            network, desc->output_count > 0 ? desc->outputs[i].layer : desc->layer_count - 1);
        sum += out.channels * out.height * out.width;
    }
    return sum;
}

samples samples_for(const glnn_learner *network, int count, bool labels)
{
    const glnn_network_desc *desc = glnn_network_get_desc(network);
    const int outputs = outputs_of(network);
    const bool is_binary =
        (desc->loss == GLNN_LOSS_CROSS_ENTROPY || desc->loss == GLNN_LOSS_HINGE) && outputs == 1;
    const samples of = samples_random(count, desc->features, is_binary ? 2 : outputs, labels);
    for (size_t i = 0;
         desc->loss == GLNN_LOSS_BINARY_CROSS_ENTROPY && !labels && i < length_of(of.targets); ++i)
        of.targets.data[i] = of.targets.data[i] > 0;
    return of;
}

bool has_parameters(const glnn_learner *network, int layer)
{
    return weights_shape_of(network, layer).rows > 0;
}

/* The shape of a layer's weights and biases. */
static array parameters_of(const glnn_learner *network, int layer)
{
    const weights_shape of = weights_shape_of(network, layer);
    return (array){of.rows + of.has_biases, of.columns, NULL};
}

array weights_of(const glnn_learner *network, int layer)
{
    const array of = parameters_of(network, layer);
    float *floats = floats_new(length_of(of));
    const bool has_biases = weights_shape_of(network, layer).has_biases;
    float *biases = floats + length_of(of) - (size_t)of.columns;
    expect_ok(read_weights(network, layer, floats, has_biases ? biases : NULL));
    return array_of_floats(of.rows, of.columns, floats);
}

array state_of(const glnn_learner *network, int layer, int state)
{
    const array of = parameters_of(network, layer);
    float *floats = floats_new(length_of(of));
    expect_ok(read_state(network, layer, state, floats));
    return array_of_floats(of.rows, of.columns, floats);
}

bool has_statistics(const glnn_learner *network, int layer)
{
    return glnn_network_get_desc(network)->layers[layer].kind == GLNN_LAYER_BATCH_NORM;
}

array statistics_of(const glnn_learner *network, int layer)
{
    const int channels = glnn_network_get_shape(network, layer).channels;
    float *floats = floats_new(2 * (size_t)channels);
    expect_ok(read_statistics(network, layer, floats, floats + channels));
    return array_of_floats(2, channels, floats);
}

void expect_same_networks(const glnn_learner *left, const glnn_learner *right, const char *what)
{
    assert_int_equal(glnn_network_get_desc(left)->layer_count,
                     glnn_network_get_desc(right)->layer_count);
    assert_int_equal(glnn_network_get_steps(left), glnn_network_get_steps(right));
    for (int l = 0; l < glnn_network_get_desc(left)->layer_count; ++l) {
        if (!has_parameters(left, l))
            continue;
        expect_same_bits(weights_of(left, l), weights_of(right, l), "%s: weights of layer %d", what,
                         l);
        if (has_statistics(left, l))
            expect_same_bits(statistics_of(left, l), statistics_of(right, l),
                             "%s: statistics of layer %d", what, l);
        for (int s = 0; s < state_count(left); ++s)
            expect_same_bits(state_of(left, l, s), state_of(right, l, s), "%s: state %d, layer %d",
                             what, s, l);
    }
}

bool watch_steady_epoch(void *user, const glnn_report *report)
{
    epoch_watch *w = user;
    if (report->event != GLNN_EVENT_EPOCH)
        return true;
    const glnn_counters counters = counters_of(glnn_test_context());
    if (report->epoch > 2) {
        assert_int_equal(counters.textures_created, 0);
        assert_int_equal(counters.programs_compiled, 0);
        assert_int_equal(counters.programs_loaded, 0);
        /* The CPU may be 64 batches ahead of the device. */
        assert_true(counters.waits <= w->most_waits + (unsigned)report->batches / 64);
        w->epochs++;
    }
    glnn_context_reset_counters(glnn_test_context());
    return true;
}
