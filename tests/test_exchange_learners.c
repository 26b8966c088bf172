/* LVQ, k-means and mixtures trained by several processes: as by one, but for the order of sums. */
#include "support/clusters.h"
#include "support/messenger.h"
#include "support/prototypes.h"
#include "support/streams.h"

#include <glnn/trainer.h>

enum { EPOCHS = 3, MOST_RANKS = 3, RUNS = 2, MOST_NUMBERS = 4096 };

/* The last batch of an epoch has one sample, so that all processes but the first have none. */
enum { BATCH = 34 };

/* Rows of a window of a stream: more than a part has. */
enum { WINDOW = 80 };

/* A learner, and how it is trained. One of the three descriptions is used. */
typedef struct trial {
    const char *name;
    glnn_lvq_desc lvq;
    glnn_kmeans_desc kmeans;
    glnn_gmm_desc gmm;
    int batch;      /* 0: BATCH */
    int accumulate; /* batches of a step */
    bool has_far;   /* a centre starts so far away that it has no samples */
} trial;

/* Of numbers, by the greatest, and of losses: sums of 34 samples in another order, in 30 steps. */
#define TOLERANCE (64 * EPS)

#define LVQ(KIND, CAPACITY)                                                                        \
    .kind = GLNN_LVQ_##KIND, .features = FEATURES, .classes = CLASSES, .prototypes = 2,            \
    .capacity = CAPACITY, .seed = 2
#define KMEANS(CAPACITY) .features = FEATURES, .tolerance = -1, .capacity = CAPACITY, .seed = 3
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
};

/* The end of a training: all that was learnt, and the losses. */
typedef struct outcome {
    glnn_status status;
    char sentence[1024];
    glnn_train_result result;
    int count, exact; /* the last numbers are the same as with one process */
    float numbers[MOST_NUMBERS];
} outcome;

/* The trainings of one team. */
typedef struct contest {
    const trial *how;
    const glnn_dataset_desc *desc;
    const char *path; /* streams from this file; NULL: the set is resident */
    int runs;
    bool breaks;            /* rank 1 fails after its first epoch        */
    const char *checkpoint; /* is saved, and continued from; NULL: none  */
    int batches[MOST_RANKS]; /* until rank 0 stops; 0: it does not       */
    outcome of[RUNS][MOST_RANKS];
} contest;

static glnn_train_desc training_of(const trial *how, const team_member *self)
{
    return (glnn_train_desc){
        .epochs = EPOCHS,
        .batch = how->batch ? how->batch : BATCH,
        .accumulate = how->accumulate,
        .schedule.rate = how->lvq.features ? 0.01f : 0,
        .seed = 9,
        .validation_split = 0.1f,
        .exchange = {.messenger = self->messenger},
    };
}

static float *add(outcome *to, int count)
{
    assert_true(to->count + count <= MOST_NUMBERS);
    to->count += count;
    return to->numbers + to->count - count;
}

/* Numbers that one process finds as well; they come last. */
static float *add_exact(outcome *to, int count)
{
    to->exact += count;
    return add(to, count);
}

/* The end of a training; whether it succeeded. */
static bool ends(outcome *to, glnn_status status)
{
    to->status = status;
    snprintf(to->sentence, sizeof to->sentence, "%s", status ? glnn_last_error() : "");
    return !status;
}

static void take_lvq(const glnn_lvq *lvq, outcome *to)
{
    const glnn_lvq_desc *desc = glnn_lvq_get_desc(lvq);
    const int count = glnn_lvq_get_count(lvq);
    expect_ok(glnn_lvq_get_prototypes(lvq, add(to, count * FEATURES), NULL));
    if (desc->kind == GLNN_LVQ_GRLVQ)
        expect_ok(glnn_lvq_get_relevances(lvq, add(to, FEATURES)));
    if (desc->kind == GLNN_LVQ_GMLVQ)
        expect_ok(glnn_lvq_get_omega(lvq, add(to, desc->rank * FEATURES)));
    if (desc->kind == GLNN_LVQ_OLVQ1)
        expect_ok(glnn_lvq_get_rates(lvq, add_exact(to, count)));
    *add_exact(to, 1) = (float)glnn_lvq_get_epochs(lvq);
}

static void train_lvq(const team_member *self, const trial *how, const glnn_dataset *data,
                      const glnn_train_desc *desc, outcome *to)
{
    glnn_lvq *lvq = NULL;
    expect_ok(glnn_lvq_create(self->ctx, &how->lvq, &lvq));
    if (ends(to, glnn_lvq_train(lvq, data, desc, &to->result)))
        take_lvq(lvq, to);
    glnn_lvq_destroy(lvq);
}

