/* hear - a window that recognises spoken digits.
 *
 * `make hear` runs this program; `make hear ARGS=--help` lists its options. It listens to the
 * microphone, or to a recording. When a word has ended, the window shows its spectrogram, the
 * activations of the network and its answer. The network is that of the example words. */
#include <glnn/glnn.h>

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "common/check.h"
#include "common/failure.h"
#include "common/listener.h"
#include "common/options.h"
#include "common/words.h"
#include "window/microphone.h"
#include "window/panel.h"
#include "window/pictures.h"

typedef struct settings {
    const char *model, *listen;
    panel_options panel;
} settings;

#define FIELD(member) .field = offsetof(settings, member)

static const option_row rows[] = {
    {"model", OPTION_TEXT, FIELD(model), "FILE", "build/words.safetensors",
     "the network, which `make words` trains"},
    {"listen", OPTION_TEXT, FIELD(listen), "FILE", NULL,
     "hear this recording (WAV, 8000 Hz) instead of the microphone"},
    PANEL_ROWS(panel, "960", "640"),
};

/* The layers whose activations are shown: the spectrogram, two of convolutions, and a dense one. */
enum { SPECTROGRAM = 0, SHOWN = 4 };
static const int shown_layers[SHOWN] = {SPECTROGRAM, 1, 3, 8};

typedef struct program {
    glnn_context *ctx;
    glnn_learner *network;
    microphone *from; /* NULL: the recording */
    listener listener;
    pictures *activations[SHOWN];
    float probabilities[WORDS_COUNT];
    int digit; /* -1: nothing was heard yet */
    int words; /* that were heard           */
    char message[160];
} program;

/* ---- Recognition */

static void recognise(program *of, const float *samples)
{
    CHECK(glnn_learner_predict(of->network, 1, samples, of->probabilities, &of->digit));
    for (int i = 0; i < SHOWN; ++i) {
        const glnn_shape shape = glnn_network_get_shape(of->network, shown_layers[i]);
        const glnn_matrix *matrix;
        CHECK(glnn_network_get_activation_matrix(of->network, shown_layers[i], &matrix));
        const bool has_channels = shape.width > 1 && shape.channels > 1;
        REQUIRE(pictures_draw(of->activations[i], matrix, has_channels ? shape.channels / 2 : 1));
    }
    ++of->words;
    printf("heard %d, with probability %.3f\n", of->digit, (double)of->probabilities[of->digit]);
    fflush(stdout);
}

/* Channels are columns of the matrix of an image, and a dense layer has one row. */
static void create_pictures(program *of)
{
    enum { UNITS_IN_A_ROW = 16 };
    for (int i = 0; i < SHOWN; ++i) {
        const glnn_shape shape = glnn_network_get_shape(of->network, shown_layers[i]);
        const int pixels = shape.height * shape.width;
        const bool is_image = pixels > 1;
        const pictures_desc desc = {.count = is_image ? shape.channels : 1,
                                    .pixels = is_image ? pixels : shape.channels,
                                    .width = is_image ? shape.width : UNITS_IN_A_ROW,
                                    .is_column = is_image,
                                    .colours = i == SPECTROGRAM ? PICTURES_SIGNED : PICTURES_HEAT};
        REQUIRE(pictures_create(&desc, &of->activations[i]));
    }
}

static void listen(program *of)
{
    float samples[1024];
    int count;
    while (of->from && (count = microphone_take(of->from, samples, 1024)) > 0)
        for (int taken = 0, used; taken < count; taken += used)
            if (listener_take(&of->listener, samples + taken, count - taken, &used))
                recognise(of, of->listener.word);
}

/* ---- The window */

/* The first row of an image has the low frequencies: it is shown at the bottom. */
static void show_activations(const program *of, int number, const char *title, float width,
                             float height)
{
    int columns, lines;
    pictures_get_size(of->activations[number], &columns, &lines);
    panel_text_in(PANEL_FAINT, "%s", title);
    if (columns == 0)
        return;
    const float ratio = (float)lines / (float)columns;
    const float wide = width * ratio < height ? width : height / ratio;
    panel_show_image(&(panel_image){.label = title,
                                    .texture = pictures_get_texture(of->activations[number]),
                                    .width = wide,
                                    .height = wide * ratio,
                                    .left = 0,
                                    .top = 1,
                                    .right = 1,
                                    .bottom = 0});
}

static void show_answer(const program *of)
{
    char label[8];
    panel_paragraph(of->message);
    if (of->from) {
        panel_text_in(PANEL_FAINT, "Level");
        panel_bar("", 0.0f, fminf(sqrtf(of->listener.level) * 5.0f, 1.0f),
                  of->listener.heard > 0 ? PANEL_FIRST : PANEL_FAINT);
    }
    for (int i = 0; i < WORDS_COUNT; ++i) {
        snprintf(label, sizeof label, "%d", i);
        panel_bar(label, 0.0f, of->probabilities[i], i == of->digit ? PANEL_GOOD : PANEL_FAINT);
    }
    if (of->digit >= 0)
        panel_text("It heard %d.", of->digit);
}

static void show(const program *of)
{
    enum { ANSWER_WIDTH = 20 };
    float width, height;
    panel_get_room(&width, &height);
    panel_begin_section("What it hears", width - ANSWER_WIDTH - PANEL_GAP, 0.0f);
    panel_get_room(&width, &height);
    show_activations(of, SPECTROGRAM, "Spectrogram: red is louder than the mean, blue is quieter",
                     width, height * 0.42f);
    show_activations(of, 1, "First convolution", width, height * 0.22f);
    show_activations(of, 2, "Second convolution", width, height * 0.16f);
    show_activations(of, 3, "Dense layer", width, height * 0.06f);
    panel_end_section();
    panel_next_to();
    panel_begin_section("What it understands", 0.0f, 0.0f);
    show_answer(of);
    panel_end_section();
}

/* ---- The program */

static void start(program *of, const settings *with)
{
    static float samples[WORDS_LENGTH];
    *of = (program){.digit = -1};
    CHECK(glnn_context_create(&(glnn_context_desc){.platform = GLNN_PLATFORM_ADOPT}, &of->ctx));
    CHECK(glnn_learner_load(of->ctx, with->model, &(glnn_load_desc){.capacity = 1}, &of->network));
    REQUIRE(words_fits(of->network, with->model));
    create_pictures(of);
    if (with->listen) {
        REQUIRE(words_read_file(with->listen, samples));
        snprintf(of->message, sizeof of->message, "%s", with->listen);
        recognise(of, samples);
    } else if (microphone_open(WORDS_RATE, &of->from)) {
        snprintf(of->message, sizeof of->message, "Say a digit, and wait a moment.");
    } else {
        snprintf(of->message, sizeof of->message, "%s", failure());
        printf("%s; --listen names a recording\n", failure());
    }
}

static void stop(program *of)
{
    for (int i = 0; i < SHOWN; ++i)
        pictures_destroy(of->activations[i]);
    microphone_close(of->from);
    glnn_learner_destroy(of->network);
    glnn_context_destroy(of->ctx);
}

int main(int argc, char **argv)
{
    settings with;
    static program all;
    options_read(&(option_table){.program = argv[0],
                                 .summary = "Recognises spoken digits, in a window.",
                                 .rows = rows,
                                 .count = sizeof rows / sizeof rows[0],
                                 .size = sizeof with},
                 argc, argv, &with);
    REQUIRE(panel_open("hear", &with.panel));
    start(&all, &with);
    while (panel_begin()) {
        listen(&all);
        show(&all);
        REQUIRE(panel_end());
    }
    stop(&all);
    panel_close();
    return output_status();
}
