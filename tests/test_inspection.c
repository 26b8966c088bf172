/* Inspections: a step that is kept pass by pass has the bits of any other, its copies are what the
 * passes read and wrote, and fetches are counted exactly. */
#include "support/learner_files.h"
#include "support/runs.h"

#include "gl/gl.h"
#include "ops/gemm/plan.h"

#include <glnn/inspection.h>

#include <stdio.h>

static void destroy_inspection(void *inspection)
{
    glnn_inspection_destroy(inspection);
}

/* Lives until release_learning(). */
static glnn_inspection *inspection_of(glnn_trainer *trainer)
{
    glnn_inspection *inspection = NULL;
    expect_ok(glnn_inspection_create(trainer, &inspection));
    learning_own(inspection, destroy_inspection);
    return inspection;
}

static glnn_pass_info pass_of(const glnn_inspection *inspection, int number)
{
    glnn_pass_info pass = {.size = sizeof pass};
    expect_ok(glnn_inspection_get_pass(inspection, number, &pass));
    return pass;
}

/* The first pass of a part of the step that has this kernel, in a layer; -1: in any. */
static int find_pass(const glnn_inspection *inspection, const char *part, const char *kernel,
                     int layer)
{
    for (int i = 0; i < glnn_inspection_get_pass_count(inspection); ++i) {
        const glnn_pass_info pass = pass_of(inspection, i);
        const bool is_product = strncmp(pass.kernel, kernel, strlen(kernel)) == 0;
        if (strcmp(pass.part, part) == 0 && is_product && (layer < 0 || layer == pass.layer))
            return i;
    }
    fail_at(__FILE__, __LINE__, "no pass of %s by %s in layer %d", part, kernel, layer);
    return -1;
}

/* The place of a side output by its name in the shader; -1: the pass does not have it. */
static int find_side_output(const glnn_pass_info *pass, const char *name)
{
    for (int i = 0; i < GLNN_PASS_MAX_SIDE_OUTPUTS; ++i)
        if (pass->side_output_names[i] && strcmp(pass->side_output_names[i], name) == 0)
            return i;
    return -1;
}

static array fetches_of(glnn_inspection *inspection, int number, int row, int column, int operand,
                        glnn_layout layout)
{
    const glnn_matrix *m = pass_of(inspection, number).operands[operand];
    glnn_matrix *out = matrix_zero(glnn_matrix_get_rows(m), glnn_matrix_get_columns(m), layout);
    expect_ok(glnn_inspection_find_fetches(inspection, number, row, column, operand, out));
    return values_of(out);
}

static double sum_of(array values)
{
    double sum = 0;
    for (size_t i = 0; i < length_of(values); ++i)
        sum += values.data[i];
    return sum;
}

/* ---- The step */

static void step_by_inspections(glnn_trainer *trainer, uint64_t steps)
{
    const glnn_train_result *result = glnn_trainer_get_result(trainer);
    while (!glnn_trainer_is_finished(trainer) && result->steps < steps) {
        glnn_inspection *inspection = NULL;
        const glnn_status status = glnn_inspection_create(trainer, &inspection);
        if (status == GLNN_E_STATE)
            expect_ok(glnn_trainer_end_epoch(trainer));
        else
            expect_ok(status);
        assert_true(status || glnn_inspection_get_pass_count(inspection) > 0);
        glnn_inspection_destroy(inspection);
    }
}

/* The steps of two epochs or more, of every kind of learner and data set. */
static void an_inspected_step_has_the_bits_of_an_ordinary_one(void **state)
{
    (void)state;
    const file_path plain = path_of("plain"), inspected = path_of("inspected");
    for (int i = 0; i < run_count; ++i) {
        if (case_is_left_out(i))
            continue;
        glnn_trainer *trainer = start_run(&runs[i], &runs[i].how);
        advance(trainer, 9, false);
        expect_ok(glnn_trainer_save_checkpoint(trainer, plain.text));
        glnn_trainer *watched = start_run(&runs[i], &runs[i].how);
        step_by_inspections(watched, 9);
        expect_ok(glnn_trainer_save_checkpoint(watched, inspected.text));
        expect_same_checkpoints(plain.text, inspected.text, runs[i].name);
        release_learning();
    }
}

