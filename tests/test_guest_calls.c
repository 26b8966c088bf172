/* Every public function whose argument belongs to a context, in an adopted one: all state of the
 * host is the same after the call. scripts/check_symbols.sh checks that no function is missing. */
#include <stdio.h>
#include <string.h>

#include "support/folder.h"
#include "support/guest.h"
#include "support/odd_state.h"
#include "support/world.h"

static snapshot *before;

static void check_call(glnn_status status, const char *function, int line)
{
    if (status != GLNN_OK)
        fail_at(__FILE__, line, "%s gives %s: %s", function, glnn_status_name(status),
                glnn_last_error());
    snapshot_check_call(before, function);
}

/* The name comes first, so that a tool finds it. NEXT is for functions that return no status. */
#define CALL(function, arguments) check_call(function arguments, #function, __LINE__)
#define NEXT(function, arguments)                                                                  \
    do {                                                                                           \
        (void)(function arguments);                                                                \
        snapshot_check_call(before, #function);                                                    \
    } while (0)

static void contexts(world *w)
{
    glnn_context *ctx = w->ctx, *second;
    glnn_context_info info = {.size = sizeof info};
    glnn_counters counters = {.size = sizeof counters};
    glnn_profile profile = {.size = sizeof profile};
    glnn_advice advice = {.size = sizeof advice};
    const glnn_advice_desc task = {.task = GLNN_TASK_MAP, .rows = 4, .columns = 4};
    double ratio;
    CALL(glnn_context_create, (&(glnn_context_desc){.platform = GLNN_PLATFORM_ADOPT}, &second));
    NEXT(glnn_context_destroy, (second));
    CALL(glnn_context_get_info, (ctx, &info));
    CALL(glnn_context_get_counters, (ctx, &counters));
    NEXT(glnn_context_reset_counters, (ctx));
    expect_ok(glnn_context_begin(ctx));
    expect_ok(glnn_fill(ctx, 1, w->a));
    CALL(glnn_context_end, (ctx));
    CALL(glnn_context_begin, (ctx)); /* saves state when a call is about to change it */
    CALL(glnn_context_end, (ctx));
    CALL(glnn_context_finish, (ctx));
    CALL(glnn_context_release, (ctx));
    CALL(glnn_context_compare_stages, (ctx, &ratio));
    CALL(glnn_context_measure, (ctx));
    CALL(glnn_context_warm_up, (ctx, 0, NULL));
    CALL(glnn_context_set_tuning, (ctx, GLNN_TUNING_OFF));
    CALL(glnn_context_get_profile, (ctx, &profile));
    CALL(glnn_context_get_advice, (ctx, &task, &advice));
}

static GLuint small_texture(void)
{
    GLuint texture;
    GLint former = 0;
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &former);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 4, 4);
    glBindTexture(GL_TEXTURE_2D, (GLuint)former);
    return texture;
}

/* Operations on textures have a test of their own. */
static void textures(world *w)
{
    const GLuint texture = small_texture();
    glnn_matrix *matrix;
    CALL(glnn_matrix_adopt, (w->ctx, &(glnn_texture_desc){.texture = texture}, &matrix));
    CALL(glnn_fill, (w->ctx, 1, matrix));
    CALL(glnn_matrix_upload, (w->ctx, matrix, NULL, w->inputs, 0));
    CALL(glnn_matrix_download, (w->ctx, matrix, NULL, w->floats, 0));
    NEXT(glnn_matrix_destroy, (matrix));
    glDeleteTextures(1, &texture);
}

