/* The prediction of a step of several processes, against values that are computed by hand; and the
 * file of measurements that predictions are made from. */
#include <math.h>
#include <stdio.h>

#include "common/failure.h"
#include "common/scaling_figures.h"
#include "support/folder.h"
#include "support/support.h"

/* Round numbers: bytes and seconds of a fictitious machine. */
static const cost_speeds speeds = {
    .readback = 400, .upload = 800, .transfer = 0.01, .add = 1000, .link = 100, .latency = 0.5};

/* Two dense layers of 10 x 20 and 20 x 5 without biases, and one of another kind. */
static const cost_layer layers[] = {
    {.parameters = 50, .forward = 1, .gradient = 2},
    {.parameters = 200, .inputs = 10, .units = 20, .forward = 2, .backward = 2, .gradient = 3},
    {.parameters = 100, .inputs = 20, .units = 5, .forward = 1, .backward = 1, .gradient = 1},
};

static cost_plan plan_of(int ranks, glnn_exchange_kind kind)
{
    return (cost_plan){.speeds = speeds,
                       .ranks = ranks,
                       .samples = 4,
                       .kind = kind,
                       .every = 10,
                       .layers = layers,
                       .layer_count = 3};
}

#define assert_near(actual, expected)                                                              \
    assert_true(fabs((actual) - (expected)) <= 1e-12 * fabs(expected))

static void sums_and_gathers_follow_their_formulas(void **state)
{
    (void)state;
    assert_near(cost_sum(&speeds, COST_ALLREDUCE, 2, 200), 2.7);
    assert_near(cost_sum(&speeds, COST_ALLREDUCE, 4, 200), 5.4);
    assert_near(cost_sum(&speeds, COST_ALLREDUCE, 4, 2000), 34.5);
    assert_near(cost_sum(&speeds, COST_TREE, 2, 200), 5.2);
    assert_near(cost_sum(&speeds, COST_TREE, 4, 200), 18.8);
    assert_near(cost_sum(&speeds, COST_TREE, 7, 200), 18.8);
    cost_speeds in_buckets = speeds;
    in_buckets.bucket = 100;
    assert_near(cost_sum(&in_buckets, COST_TREE, 4, 200), 13.1);
    assert_near(cost_gather(&speeds, 4, 200), 3.0);
    assert_near(cost_break_even(10, 20), 400.0 / 30);
}

static void one_process_exchanges_nothing(void **state)
{
    (void)state;
    assert_true(cost_sum(&speeds, COST_ALLREDUCE, 1, 200) == 0);
    assert_true(cost_sum(&speeds, COST_TREE, 1, 200) == 0);
    assert_true(cost_gather(&speeds, 1, 200) == 0);
    for (glnn_exchange_kind kind = GLNN_EXCHANGE_GRADIENTS; kind < GLNN_EXCHANGE_COUNT; ++kind) {
        const cost_plan plan = plan_of(1, kind);
        const cost_step step = cost_predict(&plan);
        assert_true(step.seconds == step.alone && step.speedup == 1 && step.exchange == 0);
    }
}

static void steps_are_those_of_the_timeline(void **state)
{
    (void)state;
    static const double want[] = {[GLNN_EXCHANGE_GRADIENTS] = 25.25,
                                  [GLNN_EXCHANGE_ACTIVATIONS] = 24.3,
                                  [GLNN_EXCHANGE_AVERAGES] = 14.815};
    for (glnn_exchange_kind kind = GLNN_EXCHANGE_GRADIENTS; kind < GLNN_EXCHANGE_COUNT; ++kind) {
        const cost_plan plan = plan_of(2, kind);
        const cost_step step = cost_predict(&plan);
        assert_near(step.alone, 13.0);
        assert_near(step.seconds, want[kind]);
        assert_near(step.speedup, 26 / want[kind]);
    }
    const cost_plan plan = plan_of(2, GLNN_EXCHANGE_GRADIENTS);
    const cost_step step = cost_predict(&plan);
    assert_near(step.exchange, 22.15);
    assert_near(step.hidden, 1 - 12.25 / 22.15);
}

static void layers_gather_activations_if_this_takes_less_time(void **state)
{
    (void)state;
    const cost_plan plan = plan_of(2, GLNN_EXCHANGE_ACTIVATIONS);
    const cost_parts parts = cost_of_layer(&plan, 1, GLNN_EXCHANGE_ACTIVATIONS);
    assert_near(parts.readback, 1.2);
    assert_near(parts.message, 5.8);
    assert_near(parts.upload, 0.6);
    assert_near(parts.passes, 3.0);
    assert_near(cost_total(&parts), 10.6);
    const cost_step step = cost_predict(&plan);
    assert_int_equal(step.kinds[0], GLNN_EXCHANGE_GRADIENTS);
    assert_int_equal(step.kinds[1], GLNN_EXCHANGE_ACTIVATIONS);
    assert_int_equal(step.kinds[2], GLNN_EXCHANGE_GRADIENTS);
}

