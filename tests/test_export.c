/* Learners as C files: compiled, they predict what the library predicts. */
#include "support/clusters.h"
#include "support/exports.h"
#include "support/layer_reference.h"
#include "support/prototypes.h"

#include <glnn/export.h>

enum { SAMPLES = 40, CLASSES = 3, RAW = 4 };

static int teardown(void **state)
{
    release_exports();
    return learning_teardown(state);
}

#define EXPORT_TEST(function) cmocka_unit_test_teardown(function, teardown)

/* The outputs and classes of a learner. */
typedef struct predicted {
    float *outputs;
    int classes[SAMPLES];
} predicted;

static predicted room_for(int outputs)
{
    return (predicted){.outputs = floats_new((size_t)(SAMPLES * outputs))};
}

static predicted predicted_by_network(glnn_network *network, const float *inputs)
{
    predicted of = room_for(glnn_network_get_outputs(network));
    expect_ok(glnn_network_predict(network, SAMPLES, inputs, of.outputs, of.classes));
    return of;
}

static predicted predicted_by_lvq(glnn_lvq *lvq, const float *inputs)
{
    predicted of = room_for(glnn_lvq_get_outputs(lvq));
    expect_ok(glnn_lvq_predict(lvq, SAMPLES, inputs, of.outputs, of.classes));
    return of;
}

static predicted predicted_by_kmeans(glnn_kmeans *kmeans, const float *inputs)
{
    predicted of = room_for(glnn_kmeans_get_outputs(kmeans));
    expect_ok(glnn_kmeans_predict(kmeans, SAMPLES, inputs, of.outputs, of.classes));
    return of;
}

/* Trains a little, so that biases and statistics are not as they start. */
static glnn_network *trained_network(const glnn_network_desc *desc)
{
    glnn_network *network = network_of(desc);
    const samples of = samples_for(network, SAMPLES, desc->loss == GLNN_LOSS_CROSS_ENTROPY);
    expect_ok(glnn_network_train(network, dataset_of(of),
                                 &(glnn_train_desc){.epochs = 2, .batch = 8}, NULL));
    return network;
}

static void expect_same_network(glnn_network *network, const char *what)
{
    const file_path path = path_of("net.c");
    const int features = glnn_network_get_desc(network)->features;
    const float *inputs = floats_of(array_random(SAMPLES, features, -1, 1));
    expect_ok(glnn_network_export_c(network, path.text, "net"));
    const exported of = export_open(path.text, "net");
    assert_int_equal(of.features, features);
    assert_int_equal(of.outputs, glnn_network_get_outputs(network));
    const predicted wanted = predicted_by_network(network, inputs);
    expect_same_outputs(&of, SAMPLES, inputs, wanted.outputs, wanted.classes, what);
}

static void every_activation_is_exported(void **state)
{
    (void)state;
    for (int a = GLNN_ACTIVATION_SIGMOID; a < GLNN_ACTIVATION_COUNT; ++a) {
        const glnn_network_desc desc = {
            .features = 5,
            .layers = {{.units = 7, .activation = (glnn_activation)a},
                       {.units = 11, .activation = (glnn_activation)a},
                       {.units = CLASSES, .activation = (glnn_activation)a}},
            .loss = GLNN_LOSS_SQUARED,
            .seed = 3,
        };
        expect_same_network(trained_network(&desc), glnn_activation_name((glnn_activation)a));
        release_learning();
    }
}

static void softmax_and_sigmoid_are_exported(void **state)
{
    (void)state;
    for (int outputs = 1; outputs <= CLASSES; ++outputs) {
        const glnn_network_desc desc = {.features = 5, .layers = {{.units = outputs}}};
        expect_same_network(trained_network(&desc), "no hidden layer");
        release_learning();
    }
}

