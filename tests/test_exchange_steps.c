/* Steps of several processes: in which order activations travel, and that a step after the first
 * epochs allocates no memory, makes no texture and no program, whatever travels. */
#include "support/faults.h"
#include "support/learning.h"
#include "support/messenger.h"
#include "support/relay.h"

#include <glnn/trainer.h>

enum { SAMPLES = 60, FEATURES = 16, CLASSES = 4, BATCH = 12, EPOCHS = 5, STEADY_EPOCH = 3 };

/* ---- A messenger that allocates without being counted: it belongs to the test */

/* Other processes run while this one waits for the end of a message, so their allocations count. */
static glnn_status pause_counting(relay *of, relay_call call)
{
    (void)of;
    faults_pause(call == RELAY_GATHER || call == RELAY_BEGIN);
    return GLNN_OK;
}

static void resume_counting(relay *of, relay_call call)
{
    (void)of, (void)call;
    faults_pause(false);
}

/* The library asks for this memory, so it counts. */
static glnn_status allocate(void *user, size_t bytes, void **out)
{
    const glnn_messenger *inner = ((relay *)user)->inner;
    faults_add_made();
    return inner->allocate(inner->user, bytes, out);
}

/* ---- Trainings */

typedef struct way {
    const char *name;
    glnn_exchange_desc exchange;
    int capacity;
} way;

static glnn_dataset *data_in(glnn_context *ctx)
{
    static float inputs[SAMPLES * FEATURES];
    static int labels[SAMPLES];
    glnn_dataset *data;
    for (int i = 0; i < SAMPLES * FEATURES; ++i)
        inputs[i] = (float)(i * 37 % 101) / 101.0f;
    for (int i = 0; i < SAMPLES; ++i)
        labels[i] = i % CLASSES;
    expect_ok(glnn_dataset_create(ctx,
                                  &(glnn_dataset_desc){.samples = SAMPLES,
                                                       .features = FEATURES,
                                                       .inputs = inputs,
                                                       .labels = labels,
                                                       .classes = CLASSES},
                                  &data));
    return data;
}

/* Steps of an epoch but the first, which also orders the samples. */
static void make_steps(const team_member *self, glnn_trainer *trainer, int epoch)
{
    const way *how = self->user;
    bool is_over = false;
    expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, &is_over));
    for (int step = 2; !is_over; ++step) {
        const glnn_counters before = counters_of(self->ctx);
        const int made = faults_made();
        expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, &is_over));
        const glnn_counters after = counters_of(self->ctx);
        if (epoch >= STEADY_EPOCH && faults_made() != made)
            fail_at(__FILE__, __LINE__, "%s, rank %d, epoch %d, step %d: %d allocations", how->name,
                    self->rank, epoch, step, faults_made() - made);
        if (epoch < STEADY_EPOCH)
            continue;
        assert_int_equal(after.textures_created, before.textures_created);
        assert_int_equal(after.programs_compiled, before.programs_compiled);
        assert_true(after.passes > before.passes);
    }
}

static glnn_network_desc description_of(int capacity)
{
    return (glnn_network_desc){
        .features = FEATURES,
        .layers = {{.units = 40, .activation = GLNN_ACTIVATION_TANH}, {.units = CLASSES}},
        .optimizer = {.momentum = 0.9f},
        .capacity = capacity};
}

static void train(const team_member *self)
{
    const way *how = self->user;
    relay to_team = {self->messenger, pause_counting, resume_counting};
    glnn_messenger messenger = relay_messenger(&to_team);
    messenger.allocate = allocate;
    const glnn_network_desc desc = description_of(how->capacity);
    glnn_train_desc training = {.epochs = EPOCHS, .batch = BATCH, .exchange = how->exchange};
    glnn_dataset *data = data_in(self->ctx);
    glnn_learner *network;
    glnn_trainer *trainer;
    training.exchange.messenger = &messenger;
    expect_ok(glnn_network_create(self->ctx, &desc, &network));
    expect_ok(glnn_trainer_create(network, data, &training, &trainer));
    for (int epoch = 1; epoch <= EPOCHS; ++epoch) {
        make_steps(self, trainer, epoch);
        expect_ok(glnn_trainer_end_epoch(trainer));
    }
    assert_true(glnn_trainer_is_finished(trainer));
    glnn_trainer_destroy(trainer);
    glnn_learner_destroy(network);
    glnn_dataset_destroy(data);
}