/* A device that is slow to compute the gradient of the whole batch prefers to sum gradients, even
 * if these are more numbers. A layer of another kind never gathers. */
static void activations_of_few_numbers_are_not_always_faster(void **state)
{
    (void)state;
    cost_layer slow[] = {layers[0], layers[1], layers[2]};
    cost_plan plan = plan_of(2, GLNN_EXCHANGE_ACTIVATIONS);
    plan.layers = slow;
    assert_int_equal(cost_faster(&plan, 0), GLNN_EXCHANGE_GRADIENTS);
    assert_int_equal(cost_faster(&plan, 1), GLNN_EXCHANGE_ACTIVATIONS);
    slow[1].gradient = 5;
    assert_int_equal(cost_faster(&plan, 1), GLNN_EXCHANGE_GRADIENTS);
    plan.samples = 7;
    assert_int_equal(cost_predict(&plan).kinds[1], GLNN_EXCHANGE_GRADIENTS);
}

static void the_speed_of_messages_is_found_from_a_sum(void **state)
{
    (void)state;
    for (int ranks = 2; ranks <= 9; ranks += 7)
        for (int tree = 0; tree < 2; ++tree) {
            const cost_order order = tree ? COST_TREE : COST_ALLREDUCE;
            cost_speeds fast = {.add = 1e6, .link = 1e5, .latency = 1e-3};
            const double seconds = cost_sum(&fast, order, ranks, 4e4);
            fast.link = 0;
            const double link = cost_find_link(&fast, order, ranks, 4e4, seconds);
            assert_true(link >= 1e5 * 0.999 && link <= 1e5 * 1.001);
        }
}

/* Without latencies, with transfers of one speed and a device that computes gradients in no time,
 * the numbers that are sent decide. */
static void activations_pay_up_to_the_break_even(void **state)
{
    (void)state;
    static const cost_layer wide[] = {
        {.parameters = 60 * 40, .inputs = 60, .units = 40, .forward = 1}};
    for (int ranks = 2; ranks <= 16; ranks *= 2) {
        for (int samples = 1; samples <= 48; ++samples) {
            const cost_plan plan = {
                .speeds = {.readback = 300, .upload = 300, .add = INFINITY, .link = 100},
                .ranks = ranks,
                .samples = samples,
                .kind = GLNN_EXCHANGE_ACTIVATIONS,
                .layers = wide,
                .layer_count = 1,
            };
            const cost_parts gathered = cost_of_layer(&plan, 0, GLNN_EXCHANGE_ACTIVATIONS);
            const cost_parts summed = cost_of_layer(&plan, 0, GLNN_EXCHANGE_GRADIENTS);
            if (samples * ranks < 48)
                assert_true(gathered.message < summed.message);
            if (samples * ranks > 48)
                assert_true(gathered.message > summed.message);
            if (samples * ranks == 48)
                assert_near(gathered.message, summed.message);
        }
    }
    assert_near(cost_break_even(60, 40), 48.0);
}

/* The device, and each queue, has at least its own work to do. */
static void expect_bounds(const cost_plan *plan, const cost_step *step)
{
    double queues[3] = {0}, passes = 0;
    for (int i = 0; i < plan->layer_count; ++i) {
        const cost_parts parts = cost_of_layer(plan, i, step->kinds[i]);
        queues[0] += parts.readback;
        queues[1] += parts.message;
        queues[2] += parts.upload;
        if (step->kinds[i] == GLNN_EXCHANGE_ACTIVATIONS)
            passes += parts.passes;
    }
    const bool is_mean = plan->kind == GLNN_EXCHANGE_AVERAGES;
    const double share = is_mean ? plan->every : 1;
    const double most = step->alone + passes + step->exchange * (1 + plan->speeds.delay);
    for (int i = 0; i < 3; ++i)
        assert_true(step->seconds >= (is_mean ? step->alone : 0) + queues[i] / share - 1e-9);
    assert_near(step->exchange, (queues[0] + queues[1] + queues[2]) / share);
    assert_true(step->seconds >= step->alone + passes && step->seconds <= most + 1e-9);
    assert_true(step->hidden >= 0 && step->hidden <= 1);
    assert_true(step->speedup <= plan->ranks);
}