static void dropout_is_left_out(void **state)
{
    (void)state;
    const glnn_network_desc desc = {
        .features = 5,
        .layers = {{.kind = GLNN_LAYER_DROPOUT, .rate = 0.2f},
                   {.units = 8},
                   {.kind = GLNN_LAYER_DROPOUT, .rate = 0.5f},
                   {.kind = GLNN_LAYER_DROPOUT, .rate = 0.5f},
                   {.units = CLASSES}},
    };
    expect_same_network(trained_network(&desc), "dropout");
}

/* Odd sizes, strides, paddings and groups; windows that lie in the padding in part. */
static void layers_of_images_are_exported(void **state)
{
    (void)state;
    const glnn_network_desc desc = {
        .shape = {3, 11, 9},
        .layers =
            {{.kind = GLNN_LAYER_CONVOLUTION,
              .units = 6,
              .kernel = {3, 5},
              .stride = {1, 2},
              .padding = {1, 3}},
             {.kind = GLNN_LAYER_MAX_POOL, .kernel = {3, 2}, .stride = {2, 1}, .padding = {1, 1}},
             {.kind = GLNN_LAYER_CONVOLUTION,
              .units = 4,
              .kernel = {3, 3},
              .groups = 2,
              .activation = GLNN_ACTIVATION_IDENTITY},
             {.kind = GLNN_LAYER_BATCH_NORM, .activation = GLNN_ACTIVATION_TANH},
             {.kind = GLNN_LAYER_AVERAGE_POOL,
              .kernel = {2, 3},
              .stride = {1, 1},
              .padding = {1, 0}},
             {.kind = GLNN_LAYER_FLATTEN},
             {.units = CLASSES}},
        .seed = 5,
    };
    expect_same_network(trained_network(&desc), "layers of images");
}

/* One connection starts at the input, one at dropout, and two overlap. */
static void residual_layers_read_outputs_that_are_kept(void **state)
{
    (void)state;
    const glnn_network_desc desc = {
        .shape = {4, 5, 5},
        .layers =
            {{.kind = GLNN_LAYER_CONVOLUTION, .units = 4, .kernel = {3, 3}, .padding = {1, 1}},
             {.kind = GLNN_LAYER_RESIDUAL, .skip = 1},
             {.kind = GLNN_LAYER_DROPOUT, .rate = 0.25f},
             {.kind = GLNN_LAYER_BATCH_NORM},
             {.kind = GLNN_LAYER_CONVOLUTION, .units = 4, .kernel = {3, 3}, .padding = {1, 1}},
             {.kind = GLNN_LAYER_RESIDUAL, .skip = 2},
             {.kind = GLNN_LAYER_RESIDUAL, .skip = 5},
             {.kind = GLNN_LAYER_FLATTEN},
             {.units = CLASSES}},
        .seed = 5,
    };
    expect_same_network(trained_network(&desc), "residual layers");
}

/* Nothing is computed, or the last layer that is computed is not the last one. */
static void networks_that_end_with_flatten_are_exported(void **state)
{
    (void)state;
    const glnn_network_desc none = {.features = 4, .layers = {{.kind = GLNN_LAYER_FLATTEN}}},
                            pool = {.shape = {2, 2, 2},
                                    .layers = {{.kind = GLNN_LAYER_MAX_POOL, .kernel = {2, 1}},
                                               {.kind = GLNN_LAYER_FLATTEN}}};
    expect_same_network(network_of(&none), "flatten");
    expect_same_network(network_of(&pool), "pooling and flatten");
}

static void every_kind_of_layer_is_exported(void **state)
{
    (void)state;
    for (glnn_layer_kind kind = 0; kind < GLNN_LAYER_COUNT; ++kind) {
        const layer_reference *reference = layer_reference_of(kind);
        glnn_network_desc desc = {.shape = {2, 4, 5}, .seed = 2};
        memcpy(desc.layers, reference->layers, sizeof reference->layers);
        desc.layers[reference->count].kind = GLNN_LAYER_FLATTEN;
        desc.layers[reference->count + 1].units = CLASSES;
        expect_same_network(trained_network(&desc), glnn_layer_kind_name(kind));
        release_learning();
    }
}

