/* Exported learners with a preparation take raw samples. */
#include "support/exports.h"
#include "support/prototypes.h"
#include "support/svms.h"

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

static const char table[] =
    "id,width,bark,\"what? \\ \"\"it\"\" */ \xc3\xa4\",planted,sold,height,kind\n"
    "1,1.5,rough,a\\b,2001-01-02,31.12.2001 06:00,4,x\n"
    "2,,smooth,\"a\"\"?\?=\",2002-03-04,,5,y\n"
    "3,2.5,,a\\b,2003-05-06,01.02.2000,6,x\n"
    "4,-1e-3,rough,,2001-02-28,03.04.2005,7,y\n"
    "5,7,smooth,\"a\"\"?\?=\",,05.06.1999 23:59:59,8,x\n"
    "6,7,rough,a\\b,1899-12-31,02.01.2001,9,y\n";

/* Fields of rows, in the order of the columns, of which the last ones are wrong. */
enum { COLUMNS = 6, ROWS = 8, WRONG_ROWS = 3 };
static const char *const texts[ROWS + WRONG_ROWS][COLUMNS] = {
    {"1.5", "rough", "a\\b", "2001-01-02", "31.12.2001 06:00", "4"},
    {"", "smooth", "a\"?\?=", "2002-03-04", NULL, "5"},
    {"--", "None", NULL, "", "-", "#N/A"},
    {"-7.25e2", "pink", "other", "2024-02-29", "29.02.2024 12:30", "+.5"},
    {"nAn", "rough ", "a", "0001-01-01", "1.1.9999", "1e-30"},
    {"\t2.5 ", " smooth\t", " a\\b", " 2002-03-04 ", "\t31.12.2001 06:00", " 7"},
    {"0.1", "?", "NA", "1582-10-15T23:59:59.999Z", "15.10.1582 00:00+05:30", "3"},
    {"16777217", "smooth", "a\\b", "2000/1/1", "1-1-2000", "12345678.9"},
    {"1,5", "rough", "a\\b", "2001-01-02", "31.12.2001", "4"},
    {"0x10", "rough", "a\\b", "2001-02-29", "31.12.2001", "4"},
    {"1", "rough", "a\\b", "2001-02-28", "12/31/2001", "inf"},
};

static void expect_encoded(const exported *of, const glnn_csv_columns *columns, int row)
{
    float values[COLUMNS], wanted[32], got[32];
    static const int wrong[WRONG_ROWS] = {1, 1, 5};
    int64_t unknown;
    assert_true(columns->features <= 32 && columns->feature_columns == COLUMNS);
    const int result = of->encode(texts[row], got);
    if (row >= ROWS) {
        assert_int_equal(result, wrong[row - ROWS]);
        expect_error(glnn_csv_columns_parse(columns, texts[row], values), GLNN_E_FORMAT, "column");
        return;
    }
    expect_ok(glnn_csv_columns_parse(columns, texts[row], values));
    expect_ok(glnn_csv_columns_encode(columns, 1, values, wanted, &unknown));
    assert_int_equal(result, -unknown);
    assert_memory_equal(got, wanted, (size_t)columns->features * sizeof *got);
}

static void texts_of_a_row_become_the_same_features_and_unknown_ones_are_counted(void **state)
{
    const file_path source = file_write("table.csv", table, sizeof table - 1),
                    path = path_of("rows.c");
    static const glnn_csv_missing ways[] = {GLNN_CSV_MISSING_FILL, GLNN_CSV_MISSING_INDICATOR,
                                            GLNN_CSV_MISSING_CATEGORY};
    (void)state;
    for (int i = 0; i < 6; ++i) {
        glnn_csv csv = {.size = sizeof csv};
        expect_ok(glnn_csv_read(source.text,
                                &(glnn_csv_desc){.label = "kind",
                                                 .missing = ways[i % 3],
                                                 .rare = i == 4 ? 0.4f : 0,
                                                 .encoding = i < 3 ? GLNN_CSV_ENCODING_ONE_HOT
                                                                   : GLNN_CSV_ENCODING_ORDINAL},
                                &csv));
        glnn_learner *network = exported_network(&(glnn_network_desc){
            .features = csv.columns.features, .layers = {{.units = csv.columns.classes}}});
        expect_ok(
            glnn_learner_set_preparation(network, &(glnn_preparation){.columns = csv.columns}));
        expect_ok(glnn_learner_export_c(network, path.text, "rows"));
        const exported of = export_open(path.text, "rows");
        assert_non_null(of.encode);
        assert_int_equal(of.features, csv.columns.features);
        for (int row = 0; row < ROWS + WRONG_ROWS; ++row)
            expect_encoded(&of, &csv.columns, row);
        glnn_csv_free(&csv);
        release_learning();
    }
}

