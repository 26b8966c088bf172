/* Every public function whose argument belongs to a context, after that context was destroyed.
 * scripts/check_symbols.sh checks that none of these functions is missing here. */
#include "support/world.h"

#include <stdio.h>

static int failures;

/* The call fails with E_STATE and a sentence that begins with its name. All calls are tried before
 * the test fails. */
static void expect_refusal(glnn_status status, const char *function, int line)
{
    char start[64];
    snprintf(start, sizeof start, "%s: ", function);
    if (status == GLNN_E_STATE && strncmp(glnn_last_error(), start, strlen(start)) == 0 &&
        strstr(glnn_last_error(), "context") && strstr(glnn_last_error(), "was destroyed"))
        return;
    print_error("%s:%d: %s gives %s: %s\n", __FILE__, line, function, glnn_status_name(status),
                status ? glnn_last_error() : "");
    ++failures;
}

/* The name comes first, so that a tool finds it. */
#define REFUSES(function, arguments) expect_refusal(function arguments, #function, __LINE__)

static void contexts(world *w)
{
    glnn_context *ctx = w->ctx;
    glnn_context_info info = {.size = sizeof info};
    glnn_counters counters = {.size = sizeof counters};
    glnn_profile profile = {.size = sizeof profile};
    glnn_advice advice = {.size = sizeof advice};
    const glnn_advice_desc task = {.task = GLNN_TASK_MAP, .rows = 4, .columns = 4};
    double ratio;
    REFUSES(glnn_context_get_info, (ctx, &info));
    REFUSES(glnn_context_get_counters, (ctx, &counters));
    REFUSES(glnn_context_release, (ctx));
    REFUSES(glnn_context_begin, (ctx));
    REFUSES(glnn_context_end, (ctx));
    REFUSES(glnn_context_finish, (ctx));
    REFUSES(glnn_context_compare_stages, (ctx, &ratio));
    REFUSES(glnn_context_measure, (ctx));
    REFUSES(glnn_context_warm_up, (ctx, 0, NULL));
    REFUSES(glnn_context_set_tuning, (ctx, GLNN_TUNING_OFF));
    REFUSES(glnn_context_get_profile, (ctx, &profile));
    REFUSES(glnn_context_get_advice, (ctx, &task, &advice));
    REFUSES(glnn_selftest, (ctx, NULL, NULL, NULL));
    glnn_context_reset_counters(ctx);
    glnn_context_destroy(ctx);
}

static void matrices(world *w)
{
    glnn_context *ctx = w->ctx;
    glnn_matrix *matrix;
    glnn_download *download;
    glnn_texture_info texture = {.size = sizeof texture};
    REFUSES(glnn_matrix_create, (ctx, &(glnn_matrix_desc){.rows = 4, .columns = 4}, &matrix));
    REFUSES(glnn_matrix_adopt, (ctx, &(glnn_texture_desc){.texture = 1}, &matrix));
    REFUSES(glnn_matrix_upload, (ctx, w->a, NULL, w->floats, 0));
    REFUSES(glnn_matrix_download, (ctx, w->a, NULL, w->floats, 0));
    REFUSES(glnn_matrix_get_texture, (w->a, &texture));
    REFUSES(glnn_download_begin, (ctx, w->a, NULL, &download));
    assert_false(glnn_download_is_ready(w->download));
    REFUSES(glnn_download_end, (w->download, w->floats, 0));
    w->download = NULL;
    assert_int_equal(glnn_matrix_get_rows(w->a), 4);
    assert_int_equal(glnn_matrix_get_columns(w->a), 4);
    assert_int_equal(glnn_matrix_get_layout(w->a), GLNN_LAYOUT_TILED);
    assert_int_equal(glnn_matrix_get_storage(w->a), GLNN_STORAGE_FLOAT32);
    assert_string_equal(glnn_matrix_get_name(w->a), "a");
}

