#include "recogniser.h"

#include <glnn/dataset.h>
#include <glnn/lvq.h>
#include <glnn/network.h>
#include <glnn/safetensors.h>
#include <glnn/trainer.h>

#include <limits.h>
#include <math.h>
#include <string.h>

#include "common/check.h"
#include "common/digits.h"
#include "common/failure.h"
#include "common/random.h"
#include "window/digit.h"

/* Learning takes batches from a data set of SAMPLES. At first LEAST_NEW of them are the newest
 * drawing. If the model does not learn it, they become more after each PATIENCE steps.
 * Of the others one half are drawings that were taught before. The other half are generated digits
 * with the classes that the model gave them when it was loaded, so that it does not forget what it
 * can (pseudorehearsal: Robins, 1995). */
enum {
    SAMPLES = 128,
    BATCH = 32,
    LEAST_NEW = SAMPLES / 16,
    MOST_NEW = SAMPLES / 2,
    PATIENCE = 32,
    GENERATED = 500,
    TAUGHT = 100
};

/* The time of a slice of the preparation of learning. */
#define SLICE_MS 8.0

typedef struct kept {
    float pixels[DIGIT_PIXELS];
    int class;
} kept;

struct recogniser {
    glnn_context *ctx;
    glnn_learner *network; /* or */
    glnn_learner *lvq;
    glnn_matrix *scores; /* of the network, 1 x classes */
    int classes;
    char text[64];
    char numbers[RECOGNISER_CLASSES][2];

    kept generated[GENERATED], taught[TAUGHT];
    int teachings;      /* the last TAUGHT ones are kept */
    glnn_dataset *data; /* of the learning that goes on */
    glnn_trainer *trainer;
    double warmth;
    int newest; /* samples of the data set that are the newest drawing */
    int steps;  /* since it was taught */
    uint64_t random;
};

/* ---- The model */

static bool holds_prototypes(const char *path)
{
    glnn_safetensors *file;
    CHECK(glnn_safetensors_read(path, &file));
    const char *format = glnn_safetensors_get_metadata(file, "format");
    const bool found = format && strcmp(format, "glnn-lvq") == 0;
    glnn_safetensors_free(file);
    return found;
}

static const glnn_preparation *get_preparation(const recogniser *of)
{
    return of->network ? glnn_learner_get_preparation(of->network)
                       : glnn_learner_get_preparation(of->lvq);
}

static void describe(recogniser *of)
{
    int used;
    if (of->lvq) {
        glnn_tensor_info prototypes = {.size = sizeof prototypes};
        CHECK(glnn_learner_find_tensor(of->lvq, "prototypes", &prototypes));
        snprintf(of->text, sizeof of->text, "%zu prototypes, %s", prototypes.shape[0],
                 glnn_lvq_kind_name(glnn_lvq_get_desc(of->lvq)->kind));
        return;
    }
    const glnn_network_desc *desc = glnn_network_get_desc(of->network);
    used = snprintf(of->text, sizeof of->text, "network, %d", desc->features);
    for (int i = 0; i < desc->layer_count && used < (int)sizeof of->text; ++i)
        if (desc->layers[i].units > 0)
            used += snprintf(of->text + used, sizeof of->text - (size_t)used, " - %d",
                             desc->layers[i].units);
}

static void check_model(const recogniser *of, const char *path)
{
    const glnn_preparation *preparation = get_preparation(of);
    const int features = of->network ? glnn_network_get_desc(of->network)->features
                                     : glnn_lvq_get_desc(of->lvq)->features;
    REQUIRE(features == DIGIT_PIXELS ||
            refuse("%s: the model is for samples of %d features, but a drawing has %d pixels", path,
                   features, DIGIT_PIXELS));
    REQUIRE((of->classes >= 2 && of->classes <= RECOGNISER_CLASSES) ||
            refuse("%s: the model has %d outputs, but can have 2 to %d", path, of->classes,
                   RECOGNISER_CLASSES));
    REQUIRE(preparation == NULL ||
            (preparation->scale.features == 0 && preparation->components == 0) ||
            refuse("%s: the model learnt from scaled or projected samples, but a drawing gives "
                   "plain pixels",
                   path));
}

