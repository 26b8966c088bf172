#include "together.h"

#include "learn/train/trainer.h"

#include <glnn/trainer.h>

#include <stdio.h>

typedef struct run {
    const together *how;
    outcome *outcomes;
} run;

/* A data set of a thread, from memory that the caller frees after it. */
static glnn_dataset *dataset_in(glnn_context *ctx, samples of, size_t texture_budget, float **rows)
{
    const size_t inputs = length_of(of.inputs), targets = length_of(of.targets);
    const size_t count = (size_t)of.inputs.rows;
    float *floats = malloc((inputs + targets + count) * sizeof *floats);
    int *labels = malloc(count * sizeof *labels);
    glnn_dataset *data = NULL;
    assert_true(floats && labels);
    for (size_t i = 0; i < inputs; ++i)
        floats[i] = (float)of.inputs.data[i];
    for (size_t i = 0; i < targets && of.targets.data; ++i)
        floats[inputs + i] = (float)of.targets.data[i];
    for (size_t i = 0; i < count && of.weights.data; ++i)
        floats[inputs + targets + i] = (float)of.weights.data[i];
    for (size_t i = 0; i < count && of.labels.data; ++i)
        labels[i] = (int)of.labels.data[i];
    const glnn_dataset_desc desc = {
        .samples = of.inputs.rows,
        .features = of.inputs.columns,
        .inputs = floats,
        .labels = of.labels.data ? labels : NULL,
        .classes = of.labels.data ? of.outputs : 0,
        .targets = of.targets.data ? floats + inputs : NULL,
        .outputs = of.targets.data ? of.outputs : 0,
        .sample_weights = of.weights.data ? floats + inputs + targets : NULL,
        .texture_budget = texture_budget,
    };
    expect_ok(glnn_dataset_create(ctx, &desc, &data));
    free(labels);
    *rows = floats;
    return data;
}

static float *room_for(outcome *out, size_t count)
{
    float *room = out->numbers + out->count;
    out->count += count;
    assert_true(out->count <= TOGETHER_NUMBERS);
    return room;
}

static void take_layer(const glnn_learner *network, int layer, outcome *out)
{
    const weights_shape shape = weights_shape_of(network, layer);
    const size_t columns = (size_t)shape.columns, weights = (size_t)shape.rows * columns;
    const size_t all = weights + (shape.has_biases ? columns : 0);
    if (weights == 0)
        return;
    float *room = room_for(out, all);
    expect_ok(read_weights(network, layer, room, shape.has_biases ? room + weights : NULL));
    for (int s = 0; s < state_count(network); ++s)
        expect_ok(read_state(network, layer, s, room_for(out, all)));
    if (!has_statistics(network, layer))
        return;
    room = room_for(out, 2 * columns);
    expect_ok(read_statistics(network, layer, room, room + columns));
}

/* The trainer has the plan that it gave the program. */
static void expect_plan(const glnn_trainer *trainer, const glnn_exchange_plan *want)
{
    glnn_exchange_plan plan = {.size = sizeof plan};
    expect_ok(glnn_trainer_get_exchange_plan(trainer, &plan));
    assert_int_equal(plan.layer_count, want->layer_count);
    assert_true(plan.measured_seconds > 0 && plan.measured_seconds == want->measured_seconds);
    assert_string_equal(plan.sentence, want->sentence);
}

/* Before the first step, whatever was measured. */
static void expect_no_times_of_layers(const glnn_trainer *trainer)
{
    glnn_exchange_plan plan = {.size = sizeof plan};
    expect_ok(glnn_trainer_get_exchange_plan(trainer, &plan));
    for (int i = 0; i < plan.layer_count; ++i)
        assert_true(plan.layers[i].measured_seconds == 0);
}

/* Trial steps of all kinds, and then the training as it was described. */
static glnn_status train_tried(glnn_learner *network, const glnn_dataset *data,
                               const glnn_train_desc *training, glnn_train_result *result)
{
    glnn_trainer *trainer;
    glnn__candidate candidates[GLNN_EXCHANGE_COUNT];
    expect_ok(glnn_trainer_create(network, data, training, &trainer));
    expect_no_times_of_layers(trainer);
    const int share = glnn__exchange_plan_samples(&trainer->plan);
    assert_true(share > 0);
    for (int kind = 0; kind < GLNN_EXCHANGE_COUNT; ++kind)
        candidates[kind] = (glnn__candidate){(glnn_exchange_kind)kind, .samples = share};
    expect_ok(glnn__gl_enter_for(trainer->training.ctx, __func__));
    expect_ok(
        glnn__gl_leave(trainer->training.ctx,
                       glnn__exchange_plan_try(&trainer->plan, candidates, GLNN_EXCHANGE_COUNT)));
    glnn__exchange_choose(trainer->training.exchange, trainer->plan.kind, training->exchange.every);
    while (!glnn_trainer_is_finished(trainer)) {
        expect_ok(glnn_trainer_step(trainer, 0, 0, NULL, NULL));
        expect_ok(glnn_trainer_end_epoch(trainer));
    }
    expect_plan(trainer, training->exchange.plan);
    *result = *glnn_trainer_get_result(trainer);
    glnn_trainer_destroy(trainer);
    return GLNN_OK;
}