static glnn_lvq *trained_lvq(glnn_lvq_kind kind, int rank, samples of)
{
    static const int counts[CLASSES + 1] = {2, 3, 1, 0};
    glnn_lvq *lvq = lvq_of(&(glnn_lvq_desc){
        .kind = kind,
        .features = RAW,
        .classes = CLASSES + (kind != GLNN_LVQ_RSLVQ),
        .prototypes_of = counts,
        .rank = rank,
        .seed = 7,
    });
    of.outputs = CLASSES + (kind != GLNN_LVQ_RSLVQ);
    expect_ok(
        glnn_lvq_train(lvq, dataset_of(of), &(glnn_train_desc){.epochs = 3, .batch = 5}, NULL));
    return lvq;
}

static void expect_same_lvq(glnn_lvq *lvq, const float *inputs, const char *what)
{
    const file_path path = path_of("lvq.c");
    expect_ok(glnn_lvq_export_c(lvq, path.text, "lvq_2"));
    const exported of = export_open(path.text, "lvq_2");
    assert_int_equal(of.features, RAW);
    const predicted wanted = predicted_by_lvq(lvq, inputs);
    expect_same_outputs(&of, SAMPLES, inputs, wanted.outputs, wanted.classes, what);
}

static void every_kind_of_lvq_is_exported_with_its_metric(void **state)
{
    (void)state;
    for (int k = 0; k < GLNN_LVQ_KIND_COUNT; ++k) {
        const glnn_lvq_kind kind = (glnn_lvq_kind)k;
        for (int rank = 0; rank <= (kind == GLNN_LVQ_GMLVQ ? 2 : 0); rank += 2) {
            const samples of = samples_clustered(SAMPLES, RAW, CLASSES, 1.0, CLASSES);
            expect_same_lvq(trained_lvq(kind, rank, of), floats_of(of.inputs),
                            glnn_lvq_kind_name(kind));
            release_learning();
        }
    }
}

/* The library compares such samples relative to an offset. */
static void prototypes_far_from_zero_are_exported_exactly(void **state)
{
    (void)state;
    static const glnn_lvq_kind kinds[] = {GLNN_LVQ_GLVQ, GLNN_LVQ_GRLVQ, GLNN_LVQ_GMLVQ};
    for (size_t k = 0; k < COUNT_OF(kinds); ++k) {
        const samples of = samples_clustered(SAMPLES, RAW, CLASSES, 1.0, CLASSES);
        for (size_t i = 0; i < length_of(of.inputs); ++i)
            of.inputs.data[i] = (float)(of.inputs.data[i] + 60000);
        expect_same_lvq(trained_lvq(kinds[k], 0, of), floats_of(of.inputs),
                        glnn_lvq_kind_name(kinds[k]));
        release_learning();
    }
}

static void centres_are_exported_with_classes_and_without(void **state)
{
    (void)state;
    for (int classes = 0; classes <= CLASSES; classes += CLASSES) {
        const samples of = samples_clustered(SAMPLES, RAW, 6, 1.0, classes);
        const file_path path = path_of("kmeans.c");
        const float *inputs = floats_of(of.inputs);
        glnn_kmeans *kmeans =
            kmeans_of(&(glnn_kmeans_desc){.features = RAW, .centres = 2, .classes = classes});
        expect_ok(glnn_kmeans_train(kmeans, dataset_of(of), NULL, NULL));
        expect_ok(glnn_kmeans_export_c(kmeans, path.text, "K"));
        const exported code = export_open(path.text, "K");
        const predicted wanted = predicted_by_kmeans(kmeans, inputs);
        assert_int_equal(code.outputs, glnn_kmeans_get_outputs(kmeans));
        expect_same_outputs(&code, SAMPLES, inputs, wanted.outputs, wanted.classes, "k-means");
        release_learning();
    }
}