/* Reads a table, exports a network of its columns, and opens the file. */
static exported export_table(const char *text, const glnn_csv_desc *how, glnn_csv *csv)
{
    const file_path source = file_write("table.csv", text, strlen(text)), path = path_of("rows.c");
    *csv = (glnn_csv){.size = sizeof *csv};
    expect_ok(glnn_csv_read(source.text, how, csv));
    glnn_learner *network = exported_network(&(glnn_network_desc){
        .features = csv->columns.features, .layers = {{.units = csv->columns.classes}}});
    expect_ok(glnn_learner_set_preparation(network, &(glnn_preparation){.columns = csv->columns}));
    expect_ok(glnn_learner_export_c(network, path.text, "rows"));
    return export_open(path.text, "rows");
}

static void texts_of_a_row_are_read_as_those_of_the_table_with_decimal_commas(void **state)
{
    static const char commas[] = "a;b;c;kind\n1,5;2,5;\" x \";p\n2,5;2,5;x;q\n-1e-2;1,2,3;x;p\n"
                                 "4;2,5;\" x \";q\n5;1,2,3;x;p\n6;7,0;x;q\n7;7;x;q\n";
    static const struct {
        const char *field[3];
        int wrong;
    } rows[] = {
        {{"1,5", "2,5", "x"}, 0},    {{" -0,25\t", " 2,5 ", " x "}, 0}, {{"3", "1,2,3", "\tx"}, 0},
        {{"1e3", "7,0", " x\t"}, 0}, {{",5", " 1,2,3 ", "  "}, 0},      {{"", NULL, "NA"}, 0},
        {{"1.5", "2,5", "x"}, 1},    {{"1,5,5", "2,5", "x"}, 1},        {{"1.000,5", "7", "x"}, 1}};
    glnn_csv csv;
    (void)state;
    const exported of = export_table(
        commas,
        &(glnn_csv_desc){.separator = ';',
                         .decimal = ',',
                         .label = "kind",
                         .missing = GLNN_CSV_MISSING_FILL,
                         .choices = (glnn_csv_choice[]){{"b", GLNN_CSV_TYPE_CATEGORY, 0}},
                         .choice_count = 1},
        &csv);
    assert_true(csv.columns.has_commas);
    assert_int_equal(csv.columns.of[1].categories, 3);
    assert_string_equal(csv.columns.of[1].category_names[1], "2.5");
    assert_int_equal(csv.columns.of[2].categories, 2);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        float values[3], wanted[8], got[8];
        assert_int_equal(of.encode(rows[i].field, got), rows[i].wrong);
        if (rows[i].wrong) {
            expect_error(glnn_csv_columns_parse(&csv.columns, rows[i].field, values), GLNN_E_FORMAT,
                         "is not a finite number with a decimal comma");
            continue;
        }
        expect_ok(glnn_csv_columns_parse(&csv.columns, rows[i].field, values));
        expect_ok(glnn_csv_columns_encode(&csv.columns, 1, values, wanted, NULL));
        assert_memory_equal(got, wanted, (size_t)csv.columns.features * sizeof *got);
    }
    float got[8];
    assert_int_equal(of.encode(rows[1].field, got), 0);
    assert_true(got[0] == -0.25f && got[2] == 1 && got[4] == 1);
    glnn_csv_free(&csv);
}

/* The file at the path has this text before its first array. */
static void expect_in_head(const char *path, const char *part)
{
    static char text[4096];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    const char *found = strstr(text, part), *body = strstr(text, "#ifndef ROWS_DECLARATIONS_ONLY");
    if (!found || !body || found > body)
        fail_msg("\"%s\" lacks \"%s\" in its head", text, part);
}