static void operations(world *w)
{
    glnn_context *ctx = w->ctx;
    glnn_matrix *a = w->a, *b = w->b, *c = w->c;
    glnn_kernel *kernel;
    glnn_list *list;
    char text[256];
    REFUSES(glnn_copy, (ctx, a, c));
    REFUSES(glnn_copy_rect, (ctx, a, NULL, c, 0, 0));
    REFUSES(glnn_transpose, (ctx, a, c));
    REFUSES(glnn_gather_rows, (ctx, a, b, 0, 4, c));
    REFUSES(glnn_scatter_add_rows, (ctx, 1, a, b, 0, c));
    REFUSES(glnn_gemm, (ctx, NULL, 1, a, b, 0, c));
    REFUSES(glnn_gemm_get_plan, (ctx, NULL, 1, a, b, 0, c, text, sizeof text));
    REFUSES(glnn_outer, (ctx, 1, a, b, 0, c));
    REFUSES(glnn_map_apply, (ctx, GLNN_MAP_TANH, a, c));
    REFUSES(glnn_map_apply_derivative, (ctx, GLNN_MAP_TANH, a, b, c));
    REFUSES(glnn_map_apply_expression, (ctx, "x", a, c));
    REFUSES(glnn_binary_apply, (ctx, GLNN_BINARY_ADD, a, b, c));
    REFUSES(glnn_axpby, (ctx, 1, a, 1, c));
    REFUSES(glnn_axpy, (ctx, 1, a, c));
    REFUSES(glnn_softmax, (ctx, a, c));
    REFUSES(glnn_fill, (ctx, 0, c));
    REFUSES(glnn_fill_uniform, (ctx, 1, 0, 1, c));
    REFUSES(glnn_fill_normal, (ctx, 1, 0, 1, c));
    REFUSES(glnn_reduce, (ctx, GLNN_REDUCTION_SUM, GLNN_AXIS_ALL, a, c));
    REFUSES(glnn_kernel_run, (w->kernel, NULL, c));
    REFUSES(glnn_kernel_create, (ctx, &(glnn_kernel_desc){.source = "element"}, &kernel));
    REFUSES(glnn_list_begin, (ctx, &list));
    REFUSES(glnn_list_end, (w->list));
    REFUSES(glnn_list_run, (w->list));
    REFUSES(glnn_image_distort, (ctx, NULL, 1, 0, a, c));
    REFUSES(glnn_image_blur, (ctx, (glnn_shape){1, 1, 4}, 1, a, c));
    REFUSES(glnn_image_normalise, (ctx, 1, a, c));
    REFUSES(glnn_image_gradients, (ctx, (glnn_shape){1, 1, 4}, a, c));
}

static void data_sets(world *w)
{
    glnn_dataset *data;
    const glnn_dataset_desc desc = {
        .samples = WORLD_SAMPLES, .features = WORLD_FEATURES, .inputs = w->inputs};
    REFUSES(glnn_dataset_create, (w->ctx, &desc, &data));
    REFUSES(glnn_dataset_create_from_matrices,
            (w->ctx, &(glnn_dataset_matrices_desc){.inputs = w->a}, &data));
    REFUSES(glnn_dataset_open, (w->ctx, "absent.npy", GLNN_DATASET_NPY, &desc, &data));
    assert_int_equal(glnn_dataset_get_samples(w->stream), WORLD_SAMPLES);
    assert_int_equal(glnn_dataset_get_features(w->data), WORLD_FEATURES);
    assert_int_equal(glnn_dataset_get_outputs(w->data), WORLD_CLASSES);
    assert_true(glnn_dataset_is_streamed(w->stream));
    glnn_stream_figures figures = {.size = sizeof figures};
    expect_ok(glnn_dataset_get_stream_figures(w->stream, &figures));
}

