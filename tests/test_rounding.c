/* Gradients in 16 bits: the pass that computes a gradient rounds it, and what rounding leaves out
 * comes with the next one. Integers times powers of two make all products and their sums exact, so
 * that the expected bits follow from one addition in float32 and one rounding. */
#include "support/optimizer_reference.h"
#include "support/reference.h"

#include "base/half.h"
#include "optimize/rounding.h"
#include "optimize/sink.h"

enum { BATCH = 4, STEPS = 5 };

/* Ways in which a gradient reaches the sink. */
typedef enum way { PRODUCT, PARTS, MATRIX, MATRICES, NOTHING, WAYS } way;

static const char *const way_names[] = {"product", "products", "matrix", "matrices", "nothing"};

typedef struct factors {
    array a, b;
} factors;

/* The columns of the product have magnitudes from 2^-32 to 2^12. */
static factors draw(int rows, int columns)
{
    factors drawn = {array_random(BATCH, rows, -9, 9), array_random(BATCH, columns, -99, 99)};
    for (size_t i = 0; i < length_of(drawn.a); ++i)
        drawn.a.data[i] = floor(drawn.a.data[i]);
    for (int k = 0; k < BATCH; ++k)
        for (int j = 0; j < columns; ++j)
            *at(drawn.b, k, j) = ldexp(floor(*at(drawn.b, k, j)), 5 * (j % 8) - 35);
    return drawn;
}

/* A' B / BATCH */
static array gradient_of(const factors *of)
{
    array gradient = array_new(of->a.columns, of->b.columns);
    for (int i = 0; i < gradient.rows; ++i)
        for (int j = 0; j < gradient.columns; ++j)
            for (int k = 0; k < BATCH; ++k)
                *at(gradient, i, j) += *at(of->a, k, i) * *at(of->b, k, j) / BATCH;
    return gradient;
}

static void take_part(const glnn__sink *sink, const factors *part, bool as_matrix,
                      glnn__parameters *p)
{
    glnn_context *ctx = glnn_test_context();
    const glnn_layout layout = p->values->layout;
    const glnn__product product = {
        .a = matrix_of(part->a, layout), .b = matrix_of(part->b, layout), .transpose_a = true};
    if (!as_matrix) {
        expect_ok(glnn__sink_take(ctx, sink, &product, p));
        return;
    }
    array gradient = gradient_of(part);
    for (size_t i = 0; i < length_of(gradient); ++i)
        gradient.data[i] *= BATCH;
    expect_ok(glnn__sink_take_matrix(ctx, sink, matrix_of(gradient, layout), p));
}

/* Hands a gradient to the sink, and returns it. */
static array take(const glnn__sink *of, way how, glnn__parameters *p)
{
    const int parts = how == PARTS || how == MATRICES ? 3 : 1;
    array all = array_new(p->values->rows, p->values->columns);
    glnn__sink sink = *of;
    for (int i = 0; i < parts; ++i) {
        const factors part = draw(all.rows, all.columns);
        const array gradient = gradient_of(&part);
        sink.is_first = i == 0;
        sink.is_last = i == parts - 1;
        if (how == NOTHING) {
            expect_ok(glnn__sink_take_nothing(glnn_test_context(), &sink, p));
            return all;
        }
        take_part(&sink, &part, how == MATRIX || how == MATRICES, p);
        for (size_t e = 0; e < length_of(all); ++e)
            all.data[e] = (double)((float)all.data[e] + (float)gradient.data[e]);
    }
    return all;
}

static void give_back(glnn__parameters *p)
{
    glnn_matrix_destroy(p->sum);
    glnn_matrix_destroy(p->halves);
    glnn_matrix_destroy(p->residual);
}

/* The number that a process has to send for a gradient, and the new residual. */
static double round_one(double gradient, int exponent, double limit, double *residual)
{
    const float sum = (float)gradient + (float)*residual;
    const float kept = (float)copysign(fmin(fabs((double)sum), limit), (double)sum);
    const double sent = half_of((double)ldexpf(kept, exponent));
    *residual = (double)(sum - (float)ldexp(sent, -exponent));
    return sent;
}

/* Steps with changing exponents, so that small numbers vanish and large ones are limited. */
static void expect_rounded(glnn_layout layout, int rows, int columns, way how, int ranks)
{
    static const int exponents[STEPS] = {10, 4, 17, -3, 10};
    const double power = ranks > 2 ? 13 : 14;
    glnn_optimizer optimizer = {0};
    const glnn__sink sink = {.optimizer = &optimizer,
                             .weight = 1.0f / BATCH,
                             .rate = 1,
                             .step = 1,
                             .ranks = ranks,
                             .storage = GLNN_STORAGE_FLOAT16};
    glnn__parameters p = {.values = matrix_zero(rows, columns, layout)};
    array want = array_new(rows, columns), residual = array_new(rows, columns);
    for (int s = 0; s < STEPS; ++s) {
        p.next_exponent = exponents[s];
        /* A process without samples sends what the steps before have left. */
        const array gradient = take(&sink, how == NOTHING && s < 2 ? MATRIX : how, &p);
        for (size_t i = 0; i < length_of(want); ++i)
            want.data[i] = round_one(gradient.data[i], exponents[s],
                                     ldexp(1, (int)power - exponents[s]), &residual.data[i]);
        expect_equal(p.halves, want, "step %d, %s, %d x %d in layout %s", s, way_names[how], rows,
                     columns, glnn_layout_name(layout));
        expect_equal(p.residual, residual, "residual of step %d, %s, %d x %d in layout %s", s,
                     way_names[how], rows, columns, glnn_layout_name(layout));
        assert_true(glnn__rounding_unit(&p) == ldexpf(1, -exponents[s]));
    }
    give_back(&p);
}

