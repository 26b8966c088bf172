/* The plans that a context remembers: each product of a program is planned once. */
#include "ops/gemm/plan.h"
#include "support/support.h"

/* Products of the same matrices, which differ in the length of their slices. */
typedef struct factors {
    glnn_context *ctx;
    glnn_matrix *m, *c;
} factors;

static factors factors_new(void)
{
    factors f = {.ctx = glnn_test_context()};
    f.m = matrix_zero(8, 8, GLNN_LAYOUT_TILED);
    f.c = matrix_zero(8, 8, GLNN_LAYOUT_TILED);
    return f;
}

static glnn__product product_of(const factors *f, int slice)
{
    return (glnn__product){.a = f->m, .b = f->m, .c = f->c, .alpha.f = 1, .slice = slice};
}

static uint32_t hash_of(const factors *f, int slice)
{
    glnn__product product = product_of(f, slice);
    glnn__product_complete(f->ctx, &product);
    return glnn__product_hash(&product);
}

static uint64_t count_chosen(const factors *f)
{
    glnn__plans *plans;
    expect_ok(glnn__plans_get(f->ctx, &plans));
    return plans->chosen;
}

static void plan(const factors *f, int slice)
{
    glnn__plan found;
    glnn__product product = product_of(f, slice);
    expect_ok(glnn__plan_choose(f->ctx, &product, &found));
    assert_int_equal(found.slice, 8);
}

/* The next slice whose hash ends with the same bits as that of `with`. */
static int collide(const factors *f, int with, uint32_t bits)
{
    const uint32_t hash = hash_of(f, with);
    int slice = with + 1;
    while (((hash_of(f, slice) ^ hash) & bits) != 0)
        ++slice;
    return slice;
}

static void products_whose_keys_collide_are_planned_once(void **state)
{
    (void)state;
    const factors f = factors_new();
    int slices[4] = {8};
    for (int i = 1; i < 4; ++i)
        slices[i] = collide(&f, slices[i - 1], 2 * GLNN__MOST_PLANS - 1);
    for (int step = 0; step < 5; ++step) {
        for (int i = 0; i < 4; ++i)
            expect_ok(glnn_gemm(f.ctx, &(glnn_gemm_desc){.slice = slices[i]}, 1, f.m, f.m, 0, f.c));
        assert_int_equal(count_chosen(&f), 4);
    }
}

static void many_products_are_planned_once(void **state)
{
    (void)state;
    const factors f = factors_new();
    const uint64_t before = count_chosen(&f);
    for (int step = 0; step < 3; ++step) {
        for (int slice = 1000; slice < 2000; ++slice)
            plan(&f, slice);
        assert_int_equal(count_chosen(&f) - before, 1000);
    }
}

static void more_products_than_the_limit_are_planned_anew(void **state)
{
    (void)state;
    const factors f = factors_new();
    glnn__plans *plans;
    expect_ok(glnn__plans_get(f.ctx, &plans));
    for (int slice = 8; slice < 8 + 2 * GLNN__MOST_PLANS; ++slice) {
        plan(&f, slice);
        assert_true(plans->count <= GLNN__MOST_PLANS);
        assert_true(2 * plans->count <= plans->room);
    }
    const uint64_t before = count_chosen(&f);
    plan(&f, 7 + 2 * GLNN__MOST_PLANS);
    assert_int_equal(count_chosen(&f), before);
    plan(&f, 8);
    assert_int_equal(count_chosen(&f), before + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(products_whose_keys_collide_are_planned_once),
        TEST(many_products_are_planned_once),
        TEST(more_products_than_the_limit_are_planned_anew),
    };
    return cmocka_run_group_tests_name("plans of products", tests, test_group_setup,
                                       test_group_teardown);
}
