/* The sink of gradients: a gradient that is a matrix makes the step of one that is a product. */
#include "support/optimizer_reference.h"
#include "support/reference.h"

#include "learn/sink.h"

enum { ROWS = 7, COLUMNS = 5, BATCH = 12, PARTS = 3 };

static const glnn_optimizer optimizers[] = {
    {.weight_decay = 0.25f},
    {.momentum = 0.5f, .clip_norm = 0.125f},
    {.kind = GLNN_OPTIMIZER_NESTEROV, .momentum = 0.5f},
    {.kind = GLNN_OPTIMIZER_ADAM, .beta1 = 0.9f, .beta2 = 0.999f, .epsilon = 1e-8f},
    {.clip_norm = 100},
    {.kind = GLNN_OPTIMIZER_RMSPROP, .beta2 = 0.99f, .epsilon = 1e-8f},
    {.kind = GLNN_OPTIMIZER_RMSPROP, .momentum = 0.5f, .beta2 = 0.9f, .epsilon = 1e-8f},
    {.kind = GLNN_OPTIMIZER_RPROP,
     .step_first = 0.01f,
     .step_min = 0.125f,
     .step_max = 0.5f,
     .step_increase = 1.5f,
     .step_decrease = 0.5f},
};

/* Parameters with states, all drawn from the same seed. */
static glnn__parameters draw_parameters(const glnn_optimizer *optimizer, glnn_layout layout)
{
    random_seed(41);
    glnn__parameters drawn = {.values = matrix_of(array_random(ROWS, COLUMNS, -1.0, 1.0), layout)};
    for (int s = 0; s < glnn__optimizer_states(optimizer); ++s)
        drawn.states[s] = matrix_of(array_random(ROWS, COLUMNS, 0.0, 1.0), layout);
    return drawn;
}

/* The factors of the parts' gradients A' B. */
typedef struct factors {
    array a, b;
} factors;

static void take(const glnn__sink *sink, const factors *part, bool as_matrix, glnn__parameters *to)
{
    glnn_context *ctx = glnn_test_context();
    const glnn_layout layout = to->values->layout;
    const glnn__product product = {
        .a = matrix_of(part->a, layout), .b = matrix_of(part->b, layout), .transpose_a = true};
    if (!as_matrix) {
        expect_ok(glnn__sink_take(ctx, sink, &product, to));
        return;
    }
    glnn_matrix *gradient = matrix_zero(ROWS, COLUMNS, layout);
    expect_ok(glnn_gemm(ctx, &(glnn_gemm_desc){.transpose_a = true}, 1, product.a, product.b, 0,
                        gradient));
    expect_ok(glnn__sink_take_matrix(ctx, sink, gradient, to));
}

/* One step from parameters that are always the same; with the sums of the parts left in place. */
static glnn__parameters step(const glnn_optimizer *optimizer, glnn_layout layout, int parts,
                             bool as_matrix)
{
    glnn__parameters p = draw_parameters(optimizer, layout);
    const glnn__squares squares = {matrix_zero(1, 1, GLNN_LAYOUT_PACKED),
                                   matrix_zero(1, 1, GLNN_LAYOUT_PACKED)};
    const glnn__optimizer_step of = {
        .weight = 1.0f / (BATCH * (float)parts), .rate = 0.25f, .step = 3};
    glnn__optimizer_slots slots;
    glnn__sink sink = {.optimizer = optimizer, .slots = &slots};
    glnn__optimizer_fill(optimizer, &of, &slots);
    glnn__parameters_fill(optimizer, &of, &p);
    for (int i = 0; i < parts; ++i) {
        const factors part = {array_random(BATCH, ROWS, -1.0, 1.0),
                              array_random(BATCH, COLUMNS, -1.0, 1.0)};
        sink.is_first = i == 0;
        sink.is_last = i == parts - 1;
        take(&sink, &part, as_matrix, &p);
    }
    if (!glnn__sink_fuses(&sink)) {
        expect_ok(glnn__sink_add_squares(glnn_test_context(), &sink, &p, true, &squares));
        expect_ok(glnn__sink_apply(glnn_test_context(), &sink, squares.sum, &p));
    }
    return p;
}

/* Sums of 12 products below 1 and steps of rate 1/4: roundings stay far below 1e-5. Adam divides by
 * the root of a second moment of up to 1, which the drawn one keeps from 0. */
static void expect_alike(const glnn_matrix *left, const glnn_matrix *right, const char *what)
{
    const array a = values_of(left), b = values_of(right);
    for (size_t i = 0; i < length_of(a); ++i)
        if (!(fabs(a.data[i] - b.data[i]) <= 1e-5))
            fail_at(__FILE__, __LINE__, "%s %zu: %.9g by a product, %.9g by a matrix", what, i,
                    a.data[i], b.data[i]);
}

static void a_gradient_as_a_matrix_makes_the_step_of_a_product(void **state)
{
    (void)state;
    for (size_t o = 0; o < COUNT_OF(optimizers); ++o)
        for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
            for (int parts = 1; parts <= PARTS; ++parts) {
                const glnn_optimizer *optimizer = &optimizers[o];
                glnn__parameters product = step(optimizer, layout, parts, false);
                glnn__parameters matrix = step(optimizer, layout, parts, true);
                expect_alike(product.values, matrix.values, "parameter");
                for (int s = 0; s < glnn__optimizer_states(optimizer); ++s)
                    expect_alike(product.states[s], matrix.states[s], "state");
                glnn_matrix_destroy(product.sum);
                glnn_matrix_destroy(matrix.sum);
                release_all();
            }
}

/* The gradient A' B / BATCH of one part moves the parameters as the optimizer's formulas say. */
static void a_gradient_as_a_matrix_moves_by_the_formula(void **state)
{
    (void)state;
    const glnn_optimizer *optimizer = &optimizers[0];
    const glnn__parameters before = draw_parameters(optimizer, GLNN_LAYOUT_PACKED);
    const array a = array_random(BATCH, ROWS, -1.0, 1.0),
                b = array_random(BATCH, COLUMNS, -1.0, 1.0);
    const array start = values_of(before.values);
    const glnn__parameters after = step(optimizer, GLNN_LAYOUT_PACKED, 1, true);
    const array got = values_of(after.values);
    for (int i = 0; i < ROWS; ++i)
        for (int j = 0; j < COLUMNS; ++j) {
            product_sum sum = {0};
            for (int k = 0; k < BATCH; ++k)
                add_product(&sum, (bounded){*at(a, k, i), 0}, (bounded){*at(b, k, j), 0});
            bounded gradient = finish_sum(&sum, BATCH + 2);
            gradient.value /= BATCH;
            gradient.bound /= BATCH;
            parameter p = {.value = {*at(start, i, j), 0}};
            optimizer_reference_step(optimizer, 0.25, 3, gradient, &p);
            assert_true(fabs(*at(got, i, j) - p.value.value) <= p.value.bound);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_gradient_as_a_matrix_makes_the_step_of_a_product),
        TEST(a_gradient_as_a_matrix_moves_by_the_formula),
    };
    return cmocka_run_group_tests_name("network sink", tests, test_group_setup,
                                       test_group_teardown);
}
