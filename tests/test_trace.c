/* GLNN_TRACE: a line for every pass, with the step and the operation that it belongs to, and a
 * table at the end of the context. */
#include "support/learning.h"
#include "support/problems.h"

#include <stdio.h>

#include <glnn/map.h>

enum { MOST_LINES = 200, WORD = 64 };

/* A line of a pass. */
typedef struct line {
    int pass, step; /* step 0: none */
    double milliseconds;
    char operation[WORD], kernel[WORD];
    const char *matrices; /* of the log's text */
} line;

typedef struct row {
    char operation[WORD], kernel[WORD];
    int passes;
    double milliseconds, share;
} row;

static int start_trace(void **state)
{
    (void)state;
    return setenv("GLNN_TRACE", "1", 1);
}

static int end_trace(void **state)
{
    unsetenv("GLNN_TRACE");
    return learning_teardown(state);
}

#define TRACE_TEST(function) cmocka_unit_test_setup_teardown(function, start_trace, end_trace)

/* Makes the helpers use a new context, which is traced if the variable is set. */
static glnn_context *use_new_context(void)
{
    glnn_context *ctx = context_new(0, 0);
    log_clear();
    context_use(ctx);
    return ctx;
}

/* Copies a column, which ends before two spaces, and returns what follows it. NULL: there is no
 * other column in the line. */
static const char *take_column(const char *text, char out[WORD])
{
    const char *end = strstr(text, "  ");
    if (!end || end > strchr(text, '\n'))
        return NULL;
    snprintf(out, WORD, "%.*s", (int)(end - text), text);
    return end + strspn(end, " ");
}

static bool read_line(const char *text, line *out)
{
    char step[16];
    int length = 0;
    if (sscanf(text, "%d %15s %lf ms %n", &out->pass, step, &out->milliseconds, &length) != 3)
        return false;
    out->step = strcmp(step, "-") == 0 ? 0 : atoi(step);
    out->matrices = take_column(text + length, out->operation);
    assert_non_null(out->matrices);
    out->matrices = take_column(out->matrices, out->kernel);
    assert_non_null(out->matrices);
    return true;
}

/* The lines of passes that were logged since log_clear. */
static int read_lines(line lines[MOST_LINES])
{
    int count = 0;
    for (const char *text = log_text(GLNN_LOG_TRACE); *text; text = strchr(text, '\n') + 1) {
        assert_true(count < MOST_LINES);
        count += read_line(text, &lines[count]);
    }
    return count;
}

/* Whether the line, up to its end, has this part. */
static bool has(const line *of, const char *part)
{
    const char *found = strstr(of->matrices, part);
    return found && found < strchr(of->matrices, '\n');
}

/* ---- Operations */

static void expect_operation(const glnn__operation *op)
{
    line lines[MOST_LINES];
    const setting s = setting_of(GLNN_LAYOUT_TILED);
    use_new_context();
    check_operation(op, (glnn__sizes){9, 13, 7}, &s); /* which also destroys the context */
    const int count = read_lines(lines);
    assert_true(count > 0);
    for (int i = 0; i < count; ++i)
        if (strcmp(lines[i].operation, "measure the device") != 0)
            assert_string_equal(lines[i].operation, op->call);
    assert_string_equal(lines[count - 1].operation, op->call);
    log_clear();
}

static void every_operation_is_traced_by_the_name_of_its_function(void **state)
{
    (void)state;
    for (int i = 0; i < glnn__operation_count; ++i)
        if (i == 0 || strcmp(glnn__operations[i].call, glnn__operations[i - 1].call) != 0)
            expect_operation(&glnn__operations[i]);
}

static void without_the_variable_nothing_is_traced(void **state)
{
    (void)state;
    static const char *const values[] = {"", "0"};
    for (size_t i = 0; i < COUNT_OF(values); ++i) {
        setenv("GLNN_TRACE", values[i], 1);
        glnn_context *ctx = use_new_context();
        expect_ok(glnn_fill(ctx, 1, matrix_zero(3, 5, GLNN_LAYOUT_TILED)));
        release_all();
        assert_int_equal(log_count(GLNN_LOG_TRACE), 0);
    }
}

