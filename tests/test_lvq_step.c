/* Each kind's step against the reference in double precision, one step after another: each starts
 * from what the step before has left. */
#include "support/lvq_reference.h"

#include <stdio.h>

/* A classifier and batches for it. `batch` samples make a step, in lists of `capacity`. */
typedef struct step_case {
    int features, classes, prototypes, batch, capacity;
} step_case;

static const step_case cases[] = {
    {1, 2, 1, 1, 4},   {3, 2, 1, 5, 8},    {4, 3, 2, 1, 1},   {17, 5, 3, 1, 16},
    {9, 4, 2, 33, 64}, {130, 3, 1, 3, 16}, {7, 2, 5, 40, 16},
};

enum { STEPS = 4 };

static const char *name_of(const glnn_lvq_desc *desc, const step_case *size, int step)
{
    static char name[160];
    snprintf(name, sizeof name, "%s, %s, %d features, %d classes of %d, batch %d, step %d",
             glnn_lvq_kind_name(desc->kind), glnn_layout_name(desc->layout), size->features,
             size->classes, size->prototypes, size->batch, step);
    return name;
}

static void expect_within(array got, expected want, const char *name, const char *what)
{
    for (size_t i = 0; i < length_of(got); ++i)
        if (!(fabs(got.data[i] - want.value.data[i]) <= want.bound.data[i]))
            fail_at(__FILE__, __LINE__, "%s: %s %d is %.9g, expected %.9g, bound %.2g", name, what,
                    (int)i, got.data[i], want.value.data[i], want.bound.data[i]);
}

static void expect_learnt(const glnn_learner *lvq, const lvq_reference *want, const char *name)
{
    expect_within(prototypes_of(lvq), want->prototypes, name, "prototype");
    if (want->desc.kind == GLNN_LVQ_GRLVQ)
        expect_within(relevances_of(lvq), want->relevances, name, "relevance");
    if (want->desc.kind == GLNN_LVQ_GMLVQ)
        expect_within(omega_of(lvq), want->omega, name, "omega");
    if (want->desc.kind == GLNN_LVQ_OLVQ1)
        expect_within(rates_of(lvq), want->rates, name, "rate");
}

static void expect_measure(double loss, double accuracy, lvq_measure want, int count,
                           const char *name)
{
    if (!(fabs(loss - want.loss) <= want.bound))
        fail_at(__FILE__, __LINE__, "%s: the loss is %.9g, expected %.9g, bound %.2g", name, loss,
                want.loss, want.bound);
    if (accuracy != (double)want.right / count)
        fail_at(__FILE__, __LINE__, "%s: %g are right, expected %d of %d", name, accuracy,
                want.right, count);
}

static void set_random_prototypes(glnn_learner *lvq)
{
    const glnn_lvq_desc *desc = glnn_lvq_get_desc(lvq);
    const array random = array_random(tensor_rows(lvq, "prototypes"), desc->features, -1.0, 1.0);
    expect_ok(lvq_write(lvq, floats_of(random), NULL));
}

/* Relevances or an Omega that are not those at the start. */
static void set_random_metric(glnn_learner *lvq)
{
    const glnn_lvq_desc *desc = glnn_lvq_get_desc(lvq);
    if (desc->kind == GLNN_LVQ_GRLVQ)
        expect_ok(
            write_tensor(lvq, "relevances", floats_of(array_random(1, desc->features, 0.1, 1.0))));
    if (desc->kind == GLNN_LVQ_GMLVQ)
        expect_ok(write_tensor(lvq, "omega",
                               floats_of(array_random(desc->rank, desc->features, -1.0, 1.0))));
}

static void check_steps(glnn_lvq_desc desc, const step_case *size, float rate)
{
    desc.features = size->features;
    desc.classes = size->classes;
    desc.prototypes = size->prototypes;
    desc.capacity = size->capacity;
    glnn_learner *lvq = lvq_of(&desc);
    const samples all = samples_random(STEPS * size->batch, size->features, size->classes, true);
    set_random_prototypes(lvq);
    set_random_metric(lvq);
    for (int s = 0; s < STEPS; ++s) {
        const samples batch = samples_part(all, s * size->batch, size->batch);
        const glnn_train_desc train = {
            .epochs = 1, .batch = GLNN_FULL_BATCH, .schedule.rate = rate, .keep_order = true};
        glnn_train_result result = {.size = sizeof result};
        lvq_reference want = lvq_reference_of(lvq);
        const char *name = name_of(&desc, size, s);
        const lvq_measure measure = lvq_reference_step(&want, batch, (double)rate);
        expect_ok(glnn_learner_train(lvq, dataset_of(batch), &train, &result));
        expect_learnt(lvq, &want, name);
        expect_measure(result.training.loss, result.training.accuracy, measure, size->batch, name);
        assert_true(glnn_lvq_get_epochs(lvq) == s + 1);
    }
    release_learning();
}