static void a_gradient_is_rounded_with_what_was_left_out_before(void **state)
{
    (void)state;
    static const struct {
        int rows, columns;
    } sizes[] = {{1, 1}, {7, 5}, {4, 8}, {5, 9}, {37, 18}, {1, 67}, {70, 1}};
    random_seed(51);
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
        for (size_t i = 0; i < COUNT_OF(sizes); ++i)
            for (int how = 0; how < WAYS; ++how) {
                expect_rounded(layout, sizes[i].rows, sizes[i].columns, (way)how,
                               2 + (how + (int)i) % 3);
                release_all();
            }
}

/* The bound that the public header states. */
static void the_sum_of_all_steps_differs_by_the_last_residual(void **state)
{
    (void)state;
    random_seed(52);
    glnn_optimizer optimizer = {0};
    const glnn__sink sink = {.optimizer = &optimizer,
                             .weight = 1.0f / BATCH,
                             .ranks = 2,
                             .storage = GLNN_STORAGE_FLOAT16};
    glnn__parameters p = {.values = matrix_zero(13, 11, GLNN_LAYOUT_TILED), .next_exponent = 10};
    array sent = array_new(13, 11), whole = array_new(13, 11), size = array_new(13, 11);
    for (int s = 0; s < 20; ++s) {
        const array gradient = take(&sink, PRODUCT, &p), halves = values_of(p.halves);
        const array residual = values_of(p.residual);
        double most = 0;
        for (size_t i = 0; i < length_of(whole); ++i) {
            sent.data[i] += ldexp(halves.data[i], -p.exponent);
            whole.data[i] += gradient.data[i];
            size.data[i] += EPS * (fabs(gradient.data[i]) + fabs(residual.data[i]));
            most = fmax(most, fabs(halves.data[i]));
            assert_true(fabs(whole.data[i] - sent.data[i] - residual.data[i]) <= size.data[i]);
            if (fabs(halves.data[i]) < 0x1p14)
                assert_true(fabs(residual.data[i]) <=
                            ldexp(fmax(fabs(halves.data[i]) * 0x1p-10, 0x1p-25), -p.exponent));
        }
        glnn__rounding_follow(&p, glnn__half_from_float((float)most));
    }
    give_back(&p);
}

/* One large number is sent in parts, while the exponent falls. */
static void a_number_beyond_the_limit_arrives_in_later_steps(void **state)
{
    (void)state;
    const double large = 3e7;
    glnn_optimizer optimizer = {0};
    glnn__sink sink = {.optimizer = &optimizer,
                       .is_first = true,
                       .is_last = true,
                       .weight = 1,
                       .ranks = 2,
                       .storage = GLNN_STORAGE_FLOAT16};
    glnn__parameters p = {.values = matrix_zero(3, 3, GLNN_LAYOUT_PACKED), .next_exponent = 10};
    array gradient = array_new(3, 3);
    *at(gradient, 1, 2) = large;
    double sent = 0;
    int steps = 0;
    for (; steps < 12 && fabs(sent - large) > 0.5; ++steps) {
        if (steps == 0)
            expect_ok(glnn__sink_take_matrix(glnn_test_context(), &sink,
                                             matrix_of(gradient, GLNN_LAYOUT_PACKED), &p));
        else
            expect_ok(glnn__sink_take_nothing(glnn_test_context(), &sink, &p));
        const double half = *at(values_of(p.halves), 1, 2);
        assert_true(fabs(half) <= 0x1p14);
        sent += ldexp(half, -p.exponent);
        glnn__rounding_follow(&p, glnn__half_from_float((float)half));
    }
    assert_in_range(steps, 7, 10);
    give_back(&p);
}