static void networks(world *w)
{
    glnn_learner *n = w->network, *other;
    const glnn_matrix *lent;
    glnn_trainer *trainer;
    const glnn_network_desc desc = *glnn_network_get_desc(n);
    REFUSES(glnn_network_create, (w->ctx, &desc, &other));
    REFUSES(glnn_learner_load, (w->ctx, "absent", NULL, &other));
    REFUSES(glnn_learner_load_parameters, (n, "absent"));
    REFUSES(glnn_learner_save, (n, "absent"));
    REFUSES(glnn_learner_export_c, (n, "absent", "name"));
    REFUSES(glnn_network_export_glsl, (n, "absent", "name"));
    REFUSES(glnn_learner_train, (n, w->data, NULL, NULL));
    REFUSES(glnn_trainer_create, (n, w->data, NULL, &trainer));
    REFUSES(glnn_learner_evaluate, (n, w->data, NULL, NULL));
    REFUSES(glnn_learner_predict, (n, 1, w->inputs, w->floats, NULL));
    REFUSES(glnn_learner_predict_matrix, (n, w->a, w->c));
    glnn_tensor_info info = {.size = sizeof info};
    REFUSES(glnn_learner_get_tensor_info, (n, 0, &info));
    REFUSES(glnn_learner_find_tensor, (n, "0.weight", &info));
    REFUSES(glnn_learner_get_tensor, (n, "0.bias", 3, w->floats));
    REFUSES(glnn_learner_set_tensor, (n, "0.bias", 3, w->floats));
    REFUSES(glnn_learner_get_tensor_matrix, (n, "0.weight", &lent));
    REFUSES(glnn_network_get_activation_matrix, (n, 0, &lent));
    double loss;
    REFUSES(glnn_network_compute_gradient, (n, w->data, 1, 0, &loss, w->floats));
    REFUSES(glnn_network_set_steps, (n, 1));
    REFUSES(glnn_network_forward, (n, w->a, true, NULL));
    REFUSES(glnn_network_backward, (n, w->c, NULL));
    REFUSES(glnn_network_backward_to_inputs, (n, w->c, w->c));
    REFUSES(glnn_network_update, (n, 0.1f));
    REFUSES(glnn_network_set_precision, (n, GLNN_PRECISION_FLOAT32));
    REFUSES(glnn_learner_set_preparation, (n, NULL));
    assert_int_equal(glnn_learner_get_outputs(n), WORLD_CLASSES);
    assert_int_equal(glnn_network_get_shape(n, 0).channels, 3);
    assert_int_equal(glnn_learner_get_tensor_count(n), 4);
    assert_int_equal(glnn_network_get_steps(n), 1);
    assert_null(glnn_learner_get_preparation(n));
}

static void trainers(world *w)
{
    glnn_trainer *t = w->trainer;
    glnn_inspection *inspection;
    glnn_rect block;
    const char *text;
    glnn_pass_info pass = {.size = sizeof pass};
    glnn_exchange_plan plan = {.size = sizeof plan};
    REFUSES(glnn_trainer_step, (t, 1, 0, NULL, NULL));
    REFUSES(glnn_trainer_warm_up, (t, 0, NULL));
    REFUSES(glnn_trainer_set_learning_rate, (t, 0.1f));
    REFUSES(glnn_trainer_update_report, (t));
    REFUSES(glnn_trainer_snapshot, (t));
    REFUSES(glnn_trainer_restore, (t));
    REFUSES(glnn_trainer_evaluate, (t, w->data, NULL, NULL));
    REFUSES(glnn_trainer_save, (t, "absent"));
    REFUSES(glnn_trainer_save_checkpoint, (t, "absent"));
    REFUSES(glnn_trainer_load_checkpoint, (t, "absent"));
    REFUSES(glnn_trainer_end_epoch, (t));
    assert_true(glnn_trainer_is_finished(t));
    assert_non_null(glnn_trainer_get_report(t));
    assert_non_null(glnn_trainer_get_result(t));
    assert_int_equal(glnn_trainer_get_pass_count(t), 0);
    REFUSES(glnn_trainer_get_pass, (t, 0, &pass));
    REFUSES(glnn_inspection_create, (t, &inspection));
    inspection = w->inspection;
    assert_true(glnn_inspection_get_pass_count(inspection) > 0);
    REFUSES(glnn_inspection_get_pass, (inspection, 0, &pass));
    REFUSES(glnn_inspection_get_shader, (inspection, 0, &text));
    REFUSES(glnn_inspection_get_block, (inspection, 0, 0, 0, &block));
    REFUSES(glnn_inspection_find_fetches, (inspection, 0, 0, 0, 0, w->a));
    expect_ok(glnn_trainer_get_exchange_plan(t, &plan));
}