/* The losses of an epoch have a place for each sample, and a batch writes some of them. */
static bool writes_losses_alone(const glnn_pass_info *pass)
{
    const int losses = find_side_output(pass, "LOSSES");
    return !pass->writes_output && losses >= 0 && pass->writes_side_outputs[losses];
}

/* The first block of a pass that has operands fetches something. */
static void expect_fetches(glnn_inspection *inspection, int number, const char *name)
{
    const glnn_pass_info pass = pass_of(inspection, number);
    double fetched = 0;
    bool reads = false;
    for (int i = 0; i < GLNN_PASS_MAX_OPERANDS; ++i) {
        if (!pass.operands[i])
            continue;
        const array counts = fetches_of(inspection, number, 0, 0, i, GLNN_LAYOUT_PACKED);
        for (size_t e = 0; e < length_of(counts); ++e)
            if (!(counts.data[e] >= 0) || counts.data[e] != floor(counts.data[e]))
                fail_at(__FILE__, __LINE__, "%s: %s: %s is fetched %g times", name, pass.kernel,
                        pass.operand_names[i], counts.data[e]);
        fetched += sum_of(counts);
        reads = true;
    }
    if (reads && fetched == 0 && !writes_losses_alone(&pass))
        fail_at(__FILE__, __LINE__, "%s: pass %d, %s, fetches nothing", name, number, pass.kernel);
}

static void every_kernel_of_a_step_has_a_text_and_fetches(void **state)
{
    (void)state;
    for (int i = 0; i < run_count; ++i) {
        if (case_is_left_out(i + 1))
            continue;
        glnn_trainer *trainer = start_run(&runs[i], &runs[i].how);
        glnn_inspection *inspection = inspection_of(trainer);
        for (int p = 0; p < glnn_inspection_get_pass_count(inspection); ++p) {
            const char *text = NULL;
            expect_ok(glnn_inspection_get_shader(inspection, p, &text));
            assert_non_null(strstr(text, "#version"));
            assert_non_null(strstr(text, "void main()"));
            expect_fetches(inspection, p, runs[i].name);
        }
        release_learning();
    }
}

/* ---- Copies */

enum { SAMPLE_COUNT = 21, BATCH = 10, INPUTS = 16, HIDDEN = 8, ANSWERS = 3 };

/* Two layers without an activation. */
static glnn_trainer *linear_trainer_of(glnn_layout layout, int inputs, float momentum,
                                       float emphasis)
{
    glnn_trainer *trainer = NULL;
    random_seed(3);
    const glnn_dataset *data = dataset_of(samples_random(SAMPLE_COUNT, inputs, ANSWERS, true));
    glnn_learner *network = network_of(
        &(glnn_network_desc){.features = inputs,
                             .layers = {{.units = HIDDEN, .activation = GLNN_ACTIVATION_IDENTITY},
                                        {.units = ANSWERS, .activation = GLNN_ACTIVATION_IDENTITY}},
                             .optimizer.momentum = momentum,
                             .layout = layout,
                             .capacity = BATCH,
                             .seed = 2});
    const glnn_train_desc how = {.batch = BATCH, .schedule.rate = 0.25f, .emphasis = emphasis};
    expect_ok(glnn_trainer_create(network, data, &how, &trainer));
    learning_own(trainer, destroy_trainer);
    return trainer;
}

/* Its steps descend without momentum. */
static glnn_trainer *linear_trainer(glnn_layout layout, int inputs)
{
    return linear_trainer_of(layout, inputs, 0, 0);
}

/* a b, or a' b, where a has one more column of ones. */
static expected product_of(array a, array b, bool is_transposed)
{
    const int rows = is_transposed ? a.columns + 1 : a.rows;
    const int inner = is_transposed ? a.rows : a.columns + 1;
    expected want = {array_new(rows, b.columns), array_new(rows, b.columns)};
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < b.columns; ++j)
            for (int k = 0; k < inner; ++k) {
                const int r = is_transposed ? k : i, c = is_transposed ? i : k;
                const double term = (c < a.columns ? *at(a, r, c) : 1) * *at(b, k, j);
                *at(want.value, i, j) += term;
                *at(want.bound, i, j) += (inner + 2) * EPS * fabs(term);
            }
    return want;
}

