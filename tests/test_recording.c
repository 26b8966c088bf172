/* Lists that a program records: the same bits as the calls, any number of times, and sentences
 * about what cannot be recorded or run. */
#include "support/problems.h"
#include "support/reference.h"
#include "support/world.h"

#include <stdio.h>

enum { HEIGHT = 37, WIDTH = 29 };

/* Destroyed after each test. */
static glnn_list *list;
static glnn_kernel *kernel;

static int destroy_both(void **state)
{
    glnn_list_destroy(list);
    glnn_kernel_destroy(kernel);
    list = NULL;
    kernel = NULL;
    return test_teardown(state);
}

#define LIST_TEST(function) cmocka_unit_test_teardown(function, destroy_both)

static const glnn_kernel_desc blend = {
    .name = "blend",
    .source = "float element(int row, int column)\n"
              "{\n"
              "    return X_at(row + 1, column) + 0.25 * Y_at(row, column - 1);\n"
              "}\n",
    .operands = {"X", "Y"}};

/* The matrices of a calculation. */
typedef struct numbers {
    glnn_matrix *x, *y, *z, *row, *index;
} numbers;

static numbers numbers_new(uint64_t seed)
{
    random_seed(seed);
    array index = array_new(HEIGHT, 1);
    for (int i = 0; i < HEIGHT; ++i)
        *at(index, i, 0) = (7 * i) % HEIGHT;
    return (numbers){
        .x = matrix_of(array_random(HEIGHT, WIDTH, -1, 1), GLNN_LAYOUT_TILED),
        .y = matrix_of(array_random(HEIGHT, WIDTH, -1, 1), GLNN_LAYOUT_PACKED),
        .z = matrix_of(array_random(HEIGHT, HEIGHT, -1, 1), GLNN_LAYOUT_UNPACKED),
        .row = matrix_of(array_random(1, WIDTH, -1, 1), GLNN_LAYOUT_TILED),
        .index = matrix_of(index, GLNN_LAYOUT_PACKED),
    };
}

/* An operation of each header, with intermediate results and results in place. */
static void calculate(const numbers *of)
{
    glnn_context *ctx = glnn_test_context();
    const glnn_gemm_desc across = {.transpose_b = true};
    expect_ok(glnn_gemm(ctx, &across, 0.1f, of->x, of->y, 0.5f, of->z));
    expect_ok(glnn_softmax(ctx, of->z, of->z));
    expect_ok(glnn_reduce(ctx, GLNN_REDUCTION_SUM, GLNN_AXIS_COLUMNS, of->x, of->row));
    expect_ok(glnn_axpby(ctx, -0.5f, of->x, 0.25f, of->y));
    expect_ok(glnn_gather_rows(ctx, of->y, of->index, 0, HEIGHT, of->x));
    expect_ok(glnn_kernel_run(
        kernel, &(glnn_kernel_run_desc){.operands = {{.matrix = of->x}, {.matrix = of->row}}},
        of->x));
    expect_ok(glnn_map_apply_expression(ctx, "0.9 * x", of->y, of->y));
}

static void record(const numbers *of)
{
    expect_ok(glnn_list_begin(glnn_test_context(), &list));
    calculate(of);
    expect_ok(glnn_list_end(list));
}

static void expect_same_numbers(const numbers *a, const numbers *b, const char *when)
{
    expect_same_bits(values_of(a->x), values_of(b->x), "x, %s", when);
    expect_same_bits(values_of(a->y), values_of(b->y), "y, %s", when);
    expect_same_bits(values_of(a->z), values_of(b->z), "z, %s", when);
    expect_same_bits(values_of(a->row), values_of(b->row), "row, %s", when);
}

static void runs_have_the_bits_of_the_calls(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    expect_ok(glnn_kernel_create(ctx, &blend, &kernel));
    const numbers recorded = numbers_new(1), called = numbers_new(1);
    const uint64_t before = counters_of(ctx).passes;
    record(&recorded);
    assert_int_equal(counters_of(ctx).passes, before);
    for (int i = 0; i < 5; ++i) {
        char when[32];
        snprintf(when, sizeof when, "run %d", i);
        expect_ok(glnn_list_run(list));
        calculate(&called);
        expect_same_numbers(&recorded, &called, when);
    }
}

