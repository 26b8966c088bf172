/* Descriptions of a later version: every function that takes a description refuses a number in the
 * room that later versions will use, by the name of the description and the place. */
#include "support/folder.h"
#include "support/world.h"

#include <stdio.h>

static int refused;

static void expect_refused(glnn_status status, const char *function, const char *type, size_t place)
{
    char sentence[256];
    snprintf(sentence, sizeof sentence,
             "%s: %s.reserved[%zu] is not 0: the description was not initialised, or has a member "
             "that libglnn %s does not know",
             function, type, place, glnn_version());
    assert_int_equal(status, GLNN_E_ARG);
    assert_string_equal(glnn_last_error(), sentence);
    ++refused;
}

/* With a number in the first and in the last word of `room`, in turn. */
#define REFUSES(function, arguments, type, room) REFUSES_AT("", function, arguments, type, room)
#define REFUSES_AT(where, function, arguments, type, room)                                         \
    do {                                                                                           \
        const size_t words = sizeof(room) / sizeof *(room), places[] = {0, words - 1};             \
        for (int p = 0; p < 2; ++p) {                                                              \
            (room)[places[p]] = (uint64_t)1 << 40;                                                 \
            expect_refused(function arguments, #function where, #type, places[p]);                 \
            (room)[places[p]] = 0;                                                                 \
        }                                                                                          \
    } while (0)

static void objects(world *w)
{
    glnn_context_desc context = {.platform = GLNN_PLATFORM_EGL};
    glnn_matrix_desc matrix = {.rows = 1, .columns = 1};
    glnn_texture_desc texture = {.texture = 1};
    glnn_gemm_desc gemm = {.transpose_a = true};
    glnn_advice_desc advice = {.task = GLNN_TASK_GEMM, .rows = 8, .columns = 8, .inner = 8};
    glnn_advice given = {.size = sizeof given};
    glnn_kernel_desc kernel = {.source = "float element(int row, int column) { return 1.0; }"};
    glnn_kernel_run_desc run = {.beta = 1};
    glnn_kernel *made;
    glnn_context *ctx;
    glnn_matrix *m;
    char text[64];
    REFUSES(glnn_context_create, (&context, &ctx), glnn_context_desc, context.reserved);
    assert_null(ctx);
    REFUSES(glnn_matrix_create, (w->ctx, &matrix, &m), glnn_matrix_desc, matrix.reserved);
    REFUSES(glnn_matrix_adopt, (w->ctx, &texture, &m), glnn_texture_desc, texture.reserved);
    assert_null(m);
    REFUSES(glnn_gemm, (w->ctx, &gemm, 1, w->a, w->b, 0, w->c), glnn_gemm_desc, gemm.reserved);
    REFUSES(glnn_gemm_get_plan, (w->ctx, &gemm, 1, w->a, w->b, 0, w->c, text, sizeof text),
            glnn_gemm_desc, gemm.reserved);
    REFUSES(glnn_kernel_create, (w->ctx, &kernel, &made), glnn_kernel_desc, kernel.reserved);
    assert_null(made);
    REFUSES(glnn_kernel_run, (w->kernel, &run, w->c), glnn_kernel_run_desc, run.reserved);
    REFUSES(glnn_context_get_advice, (w->ctx, &advice, &given), glnn_advice_desc, advice.reserved);
}

static void samples(world *w)
{
    glnn_dataset_desc desc = {.samples = WORLD_SAMPLES,
                              .features = WORLD_FEATURES,
                              .inputs = w->inputs,
                              .labels = w->labels,
                              .classes = WORLD_CLASSES};
    glnn_dataset_desc opened = desc;
    glnn_dataset_matrices_desc matrices = {.inputs = w->a};
    glnn_csv_desc csv = {.separator = ';'};
    glnn_csv table = {.size = sizeof table};
    glnn_dataset *data;
    FILE *file = fopen("samples", "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(w->inputs, sizeof w->inputs, 1, file), 1);
    assert_int_equal(fclose(file), 0);
    opened.inputs = NULL;
    REFUSES(glnn_dataset_create, (w->ctx, &desc, &data), glnn_dataset_desc, desc.reserved);
    REFUSES(glnn_dataset_create_from_matrices, (w->ctx, &matrices, &data),
            glnn_dataset_matrices_desc, matrices.reserved);
    assert_null(data);
    glnn_csv_columns columns = {.features = 1};
    glnn_csv_fit_desc fit = {.rare = 0.1f};
    const float value = 1;
    REFUSES(glnn_csv_columns_fit, (&columns, &fit, 1, &value), glnn_csv_fit_desc, fit.reserved);
    REFUSES(glnn_csv_read, ("samples", &csv, &table), glnn_csv_desc, csv.reserved);
    desc.name = opened.name = "some samples";
    desc.reserved[2] = opened.reserved[2] = 1;
    expect_error(glnn_dataset_create(w->ctx, &desc, &data), GLNN_E_ARG,
                 "glnn_dataset_create: some samples: glnn_dataset_desc.reserved[2] is not 0");
    expect_error(glnn_dataset_open(w->ctx, "samples", GLNN_DATASET_FLOATS, &opened, &data),
                 GLNN_E_ARG,
                 "glnn_dataset_open: some samples: glnn_dataset_desc.reserved[2] is not 0");
    assert_null(data);
}

static void learners(world *w)
{
    glnn_network_desc network = *glnn_network_get_desc(w->network);
    glnn_lvq_desc lvq = *glnn_lvq_get_desc(w->lvq);
    glnn_kmeans_desc kmeans = *glnn_kmeans_get_desc(w->kmeans);
    glnn_gmm_desc gmm = *glnn_gmm_get_desc(w->gmm);
    glnn_svm_desc svm = *glnn_svm_get_desc(w->svm);
    glnn_load_desc load = {.capacity = 8};
    glnn_learner *made;
    REFUSES(glnn_network_create, (w->ctx, &network, &made), glnn_network_desc, network.reserved);
    REFUSES(glnn_network_create, (w->ctx, &network, &made), glnn_optimizer,
            network.optimizer.reserved);
    REFUSES_AT(": layer 1", glnn_network_create, (w->ctx, &network, &made), glnn_layer_desc,
               network.layers[1].reserved);
    REFUSES_AT(": layer 40", glnn_network_create, (w->ctx, &network, &made), glnn_layer_desc,
               network.layers[40].reserved);
    REFUSES(glnn_lvq_create, (w->ctx, &lvq, &made), glnn_lvq_desc, lvq.reserved);
    REFUSES(glnn_kmeans_create, (w->ctx, &kmeans, &made), glnn_kmeans_desc, kmeans.reserved);
    REFUSES(glnn_gmm_create, (w->ctx, &gmm, &made), glnn_gmm_desc, gmm.reserved);
    REFUSES(glnn_svm_create, (w->ctx, &svm, &made), glnn_svm_desc, svm.reserved);
    REFUSES(glnn_learner_load, (w->ctx, "absent", &load, &made), glnn_load_desc, load.reserved);
    assert_null(made);
}

static void trainings(world *w)
{
    glnn_train_desc desc = {.epochs = 1};
    glnn_distortion distortion = {.shift = 1};
    glnn_trainer *trainer;
    REFUSES(glnn_learner_train, (w->svm, w->data, &desc, NULL), glnn_train_desc, desc.reserved);
    REFUSES(glnn_trainer_create, (w->svm, w->data, &desc, &trainer), glnn_train_desc,
            desc.reserved);
    REFUSES(glnn_trainer_create, (w->svm, w->data, &desc, &trainer), glnn_schedule,
            desc.schedule.reserved);
    REFUSES(glnn_trainer_create, (w->svm, w->data, &desc, &trainer), glnn_distortion,
            desc.distortion.reserved);
    REFUSES(glnn_trainer_create, (w->svm, w->data, &desc, &trainer), glnn_exchange_desc,
            desc.exchange.reserved);
    assert_null(trainer);
    REFUSES(glnn_image_distort, (w->ctx, &distortion, 0, 0, w->a, w->c), glnn_distortion,
            distortion.reserved);
}

static void fits(world *w)
{
    glnn_pca_desc pca = {.components = 1};
    glnn_lda_desc lda = {.shrinkage = 0.5f};
    glnn_projection *projection;
    REFUSES(glnn_pca_fit, (w->ctx, &pca, WORLD_SAMPLES, WORLD_FEATURES, w->inputs, &projection),
            glnn_pca_desc, pca.reserved);
    REFUSES(glnn_lda_fit,
            (w->ctx, &lda, WORLD_SAMPLES, WORLD_FEATURES, w->inputs, w->labels, WORLD_CLASSES,
             &projection),
            glnn_lda_desc, lda.reserved);
    assert_null(projection);
}

static void measures(world *w)
{
    static const int64_t confusion[] = {1};
    glnn_class_metrics_desc classes = {.classes = 1, .confusion = confusion};
    glnn_target_metrics_desc targets = {
        .samples = 1, .targets = 1, .wanted = w->inputs, .predicted = w->inputs};
    glnn_class_metrics of_classes = {.size = sizeof of_classes};
    glnn_target_metrics of_targets = {.size = sizeof of_targets};
    REFUSES(glnn_class_metrics_compute, (&classes, &of_classes), glnn_class_metrics_desc,
            classes.reserved);
    REFUSES(glnn_target_metrics_compute, (&targets, &of_targets), glnn_target_metrics_desc,
            targets.reserved);
}

static void members_of_later_versions_are_refused(void **state)
{
    static void (*const parts[])(world *) = {objects, samples, learners, trainings, fits, measures};
    world *w = world_create();
    (void)state;
    for (size_t i = 0; i < COUNT_OF(parts); ++i)
        parts[i](w);
    assert_int_equal(refused, 2 * 31);
    world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {IN_FOLDER(members_of_later_versions_are_refused)};
    return cmocka_run_group_tests_name("reserved", tests, NULL, NULL);
}