static void the_copy_of_an_output_is_the_product_of_the_copies_of_its_operands(void **state)
{
    (void)state;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        glnn_inspection *inspection = inspection_of(linear_trainer(layout, INPUTS + 1));
        for (int l = 0; l < 2; ++l) {
            const glnn_pass_info pass =
                pass_of(inspection, find_pass(inspection, "forward", "ops/gemm", l));
            assert_null(pass.former_output);
            expect_close(
                pass.output,
                product_of(values_of(pass.operands[0]), values_of(pass.operands[1]), false),
                "forward, layer %d", l);
        }
        release_learning();
    }
}

static void a_pass_that_adds_has_the_output_before_and_after(void **state)
{
    (void)state;
    glnn_inspection *inspection = inspection_of(linear_trainer(GLNN_LAYOUT_AUTO, INPUTS + 1));
    const glnn_pass_info pass =
        pass_of(inspection, find_pass(inspection, "gradient", "ops/gemm", 1));
    assert_true(pass.adds);
    expected want = product_of(values_of(pass.operands[0]), values_of(pass.operands[1]), true);
    const array before = values_of(pass.former_output);
    for (size_t i = 0; i < length_of(before); ++i) {
        want.value.data[i] = before.data[i] - 0.25 / BATCH * want.value.data[i];
        want.bound.data[i] += 4 * EPS * fabs(before.data[i]);
    }
    expect_close(pass.output, want, "the weights after the step");
    const glnn_pass_info forward =
        pass_of(inspection, find_pass(inspection, "forward", "ops/gemm", 1));
    expect_equal(pass.former_output, values_of(forward.operands[1]), "the weights before it");
}

static void passes_that_see_the_same_numbers_have_the_same_copy(void **state)
{
    (void)state;
    glnn_inspection *inspection = inspection_of(linear_trainer(GLNN_LAYOUT_AUTO, INPUTS));
    const glnn_pass_info first =
        pass_of(inspection, find_pass(inspection, "forward", "ops/gemm", 0));
    const glnn_pass_info second =
        pass_of(inspection, find_pass(inspection, "forward", "ops/gemm", 1));
    const glnn_pass_info gather = pass_of(inspection, 0);
    assert_ptr_equal(gather.output, first.operands[0]);
    assert_ptr_equal(first.output, second.operands[0]);
}

static void side_outputs_have_their_numbers_before_and_after(void **state)
{
    (void)state;
    const subject of = subject_of(NETWORK); /* with momentum */
    const glnn_train_desc how = training_of(NETWORK);
    glnn_trainer *trainer = trainer_of(&of, dataset_of(some_samples()), &how);
    expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
    glnn_inspection *inspection = inspection_of(trainer);
    int changed = 0;
    for (int p = 0; p < glnn_inspection_get_pass_count(inspection); ++p) {
        const glnn_pass_info pass = pass_of(inspection, p);
        for (int i = 0; i < GLNN_PASS_MAX_SIDE_OUTPUTS; ++i) {
            if (!pass.side_outputs[i])
                continue;
            const array before = values_of(pass.former_side_outputs[i]);
            const array after = values_of(pass.side_outputs[i]);
            changed += memcmp(before.data, after.data, length_of(before) * sizeof(double)) != 0;
        }
    }
    assert_true(changed >= 2);
}

/* The passes that update a layer's parameters: one, or several parts. Each part that does not write
 * an output has it as before. The weights descend by the state that the same or an earlier part has
 * written. Returns the number of passes. */
static int expect_update(const glnn_inspection *inspection, int layer)
{
    array state = {0};
    int passes = 0;
    bool is_updated = false;
    for (int p = 0; p < glnn_inspection_get_pass_count(inspection); ++p) {
        const glnn_pass_info pass = pass_of(inspection, p);
        const int i = find_side_output(&pass, "STATE");
        if (i < 0 || pass.layer != layer)
            continue;
        ++passes;
        if (pass.writes_side_outputs[i])
            state = values_of(pass.side_outputs[i]);
        else
            assert_ptr_equal(pass.side_outputs[i], pass.former_side_outputs[i]);
        if (!pass.writes_output)
            continue;
        is_updated = true;
        const array before = values_of(pass.former_output);
        expected want = {array_new(before.rows, before.columns),
                         array_new(before.rows, before.columns)};
        for (size_t e = 0; e < length_of(before); ++e) {
            want.value.data[e] = before.data[e] - 0.25 * state.data[e];
            want.bound.data[e] = 4 * EPS * (fabs(before.data[e]) + fabs(state.data[e]));
        }
        expect_close(pass.output, want, "the weights of layer %d", layer);
    }
    assert_true(is_updated);
    return passes;
}

