/* The reference's steps are along the gradients of its losses: finite differences. With the steps
 * that agree with the reference, this is what the kinds with a loss learn. */
#include "support/lvq_reference.h"

enum { FEATURES = 5, CLASSES = 3, COUNT = 6, BATCH = 7 };

/* Small enough that no move meets its limit. */
static const double rate = 1e-4;

static lvq_reference reference(glnn_lvq_kind kind)
{
    const glnn_lvq_desc desc = {.kind = kind,
                                .features = FEATURES,
                                .classes = CLASSES,
                                .prototypes = COUNT / CLASSES,
                                .scale = 0.7f,
                                .sigma = 0.8f,
                                .xi = 2,
                                .rank = kind == GLNN_LVQ_GMLVQ ? 3 : 0,
                                .metric_rate = 2};
    glnn_lvq *lvq = lvq_of(&desc);
    expect_ok(
        glnn_lvq_set_prototypes(lvq, floats_of(array_random(COUNT, FEATURES, -1.0, 1.0)), NULL));
    if (kind == GLNN_LVQ_GRLVQ)
        expect_ok(glnn_lvq_set_relevances(lvq, floats_of(array_random(1, FEATURES, 0.1, 1.0))));
    return lvq_reference_of(lvq);
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
    return BATCH * (above - below) / (2 * h);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(prototypes_move_along_the_gradient_of_their_loss),
        LEARNING_TEST(relevances_and_omega_move_along_the_gradient_of_their_loss),
    };
    return cmocka_run_group_tests_name("lvq gradient", tests, test_group_setup,
                                       test_group_teardown);
}