/* The first centre is moved out of the data. */
static void move_away(glnn_kmeans *kmeans, const glnn_dataset *data)
{
    float centres[MOST_NUMBERS];
    expect_ok(glnn_kmeans_initialise(kmeans, data));
    expect_ok(glnn_kmeans_get_centres(kmeans, centres));
    centres[0] = 1000;
    expect_ok(glnn_kmeans_set_centres(kmeans, centres));
}

static void train_kmeans(const team_member *self, const trial *how, const glnn_dataset *data,
                         const glnn_train_desc *desc, outcome *to)
{
    glnn_kmeans *kmeans = NULL;
    expect_ok(glnn_kmeans_create(self->ctx, &how->kmeans, &kmeans));
    if (how->has_far)
        move_away(kmeans, data);
    const int count = glnn_kmeans_get_count(kmeans);
    if (ends(to, glnn_kmeans_train(kmeans, data, desc, &to->result))) {
        expect_ok(glnn_kmeans_get_centres(kmeans, add(to, count * FEATURES)));
        expect_ok(glnn_kmeans_get_sizes(kmeans, add_exact(to, count)));
    }
    glnn_kmeans_destroy(kmeans);
}

static void take_gmm(const glnn_gmm *gmm, outcome *to)
{
    const int count = glnn_gmm_get_count(gmm);
    const glnn_covariance covariance = glnn_gmm_get_desc(gmm)->covariance;
    const int size = covariance == GLNN_COVARIANCE_FULL        ? FEATURES * FEATURES
                     : covariance == GLNN_COVARIANCE_SPHERICAL ? 1
                                                               : FEATURES;
    float *weights = add(to, count), *means = add(to, count * FEATURES);
    expect_ok(glnn_gmm_get_parameters(gmm, weights, means, add(to, count * size)));
}

static void train_gmm(const team_member *self, const trial *how, const glnn_dataset *data,
                      const glnn_train_desc *desc, outcome *to)
{
    glnn_gmm *gmm = NULL;
    expect_ok(glnn_gmm_create(self->ctx, &how->gmm, &gmm));
    if (ends(to, glnn_gmm_train(gmm, data, desc, &to->result)))
        take_gmm(gmm, to);
    glnn_gmm_destroy(gmm);
}

static void train(const team_member *self, const trial *how, const glnn_dataset *data,
                  const glnn_train_desc *desc, outcome *to)
{
    to->result.size = sizeof to->result;
    if (how->lvq.features)
        train_lvq(self, how, data, desc, to);
    else if (how->kmeans.features)
        train_kmeans(self, how, data, desc, to);
    else
        train_gmm(self, how, data, desc, to);
}

static glnn_dataset *data_of(const team_member *self, const contest *in)
{
    glnn_dataset *data = NULL;
    if (in->path)
        expect_ok(glnn_dataset_open(self->ctx, in->path, GLNN_DATASET_FLOATS, in->desc, &data));
    else
        expect_ok(glnn_dataset_create(self->ctx, in->desc, &data));
    assert_int_equal(glnn_dataset_is_streamed(data), in->path != NULL);
    return data;
}

/* A report function whose user is a messenger. */
static bool break_down(void *user, const glnn_report *report)
{
    const glnn_messenger *messenger = user;
    (void)report;
    (messenger->fail)(messenger->user, "its disk is full"); /* "fail(" is a macro of cmocka */
    return true;
}

/* A report function whose user counts the batches that are left. */
static bool stop_at_batch(void *user, const glnn_report *report)
{
    int *left = user;
    return report->event != GLNN_EVENT_BATCH || --*left != 0;
}

static void train_all(const team_member *self)
{
    contest *in = self->user;
    glnn_dataset *data = data_of(self, in);
    glnn_train_desc desc = training_of(in->how, self);
    if (in->breaks && self->rank == 1) {
        desc.report = break_down;
        desc.user = (void *)self->messenger;
    }
    if (in->checkpoint) {
        desc.checkpoint = in->checkpoint;
        desc.checkpoint_every = 2;
        desc.resume = true;
        desc.report = stop_at_batch;
        desc.report_every = 1;
        desc.user = &in->batches[self->rank];
    }
    for (int run = 0; run < in->runs; ++run)
        train(self, in->how, data, &desc, &in->of[run][self->rank]);
    glnn_dataset_destroy(data);
}

/* ---- Comparing outcomes */

static void expect_success(const outcome *of, const char *name, int rank)
{
    if (of->status)
        fail_at(__FILE__, __LINE__, "%s: rank %d says: %s", name, rank, of->sentence);
}