static void a_sample_without_a_finite_distance_has_no_class(void **state)
{
    (void)state;
    const file_path path = path_of("far.c");
    const float centres[2 * RAW] = {0}, far[RAW] = {INFINITY};
    glnn_kmeans *kmeans = kmeans_of(&(glnn_kmeans_desc){.features = RAW, .centres = 2});
    expect_ok(glnn_kmeans_set_centres(kmeans, centres));
    expect_ok(glnn_kmeans_export_c(kmeans, path.text, "far"));
    assert_int_equal(export_open(path.text, "far").classify(far), -1);
    assert_int_equal(export_open(path.text, "far").classify(centres), 0);
}

static float offsets[] = {0.1f, -0.25f, 0, 0.5f}, factors[] = {0.5f, 0.75f, -0.7f, 1.5f};
static float mean[] = {0.25f, 0, 1, -0.5f};
static float directions[] = {1, 0, 0, 0.25f, 0, 0.5f, 0.5f, -1, 0, 0, 0.125f, 2};
static float eigenvalues[] = {3, 2, 1};
static float target_offsets[] = {10, -0.3f}, target_factors[] = {0.25f, 12};
static int places[] = {0, 1, 2};

/* One of scale and projection, or both. */
static glnn_preparation preparation_of(bool has_scale, bool has_projection)
{
    glnn_preparation of = {.columns = {.features = RAW}, .classes = CLASSES};
    if (has_scale)
        of.scale = (glnn_scale){RAW, offsets, factors};
    if (has_projection) {
        of.components = 3;
        of.mean = mean;
        of.directions = directions;
        of.eigenvalues = eigenvalues;
    }
    return of;
}

static const float *prepared(const glnn_preparation *by, const float *raw)
{
    float *inputs = floats_new((size_t)(SAMPLES * glnn_preparation_get_inputs(by)));
    expect_ok(glnn_preparation_apply(glnn_test_context(), by, SAMPLES, raw, inputs));
    return inputs;
}

static void raw_samples_are_prepared(void **state)
{
    (void)state;
    for (int parts = 1; parts < 4; ++parts) {
        const glnn_preparation by = preparation_of(parts & 1, parts & 2);
        const float *raw = floats_of(array_random(SAMPLES, RAW, -1, 1));
        const float *inputs = prepared(&by, raw);
        const file_path path = path_of("raw.c");
        glnn_network *network =
            trained_network(&(glnn_network_desc){.features = glnn_preparation_get_inputs(&by),
                                                 .layers = {{.units = 9}, {.units = CLASSES}}});
        expect_ok(glnn_network_set_preparation(network, &by));
        expect_ok(glnn_network_export_c(network, path.text, "raw"));
        const exported of = export_open(path.text, "raw");
        const predicted wanted = predicted_by_network(network, inputs);
        assert_int_equal(of.features, RAW);
        expect_same_outputs(&of, SAMPLES, raw, wanted.outputs, wanted.classes, "a network");
        release_learning();
    }
}

static void raw_samples_are_prepared_for_prototypes(void **state)
{
    (void)state;
    const glnn_preparation by = preparation_of(true, true);
    const float *raw = floats_of(array_random(SAMPLES, RAW, -1, 1)), *inputs = prepared(&by, raw);
    const samples of = {.inputs = array_of_floats(SAMPLES, 3, inputs),
                        .labels = samples_random(SAMPLES, 1, CLASSES, true).labels,
                        .outputs = CLASSES};
    const file_path path = path_of("raw.c");
    glnn_lvq *lvq = lvq_of(&(glnn_lvq_desc){
        .kind = GLNN_LVQ_GMLVQ, .features = 3, .classes = CLASSES, .prototypes = 2});
    expect_ok(glnn_lvq_train(lvq, dataset_of(of), &(glnn_train_desc){.epochs = 2}, NULL));
    expect_ok(glnn_lvq_set_preparation(lvq, &by));
    expect_ok(glnn_lvq_export_c(lvq, path.text, "raw"));
    const exported code = export_open(path.text, "raw");
    const predicted wanted = predicted_by_lvq(lvq, inputs);
    expect_same_outputs(&code, SAMPLES, raw, wanted.outputs, wanted.classes, "a classifier");
}