static void a_line_names_operands_layouts_and_16_bits(void **state)
{
    (void)state;
    line lines[MOST_LINES];
    glnn_matrix *x, *y;
    glnn_context *ctx = use_new_context();
    expect_ok(glnn_matrix_create(ctx,
                                 &(glnn_matrix_desc){.rows = 3,
                                                     .columns = 5,
                                                     .layout = GLNN_LAYOUT_PACKED,
                                                     .storage = GLNN_STORAGE_FLOAT16,
                                                     .name = "angles"},
                                 &x));
    expect_ok(glnn_matrix_create(
        ctx,
        &(glnn_matrix_desc){
            .rows = 3, .columns = 5, .layout = GLNN_LAYOUT_UNPACKED, .name = "sums"},
        &y));
    log_clear();
    expect_ok(glnn_axpy(ctx, 2, x, y));
    const int count = read_lines(lines);
    assert_true(count > 0);
    const line *last = &lines[count - 1];
    assert_string_equal(last->kernel, "ops/map");
    assert_int_equal(last->step, 0);
    assert_true(has(last, "X=angles 3x5 packed float16 -> added to sums 3x5 unpacked"));
    assert_false(has(last, "float32"));
    glnn_matrix_destroy(x);
    glnn_matrix_destroy(y);
}

/* ---- Training */

enum { SAMPLES = 16, BATCH = 8, EPOCHS = 2, STEPS = EPOCHS * SAMPLES / BATCH };

/* A training of two layers, in which momentum is a state that the update writes too. */
static glnn_learner *train(bool (*report)(void *user, const glnn_report *report))
{
    static const glnn_network_desc desc = {
        .features = 6,
        .layers = {{.units = 5, .activation = GLNN_ACTIVATION_TANH}, {.units = 3}},
        .optimizer = {.momentum = 0.9f},
        .seed = 1,
    };
    random_seed(7);
    const glnn_dataset *data = dataset_of(samples_random(SAMPLES, 6, 3, true));
    glnn_learner *network = network_of(&desc);
    log_clear();
    expect_ok(glnn_learner_train(
        network, data, &(glnn_train_desc){.epochs = EPOCHS, .batch = BATCH, .report = report},
        NULL));
    return network;
}

static void steps_are_numbered_and_their_operations_named(void **state)
{
    (void)state;
    static const char *const wanted[] = {
        "gather a batch",   "layer 0 forward",  "layer 1 forward", "loss",
        "layer 1 backward", "layer 0 gradient", "layer 1 gradient"};
    line lines[MOST_LINES];
    int found[STEPS + 1] = {0};
    use_new_context();
    train(NULL);
    const int count = read_lines(lines);
    for (int i = 0; i < count; ++i) {
        const line *l = &lines[i];
        assert_int_equal(l->pass, lines[0].pass + i);
        assert_true(l->step <= STEPS);
        if (l->step == 0 || strcmp(l->operation, "measure the device") == 0)
            continue;
        assert_true(l->step == 1 || found[l->step - 1] == (int)COUNT_OF(wanted));
        assert_true(found[l->step] < (int)COUNT_OF(wanted));
        assert_string_equal(l->operation, wanted[found[l->step]++]);
    }
    assert_int_equal(found[STEPS], COUNT_OF(wanted));
}

static void side_outputs_and_epilogues_are_named(void **state)
{
    (void)state;
    line lines[MOST_LINES];
    int losses = 0, gradients = 0;
    use_new_context();
    train(NULL);
    for (int i = read_lines(lines); i-- > 0;) {
        const bool is_loss = strcmp(lines[i].operation, "loss") == 0;
        const bool is_gradient = strstr(lines[i].operation, "gradient") != NULL;
        if (is_loss)
            assert_true(has(&lines[i], "-> delta 8x3 tiled, METRICS=metrics"));
        if (is_gradient) {
            assert_string_equal(lines[i].kernel, "ops/gemm+optimize/update");
            assert_true(has(&lines[i], "-> added to weights"));
            assert_true(has(&lines[i], ", STATE=state"));
        }
        losses += is_loss;
        gradients += is_gradient;
    }
    assert_int_equal(losses, STEPS);
    assert_int_equal(gradients, 2 * STEPS);
}

static bool fill_a_matrix(void *user, const glnn_report *report)
{
    (void)user;
    (void)report;
    expect_ok(glnn_fill(glnn_test_context(), 1, matrix_zero(3, 5, GLNN_LAYOUT_TILED)));
    return true;
}

