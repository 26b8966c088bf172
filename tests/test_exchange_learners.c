/* LVQ, k-means, mixtures and support vector machines trained by several processes: as by one, but
 * for the order of sums. */
#include "support/contests.h"
#include "support/tree.h"

/* Rows of a window of a stream: more than a part has. */
enum { WINDOW = 80 };

#define LVQ(KIND, CAPACITY)                                                                        \
    .kind = GLNN_LVQ_##KIND, .features = FEATURES, .classes = CLASSES, .prototypes = 2,            \
    .capacity = CAPACITY, .seed = 2
#define KMEANS(CAPACITY) .features = FEATURES, .tolerance = -1, .capacity = CAPACITY, .seed = 3
#define SVM(CAPACITY)                                                                              \
    .features = FEATURES, .classes = CLASSES, .momentum = 0.5f, .capacity = CAPACITY
#define GMM                                                                                        \
    .features = FEATURES, .components = 2, .variance_floor = 0.01f, .capacity = 32, .seed = 5

static const trial trials[] = {
    {"glvq", .lvq = {LVQ(GLVQ, 64), .xi_growth = 1}},
    {"glvq in parts", .lvq = {LVQ(GLVQ, 8)}},
    {"glvq with several batches in a step", .lvq = {LVQ(GLVQ, 64)}, .accumulate = 3},
    {"grlvq", .lvq = {LVQ(GRLVQ, 64)}},
    {"grlvq in parts", .lvq = {LVQ(GRLVQ, 8)}},
    {"gmlvq", .lvq = {LVQ(GMLVQ, 64)}},
    {"gmlvq in parts", .lvq = {LVQ(GMLVQ, 8)}},
    {"gmlvq of rank 10 in parts", .lvq = {LVQ(GMLVQ, 8), .rank = 10}},
    {"rslvq", .lvq = {LVQ(RSLVQ, 64)}},
    {"rslvq in parts", .lvq = {LVQ(RSLVQ, 8)}},
    {"lvq1", .lvq = {LVQ(LVQ1, 64)}},
    {"lvq1 in parts", .lvq = {LVQ(LVQ1, 8)}},
    {"olvq1", .lvq = {LVQ(OLVQ1, 64)}},
    {"lvq2.1", .lvq = {LVQ(LVQ21, 64), .window = 0.6f}},
    {"lvq3", .lvq = {LVQ(LVQ3, 64), .window = 0.6f}},
    {"k-means of mini-batches", .kmeans = {KMEANS(64), .centres = 5}},
    {"k-means of mini-batches in parts, with an empty centre", .kmeans = {KMEANS(8), .centres = 5},
     .has_far = true},
    {"k-means of the full batch", .kmeans = {KMEANS(64), .centres = 5}, .batch = -1},
    {"k-means of the full batch in turns", .kmeans = {KMEANS(16), .centres = 5}, .batch = -1},
    {"k-means of the full batch, with an empty centre",
     .kmeans = {KMEANS(32), .centres = 4, .classes = CLASSES}, .batch = -1, .has_far = true},
    {"a diagonal mixture", .gmm = {GMM, .covariance = GLNN_COVARIANCE_DIAGONAL}, .batch = -1},
    {"spherical mixtures of classes",
     .gmm = {GMM, .covariance = GLNN_COVARIANCE_SPHERICAL, .classes = CLASSES, .tolerance = 0.1f},
     .batch = -1},
    {"a full mixture", .gmm = {GMM, .covariance = GLNN_COVARIANCE_FULL}, .batch = -1},
    {"full mixtures of classes",
     .gmm = {GMM, .covariance = GLNN_COVARIANCE_FULL, .classes = CLASSES}, .batch = -1},
    {"a support vector machine", .svm = {SVM(64)}, .exchange = GLNN_EXCHANGE_GRADIENTS},
    {"a support vector machine in parts, of several batches in a step",
     .svm = {SVM(8), .loss = GLNN_SVM_SQUARED_HINGE}, .accumulate = 3,
     .exchange = GLNN_EXCHANGE_GRADIENTS},
    /* Without momentum, the mean of updated weights is an update by the gradient of all. */
    {"averages of a support vector machine",
     .svm = {.features = FEATURES, .classes = CLASSES, .lambda = 0.1f, .capacity = 16},
     .exchange = GLNN_EXCHANGE_AVERAGES},
};

static const trial *find_trial(const char *name)
{
    size_t i = 0;
    while (strcmp(trials[i].name, name) != 0)
        ++i;
    return &trials[i];
}

static samples all_samples(void)
{
    random_seed(7);
    return samples_clustered(SAMPLES, FEATURES, 2 * CLASSES, 4.0, CLASSES);
}