static void what_is_not_finite_remains_so(void **state)
{
    (void)state;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        glnn_optimizer optimizer = {0};
        const glnn__sink sink = {.optimizer = &optimizer,
                                 .is_first = true,
                                 .is_last = true,
                                 .weight = 1,
                                 .ranks = 2,
                                 .storage = GLNN_STORAGE_FLOAT16};
        glnn__parameters p = {.values = matrix_zero(5, 9, layout)};
        array gradient = array_new(5, 9);
        *at(gradient, 0, 0) = (double)NAN;
        *at(gradient, 1, 3) = (double)INFINITY;
        *at(gradient, 4, 8) = -(double)INFINITY;
        *at(gradient, 2, 1) = 3;
        expect_ok(
            glnn__sink_take_matrix(glnn_test_context(), &sink, matrix_of(gradient, layout), &p));
        const array got = values_of(p.halves);
        assert_true(isnan(*at(got, 0, 0)));
        assert_true(*at(got, 1, 3) == (double)INFINITY && *at(got, 4, 8) == -(double)INFINITY);
        assert_true(*at(got, 2, 1) == 3 && *at(got, 0, 1) == 0);
        give_back(&p);
        release_all();
    }
}

static int follow(int exponent, double most)
{
    glnn__parameters p = {.exponent = exponent, .next_exponent = exponent};
    glnn__rounding_follow(&p, glnn__half_from_float((float)most));
    return p.next_exponent;
}

static void the_exponent_keeps_sums_in_the_range_of_16_bits(void **state)
{
    (void)state;
    assert_int_equal(follow(10, 0), 10);
    assert_int_equal(follow(10, 0x1p-24), 11);
    assert_int_equal(follow(10, 255.5), 11);
    assert_int_equal(follow(10, 256), 10);
    assert_int_equal(follow(10, 4094), 10);
    assert_int_equal(follow(10, 4096), 8);
    assert_int_equal(follow(10, 0x1p15), 5);
    assert_int_equal(follow(10, (double)INFINITY), 10);
    assert_int_equal(follow(10, (double)NAN), 10);
    assert_int_equal(follow(GLNN__ROUNDING_MOST, 1), GLNN__ROUNDING_MOST);
    assert_int_equal(follow(GLNN__ROUNDING_LEAST, 5000), GLNN__ROUNDING_LEAST);
}

/* The update by a gradient in 16 bits is that by the same numbers in 32 bits. */
static void the_update_reads_16_bits_with_their_exponent(void **state)
{
    (void)state;
    static const glnn_optimizer optimizers[] = {
        {.weight_decay = 0.25f},
        {.momentum = 0.5f, .clip_norm = 0.125f},
        {.kind = GLNN_OPTIMIZER_ADAM, .beta1 = 0.9f, .beta2 = 0.999f, .epsilon = 1e-8f},
    };
    random_seed(53);
    for (size_t o = 0; o < COUNT_OF(optimizers); ++o) {
        glnn_context *ctx = glnn_test_context();
        const array values = array_random(7, 9, -1, 1);
        array gradient = array_random(7, 9, -1, 1), results[2];
        for (size_t i = 0; i < length_of(gradient); ++i)
            gradient.data[i] = floor(gradient.data[i] * 1024) / 1024;
        for (int rounds = 0; rounds < 2; ++rounds) {
            const glnn__squares squares = {matrix_zero(1, 1, GLNN_LAYOUT_PACKED),
                                           matrix_zero(1, 1, GLNN_LAYOUT_PACKED)};
            const glnn__sink sink = {.optimizer = &optimizers[o],
                                     .is_first = true,
                                     .is_last = true,
                                     .weight = 1,
                                     .rate = 0.25f,
                                     .step = 3,
                                     .ranks = 2,
                                     .storage =
                                         rounds ? GLNN_STORAGE_FLOAT16 : GLNN_STORAGE_FLOAT32};
            glnn__parameters p = {.values = matrix_of(values, GLNN_LAYOUT_TILED),
                                  .next_exponent = 3};
            for (int s = 0; s < glnn__optimizer_states(&optimizers[o]); ++s)
                p.states[s] = matrix_zero(7, 9, GLNN_LAYOUT_TILED);
            expect_ok(
                glnn__sink_take_matrix(ctx, &sink, matrix_of(gradient, GLNN_LAYOUT_TILED), &p));
            expect_ok(glnn__sink_add_squares(ctx, &p, true, &squares));
            expect_ok(glnn__sink_add_squares(ctx, &p, false, &squares));
            expect_ok(glnn__sink_apply(ctx, &sink, squares.sum, &p));
            assert_ptr_equal(glnn__sink_gradient(&p), rounds ? p.halves : p.sum);
            results[rounds] = values_of(p.values);
            give_back(&p);
        }
        expect_same_bits(results[1], results[0], "%s",
                         glnn_optimizer_kind_name(optimizers[o].kind));
        release_all();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_gradient_is_rounded_with_what_was_left_out_before),
        TEST(the_sum_of_all_steps_differs_by_the_last_residual),
        TEST(a_number_beyond_the_limit_arrives_in_later_steps),
        TEST(what_is_not_finite_remains_so),
        TEST(the_exponent_keeps_sums_in_the_range_of_16_bits),
        TEST(the_update_reads_16_bits_with_their_exponent),
    };
    return cmocka_run_group_tests_name("rounding", tests, test_group_setup, test_group_teardown);
}