static void a_pass_of_a_report_function_belongs_to_the_function_called_there(void **state)
{
    (void)state;
    line lines[MOST_LINES];
    int fills = 0, unnamed = 0;
    use_new_context();
    train(fill_a_matrix);
    for (int i = read_lines(lines); i-- > 0;) {
        fills += strcmp(lines[i].operation, "glnn_fill") == 0 && lines[i].step == 0;
        unnamed += strcmp(lines[i].operation, "-") == 0;
    }
    assert_int_equal(fills, EPOCHS);
    assert_int_equal(unnamed, 0);
}

static void a_training_that_is_traced_has_the_same_bits(void **state)
{
    (void)state;
    use_new_context();
    const glnn_learner *traced = train(NULL);
    assert_true(log_count(GLNN_LOG_TRACE) > 0);
    unsetenv("GLNN_TRACE");
    use_new_context();
    const glnn_learner *silent = train(NULL);
    assert_int_equal(log_count(GLNN_LOG_TRACE), 0);
    expect_same_networks(traced, silent, "traced and silent");
}

/* ---- The table */

static bool read_row(const char *text, row *out)
{
    char sign[2];
    const char *rest = take_column(text, out->operation);
    out->kernel[0] = 0;
    if (rest && strcmp(out->operation, "all passes") != 0)
        rest = take_column(rest, out->kernel);
    return rest && sscanf(rest, "%d %lf ms %lf %1[%]", &out->passes, &out->milliseconds,
                          &out->share, sign) == 4;
}

/* The rows of the table, the last of which counts all. */
static int read_rows(row rows[MOST_LINES])
{
    const char *text = strstr(log_text(GLNN_LOG_TRACE), "the passes by operation and kernel\n");
    int count = 0;
    assert_non_null(text);
    for (; *text; text = strchr(text, '\n') + 1) {
        assert_true(count < MOST_LINES);
        count += read_row(text, &rows[count]);
    }
    return count;
}

static const row *row_of(const row *rows, int count, const char *name, const char *kernel)
{
    for (int i = 0; i < count; ++i)
        if (strcmp(rows[i].operation, name) == 0 && strcmp(rows[i].kernel, kernel) == 0)
            return &rows[i];
    fail_at(__FILE__, __LINE__, "the table has no row %s %s", name, kernel);
    return NULL;
}

static void the_table_sums_passes_and_times_and_begins_with_the_longest(void **state)
{
    (void)state;
    static row rows[MOST_LINES];
    row sum = {.passes = 0};
    use_new_context();
    train(NULL);
    release_learning(); /* with the context */
    const int count = read_rows(rows) - 1;
    for (int i = 0; i < count; ++i) {
        sum.passes += rows[i].passes;
        sum.milliseconds += rows[i].milliseconds;
        sum.share += rows[i].share;
        assert_true(i == 0 || rows[i].milliseconds <= rows[i - 1].milliseconds);
    }
    const row *all = &rows[count];
    assert_string_equal(all->operation, "all passes");
    assert_int_equal(all->passes, sum.passes);
    assert_true(fabs(all->milliseconds - sum.milliseconds) <= 0.001 * (count + 1));
    assert_true(fabs(sum.share - 100) <= 0.1 * (count + 1));
    assert_int_equal(row_of(rows, count, "layer 1 backward", "ops/gemm")->passes, STEPS);
    assert_int_equal(row_of(rows, count, "layer 0 gradient", "ops/gemm+optimize/update")->passes,
                     STEPS);
    assert_non_null(strstr(log_text(GLNN_LOG_TRACE), "4 steps of training: 7."));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRACE_TEST(every_operation_is_traced_by_the_name_of_its_function),
        TRACE_TEST(without_the_variable_nothing_is_traced),
        TRACE_TEST(a_line_names_operands_layouts_and_16_bits),
        TRACE_TEST(steps_are_numbered_and_their_operations_named),
        TRACE_TEST(side_outputs_and_epilogues_are_named),
        TRACE_TEST(a_pass_of_a_report_function_belongs_to_the_function_called_there),
        TRACE_TEST(a_training_that_is_traced_has_the_same_bits),
        TRACE_TEST(the_table_sums_passes_and_times_and_begins_with_the_longest),
    };
    return cmocka_run_group_tests_name("trace", tests, test_group_setup, test_group_teardown);
}
