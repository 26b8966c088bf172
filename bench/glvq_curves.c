/* glvq_curves - errors of GLVQ against epochs, of a serial program in C and of the device, from the
 * same start and with samples in the same order, which are the gradients of images of MNIST. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/failure.h"
#include "common/glvq.h"
#include "common/harness.h"
#include "common/mnist.h"
#include "common/table.h"

enum { CLASSES = 10, FEATURES = GLNN_IMAGE_GRADIENTS, MOST_EPOCHS = 1000 };

/* Shares of wrong samples may differ by this much: sums are rounded in another order, and a batch
 * sees the prototypes as they were before it. */
static const double most_apart = 0.005;

typedef struct settings {
    bench b;
    const char *data;
    int epochs, prototypes;
    float rate;
    option_list batches;
} settings;

typedef struct errors {
    double training[MOST_EPOCHS], test[MOST_EPOCHS];
} errors;

typedef struct work {
    settings with;
    glvq_case of;
    glvq_data training, test;
    float scale;
    table table;
    errors serial;
} work;

static const column columns[] = {
    {"who", 10, true}, {"epoch", 5, false}, {"training", 9, false}, {"test", 9, false}};

/* ---- Samples */

static void read_images(const char *folder, const char *name, glnn_preparation *by, int most,
                        glnn_context *ctx, glvq_data *out)
{
    glnn_idx images = {.size = sizeof images};
    REQUIRE(mnist_read(folder, name, &images));
    const int all = (int)images.shape[0], count = most > 0 && most < all ? most : all;
    by->gradients = (glnn_shape){1, (int)images.shape[1], (int)images.shape[2]};
    by->columns.features = by->gradients.height * by->gradients.width;
    float *pixels = allocate(images.elements, sizeof *pixels);
    CHECK(glnn_idx_get_floats(&images, 1.0f / 255.0f, pixels));
    out->samples = count;
    out->inputs = allocate((size_t)count * FEATURES, sizeof *out->inputs);
    CHECK(glnn_preparation_apply(ctx, by, count, pixels, out->inputs));
    glnn_idx_free(&images);
    free(pixels);
}

static glvq_data read_samples(const work *w, const char *folder, const char *images,
                              const char *labels, int most)
{
    glvq_data out = {0};
    glnn_preparation by = {0};
    glnn_idx classes = {.size = sizeof classes};
    read_images(folder, images, &by, most, w->with.b.ctx, &out);
    REQUIRE(mnist_read(folder, labels, &classes));
    out.labels = allocate(classes.elements, sizeof *out.labels);
    CHECK(glnn_idx_get_labels(&classes, CLASSES, out.labels));
    glnn_idx_free(&classes);
    return out;
}

/* ---- The device */

static glnn_dataset *upload(const work *w, const glvq_data *data)
{
    glnn_dataset *out;
    CHECK(glnn_dataset_create(w->with.b.ctx,
                              &(glnn_dataset_desc){.samples = data->samples,
                                                   .features = FEATURES,
                                                   .inputs = data->inputs,
                                                   .labels = data->labels,
                                                   .classes = CLASSES},
                              &out));
    return out;
}

static glnn_learner *classifier(const work *w)
{
    glnn_learner *lvq;
    CHECK(glnn_lvq_create(w->with.b.ctx,
                          &(glnn_lvq_desc){.features = FEATURES,
                                           .classes = CLASSES,
                                           .prototypes = w->of.prototypes,
                                           .xi = GLVQ_XI,
                                           .scale = w->scale},
                          &lvq));
    return lvq;
}

/* The start of all: k-means within each class, and the scale of the data. */
static void find_start(work *w)
{
    const size_t count = (size_t)glvq_count(&w->of) * FEATURES;
    glnn_dataset *data = upload(w, &w->training);
    glnn_learner *lvq = classifier(w);
    CHECK(glnn_learner_initialise(lvq, data));
    w->training.prototypes = allocate(count, sizeof(float));
    CHECK(glnn_learner_get_tensor(lvq, "prototypes", count, w->training.prototypes));
    w->scale = glnn_lvq_get_desc(lvq)->scale;
    glnn_learner_destroy(lvq);
    glnn_dataset_destroy(data);
}

static glnn_schedule schedule_of(const work *w)
{
    return (glnn_schedule){.kind = GLNN_SCHEDULE_LINEAR, .rate = w->with.rate};
}

/* ---- Curves */

static void note(work *w, const char *who, int epoch, double training, double test, errors *to)
{
    to->training[epoch] = training;
    to->test[epoch] = test;
    table_text(&w->table, who);
    table_number(&w->table, epoch + 1);
    table_number(&w->table, 100 * training);
    table_number(&w->table, 100 * test);
}

