/* Preparations: what they do to samples, and that learners keep them through their files. */
#include "support/learner_files.h"

#include <glnn/gmm.h>
#include <glnn/kmeans.h>
#include <glnn/lvq.h>

enum { RAW = 3, MADE = 2, CLASSES = 3, TARGETS = 2 };

static char *class_names[CLASSES] = {"red, white", "back\\slash \xc3\xa4 \xe2\x82\xac",
                                     "latin \xe4\x80\xff\n"};

/* A number and two categories, of which one is one feature of those that were not kept. */
static char *barks[] = {"rough", "two\nlines"};
static int bark_codes[] = {0, 1}, one_code[] = {0};
static glnn_csv_column class_columns[] = {
    {.name = "height",
     .position = 2,
     .type = GLNN_CSV_TYPE_NUMBER,
     .encoding = GLNN_CSV_ENCODING_AS_IS,
     .features = 1,
     .fill = 8.1f,
     .missing = GLNN_CSV_MISSING_FILL},
    {.name = "",
     .position = 3,
     .type = GLNN_CSV_TYPE_CATEGORY,
     .encoding = GLNN_CSV_ENCODING_ONE_HOT,
     .categories = 2,
     .category_names = barks,
     .features = 2,
     .fill = 1,
     .kept = 2,
     .codes = bark_codes},
    {.name = "kind\nof tree", .position = 6, .role = GLNN_CSV_ROLE_LABEL},
    {.name = "id", .position = 1, .role = GLNN_CSV_ROLE_DROPPED, .type = GLNN_CSV_TYPE_ROW_NUMBER},
    {.name = "notes", .position = 4, .role = GLNN_CSV_ROLE_DROPPED, .type = GLNN_CSV_TYPE_TEXT},
};
static glnn_csv_column target_columns[] = {
    {.name = "planted",
     .type = GLNN_CSV_TYPE_DATE,
     .encoding = GLNN_CSV_ENCODING_AS_IS,
     .date = GLNN_CSV_DATE_MONTH_FIRST,
     .features = 1,
     .fill = -0.1f,
     .has_time = true},
    {.name = "bark",
     .type = GLNN_CSV_TYPE_CATEGORY,
     .encoding = GLNN_CSV_ENCODING_ORDINAL,
     .categories = 1,
     .category_names = barks + 1,
     .features = 2,
     .kept = 1,
     .codes = one_code,
     .has_other = true,
     .missing = GLNN_CSV_MISSING_INDICATOR},
    {.name = "price",
     .position = 2147483647,
     .role = GLNN_CSV_ROLE_TARGET,
     .type = GLNN_CSV_TYPE_NUMBER},
    {.name = "\xf0\x9f\x8c\xb3", .role = GLNN_CSV_ROLE_TARGET, .type = GLNN_CSV_TYPE_NUMBER},
};
static float offsets[] = {1, -2, 0.1f}, factors[] = {0.5f, 3, -7};
static float mean[] = {0.25f, 0, 1}, directions[] = {1, 0, 0, 0, 0.5f, 0.5f},
             eigenvalues[] = {3, 1};
static float target_offsets[] = {1000, -0.3f}, target_factors[] = {0.001f, 12};

/* With names of classes, a scale and a projection. */
static glnn_preparation of_classes(void)
{
    return (glnn_preparation){.columns = {.count = 5,
                                          .of = class_columns,
                                          .feature_columns = 2,
                                          .features = RAW,
                                          .dropped = 2,
                                          .has_commas = true,
                                          .classes = CLASSES,
                                          .class_names = class_names},
                              .scale = {RAW, offsets, factors},
                              .components = MADE,
                              .mean = mean,
                              .directions = directions,
                              .eigenvalues = eigenvalues};
}

static glnn_preparation of_targets(void)
{
    return (glnn_preparation){.columns = {.count = 4,
                                          .of = target_columns,
                                          .feature_columns = 2,
                                          .features = RAW,
                                          .targets = TARGETS},
                              .target_scale = {TARGETS, target_offsets, target_factors}};
}

static void expect_names(char *const *got, char *const *wanted, int count)
{
    if (!wanted)
        assert_null(got);
    for (int i = 0; wanted && i < count; ++i)
        assert_string_equal(got[i], wanted[i]);
}