static void a_step_allocates_nothing(void **state)
{
    (void)state;
    static way ways[] = {
        {"gradients", {.kind = GLNN_EXCHANGE_GRADIENTS}, 16},
        {"gradients of parts", {.kind = GLNN_EXCHANGE_GRADIENTS}, 2},
        {"activations", {.kind = GLNN_EXCHANGE_ACTIVATIONS}, 16},
        {"averages", {.kind = GLNN_EXCHANGE_AVERAGES, .every = 2}, 16},
    };
    for (size_t i = 0; i < COUNT_OF(ways); ++i)
        for (int late = 0; late < 2; ++late)
            team_run(&(team_desc){.ranks = 2, .is_late = late}, train, &ways[i]);
}

/* The other test relies on this. */
static void allocations_of_the_library_are_counted(void **state)
{
    (void)state;
#ifndef OWN_ALLOCATOR
    const int made = faults_made();
    matrix_zero(1, 1, GLNN_LAYOUT_PACKED);
    assert_true(faults_made() > made);
#endif
}

/* ---- The order of messages */

/* Two layers have inputs and deltas each. The numbers of messages are those of exchange.h. */
enum { DELTAS_0, INPUTS_0, DELTAS_1, INPUTS_1, MESSAGES };

/* The first messages of rank 0 about the layers. */
static int sent[MESSAGES], sent_count;

static glnn_status note_gather(void *user, int number, void *values, const size_t *begins)
{
    const glnn_messenger *inner = ((relay *)user)->inner;
    if (inner->rank == 0 && number < MESSAGES && sent_count < MESSAGES)
        sent[sent_count++] = number;
    return inner->begin_gather(inner->user, number, values, begins);
}

/* Batches of 6 samples are below the limits of both layers, 22.9 and 7.3. */
static void train_by_activations(const team_member *self)
{
    relay to_team = {.inner = self->messenger};
    glnn_messenger messenger = relay_messenger(&to_team);
    messenger.begin_gather = note_gather;
    const glnn_network_desc desc = description_of(6);
    glnn_dataset *data = data_in(self->ctx);
    glnn_learner *network;
    expect_ok(glnn_network_create(self->ctx, &desc, &network));
    expect_ok(
        glnn_learner_train(network, data,
                           &(glnn_train_desc){.epochs = 1,
                                              .batch = *(const int *)self->user,
                                              .exchange = {.messenger = &messenger,
                                                           .kind = GLNN_EXCHANGE_ACTIVATIONS}},
                           NULL));
    glnn_learner_destroy(network);
    glnn_dataset_destroy(data);
}

/* With a batch of one sample, rank 1 has none, and sends its messages in the same order. */
static void inputs_travel_before_the_next_layer_and_deltas_before_the_layer_below(void **state)
{
    (void)state;
    static const int order[MESSAGES] = {INPUTS_0, INPUTS_1, DELTAS_1, DELTAS_0};
    for (int batch = 1; batch <= 6; batch += 5) {
        sent_count = 0;
        team_run(&(team_desc){.ranks = 2}, train_by_activations, &batch);
        assert_int_equal(sent_count, MESSAGES);
        assert_memory_equal(sent, order, sizeof order);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(allocations_of_the_library_are_counted),
        TEST(a_step_allocates_nothing),
        TEST(inputs_travel_before_the_next_layer_and_deltas_before_the_layer_below),
    };
    return cmocka_run_group_tests_name("exchange steps", tests, test_group_setup,
                                       test_group_teardown);
}