static void classifiers(world *w)
{
    glnn_learner *l = w->lvq, *other;
    glnn_trainer *trainer;
    const glnn_lvq_desc desc = *glnn_lvq_get_desc(l);
    REFUSES(glnn_lvq_create, (w->ctx, &desc, &other));
    REFUSES(glnn_learner_load, (w->ctx, "absent", NULL, &other));
    REFUSES(glnn_learner_load_parameters, (l, "absent"));
    REFUSES(glnn_learner_save, (l, "absent"));
    REFUSES(glnn_learner_export_c, (l, "absent", "name"));
    REFUSES(glnn_learner_initialise, (l, w->data));
    REFUSES(glnn_learner_train, (l, w->data, NULL, NULL));
    REFUSES(glnn_trainer_create, (l, w->data, NULL, &trainer));
    REFUSES(glnn_learner_evaluate, (l, w->data, NULL, NULL));
    REFUSES(glnn_learner_predict, (l, 1, w->inputs, w->floats, NULL));
    REFUSES(glnn_learner_predict_matrix, (l, w->a, w->column));
    REFUSES(glnn_learner_find_nearest, (l, 1, w->inputs, 1, w->ints, NULL));
    REFUSES(glnn_learner_get_tensor, (l, "classes", WORLD_CLASSES, w->floats));
    REFUSES(glnn_learner_set_tensor, (l, "classes", WORLD_CLASSES, w->floats));
    REFUSES(glnn_lvq_set_epochs, (l, 1));
    glnn_metrics metrics;
    REFUSES(glnn_lvq_backward, (l, w->a, w->column, NULL));
    REFUSES(glnn_lvq_update, (l, 0.1f));
    REFUSES(glnn_lvq_take_metrics, (l, &metrics));
    REFUSES(glnn_learner_set_preparation, (l, NULL));
    assert_int_equal(glnn_learner_get_outputs(l), WORLD_CLASSES);
    assert_true(glnn_lvq_get_epochs(l) > 0);
    assert_null(glnn_learner_get_preparation(l));
}

static void clusters(world *w)
{
    glnn_learner *k = w->kmeans, *other;
    glnn_trainer *trainer;
    const glnn_kmeans_desc desc = *glnn_kmeans_get_desc(k);
    REFUSES(glnn_kmeans_create, (w->ctx, &desc, &other));
    REFUSES(glnn_learner_load, (w->ctx, "absent", NULL, &other));
    REFUSES(glnn_learner_load_parameters, (k, "absent"));
    REFUSES(glnn_learner_save, (k, "absent"));
    REFUSES(glnn_learner_export_c, (k, "absent", "name"));
    REFUSES(glnn_learner_initialise, (k, w->data));
    REFUSES(glnn_learner_train, (k, w->data, NULL, NULL));
    REFUSES(glnn_trainer_create, (k, w->data, NULL, &trainer));
    REFUSES(glnn_learner_evaluate, (k, w->data, NULL, NULL));
    REFUSES(glnn_learner_predict, (k, 1, w->inputs, w->floats, NULL));
    REFUSES(glnn_learner_predict_matrix, (k, w->a, w->column));
    REFUSES(glnn_learner_find_nearest, (k, 1, w->inputs, 1, w->ints, NULL));
    REFUSES(glnn_learner_set_preparation, (k, NULL));
    REFUSES(glnn_learner_get_tensor, (k, "sizes", 3, w->floats));
    REFUSES(glnn_learner_set_tensor, (k, "sizes", 3, w->floats));
    assert_int_equal(glnn_learner_get_outputs(k), 3);
    assert_null(glnn_learner_get_preparation(k));
}

