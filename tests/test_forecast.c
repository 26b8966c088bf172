/* The forecast of the time of units, as pure arithmetic. */
#include "support/support.h"

#include "learn/train/pacer.h"

static glnn__forecast forecast_of(const double *seconds, int count, int units)
{
    glnn__forecast f = {0};
    for (int i = 0; i < count; ++i)
        glnn__forecast_add(&f, units, units * seconds[i]);
    return f;
}

static glnn__forecast steady(int units, double seconds)
{
    glnn__forecast f = {0};
    for (int i = 0; i < GLNN__FORECAST_CALLS; ++i)
        glnn__forecast_add(&f, units, units * seconds);
    return f;
}

static void one_unit_fits_before_anything_was_measured(void **state)
{
    (void)state;
    const glnn__forecast nothing = {0};
    assert_int_equal(glnn__forecast_fit(&nothing, 1e9), 1);
    assert_true(glnn__forecast_expect(&nothing, 7) == 0);
}

static void as_many_units_as_the_budget_holds_fit(void **state)
{
    (void)state;
    const glnn__forecast f = steady(100, 0.25);
    assert_int_equal(glnn__forecast_fit(&f, 4), 16);
    assert_int_equal(glnn__forecast_fit(&f, 4.24), 16);
    assert_int_equal(glnn__forecast_fit(&f, 0.25), 1);
    assert_int_equal(glnn__forecast_fit(&f, 0.2), 0);
    assert_true(glnn__forecast_expect(&f, 3) == 0.75);
}

static void a_call_makes_at_most_twice_as_many_units_as_one_has_made(void **state)
{
    (void)state;
    glnn__forecast f = {0};
    for (int units = 1; units <= 64; units *= 2) {
        glnn__forecast_add(&f, units, 1e-6 * units);
        assert_int_equal(glnn__forecast_fit(&f, 1), 2 * units);
    }
    glnn__forecast_add(&f, 1, 1e-6);
    assert_int_equal(glnn__forecast_fit(&f, 1), 128);
}

/* 16 of 32 calls take 1, and 16 take 1.5: with 8 units these would take 12 of a budget of 8. */
static void slow_calls_stay_within_a_fifth_more_than_the_budget(void **state)
{
    (void)state;
    double seconds[GLNN__FORECAST_CALLS];
    for (int i = 0; i < GLNN__FORECAST_CALLS; ++i)
        seconds[i] = i % 2 ? 1.5 : 1;
    const glnn__forecast f = forecast_of(seconds, GLNN__FORECAST_CALLS, 10);
    assert_int_equal(glnn__forecast_fit(&f, 8), 6); /* 6 * 1.5 = 9 <= 1.2 * 8 */
}

static void one_odd_call_of_many_does_not_count(void **state)
{
    (void)state;
    glnn__forecast f = steady(10, 1);
    glnn__forecast_add(&f, 10, 1e6);
    assert_int_equal(glnn__forecast_fit(&f, 8), 8);
    glnn__forecast_add(&f, 10, 1e6);
    assert_int_equal(glnn__forecast_fit(&f, 8), 0);
}

static void the_latest_calls_count(void **state)
{
    (void)state;
    glnn__forecast f = steady(10, 1);
    for (int i = 0; i < GLNN__FORECAST_CALLS; ++i)
        glnn__forecast_add(&f, 10, 20);
    assert_int_equal(glnn__forecast_fit(&f, 8), 4);
}

/* A call has a fixed cost of 1 and one of 0.5 for each unit, which the forecast is not told. */
static void calls_with_a_fixed_cost_converge_to_the_budget(void **state)
{
    (void)state;
    glnn__forecast f = {0};
    int units = 1;
    for (int i = 0; i < 200; ++i) {
        glnn__forecast_add(&f, units, 1 + 0.5 * units);
        units = glnn__forecast_fit(&f, 11);
        assert_true(1 + 0.5 * units <= 1.2 * 11);
    }
    assert_in_range(units, 19, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_unit_fits_before_anything_was_measured),
        cmocka_unit_test(as_many_units_as_the_budget_holds_fit),
        cmocka_unit_test(a_call_makes_at_most_twice_as_many_units_as_one_has_made),
        cmocka_unit_test(slow_calls_stay_within_a_fifth_more_than_the_budget),
        cmocka_unit_test(one_odd_call_of_many_does_not_count),
        cmocka_unit_test(the_latest_calls_count),
        cmocka_unit_test(calls_with_a_fixed_cost_converge_to_the_budget),
    };
    return cmocka_run_group_tests_name("forecast", tests, NULL, NULL);
}