static void check_all(glnn_lvq_desc desc, float rate)
{
    for (desc.layout = GLNN_LAYOUT_TILED; desc.layout < RENDERED_END; ++desc.layout)
        for (size_t i = 0; i < COUNT_OF(cases); ++i)
            if (!case_is_left_out((int)desc.kind + (int)desc.layout))
                check_steps(desc, &cases[i], rate);
}

static void a_step_of_glvq_agrees_with_the_reference(void **state)
{
    (void)state;
    check_all((glnn_lvq_desc){.kind = GLNN_LVQ_GLVQ, .scale = 0.5f, .xi = 3, .xi_growth = 0.5f},
              0.05f);
}

static void a_step_of_grlvq_agrees_with_the_reference(void **state)
{
    (void)state;
    check_all((glnn_lvq_desc){.kind = GLNN_LVQ_GRLVQ, .scale = 0.5f, .xi = 3, .metric_rate = 2},
              0.05f);
}

static void a_step_of_gmlvq_agrees_with_the_reference(void **state)
{
    (void)state;
    check_all((glnn_lvq_desc){.kind = GLNN_LVQ_GMLVQ, .scale = 0.5f, .xi = 3, .metric_rate = 0.1f},
              0.05f);
}

static void a_step_of_gmlvq_of_limited_rank_agrees_with_the_reference(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); ++i)
        for (int rank = 1; rank < cases[i].features && rank < 6; rank += 2)
            check_steps(
                (glnn_lvq_desc){.kind = GLNN_LVQ_GMLVQ, .scale = 0.5f, .xi = 3, .rank = rank},
                &cases[i], 0.05f);
}

static void a_step_of_rslvq_agrees_with_the_reference(void **state)
{
    (void)state;
    check_all((glnn_lvq_desc){.kind = GLNN_LVQ_RSLVQ, .sigma = 0.6f}, 0.1f);
}

static void a_step_of_lvq1_agrees_with_the_reference(void **state)
{
    (void)state;
    check_all((glnn_lvq_desc){.kind = GLNN_LVQ_LVQ1}, 0.07f);
}

static void a_step_of_olvq1_agrees_with_the_reference(void **state)
{
    (void)state;
    check_all((glnn_lvq_desc){.kind = GLNN_LVQ_OLVQ1}, 0.3f);
}

static void a_step_of_lvq21_agrees_with_the_reference(void **state)
{
    (void)state;
    check_all((glnn_lvq_desc){.kind = GLNN_LVQ_LVQ21, .window = 0.4f}, 0.07f);
}

static void a_step_of_lvq3_agrees_with_the_reference(void **state)
{
    (void)state;
    check_all((glnn_lvq_desc){.kind = GLNN_LVQ_LVQ3, .epsilon = 0.3f}, 0.07f);
}

static void a_batch_that_would_overshoot_moves_prototypes_by_its_limit(void **state)
{
    (void)state;
    const step_case crowded = {5, 2, 1, 200, 256}, in_parts = {5, 2, 1, 200, 64};
    for (glnn_lvq_kind kind = 0; kind < GLNN_LVQ_KIND_COUNT; ++kind) {
        const glnn_lvq_desc desc = {.kind = kind, .scale = 0.5f, .xi = 3, .sigma = 0.6f};
        check_steps(desc, &crowded, 0.3f);
        check_steps(desc, &in_parts, 0.3f);
    }
}

static void prototypes_may_be_more_than_a_texture_is_tall(void **state)
{
    (void)state;
    glnn_context_info info = {.size = sizeof info};
    expect_ok(glnn_context_get_info(glnn_test_context(), &info));
    const step_case tall = {12, 2, info.max_texture_size / 2 + 3, 8, 4};
    check_steps((glnn_lvq_desc){.kind = GLNN_LVQ_GLVQ, .scale = 0.5f, .xi = 3}, &tall, 0.05f);
    check_steps((glnn_lvq_desc){.kind = GLNN_LVQ_LVQ1}, &tall, 0.05f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(a_step_of_glvq_agrees_with_the_reference),
        LEARNING_TEST(a_step_of_grlvq_agrees_with_the_reference),
        LEARNING_TEST(a_step_of_gmlvq_agrees_with_the_reference),
        LEARNING_TEST(a_step_of_gmlvq_of_limited_rank_agrees_with_the_reference),
        LEARNING_TEST(a_step_of_rslvq_agrees_with_the_reference),
        LEARNING_TEST(a_step_of_lvq1_agrees_with_the_reference),
        LEARNING_TEST(a_step_of_olvq1_agrees_with_the_reference),
        LEARNING_TEST(a_step_of_lvq21_agrees_with_the_reference),
        LEARNING_TEST(a_step_of_lvq3_agrees_with_the_reference),
        LEARNING_TEST(a_batch_that_would_overshoot_moves_prototypes_by_its_limit),
        LEARNING_TEST(prototypes_may_be_more_than_a_texture_is_tall),
    };
    return cmocka_run_group_tests_name("lvq step", tests, test_group_setup, test_group_teardown);
}
