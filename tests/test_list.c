/* Lists of passes: recorded once, replayed with other numbers in their slots. */
#include "support/reference.h"

#include "base/status.h"
#include "gl/gl.h"
#include "ops/gemm/product.h"
#include "pass/list.h"

#include <glnn/copy.h>
#include <glnn/map.h>
#include <glnn/reduce.h>

enum { SIDE = 5 };

/* The matrices and numbers of the lists. */
typedef struct numbers {
    glnn_matrix *x, *y, *z;
    glnn__value alpha;
    int calls;
} numbers;

static numbers numbers_new(void)
{
    return (numbers){
        .x = matrix_of(array_random(SIDE, SIDE, -1, 1), GLNN_LAYOUT_TILED),
        .y = matrix_of(array_random(SIDE, SIDE, -1, 1), GLNN_LAYOUT_PACKED),
        .z = matrix_zero(SIDE, SIDE, GLNN_LAYOUT_TILED),
    };
}

static uint64_t passes_drawn(void)
{
    return counters_of(glnn_test_context()).passes;
}

static glnn__list *record(glnn__describe_fn *describe, numbers *of)
{
    glnn__list *list;
    expect_ok(glnn__list_record(glnn_test_context(), describe, of, NULL, &list));
    return list;
}

static void replay(glnn__list *list)
{
    assert_true(glnn__list_is_current(list));
    expect_ok(glnn__list_replay(list));
}

/* z = alpha x y, with alpha in a slot. */
static glnn_status multiply(void *self, const void *nothing)
{
    const numbers *of = self;
    const glnn__product product = {.a = of->x, .b = of->y, .c = of->z, .alpha.slot = &of->alpha};
    (void)nothing;
    return glnn__product_run(glnn_test_context(), &product);
}

static void recording_draws_nothing_and_replaying_reads_slots(void **state)
{
    (void)state;
    numbers of = numbers_new();
    const array x = values_of(of.x), y = values_of(of.y);
    const uint64_t before = passes_drawn();
    glnn__list *list = record(multiply, &of);
    assert_int_equal(passes_drawn(), before);
    for (int i = 0; i < 3; ++i) {
        of.alpha.f = (float)i - 0.5f;
        replay(list);
        expect_close(
            of.z,
            reference_gemm(&(glnn_gemm_desc){0}, of.alpha.f, 0, &(gemm_operands){.a = x, .b = y}),
            "product by %g", (double)of.alpha.f);
    }
    assert_true(passes_drawn() > before);
    glnn__list_destroy(list);
}

/* x becomes x x y: the second pass reads its output, so the matrix changes its texture. */
static glnn_status square_in_place(void *self, const void *nothing)
{
    const numbers *of = self;
    glnn_context *ctx = glnn_test_context();
    (void)nothing;
    GLNN__TRY(glnn_binary_apply(ctx, GLNN_BINARY_MULTIPLY, of->x, of->x, of->x));
    return glnn_binary_apply(ctx, GLNN_BINARY_MULTIPLY, of->x, of->y, of->x);
}

static void a_replay_has_the_bits_of_the_passes_run_at_once(void **state)
{
    (void)state;
    numbers of = numbers_new();
    numbers same = {.x = matrix_of(values_of(of.x), GLNN_LAYOUT_TILED), .y = of.y};
    glnn__list *list = record(square_in_place, &of);
    for (int i = 0; i < 3; ++i) {
        replay(list);
        expect_ok(square_in_place(&same, NULL));
        const array a = values_of(of.x), b = values_of(same.x);
        assert_memory_equal(a.data, b.data, length_of(a) * sizeof *a.data);
    }
    glnn__list_destroy(list);
}

/* A reduction of many rows has intermediate results. */
static glnn_status sum(void *self, const void *nothing)
{
    const numbers *of = self;
    (void)nothing;
    return glnn_reduce(glnn_test_context(), GLNN_REDUCTION_SUM, GLNN_AXIS_ALL, of->x, of->z);
}

static void intermediate_results_have_textures_only_while_they_are_needed(void **state)
{
    (void)state;
    enum { ROWS = 300 };
    glnn_context *ctx = glnn_test_context();
    const array x = array_random(ROWS, ROWS, -1, 1);
    numbers of = {.x = matrix_of(x, GLNN_LAYOUT_PACKED),
                  .z = matrix_zero(1, 1, GLNN_LAYOUT_PACKED)};
    glnn__list *list = record(sum, &of);
    replay(list);
    const uint64_t textures = counters_of(ctx).textures_created;
    for (int i = 0; i < 3; ++i)
        replay(list);
    assert_int_equal(counters_of(ctx).textures_created, textures);
    expect_ok(sum(&of, NULL)); /* takes the textures that the list has given back */
    assert_int_equal(counters_of(ctx).textures_created, textures);
    double wanted = 0;
    for (size_t i = 0; i < length_of(x); ++i)
        wanted += x.data[i];
    assert_true(fabs(values_of(of.z).data[0] - wanted) < 1e-2);
    glnn__list_destroy(list);
}

static glnn_matrix *new_zeros(void)
{
    glnn_matrix *made = NULL;
    expect_ok(glnn__matrix_create_zero(glnn_test_context(), GLNN_LAYOUT_TILED, SIDE, SIDE, "zeros",
                                       &made));
    return made;
}