static void expect_floats(const float *got, const float *wanted, int count)
{
    if (count > 0)
        assert_memory_equal(got, wanted, (size_t)count * sizeof *got);
    else
        assert_null(got);
}

static void expect_scale(const glnn_scale *got, const glnn_scale *wanted)
{
    assert_int_equal(got->features, wanted->features);
    expect_floats(got->offset, wanted->offset, wanted->features);
    expect_floats(got->factor, wanted->factor, wanted->features);
}

static void expect_column(const glnn_csv_column *got, const glnn_csv_column *wanted)
{
    assert_string_equal(got->name, wanted->name);
    assert_int_equal(got->position, wanted->position);
    assert_int_equal(got->role, wanted->role);
    assert_int_equal(got->type, wanted->type);
    assert_int_equal(got->encoding, wanted->encoding);
    assert_int_equal(got->date, wanted->date);
    assert_int_equal(got->features, wanted->features);
    assert_int_equal(got->missing, wanted->missing);
    assert_int_equal(got->categories, wanted->categories);
    expect_names(got->category_names, wanted->category_names, wanted->categories);
    assert_int_equal(got->kept, wanted->kept);
    for (int i = 0; i < wanted->categories; ++i)
        assert_int_equal(got->codes[i], wanted->codes[i]);
    assert_true(got->fill == wanted->fill && got->has_other == wanted->has_other &&
                got->has_time == wanted->has_time);
}

static void expect_columns(const glnn_csv_columns *got, const glnn_csv_columns *wanted)
{
    assert_int_equal(got->count, wanted->count);
    assert_int_equal(got->feature_columns, wanted->feature_columns);
    assert_int_equal(got->features, wanted->features);
    assert_int_equal(got->targets, wanted->targets);
    assert_int_equal(got->dropped, wanted->dropped);
    assert_int_equal(got->has_commas, wanted->has_commas);
    for (int i = 0; i < wanted->count; ++i)
        expect_column(&got->of[i], &wanted->of[i]);
    assert_int_equal(got->classes, wanted->classes);
    expect_names(got->class_names, wanted->class_names, wanted->classes);
}

static void expect_same(const glnn_preparation *got, const glnn_preparation *wanted)
{
    const int features =
        wanted->gradients.width > 0 ? GLNN_IMAGE_GRADIENTS : wanted->columns.features;
    assert_non_null(got);
    assert_memory_equal(&got->gradients, &wanted->gradients, sizeof got->gradients);
    expect_columns(&got->columns, &wanted->columns);
    assert_int_equal(got->components, wanted->components);
    expect_scale(&got->scale, &wanted->scale);
    expect_scale(&got->target_scale, &wanted->target_scale);
    expect_floats(got->mean, wanted->mean, wanted->components > 0 ? features : 0);
    expect_floats(got->directions, wanted->directions, wanted->components * features);
    expect_floats(got->eigenvalues, wanted->eigenvalues, wanted->components);
}

static glnn_learner *new_network(int inputs, int outputs)
{
    const glnn_network_desc desc = {
        .features = inputs, .layers = {{.units = outputs}}, .loss = GLNN_LOSS_SQUARED};
    return network_of(&desc);
}

static glnn_learner *classifier(void)
{
    const float prototypes[CLASSES * MADE] = {0, 1, 2, 3, 4, 5};
    glnn_learner *lvq;
    expect_ok(glnn_lvq_create(glnn_test_context(),
                              &(glnn_lvq_desc){.features = MADE, .classes = CLASSES}, &lvq));
    expect_ok(lvq_write(lvq, prototypes, NULL));
    return lvq;
}

static glnn_learner *clusters(void)
{
    const float centres[CLASSES * MADE] = {0, 1, 2, 3, 4, 5};
    glnn_learner *kmeans;
    expect_ok(glnn_kmeans_create(
        glnn_test_context(),
        &(glnn_kmeans_desc){.features = MADE, .centres = 1, .classes = CLASSES}, &kmeans));
    expect_ok(write_tensor(kmeans, "centres", centres));
    return kmeans;
}

static glnn_learner *mixture(void)
{
    const float weights[CLASSES] = {1, 1, 2}, means[CLASSES * MADE] = {0, 1, 2, 3, 4, 5};
    const float variances[CLASSES] = {1, 2, 3};
    glnn_learner *gmm;
    expect_ok(glnn_gmm_create(glnn_test_context(),
                              &(glnn_gmm_desc){.features = MADE,
                                               .components = 1,
                                               .classes = CLASSES,
                                               .covariance = GLNN_COVARIANCE_SPHERICAL},
                              &gmm));
    expect_ok(gmm_write(gmm, weights, means, variances));
    return gmm;
}