static void matrices(world *w)
{
    glnn_context *ctx = w->ctx;
    glnn_matrix *matrix;
    glnn_download *download;
    glnn_texture_info info = {.size = sizeof info};
    CALL(glnn_matrix_create, (ctx, &(glnn_matrix_desc){.rows = 4, .columns = 4}, &matrix));
    CALL(glnn_matrix_upload, (ctx, matrix, NULL, w->inputs, 0));
    CALL(glnn_matrix_download, (ctx, matrix, NULL, w->floats, 0));
    CALL(glnn_matrix_get_texture, (matrix, &info));
    CALL(glnn_download_begin, (ctx, matrix, NULL, &download));
    NEXT(glnn_download_is_ready, (download));
    CALL(glnn_download_end, (download, w->floats, 0));
    NEXT(glnn_matrix_get_rows, (matrix));
    NEXT(glnn_matrix_get_columns, (matrix));
    NEXT(glnn_matrix_get_layout, (matrix));
    NEXT(glnn_matrix_get_storage, (matrix));
    NEXT(glnn_matrix_get_name, (matrix));
    NEXT(glnn_matrix_destroy, (matrix));
}

static void kernels(world *w)
{
    const glnn_kernel_desc desc = {.source = "float element(int row, int column) { return 1.0; }"};
    glnn_kernel *kernel;
    glnn_list *list;
    CALL(glnn_kernel_create, (w->ctx, &desc, &kernel));
    CALL(glnn_kernel_run, (kernel, NULL, w->c));
    CALL(glnn_list_begin, (w->ctx, &list));
    CALL(glnn_kernel_run, (kernel, NULL, w->b));
    CALL(glnn_gemm, (w->ctx, NULL, 1, w->a, w->b, 0, w->c));
    CALL(glnn_list_end, (list));
    CALL(glnn_list_run, (list));
    NEXT(glnn_list_destroy, (list));
    NEXT(glnn_kernel_destroy, (kernel));
}

static void operations(world *w)
{
    glnn_context *ctx = w->ctx;
    glnn_matrix *a = w->a, *b = w->b, *c = w->c;
    char text[256];
    CALL(glnn_copy, (ctx, a, c));
    CALL(glnn_copy_rect, (ctx, a, NULL, c, 0, 0));
    CALL(glnn_transpose, (ctx, a, c));
    CALL(glnn_gather_rows, (ctx, a, w->column, 0, 4, c));
    CALL(glnn_scatter_add_rows, (ctx, 1, a, w->column, 0, c));
    CALL(glnn_gemm, (ctx, NULL, 1, a, b, 0, c));
    CALL(glnn_gemm_get_plan, (ctx, NULL, 1, a, b, 0, c, text, sizeof text));
    CALL(glnn_outer, (ctx, 1, w->column, w->column, 0, c));
    CALL(glnn_map_apply, (ctx, GLNN_MAP_TANH, a, c));
    CALL(glnn_map_apply_derivative, (ctx, GLNN_MAP_TANH, a, b, c));
    CALL(glnn_map_apply_expression, (ctx, "x + 1.0", a, c));
    CALL(glnn_binary_apply, (ctx, GLNN_BINARY_ADD, a, b, c));
    CALL(glnn_axpby, (ctx, 1, a, 1, c));
    CALL(glnn_axpy, (ctx, 1, a, c));
    CALL(glnn_softmax, (ctx, a, c));
    CALL(glnn_fill, (ctx, 0, c));
    CALL(glnn_fill_uniform, (ctx, 1, 0, 1, c));
    CALL(glnn_fill_normal, (ctx, 1, 0, 1, c));
    CALL(glnn_reduce, (ctx, GLNN_REDUCTION_SUM, GLNN_AXIS_ROWS, a, w->column));
}

static void images(world *w)
{
    glnn_distortion distortion = {.shape = {1, 2, 2}};
    expect_ok(glnn_distortion_add(&distortion, GLNN_DISTORTION_AFFINE));
    CALL(glnn_image_distort, (w->ctx, &distortion, 1, 0, w->a, w->c));
    CALL(glnn_image_blur, (w->ctx, (glnn_shape){1, 2, 2}, 1, w->a, w->c));
    CALL(glnn_image_normalise, (w->ctx, 1, w->a, w->c));
    glnn_matrix *gradients;
    expect_ok(glnn_matrix_create(
        w->ctx, &(glnn_matrix_desc){.rows = 4, .columns = GLNN_IMAGE_GRADIENTS}, &gradients));
    CALL(glnn_image_gradients, (w->ctx, (glnn_shape){1, 2, 2}, w->a, gradients));
    glnn_matrix_destroy(gradients);
}

