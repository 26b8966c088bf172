/* The step of the published scheme that benchmarks compare with: bench/common/published.h. */
#include "support/support.h"

#include "common/arrays.h"
#include "common/published.h"

/* More than the nets of these tests need. */
enum { TEXTURE_LIMIT = 2048 };

/* By is_packed and blends. */
static published_programs *programs[2][2];

static int make_programs(void **state)
{
    if (test_group_setup(state))
        return -1;
    for (int i = 0; i < 4; ++i)
        programs[i / 2][i % 2] = published_programs_new(glnn_test_context(), i / 2, i % 2);
    return 0;
}

static int free_programs(void **state)
{
    for (int i = 0; i < 4; ++i)
        published_programs_free(programs[i / 2][i % 2]);
    return test_group_teardown(state);
}

/* The weights after so many steps; `passes` gets the passes of the last one. */
static net_weights weights_after(int steps, const net_case *of, const net_data *data,
                                 const published_programs *with, int *passes)
{
    net_weights w = net_weights_new(of);
    published *p = published_new(with, of, data, TEXTURE_LIMIT);
    for (int i = 0; i < steps; ++i)
        published_step(p);
    published_weights(p, &w);
    *passes = published_passes(p);
    published_free(p);
    return w;
}

static void the_formula_has_the_published_values(void **state)
{
    (void)state;
    const net_case of = {.inputs = 2, .hidden = 64, .outputs = 1, .batch = 1024};
    assert_int_equal(published_formula(&of, false), 2 + 64 + 1 + 2 * 1024 + 4);
    assert_int_equal(published_formula(&of, true), 2 + 64 + 1 + 1024 / 2 + 4);
    /* A last texel of one pattern takes as many passes as one of four. */
    const net_case odd = {.inputs = 3, .hidden = 7, .outputs = 2, .batch = 5};
    assert_int_equal(published_formula(&odd, false), 3 + 7 + 2 + 2 * 5 + 4);
    assert_int_equal(published_formula(&odd, true), 3 + 7 + 2 + 8 / 2 + 4);
}

static void four_times_as_many_patterns_fit_a_texture_when_packed(void **state)
{
    (void)state;
    const net_case of = {.inputs = 2, .hidden = 7, .outputs = 8};
    for (int packed = 0; packed < 2; ++packed) {
        /* The thresholds make 8 rows of the weights of 7 units. */
        assert_int_equal(published_capacity(&of, packed, 7), 0);
        net_case full = of;
        full.batch = published_capacity(&of, packed, 8);
        assert_int_equal(full.batch, packed ? 32 : 8);
        const net_data data = net_data_new(&full);
        published_free(published_new(programs[packed][0], &full, &data, 8));
        net_data_free(&data);
    }
}

static void expect_step(const net_case *of)
{
    const net_data data = net_data_new(of);
    const net_reference reference = net_reference_new(of, &data, false);
    for (int i = 0; i < 4; ++i) {
        int passes;
        const int packed = i / 2, blends = i % 2;
        const net_weights got = weights_after(1, of, &data, programs[packed][blends], &passes);
        const double worst = net_judge(&reference, &got, 1);
        if (!(worst <= 1) || passes != published_formula(of, packed))
            fail_msg(
                "%s%s step of %d-%d-%d with %d patterns: %d passes, not %d; error %g times its "
                "bound",
                blends ? "blended " : "", packed ? "packed" : "unpacked", of->inputs, of->hidden,
                of->outputs, of->batch, passes, published_formula(of, packed), worst);
        net_weights_free(&got);
    }
    net_reference_free(&reference);
    net_data_free(&data);
}

static void
a_step_takes_the_passes_of_the_formula_and_gives_the_weights_of_the_reference(void **state)
{
    (void)state;
    static const int patterns[] = {1, 3, 5, 1024}, units[] = {1, 7, 64};
    for (size_t n = 0; n < COUNT_OF(patterns); ++n)
        for (size_t m = 0; m < COUNT_OF(units); ++m)
            expect_step(&(net_case){2, units[m], 1, patterns[n], false, 0});
    expect_step(&(net_case){3, 7, 2, 6, false, 0});
    expect_step(&(net_case){1, 5, 4, 9, false, 0});
}

static double change(const net_weights *after, const net_weights *before, int layer, size_t i)
{
    return (double)after->layer[layer][i] - (double)before->layer[layer][i];
}

/* The rate is so small that the gradient is nearly the same in each of a few steps. */
static void expect_three_steps(const net_case *of, const net_weights *before,
                               const net_weights *one, const net_weights *three)
{
    for (int l = 0; l < 2; ++l) {
        double greatest = 0, worst = 0;
        for (size_t i = 0; i < net_weights_count(of, l); ++i) {
            const double first = change(one, before, l, i);
            greatest = fmax(greatest, fabs(first));
            worst = fmax(worst, fabs(change(three, before, l, i) - 3 * first));
        }
        assert_true(greatest > 1e-5);
        assert_true(worst < 0.05 * greatest);
    }
}

static void each_step_starts_from_the_weights_of_the_step_before(void **state)
{
    (void)state;
    const net_case of = {.inputs = 2, .hidden = 7, .outputs = 1, .batch = 5};
    const net_data data = net_data_new(&of);
    const net_weights before = net_weights_new(&of);
    for (int i = 0; i < 4; ++i) {
        int passes;
        const int packed = i / 2, blends = i % 2;
        const published_programs *with = programs[packed][blends];
        const net_weights one = weights_after(1, &of, &data, with, &passes);
        const net_weights three = weights_after(3, &of, &data, with, &passes);
        expect_three_steps(&of, &before, &one, &three);
        assert_int_equal(passes, published_formula(&of, packed));
        net_weights_free(&one);
        net_weights_free(&three);
    }
    net_weights_free(&before);
    net_data_free(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_formula_has_the_published_values),
        TEST(four_times_as_many_patterns_fit_a_texture_when_packed),
        TEST(a_step_takes_the_passes_of_the_formula_and_gives_the_weights_of_the_reference),
        TEST(each_step_starts_from_the_weights_of_the_step_before),
    };
    return cmocka_run_group_tests_name("the published step", tests, make_programs, free_programs);
}