/* Sets, saves and loads a preparation, and expects the same; removes it, and expects none. */
static void expect_kept(glnn_learner *learner, const glnn_preparation *preparation)
{
    const glnn_load_desc how = {.layout = GLNN_LAYOUT_TILED};
    const file_path path = path_of("learner");
    glnn_learner *loaded;
    assert_null(glnn_learner_get_preparation(learner));
    expect_ok(glnn_learner_set_preparation(learner, preparation));
    expect_ok(glnn_learner_save(learner, path.text));
    expect_ok(glnn_learner_load(glnn_test_context(), path.text, &how, &loaded));
    assert_int_equal(glnn_learner_get_kind(loaded), glnn_learner_get_kind(learner));
    expect_same(glnn_learner_get_preparation(loaded), preparation);
    expect_ok(glnn_learner_set_preparation(loaded, NULL));
    assert_null(glnn_learner_get_preparation(loaded));
    expect_ok(glnn_learner_save(loaded, path.text));
    glnn_learner_destroy(loaded);
    expect_ok(glnn_learner_load(glnn_test_context(), path.text, &how, &loaded));
    assert_null(glnn_learner_get_preparation(loaded));
    glnn_learner_destroy(loaded);
    glnn_learner_destroy(learner);
}

static void every_learner_keeps_its_preparation_through_a_file(void **state)
{
    const glnn_preparation classes = of_classes(), targets = of_targets();
    (void)state;
    expect_kept(classifier(), &classes);
    expect_kept(clusters(), &classes);
    expect_kept(mixture(), &classes);
    /* network_of has taken the network into its care. */
    glnn_learner *network = new_network(RAW, TARGETS), *loaded;
    const file_path path = path_of("network");
    expect_ok(glnn_learner_set_preparation(network, &targets));
    expect_ok(glnn_learner_save(network, path.text));
    expect_ok(glnn_learner_load(glnn_test_context(), path.text,
                                &(glnn_load_desc){.layout = GLNN_LAYOUT_TILED}, &loaded));
    expect_same(glnn_learner_get_preparation(loaded), &targets);
    glnn_learner_destroy(loaded);
}

static void samples_are_scaled_and_then_projected(void **state)
{
    const float raw[2 * RAW] = {3, 1, 1.1f, -1, -2, 0.1f};
    /* (1, 9, -7) and (-1, 0, 0), less the mean. */
    const double wanted[2 * MADE] = {0.75, 0.5 * 9 + 0.5 * -8, -1.25, -0.5};
    float made[2 * MADE], scaled[2 * RAW];
    glnn_preparation preparation = of_classes();
    (void)state;
    assert_int_equal(glnn_preparation_get_inputs(&preparation), MADE);
    expect_ok(glnn_preparation_apply(glnn_test_context(), &preparation, 2, raw, made));
    for (int i = 0; i < 2 * MADE; ++i)
        assert_true(fabs((double)made[i] - wanted[i]) < 1e-5);
    preparation.components = 0;
    assert_int_equal(glnn_preparation_get_inputs(&preparation), RAW);
    memcpy(scaled, raw, sizeof scaled);
    expect_ok(glnn_preparation_apply(glnn_test_context(), &preparation, 2, scaled, scaled));
    assert_true(scaled[0] == 1 && scaled[1] == 9 && scaled[3] == -1 && scaled[4] == 0);
    expect_error(glnn_preparation_apply(glnn_test_context(), &(glnn_preparation){0}, 2, raw, made),
                 GLNN_E_ARG, "2 rows of 0 features");
}

enum { HEIGHT = 5, WIDTH = 9, PIXELS = HEIGHT * WIDTH, GRADIENTS = GLNN_IMAGE_GRADIENTS };

/* Images whose gradients are scaled and projected to the numbers of a classifier; release_all frees
 * its arrays. */