static void steps_are_within_their_bounds(void **state)
{
    (void)state;
    for (glnn_exchange_kind kind = GLNN_EXCHANGE_GRADIENTS; kind < GLNN_EXCHANGE_COUNT; ++kind) {
        for (int ranks = 2; ranks <= 1024; ranks *= 2) {
            for (int tenths = 0; tenths <= 10; tenths += 5) {
                cost_plan plan = plan_of(ranks, kind);
                plan.speeds.delay = 0.1 * tenths;
                plan.order = tenths == 5 ? COST_TREE : COST_ALLREDUCE;
                const cost_step step = cost_predict(&plan);
                expect_bounds(&plan, &step);
            }
        }
    }
}

static void faster_parts_never_make_a_step_slower(void **state)
{
    (void)state;
    for (glnn_exchange_kind kind = GLNN_EXCHANGE_GRADIENTS; kind < GLNN_EXCHANGE_COUNT; ++kind) {
        for (int ranks = 2; ranks <= 1024; ranks *= 4) {
            const cost_plan plan = plan_of(ranks, kind);
            const double seconds = cost_predict(&plan).seconds;
            for (int i = 0; i < 6; ++i) {
                cost_plan faster = plan;
                double *fields[] = {&faster.speeds.readback, &faster.speeds.upload,
                                    &faster.speeds.add, &faster.speeds.link};
                if (i < 4)
                    *fields[i] *= 2;
                else if (i == 4)
                    faster.speeds.latency /= 2;
                else
                    faster.speeds.transfer /= 2;
                assert_true(cost_predict(&faster).seconds <= seconds);
            }
        }
    }
}

/* ---- Networks and measurements */

static void layers_share_the_time_of_a_step(void **state)
{
    (void)state;
    static const double parameters[] = {11972510, 636010, 61706};
    for (int net = 0; net < SCALING_NETS; ++net) {
        cost_layer shares[SCALING_LAYERS];
        const int count = scaling_net_layers(&scaling_nets[net], 2, shares);
        double seconds = 0, sum = 0;
        for (int i = 0; i < count; ++i) {
            seconds += shares[i].forward + shares[i].backward + shares[i].gradient;
            sum += shares[i].parameters;
        }
        assert_near(seconds, 2.0);
        assert_near(sum, parameters[net]);
        assert_true(shares[0].backward == 0);
    }
}

static scaling_figures example_figures(void)
{
    scaling_figures figures = {.speeds = speeds};
    figures.speeds.delay = 0.25;
    figures.speeds.bucket = 1048576;
    for (int i = 0; i < SCALING_NETS * SCALING_BATCHES; ++i)
        figures.steps[i / SCALING_BATCHES][i % SCALING_BATCHES] = 0.5 * i;
    return figures;
}

static void figures_are_read_as_they_were_written(void **state)
{
    (void)state;
    const scaling_figures written = example_figures();
    scaling_figures read = {0};
    assert_true(scaling_figures_write(&written, "figures.csv"));
    assert_true(scaling_figures_read(&read, "figures.csv"));
    assert_memory_equal(&read, &written, sizeof read);
}

static void expect_refused(const char *text, const char *line)
{
    scaling_figures figures = {0};
    FILE *file = fopen("damaged.csv", "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    assert_false(scaling_figures_read(&figures, "damaged.csv"));
    assert_non_null(strstr(failure(), line));
}

static void damaged_figures_are_refused_with_the_line(void **state)
{
    (void)state;
    scaling_figures figures = {0};
    assert_false(scaling_figures_read(&figures, "absent.csv"));
    expect_refused("", "damaged.csv");
    expect_refused("figure;value\n", "figure;value");
    expect_refused("figure,value\nlatency s\n", "latency s");
    expect_refused("figure,value\nlatency s,soon\n", "latency s,soon");
    expect_refused("figure,value\nlatency s,-1\n", "latency s,-1");
    expect_refused("figure,value\nlatency s,nan\n", "latency s,nan");
    expect_refused("figure,value\nlatency,1\n", "latency,1");
    expect_refused("figure,value\nlatency s,1\nlink", "link");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_gathers_follow_their_formulas),
        cmocka_unit_test(one_process_exchanges_nothing),
        cmocka_unit_test(steps_are_those_of_the_timeline),
        cmocka_unit_test(layers_gather_activations_if_this_takes_less_time),
        cmocka_unit_test(activations_of_few_numbers_are_not_always_faster),
        cmocka_unit_test(the_speed_of_messages_is_found_from_a_sum),
        cmocka_unit_test(activations_pay_up_to_the_break_even),
        cmocka_unit_test(steps_are_within_their_bounds),
        cmocka_unit_test(faster_parts_never_make_a_step_slower),
        cmocka_unit_test(layers_share_the_time_of_a_step),
        IN_FOLDER(figures_are_read_as_they_were_written),
        IN_FOLDER(damaged_figures_are_refused_with_the_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