static void targets_are_scaled_back(void **state)
{
    (void)state;
    const glnn_preparation by = {.columns = {.features = RAW, .targets = 2, .places = places},
                                 .target_scale = {2, target_offsets, target_factors}};
    const float *raw = floats_of(array_random(SAMPLES, RAW, -1, 1));
    const file_path path = path_of("targets.c");
    glnn_network *network = trained_network(&(glnn_network_desc){
        .features = RAW, .layers = {{.units = 9}, {.units = 2}}, .loss = GLNN_LOSS_SQUARED});
    const predicted wanted = predicted_by_network(network, raw);
    expect_ok(glnn_network_set_preparation(network, &by));
    expect_ok(glnn_network_export_c(network, path.text, "targets"));
    const exported of = export_open(path.text, "targets");
    expect_ok(glnn_scale_undo(&by.target_scale, SAMPLES, 2, wanted.outputs));
    for (int i = 0; i < SAMPLES; ++i) {
        float found[2];
        of.predict(raw + (ptrdiff_t)i * RAW, found);
        for (int j = 0; j < 2; ++j)
            assert_float_equal(found[j], wanted.outputs[2 * i + j],
                               1e-5f * fmaxf(1, fabsf(wanted.outputs[2 * i + j])));
    }
}

static void numbers_have_a_decimal_point_in_every_locale(void **state)
{
    (void)state;
    glnn_network *network =
        trained_network(&(glnn_network_desc){.features = 3, .layers = {{.units = CLASSES}}});
    locale_with_comma();
    expect_same_network(network, "a decimal comma");
    locale_end();
}

static void a_file_has_the_same_bytes_each_time(void **state)
{
    (void)state;
    static unsigned char first[1u << 16], second[1u << 16];
    glnn_network *network =
        trained_network(&(glnn_network_desc){.features = 3, .layers = {{.units = CLASSES}}});
    const file_path path = path_of("same.c");
    expect_ok(glnn_network_export_c(network, path.text, "same"));
    const size_t size = file_read(path.text, first, sizeof first);
    expect_ok(glnn_network_export_c(network, path.text, "same"));
    assert_int_equal(file_read(path.text, second, sizeof second), size);
    assert_memory_equal(first, second, size);
}

static void names_that_are_no_identifiers_are_refused(void **state)
{
    (void)state;
    static const char *const odd[] = {
        "",    "1st",         "_net", "two words",
        "a-b", "caf\xc3\xa9", "net;", "a234567890123456789012345678901234567890123456789"};
    const file_path path = path_of("odd.c");
    const float centres[2] = {0};
    glnn_network *network =
        network_of(&(glnn_network_desc){.features = 3, .layers = {{.units = CLASSES}}});
    glnn_kmeans *kmeans = kmeans_of(&(glnn_kmeans_desc){.features = 2, .centres = 1});
    expect_ok(glnn_kmeans_set_centres(kmeans, centres));
    for (size_t i = 0; i < COUNT_OF(odd); ++i) {
        assert_fails(glnn_network_export_c(network, path.text, odd[i]), GLNN_E_ARG,
                     "glnn_network_export_c: the name is '");
        assert_fails(glnn_kmeans_export_c(kmeans, path.text, odd[i]), GLNN_E_ARG, "1 to 48");
    }
    assert_int_equal(access(path.text, F_OK), -1);
    expect_ok(glnn_network_export_c(network, path.text,
                                    "a23456789012345678901234567890123456789012345678"));
}

