/* Steps are along the gradients of the kinds' losses, by finite differences of the losses in double
 * precision: those of the reference closely, those of the library as closely as float32 allows. */
#include "support/lvq_reference.h"

enum { FEATURES = 5, CLASSES = 3, COUNT = 6, BATCH = 7 };

/* Small enough that no move meets its limit. */
static const double rate = 1e-4;

/* A classifier with a metric that is not the one at the start, after 3 epochs in which xi has
 * grown. */
static glnn_learner *classifier(glnn_lvq_kind kind, int capacity)
{
    const glnn_lvq_desc desc = {.kind = kind,
                                .features = FEATURES,
                                .classes = CLASSES,
                                .prototypes = COUNT / CLASSES,
                                .scale = 0.7f,
                                .sigma = 0.8f,
                                .xi = 2,
                                .xi_growth = 0.25f,
                                .rank = kind == GLNN_LVQ_GMLVQ ? 3 : 0,
                                .metric_rate = 2,
                                .capacity = capacity};
    glnn_learner *lvq = lvq_of(&desc);
    expect_ok(lvq_write(lvq, floats_of(array_random(COUNT, FEATURES, -1.0, 1.0)), NULL));
    if (kind == GLNN_LVQ_GRLVQ)
        expect_ok(write_tensor(lvq, "relevances", floats_of(array_random(1, FEATURES, 0.1, 1.0))));
    expect_ok(glnn_lvq_set_epochs(lvq, 3));
    return lvq;
}

static lvq_reference reference(glnn_lvq_kind kind)
{
    return lvq_reference_of(classifier(kind, 0));
}

static expected copy_of(expected values)
{
    if (values.value.data == NULL)
        return values;
    return (expected){array_copy(values.value), array_copy(values.bound)};
}

/* A reference that steps without a change of the first one. */
static lvq_reference clone_of(const lvq_reference *lvq)
{
    lvq_reference clone = *lvq;
    clone.prototypes = copy_of(lvq->prototypes);
    clone.relevances = copy_of(lvq->relevances);
    clone.omega = copy_of(lvq->omega);
    return clone;
}

/* The summed loss's derivative by one of the reference's numbers. */
static double derivative(const lvq_reference *lvq, samples batch, double *number)
{
    const double h = 1e-5, kept = *number;
    *number = kept + h;
    const double above = lvq_reference_measure(lvq, batch).loss;
    *number = kept - h;
    const double below = lvq_reference_measure(lvq, batch).loss;
    *number = kept;
    return batch.inputs.rows * (above - below) / (2 * h);
}

/* Differences of a smooth loss of size 1 are off by h^2 and by 1e-16 / h. */
static void expect_derivative(double got, double want, const char *what, size_t place)
{
    if (!(fabs(got - want) <= 1e-7 * (1 + fabs(want))))
        fail_at(__FILE__, __LINE__, "%s %d: the step says %.9g, differences %.9g", what, (int)place,
                got, want);
}

static void check_prototypes(glnn_lvq_kind kind)
{
    lvq_reference lvq = reference(kind), after = clone_of(&lvq);
    const samples batch = samples_random(BATCH, FEATURES, CLASSES, true);
    const double sigma = (double)lvq.desc.sigma;
    const double scale = kind == GLNN_LVQ_RSLVQ ? sigma * sigma : (double)lvq.desc.scale;
    lvq_reference_step(&after, batch, rate);
    for (size_t i = 0; i < length_of(lvq.prototypes.value); ++i) {
        double *number = &lvq.prototypes.value.data[i];
        const double moved = after.prototypes.value.data[i] - *number;
        expect_derivative(-moved / (rate * scale), derivative(&lvq, batch, number),
                          glnn_lvq_kind_name(kind), i);
    }
}