static void mixtures(world *w)
{
    glnn_learner *g = w->gmm, *other;
    glnn_trainer *trainer;
    const glnn_gmm_desc desc = *glnn_gmm_get_desc(g);
    REFUSES(glnn_gmm_create, (w->ctx, &desc, &other));
    REFUSES(glnn_learner_load, (w->ctx, "absent", NULL, &other));
    REFUSES(glnn_learner_load_parameters, (g, "absent"));
    REFUSES(glnn_learner_save, (g, "absent"));
    REFUSES(glnn_learner_initialise, (g, w->data));
    REFUSES(glnn_learner_train, (g, w->data, NULL, NULL));
    REFUSES(glnn_trainer_create, (g, w->data, NULL, &trainer));
    REFUSES(glnn_learner_evaluate, (g, w->data, NULL, NULL));
    REFUSES(glnn_learner_predict, (g, 1, w->inputs, w->floats, NULL));
    REFUSES(glnn_learner_predict_matrix, (g, w->a, w->column));
    REFUSES(glnn_gmm_compute_densities, (g, 1, w->inputs, w->floats, NULL));
    REFUSES(glnn_learner_set_preparation, (g, NULL));
    REFUSES(glnn_learner_get_tensor, (g, "weights", 2, w->floats));
    REFUSES(glnn_learner_set_tensor, (g, "weights", 2, w->floats));
    assert_int_equal(glnn_learner_get_outputs(g), 2);
    assert_null(glnn_learner_get_preparation(g));
}

static void projections(world *w)
{
    glnn_projection *p = w->projection, *other;
    const glnn_preparation preparation = {0};
    REFUSES(glnn_pca_fit, (w->ctx, NULL, 4, 4, w->inputs, &other));
    REFUSES(glnn_lda_fit, (w->ctx, NULL, 4, 4, w->inputs, w->labels, 2, &other));
    REFUSES(glnn_projection_load, (w->ctx, "absent", &other));
    REFUSES(glnn_preparation_apply, (w->ctx, &preparation, 4, w->inputs, w->floats));
    if (!p)
        return;
    glnn_preparation copies_numbers = {.columns.features = WORLD_FEATURES};
    expect_ok(glnn_preparation_set_projection(&copies_numbers, p));
    glnn_preparation_free(&copies_numbers);
    REFUSES(glnn_projection_apply, (p, 4, w->inputs, w->floats));
    REFUSES(glnn_projection_apply_matrix, (p, w->a, w->b));
    REFUSES(glnn_projection_save, (p, "absent"));
    assert_int_equal(glnn_projection_get_features(p), WORLD_FEATURES);
    assert_int_equal(glnn_projection_get_components(p), 2);
    assert_non_null(glnn_projection_get_mean(p));
    assert_non_null(glnn_projection_get_directions(p));
    assert_non_null(glnn_projection_get_eigenvalues(p));
}

static void everything_fails_after_its_context_and_can_be_destroyed(void **state)
{
    (void)state;
    world *w = world_create();
    glnn_context_destroy(w->ctx);
    contexts(w);
    matrices(w);
    operations(w);
    data_sets(w);
    networks(w);
    trainers(w);
    classifiers(w);
    clusters(w);
    mixtures(w);
    projections(w);
    world_destroy(w);
    log_clear();
    assert_int_equal(failures, 0);
}

static bool destroy_context(void *user, const glnn_report *report)
{
    (void)report;
    glnn_context_destroy(user);
    return true;
}

static void lose_context_while_training(bool streams, bool restores)
{
    world *w = world_create();
    const glnn_train_desc desc = {.epochs = 3,
                                  .batch = 8,
                                  .validation = w->data,
                                  .restore_best = restores,
                                  .report = destroy_context,
                                  .user = w->ctx};
    glnn_trainer_destroy(w->trainer);
    w->trainer = NULL;
    expect_error(glnn_learner_train(w->network, streams ? w->stream : w->data, &desc, NULL),
                 GLNN_E_STATE, "context was destroyed");
    world_destroy(w);
}

