/* Gaussian error linear units of special numbers. test_network_kinds compares layers of them. */
#include "support/network_checks.h"

static glnn_learner *units(int count, glnn_layout layout)
{
    return network_of(&(glnn_network_desc){.features = count,
                                           .layers = {{.kind = GLNN_LAYER_GELU}},
                                           .loss = GLNN_LOSS_SQUARED,
                                           .layout = layout});
}

static void far_and_near_numbers_are_within_the_bound(void **state)
{
    (void)state;
    static const float x[] = {0,  1e-30f, -1e-30f, 0.5f, -0.5f, 1,     -1,     3,     -3,    6,
                              -6, 12,     -12.5f,  100,  -100,  1e10f, -1e10f, 1e30f, -1e30f};
    enum { COUNT = COUNT_OF(x) };
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        float y[COUNT];
        expect_ok(glnn_learner_predict(units(COUNT, layout), 1, x, y, NULL));
        for (int i = 0; i < COUNT; ++i) {
            const double of = (double)x[i], want = of * 0.5 * erfc(-of * sqrt(0.5));
            /* Below -13 and above 13 the result is 0 or x itself. */
            const double bound = fabs(of) > 13 ? 0 : 64 * EPS * (1 + fabs(of));
            if (!(fabs((double)y[i] - want) <= bound))
                fail_msg("the unit of %g is %g instead of %g", of, (double)y[i], want);
        }
        release_learning();
    }
}

static void numbers_that_are_not_finite_stay_visible(void **state)
{
    (void)state;
    glnn_learner *network =
        network_of(&(glnn_network_desc){.features = 1,
                                        .layers = {{.units = 1}, {.kind = GLNN_LAYER_GELU}},
                                        .loss = GLNN_LOSS_SQUARED});
    const float weight = 1e38f, biases = 0, large = 100;
    float y;
    expect_ok(write_weights(network, 0, &weight, &biases));
    expect_error(glnn_learner_predict(network, 1, &large, &y, NULL), GLNN_E_DIVERGED,
                 "output 0 of sample 0 is ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(far_and_near_numbers_are_within_the_bound),
        LEARNING_TEST(numbers_that_are_not_finite_stay_visible),
    };
    return cmocka_run_group_tests_name("layer gelu", tests, test_group_setup, test_group_teardown);
}
