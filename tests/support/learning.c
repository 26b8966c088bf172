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

static void destroy_mlp(void *mlp)
{
    glnn_mlp_destroy(mlp);
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

glnn_dataset *dataset_of(samples of)
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
        .classes = of.outputs,
        .targets = of.targets.data ? floats_of(of.targets) : NULL,
        .outputs = of.outputs,
    };
    glnn_dataset *data = NULL;
    expect_ok(glnn_dataset_create(glnn_test_context(), &desc, &data));
    learning_own(data, destroy_dataset);
    return data;
}

glnn_mlp *mlp_of(const glnn_mlp_desc *desc)
{
    glnn_mlp *mlp = NULL;
    expect_ok(glnn_mlp_create(glnn_test_context(), desc, &mlp));
    learning_own(mlp, destroy_mlp);
    return mlp;
}

static array parameters_new(const glnn_mlp *mlp, int layer)
{
    const glnn_mlp_desc *desc = glnn_mlp_get_desc(mlp);
    return array_new((layer > 0 ? desc->units[layer - 1] : desc->inputs) + 1, desc->units[layer]);
}

static void fill_array(array values, const float *from)
{
    for (size_t i = 0; i < length_of(values); ++i)
        values.data[i] = (double)from[i];
}

array weights_of(const glnn_mlp *mlp, int layer)
{
    array values = parameters_new(mlp, layer);
    float *floats = floats_new(length_of(values));
    float *biases = floats + length_of(values) - (size_t)values.columns;
    expect_ok(glnn_mlp_get_weights(mlp, layer, floats, biases));
    fill_array(values, floats);
    return values;
}

array state_of(const glnn_mlp *mlp, int layer, int state)
{
    array values = parameters_new(mlp, layer);
    float *floats = floats_new(length_of(values));
    expect_ok(glnn_mlp_get_state(mlp, layer, state, floats));
    fill_array(values, floats);
    return values;
}

void expect_same_networks(const glnn_mlp *left, const glnn_mlp *right, const char *what)
{
    assert_int_equal(glnn_mlp_get_desc(left)->layers, glnn_mlp_get_desc(right)->layers);
    assert_int_equal(glnn_mlp_get_steps(left), glnn_mlp_get_steps(right));
    for (int l = 0; l < glnn_mlp_get_desc(left)->layers; ++l) {
        expect_same_bits(weights_of(left, l), weights_of(right, l), "%s: weights of layer %d", what,
                         l);
        for (int s = 0; s < glnn_mlp_state_count(left); ++s)
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
        assert_true(counters.waits <= w->most_waits);
        w->epochs++;
    }
    glnn_context_reset_counters(glnn_test_context());
    return true;
}