/* Sizes that take several passes: long inner dimensions and rows, and a tall outer product. */
static void check_recorded(const glnn__operation *op, glnn__sizes of)
{
    glnn_context *ctx = glnn_test_context();
    glnn__problem p = problem_new(op, of);
    const glnn_matrix *operands[GLNN__MOST_OPERANDS] = {NULL};
    for (int i = 0; i < GLNN__MOST_OPERANDS; ++i)
        if (p.operand[i].data)
            operands[i] = matrix_of(
                array_of_floats(p.operand[i].rows, p.operand[i].columns, p.operand[i].data),
                rendered_layout(i));
    const array former = array_of_floats(p.former.rows, p.former.columns, p.former.data);
    glnn_matrix *called = matrix_of(former, GLNN_LAYOUT_PACKED);
    glnn_matrix *recorded = matrix_of(former, GLNN_LAYOUT_PACKED);
    expect_ok(glnn_list_begin(ctx, &list));
    expect_ok(op->run(ctx, &p, operands, recorded));
    expect_ok(glnn_list_end(list));
    for (int i = 0; i < 2; ++i) {
        expect_ok(op->run(ctx, &p, operands, called));
        expect_ok(glnn_list_run(list));
        expect_same_bits(values_of(recorded), values_of(called), "%s, run %d", op->name, i);
    }
    glnn_list_destroy(list);
    list = NULL;
    glnn__problem_free(&p);
    release_all();
}

static void every_operation_can_be_recorded(void **state)
{
    (void)state;
    for (int i = 0; i < glnn__operation_count; ++i)
        if (!case_is_left_out(i))
            check_recorded(&glnn__operations[i], (glnn__sizes){261, 37, 1500});
}

static void a_run_reads_what_was_uploaded_after_the_recording(void **state)
{
    (void)state;
    expect_ok(glnn_kernel_create(glnn_test_context(), &blend, &kernel));
    const numbers recorded = numbers_new(1), called = numbers_new(1);
    record(&recorded);
    const array fresh = array_random(HEIGHT, WIDTH, -1, 1);
    const glnn_matrix *const targets[] = {recorded.x, called.x};
    for (int i = 0; i < 2; ++i)
        expect_ok(glnn_matrix_upload(glnn_test_context(), (glnn_matrix *)targets[i], NULL,
                                     floats_of(fresh), 0));
    expect_ok(glnn_list_run(list));
    calculate(&called);
    expect_same_numbers(&recorded, &called, "after an upload");
}

static void later_runs_create_and_compile_nothing(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    expect_ok(glnn_kernel_create(ctx, &blend, &kernel));
    const numbers of = numbers_new(1);
    record(&of);
    expect_ok(glnn_list_run(list));
    const glnn_counters before = counters_of(ctx);
    expect_ok(glnn_list_run(list));
    const glnn_counters after = counters_of(ctx);
    assert_int_equal(after.programs_compiled, before.programs_compiled);
    assert_int_equal(after.textures_created, before.textures_created);
    assert_int_equal(after.waits, before.waits);
    assert_true(after.passes > before.passes + 6);
}

static void the_end_of_other_matrices_kernels_and_learners_does_not_matter(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    glnn_kernel *other;
    glnn_list *second;
    expect_ok(glnn_kernel_create(ctx, &blend, &kernel));
    expect_ok(glnn_kernel_create(ctx, &blend, &other));
    const numbers recorded = numbers_new(1), called = numbers_new(1);
    glnn_matrix *gone;
    expect_ok(glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = 2, .columns = 2}, &gone));
    record(&recorded);
    expect_ok(glnn_list_begin(ctx, &second));
    expect_ok(glnn_kernel_run(
        other, &(glnn_kernel_run_desc){.operands = {{.matrix = gone}, {.matrix = gone}}}, gone));
    expect_ok(glnn_list_end(second));
    expect_ok(glnn_list_run(second));
    glnn_list_destroy(second);
    glnn_matrix_destroy(gone);
    glnn_kernel_destroy(other);
    expect_ok(glnn_list_run(list));
    calculate(&called);
    expect_same_numbers(&recorded, &called, "afterwards");
}