static void generate_digits(recogniser *of)
{
    static float inputs[GENERATED][DIGIT_PIXELS];
    uint8_t bytes[DIGIT_PIXELS];
    int classes[GENERATED];
    for (int i = 0; i < GENERATED; ++i) {
        digits_draw(DIGITS_SEED, (uint64_t)i, i % DIGITS_CLASSES, bytes);
        for (int j = 0; j < DIGIT_PIXELS; ++j)
            inputs[i][j] = (float)bytes[j] / 255.0f;
    }
    CHECK(of->network ? glnn_learner_predict(of->network, GENERATED, inputs[0], NULL, classes)
                      : glnn_learner_predict(of->lvq, GENERATED, inputs[0], NULL, classes));
    for (int i = 0; i < GENERATED; ++i) {
        memcpy(of->generated[i].pixels, inputs[i], sizeof inputs[i]);
        of->generated[i].class = classes[i];
    }
}

recogniser *recogniser_load(glnn_context *ctx, const char *path)
{
    recogniser *of = calloc(1, sizeof *of);
    REQUIRE(of != NULL || refuse("%s: no memory for the model", path));
    of->ctx = ctx;
    if (holds_prototypes(path)) {
        CHECK(glnn_learner_load(ctx, path, NULL, &of->lvq));
        of->classes = glnn_learner_get_outputs(of->lvq);
    } else {
        CHECK(glnn_learner_load(ctx, path, NULL, &of->network));
        of->classes = glnn_learner_get_outputs(of->network);
    }
    check_model(of, path);
    describe(of);
    for (int i = 0; i < RECOGNISER_CLASSES; ++i)
        of->numbers[i][0] = (char)('0' + i);
    CHECK(glnn_matrix_create(
        ctx, &(glnn_matrix_desc){.rows = 1, .columns = of->classes, .name = "scores"},
        &of->scores));
    generate_digits(of);
    return of;
}

void recogniser_destroy(recogniser *of)
{
    if (of == NULL)
        return;
    recogniser_stop(of);
    glnn_matrix_destroy(of->scores);
    glnn_learner_destroy(of->network);
    glnn_learner_destroy(of->lvq);
    free(of);
}

const char *recogniser_describe(const recogniser *of)
{
    return of->text;
}

int recogniser_get_classes(const recogniser *of)
{
    return of->classes;
}

const char *recogniser_get_name(const recogniser *of, int class)
{
    const glnn_preparation *preparation = get_preparation(of);
    return preparation && preparation->columns.class_names ? preparation->columns.class_names[class]
                                                           : of->numbers[class];
}

void recogniser_save(const recogniser *of, const char *path)
{
    CHECK(of->network ? glnn_learner_save(of->network, path) : glnn_learner_save(of->lvq, path));
}

/* ---- Recognition */

/* The outputs of prototypes are minus squared distances, except those of RSLVQ. */
static void compare_distances(const recogniser *of, float *shares)
{
    float least = INFINITY;
    for (int i = 0; i < of->classes; ++i)
        least = fminf(least, -shares[i]);
    for (int i = 0; i < of->classes; ++i)
        shares[i] = -shares[i] > least ? least / -shares[i] : 1.0f;
}

static int find_greatest(const float *numbers, int count)
{
    int greatest = 0;
    for (int i = 1; i < count; ++i)
        greatest = numbers[i] > numbers[greatest] ? i : greatest;
    return greatest;
}

int recogniser_read(recogniser *of, const glnn_matrix *sample, float shares[RECOGNISER_CLASSES])
{
    float pixels[DIGIT_PIXELS];
    if (of->network) {
        CHECK(glnn_learner_predict_matrix(of->network, sample, of->scores));
        CHECK(glnn_matrix_download(of->ctx, of->scores, NULL, shares, 0));
    } else {
        CHECK(glnn_matrix_download(of->ctx, sample, NULL, pixels, 0));
        CHECK(glnn_learner_predict(of->lvq, 1, pixels, shares, NULL));
        if (glnn_lvq_get_desc(of->lvq)->kind != GLNN_LVQ_RSLVQ)
            compare_distances(of, shares);
    }
    return find_greatest(shares, of->classes);
}