static void each_part_of_an_update_has_the_outputs_that_it_wrote(void **state)
{
    (void)state;
    const bool has_parts = !glnn_test_context()->has_images;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        glnn_trainer *trainer = linear_trainer_of(layout, INPUTS, 0.5f, 0);
        expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
        glnn_inspection *inspection = inspection_of(trainer);
        for (int layer = 0; layer < 2; ++layer) {
            const int passes = expect_update(inspection, layer);
            if (!has_parts || layout != GLNN_LAYOUT_TILED)
                assert_int_equal(passes, 1);
            else if (glnn_test_context()->info.stage == GLNN_STAGE_FRAGMENT)
                assert_int_equal(passes, 2);
        }
        release_learning();
    }
}

/* ---- Fetches */

/* In the lower tiers a part draws them as points. */
static void the_metrics_of_a_sample_fetch_its_row_of_the_outputs_alone(void **state)
{
    (void)state;
    enum { ROW = 6 };
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        glnn_inspection *inspection = inspection_of(linear_trainer(layout, INPUTS));
        const int number = find_pass(inspection, "loss", "net/delta", -1);
        const glnn_pass_info pass = pass_of(inspection, number);
        const int side = find_side_output(&pass, "METRICS");
        assert_true(pass.writes_side_outputs[side]);
        assert_int_equal(pass.writes_output, glnn_test_context()->has_images);
        if (pass.writes_output)
            return;
        glnn_rect block;
        expect_ok(glnn_inspection_get_block(inspection, number, ROW, 2, &block));
        assert_true(block.row == ROW && block.column == 0 && block.rows == 1 && block.columns == 4);
        const array counts = fetches_of(inspection, number, ROW, 2, 0, GLNN_LAYOUT_AUTO);
        for (int i = 0; i < BATCH; ++i)
            for (int j = 0; j < ANSWERS; ++j)
                assert_true((*at(counts, i, j) > 0) == (i == ROW));
        expect_error(glnn_inspection_get_block(inspection, number, ROW, 4, &block), GLNN_E_ARG,
                     "of the side output metrics, which is");
        release_learning();
    }
}

/* The list of the losses of an epoch has the samples in their order, so the places of a batch begin
 * anywhere. */
static void the_loss_of_a_sample_has_the_fetches_of_the_point_that_wrote_it(void **state)
{
    (void)state;
    glnn_trainer *trainer = linear_trainer_of(GLNN_LAYOUT_AUTO, INPUTS, 0, 1);
    expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
    glnn_inspection *inspection = inspection_of(trainer);
    int changes = 0;
    for (int p = 0; p < glnn_inspection_get_pass_count(inspection); ++p) {
        const glnn_pass_info pass = pass_of(inspection, p);
        const int losses = find_side_output(&pass, "LOSSES");
        if (!writes_losses_alone(&pass))
            continue;
        const array before = values_of(pass.former_side_outputs[losses]);
        const array after = values_of(pass.side_outputs[losses]);
        for (int i = 0; i < after.rows; ++i)
            for (int j = 0; j < after.columns; ++j) {
                const bool is_written = *at(before, i, j) != *at(after, i, j);
                const array counts = fetches_of(inspection, p, i, j, 0, GLNN_LAYOUT_AUTO);
                assert_int_equal(sum_of(counts) > 0, is_written);
                changes += is_written;
            }
    }
    assert_int_equal(changes, glnn_test_context()->has_images ? 0 : BATCH);
}

/* The fragment of a block of op(A) op(B) needs each element of its rows and its columns once. The
 * weights have a last row, of biases, which each row of the block fetches. */