static void expect_same(const outcome *left, const outcome *right, const char *name,
                        const char *what)
{
    assert_int_equal(left->count, right->count);
    const glnn_train_result *a = &left->result, *b = &right->result;
    if (memcmp(left->numbers, right->numbers, (size_t)left->count * sizeof(float)) != 0 ||
        a->training.loss != b->training.loss || a->validation.loss != b->validation.loss ||
        a->epochs != b->epochs || a->steps != b->steps)
        fail_at(__FILE__, __LINE__, "%s: other bits %s", name, what);
}

/* The greatest difference of two outcomes, by the greatest number. */
static double difference_of(const outcome *left, const outcome *right)
{
    double greatest = 0, difference = 0;
    for (int i = 0; i < left->count - left->exact; ++i) {
        const double x = (double)left->numbers[i], y = (double)right->numbers[i];
        assert_true(isfinite(x) && isfinite(y));
        greatest = fmax(greatest, fabs(x));
        difference = fmax(difference, fabs(x - y));
    }
    return difference / greatest;
}

static void expect_alike(const outcome *left, const outcome *right, const char *name)
{
    const glnn_train_result *a = &left->result, *b = &right->result;
    const double found = difference_of(left, right);
    const double of_loss = fabs(a->training.loss - b->training.loss) / fabs(b->training.loss);
    const int first = left->count - left->exact;
    assert_int_equal(left->count, right->count);
    assert_int_equal(a->epochs, b->epochs);
    assert_int_equal(a->steps, b->steps);
    assert_true(a->training.accuracy == b->training.accuracy);
    assert_true(a->validation.accuracy == b->validation.accuracy);
    assert_memory_equal(left->numbers + first, right->numbers + first,
                        (size_t)left->exact * sizeof(float));
    if (!(found <= TOLERANCE && of_loss <= TOLERANCE))
        fail_at(__FILE__, __LINE__, "%s: a difference of %.3g, in the loss %.3g; at most %.3g",
                name, found, of_loss, TOLERANCE);
}

/* Trains in all runs, with equal bits on all ranks. */
static void run_contest(contest *in, int ranks)
{
    memset(in->of, 0, sizeof in->of);
    in->runs = in->runs > 0 ? in->runs : RUNS;
    team_run(&(team_desc){.ranks = ranks}, train_all, in);
    for (int run = 0; run < in->runs; ++run)
        for (int r = 0; r < ranks; ++r) {
            expect_success(&in->of[run][r], in->how->name, r);
            expect_same(&in->of[run][r], &in->of[run][0], in->how->name, "on a rank");
            expect_same(&in->of[run][r], &in->of[0][r], in->how->name, "in a second run");
        }
}

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
        for (int ranks = 2; ranks <= MOST_RANKS; ++ranks) {
            run_contest(&together, ranks);
            expect_alike(&together.of[0][0], &alone.of[0][0], trials[i].name);
        }
    }
}

/* A process reads its own samples only, whose parts are those of a resident set. */
static void processes_train_on_a_stream_as_on_a_resident_set(void **state)
{
    (void)state;
    static contest resident, streamed;
    static const char *const names[] = {"glvq in parts", "k-means of the full batch in turns",
                                        "spherical mixtures of classes"};
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

/* ---- Checkpoints */

/* Stops in the middle of an epoch with so many processes, and continues with others. */
static void expect_continued(const contest *alone, int before, int after)
{
    static contest continued;
    const file_path path = path_of("checkpoint"), former = path_of("checkpoint.1");
    continued = (contest){
        .how = alone->how, .desc = alone->desc, .runs = 1, .checkpoint = path.text, .batches = {12}};
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
    static const char *const names[] = {
        "olvq1", "k-means of mini-batches in parts, with an empty centre",
        "k-means of the full batch in turns", "k-means of the full batch, with an empty centre",
        "spherical mixtures of classes", "a full mixture"};
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
    enum { RANKS = 3 };
    static contest failing;
    const samples all = all_samples();
    glnn_dataset_desc desc = desc_of(all, 0);
    desc.inputs = floats_of(all.inputs);
    failing = (contest){.how = how, .desc = &desc, .runs = 1, .breaks = breaks};
    team_run(&(team_desc){.ranks = RANKS}, train_all, &failing);
    for (int r = 0; r < RANKS; ++r) {
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(processes_train_as_one_does_and_equally_on_all_ranks_and_in_two_runs),
        TEST(processes_train_on_a_stream_as_on_a_resident_set),
        TEST(a_training_goes_on_with_another_number_of_processes),
        TEST(a_process_that_fails_is_named_by_all),
        TEST(olvq1_refuses_steps_of_several_parts),
    };
    return cmocka_run_group_tests(tests, streams_setup, streams_teardown);
}