static void data_sets(world *w)
{
    glnn_dataset *data;
    const glnn_dataset_desc desc = {
        .samples = WORLD_SAMPLES, .features = WORLD_FEATURES, .inputs = w->inputs};
    expect_ok(glnn_npy_write("inputs.npy", WORLD_SAMPLES, WORLD_FEATURES, w->inputs, 0));
    CALL(glnn_dataset_open,
         (w->ctx, "inputs.npy", GLNN_DATASET_NPY,
          &(glnn_dataset_desc){.samples = WORLD_SAMPLES, .features = WORLD_FEATURES}, &data));
    NEXT(glnn_dataset_destroy, (data));
    CALL(glnn_dataset_create_from_matrices,
         (w->ctx, &(glnn_dataset_matrices_desc){.inputs = w->a}, &data));
    NEXT(glnn_dataset_destroy, (data));
    CALL(glnn_dataset_create, (w->ctx, &desc, &data));
    NEXT(glnn_dataset_destroy, (data));
    CALL(glnn_dataset_create_from_matrices,
         (w->ctx, &(glnn_dataset_matrices_desc){.inputs = w->a, .targets = w->b}, &data));
    NEXT(glnn_dataset_get_samples, (data));
    NEXT(glnn_dataset_get_features, (data));
    NEXT(glnn_dataset_get_outputs, (data));
    NEXT(glnn_dataset_is_streamed, (data));
    CALL(glnn_dataset_get_stream_figures,
         (data, &(glnn_stream_figures){.size = sizeof(glnn_stream_figures)}));
    NEXT(glnn_dataset_destroy, (data));
}

static void projections(world *w)
{
    glnn_projection *p;
    glnn_preparation preparation = {.columns.features = WORLD_FEATURES};
    if (!w->projection) /* a library without LAPACK */
        return;
    CALL(glnn_lda_fit,
         (w->ctx, NULL, WORLD_SAMPLES, WORLD_FEATURES, w->inputs, w->labels, WORLD_CLASSES, &p));
    NEXT(glnn_projection_destroy, (p));
    CALL(glnn_pca_fit,
         (w->ctx, &(glnn_pca_desc){.components = 4}, WORLD_SAMPLES, WORLD_FEATURES, w->inputs, &p));
    CALL(glnn_projection_apply, (p, 4, w->inputs, w->floats));
    CALL(glnn_projection_apply_matrix, (p, w->a, w->b));
    CALL(glnn_projection_save, (p, "projection"));
    NEXT(glnn_projection_get_features, (p));
    NEXT(glnn_projection_get_components, (p));
    NEXT(glnn_projection_get_mean, (p));
    NEXT(glnn_projection_get_directions, (p));
    NEXT(glnn_projection_get_eigenvalues, (p));
    CALL(glnn_preparation_set_projection, (&preparation, p));
    CALL(glnn_preparation_apply, (w->ctx, &preparation, 4, w->inputs, w->floats));
    glnn_preparation_free(&preparation);
    NEXT(glnn_projection_destroy, (p));
    CALL(glnn_projection_load, (w->ctx, "projection", &p));
    NEXT(glnn_projection_destroy, (p));
}

static void tensors(world *w, glnn_learner *one)
{
    glnn_tensor_info info = {.size = sizeof info};
    for (int i = 0; i < glnn_learner_get_tensor_count(one); ++i) {
        CALL(glnn_learner_get_tensor_info, (one, i, &info));
        CALL(glnn_learner_find_tensor, (one, info.name, &info));
        CALL(glnn_learner_get_tensor, (one, info.name, info.count, w->floats));
        CALL(glnn_learner_set_tensor, (one, info.name, info.count, w->floats));
    }
    NEXT(glnn_learner_get_tensor_count, (one));
}