static void a_list_of_a_destroyed_matrix_says_so(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    glnn_matrix *x, *out = matrix_zero(3, 5, GLNN_LAYOUT_TILED);
    for (int as_output = 0; as_output < 2; ++as_output) {
        const glnn_matrix_desc desc = {.rows = 3, .columns = 5, .name = "lost"};
        expect_ok(glnn_matrix_create(ctx, &desc, &x));
        expect_ok(glnn_list_begin(ctx, &list));
        expect_ok(as_output ? glnn_copy(ctx, out, x) : glnn_copy(ctx, x, out));
        expect_ok(glnn_list_end(list));
        expect_ok(glnn_list_run(list));
        glnn_matrix_destroy(x);
        for (int i = 0; i < 2; ++i)
            expect_error(glnn_list_run(list), GLNN_E_STATE,
                         "glnn_list_run: lost was destroyed after the list was recorded");
        glnn_list_destroy(list);
        list = NULL;
    }
}

static void a_list_of_the_parameters_of_a_destroyed_learner_says_so(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    const glnn_svm_desc desc = {.features = 3, .classes = 2};
    glnn_learner *learner;
    const glnn_matrix *weights;
    expect_ok(glnn_svm_create(ctx, &desc, &learner));
    expect_ok(glnn_learner_get_tensor_matrix(learner, "weight", &weights));
    glnn_matrix *copy = matrix_zero(glnn_matrix_get_rows(weights), glnn_matrix_get_columns(weights),
                                    GLNN_LAYOUT_TILED);
    expect_ok(glnn_list_begin(ctx, &list));
    expect_ok(glnn_copy(ctx, weights, copy));
    expect_ok(glnn_list_end(list));
    expect_ok(glnn_list_run(list));
    glnn_learner_destroy(learner);
    expect_error(glnn_list_run(list), GLNN_E_STATE, "was destroyed after the list was recorded");
}

static void a_list_of_a_destroyed_kernel_says_so(void **state)
{
    (void)state;
    expect_ok(glnn_kernel_create(glnn_test_context(), &blend, &kernel));
    const numbers of = numbers_new(1);
    record(&of);
    glnn_kernel_destroy(kernel);
    kernel = NULL;
    expect_error(glnn_list_run(list), GLNN_E_STATE,
                 "glnn_list_run: the kernel blend was destroyed after the list was recorded");
}

static void a_recording_in_which_an_object_ends_fails(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    const numbers of = numbers_new(1);
    for (int ends_kernel = 0; ends_kernel < 2; ++ends_kernel) {
        glnn_matrix *x;
        expect_ok(glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = 3, .columns = 5}, &x));
        expect_ok(glnn_kernel_create(ctx, &blend, &kernel));
        expect_ok(glnn_list_begin(ctx, &list));
        expect_ok(glnn_kernel_run(
            kernel, &(glnn_kernel_run_desc){.operands = {{.matrix = of.x}, {.matrix = of.y}}}, x));
        if (ends_kernel) {
            glnn_kernel_destroy(kernel);
            kernel = NULL;
        } else {
            glnn_matrix_destroy(x);
            x = NULL;
        }
        expect_error(glnn_list_end(list), GLNN_E_STATE,
                     "glnn_list_end: a matrix or a kernel was destroyed while a list was recorded");
        expect_error(glnn_list_run(list), GLNN_E_STATE,
                     "glnn_list_run: the recording of the list failed");
        glnn_matrix_destroy(x);
        glnn_list_destroy(list);
        glnn_kernel_destroy(kernel);
        list = NULL;
        kernel = NULL;
        expect_ok(glnn_fill(ctx, 1, of.x)); /* runs at once again */
        assert_true(values_of(of.x).data[0] == 1);
    }
}