static void train_one(const team_member *self)
{
    const run *of = self->user;
    const together *how = of->how;
    outcome *out = &of->outcomes[self->rank];
    glnn_network_desc network_desc = how->network;
    glnn_train_desc training = how->training;
    glnn_learner *network = NULL;
    float *rows[2] = {NULL, NULL};
    training.exchange.messenger = self->ranks > 1 ? self->messenger : NULL;
    training.exchange.plan = &out->plan;
    if (how->change)
        how->change(self, &network_desc, &training);
    glnn_dataset *validation = NULL,
                 *data = dataset_in(self->ctx, how->samples, how->texture_budget, &rows[0]);
    if (how->validation.inputs.data)
        validation = dataset_in(self->ctx, how->validation, how->texture_budget, &rows[1]);
    training.validation = validation;
    expect_ok(glnn_network_create(self->ctx, &network_desc, &network));
    memset(out, 0, sizeof *out);
    out->result.size = sizeof out->result;
    out->plan.size = sizeof out->plan;
    out->status =
        (how->tries ? train_tried : glnn_learner_train)(network, data, &training, &out->result);
    snprintf(out->sentence, sizeof out->sentence, "%s", out->status ? glnn_last_error() : "");
    for (int l = 0; l < network_desc.layer_count || glnn_network_get_desc(network)->layer_count > l;
         ++l)
        take_layer(network, l, out);
    glnn_learner_destroy(network);
    glnn_dataset_destroy(validation);
    glnn_dataset_destroy(data);
    free(rows[0]);
    free(rows[1]);
}

void train_together(const together *how, const team_desc *team, outcome *outcomes)
{
    run all = {how, outcomes};
    team_run(team, train_one, &all);
}

together dense(void)
{
    random_seed(5);
    return (together){
        .network = {.features = 11,
                    .layers = {{.units = 9, .activation = GLNN_ACTIVATION_TANH}, {.units = 5}},
                    .capacity = 16,
                    .seed = 3},
        .training = {.epochs = 2, .batch = 12, .schedule.rate = 0.05f, .seed = 8},
        .samples = samples_random(61, 11, 5, true),
    };
}

void expect_trained(const outcome *outcomes, int ranks)
{
    for (int r = 0; r < ranks; ++r)
        if (outcomes[r].status)
            fail_at(__FILE__, __LINE__, "rank %d of %d: %s", r, ranks, outcomes[r].sentence);
}

void expect_same_on_all(const outcome *outcomes, int ranks)
{
    for (int r = 1; r < ranks; ++r) {
        assert_int_equal(outcomes[r].count, outcomes[0].count);
        assert_memory_equal(outcomes[r].numbers, outcomes[0].numbers,
                            outcomes[0].count * sizeof(float));
        assert_true(outcomes[r].result.training.loss == outcomes[0].result.training.loss);
        assert_true(outcomes[r].result.validation.loss == outcomes[0].result.validation.loss);
        assert_int_equal(outcomes[r].result.steps, outcomes[0].result.steps);
        assert_int_equal(outcomes[r].result.epochs, outcomes[0].result.epochs);
        assert_int_equal(outcomes[r].result.best_epoch, outcomes[0].result.best_epoch);
    }
}

void expect_near(const outcome *got, const outcome *want, double bound, const char *what)
{
    double worst = 0;
    assert_int_equal(got->count, want->count);
    for (size_t i = 0; i < want->count; ++i) {
        const double size = fmax(fabs((double)want->numbers[i]), 0.05);
        worst = fmax(worst, fabs((double)got->numbers[i] - (double)want->numbers[i]) / size);
        assert_true(isfinite(got->numbers[i]));
    }
    if (worst > bound)
        fail_at(__FILE__, __LINE__, "%s: a number differs by %g of its size, more than %g", what,
                worst, bound);
    if (!(fabs(got->result.training.loss / want->result.training.loss - 1) < bound))
        fail_at(__FILE__, __LINE__, "%s: the loss is %g, not %g", what, got->result.training.loss,
                want->result.training.loss);
    assert_int_equal(got->result.steps, want->result.steps);
}

void expect_all_fail(const outcome *outcomes, int ranks, glnn_status status, const char *part)
{
    for (int r = 0; r < ranks; ++r)
        if (outcomes[r].status != status || !strstr(outcomes[r].sentence, part))
            fail_at(__FILE__, __LINE__, "rank %d fails with %s: %s", r,
                    glnn_status_name(outcomes[r].status), outcomes[r].sentence);
}