/* The functions that every learner has; `one` is destroyed. */
static void every(world *w, glnn_learner *one)
{
    const glnn_train_desc once = {.epochs = 1};
    glnn_trainer *trainer;
    CALL(glnn_learner_train, (one, w->data, &once, NULL));
    CALL(glnn_learner_evaluate, (one, w->data, NULL, NULL));
    CALL(glnn_learner_predict, (one, 5, w->inputs, w->floats, NULL));
    CALL(glnn_trainer_create, (one, w->data, &once, &trainer));
    NEXT(glnn_trainer_destroy, (trainer));
    tensors(w, one);
    CALL(glnn_learner_set_preparation, (one, NULL));
    NEXT(glnn_learner_get_preparation, (one));
    NEXT(glnn_learner_get_kind, (one));
    NEXT(glnn_learner_get_features, (one));
    NEXT(glnn_learner_get_outputs, (one));
    CALL(glnn_learner_save, (one, "learner"));
    CALL(glnn_learner_load_parameters, (one, "learner"));
    NEXT(glnn_learner_destroy, (one));
    CALL(glnn_learner_load, (w->ctx, "learner", NULL, &one));
    NEXT(glnn_learner_destroy, (one));
}

#define LEARNER(kind)                                                                              \
    static void every_##kind(world *w)                                                             \
    {                                                                                              \
        glnn_learner *one;                                                                         \
        CALL(glnn_##kind##_create, (w->ctx, glnn_##kind##_get_desc(w->kind), &one));               \
        NEXT(glnn_##kind##_get_desc, (one));                                                       \
        every(w, one);                                                                             \
    }

LEARNER(network)
LEARNER(lvq)
LEARNER(kmeans)
LEARNER(gmm)
LEARNER(svm)

static void networks(world *w)
{
    double loss;
    glnn_learner *n;
    glnn_matrix *outputs;
    const glnn_matrix *lent;
    const glnn_network_desc desc = {
        .features = WORLD_FEATURES,
        .layers = {{.units = 3}, {.kind = GLNN_LAYER_BATCH_NORM}, {.units = WORLD_CLASSES}},
        .optimizer = {.kind = GLNN_OPTIMIZER_ADAM}};
    CALL(glnn_matrix_create,
         (w->ctx, &(glnn_matrix_desc){.rows = 4, .columns = WORLD_CLASSES}, &outputs));
    CALL(glnn_network_create, (w->ctx, &desc, &n));
    CALL(glnn_learner_train, (n, w->stream, &(glnn_train_desc){.epochs = 1, .batch = 8}, NULL));
    CALL(glnn_learner_export_c, (n, "network.c", "network"));
    CALL(glnn_network_export_glsl, (n, "network.glsl", "network"));
    CALL(glnn_learner_predict_matrix, (n, w->a, outputs));
    CALL(glnn_learner_get_tensor_matrix, (n, "0.weight", &lent));
    CALL(glnn_network_get_activation_matrix, (n, 0, &lent));
    tensors(w, n);
    CALL(glnn_network_compute_gradient, (n, w->data, 8, 0, &loss, w->floats));
    CALL(glnn_network_set_steps, (n, 1));
    CALL(glnn_network_forward, (n, w->a, true, outputs));
    CALL(glnn_network_backward, (n, outputs, NULL));
    CALL(glnn_network_backward_to_inputs, (n, outputs, w->a));
    CALL(glnn_network_update, (n, 0.1f));
    CALL(glnn_network_set_precision, (n, GLNN_PRECISION_FLOAT32));
    NEXT(glnn_network_get_shape, (n, 0));
    NEXT(glnn_network_get_steps, (n));
    NEXT(glnn_learner_destroy, (n));
    glnn_matrix_destroy(outputs);
}

static void inspections(world *w)
{
    glnn_inspection *inspection;
    glnn_matrix *out;
    glnn_pass_info pass = {.size = sizeof pass};
    glnn_rect block;
    const char *text;
    CALL(glnn_inspection_create, (w->trainer, &inspection));
    NEXT(glnn_inspection_get_pass_count, (inspection));
    CALL(glnn_inspection_get_pass, (inspection, 1, &pass));
    CALL(glnn_inspection_get_shader, (inspection, 1, &text));
    CALL(glnn_inspection_get_block, (inspection, 1, 0, 0, &block));
    expect_ok(glnn_matrix_create(
        w->ctx,
        &(glnn_matrix_desc){.rows = glnn_matrix_get_rows(pass.operands[0]),
                            .columns = glnn_matrix_get_columns(pass.operands[0])},
        &out));
    CALL(glnn_inspection_find_fetches, (inspection, 1, 0, 0, 0, out));
    NEXT(glnn_inspection_destroy, (inspection));
    glnn_matrix_destroy(out);
}

static void trainers(world *w)
{
    glnn_trainer *t = w->trainer;
    glnn_exchange_plan plan = {.size = sizeof plan};
    glnn_pass_info pass = {.size = sizeof pass};
    CALL(glnn_trainer_warm_up, (t, 0, NULL));
    CALL(glnn_trainer_step, (t, 1, 0, NULL, NULL));
    CALL(glnn_trainer_set_learning_rate, (t, 0.1f));
    CALL(glnn_trainer_update_report, (t));
    CALL(glnn_trainer_snapshot, (t));
    CALL(glnn_trainer_restore, (t));
    CALL(glnn_trainer_evaluate, (t, w->data, NULL, NULL));
    CALL(glnn_trainer_save, (t, "trainer"));
    CALL(glnn_trainer_save_checkpoint, (t, "checkpoint"));
    CALL(glnn_trainer_load_checkpoint, (t, "checkpoint"));
    CALL(glnn_trainer_step, (t, 1000, 0, NULL, NULL));
    CALL(glnn_trainer_end_epoch, (t));
    NEXT(glnn_trainer_is_finished, (t));
    NEXT(glnn_trainer_get_report, (t));
    NEXT(glnn_trainer_get_result, (t));
    NEXT(glnn_trainer_get_pass_count, (t));
    CALL(glnn_trainer_get_pass, (t, 0, &pass));
    inspections(w);
    CALL(glnn_trainer_get_exchange_plan, (t, &plan));
    NEXT(glnn_trainer_destroy, (t));
    w->trainer = NULL;
}

static void classifiers(world *w)
{
    static const glnn_lvq_kind others[] = {GLNN_LVQ_GRLVQ, GLNN_LVQ_OLVQ1};
    glnn_learner *l = w->lvq, *other;
    CALL(glnn_learner_initialise, (l, w->data));
    CALL(glnn_learner_export_c, (l, "lvq.c", "lvq"));
    CALL(glnn_learner_predict_matrix, (l, w->a, w->column));
    CALL(glnn_learner_find_nearest, (l, 1, w->inputs, 1, w->ints, NULL));
    CALL(glnn_lvq_set_epochs, (l, 1));
    glnn_metrics metrics;
    CALL(glnn_lvq_backward, (l, w->a, w->column, w->c));
    CALL(glnn_lvq_update, (l, 0.1f));
    CALL(glnn_lvq_take_metrics, (l, &metrics));
    NEXT(glnn_lvq_get_epochs, (l));
    for (int i = 0; i < 2; ++i) {
        const glnn_lvq_desc desc = {
            .kind = others[i], .features = WORLD_FEATURES, .classes = WORLD_CLASSES};
        CALL(glnn_lvq_create, (w->ctx, &desc, &other));
        CALL(glnn_learner_initialise, (other, w->data));
        tensors(w, other);
        NEXT(glnn_learner_destroy, (other));
    }
}

static void clusters(world *w)
{
    glnn_learner *k = w->kmeans;
    CALL(glnn_learner_initialise, (k, w->data));
    CALL(glnn_learner_export_c, (k, "kmeans.c", "kmeans"));
    CALL(glnn_learner_predict_matrix, (k, w->a, w->column));
    CALL(glnn_learner_find_nearest, (k, 1, w->inputs, 1, w->ints, NULL));
}

static void mixtures(world *w)
{
    glnn_learner *g = w->gmm;
    CALL(glnn_learner_initialise, (g, w->data));
    CALL(glnn_learner_predict_matrix, (g, w->a, w->column));
    CALL(glnn_gmm_compute_densities, (g, 1, w->inputs, w->floats, NULL));
}

static void support_vector_machines(world *w)
{
    glnn_learner *s = w->svm;
    glnn_matrix *outputs;
    CALL(glnn_matrix_create,
         (w->ctx, &(glnn_matrix_desc){.rows = 4, .columns = WORLD_CLASSES}, &outputs));
    CALL(glnn_learner_export_c, (s, "svm.c", "svm"));
    CALL(glnn_learner_predict_matrix, (s, w->a, outputs));
    glnn_matrix_destroy(outputs);
}

/* Of a self-test: failures, the sentence about the context, and the columns of one row. */
typedef struct tested {
    char failures[1024];
    bool is_adopted;
    int columns;
} tested;

static void keep_line(void *user, const char *line)
{
    static const char row[] = "gemm_nn ";
    const size_t name = 40;
    tested *of = user;
    char words[2][64];
    if (strstr(line, "FAILED") || line[0] == ' ')
        strncat(of->failures, line, sizeof of->failures - 1 - strlen(of->failures));
    if (strstr(line, "adopted context: its own stage alone is tested"))
        of->is_adopted = true;
    if (strncmp(line, row, sizeof row - 1) == 0)
        of->columns = sscanf(line + name, "%63s%63s", words[0], words[1]);
}

static void self_test(world *w)
{
    tested found = {.columns = 0};
    glnn_selftest_report report = {.size = sizeof report};
    CALL(glnn_selftest, (w->ctx, keep_line, &found, &report));
    if (report.failed > 0)
        fail_msg("%s", found.failures);
    assert_true(report.results > 0);
    assert_true(found.is_adopted);
    assert_int_equal(report.ways, 1);
    assert_int_equal(found.columns, 1);
}

static world *enter_host(bool compatibility)
{
    host = foreign_headless_of(compatibility);
    world *w = world_create_in(&(glnn_context_desc){.platform = GLNN_PLATFORM_ADOPT});
    set_odd_state();
    before = snapshot_take();
    assert_true(snapshot_count(before) > 2000);
    return w;
}

static void leave_host_of(world *w)
{
    world_destroy(w);
    snapshot_check(before);
    snapshot_free(before);
    leave_odd_state();
    foreign_end(&host);
}

static void call_every_function(world *w)
{
    static void (*const parts[])(world *) = {
        textures,    matrices,      operations, images,
        data_sets,   projections,   trainers,   networks,
        clusters,    every_network, every_lvq,  every_kmeans,
        every_gmm,   every_svm,     mixtures,   support_vector_machines,
        classifiers, contexts,      kernels};
    for (size_t i = 0; i < COUNT_OF(parts); ++i)
        parts[i](w);
}

static void every_public_function_leaves_the_state_of_a_core_profile(void **state)
{
    (void)state;
    world *w = enter_host(false);
    call_every_function(w);
    leave_host_of(w);
}

static void every_public_function_leaves_the_state_of_a_compatibility_profile(void **state)
{
    (void)state;
    world *w = enter_host(true);
    call_every_function(w);
    leave_host_of(w);
}

/* A compatibility profile has all state of a core profile and more, so the self-test, which
 * compiles most programs of all, runs in this one alone. */
static void the_self_test_of_an_adopted_context_tests_its_own_stage_alone(void **state)
{
    (void)state;
    world *w = enter_host(true);
    self_test(w);
    leave_host_of(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(every_public_function_leaves_the_state_of_a_core_profile),
        IN_FOLDER(every_public_function_leaves_the_state_of_a_compatibility_profile),
        IN_FOLDER(the_self_test_of_an_adopted_context_tests_its_own_stage_alone),
    };
    return cmocka_run_group_tests(tests, keep_driver_loaded, NULL);
}
