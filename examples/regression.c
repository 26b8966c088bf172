/* regression - a network learns to predict a number from a table.
 *
 * Each row of throws.csv is the throw of a ball. It has the speed in m/s, the angle above the
 * horizontal in degrees, the height of the hand in m, and the distance of the landing in m. The
 * network learns the distance from the other three columns. The distances follow the parabola of a
 * throw without air resistance, with a random error of about 2 %.
 *
 *     build/examples/regression examples/throws.csv */
#include <glnn/glnn.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/check.h"

/* Reads the table. Without a description every column would be a feature. */
static glnn_csv read_table(const char *path)
{
    static const char *const targets[] = {"distance"};
    glnn_csv table = {.size = sizeof table};
    CHECK(glnn_csv_read(path, &(glnn_csv_desc){.targets = targets, .target_count = 1}, &table));
    printf("%" PRId64 " throws, %d features: ", table.rows, table.columns.features);
    for (int i = 0; i < table.columns.feature_columns; ++i)
        printf("%s%s", i > 0 ? ", " : "", table.columns.of[i].name);
    printf("\n");
    return table;
}

/* A data set of `count` rows from row `first` on. */
static glnn_dataset *create_dataset(glnn_context *ctx, const glnn_csv *table, int64_t first,
                                    int64_t count)
{
    const int features = table->columns.features;
    glnn_dataset *data;
    CHECK(glnn_dataset_create(ctx,
                              &(glnn_dataset_desc){.samples = count,
                                                   .features = features,
                                                   .inputs = table->inputs + first * features,
                                                   .targets = table->targets + first,
                                                   .outputs = 1},
                              &data));
    return data;
}

static bool report(void *user, const glnn_report *now)
{
    (void)user;
    if (now->event == GLNN_EVENT_EPOCH && now->epoch % 25 == 0)
        printf("epoch %3d   R^2 %.4f in training, %.4f in the test\n", now->epoch,
               now->training.r_squared, now->validation.r_squared);
    return true;
}

/* Two hidden layers. The output is any number, so its unit has no activation (IDENTITY). */
static glnn_learner *train(glnn_context *ctx, const glnn_dataset *data, const glnn_dataset *test)
{
    glnn_learner *network;
    CHECK(glnn_network_create(
        ctx,
        &(glnn_network_desc){.features = glnn_dataset_get_features(data),
                             .layers = {{.units = 32, .activation = GLNN_ACTIVATION_TANH},
                                        {.units = 32, .activation = GLNN_ACTIVATION_TANH},
                                        {.units = 1, .activation = GLNN_ACTIVATION_IDENTITY}},
                             .loss = GLNN_LOSS_SQUARED,
                             .optimizer = {.kind = GLNN_OPTIMIZER_ADAM},
                             .seed = 1},
        &network));
    CHECK(glnn_learner_train(network, data,
                             &(glnn_train_desc){.epochs = 150,
                                                .batch = 20,
                                                .schedule = {GLNN_SCHEDULE_COSINE, .rate = 0.01f},
                                                .seed = 1,
                                                .validation = test,
                                                .report = report},
                             NULL));
    return network;
}

/* Predicts a few throws and brings the outputs back to metres. */
static void show_predictions(glnn_learner *network, const glnn_scale *metres, int count,
                             const float *inputs, float *measured)
{
    float predicted[5];
    CHECK(glnn_learner_predict(network, count, inputs, predicted, NULL));
    CHECK(glnn_scale_undo(metres, count, 1, predicted));
    CHECK(glnn_scale_undo(metres, count, 1, measured));
    printf("\nmeasured  predicted\n");
    for (int i = 0; i < count; ++i)
        printf("%6.1f m  %7.1f m\n", (double)measured[i], (double)predicted[i]);
}

int main(int argc, char **argv)
{
    glnn_scale features, metres;
    glnn_metrics metrics;
    glnn_context *ctx;
    glnn_csv table = read_table(argc > 1 ? argv[1] : "examples/throws.csv");

    /* The rows are in random order, so the last fifth can be the test. */
    const int64_t train_rows = table.rows - table.rows / 5;
    const int columns = table.columns.features;
    float *test_inputs = table.inputs + train_rows * columns;
    float *test_targets = table.targets + train_rows;

    /* Degrees are larger numbers than metres. Standardised, each column has mean 0 and deviation 1,
     * and all count alike. The scale is fitted to the training rows alone, because the test rows
     * have to stay unseen. */
    CHECK(glnn_scale_fit(GLNN_SCALE_STANDARD, train_rows, columns, table.inputs, &features));
    CHECK(glnn_scale_fit(GLNN_SCALE_STANDARD, train_rows, 1, table.targets, &metres));
    CHECK(glnn_scale_apply(&features, table.rows, columns, table.inputs));
    CHECK(glnn_scale_apply(&metres, table.rows, 1, table.targets));

    CHECK(glnn_context_create(NULL, &ctx));
    glnn_dataset *data = create_dataset(ctx, &table, 0, train_rows);
    glnn_dataset *test = create_dataset(ctx, &table, train_rows, table.rows - train_rows);
    glnn_learner *network = train(ctx, data, test);

    /* R^2 is the share of the variance that the predictions explain: 1 is perfect, and 0 is no
     * better than to predict the mean for every throw. */
    CHECK(glnn_learner_evaluate(network, test, &metrics, NULL));
    printf("\ntest R^2 %.4f, root mean squared error %.2f m\n", metrics.r_squared,
           sqrt(metrics.squared_error) / (double)metres.factor[0]);
    show_predictions(network, &metres, 5, test_inputs, test_targets);

    glnn_learner_destroy(network);
    glnn_dataset_destroy(test);
    glnn_dataset_destroy(data);
    glnn_context_destroy(ctx);
    glnn_scale_free(&features);
    glnn_scale_free(&metres);
    glnn_csv_free(&table);
    return EXIT_SUCCESS;
}
