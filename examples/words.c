/* words - a network learns to recognise spoken digits.
 *
 * `make words` runs this program; `make words ARGS=--help` lists its options. The network takes
 * samples of sound. Its first layer makes a spectrogram of them, in which convolutions find the
 * digit as they do in an image. mnist_conv.c explains convolutions. */
#include <glnn/glnn.h>

#include <stddef.h>

#include "common/check.h"
#include "common/device.h"
#include "common/failure.h"
#include "common/folder.h"
#include "common/options.h"
#include "common/words.h"

typedef struct settings {
    const char *data, *model, *listen;
    int epochs, batch;
    uint64_t seed;
    glnn_stage stage;
} settings;

OPTION_NAMES(stage)

#define FIELD(member) .field = offsetof(settings, member)

static const option_row rows[] = {
    {"data", OPTION_TEXT, FIELD(data), "DIR", NULL,
     "folder with the recordings {digit}_{speaker}_{index}.wav of the Free Spoken Digit Dataset; "
     "unless given $GLNN_WORDS_DIR, then data/words"},
    {"model", OPTION_TEXT, FIELD(model), "FILE", NULL,
     "the network (safetensors): training writes it, --listen reads it"},
    {"listen", OPTION_TEXT, FIELD(listen), "FILE", NULL,
     "recognise this recording (WAV, 8000 Hz) instead of training"},
    {"epochs", OPTION_INTEGER, FIELD(epochs), "N", "10", "how often each recording is used", 1,
     1e6},
    {"batch", OPTION_INTEGER, FIELD(batch), "N", "32", "recordings of a step", 1, 1e6},
    {"seed", OPTION_SEED, FIELD(seed), "N", "1",
     "of the first weights and the order of recordings"},
    {"stage", OPTION_CHOICE, FIELD(stage), NULL, NULL, "the shaders that compute",
     GLNN_STAGE_FRAGMENT, GLNN_STAGE_AUTO, .name_of = option_stage},
};

static bool check_settings(void *from)
{
    const settings *with = from;
    return !with->listen || with->model ||
           refuse("--listen needs --model, the network that listens");
}

/* ---- Training */

static bool report(void *user, const glnn_report *now)
{
    (void)user;
    if (now->event != GLNN_EVENT_EPOCH)
        return true;
    printf("%5d  %8.4f  %7.2f %%  %7.2f %%  %7.1f s\n", now->epoch, now->training.loss,
           100.0 * now->training.accuracy, 100.0 * now->validation.accuracy, now->seconds);
    fflush(stdout);
    return true;
}

static glnn_dataset *create_dataset(glnn_context *ctx, const words *of)
{
    const glnn_dataset_desc desc = {.samples = of->count,
                                    .features = WORDS_LENGTH,
                                    .inputs = of->inputs,
                                    .labels = of->labels,
                                    .classes = WORDS_COUNT};
    glnn_dataset *data;
    CHECK(glnn_dataset_create(ctx, &desc, &data));
    return data;
}

static void train(glnn_context *ctx, const settings *with)
{
    words training, test;
    glnn_learner *network;
    glnn_metrics metrics;
    glnn_train_result result = {.size = sizeof result};
    const char *folder = words_find(with->data);
    REQUIRE(folder != NULL);
    REQUIRE(words_read(folder, &training, &test));
    printf("recordings %s: %d for training, %d for the test\n", folder, training.count, test.count);
    const glnn_network_desc desc = words_network(with->seed);
    glnn_dataset *data = create_dataset(ctx, &training), *held = create_dataset(ctx, &test);
    CHECK(glnn_network_create(ctx, &desc, &network));
    printf("\n            training               test\n"
           "epoch      loss    correct    correct       time\n");
    CHECK(glnn_learner_train(network, data,
                             &(glnn_train_desc){.epochs = with->epochs,
                                                .batch = with->batch,
                                                .schedule = {GLNN_SCHEDULE_COSINE, .rate = 0.002f},
                                                .seed = with->seed,
                                                .validation = held,
                                                .report = report},
                             &result));
    CHECK(glnn_learner_evaluate(network, held, &metrics, NULL));
    printf("\ntraining took %.1f s\ntest accuracy %.2f %%\n", result.train_seconds,
           100.0 * metrics.accuracy);
    if (with->model)
        CHECK(glnn_learner_save(network, with->model));
    glnn_learner_destroy(network);
    glnn_dataset_destroy(held);
    glnn_dataset_destroy(data);
    words_free(&training);
    words_free(&test);
}

/* ---- Listening */

static void listen(glnn_context *ctx, const settings *with)
{
    static float samples[WORDS_LENGTH];
    float probabilities[WORDS_COUNT];
    int digit;
    glnn_learner *network;
    CHECK(glnn_learner_load(ctx, with->model, NULL, &network));
    REQUIRE(words_fits(network, with->model));
    REQUIRE(words_read_file(with->listen, samples));
    CHECK(glnn_learner_predict(network, 1, samples, probabilities, &digit));
    printf("%s: %d, with probability %.3f\n", with->listen, digit, (double)probabilities[digit]);
    glnn_learner_destroy(network);
}

int main(int argc, char **argv)
{
    settings with;
    glnn_context *ctx;
    options_read(&(option_table){.program = argv[0],
                                 .summary = "Trains a network to recognise spoken digits.",
                                 .rows = rows,
                                 .count = sizeof rows / sizeof rows[0],
                                 .size = sizeof with,
                                 .check = check_settings},
                 argc, argv, &with);
    REQUIRE(!with.model || with.listen || path_writable(with.model));
    glnn_log_set(device_print_message, NULL);
    CHECK(glnn_context_create(&(glnn_context_desc){.stage = with.stage}, &ctx));
    if (with.listen) {
        listen(ctx, &with);
    } else {
        device_show(ctx);
        train(ctx, &with);
    }
    glnn_context_destroy(ctx);
    return output_status();
}