static void prototypes_move_along_the_gradient_of_their_loss(void **state)
{
    (void)state;
    check_prototypes(GLNN_LVQ_GLVQ);
    check_prototypes(GLNN_LVQ_GRLVQ);
    check_prototypes(GLNN_LVQ_GMLVQ);
    check_prototypes(GLNN_LVQ_RSLVQ);
}

/* A step scales what it has made of the metric, so the step that differences foretell is scaled the
 * same way, and its divisor takes the scaling of the other one back. */
static void check_metric(glnn_lvq_kind kind, array before, array after, const lvq_reference *lvq,
                         samples batch, double size)
{
    double gradient[FEATURES * FEATURES], divisor = 0;
    const double factor = rate * (double)lvq->desc.metric_rate / size;
    for (size_t i = 0; i < length_of(before); ++i) {
        gradient[i] = derivative(lvq, batch, &before.data[i]);
        const double stepped = before.data[i] - factor * gradient[i];
        divisor += kind == GLNN_LVQ_GRLVQ ? stepped : stepped * stepped;
    }
    divisor = kind == GLNN_LVQ_GRLVQ ? divisor : sqrt(divisor);
    for (size_t i = 0; i < length_of(before); ++i)
        expect_derivative((before.data[i] - after.data[i] * divisor) / factor, gradient[i],
                          glnn_lvq_kind_name(kind), i);
}

static void relevances_and_omega_move_along_the_gradient_of_their_loss(void **state)
{
    (void)state;
    const samples batch = samples_random(BATCH, FEATURES, CLASSES, true);
    lvq_reference lvq = reference(GLNN_LVQ_GRLVQ), after = clone_of(&lvq);
    lvq_reference_step(&after, batch, rate);
    check_metric(GLNN_LVQ_GRLVQ, lvq.relevances.value, after.relevances.value, &lvq, batch,
                 FEATURES);
    lvq = reference(GLNN_LVQ_GMLVQ);
    after = clone_of(&lvq);
    lvq_reference_step(&after, batch, rate);
    check_metric(GLNN_LVQ_GMLVQ, lvq.omega.value, after.omega.value, &lvq, batch, sqrt(FEATURES));
}

/* A step of the library. */
typedef struct library_step {
    glnn_lvq_kind kind;
    samples batch;
    lvq_reference before;
    glnn_learner *lvq; /* after it */
    double rate;
} library_step;

/* The rate is high enough for float32 to tell moves from rounding, but no move meets its limit.
 * With relevances or Omega distances are shorter, and factors higher. */
static library_step step_of(glnn_lvq_kind kind, int count, int capacity)
{
    static const float rates[] = {[GLNN_LVQ_GLVQ] = 4,
                                  [GLNN_LVQ_GRLVQ] = 0.8f,
                                  [GLNN_LVQ_GMLVQ] = 0.3f,
                                  [GLNN_LVQ_RSLVQ] = 1};
    const float high = rates[kind] / (float)count;
    const glnn_train_desc train = {
        .epochs = 1, .batch = GLNN_FULL_BATCH, .schedule.rate = high, .keep_order = true};
    glnn_train_result result = {.size = sizeof result};
    library_step made = {.kind = kind,
                         .batch = samples_random(count, FEATURES, CLASSES, true),
                         .lvq = classifier(kind, capacity),
                         .rate = (double)high};
    made.before = lvq_reference_of(made.lvq);
    expect_ok(glnn_learner_train(made.lvq, dataset_of(made.batch), &train, &result));
    const lvq_measure want = lvq_reference_measure(&made.before, made.batch);
    assert_true(fabs(result.training.loss - want.loss) <= want.bound);
    return made;
}

/* Expects moves that differ from those of finite differences by at most a share of the longest. */
static void expect_learnt(const library_step *step, array got, const double *want, double longest,
                          const char *what)
{
    for (size_t i = 0; i < length_of(got); ++i)
        if (!(fabs(got.data[i] - want[i]) <= 2e-5 * longest + 8 * EPS * (1 + fabs(want[i]))))
            fail_at(__FILE__, __LINE__, "%s, batch %d, %s %d: %.9g, by differences %.9g",
                    glnn_lvq_kind_name(step->kind), step->batch.inputs.rows, what, (int)i,
                    got.data[i], want[i]);
    assert_true(longest > 0.002);
}