static void training_fails_when_its_report_destroys_the_context(void **state)
{
    (void)state;
    lose_context_while_training(false, false);
    lose_context_while_training(true, true);
    log_clear();
}

/* The warnings of the library, each in a line. */
typedef struct warnings {
    char text[4096];
    int count;
} warnings;

static void note_warning(void *user, glnn_log_level level, const char *message)
{
    warnings *noted = user;
    if (level != GLNN_LOG_WARNING)
        return;
    const size_t used = strlen(noted->text);
    snprintf(noted->text + used, sizeof noted->text - used, "%s\n", message);
    ++noted->count;
}

static warnings destroy_watched(glnn_context *ctx)
{
    warnings noted = {.count = 0};
    glnn_log_set(note_warning, &noted);
    glnn_context_destroy(ctx);
    glnn_log_set(NULL, NULL);
    return noted;
}

static void expect_line(const warnings *noted, const char *object)
{
    char line[256];
    snprintf(line, sizeof line, "glnn_context_destroy: %s\n", object);
    const char *found = strstr(noted->text, line);
    if (!found || strstr(found + 1, line))
        fail_msg("not one line about %s in:\n%s", object, noted->text);
}

static void each_object_of_the_program_that_still_exists_is_reported_once(void **state)
{
    (void)state;
    static const char *const objects[] = {
        "a matrix still exists: a (4 x 4, tiled, float32)",
        "a matrix still exists: b (4 x 4, tiled, float32)",
        "a matrix still exists: c (4 x 4, tiled, float32)",
        "a matrix still exists: column (4 x 1, tiled, float32)",
        "a network still exists: 2 layers for 4 features",
        "a classifier still exists: gmlvq with 2 prototypes",
        "a k-means still exists: 3 centres",
        "a mixture still exists: 2 components",
        "a support vector machine still exists: 2 classes of 4 features",
        "a trainer still exists",
        "an inspection still exists",
        "a kernel still exists: twice",
        "a list of operations still exists",
    };
    world *w = world_create();
    const warnings noted = destroy_watched(w->ctx);
    for (size_t i = 0; i < COUNT_OF(objects); ++i)
        expect_line(&noted, objects[i]);
    if (w->projection)
        expect_line(&noted, "a projection still exists: 2 components of 4 features");
    const int sets = 2, projections = w->projection != NULL;
    assert_int_equal(noted.count, (int)COUNT_OF(objects) + sets + projections);
    world_destroy(w);
}

static void objects_that_were_destroyed_are_not_reported(void **state)
{
    (void)state;
    world *w = world_create();
    glnn_context *ctx = w->ctx;
    w->ctx = NULL;
    world_destroy(w);
    assert_int_equal(destroy_watched(ctx).count, 0);
}

static void a_matrix_that_a_data_set_alone_uses_is_not_reported(void **state)
{
    (void)state;
    glnn_context *ctx;
    glnn_matrix *inputs;
    glnn_dataset *data;
    const glnn_matrix_desc desc = {.rows = 4, .columns = 4};
    expect_ok(glnn_context_create(NULL, &ctx));
    expect_ok(glnn_matrix_create(ctx, &desc, &inputs));
    expect_ok(glnn_dataset_create_from_matrices(
        ctx, &(glnn_dataset_matrices_desc){.inputs = inputs, .name = "letters"}, &data));
    glnn_matrix_destroy(inputs);
    const warnings noted = destroy_watched(ctx);
    expect_line(&noted, "a data set still exists: letters");
    assert_int_equal(noted.count, 1);
    glnn_dataset_destroy(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(everything_fails_after_its_context_and_can_be_destroyed),
        TEST(training_fails_when_its_report_destroys_the_context),
        TEST(each_object_of_the_program_that_still_exists_is_reported_once),
        TEST(objects_that_were_destroyed_are_not_reported),
        TEST(a_matrix_that_a_data_set_alone_uses_is_not_reported),
    };
    return cmocka_run_group_tests_name("interface_context", tests, test_group_setup,
                                       test_group_teardown);
}