static void a_list_about_a_matrix_that_is_gone_is_not_current(void **state)
{
    (void)state;
    for (int which = 0; which < 3; ++which) {
        numbers of = numbers_new();
        glnn_matrix *other = new_zeros(), *used = new_zeros();
        glnn_matrix **const places[] = {&of.x, &of.y, &of.z};
        *places[which] = used;
        glnn__list *list = record(multiply, &of);
        glnn_matrix_destroy(other);
        assert_true(glnn__list_is_current(list));
        glnn_matrix_destroy(used);
        assert_false(glnn__list_is_current(list));
        glnn__list_destroy(list);
    }
}

static glnn_status count(void *self, const void *by)
{
    ((numbers *)self)->calls += *(const int *)by;
    return GLNN_OK;
}

static glnn_status call_twice(void *self, const void *nothing)
{
    int by = 1;
    (void)nothing;
    GLNN__TRY(glnn__list_call(glnn_test_context(), count, self, &by, sizeof by));
    by = 10;
    return glnn__list_call(glnn_test_context(), count, self, &by, sizeof by);
}

static void calls_are_recorded_with_their_arguments(void **state)
{
    (void)state;
    numbers of = {0};
    glnn__list *list = record(call_twice, &of);
    assert_int_equal(of.calls, 0);
    replay(list);
    replay(list);
    assert_int_equal(of.calls, 22);
    expect_ok(call_twice(&of, NULL)); /* not recorded */
    assert_int_equal(of.calls, 33);
    glnn__list_destroy(list);
}

static glnn_status copy_and_multiply(void *self, const void *nothing)
{
    const numbers *of = self;
    (void)nothing;
    GLNN__TRY(glnn_copy(of->x->ctx, of->x, of->y));
    return glnn_binary_apply(of->x->ctx, GLNN_BINARY_MULTIPLY, of->y, of->y, of->y);
}

/* Three pieces for each of two programs: to hand it to the driver, to wait, to use it. Where the
 * driver compiles in parallel, a call may find that nothing can be done yet. */
static void programs_are_compiled_piece_by_piece_and_nothing_is_drawn(void **state)
{
    (void)state;
    static const float ones[] = {1, 1, 1, 1}, twos[] = {2, 2, 2, 2};
    float got[4];
    glnn_context *ctx;
    glnn__list *list;
    numbers of;
    expect_ok(glnn_context_create(&(glnn_context_desc){.debug = true, .cache_dir = ""}, &ctx));
    expect_ok(
        glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = 2, .columns = 2, .data = ones}, &of.x));
    expect_ok(
        glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = 2, .columns = 2, .data = twos}, &of.y));
    expect_ok(glnn__list_record(ctx, copy_and_multiply, &of, NULL, &list));
    assert_int_equal(counters_of(ctx).programs_compiled, 0);
    expect_ok(glnn__gl_enter(ctx));
    glnn__list_work work = {.left = 2};
    int pieces = 0;
    while (work.left > 0) {
        work = (glnn__list_work){.until = 0};
        expect_ok(glnn__list_compile(list, &work));
        assert_true(work.pieces <= 1);
        pieces += work.pieces;
    }
    expect_ok(glnn__gl_leave(ctx, GLNN_OK));
    assert_int_equal(pieces, 6);
    assert_int_equal(work.complete, 2);
    assert_int_equal(counters_of(ctx).programs_compiled, 2);
    assert_int_equal(counters_of(ctx).passes, 0);
    expect_ok(glnn_matrix_download(ctx, of.y, NULL, got, 0));
    assert_memory_equal(got, twos, sizeof got);
    expect_ok(glnn__gl_enter(ctx));
    replay(list);
    expect_ok(glnn__gl_leave(ctx, GLNN_OK));
    expect_ok(glnn_matrix_download(ctx, of.y, NULL, got, 0));
    assert_memory_equal(got, ones, sizeof got);
    assert_int_equal(counters_of(ctx).programs_compiled, 2);
    glnn__list_destroy(list);
    glnn_matrix_destroy(of.x);
    glnn_matrix_destroy(of.y);
    glnn_context_destroy(ctx);
}

static glnn_status multiply_and_fail(void *self, const void *nothing)
{
    (void)nothing;
    GLNN__TRY(multiply(self, NULL));
    return glnn__fail(GLNN_E_STATE, "the reason");
}

static void a_list_that_cannot_be_recorded_leaves_nothing_behind(void **state)
{
    (void)state;
    numbers of = numbers_new();
    glnn__list *list;
    assert_int_equal(glnn__list_record(glnn_test_context(), multiply_and_fail, &of, NULL, &list),
                     GLNN_E_STATE);
    assert_string_equal(glnn_last_error(), "the reason");
    assert_null(list);
    of.alpha.f = 1;
    const uint64_t before = passes_drawn();
    expect_ok(multiply(&of, NULL)); /* runs at once */
    assert_true(passes_drawn() > before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(recording_draws_nothing_and_replaying_reads_slots),
        TEST(a_replay_has_the_bits_of_the_passes_run_at_once),
        TEST(intermediate_results_have_textures_only_while_they_are_needed),
        TEST(a_list_about_a_matrix_that_is_gone_is_not_current),
        TEST(calls_are_recorded_with_their_arguments),
        TEST(programs_are_compiled_piece_by_piece_and_nothing_is_drawn),
        TEST(a_list_that_cannot_be_recorded_leaves_nothing_behind),
    };
    return cmocka_run_group_tests_name("list", tests, test_group_setup, test_group_teardown);
}
