/* Exported learners with a preparation take raw samples. */
#include "support/exports.h"
#include "support/prototypes.h"

enum { CLASSES = 3, RAW = 4 };

static float offsets[] = {0.1f, -0.25f, 0, 0.5f}, factors[] = {0.5f, 0.75f, -0.7f, 1.5f};
static float mean[] = {0.25f, 0, 1, -0.5f};
static float directions[] = {1, 0, 0, 0.25f, 0, 0.5f, 0.5f, -1, 0, 0, 0.125f, 2};
static float eigenvalues[] = {3, 2, 1};
static float target_offsets[] = {10, -0.3f}, target_factors[] = {0.25f, 12};

/* One of scale and projection, or both. */
static glnn_preparation preparation_of(bool has_scale, bool has_projection)
{
    glnn_preparation of = {.columns = {.features = RAW, .classes = CLASSES}};
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
    float *inputs = floats_new((size_t)(EXPORT_SAMPLES * glnn_preparation_get_inputs(by)));
    expect_ok(glnn_preparation_apply(glnn_test_context(), by, EXPORT_SAMPLES, raw, inputs));
    return inputs;
}

static void raw_samples_are_prepared(void **state)
{
    (void)state;
    for (int parts = 1; parts < 4; ++parts) {
        const glnn_preparation by = preparation_of(parts & 1, parts & 2);
        const float *raw = floats_of(array_random(EXPORT_SAMPLES, RAW, -1, 1));
        const float *inputs = prepared(&by, raw);
        const file_path path = path_of("raw.c");
        glnn_learner *network =
            exported_network(&(glnn_network_desc){.features = glnn_preparation_get_inputs(&by),
                                                  .layers = {{.units = 9}, {.units = CLASSES}}});
        expect_ok(glnn_learner_set_preparation(network, &by));
        expect_ok(glnn_learner_export_c(network, path.text, "raw"));
        const exported of = export_open(path.text, "raw");
        const predicted wanted = predicted_by_network(network, inputs);
        assert_int_equal(of.features, RAW);
        expect_same_outputs(&of, EXPORT_SAMPLES, raw, wanted.outputs, wanted.classes, "a network");
        expect_same_shader(network, RAW, raw, &wanted, "a network");
        release_learning();
    }
}

static void raw_samples_are_prepared_for_prototypes(void **state)
{
    (void)state;
    const glnn_preparation by = preparation_of(true, true);
    const float *raw = floats_of(array_random(EXPORT_SAMPLES, RAW, -1, 1)),
                *inputs = prepared(&by, raw);
    const samples of = {.inputs = array_of_floats(EXPORT_SAMPLES, 3, inputs),
                        .labels = samples_random(EXPORT_SAMPLES, 1, CLASSES, true).labels,
                        .outputs = CLASSES};
    const file_path path = path_of("raw.c");
    glnn_learner *lvq = lvq_of(&(glnn_lvq_desc){
        .kind = GLNN_LVQ_GMLVQ, .features = 3, .classes = CLASSES, .prototypes = 2});
    expect_ok(glnn_learner_train(lvq, dataset_of(of), &(glnn_train_desc){.epochs = 2}, NULL));
    expect_ok(glnn_learner_set_preparation(lvq, &by));
    expect_ok(glnn_learner_export_c(lvq, path.text, "raw"));
    const exported code = export_open(path.text, "raw");
    const predicted wanted = predicted_by_lvq(lvq, inputs);
    expect_same_outputs(&code, EXPORT_SAMPLES, raw, wanted.outputs, wanted.classes, "a classifier");
}

static void images_become_gradients_that_are_prepared(void **state)
{
    enum { HEIGHT = 11, WIDTH = 14, GRADIENTS = GLNN_IMAGE_GRADIENTS };
    (void)state;
    for (int parts = 0; parts < 2; ++parts) {
        const glnn_preparation by = {.columns = {.features = HEIGHT * WIDTH, .classes = CLASSES},
                                     .gradients = {1, HEIGHT, WIDTH},
                                     .scale = {parts * GRADIENTS,
                                               floats_of(array_random(1, GRADIENTS, -1, 1)),
                                               floats_of(array_random(1, GRADIENTS, 1, 2))},
                                     .components = 3 * parts,
                                     .mean = floats_of(array_random(1, GRADIENTS, -1, 1)),
                                     .directions = floats_of(array_random(3, GRADIENTS, -0.1, 0.1)),
                                     .eigenvalues = eigenvalues};
        const float *raw = floats_of(array_random(EXPORT_SAMPLES, HEIGHT * WIDTH, 0, 1));
        const float *inputs = prepared(&by, raw);
        const file_path path = path_of("images.c");
        glnn_learner *network = exported_network(&(glnn_network_desc){
            .features = glnn_preparation_get_inputs(&by), .layers = {{.units = CLASSES}}});
        expect_ok(glnn_learner_set_preparation(network, &by));
        expect_ok(glnn_learner_export_c(network, path.text, "images"));
        const exported of = export_open(path.text, "images");
        const predicted wanted = predicted_by_network(network, inputs);
        assert_int_equal(of.features, HEIGHT * WIDTH);
        expect_same_outputs(&of, EXPORT_SAMPLES, raw, wanted.outputs, wanted.classes, "images");
        expect_same_shader(network, HEIGHT * WIDTH, raw, &wanted, "images");
        release_learning();
    }
}

static void targets_are_scaled_back(void **state)
{
    (void)state;
    const glnn_preparation by = {.columns = {.features = RAW, .targets = 2},
                                 .target_scale = {2, target_offsets, target_factors}};
    const float *raw = floats_of(array_random(EXPORT_SAMPLES, RAW, -1, 1));
    const file_path path = path_of("targets.c");
    glnn_learner *network = exported_network(&(glnn_network_desc){
        .features = RAW, .layers = {{.units = 9}, {.units = 2}}, .loss = GLNN_LOSS_SQUARED});
    predicted wanted = predicted_by_network(network, raw);
    expect_ok(glnn_learner_set_preparation(network, &by));
    expect_ok(glnn_learner_export_c(network, path.text, "targets"));
    const exported of = export_open(path.text, "targets");
    expect_ok(glnn_scale_undo(&by.target_scale, EXPORT_SAMPLES, 2, wanted.outputs));
    for (int i = 0; i < EXPORT_SAMPLES; ++i)
        wanted.classes[i] = wanted.outputs[2 * i + 1] > wanted.outputs[2 * i];
    expect_same_outputs(&of, EXPORT_SAMPLES, raw, wanted.outputs, wanted.classes, "targets");
    expect_same_shader(network, RAW, raw, &wanted, "targets");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        EXPORT_TEST(raw_samples_are_prepared),
        EXPORT_TEST(raw_samples_are_prepared_for_prototypes),
        EXPORT_TEST(images_become_gradients_that_are_prepared),
        EXPORT_TEST(targets_are_scaled_back),
        EXPORT_TEST(all_shaders_are_accepted),
    };
    return cmocka_run_group_tests_name("export with a preparation", tests, learner_files_setup,
                                       learner_files_teardown);
}