static void what_is_not_an_operation_is_refused_while_a_list_is_recorded(void **state)
{
    (void)state;
    world *w = world_create();
    glnn_context *ctx = w->ctx;
    glnn_list *recorded, *second;
    glnn_matrix *m;
    glnn_download *download;
    glnn_dataset *data;
    glnn_learner *learner;
    glnn_trainer *trainer;
    char text[64];
    const glnn_train_desc once = {.epochs = 1};
    const glnn_dataset_desc samples = {
        .samples = 4, .features = 4, .inputs = w->inputs, .labels = w->labels, .classes = 2};
    expect_ok(glnn_list_begin(ctx, &recorded));
    expect_ok(glnn_fill(ctx, 2, w->a));
#define REFUSED(function, arguments)                                                               \
    expect_error(function arguments, GLNN_E_STATE,                                                 \
                 #function ": a list is being recorded, and until glnn_list_end only operations "  \
                           "on matrices can be called")
    REFUSED(glnn_matrix_download, (ctx, w->a, NULL, w->floats, 0));
    REFUSED(glnn_matrix_upload, (ctx, w->a, NULL, w->inputs, 0));
    REFUSED(glnn_download_begin, (ctx, w->a, NULL, &download));
    REFUSED(glnn_matrix_create, (ctx, &(glnn_matrix_desc){.rows = 1, .columns = 1}, &m));
    expect_error(glnn_dataset_create(ctx, &samples, &data), GLNN_E_STATE,
                 "a list is being recorded");
    REFUSED(glnn_network_create, (ctx, glnn_network_get_desc(w->network), &learner));
    REFUSED(glnn_learner_train, (w->svm, w->data, &once, NULL));
    REFUSED(glnn_trainer_create, (w->svm, w->data, &once, &trainer));
    REFUSED(glnn_trainer_step, (w->trainer, 1, 0, NULL, NULL));
    REFUSED(glnn_learner_predict, (w->svm, 1, w->inputs, w->floats, NULL));
    REFUSED(glnn_learner_evaluate, (w->svm, w->data, NULL, NULL));
    REFUSED(glnn_list_begin, (ctx, &second));
    REFUSED(glnn_list_run, (w->list));
    REFUSED(glnn_gemm_get_plan, (ctx, NULL, 1, w->a, w->b, 0, w->c, text, sizeof text));
    assert_null(second);
    expect_error(glnn_list_run(recorded), GLNN_E_STATE,
                 "glnn_list_run: the list is being recorded; call glnn_list_end");
    expect_error(glnn_copy(ctx, w->a, w->column), GLNN_E_SHAPE, "glnn_copy: "); /* is left out */
    expect_ok(glnn_list_end(recorded));
    expect_error(glnn_list_end(recorded), GLNN_E_STATE,
                 "glnn_list_end: the list is not being recorded");
    expect_ok(glnn_matrix_download(ctx, w->a, NULL, w->floats, 0));
    assert_true(w->floats[0] == 0);
    expect_ok(glnn_list_run(recorded));
    expect_ok(glnn_matrix_download(ctx, w->a, NULL, w->floats, 0));
    assert_true(w->floats[0] == 2);
    expect_ok(glnn_trainer_step(w->trainer, 1, 0, NULL, NULL));
    glnn_list_destroy(recorded);
    world_destroy(w);
}

static void a_download_that_has_begun_can_end_while_a_list_is_recorded(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    glnn_matrix *x = matrix_of(array_numbered(2, 2), GLNN_LAYOUT_PACKED);
    glnn_download *download;
    float got[4];
    expect_ok(glnn_download_begin(ctx, x, NULL, &download));
    expect_ok(glnn_list_begin(ctx, &list));
    expect_ok(glnn_fill(ctx, 9, x));
    expect_ok(glnn_download_end(download, got, 0));
    assert_true(got[3] == 4);
}

