/* Classifiers of prototypes in files: what is saved comes back, and damage is refused. */
#include "support/learner_files.h"
#include "support/prototypes.h"

enum { FEATURES = 5, CLASSES = 3, COUNT = 6, SAMPLES = 24 };

static glnn_lvq_desc describe(glnn_lvq_kind kind)
{
    return (glnn_lvq_desc){.kind = kind,
                           .features = FEATURES,
                           .classes = CLASSES,
                           .prototypes = COUNT / CLASSES,
                           .xi = 3,
                           .xi_growth = 1.0f / 3,
                           .rank = kind == GLNN_LVQ_GMLVQ ? 2 : 0,
                           .two_parts = kind == GLNN_LVQ_LVQ1,
                           .capacity = 16,
                           .seed = UINT64_MAX - 5};
}

static const glnn_dataset *data_of_seed(uint64_t seed)
{
    random_seed(seed);
    return dataset_of(samples_random(SAMPLES, FEATURES, CLASSES, true));
}

static void train(glnn_learner *lvq)
{
    const glnn_train_desc desc = {.epochs = 3, .batch = 7, .seed = 4};
    expect_ok(glnn_learner_train(lvq, data_of_seed(8), &desc, NULL));
}

static glnn_learner *trained(glnn_lvq_kind kind)
{
    const glnn_lvq_desc desc = describe(kind);
    glnn_learner *lvq = lvq_of(&desc);
    expect_ok(glnn_learner_initialise(lvq, data_of_seed(7)));
    train(lvq);
    return lvq;
}

static glnn_learner *loaded(const char *path)
{
    glnn_learner *lvq = NULL;
    expect_ok(glnn_learner_load(glnn_test_context(), path,
                                &(glnn_load_desc){.layout = GLNN_LAYOUT_TILED, .capacity = 16},
                                &lvq));
    learning_own_learner(lvq);
    return lvq;
}

static void expect_same_descriptions(const glnn_lvq_desc *left, const glnn_lvq_desc *right)
{
    assert_int_equal(left->features, right->features);
    assert_int_equal(left->classes, right->classes);
    assert_memory_equal(left->prototypes_of, right->prototypes_of, CLASSES * sizeof(int));
    assert_true(left->xi == right->xi && left->xi_growth == right->xi_growth);
    assert_true(left->window == right->window && left->epsilon == right->epsilon);
    assert_true(left->sigma == right->sigma && left->scale == right->scale);
    assert_true(left->rank == right->rank && left->metric_rate == right->metric_rate);
    assert_true(left->seed == right->seed);
    assert_int_equal(left->two_parts, right->two_parts);
}

static void a_loaded_classifier_is_the_same_bits_and_trains_on_as_the_saved_one(void **state)
{
    (void)state;
    for (glnn_lvq_kind kind = 0; kind < GLNN_LVQ_KIND_COUNT; ++kind) {
        const file_path path = path_of("classifier");
        glnn_learner *lvq = trained(kind);
        expect_ok(glnn_learner_save(lvq, path.text));
        glnn_learner *copy = loaded(path.text);
        expect_same_classifiers(lvq, copy, glnn_lvq_kind_name(kind));
        expect_same_descriptions(glnn_lvq_get_desc(lvq), glnn_lvq_get_desc(copy));
        train(lvq);
        train(copy);
        expect_same_classifiers(lvq, copy, "trained on");
        release_learning();
    }
}

static void a_scale_and_a_sigma_that_are_not_known_are_so_in_a_file(void **state)
{
    (void)state;
    static const float prototypes[CLASSES * FEATURES] = {1, 2, 3};
    const file_path path = path_of("classifier");
    glnn_learner *lvq = lvq_of(&(glnn_lvq_desc){.features = FEATURES, .classes = CLASSES});
    expect_ok(glnn_learner_set_tensor(lvq, "prototypes", COUNT_OF(prototypes), prototypes));
    expect_ok(glnn_learner_save(lvq, path.text));
    const glnn_lvq_desc *copy = glnn_lvq_get_desc(loaded(path.text));
    assert_true(copy->scale == 0 && copy->sigma == 0);
}

static void restore_brings_back_what_was_saved(void **state)
{
    (void)state;
    for (glnn_lvq_kind kind = 0; kind < GLNN_LVQ_KIND_COUNT; ++kind) {
        const file_path path = path_of("classifier");
        glnn_learner *lvq = trained(kind), *kept = trained(kind);
        expect_ok(glnn_learner_save(lvq, path.text));
        train(lvq);
        expect_ok(glnn_learner_load_parameters(lvq, path.text));
        expect_same_classifiers(lvq, kept, glnn_lvq_kind_name(kind));
        release_learning();
    }
}