static void a_product_fetches_its_rows_and_its_columns(void **state)
{
    (void)state;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        glnn_inspection *inspection = inspection_of(linear_trainer(layout, INPUTS));
        const int number = find_pass(inspection, "forward", "ops/gemm", 0);
        glnn_rect block;
        expect_ok(glnn_inspection_get_block(inspection, number, 5, 6, &block));
        const array a = fetches_of(inspection, number, 5, 6, 0, rendered_layout(layout + 1));
        const array b = fetches_of(inspection, number, 5, 6, 1, rendered_layout(layout + 2));
        array rows = array_new(BATCH, INPUTS), columns = array_new(INPUTS + 1, HIDDEN);
        for (int i = 0; i < BATCH; ++i)
            for (int k = 0; k < INPUTS; ++k)
                *at(rows, i, k) = i >= block.row && i < block.row + block.rows;
        for (int k = 0; k <= INPUTS; ++k)
            for (int j = 0; j < HIDDEN; ++j)
                *at(columns, k, j) = j < block.column || j >= block.column + block.columns ? 0
                                     : k == INPUTS ? block.rows
                                                   : 1;
        expect_same_bits(a, rows, "%s: rows", glnn_layout_name(layout));
        expect_same_bits(b, columns, "%s: columns", glnn_layout_name(layout));
        release_learning();
    }
}

/* The ways in which work groups of the compute stage compute a block together. */
static const glnn__plan plans[] = {
    {.slices = 1, .blocking = {.stack = 1}},
    {.slices = 1, .blocking = {.stack = 1, .group_side = GLNN__SMALL_GROUP}},
    {.slices = 4, .slice = 16, .blocking = {.stack = 1, .group_slices = 4}},
};

static void blocks_of_work_groups_count_as_those_of_fragments(void **state)
{
    (void)state;
    enum { SIDE = 64, ROW = 2, COLUMN = 1 };
    glnn_matrix *a = matrix_of(array_random(SIDE, SIDE, -1, 1), GLNN_LAYOUT_TILED);
    glnn_matrix *b = matrix_of(array_random(SIDE, SIDE, -1, 1), GLNN_LAYOUT_PACKED);
    glnn_matrix *c = matrix_zero(SIDE, SIDE, GLNN_LAYOUT_TILED);
    for (int operand = 0; operand < 2; ++operand) {
        array first = {0};
        for (size_t i = 0; i < COUNT_OF(plans); ++i) {
            glnn__plan plan = plans[i];
            plan.block_rows = SIDE / 4;
            const glnn__product product = {.a = a, .b = b, .c = c, .alpha = {.f = 1}};
            const glnn__pass pass = glnn__product_pass(&product, &plan, 0, SIDE, c);
            const glnn__counting counting = {operand, COLUMN, ROW,
                                             matrix_zero(SIDE, SIDE, GLNN_LAYOUT_PACKED)};
            expect_ok(glnn__pass_count_fetches(glnn_test_context(), &pass, &counting));
            const array counts = values_of(counting.counts);
            first = i == 0 ? counts : first;
            expect_same_bits(counts, first, "operand %d, plan %zu", operand, i);
        }
        assert_true(*at(first, 4 * ROW, glnn__layout_of(c)->block_columns * COLUMN) == 1);
    }
}

/* Dense, GELU and layer normalisation. */
static glnn_inspection *inspect_layers(glnn_layout layout)
{
    glnn_trainer *trainer = NULL;
    const glnn_dataset *data = dataset_of(samples_random(SAMPLE_COUNT, 13, ANSWERS, true));
    glnn_learner *network =
        network_of(&(glnn_network_desc){.features = 13,
                                        .layers = {{.units = 7},
                                                   {.kind = GLNN_LAYER_GELU},
                                                   {.kind = GLNN_LAYER_LAYER_NORM},
                                                   {.units = ANSWERS}},
                                        .layout = layout,
                                        .capacity = BATCH});
    expect_ok(glnn_trainer_create(network, data, &(glnn_train_desc){.batch = BATCH}, &trainer));
    learning_own(trainer, destroy_trainer);
    return inspection_of(trainer);
}