static glnn_preparation of_images(void)
{
    const glnn_preparation of = {
        .columns = {.features = PIXELS, .classes = CLASSES, .class_names = class_names},
        .gradients = {1, HEIGHT, WIDTH},
        .scale = {GRADIENTS, floats_of(array_random(1, GRADIENTS, -1, 1)),
                  floats_of(array_random(1, GRADIENTS, 1, 2))},
        .components = MADE,
        .mean = floats_of(array_random(1, GRADIENTS, -1, 1)),
        .directions = floats_of(array_random(MADE, GRADIENTS, -1, 1)),
        .eigenvalues = eigenvalues};
    return of;
}

/* More images than are computed at a time. */
static void images_become_gradients_that_are_scaled_and_projected(void **state)
{
    enum { IMAGES = 1030 };
    (void)state;
    glnn_context *ctx = glnn_test_context();
    glnn_preparation by = of_images();
    const array images = array_random(IMAGES, PIXELS, 0, 1);
    const float *raw = floats_of(images);
    float *made = floats_new(IMAGES * MADE), *scaled = floats_new(IMAGES * GRADIENTS);
    assert_int_equal(glnn_preparation_get_inputs(&by), MADE);
    expect_ok(glnn_preparation_apply(ctx, &by, IMAGES, raw, made));
    by.components = 0;
    assert_int_equal(glnn_preparation_get_inputs(&by), GRADIENTS);
    expect_ok(glnn_preparation_apply(ctx, &by, IMAGES, raw, scaled));
    glnn_matrix *gradients = matrix_zero(IMAGES, GRADIENTS, GLNN_LAYOUT_TILED);
    expect_ok(
        glnn_image_gradients(ctx, by.gradients, matrix_of(images, GLNN_LAYOUT_TILED), gradients));
    const array found = values_of(gradients);
    for (int i = 0; i < IMAGES; ++i) {
        double wanted[MADE] = {0};
        for (int j = 0; j < GRADIENTS; ++j) {
            const double x =
                (*at(found, i, j) - (double)by.scale.offset[j]) * (double)by.scale.factor[j];
            assert_true(fabs((double)scaled[i * GRADIENTS + j] - x) < 1e-4);
            for (int k = 0; k < MADE; ++k)
                wanted[k] += (double)by.directions[k * GRADIENTS + j] * (x - (double)by.mean[j]);
        }
        for (int k = 0; k < MADE; ++k)
            assert_true(fabs((double)made[i * MADE + k] - wanted[k]) < 5e-3);
    }
}

static void gradients_of_images_are_kept_in_files_and_checked(void **state)
{
    (void)state;
    const glnn_preparation by = of_images();
    glnn_preparation wrong = by, copy;
    expect_kept(classifier(), &by);
    wrong.gradients.width = WIDTH + 1;
    expect_error(glnn_preparation_copy(&wrong, &copy), GLNN_E_ARG,
                 "`gradients` is 5 x 10 pixels, but columns.features is 45");
    wrong.gradients = (glnn_shape){3, HEIGHT, WIDTH};
    expect_error(glnn_preparation_copy(&wrong, &copy), GLNN_E_ARG,
                 "`gradients` is 3 channels of 5 x 9 pixels; it must be one channel");
    wrong.gradients = (glnn_shape){1, 1, 1025};
    expect_error(glnn_preparation_copy(&wrong, &copy), GLNN_E_ARG, "of at most 1024 x 1024");
    wrong.gradients = (glnn_shape){1, 0, WIDTH};
    expect_error(glnn_preparation_copy(&wrong, &copy), GLNN_E_ARG, "1 channels of 0 x 9 pixels");
    wrong = by;
    wrong.scale.features = PIXELS;
    expect_error(glnn_preparation_copy(&wrong, &copy), GLNN_E_ARG,
                 "scale.features is 45, but the features are 512");
}

static void a_scale_is_undone(void **state)
{
    const glnn_scale scale = {TARGETS, target_offsets, target_factors};
    float values[4] = {1234.5f, 0.25f, 999, -7}, before[4];
    (void)state;
    memcpy(before, values, sizeof before);
    expect_ok(glnn_scale_apply(&scale, 2, TARGETS, values));
    assert_true(fabs((double)values[0] - 0.2345) < 1e-7);
    expect_ok(glnn_scale_undo(&scale, 2, TARGETS, values));
    for (int i = 0; i < 4; ++i)
        assert_true(fabs((double)values[i] - (double)before[i]) < 1e-3);
    expect_error(glnn_scale_undo(&scale, 2, 3, values), GLNN_E_SHAPE,
                 "the samples have 3 features, the scaling has 2");
}