static void a_file_of_one_part_sets_the_other_one_to_zeros(void **state)
{
    (void)state;
    const file_path path = path_of("classifier");
    glnn_lvq_desc desc = describe(GLNN_LVQ_LVQ1);
    float low[COUNT * FEATURES];
    glnn_learner *fine = trained(GLNN_LVQ_LVQ1);
    desc.two_parts = false;
    glnn_learner *coarse = lvq_of(&desc);
    train(coarse);
    expect_ok(glnn_learner_save(coarse, path.text));
    expect_ok(glnn_learner_load_parameters(fine, path.text));
    expect_same_bits(prototypes_of(fine), prototypes_of(coarse), "prototypes");
    expect_ok(read_tensor(fine, "low", low));
    for (size_t i = 0; i < COUNT_OF(low); ++i)
        assert_true(low[i] == 0);
}

static void the_file_has_prototypes_classes_and_what_the_kind_learns(void **state)
{
    (void)state;
    static const struct {
        glnn_lvq_kind kind;
        const char *array;
        size_t size[2];
    } kinds[] = {{GLNN_LVQ_GLVQ, NULL, {0}},
                 {GLNN_LVQ_GRLVQ, "relevances", {FEATURES, 0}},
                 {GLNN_LVQ_GMLVQ, "omega", {2, FEATURES}},
                 {GLNN_LVQ_OLVQ1, "rates", {COUNT, 0}}};
    for (size_t i = 0; i < COUNT_OF(kinds); ++i) {
        const file_path path = path_of("classifier");
        glnn_safetensors *file;
        expect_ok(glnn_learner_save(trained(kinds[i].kind), path.text));
        expect_ok(glnn_safetensors_read(path.text, &file));
        assert_int_equal(glnn_safetensors_get_count(file), kinds[i].array ? 3 : 2);
        const glnn_tensor *prototypes = glnn_safetensors_find_tensor(file, "prototypes");
        const glnn_tensor *classes = glnn_safetensors_find_tensor(file, "classes");
        assert_true(prototypes->shape[0] == COUNT && prototypes->shape[1] == FEATURES);
        assert_true(classes->shape[0] == COUNT && classes->data[COUNT - 1] == CLASSES - 1);
        if (kinds[i].array) {
            const glnn_tensor *extra = glnn_safetensors_find_tensor(file, kinds[i].array);
            assert_memory_equal(extra->shape, kinds[i].size,
                                (size_t)extra->dimensions * sizeof(size_t));
        }
        assert_string_equal(glnn_safetensors_get_metadata(file, "kind"),
                            glnn_lvq_kind_name(kinds[i].kind));
        glnn_safetensors_free(file);
        release_learning();
    }
}

static glnn_status reader(const char *path)
{
    glnn_learner *lvq;
    glnn_status status = glnn_learner_load(glnn_test_context(), path,
                                           &(glnn_load_desc){.layout = GLNN_LAYOUT_TILED}, &lvq);
    if (status)
        assert_null(lvq);
    glnn_learner_destroy(lvq);
    return status;
}

/* The classifier to restore. */
static glnn_learner *present;

/* Restores, and looks whether a classifier that was not restored is as it was. */
static glnn_status restorer(const char *path)
{
    const array before = prototypes_of(present), relevances = relevances_of(present);
    const glnn_status status = glnn_learner_load_parameters(present, path);
    if (status) {
        expect_same_bits(before, prototypes_of(present), "prototypes that were not restored");
        expect_same_bits(relevances, relevances_of(present), "relevances that were not restored");
    }
    return status;
}

static const char *const keys[] = {
    "format",    "version", "kind",    "features", "classes", "prototypes",  "rank",   "xi",
    "xi_growth", "window",  "epsilon", "sigma",    "scale",   "metric_rate", "epochs", "seed"};

/* Of GRLVQ; another one of the same shape is there to be restored. */
static learner_file prepare(void)
{
    const learner_file file = {path_of("saved"), keys, COUNT_OF(keys)};
    expect_ok(glnn_learner_save(trained(GLNN_LVQ_GRLVQ), file.path.text));
    present = trained(GLNN_LVQ_GRLVQ);
    return file;
}

static void another_kind_or_shape_is_named_and_changes_nothing(void **state)
{
    (void)state;
    const learner_file file = prepare();
    glnn_lvq_desc desc = describe(GLNN_LVQ_GRLVQ);
    desc.prototypes = 3;
    present = lvq_of(&desc);
    expect_ok(glnn_learner_initialise(present, data_of_seed(7)));
    assert_fails(restorer(file.path.text), GLNN_E_SHAPE, "3 classes, 6 prototypes");
    assert_fails(restorer(file.path.text), GLNN_E_SHAPE, "3 classes, 9 prototypes");
    present = trained(GLNN_LVQ_GLVQ);
    assert_fails(restorer(file.path.text), GLNN_E_SHAPE, "is (grlvq of 5 features");
}

static void metadata_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    const learner_file file = prepare();
    static const glnn_metadata wrong[] = {
        {"features", "0"},   {"classes", "99999999999"},
        {"prototypes", "0"}, {"window", "1"},
        {"epochs", "inf"},   {"epochs", "1e999"},
        {"xi", "nan"},       {"seed", "18446744073709551616"},
    };
    assert_odd_texts_fail(reader, &file, wrong, COUNT_OF(wrong));
    assert_odd_texts_fail(restorer, &file, wrong, COUNT_OF(wrong));
    const change epsilon = {.key = "epsilon", .value = "1.5"};
    assert_fails(reader(changed(&file, epsilon).text), GLNN_E_FORMAT,
                 "metadata 'epsilon' is '1.5'; it must be a number in (0, 1]");
}