static void a_map_fetches_the_texels_of_its_block_and_a_sum_of_a_row_the_row(void **state)
{
    (void)state;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        glnn_inspection *inspection = inspect_layers(layout);
        const int map = find_pass(inspection, "forward", "layers/gelu", 1);
        const int sum = find_pass(inspection, "forward", "layers/sample_moments", 2);
        glnn_rect block, sums;
        expect_ok(glnn_inspection_get_block(inspection, map, 9, 5, &block));
        expect_ok(glnn_inspection_get_block(inspection, sum, 9, 0, &sums));
        const array of_map = fetches_of(inspection, map, 9, 5, 0, GLNN_LAYOUT_AUTO);
        const array of_sum = fetches_of(inspection, sum, 9, 0, 0, GLNN_LAYOUT_AUTO);
        for (int i = 0; i < BATCH; ++i)
            for (int j = 0; j < 7; ++j) {
                const bool in_rows = i >= block.row && i < block.row + block.rows;
                const bool in_columns = j >= block.column && j < block.column + block.columns;
                const bool in_sum = i >= sums.row && i < sums.row + sums.rows;
                assert_true(*at(of_map, i, j) == (in_rows && in_columns));
                assert_true((*at(of_sum, i, j) > 0) == in_sum);
            }
        release_learning();
    }
}

/* ---- Lives */

static void an_inspection_outlives_later_steps_and_all_that_it_is_about(void **state)
{
    (void)state;
    static const glnn_kernel_desc twice = {
        .name = "twice",
        .source = "float element(int row, int column) { return 2.0 * X_at(row, column); }",
        .operands = {"X"},
        .adjoint = "float element(int row, int column) { return 2.0 * DY_at(row, column); }"};
    glnn_context *ctx = glnn_test_context();
    glnn_dataset *data = dataset_create(samples_random(SAMPLE_COUNT, INPUTS, ANSWERS, true), 0);
    glnn_learner *network = NULL;
    glnn_trainer *trainer = NULL;
    glnn_inspection *inspection = NULL;
    expect_ok(glnn_network_create(
        ctx,
        &(glnn_network_desc){.features = INPUTS,
                             .layers = {{.units = HIDDEN},
                                        {.kind = GLNN_LAYER_FUNCTION, .function = &twice},
                                        {.units = ANSWERS}}},
        &network));
    expect_ok(glnn_trainer_create(network, data, &(glnn_train_desc){.batch = BATCH}, &trainer));
    expect_ok(glnn_inspection_create(trainer, &inspection));
    const int number = find_pass(inspection, "forward", "twice", 1);
    const array before = values_of(pass_of(inspection, 0).operands[0]);
    const array output = values_of(pass_of(inspection, number).output);
    expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
    glnn_trainer_destroy(trainer);
    glnn_learner_destroy(network);
    glnn_dataset_destroy(data);
    const glnn_pass_info pass = pass_of(inspection, number);
    expect_equal(pass_of(inspection, 0).operands[0], before, "samples");
    expect_equal(pass.output, output, "the output of the function");
    const array counts = fetches_of(inspection, number, 3, 3, 0, GLNN_LAYOUT_UNPACKED);
    assert_true(*at(counts, 3, 3) > 0 && *at(counts, 9, 3) == 0);
    glnn_inspection_destroy(inspection);
}

static size_t texture_bytes(void)
{
    glnn_context_info info = {.size = sizeof info};
    expect_ok(glnn_context_get_info(glnn_test_context(), &info));
    return info.texture_bytes;
}

static void the_memory_of_an_inspection_is_given_back(void **state)
{
    (void)state;
    const subject of = subject_of(NETWORK);
    const glnn_train_desc how = training_of(NETWORK);
    glnn_trainer *trainer = trainer_of(&of, dataset_of(some_samples()), &how);
    glnn_inspection *inspection;
    size_t first = 0;
    for (int i = 0; i < 4; ++i) {
        expect_ok(glnn_inspection_create(trainer, &inspection));
        expect_fetches(inspection, 1, "network");
        glnn_inspection_destroy(inspection);
        release_all();
        first = i == 0 ? texture_bytes() : first;
        assert_int_equal(texture_bytes(), first);
    }
}

