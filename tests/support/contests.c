#include "contests.h"

#include "learn/train/trainer.h"

#include <glnn/trainer.h>

enum { EPOCHS = 3 };

/* Of numbers, by the greatest, and of losses: sums of 34 samples in another order, in 30 steps. */
#define TOLERANCE (64 * EPS)

static glnn_train_desc training_of(const contest *in, const team_member *self)
{
    const trial *how = in->how;
    return (glnn_train_desc){
        .epochs = EPOCHS,
        .batch = how->batch ? how->batch : BATCH,
        .accumulate = how->accumulate,
        .schedule.rate = how->lvq.features || how->svm.features ? 0.01f : 0,
        .seed = 9,
        .validation_split = 0.1f,
        .exchange = {.messenger = self->messenger,
                     .kind = how->exchange,
                     .every = how->exchange == GLNN_EXCHANGE_AVERAGES,
                     .share = in->shares ? in->shares[self->rank] : 0},
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

/* Trains to the end by a trainer that was created, and destroys it. */
static glnn_status drive(glnn_status status, glnn_trainer *trainer, bool tries,
                         glnn_train_result *result)
{
    if (!status && tries) {
        const int share = glnn__exchange_plan_samples(&trainer->plan);
        glnn__candidate candidates[] = {{.samples = share},
                                        {GLNN_EXCHANGE_GRADIENTS, .samples = share}};
        expect_ok(glnn__gl_enter_for(trainer->training.ctx, __func__));
        status = glnn__gl_leave(
            trainer->training.ctx,
            glnn__exchange_plan_try(&trainer->plan, candidates, COUNT_OF(candidates)));
        for (size_t i = 0; i < COUNT_OF(candidates) && !status; ++i)
            assert_true(candidates[i].seconds > 0 && isfinite(candidates[i].seconds));
    }
    while (!status && !glnn_trainer_is_finished(trainer)) {
        status = glnn_trainer_step(trainer, 0, 0, NULL, NULL);
        if (!status)
            status = glnn_trainer_end_epoch(trainer);
    }
    if (trainer)
        *result = *glnn_trainer_get_result(trainer);
    glnn_trainer_destroy(trainer);
    return status;
}

/* The end of a training; whether it succeeded. */
static bool ends(outcome *to, glnn_status status)
{
    to->status = status;
    snprintf(to->sentence, sizeof to->sentence, "%s", status ? glnn_last_error() : "");
    return !status;
}

static void take_lvq(const glnn_learner *lvq, outcome *to)
{
    const glnn_lvq_desc *desc = glnn_lvq_get_desc(lvq);
    const int count = tensor_rows(lvq, "prototypes");
    expect_ok(lvq_read(lvq, add(to, count * FEATURES), NULL));
    if (desc->kind == GLNN_LVQ_GRLVQ)
        expect_ok(read_tensor(lvq, "relevances", add(to, FEATURES)));
    if (desc->kind == GLNN_LVQ_GMLVQ)
        expect_ok(read_tensor(lvq, "omega", add(to, desc->rank * FEATURES)));
    if (desc->kind == GLNN_LVQ_OLVQ1)
        expect_ok(read_tensor(lvq, "rates", add_exact(to, count)));
    *add_exact(to, 1) = (float)glnn_lvq_get_epochs(lvq);
}

static void train_lvq(const team_member *self, const contest *in, const glnn_dataset *data,
                      const glnn_train_desc *desc, outcome *to)
{
    glnn_learner *lvq = NULL;
    glnn_trainer *trainer;
    expect_ok(glnn_lvq_create(self->ctx, &in->how->lvq, &lvq));
    const glnn_status status = glnn_trainer_create(lvq, data, desc, &trainer);
    if (ends(to, drive(status, trainer, in->tries, &to->result)))
        take_lvq(lvq, to);
    glnn_learner_destroy(lvq);
}

/* The first centre is moved out of the data. */
static void move_away(glnn_learner *kmeans, const glnn_dataset *data)
{
    float centres[MOST_NUMBERS];
    expect_ok(glnn_learner_initialise(kmeans, data));
    expect_ok(read_tensor(kmeans, "centres", centres));
    centres[0] = 1000;
    expect_ok(write_tensor(kmeans, "centres", centres));
}

static void train_kmeans(const team_member *self, const contest *in, const glnn_dataset *data,
                         const glnn_train_desc *desc, outcome *to)
{
    glnn_learner *kmeans = NULL;
    glnn_trainer *trainer;
    expect_ok(glnn_kmeans_create(self->ctx, &in->how->kmeans, &kmeans));
    if (in->how->has_far)
        move_away(kmeans, data);
    const int count = tensor_rows(kmeans, "centres");
    const glnn_status status = glnn_trainer_create(kmeans, data, desc, &trainer);
    if (ends(to, drive(status, trainer, in->tries, &to->result))) {
        expect_ok(read_tensor(kmeans, "centres", add(to, count * FEATURES)));
        expect_ok(read_tensor(kmeans, "sizes", add_exact(to, count)));
    }
    glnn_learner_destroy(kmeans);
}

static void take_gmm(const glnn_learner *gmm, outcome *to)
{
    const int count = tensor_rows(gmm, "weights");
    const glnn_covariance covariance = glnn_gmm_get_desc(gmm)->covariance;
    const int size = covariance == GLNN_COVARIANCE_FULL        ? FEATURES * FEATURES
                     : covariance == GLNN_COVARIANCE_SPHERICAL ? 1
                                                               : FEATURES;
    float *weights = add(to, count), *means = add(to, count * FEATURES);
    expect_ok(gmm_read(gmm, weights, means, add(to, count * size)));
}

static void train_gmm(const team_member *self, const contest *in, const glnn_dataset *data,
                      const glnn_train_desc *desc, outcome *to)
{
    glnn_learner *gmm = NULL;
    glnn_trainer *trainer;
    expect_ok(glnn_gmm_create(self->ctx, &in->how->gmm, &gmm));
    const glnn_status status = glnn_trainer_create(gmm, data, desc, &trainer);
    if (ends(to, drive(status, trainer, in->tries, &to->result)))
        take_gmm(gmm, to);
    glnn_learner_destroy(gmm);
}

static void train_svm(const team_member *self, const contest *in, const glnn_dataset *data,
                      const glnn_train_desc *desc, outcome *to)
{
    glnn_learner *svm = NULL;
    glnn_trainer *trainer;
    expect_ok(glnn_svm_create(self->ctx, &in->how->svm, &svm));
    const glnn_status status = glnn_trainer_create(svm, data, desc, &trainer);
    if (ends(to, drive(status, trainer, in->tries, &to->result))) {
        float *weights = add(to, in->how->svm.classes * FEATURES);
        expect_ok(svm_read(svm, weights, add(to, in->how->svm.classes)));
    }
    glnn_learner_destroy(svm);
}

static void train(const team_member *self, const contest *in, const glnn_dataset *data,
                  const glnn_train_desc *desc, outcome *to)
{
    const trial *how = in->how;
    to->result.size = sizeof to->result;
    if (how->lvq.features)
        train_lvq(self, in, data, desc, to);
    else if (how->kmeans.features)
        train_kmeans(self, in, data, desc, to);
    else if (how->svm.features)
        train_svm(self, in, data, desc, to);
    else
        train_gmm(self, in, data, desc, to);
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
    glnn_train_desc desc = training_of(in, self);
    desc.exchange.plan = &in->plans[self->rank];
    desc.exchange.plan->size = sizeof *desc.exchange.plan;
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
        train(self, in, data, &desc, &in->of[run][self->rank]);
    glnn_dataset_destroy(data);
}

/* ---- Comparing outcomes */

static void expect_success(const outcome *of, const char *name, int rank)
{
    if (of->status)
        fail_at(__FILE__, __LINE__, "%s: rank %d says: %s", name, rank, of->sentence);
}

void expect_same(const outcome *left, const outcome *right, const char *name, const char *what)
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

void expect_alike(const outcome *left, const outcome *right, const char *name)
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

void train_contest(contest *in, int ranks)
{
    memset(in->of, 0, sizeof in->of);
    in->runs = in->runs > 0 ? in->runs : RUNS;
    team_run(&(team_desc){.ranks = ranks, .cache = in->cache}, train_all, in);
}

void run_contest(contest *in, int ranks)
{
    train_contest(in, ranks);
    for (int run = 0; run < in->runs; ++run)
        for (int r = 0; r < ranks; ++r) {
            expect_success(&in->of[run][r], in->how->name, r);
            expect_same(&in->of[run][r], &in->of[run][0], in->how->name, "on a rank");
            expect_same(&in->of[run][r], &in->of[0][r], in->how->name, "in a second run");
        }
}