static void arrays_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    const learner_file file = prepare();
    static const float zeros[COUNT * FEATURES] = {0}, half[COUNT] = {0, 0.5f};
    static const float many[COUNT] = {0, 1, CLASSES}, broken[COUNT * FEATURES] = {0, NAN};
    static const damage cases[] = {
        {{.array = "prototypes"}, GLNN_E_FORMAT, "'prototypes'"},
        {{.array = "classes"}, GLNN_E_FORMAT, "'classes'"},
        {{.array = "relevances"}, GLNN_E_FORMAT, "'relevances'"},
        {{.array = "prototypes", .tensor = {"prototypes", 2, {FEATURES, COUNT}, zeros}},
         GLNN_E_SHAPE,
         "5 x 6; the description requires 6 x 5"},
        {{.array = "classes", .tensor = {"classes", 2, {COUNT, 1}, zeros}},
         GLNN_E_SHAPE,
         "2 dimensions"},
        {{.array = "prototypes", .tensor = {"prototypes", 2, {COUNT, FEATURES}, broken}},
         GLNN_E_FORMAT,
         "not finite"},
        {{.array = "classes", .tensor = {"classes", 1, {COUNT}, half}}, GLNN_E_FORMAT, "class 0.5"},
        {{.array = "classes", .tensor = {"classes", 1, {COUNT}, many}}, GLNN_E_FORMAT, "class 3"},
        {{.array = "relevances", .tensor = {"relevances", 1, {FEATURES}, broken}},
         GLNN_E_FORMAT,
         "not finite"},
        {{.array = "relevances", .tensor = {"relevances", 1, {FEATURES}, zeros}},
         GLNN_E_FORMAT,
         "none is above 0"},
        {{.key = "features", .value = "2147483646"}, GLNN_E_SHAPE, "2147483646"},
    };
    assert_damage_fails(reader, &file, cases, COUNT_OF(cases));
    assert_damage_fails(restorer, &file, cases, COUNT_OF(cases));
}

static glnn_status writer(const char *path)
{
    return glnn_learner_save(trained(GLNN_LVQ_GMLVQ), path);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    const glnn_lvq_desc desc = describe(GLNN_LVQ_GLVQ);
    glnn_learner *lvq = lvq_of(&desc), *out;
    glnn_context *ctx = glnn_test_context();
    assert_fails(glnn_learner_save(NULL, "x"), GLNN_E_ARG, "learner");
    assert_fails(glnn_learner_save(lvq, NULL), GLNN_E_ARG, "path");
    assert_fails(glnn_learner_save(lvq, path_of("unset").text), GLNN_E_STATE, "no prototypes yet");
    assert_fails(glnn_learner_load_parameters(NULL, "x"), GLNN_E_ARG, "learner");
    assert_fails(glnn_learner_load_parameters(lvq, NULL), GLNN_E_ARG, "path");
    assert_fails(glnn_learner_load(NULL, "x", &(glnn_load_desc){.layout = GLNN_LAYOUT_TILED}, &out),
                 GLNN_E_ARG, "ctx");
    assert_fails(glnn_learner_load(ctx, NULL, &(glnn_load_desc){.layout = GLNN_LAYOUT_TILED}, &out),
                 GLNN_E_ARG, "path");
    assert_fails(glnn_learner_load(ctx, "x", &(glnn_load_desc){.layout = GLNN_LAYOUT_TILED}, NULL),
                 GLNN_E_ARG, "out");
    assert_fails(glnn_learner_load(ctx, "x", &(glnn_load_desc){.layout = GLNN_LAYOUT_PAGED}, &out),
                 GLNN_E_ARG, "layout");
    assert_fails(glnn_learner_load(ctx, "x",
                                   &(glnn_load_desc){.layout = GLNN_LAYOUT_TILED, .capacity = -1},
                                   &out),
                 GLNN_E_ARG, "capacity");
}

static const file_format format = {reader, writer};

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(a_loaded_classifier_is_the_same_bits_and_trains_on_as_the_saved_one),
        LEARNING_TEST(a_scale_and_a_sigma_that_are_not_known_are_so_in_a_file),
        LEARNING_TEST(restore_brings_back_what_was_saved),
        LEARNING_TEST(a_file_of_one_part_sets_the_other_one_to_zeros),
        LEARNING_TEST(the_file_has_prototypes_classes_and_what_the_kind_learns),
        LEARNING_TEST(another_kind_or_shape_is_named_and_changes_nothing),
        LEARNING_TEST(metadata_that_make_no_sense_are_refused),
        LEARNING_TEST(arrays_that_do_not_fit_are_refused),
        LEARNER_FILE_TESTS(format),
        LEARNING_TEST(nonsense_is_refused),
    };
    return cmocka_run_group_tests_name("lvq file", tests, learner_files_setup,
                                       learner_files_teardown);
}
