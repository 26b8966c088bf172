/* The step of the original scheme that benchmarks compare with: bench/common/original.h. */
#include "support/support.h"

#include "common/arrays.h"
#include "common/original.h"

static void the_formula_counts_sums_of_eight_products_of_twelve_columns(void **state)
{
    (void)state;
    /* Partial products: 66, 22 and 1; they become 9, 2, 1; then 3, 1. */
    const net_case digits = {.inputs = 784, .hidden = 256, .outputs = 10, .batch = 1};
    assert_int_equal(original_formula(&digits), 9 + (3 + 2 + 0) + 3);
    /* As many as there are without one sum more, and one column more. The threshold counts. */
    const net_case full = {.inputs = 11, .hidden = 95, .outputs = 96, .batch = 3};
    assert_int_equal(original_formula(&full), 3 * (9 + (0 + 1 + 1)) + 3);
    const net_case more = {.inputs = 12, .hidden = 96, .outputs = 97, .batch = 3};
    assert_int_equal(original_formula(&more), 3 * (9 + (1 + 2 + 2)) + 3);
}

/* The weights after so many steps, each of which takes the passes of the formula. */
static net_weights weights_after(int steps, const net_case *of, const net_data *data)
{
    net_weights w = net_weights_new(of);
    original *o = original_new(glnn_test_context(), of, data);
    for (int i = 0; i < steps; ++i) {
        original_step(o);
        assert_int_equal(original_passes(o), original_formula(of));
    }
    original_weights(o, &w);
    original_free(o);
    return w;
}

static void
a_step_takes_the_passes_of_the_formula_and_gives_the_weights_of_the_reference(void **state)
{
    (void)state;
    static const net_case cases[] = {
        {1, 1, 1, 1, false, 0},    {2, 64, 1, 40, false, 0},   {11, 95, 96, 3, false, 0},
        {12, 96, 97, 2, false, 0}, {784, 30, 10, 2, false, 0}, {5, 3, 20, 3, false, 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const net_case *of = &cases[i];
        const net_data data = net_data_new(of);
        const net_reference reference = net_reference_new(of, &data, false);
        const net_weights got = weights_after(1, of, &data);
        const double worst = net_judge(&reference, &got, 1);
        if (!(worst <= 1))
            fail_msg("a step of %d-%d-%d with %d patterns: error %g times its bound", of->inputs,
                     of->hidden, of->outputs, of->batch, worst);
        net_weights_free(&got);
        net_reference_free(&reference);
        net_data_free(&data);
    }
}

/* The rate is so small that the gradient is nearly the same in each of a few steps. */
static void each_step_starts_from_the_weights_of_the_step_before(void **state)
{
    (void)state;
    const net_case of = {.inputs = 2, .hidden = 7, .outputs = 1, .batch = 5};
    const net_data data = net_data_new(&of);
    const net_weights before = net_weights_new(&of);
    const net_weights one = weights_after(1, &of, &data), three = weights_after(3, &of, &data);
    for (int l = 0; l < 2; ++l) {
        double greatest = 0, worst = 0;
        for (size_t i = 0; i < net_weights_count(&of, l); ++i) {
            const double first = (double)one.layer[l][i] - (double)before.layer[l][i];
            const double all = (double)three.layer[l][i] - (double)before.layer[l][i];
            greatest = fmax(greatest, fabs(first));
            worst = fmax(worst, fabs(all - 3 * first));
        }
        assert_true(greatest > 1e-5);
        assert_true(worst < 0.05 * greatest);
    }
    net_weights_free(&three);
    net_weights_free(&one);
    net_weights_free(&before);
    net_data_free(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_formula_counts_sums_of_eight_products_of_twelve_columns),
        TEST(a_step_takes_the_passes_of_the_formula_and_gives_the_weights_of_the_reference),
        TEST(each_step_starts_from_the_weights_of_the_step_before),
    };
    return cmocka_run_group_tests_name("the original step", tests, test_group_setup,
                                       test_group_teardown);
}