/* Two or three processes, in turns. */
static void processes_train_as_one_does_and_equally_on_all_ranks_and_in_two_runs(void **state)
{
    (void)state;
    static contest alone, together;
    const samples all = all_samples();
    glnn_dataset_desc desc = desc_of(all, 0);
    desc.inputs = floats_of(all.inputs);
    for (size_t i = 0; i < COUNT_OF(trials); ++i) {
        alone.desc = together.desc = &desc;
        alone.how = together.how = &trials[i];
        run_contest(&alone, 1);
        run_contest(&together, 2 + (int)i % (MOST_RANKS - 1));
        expect_alike(&together.of[0][0], &alone.of[0][0], trials[i].name);
    }
}

/* Two or three processes, in turns. Of three, the first has no sample of most batches, and few
 * turns of its own. */
static void processes_with_shares_of_different_size_train_as_one_does(void **state)
{
    (void)state;
    static contest alone, together;
    static const float of_two[] = {1, 3}, of_three[] = {0.1f, 1, 1};
    static const char *const names[] = {"glvq in parts",
                                        "glvq with several batches in a step",
                                        "gmlvq",
                                        "rslvq in parts",
                                        "lvq1 in parts",
                                        "olvq1",
                                        "k-means of mini-batches in parts, with an empty centre",
                                        "k-means of the full batch in turns",
                                        "k-means of the full batch, with an empty centre",
                                        "spherical mixtures of classes",
                                        "a full mixture",
                                        "a support vector machine",
                                        "averages of a support vector machine"};
    const samples all = all_samples();
    glnn_dataset_desc desc = desc_of(all, 0);
    desc.inputs = floats_of(all.inputs);
    for (size_t i = 0; i < COUNT_OF(names); ++i) {
        alone = (contest){.how = find_trial(names[i]), .desc = &desc, .runs = 1};
        run_contest(&alone, 1);
        const int ranks = 2 + (int)i % 2;
        together = (contest){.how = alone.how, .desc = &desc, .runs = 1};
        together.shares = ranks == 2 ? of_two : of_three;
        run_contest(&together, ranks);
        expect_alike(&together.of[0][0], &alone.of[0][0], names[i]);
    }
}

/* A process reads its own samples only, whose parts are those of a resident set. */
static void processes_train_on_a_stream_as_on_a_resident_set(void **state)
{
    (void)state;
    static contest resident, streamed;
    static const char *const names[] = {"glvq in parts", "k-means of the full batch in turns",
                                        "spherical mixtures of classes",
                                        "a support vector machine"};
    const samples all = all_samples();
    const file_path path = write_floats(all);
    glnn_dataset_desc in_memory = desc_of(all, 0);
    const glnn_dataset_desc in_file = desc_of(all, budget_of(WINDOW));
    in_memory.inputs = floats_of(all.inputs);
    for (size_t i = 0; i < COUNT_OF(names); ++i) {
        resident = (contest){.how = find_trial(names[i]), .desc = &in_memory};
        streamed = (contest){.how = resident.how, .desc = &in_file, .path = path.text};
        run_contest(&resident, 2);
        run_contest(&streamed, 2);
        expect_same(&streamed.of[0][0], &resident.of[0][0], names[i], "from a stream");
    }
}

static void trial_steps_leave_no_trace(void **state)
{
    (void)state;
    static contest plain, tried;
    const samples all = all_samples();
    glnn_dataset_desc desc = desc_of(all, 0);
    desc.inputs = floats_of(all.inputs);
    for (size_t i = 0; i < COUNT_OF(trials); i += 3) {
        plain = (contest){.how = &trials[i], .desc = &desc, .runs = 1};
        tried = plain;
        tried.tries = true;
        run_contest(&plain, 2);
        run_contest(&tried, 2);
        expect_same(&tried.of[0][0], &plain.of[0][0], trials[i].name, "after trial steps");
    }
}

/* The numbers of a learner that is not a network are known from its messages. */
static void a_learner_is_one_layer_of_its_plan(void **state)
{
    (void)state;
    static contest measured;
    static const char *const names[] = {"glvq", "k-means of mini-batches",
                                        "k-means of the full batch in turns",
                                        "full mixtures of classes"};
    char cache[TREE_PATH];
    const samples all = all_samples();
    glnn_dataset_desc desc = desc_of(all, 0);
    desc.inputs = floats_of(all.inputs);
    tree_make(cache);
    for (size_t i = 0; i < COUNT_OF(names); ++i) {
        measured = (contest){.how = find_trial(names[i]), .desc = &desc, .cache = cache};
        run_contest(&measured, 2);
        for (int r = 0; r < 2; ++r) {
            const glnn_exchange_plan *plan = &measured.plans[r];
            const glnn_exchange_layer *layer = &plan->layers[0];
            assert_int_equal(plan->layer_count, 1);
            assert_int_equal(plan->kind, GLNN_EXCHANGE_GRADIENTS);
            assert_true(plan->measured && plan->alone_seconds > 0 && plan->expected_speedup > 0 &&
                        plan->measured_seconds > 0 && plan->measured_speedup > 0);
            assert_true(layer->numbers > 0 && layer->measured_seconds > 0);
            assert_true(plan->alone_seconds == measured.plans[0].alone_seconds);
            assert_string_equal(plan->sentence, measured.plans[0].sentence);
        }
    }
    tree_remove(cache);
}