/* ---- Learning */

/* The sample for place i of the data set. */
static const kept *choose_sample(recogniser *of, int i)
{
    const int earlier = of->teachings < TAUGHT ? of->teachings - 1 : TAUGHT - 1;
    if (i >= of->newest && (i % 2 == 0 || earlier == 0))
        return &of->generated[random_below(&of->random, GENERATED)];
    const int back = i < of->newest ? 1 : 2 + random_below(&of->random, earlier);
    return &of->taught[(of->teachings - back) % TAUGHT];
}

static void create_dataset(recogniser *of)
{
    static float inputs[SAMPLES][DIGIT_PIXELS];
    int labels[SAMPLES];
    for (int i = 0; i < SAMPLES; ++i) {
        const kept *chosen = choose_sample(of, i);
        memcpy(inputs[i], chosen->pixels, sizeof inputs[i]);
        labels[i] = chosen->class;
    }
    CHECK(glnn_dataset_create(of->ctx,
                              &(glnn_dataset_desc){.samples = SAMPLES,
                                                   .features = DIGIT_PIXELS,
                                                   .inputs = inputs[0],
                                                   .labels = labels,
                                                   .classes = of->classes},
                              &of->data));
}

/* A fraction of the default rates, which are for a first training. At the default rates, one lesson
 * would cost a network several percent of its accuracy. 0 is the default. */
static float choose_rate(const recogniser *of)
{
    if (of->lvq)
        return 0.0f;
    const glnn_optimizer *optimizer = &glnn_network_get_desc(of->network)->optimizer;
    switch (optimizer->kind) {
    case GLNN_OPTIMIZER_RPROP:
        return 0.0f;
    case GLNN_OPTIMIZER_ADAM:
    case GLNN_OPTIMIZER_RMSPROP:
        return 0.0001f;
    default: /* with momentum m, a step goes on for about 1 / (1 - m) steps */
        return 0.02f * (1.0f - optimizer->momentum);
    }
}

static void create_trainer(recogniser *of, int newest)
{
    const bool full =
        of->network && glnn_network_get_desc(of->network)->optimizer.kind == GLNN_OPTIMIZER_RPROP;
    const glnn_train_desc desc = {.epochs = INT_MAX,
                                  .batch = full ? GLNN_FULL_BATCH : BATCH,
                                  .schedule = {.rate = choose_rate(of)}};
    recogniser_stop(of);
    of->newest = newest;
    create_dataset(of);
    CHECK(of->network ? glnn_trainer_create(of->network, of->data, &desc, &of->trainer)
                      : glnn_trainer_create(of->lvq, of->data, &desc, &of->trainer));
    of->warmth = 0.0;
}

void recogniser_teach(recogniser *of, const glnn_matrix *sample, int class)
{
    kept *place = &of->taught[of->teachings++ % TAUGHT];
    CHECK(glnn_matrix_download(of->ctx, sample, NULL, place->pixels, 0));
    place->class = class;
    of->steps = 0;
    create_trainer(of, LEAST_NEW);
}

bool recogniser_is_learning(const recogniser *of)
{
    return of->trainer != NULL;
}

bool recogniser_learn(recogniser *of)
{
    bool ended;
    if (of->warmth < 1.0) {
        CHECK(glnn_trainer_warm_up(of->trainer, SLICE_MS, &of->warmth));
        return false;
    }
    CHECK(glnn_trainer_step(of->trainer, 1, 0.0, NULL, &ended));
    if (ended)
        CHECK(glnn_trainer_end_epoch(of->trainer));
    if (++of->steps % PATIENCE == 0 && of->newest < MOST_NEW)
        create_trainer(of, 2 * of->newest);
    return true;
}

void recogniser_stop(recogniser *of)
{
    glnn_trainer_destroy(of->trainer);
    glnn_dataset_destroy(of->data);
    of->trainer = NULL;
    of->data = NULL;
}