static void a_projection_is_taken_over_and_taken_off(void **state)
{
    const float raw[4 * RAW] = {0, 0, 0, 1, 2, 0, 2, 1, 5, 3, 3, 1};
    glnn_preparation preparation = {0};
    const glnn_preparation names = {.columns = {.features = RAW}};
    glnn_projection *projection;
    (void)state;
    expect_ok(glnn_preparation_copy(&names, &preparation));
    expect_ok(glnn_pca_fit(glnn_test_context(), &(glnn_pca_desc){.components = 2}, 4, RAW, raw,
                           &projection));
    expect_ok(glnn_preparation_set_projection(&preparation, projection));
    expect_floats(preparation.directions, glnn_projection_get_directions(projection), 2 * RAW);
    float wanted[8], got[8];
    expect_ok(glnn_projection_apply(projection, 4, raw, wanted));
    expect_ok(glnn_preparation_apply(glnn_test_context(), &preparation, 4, raw, got));
    assert_memory_equal(got, wanted, sizeof got);
    expect_ok(glnn_preparation_set_projection(&preparation, NULL));
    assert_int_equal(preparation.components, 0);
    expect_error(
        glnn_preparation_set_projection(&(glnn_preparation){.columns.features = 7}, projection),
        GLNN_E_SHAPE, "the projection has 3 features, the preparation has 7");
    glnn_projection_destroy(projection);
    glnn_preparation_free(&preparation);
}

static void preparations_that_cannot_be_are_refused_by_name(void **state)
{
    static float zero[RAW] = {1, 0, 1}, infinite[RAW] = {1, 2, INFINITY};
    static glnn_csv_column broken[5][5];
    glnn_preparation wrong[13], copy;
    static const char *const parts[13] = {
        "`components` is -1; it must not be negative",
        "columns.features is 0",
        "columns.classes is 3 and columns.targets is 1",
        "columns.class_names[1] is null",
        "scale.features is 2, but the columns are 3",
        "scale.factor[1] is 0",
        "scale.offset[2] is inf",
        "directions is null",
        "columns.of[4].position is -4",
        "columns.of[1].codes[1] is 2; it must be in -1 .. 1",
        "columns.of[0].features is 2; the column makes 1",
        "columns.of[0] has the type number and the encoding one_hot",
        "columns.of[2] has the role 3 where 1 is due",
    };
    (void)state;
    for (int i = 0; i < 13; ++i)
        wrong[i] = of_classes();
    for (int i = 0; i < 5; ++i) {
        memcpy(broken[i], class_columns, sizeof class_columns);
        wrong[8 + i].columns.of = broken[i];
    }
    wrong[0].components = -1;
    wrong[1] = (glnn_preparation){.columns.classes = 2};
    wrong[2].columns = (glnn_csv_columns){.features = RAW, .targets = 1, .classes = 3};
    wrong[3].columns.class_names = (char *[CLASSES]){"a", NULL, "c"};
    wrong[4].scale.features = 2;
    wrong[5].scale.factor = zero;
    wrong[6].scale.offset = infinite;
    wrong[7].directions = NULL;
    broken[0][4].position = -4;
    broken[1][1].codes = (int[]){0, 2};
    broken[2][0].features = 2;
    broken[3][0].encoding = GLNN_CSV_ENCODING_ONE_HOT;
    broken[4][2].role = GLNN_CSV_ROLE_DROPPED;
    for (int i = 0; i < 13; ++i) {
        expect_error(glnn_preparation_copy(&wrong[i], &copy), GLNN_E_ARG, parts[i]);
        assert_int_equal(copy.columns.features, 0);
    }
}