static void a_list_that_is_destroyed_records_no_more(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    glnn_matrix *x = matrix_zero(2, 2, GLNN_LAYOUT_TILED);
    expect_ok(glnn_list_begin(ctx, &list));
    expect_ok(glnn_fill(ctx, 1, x));
    glnn_list_destroy(list);
    list = NULL;
    assert_true(values_of(x).data[0] == 0);
    expect_ok(glnn_fill(ctx, 2, x));
    assert_true(values_of(x).data[0] == 2);
}

static void an_empty_list_does_nothing(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    expect_ok(glnn_list_begin(ctx, &list));
    expect_ok(glnn_list_end(list));
    const uint64_t before = counters_of(ctx).passes;
    expect_ok(glnn_list_run(list));
    assert_int_equal(counters_of(ctx).passes, before);
}

static void a_kernel_that_does_not_compile_fails_in_every_run_with_the_operation(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    glnn_matrix *x = matrix_zero(2, 2, GLNN_LAYOUT_TILED);
    expect_ok(glnn_kernel_create(
        ctx,
        &(glnn_kernel_desc){.name = "wrong",
                            .source = "float element(int row, int column)\n{ return lack; }"},
        &kernel));
    expect_ok(glnn_list_begin(ctx, &list));
    expect_ok(glnn_fill(ctx, 3, x));
    expect_ok(glnn_kernel_run(kernel, NULL, x));
    expect_ok(glnn_list_end(list));
    for (int i = 0; i < 3; ++i)
        expect_error(glnn_list_run(list), GLNN_E_SHADER,
                     "glnn_list_run: in glnn_kernel_run: wrong does not compile: wrong:2: ");
    expect_error(glnn_kernel_run(kernel, NULL, x), GLNN_E_SHADER,
                 "glnn_kernel_run: wrong does not compile: wrong:2: ");
}

static void a_list_outlives_its_context(void **state)
{
    static const bool ends[] = {true, false};
    (void)state;
    for (int i = 0; i < 2; ++i) {
        glnn_context *ctx;
        glnn_matrix *x;
        expect_ok(glnn_context_create(&(glnn_context_desc){.cache_dir = ""}, &ctx));
        expect_ok(glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = 300, .columns = 300}, &x));
        expect_ok(glnn_list_begin(ctx, &list));
        expect_ok(glnn_softmax(ctx, x, x));
        if (ends[i])
            expect_ok(glnn_list_end(list));
        log_clear();
        glnn_context_destroy(ctx);
        assert_non_null(strstr(log_text(GLNN_LOG_WARNING), "a list of operations still exists"));
        expect_error(glnn_list_run(list), GLNN_E_STATE,
                     "glnn_list_run: the context of `list` was destroyed");
        glnn_list_destroy(list);
        list = NULL;
        glnn_matrix_destroy(x);
        log_clear();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LIST_TEST(runs_have_the_bits_of_the_calls),
        LIST_TEST(every_operation_can_be_recorded),
        LIST_TEST(a_run_reads_what_was_uploaded_after_the_recording),
        LIST_TEST(later_runs_create_and_compile_nothing),
        LIST_TEST(the_end_of_other_matrices_kernels_and_learners_does_not_matter),
        LIST_TEST(a_list_of_a_destroyed_matrix_says_so),
        LIST_TEST(a_list_of_the_parameters_of_a_destroyed_learner_says_so),
        LIST_TEST(a_list_of_a_destroyed_kernel_says_so),
        LIST_TEST(a_recording_in_which_an_object_ends_fails),
        LIST_TEST(what_is_not_an_operation_is_refused_while_a_list_is_recorded),
        LIST_TEST(a_download_that_has_begun_can_end_while_a_list_is_recorded),
        LIST_TEST(a_list_that_is_destroyed_records_no_more),
        LIST_TEST(an_empty_list_does_nothing),
        LIST_TEST(a_kernel_that_does_not_compile_fails_in_every_run_with_the_operation),
        LIST_TEST(a_list_outlives_its_context),
    };
    return cmocka_run_group_tests_name("recording", tests, test_group_setup, test_group_teardown);
}