/* ---- Checkpoints */

/* Stops in the middle of an epoch with so many processes, and continues with others. */
static void expect_continued(const contest *alone, int before, int after)
{
    static contest continued;
    const file_path path = path_of("checkpoint"), former = path_of("checkpoint.1");
    continued = (contest){.how = alone->how,
                          .desc = alone->desc,
                          .runs = 1,
                          .checkpoint = path.text,
                          .batches = {12}};
    run_contest(&continued, before);
    assert_true(continued.of[0][0].result.stopped);
    assert_true(continued.of[0][0].result.steps < alone->of[0][0].result.steps);
    continued.batches[0] = 0;
    run_contest(&continued, after);
    expect_alike(&continued.of[0][0], &alone->of[0][0], alone->how->name);
    remove(path.text);
    remove(former.text);
}

static void a_training_goes_on_with_another_number_of_processes(void **state)
{
    (void)state;
    static contest alone;
    static const char *const names[] = {"olvq1",
                                        "k-means of mini-batches in parts, with an empty centre",
                                        "k-means of the full batch in turns",
                                        "k-means of the full batch, with an empty centre",
                                        "spherical mixtures of classes",
                                        "a full mixture",
                                        "a support vector machine"};
    const samples all = all_samples();
    glnn_dataset_desc desc = desc_of(all, 0);
    desc.inputs = floats_of(all.inputs);
    for (size_t i = 0; i < COUNT_OF(names); ++i) {
        alone = (contest){.how = find_trial(names[i]), .desc = &desc, .runs = 1};
        run_contest(&alone, 1);
        expect_continued(&alone, 2, 3);
        expect_continued(&alone, 3, 1);
    }
}

/* ---- Failures */

/* Trains once, and fails on all ranks with this status and sentence. With `breaks`, rank 1 fails
 * after its first epoch. */
static void expect_failure(const trial *how, bool breaks, glnn_status status, const char *part)
{
    static contest failing;
    const samples all = all_samples();
    glnn_dataset_desc desc = desc_of(all, 0);
    desc.inputs = floats_of(all.inputs);
    failing = (contest){.how = how, .desc = &desc, .runs = 1, .breaks = breaks};
    train_contest(&failing, MOST_RANKS);
    for (int r = 0; r < MOST_RANKS; ++r) {
        const outcome *of = &failing.of[0][r];
        if (of->status != status || !strstr(of->sentence, part))
            fail_at(__FILE__, __LINE__, "%s: rank %d says %s: %s", how->name, r,
                    glnn_status_name(of->status), of->sentence);
    }
    log_clear();
}

static void a_process_that_fails_is_named_by_all(void **state)
{
    (void)state;
    static const char *const names[] = {"olvq1", "k-means of the full batch",
                                        "spherical mixtures of classes"};
    for (size_t i = 0; i < COUNT_OF(names); ++i)
        expect_failure(find_trial(names[i]), true, GLNN_E_PROCESS,
                       "rank 1 failed: its disk is full");
}

static void olvq1_refuses_steps_of_several_parts(void **state)
{
    (void)state;
    const trial parts = {"parts", .lvq = {LVQ(OLVQ1, 33)}};
    const trial batches = {"batches", .lvq = {LVQ(OLVQ1, 128)}, .accumulate = 2};
    expect_failure(&parts, false, GLNN_E_ARG, "a step of 34 samples; olvq1");
    expect_failure(&batches, false, GLNN_E_ARG, "a step of 68 samples; olvq1");
}

static void kinds_of_exchange_that_a_learner_lacks_are_refused(void **state)
{
    (void)state;
    const trial averages = {"averages", .lvq = {LVQ(GLVQ, 64)}, .exchange = GLNN_EXCHANGE_AVERAGES};
    const trial activations = {"activations", .svm = {SVM(64)},
                               .exchange = GLNN_EXCHANGE_ACTIVATIONS};
    expect_failure(&averages, false, GLNN_E_UNSUPPORTED,
                   "exchange: averages, which a classifier does not exchange");
    expect_failure(&activations, false, GLNN_E_UNSUPPORTED,
                   "exchange: activations, which only networks exchange");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(processes_train_as_one_does_and_equally_on_all_ranks_and_in_two_runs),
        TEST(processes_with_shares_of_different_size_train_as_one_does),
        TEST(trial_steps_leave_no_trace),
        TEST(a_learner_is_one_layer_of_its_plan),
        TEST(processes_train_on_a_stream_as_on_a_resident_set),
        TEST(a_training_goes_on_with_another_number_of_processes),
        TEST(a_process_that_fails_is_named_by_all),
        TEST(olvq1_refuses_steps_of_several_parts),
        TEST(kinds_of_exchange_that_a_learner_lacks_are_refused),
    };
    return cmocka_run_group_tests(tests, learner_files_setup, learner_files_teardown);
}
