/* Texts with rows: CSV tables, LVQ_PAK codebooks and learning curves. */
#include "target.h"

#include <glnn/codebook.h>
#include <glnn/csv.h>
#include <glnn/curve.h>

#include "support/curves.h"

/* ---- CSV tables */

/* An input is read in each of these ways. */
static const char *const price[] = {"3"};
static const glnn_csv_choice choices[] = {{"1", GLNN_CSV_TYPE_CATEGORY, GLNN_CSV_ENCODING_ORDINAL}};
static const glnn_csv_desc ways[] = {
    {.separator = 0},
    {.label = "kind", .missing = GLNN_CSV_MISSING_INDICATOR},
    {.label = "1",
     .targets = price,
     .target_count = 1,
     .header = GLNN_CSV_HEADER_NO,
     .missing = GLNN_CSV_MISSING_DROP},
    {.separator = ';',
     .decimal = ',',
     .choices = choices,
     .choice_count = 1,
     .header = GLNN_CSV_HEADER_YES,
     .missing = GLNN_CSV_MISSING_CATEGORY,
     .rare = 0.5f},
    {.separator = '\t', .raw = true, .missing = GLNN_CSV_MISSING_FILL},
};

/* The texts of the rows may be those of a program, too. */
static void parse_fields(const glnn_csv *table, const char *text)
{
    const size_t count = (size_t)table->columns.feature_columns;
    const char **fields = calloc(count, sizeof *fields);
    float *values = calloc(count, sizeof *values);
    assert_true(fields && values);
    for (size_t i = 0; i < count; ++i)
        fields[i] = i % 2 ? text : "7";
    fuzz_expect_sentence(glnn_csv_columns_parse(&table->columns, fields, values));
    free(values);
    free(fields);
}

static void use_table(const glnn_csv *table, bool is_raw)
{
    const size_t rows = (size_t)table->rows;
    const size_t features = (size_t)table->columns.features;
    assert_true(rows > 0);
    if (!is_raw)
        fuzz_touch(table->inputs, rows * features);
    else
        fuzz_touch(table->values, rows * (size_t)table->columns.feature_columns);
    for (size_t i = 0; table->labels && i < rows; ++i)
        assert_in_range(table->labels[i], 0, table->columns.classes - 1);
    if (table->targets)
        fuzz_touch(table->targets, rows * (size_t)table->columns.targets);
    for (int i = 0; i < table->columns.features && i < 100; ++i) {
        char name[GLNN_CSV_FEATURE_NAME];
        expect_ok(glnn_csv_columns_name_feature(&table->columns, i, name));
    }
}

/* A table that is opened has the rows of the one that is read. */
static void open_table(const char *path, const glnn_csv_desc *how, const glnn_csv *read)
{
    glnn_csv table = {.size = sizeof table};
    glnn_csv_file *file = NULL;
    const glnn_status status = glnn_csv_file_open(path, how, &table, &file);
    fuzz_expect_sentence(status);
    if (!status && !how->raw) {
        const size_t columns = (size_t)table.columns.features;
        float *row = malloc(columns * sizeof *row);
        assert_non_null(row);
        assert_true(table.rows == read->rows && table.columns.features == read->columns.features);
        for (int i = 0; i < table.rows && i < 20; ++i) {
            expect_ok(glnn_csv_file_read_samples(file, &i, 1, row));
            assert_memory_equal(row, read->inputs + (size_t)i * columns, columns * sizeof *row);
        }
        free(row);
    }
    glnn_csv_file_close(file);
    glnn_csv_free(&table);
}