/* The numbers less `factor` times the gradient; returns the longest move. */
static double descend(const library_step *step, array numbers, double factor, double *out)
{
    double longest = 0;
    for (size_t i = 0; i < length_of(numbers); ++i) {
        const double move = factor * derivative(&step->before, step->batch, &numbers.data[i]);
        out[i] = numbers.data[i] - move;
        longest = fmax(longest, fabs(move));
    }
    return longest;
}

static void check_library_prototypes(const library_step *step)
{
    const glnn_lvq_desc *desc = glnn_lvq_get_desc(step->lvq);
    const double sigma = (double)desc->sigma;
    const double scale = step->kind == GLNN_LVQ_RSLVQ ? sigma * sigma : (double)desc->scale;
    double want[COUNT * FEATURES];
    const double longest = descend(step, step->before.prototypes.value, step->rate * scale, want);
    expect_learnt(step, prototypes_of(step->lvq), want, longest, "prototype");
}

/* Batches of one list of passes, of several, and with links. */
static const struct {
    int count, capacity;
} batches[] = {{BATCH, 16}, {40, 64}, {150, 64}};

static void the_library_moves_prototypes_along_the_gradient(void **state)
{
    (void)state;
    for (glnn_lvq_kind kind = 0; kind <= GLNN_LVQ_RSLVQ; ++kind)
        for (size_t i = 0; i < COUNT_OF(batches); ++i) {
            const library_step step = step_of(kind, batches[i].count, batches[i].capacity);
            check_library_prototypes(&step);
            release_learning();
        }
}

/* In a batch of more than 128 samples the metric goes as far as for 128. */
static double metric_rate(const library_step *step, double size)
{
    const double count = step->batch.inputs.rows;
    return step->rate * (double)step->before.desc.metric_rate / size * fmin(1, 128 / count);
}

static void check_library_relevances(const library_step *step)
{
    double want[FEATURES], sum = 0;
    const double longest =
        descend(step, step->before.relevances.value, metric_rate(step, FEATURES), want);
    for (int j = 0; j < FEATURES; ++j)
        sum += want[j] = fmax(want[j], 0);
    for (int j = 0; j < FEATURES; ++j)
        want[j] /= sum;
    expect_learnt(step, relevances_of(step->lvq), want, longest, "relevance");
}

static void check_library_omega(const library_step *step)
{
    double want[FEATURES * FEATURES], squares = 0;
    const array omega = step->before.omega.value;
    const double longest = descend(step, omega, metric_rate(step, sqrt(FEATURES)), want);
    for (size_t i = 0; i < length_of(omega); ++i)
        squares += want[i] * want[i];
    for (size_t i = 0; i < length_of(omega); ++i)
        want[i] /= sqrt(squares);
    expect_learnt(step, omega_of(step->lvq), want, longest, "omega");
}

static void the_library_moves_relevances_and_omega_along_the_gradient(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(batches); ++i) {
        const library_step diagonal =
            step_of(GLNN_LVQ_GRLVQ, batches[i].count, batches[i].capacity);
        check_library_relevances(&diagonal);
        const library_step full = step_of(GLNN_LVQ_GMLVQ, batches[i].count, batches[i].capacity);
        check_library_omega(&full);
        release_learning();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(prototypes_move_along_the_gradient_of_their_loss),
        LEARNING_TEST(relevances_and_omega_move_along_the_gradient_of_their_loss),
        LEARNING_TEST(the_library_moves_prototypes_along_the_gradient),
        LEARNING_TEST(the_library_moves_relevances_and_omega_along_the_gradient),
    };
    return cmocka_run_group_tests_name("lvq gradient", tests, test_group_setup,
                                       test_group_teardown);
}