static void run_serial(work *w)
{
    const glnn_schedule schedule = schedule_of(w);
    const uint64_t steps = (uint64_t)w->training.samples * (uint64_t)w->with.epochs;
    glvq g = glvq_new(&w->of, &w->training, GLVQ_UNROLLED);
    g.scale = w->scale;
    for (int epoch = 0; epoch < w->with.epochs; ++epoch) {
        for (int i = 0; i < w->training.samples; ++i) {
            const uint64_t step = (uint64_t)epoch * (uint64_t)w->training.samples + (uint64_t)i;
            g.rate = glnn_schedule_get_rate(&schedule, step, steps, epoch);
            glvq_step(&g, &w->training, i);
        }
        note(w, "serial C", epoch, glvq_error(&g, &w->training), glvq_error(&g, &w->test),
             &w->serial);
    }
    glvq_free(&g);
}

static double error_of(glnn_trainer *trainer, const glnn_dataset *data)
{
    glnn_metrics metrics;
    CHECK(glnn_trainer_evaluate(trainer, data, &metrics, NULL));
    return 1 - metrics.accuracy;
}

static double greatest_gap(const double *a, const double *b, int count)
{
    double greatest = 0;
    for (int i = 0; i < count; ++i)
        greatest = fmax(greatest, fabs(a[i] - b[i]));
    return greatest;
}

static void compare(work *w, const char *who, const errors *of)
{
    const double training = greatest_gap(of->training, w->serial.training, w->with.epochs);
    const double test = greatest_gap(of->test, w->serial.test, w->with.epochs);
    printf("%s: at most %.3f points of the training error and %.3f of the test error from serial "
           "C\n",
           who, 100 * training, 100 * test);
    if (!(fmax(training, test) <= most_apart))
        bench_wrong(&w->with.b, "the errors of %s differ from serial C by more than %g points", who,
                    100 * most_apart);
}

static void run_device(work *w, int batch)
{
    static errors found;
    char who[32];
    glnn_dataset *training = upload(w, &w->training), *test = upload(w, &w->test);
    glnn_learner *lvq = classifier(w);
    glnn_trainer *trainer;
    snprintf(who, sizeof who, "device %d", batch);
    CHECK(glnn_learner_set_tensor(lvq, "prototypes", (size_t)glvq_count(&w->of) * FEATURES,
                                  w->training.prototypes));
    CHECK(glnn_trainer_create(lvq, training,
                              &(glnn_train_desc){.epochs = w->with.epochs,
                                                 .batch = batch,
                                                 .schedule = schedule_of(w),
                                                 .keep_order = true},
                              &trainer));
    for (int epoch = 0; epoch < w->with.epochs; ++epoch) {
        CHECK(glnn_trainer_step(trainer, 0, 0, NULL, NULL));
        CHECK(glnn_trainer_end_epoch(trainer));
        note(w, who, epoch, error_of(trainer, training), error_of(trainer, test), &found);
    }
    compare(w, who, &found);
    glnn_trainer_destroy(trainer);
    glnn_learner_destroy(lvq);
    glnn_dataset_destroy(training);
    glnn_dataset_destroy(test);
}

/* ---- Options */

static const option_row rows[] = {
    {"data", OPTION_TEXT, offsetof(settings, data), "DIR", .help = MNIST_DATA_HELP},
    {"epochs", OPTION_INTEGER, offsetof(settings, epochs), "N", "40", "epochs", .low = 1,
     .high = MOST_EPOCHS},
    {"prototypes", OPTION_INTEGER, offsetof(settings, prototypes), "N", "4",
     "prototypes of each class", .low = 1, .high = 64},
    {"rate", OPTION_NUMBER, offsetof(settings, rate), "R", "0.01",
     "learning rate at the start, which falls to 0", .high = 1, .above = true},
    {"batches", OPTION_LIST, offsetof(settings, batches), "N[,N...]", "128",
     "samples of a step on the device", .low = 1, .high = 65536},
};

int main(int argc, char **argv)
{
    static work w;
    const option_table own = {
        .program = "glvq_curves",
        .summary = "Compares the errors of GLVQ on the device and in serial C, epoch by epoch.",
        .rows = rows,
        .count = sizeof rows / sizeof rows[0],
        .size = sizeof w.with,
    };
    bench_open_own(&w.with.b, &own, argc, argv);
    const char *folder = mnist_find(w.with.data);
    REQUIRE(folder != NULL);
    w.of = (glvq_case){CLASSES, w.with.prototypes, FEATURES, 1};
    w.training =
        read_samples(&w, folder, MNIST_TRAIN_IMAGES, MNIST_TRAIN_LABELS, w.with.b.quick ? 2000 : 0);
    w.test =
        read_samples(&w, folder, MNIST_TEST_IMAGES, MNIST_TEST_LABELS, w.with.b.quick ? 1000 : 0);
    find_start(&w);
    table_open(&w.table, w.with.b.out, "glvq_curves", columns, sizeof columns / sizeof columns[0]);
    run_serial(&w);
    for (int i = 0; i < w.with.batches.count; ++i)
        run_device(&w, w.with.batches.values[i]);
    table_close(&w.table);
    glvq_data_free(&w.training);
    glvq_data_free(&w.test);
    return bench_close(&w.with.b);
}