static void preparations_of_another_learner_are_refused_and_change_nothing(void **state)
{
    const glnn_preparation classes = of_classes(), targets = of_targets();
    glnn_learner *network = new_network(MADE, CLASSES);
    glnn_learner *lvq = classifier();
    learning_own_learner(lvq);
    (void)state;
    expect_ok(glnn_learner_set_preparation(network, &classes));
    expect_error(glnn_learner_set_preparation(network, &targets), GLNN_E_SHAPE, "makes 3 inputs");
    expect_same(glnn_learner_get_preparation(network), &classes);
    expect_error(glnn_learner_set_preparation(new_network(MADE, CLASSES + 1), &classes),
                 GLNN_E_SHAPE, "3 classes, but the learner has 4");
    expect_error(glnn_learner_set_preparation(new_network(RAW, TARGETS + 1), &targets),
                 GLNN_E_SHAPE, "2 targets, but the learner has 3");
    glnn_preparation of_lvq = targets;
    of_lvq.columns = (glnn_csv_columns){.features = MADE, .targets = TARGETS};
    expect_error(glnn_learner_set_preparation(lvq, &of_lvq), GLNN_E_SHAPE,
                 "2 targets, but the learner has 0");
    expect_error(glnn_learner_set_preparation(NULL, &classes), GLNN_E_ARG, "null");
    of_lvq.components = -1;
    expect_error(glnn_learner_set_preparation(lvq, &of_lvq), GLNN_E_ARG,
                 "glnn_learner_set_preparation: `components` is -1");
}

static glnn_status reader(const char *path)
{
    glnn_learner *lvq;
    glnn_status status = glnn_learner_load(glnn_test_context(), path,
                                           &(glnn_load_desc){.layout = GLNN_LAYOUT_TILED}, &lvq);
    glnn_learner_destroy(lvq);
    return status;
}

/* The metadata of a classifier with a preparation. The first one is of images, and the last ones
 * are of a table. */
enum { OF_TABLES = 14 };
static const char *const keys[] = {"glnn.preparation.gradients",
                                   "format",
                                   "version",
                                   "kind",
                                   "features",
                                   "classes",
                                   "prototypes",
                                   "rank",
                                   "xi",
                                   "xi_growth",
                                   "window",
                                   "epsilon",
                                   "sigma",
                                   "scale",
                                   "metric_rate",
                                   "epochs",
                                   "seed",
                                   "glnn.preparation.features",
                                   "glnn.preparation.components",
                                   "glnn.preparation.classes",
                                   "glnn.preparation.targets",
                                   "glnn.preparation.dropped",
                                   "glnn.preparation.columns",
                                   "glnn.preparation.feature_columns",
                                   "glnn.preparation.class_names",
                                   "glnn.preparation.column_names",
                                   "glnn.preparation.column_roles",
                                   "glnn.preparation.column_types",
                                   "glnn.preparation.column_encodings",
                                   "glnn.preparation.column_dates",
                                   "glnn.preparation.column_missing",
                                   "glnn.preparation.column_positions",
                                   "glnn.preparation.column_features",
                                   "glnn.preparation.column_kept",
                                   "glnn.preparation.column_has_other",
                                   "glnn.preparation.column_has_time",
                                   "glnn.preparation.column_fills",
                                   "glnn.preparation.categories",
                                   "glnn.preparation.decimal"};