static void learners_that_learnt_nothing_are_refused(void **state)
{
    (void)state;
    const file_path path = path_of("none.c");
    const float prototypes[2] = {0};
    glnn_kmeans *kmeans = kmeans_of(&(glnn_kmeans_desc){.features = 2, .centres = 1});
    glnn_lvq *lvq = lvq_of(
        &(glnn_lvq_desc){.kind = GLNN_LVQ_RSLVQ, .features = 2, .classes = 1, .prototypes = 1});
    assert_fails(glnn_kmeans_export_c(kmeans, path.text, "none"), GLNN_E_STATE, "no centres");
    assert_fails(glnn_lvq_export_c(lvq, path.text, "none"), GLNN_E_STATE, "no prototypes");
    expect_ok(glnn_lvq_set_prototypes(lvq, prototypes, NULL));
    assert_fails(glnn_lvq_export_c(lvq, path.text, "none"), GLNN_E_STATE, "sigma");
    assert_int_equal(access(path.text, F_OK), -1);
}

static void numbers_that_are_not_finite_are_not_exported(void **state)
{
    (void)state;
    const file_path path = path_of("infinite.c");
    const float biases[CLASSES] = {0, INFINITY};
    glnn_network *network =
        network_of(&(glnn_network_desc){.features = 3, .layers = {{.units = CLASSES}}});
    expect_ok(glnn_network_set_weights(network, 0, NULL, biases));
    assert_fails(glnn_network_export_c(network, path.text, "odd"), GLNN_E_DIVERGED, "bias_0");
    assert_int_equal(access(path.text, F_OK), -1);
}

static glnn_status writer(const char *path)
{
    glnn_network *network =
        network_of(&(glnn_network_desc){.features = 3, .layers = {{.units = CLASSES}}});
    return glnn_network_export_c(network, path, "written");
}

/* Nothing reads a C file. */
static glnn_status reader(const char *path)
{
    return glnn_network_load_parameters(
        network_of(&(glnn_network_desc){.features = 3, .layers = {{.units = CLASSES}}}), path);
}

static const file_format format = {reader, writer};

int main(void)
{
    const struct CMUnitTest tests[] = {
        EXPORT_TEST(every_activation_is_exported),
        EXPORT_TEST(softmax_and_sigmoid_are_exported),
        EXPORT_TEST(dropout_is_left_out),
        EXPORT_TEST(every_kind_of_layer_is_exported),
        EXPORT_TEST(layers_of_images_are_exported),
        EXPORT_TEST(residual_layers_read_outputs_that_are_kept),
        EXPORT_TEST(networks_that_end_with_flatten_are_exported),
        EXPORT_TEST(every_kind_of_lvq_is_exported_with_its_metric),
        EXPORT_TEST(prototypes_far_from_zero_are_exported_exactly),
        EXPORT_TEST(centres_are_exported_with_classes_and_without),
        EXPORT_TEST(a_sample_without_a_finite_distance_has_no_class),
        EXPORT_TEST(raw_samples_are_prepared),
        EXPORT_TEST(raw_samples_are_prepared_for_prototypes),
        EXPORT_TEST(targets_are_scaled_back),
        EXPORT_TEST(numbers_have_a_decimal_point_in_every_locale),
        EXPORT_TEST(a_file_has_the_same_bytes_each_time),
        EXPORT_TEST(names_that_are_no_identifiers_are_refused),
        EXPORT_TEST(learners_that_learnt_nothing_are_refused),
        EXPORT_TEST(numbers_that_are_not_finite_are_not_exported),
        LEARNER_FILE_TEST(odd_paths_are_explained, format),
        LEARNER_FILE_TEST(a_full_disk_keeps_the_old_file, format),
    };
    return cmocka_run_group_tests_name("export", tests, learner_files_setup,
                                       learner_files_teardown);
}
