/* Trainings of every kind of learner in which an allocation, a call of OpenGL or a call on a file
 * fails: they end with an error or with the loss of a training in which nothing fails. Trainings
 * that are broken off leave nothing behind. */
#include "support/at_once.h"
#include "support/fault_runs.h"
#include "support/runs.h"

/* Greatest difference of losses: where OpenGL fails, the library may take another way. */
#define TOLERANCE 1e-3

static const run *of;
static glnn_trainer *trainer;
static double known_loss;
static uint64_t known_steps;

static void begin(void)
{
    context_use(context_new(0, 0));
    trainer = start_run(of, &of->how);
}

static glnn_status train(void)
{
    glnn_status status = GLNN_OK;
    while (!status && !glnn_trainer_is_finished(trainer)) {
        status = glnn_trainer_step(trainer, 0, 0, NULL, NULL);
        if (!status)
            status = glnn_trainer_end_epoch(trainer);
    }
    return status;
}

static const char *find_wrong(void)
{
    static char text[128];
    const double loss = glnn_trainer_get_report(trainer)->training.loss;
    const uint64_t steps = glnn_trainer_get_result(trainer)->steps;
    if (known_steps == 0) {
        known_steps = steps;
        known_loss = loss;
    }
    snprintf(text, sizeof text, "%u steps have the loss %g, not %u and %g", (unsigned)steps, loss,
             (unsigned)known_steps, known_loss);
    const bool is_right = steps == known_steps && fabs(loss - known_loss) <= TOLERANCE;
    return is_right ? NULL : text;
}

static const char *find_unfinished(void)
{
    return glnn_trainer_is_finished(trainer) ? NULL : "the training is not over";
}

static void trainings_of_all_learners_fail_cleanly(void **state)
{
    (void)state;
    if (all_cases_are_run())
        faults_see_callers(8);
    for (int i = 0; i < run_count; ++i) {
        const bool is_usual = i % 8 == 1 || runs[i].features > 0; /* images normalise a layer */
        if (!all_cases_are_run() && !is_usual)
            continue;
        of = &runs[i];
        known_steps = 0;
        fault_scenario_run(&(fault_scenario){.name = of->name,
                                             .begin = begin,
                                             .call = train,
                                             .find_wrong = find_wrong,
                                             .go_on = find_unfinished,
                                             .end = release_learning,
                                             .is_sampled = true},
                           100);
    }
}

/* ---- Several processes */

/* The other one of two processes says the same as this one. */
static bool has_told_ranks;

static glnn_status repeat(void *user, const void *own, size_t bytes, void *all)
{
    (void)user;
    unsigned char *other = (unsigned char *)all + bytes;
    memmove(all, own, bytes);
    memcpy(other, own, bytes);
    if (!has_told_ranks) /* the first thing that processes compare */
        memcpy(other, &(int){1}, sizeof(int));
    has_told_ranks = true;
    return GLNN_OK;
}

static glnn_status begin_sum(void *user, int number, float *values, size_t count)
{
    (void)user;
    (void)number;
    for (size_t i = 0; i < count; ++i)
        values[i] *= 2;
    return GLNN_OK;
}

static glnn_status begin_gather(void *user, int number, void *values, const size_t *begins)
{
    (void)user;
    (void)number;
    memset((unsigned char *)values + begins[1], 0, begins[2] - begins[1]);
    return GLNN_OK;
}

static glnn_learner *shared;
static const glnn_dataset *shared_data;

static void begin_sharing(void)
{
    context_use(context_new(0, 0));
    shared = small_network(8);
    shared_data = dataset_of(some_samples());
}

static glnn_status start_and_end(void)
{
    const glnn_messenger messenger = at_once((glnn_messenger){
        .ranks = 2, .gather = repeat, .begin_sum = begin_sum, .begin_gather = begin_gather});
    const glnn_train_desc how = {.epochs = 1, .batch = 8, .exchange.messenger = &messenger};
    glnn_trainer *started = NULL;
    has_told_ranks = false;
    const glnn_status status = glnn_trainer_create(shared, shared_data, &how, &started);
    glnn_trainer_destroy(started);
    return status;
}

static const char *start_again(void)
{
    return start_and_end() ? glnn_last_error() : NULL;
}

/* Texts that lack some words would differ from those of other processes. */
static const char *find_ignored(void)
{
    static bool has_begun; /* when nothing failed */
    const char *wrong = has_begun ? "an allocation failed" : NULL;
    has_begun = true;
    return wrong;
}

static void without_memory_no_training_of_two_processes_begins(void **state)
{
    (void)state;
    faults_see_callers(4);
    fault_scenario_run(&(fault_scenario){.name = "a training of two processes",
                                         .begin = begin_sharing,
                                         .call = start_and_end,
                                         .find_wrong = find_ignored,
                                         .go_on = start_again,
                                         .end = release_learning,
                                         .without = 1u << FAULT_OPENGL | 1u << FAULT_FILE},
                       20);
}

/* ---- Ends */

/* All steps of the first epoch were made, and the epoch has not ended. */
static void trainers_that_go_before_an_epoch_ends_leave_nothing_behind(void **state)
{
    (void)state;
    for (learner_kind kind = NETWORK; kind < KINDS; ++kind)
        for (int turn = 0; turn < 2; ++turn) {
            const int objects = faults_objects();
            const subject from = subject_of(kind);
            const glnn_train_desc how = training_of(kind);
            glnn_trainer *broken_off = trainer_of(&from, dataset_of(some_samples()), &how);
            faults_count(FAULT_MEMORY);
            expect_ok(glnn_trainer_step(broken_off, 0, 0, NULL, NULL));
            faults_end();
            release_learning();
            if (turn == 0) /* it compiles programs, which stay */
                continue;
            if (faults_kept() > 0)
                fail_msg("learner %d: %d allocations are left:%s", (int)kind, faults_kept(),
                         faults_kept_text());
            if (faults_objects() != objects)
                fail_msg("learner %d: %d objects of OpenGL are left:%s", (int)kind,
                         faults_objects() - objects, faults_objects_text());
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(trainings_of_all_learners_fail_cleanly),
        LEARNING_TEST(without_memory_no_training_of_two_processes_begins),
        LEARNING_TEST(trainers_that_go_before_an_epoch_ends_leave_nothing_behind),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
