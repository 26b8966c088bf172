#include "world.h"

static void fill_samples(world *w)
{
    for (int i = 0; i < WORLD_SAMPLES; ++i) {
        w->labels[i] = i % WORLD_CLASSES;
        for (int j = 0; j < WORLD_FEATURES; ++j)
            w->inputs[i * WORLD_FEATURES + j] =
                (float)((i * 7 + j * 3) % 11) / 11 + (float)w->labels[i];
    }
}

static glnn_matrix *new_matrix(glnn_context *ctx, int columns, const char *name)
{
    glnn_matrix *matrix;
    const glnn_matrix_desc desc = {
        .rows = 4, .columns = columns, .layout = GLNN_LAYOUT_TILED, .name = name};
    expect_ok(glnn_matrix_create(ctx, &desc, &matrix));
    return matrix;
}

static void create_matrices(world *w)
{
    w->a = new_matrix(w->ctx, 4, "a");
    w->b = new_matrix(w->ctx, 4, "b");
    w->c = new_matrix(w->ctx, 4, "c");
    w->column = new_matrix(w->ctx, 1, "column");
    expect_ok(glnn_download_begin(w->ctx, w->a, NULL, &w->download));
}

static void create_list(world *w)
{
    const glnn_kernel_desc kernel = {
        .name = "twice",
        .source = "float element(int row, int column) { return 2.0 * X_at(row, column); }",
        .operands = {"X"}};
    expect_ok(glnn_kernel_create(w->ctx, &kernel, &w->kernel));
    expect_ok(glnn_list_begin(w->ctx, &w->list));
    expect_ok(glnn_copy(w->ctx, w->a, w->c));
    expect_ok(glnn_list_end(w->list));
}

/* Windows of a stream hold 16 samples, each of which takes two texels. */
static void create_data(world *w)
{
    glnn_dataset_desc desc = {.samples = WORLD_SAMPLES,
                              .features = WORLD_FEATURES,
                              .inputs = w->inputs,
                              .labels = w->labels,
                              .classes = WORLD_CLASSES};
    expect_ok(glnn_dataset_create(w->ctx, &desc, &w->data));
    desc.texture_budget = 2 * 16 * 2 * 4 * sizeof(float);
    expect_ok(glnn_dataset_create(w->ctx, &desc, &w->stream));
    assert_true(glnn_dataset_is_streamed(w->stream));
}

static void create_learners(world *w)
{
    const glnn_network_desc network = {.features = WORLD_FEATURES,
                                       .layers = {{.units = 3}, {.units = WORLD_CLASSES}},
                                       .loss = GLNN_LOSS_CROSS_ENTROPY};
    const glnn_lvq_desc lvq = {
        .kind = GLNN_LVQ_GMLVQ, .features = WORLD_FEATURES, .classes = WORLD_CLASSES};
    const glnn_kmeans_desc kmeans = {.features = WORLD_FEATURES, .centres = 3};
    const glnn_gmm_desc gmm = {.features = WORLD_FEATURES, .components = 2};
    const glnn_svm_desc svm = {.features = WORLD_FEATURES, .classes = WORLD_CLASSES};
    expect_ok(glnn_network_create(w->ctx, &network, &w->network));
    expect_ok(glnn_lvq_create(w->ctx, &lvq, &w->lvq));
    expect_ok(glnn_kmeans_create(w->ctx, &kmeans, &w->kmeans));
    expect_ok(glnn_gmm_create(w->ctx, &gmm, &w->gmm));
    expect_ok(glnn_svm_create(w->ctx, &svm, &w->svm));
    const glnn_train_desc once = {.epochs = 1};
    expect_ok(glnn_learner_initialise(w->lvq, w->data));
    expect_ok(glnn_learner_train(w->lvq, w->data, &once, NULL));
    expect_ok(glnn_learner_train(w->kmeans, w->data, &once, NULL));
    expect_ok(glnn_learner_train(w->gmm, w->data, &once, NULL));
    expect_ok(glnn_learner_train(w->svm, w->data, &once, NULL));
    expect_ok(glnn_trainer_create(w->network, w->stream,
                                  &(glnn_train_desc){.epochs = 2, .batch = 8}, &w->trainer));
    expect_ok(glnn_inspection_create(w->trainer, &w->inspection));
    expect_ok(glnn_trainer_snapshot(w->trainer));
}

world *world_create_in(const glnn_context_desc *desc)
{
    world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    fill_samples(w);
    expect_ok(glnn_context_create(desc, &w->ctx));
    create_matrices(w);
    create_list(w);
    create_data(w);
    create_learners(w);
    const glnn_status status =
        glnn_pca_fit(w->ctx, &(glnn_pca_desc){.components = 2}, WORLD_SAMPLES, WORLD_FEATURES,
                     w->inputs, &w->projection);
    assert_true(status == GLNN_OK || status == GLNN_E_UNSUPPORTED);
    return w;
}

world *world_create(void)
{
    return world_create_in(&(glnn_context_desc){.debug = true, .cache_dir = ""});
}

void world_destroy(world *w)
{
    expect_ok(glnn_download_end(w->download, NULL, 0));
    glnn_list_destroy(w->list);
    glnn_kernel_destroy(w->kernel);
    glnn_inspection_destroy(w->inspection);
    glnn_trainer_destroy(w->trainer);
    glnn_projection_destroy(w->projection);
    glnn_learner_destroy(w->svm);
    glnn_learner_destroy(w->gmm);
    glnn_learner_destroy(w->kmeans);
    glnn_learner_destroy(w->lvq);
    glnn_learner_destroy(w->network);
    glnn_dataset_destroy(w->stream);
    glnn_dataset_destroy(w->data);
    glnn_matrix_destroy(w->column);
    glnn_matrix_destroy(w->c);
    glnn_matrix_destroy(w->b);
    glnn_matrix_destroy(w->a);
    glnn_context_destroy(w->ctx);
    free(w);
}