static void without_room_for_copies_the_step_is_made(void **state)
{
    (void)state;
    const file_path plain = path_of("plain"), tight = path_of("tight");
    glnn_inspection *inspection;
    glnn_trainer *trainer = start_run(&runs[0], &runs[0].how);
    expect_ok(glnn_trainer_step(trainer, 2, 0, NULL, NULL));
    expect_ok(glnn_trainer_save_checkpoint(trainer, plain.text));
    context_use(context_new(0, 0)); /* whose textures are all in use */
    trainer = start_run(&runs[0], &runs[0].how);
    expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
    glnn_test_context()->info.texture_budget = texture_bytes();
    expect_error(glnn_inspection_create(trainer, &inspection), GLNN_E_LIMIT, "budget");
    assert_null(inspection);
    assert_int_equal(glnn_trainer_get_result(trainer)->steps, 2);
    expect_ok(glnn_trainer_save_checkpoint(trainer, tight.text));
    expect_same_checkpoints(plain.text, tight.text, "a step without copies");
}

/* ---- Errors */

static void what_is_not_there_is_refused_with_its_number(void **state)
{
    (void)state;
    glnn_trainer *trainer = linear_trainer(GLNN_LAYOUT_AUTO, INPUTS);
    glnn_inspection *inspection = inspection_of(trainer), *none;
    glnn_pass_info pass = {.size = sizeof pass};
    glnn_rect block;
    const char *text;
    const int count = glnn_inspection_get_pass_count(inspection);
    const int number = find_pass(inspection, "forward", "ops/gemm", 0);
    glnn_matrix *out = matrix_zero(BATCH, INPUTS, GLNN_LAYOUT_AUTO);
    char sentence[64];
    snprintf(sentence, sizeof sentence, "pass %d of a step of %d passes", count, count);
    expect_error(glnn_inspection_get_pass(inspection, count, &pass), GLNN_E_ARG, sentence);
    expect_error(glnn_inspection_get_shader(inspection, -1, &text), GLNN_E_ARG, "pass -1");
    expect_error(glnn_inspection_get_block(inspection, number, BATCH, 0, &block), GLNN_E_ARG,
                 "element (10, 0) of the output output, which is 10 x 8");
    expect_error(glnn_inspection_find_fetches(inspection, number, 0, -1, 0, out), GLNN_E_ARG,
                 "element (0, -1)");
    expect_error(glnn_inspection_find_fetches(inspection, number, 0, 0, 5, out), GLNN_E_ARG,
                 "has no operand 5");
    expect_error(glnn_inspection_find_fetches(inspection, number, 0, 0, 1, out), GLNN_E_SHAPE,
                 "out");
    pass.size = 1;
    expect_error(glnn_inspection_get_pass(inspection, 0, &pass), GLNN_E_ARG, "glnn_pass_info");
    expect_ok(glnn_trainer_step(trainer, 0, 0, NULL, NULL));
    expect_error(glnn_inspection_create(trainer, &none), GLNN_E_STATE,
                 "epoch 1 has no more steps; glnn_trainer_end_epoch ends it");
    assert_int_equal(glnn_inspection_get_pass_count(NULL), 0);
    glnn_inspection_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(an_inspected_step_has_the_bits_of_an_ordinary_one),
        LEARNING_TEST(every_kernel_of_a_step_has_a_text_and_fetches),
        LEARNING_TEST(the_copy_of_an_output_is_the_product_of_the_copies_of_its_operands),
        LEARNING_TEST(a_pass_that_adds_has_the_output_before_and_after),
        LEARNING_TEST(passes_that_see_the_same_numbers_have_the_same_copy),
        LEARNING_TEST(side_outputs_have_their_numbers_before_and_after),
        LEARNING_TEST(each_part_of_an_update_has_the_outputs_that_it_wrote),
        LEARNING_TEST(the_metrics_of_a_sample_fetch_its_row_of_the_outputs_alone),
        LEARNING_TEST(the_loss_of_a_sample_has_the_fetches_of_the_point_that_wrote_it),
        LEARNING_TEST(a_product_fetches_its_rows_and_its_columns),
        LEARNING_TEST(blocks_of_work_groups_count_as_those_of_fragments),
        LEARNING_TEST(a_map_fetches_the_texels_of_its_block_and_a_sum_of_a_row_the_row),
        LEARNING_TEST(an_inspection_outlives_later_steps_and_all_that_it_is_about),
        LEARNING_TEST(the_memory_of_an_inspection_is_given_back),
        LEARNING_TEST(without_room_for_copies_the_step_is_made),
        LEARNING_TEST(what_is_not_there_is_refused_with_its_number),
    };
    return cmocka_run_group_tests(tests, learner_files_setup, learner_files_teardown);
}