static void damaged_preparations_are_refused_with_the_path(void **state)
{
    const glnn_preparation classes = of_classes();
    glnn_learner *lvq = classifier();
    const learner_file file = {path_of("lvq"), keys + 1, COUNT_OF(keys) - 1};
    learning_own_learner(lvq);
    (void)state;
    expect_ok(glnn_learner_set_preparation(lvq, &classes));
    expect_ok(glnn_learner_save(lvq, file.path.text));
    expect_ok(reader(file.path.text));
    const damage damages[] = {
        {{.key = "glnn.preparation.features", .value = NULL},
         GLNN_E_FORMAT,
         "glnn.preparation.features"},
        {{.key = "glnn.preparation.classes", .value = "7"}, GLNN_E_FORMAT, "class_names"},
        {{.key = "glnn.preparation.class_names", .value = "a\nb\\q\nc"},
         GLNN_E_FORMAT,
         "backslash"},
        {{.key = "glnn.preparation.column_positions", .value = "2 3 6 1 "},
         GLNN_E_FORMAT,
         "column_positions"},
        {{.key = "glnn.preparation.column_positions", .value = "2 3 6 1 4 5 "},
         GLNN_E_FORMAT,
         "column_positions"},
        {{.key = "glnn.preparation.column_positions", .value = "2 3 6 -1 4 "},
         GLNN_E_FORMAT,
         "column_positions"},
        {{.key = "glnn.preparation.column_positions", .value = "2 3 6 1 4"},
         GLNN_E_FORMAT,
         "column_positions"},
        {{.key = "glnn.preparation.column_types", .value = "number colour auto row_number text "},
         GLNN_E_FORMAT,
         "column_types' does not have the right words for 5 columns, at 'colour'"},
        {{.key = "glnn.preparation.column_types", .value = "number number auto row_number text "},
         GLNN_E_FORMAT,
         "has the type number and the encoding one_hot"},
        {{.key = "glnn.preparation.column_kept", .value = "0 3 0 0 0 "},
         GLNN_E_FORMAT,
         "the list has 2 names; there must be 3"},
        {{.key = "glnn.preparation.column_kept", .value = "0 70000 0 0 0 "},
         GLNN_E_FORMAT,
         "column_kept"},
        {{.key = "glnn.preparation.column_features", .value = "1 3 0 0 0 "},
         GLNN_E_FORMAT,
         "features is 3"},
        {{.key = "glnn.preparation.column_fills", .value = "1 nan 0 0 0 "},
         GLNN_E_FORMAT,
         "column_fills"},
        {{.key = "glnn.preparation.column_fills", .value = "1 7 0 0 0 "},
         GLNN_E_FORMAT,
         "fill is 7"},
        {{.key = "glnn.preparation.categories", .value = "a"},
         GLNN_E_FORMAT,
         "the list has 1 names"},
        {{.key = "glnn.preparation.columns", .value = "2147483647"}, GLNN_E_FORMAT, "column_fills"},
        {{.key = "glnn.preparation.feature_columns", .value = "1"}, GLNN_E_FORMAT, "columns"},
        {{.key = "glnn.preparation.categories", .value = NULL},
         GLNN_E_FORMAT,
         "metadata 'glnn.preparation.categories' is missing"},
        {{.key = "glnn.preparation.decimal", .value = "."},
         GLNN_E_FORMAT,
         "metadata 'glnn.preparation.decimal' is '.', not a comma"},
        {{.key = "glnn.preparation.dropped", .value = "2147483647"}, GLNN_E_FORMAT, "dropped"},
        {{.key = "glnn.preparation.components", .value = "5"},
         GLNN_E_SHAPE,
         "glnn.preparation.directions"},
        {{.key = "glnn.preparation.components", .value = "0"}, GLNN_E_SHAPE, "makes 3 inputs"},
        {{.array = "glnn.preparation.factor"}, GLNN_E_FORMAT, "glnn.preparation.factor"},
    };
    assert_damage_fails(reader, &file, damages, COUNT_OF(damages));
}

static void damaged_gradients_are_refused_with_the_path(void **state)
{
    const glnn_preparation by = of_images();
    glnn_learner *lvq = classifier();
    const learner_file file = {path_of("lvq"), keys, COUNT_OF(keys) - OF_TABLES};
    const char *const key = "glnn.preparation.gradients";
    learning_own_learner(lvq);
    (void)state;
    expect_ok(glnn_learner_set_preparation(lvq, &by));
    expect_ok(glnn_learner_save(lvq, file.path.text));
    expect_ok(reader(file.path.text));
    const damage damages[] = {
        {{.key = key, .value = NULL}, GLNN_E_SHAPE, "glnn.preparation.offset"},
        {{.key = key, .value = "5x9x1"}, GLNN_E_FORMAT, "is '5x9x1', not height x width"},
        {{.key = key, .value = "0x9"}, GLNN_E_FORMAT, "is '0x9'"},
        {{.key = key, .value = ""}, GLNN_E_FORMAT, "is ''"},
        {{.key = key, .value = "9x9"}, GLNN_E_FORMAT, "`gradients` is 9 x 9 pixels"},
    };
    assert_damage_fails(reader, &file, damages, COUNT_OF(damages));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(every_learner_keeps_its_preparation_through_a_file),
        LEARNING_TEST(samples_are_scaled_and_then_projected),
        LEARNING_TEST(images_become_gradients_that_are_scaled_and_projected),
        LEARNING_TEST(gradients_of_images_are_kept_in_files_and_checked),
        LEARNING_TEST(a_scale_is_undone),
        LEARNING_TEST(a_projection_is_taken_over_and_taken_off),
        LEARNING_TEST(preparations_that_cannot_be_are_refused_by_name),
        LEARNING_TEST(preparations_of_another_learner_are_refused_and_change_nothing),
        LEARNING_TEST(damaged_preparations_are_refused_with_the_path),
        LEARNING_TEST(damaged_gradients_are_refused_with_the_path),
    };
    return cmocka_run_group_tests(tests, learner_files_setup, learner_files_teardown);
}