static void the_head_of_a_file_lists_classes_and_fields(void **state)
{
    glnn_csv csv;
    (void)state;
    const exported of = export_table(
        table, &(glnn_csv_desc){.label = "kind", .missing = GLNN_CSV_MISSING_FILL}, &csv);
    static const char *const parts[] = {
        "#define ROWS_CLASSES  2\n#define ROWS_FIELDS   6\n",
        "extern const char *const rows_classes[ROWS_CLASSES];\n",
        "/* Makes a sample of the texts of a row:\n *   field[0]  width: number\n",
        " *   field[1]  bark: category\n",
        " *   field[2]  what_ _ \"it\" __ \xc3\xa4: category\n",
        " *   field[3]  planted: date, year first\n",
        " *   field[4]  sold: date, day first\n"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
        expect_in_head(path_of("rows.c").text, parts[i]);
    assert_non_null(of.classes);
    assert_string_equal(of.classes[0], "x");
    assert_string_equal(of.classes[1], "y");
    glnn_csv_free(&csv);
}

static void the_head_of_a_file_lists_targets(void **state)
{
    const char text[] = "a,b,c\n1,2,3\n2,4,5\n";
    const file_path source = file_write("table.csv", text, strlen(text)), path = path_of("rows.c");
    glnn_csv csv = {.size = sizeof csv};
    (void)state;
    expect_ok(glnn_csv_read(
        source.text, &(glnn_csv_desc){.targets = (const char *[]){"c", "b"}, .target_count = 2},
        &csv));
    glnn_learner *network = exported_network(
        &(glnn_network_desc){.features = 1, .layers = {{.units = 2}}, .loss = GLNN_LOSS_SQUARED});
    expect_ok(glnn_learner_set_preparation(network, &(glnn_preparation){.columns = csv.columns}));
    expect_ok(glnn_learner_export_c(network, path.text, "rows"));
    assert_null(export_open(path.text, "rows").classes);
    expect_in_head(path.text, "/* Computes the outputs of a sample:\n *   output[0]  c\n"
                              " *   output[1]  b\n */\n");
    glnn_csv_free(&csv);
}

static void all_classifiers_have_the_names_of_classes(void **state)
{
    static char *names[] = {"a \"b\"", "\xc3\xa4", "what?\?!"};
    const glnn_preparation by = {
        .columns = {.features = RAW, .classes = CLASSES, .class_names = names}};
    const samples of = {.inputs = array_random(EXPORT_SAMPLES, RAW, -1, 1),
                        .labels = samples_random(EXPORT_SAMPLES, 1, CLASSES, true).labels,
                        .outputs = CLASSES};
    glnn_learner *learners[] = {
        exported_network(&(glnn_network_desc){.features = RAW, .layers = {{.units = CLASSES}}}),
        lvq_of(&(glnn_lvq_desc){.kind = GLNN_LVQ_GLVQ, .features = RAW, .classes = CLASSES}),
        svm_of(&(glnn_svm_desc){.features = RAW, .classes = CLASSES})};
    const file_path path = path_of("named.c");
    (void)state;
    expect_ok(
        glnn_learner_train(learners[1], dataset_of(of), &(glnn_train_desc){.epochs = 1}, NULL));
    for (size_t i = 0; i < sizeof learners / sizeof *learners; ++i) {
        expect_ok(glnn_learner_set_preparation(learners[i], &by));
        expect_ok(glnn_learner_export_c(learners[i], path.text, "named"));
        const exported code = export_open(path.text, "named");
        assert_non_null(code.classes);
        for (int c = 0; c < CLASSES; ++c)
            assert_string_equal(code.classes[c], names[c]);
        assert_null(code.encode);
        release_exports();
    }
}

static void targets_and_numbered_classes_have_no_names(void **state)
{
    const file_path path = path_of("bare.c");
    const glnn_preparation by = preparation_of(true, false);
    glnn_learner *network =
        exported_network(&(glnn_network_desc){.features = RAW, .layers = {{.units = CLASSES}}});
    (void)state;
    expect_ok(glnn_learner_set_preparation(network, &by));
    expect_ok(glnn_learner_export_c(network, path.text, "bare"));
    assert_null(export_open(path.text, "bare").classes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        EXPORT_TEST(raw_samples_are_prepared),
        EXPORT_TEST(raw_samples_are_prepared_for_prototypes),
        EXPORT_TEST(images_become_gradients_that_are_prepared),
        EXPORT_TEST(targets_are_scaled_back),
        EXPORT_TEST(texts_of_a_row_become_the_same_features_and_unknown_ones_are_counted),
        EXPORT_TEST(texts_of_a_row_are_read_as_those_of_the_table_with_decimal_commas),
        EXPORT_TEST(the_head_of_a_file_lists_classes_and_fields),
        EXPORT_TEST(the_head_of_a_file_lists_targets),
        EXPORT_TEST(all_classifiers_have_the_names_of_classes),
        EXPORT_TEST(targets_and_numbered_classes_have_no_names),
        EXPORT_TEST(all_shaders_are_accepted),
    };
    return cmocka_run_group_tests_name("export with a preparation", tests, learner_files_setup,
                                       learner_files_teardown);
}