static void read_table(const char *path, const glnn_csv_desc *how, const char *text)
{
    glnn_csv table = {.size = sizeof table}, again = {.size = sizeof again};
    const glnn_status status = glnn_csv_read(path, how, &table);
    fuzz_expect_sentence(status);
    if (!status) {
        const glnn_csv_desc like = {.separator = how->separator,
                                    .decimal = how->decimal,
                                    .header = how->header,
                                    .missing = how->missing,
                                    .like = &table.columns};
        use_table(&table, how->raw);
        parse_fields(&table, text);
        open_table(path, how, &table);
        if (!how->raw)
            fuzz_expect_sentence(glnn_csv_read(path, &like, &again));
    }
    glnn_csv_free(&again);
    glnn_csv_free(&table);
}

void fuzz_run_csv(const unsigned char *bytes, size_t size)
{
    const char *path = fuzz_file("input", bytes, size);
    char *text = calloc(size + 1, 1);
    assert_non_null(text);
    memcpy(text, bytes, size);
    for (size_t i = 0; i < COUNT_OF(ways); ++i)
        read_table(path, &ways[i], text);
    free(text);
}

void fuzz_seed_csv(void)
{
    fuzz_seed_text("height,planted,bark,kind\n1.5,2020-01-31,rough,oak\n.25,2019-12-01,,elm\n"
                   "-3e2,2021-02-28 12:30:00,\"two\nlines\",oak\n");
    fuzz_seed_text("oak,1,2.5\nelm,2,0\noak,3,-1\n");
    fuzz_seed_text("a;b;c\n1,5;31.12.2020;x\n2,5;01.01.2021;y\n;;z\n");
    fuzz_seed_text("a\tb\n1\t\"say \"\"no\"\"\"\n2\tNA\n");
    fuzz_seed_text("\xEF\xBB\xBFid,kind\r\n0,1\r\n1,2\r\n");
    fuzz_seed_text("1,2\n3,4\n5,6\n");
}

/* ---- Codebooks */

void fuzz_run_codebook(const unsigned char *bytes, size_t size)
{
    glnn_codebook codebook = {.size = sizeof codebook};
    const glnn_status status = glnn_codebook_read(fuzz_file("input", bytes, size), &codebook);
    fuzz_expect_sentence(status);
    assert_true((status == GLNN_OK) == (codebook.vectors != NULL));
    if (!status)
        fuzz_touch(codebook.vectors, (size_t)codebook.count * (size_t)codebook.features);
    for (int i = 0; codebook.labels && i < codebook.count; ++i)
        assert_in_range(codebook.labels[i], 0, codebook.classes - 1);
    glnn_codebook_free(&codebook);
}

void fuzz_seed_codebook(void)
{
    fuzz_seed_text("2\n1.5 -2e3 b\n.25 +4 a\n7. 0 b\n");
    fuzz_seed_text("# made by hand\n\n \t3 hexa 12 8 bubble\r\n#n 4\n\t1  2\t3   one \r\n4 5 6 #2");
    fuzz_seed_text("1\n0.5 10\n0.25 9\n1 10\n");
    fuzz_seed_text("2\n1 2\n3 4\n");
}

/* ---- Learning curves */

void fuzz_run_curve(const unsigned char *bytes, size_t size)
{
    glnn_curve *curve = NULL;
    const glnn_status status = glnn_curve_read_csv(fuzz_file("input", bytes, size), &curve);
    fuzz_expect_sentence(status);
    assert_true((status == GLNN_OK) == (curve != NULL));
    int before = 0;
    for (int i = 0; i < glnn_curve_get_count(curve); ++i) {
        const int epoch = glnn_curve_get_report(curve, i)->epoch;
        assert_true(epoch > before);
        before = epoch;
    }
    if (curve && before < 1000) {
        const glnn_report next = report_at(before + 1);
        fuzz_expect_sentence(glnn_curve_add(curve, &next));
    }
    glnn_curve_destroy(curve);
}

void fuzz_seed_curve(void)
{
    for (int epochs = 0; epochs < 4; epochs += 3) {
        glnn_curve *curve = curve_of(epochs);
        expect_ok(glnn_curve_write_csv(curve, fuzz_seed_path()));
        glnn_curve_destroy(curve);
    }
}
