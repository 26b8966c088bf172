/* table - learns the species of penguins from a table, judges the network and exports it as C.
 *
 * docs/from-table-to-c.md explains each step.
 *
 *     build/examples/table examples/table/penguins.csv */
#include <glnn/glnn.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/check.h"
#include "common/random.h"

/* 1. Read. Values stay raw: means and categories must not come from test rows. */
static glnn_csv read_table(const char *path)
{
    static const char *const dropped[] = {"year"};
    glnn_csv table = {.size = sizeof table};
    CHECK(glnn_csv_read(path,
                        &(glnn_csv_desc){.label = "species",
                                         .dropped = dropped,
                                         .dropped_count = 1,
                                         .missing = GLNN_CSV_MISSING_CATEGORY,
                                         .raw = true},
                        &table));
    return table;
}

/* 2. Look. A missing value is NaN. */
static void look(const glnn_csv *table)
{
    const glnn_csv_columns *columns = &table->columns;
    printf("%" PRId64 " rows\n", table->rows);
    for (int j = 0; j < columns->feature_columns; ++j) {
        int missing = 0;
        for (int64_t i = 0; i < table->rows; ++i)
            missing += isnan(table->values[i * columns->feature_columns + j]) ? 1 : 0;
        printf("%-18s %-8s  %2d missing\n", columns->of[j].name,
               glnn_csv_type_name(columns->of[j].type), missing);
    }
    for (int c = 0; c < columns->classes; ++c) {
        int count = 0;
        for (int64_t i = 0; i < table->rows; ++i)
            count += table->labels[i] == c;
        printf("%-18s %3d rows\n", columns->class_names[c], count);
    }
}

/* The rows are sorted by species, so they are shuffled before the last ones become the test. */
static void shuffle(glnn_csv *table)
{
    const int columns = table->columns.feature_columns;
    uint64_t seed = 1;
    for (int i = (int)table->rows - 1; i > 0; --i) {
        const int other = random_below(&seed, i + 1), label = table->labels[i];
        table->labels[i] = table->labels[other];
        table->labels[other] = label;
        for (int j = 0; j < columns; ++j) {
            const float value = table->values[i * columns + j];
            table->values[i * columns + j] = table->values[other * columns + j];
            table->values[other * columns + j] = value;
        }
    }
}

/* Features of all rows, with the means, categories and scale of the first `count` rows. */
static float *prepare(glnn_csv *table, int64_t count, glnn_scale *scale)
{
    glnn_csv_columns *columns = &table->columns;
    CHECK(glnn_csv_columns_fit(columns, &(glnn_csv_fit_desc){.missing = GLNN_CSV_MISSING_CATEGORY},
                               count, table->values));
    float *inputs = malloc((size_t)table->rows * (size_t)columns->features * sizeof *inputs);
    if (inputs == NULL)
        exit(EXIT_FAILURE);
    CHECK(glnn_csv_columns_encode(columns, table->rows, table->values, inputs, NULL));
    CHECK(glnn_scale_fit(GLNN_SCALE_STANDARD, count, columns->features, inputs, scale));
    CHECK(glnn_scale_apply(scale, table->rows, columns->features, inputs));
    return inputs;
}

/* 3. Train. A fifth of the rows for training says which epoch is the best. */
static glnn_learner *train(glnn_context *ctx, const glnn_csv *table, int64_t count,
                           const float *inputs)
{
    glnn_dataset *data;
    glnn_learner *network;
    CHECK(glnn_dataset_create(ctx,
                              &(glnn_dataset_desc){.samples = count,
                                                   .features = table->columns.features,
                                                   .inputs = inputs,
                                                   .labels = table->labels,
                                                   .classes = table->columns.classes},
                              &data));
    CHECK(glnn_network_create(
        ctx,
        &(glnn_network_desc){.features = table->columns.features,
                             .layers = {{.units = 16, .activation = GLNN_ACTIVATION_RELU},
                                        {.units = table->columns.classes}},
                             .optimizer = {.momentum = 0.9f},
                             .seed = 1},
        &network));
    CHECK(glnn_learner_train(network, data,
                             &(glnn_train_desc){.epochs = 50,
                                                .batch = 32,
                                                .schedule = {GLNN_SCHEDULE_COSINE, .rate = 0.1f},
                                                .seed = 1,
                                                .validation_split = 0.2f,
                                                .restore_best = true},
                             NULL));
    glnn_dataset_destroy(data);
    return network;
}

/* 4. Judge, by rows that the network has not seen. */
static void judge(glnn_learner *network, const glnn_csv_columns *columns, int64_t rows,
                  const float *inputs, const int *labels)
{
    float *scores = malloc((size_t)rows * (size_t)columns->classes * sizeof *scores);
    glnn_class_metrics metrics = {.size = sizeof metrics};
    if (scores == NULL)
        exit(EXIT_FAILURE);
    CHECK(glnn_learner_predict(network, rows, inputs, scores, NULL));
    CHECK(glnn_class_metrics_compute(&(glnn_class_metrics_desc){.classes = columns->classes,
                                                                .samples = rows,
                                                                .labels = labels,
                                                                .scores = scores,
                                                                .are_probabilities = true},
                                     &metrics));
    printf("\n%" PRId64 " test rows: accuracy %.1f %%, balanced accuracy %.1f %%, log loss %.3f\n",
           rows, 100 * metrics.accuracy, 100 * metrics.balanced_accuracy, metrics.log_loss);
    for (int c = 0; c < columns->classes; ++c)
        printf("%-18s %2.0f rows, precision %.3f, recall %.3f\n", columns->class_names[c],
               metrics.support[c], metrics.precision[c], metrics.recall[c]);
    glnn_class_metrics_free(&metrics);
    free(scores);
}

/* 5. Deploy: the file and the source have the columns and the scale too. */
static void deploy(glnn_learner *network, const glnn_csv_columns *columns, const glnn_scale *scale)
{
    const glnn_preparation preparation = {.columns = *columns, .scale = *scale};
    CHECK(glnn_learner_set_preparation(network, &preparation));
    CHECK(glnn_learner_save(network, "penguins.safetensors"));
    CHECK(glnn_learner_export_c(network, "penguins.c", "penguins"));
}

int main(int argc, char **argv)
{
    glnn_context *ctx;
    glnn_scale scale;
    glnn_csv table = read_table(argc > 1 ? argv[1] : "examples/table/penguins.csv");
    const int64_t test_rows = table.rows / 5, train_rows = table.rows - test_rows;

    look(&table);
    shuffle(&table);
    float *inputs = prepare(&table, train_rows, &scale);
    CHECK(glnn_context_create(NULL, &ctx));
    glnn_learner *network = train(ctx, &table, train_rows, inputs);
    judge(network, &table.columns, test_rows, inputs + train_rows * table.columns.features,
          table.labels + train_rows);
    deploy(network, &table.columns, &scale);

    glnn_learner_destroy(network);
    glnn_context_destroy(ctx);
    glnn_scale_free(&scale);
    glnn_csv_free(&table);
    free(inputs);
    return EXIT_SUCCESS;
}
