/* live - watch a network while it learns to read digits.
 *
 * `make live` runs this program; `make live ARGS=--help` lists its options. The library is a guest
 * in the OpenGL context of the window. In each frame the network trains for a few milliseconds.
 * Then the window shows the network: curves of loss and accuracy, the weights of the first layer,
 * and its answers to some test images with the activations of the hidden units. Weights and
 * activations are drawn where they are, from the textures of their matrices. In a second tab, one
 * training step is shown pass by pass.
 *
 * The parts of the program are in examples/window: the panel, the training, the pictures of
 * matrices, the exhibit, which has the test images, the gallery, which arranges pictures, and the
 * inside, which shows a step. */
#include <glnn/glnn.h>

#include <math.h>

#include "common/check.h"
#include "common/device.h"
#include "common/failure.h"
#include "common/mnist.h"
#include "window/exhibit.h"
#include "window/gallery.h"
#include "window/inside.h"
#include "window/panel.h"
#include "window/training.h"

typedef struct settings {
    panel_options panel;
    const char *data;
    option_list hidden;
    int batch;
    float rate, milliseconds;
    uint64_t seed;
    glnn_stage stage;
    glnn_layout layout;
    bool inside;
} settings;

OPTION_NAMES(stage)
OPTION_NAMES(layout)

#define FIELD(member) .field = offsetof(settings, member)

static const option_row rows[] = {
    {"data", OPTION_TEXT, FIELD(data), "DIR", NULL, MNIST_DATA_HELP},
    {"hidden", OPTION_LIST, FIELD(hidden), "N[,N...]", "128,64", "units of each hidden layer", 1,
     1e4},
    {"batch", OPTION_INTEGER, FIELD(batch), "N", "128", "images of a step", 1, 1e6},
    {"rate", OPTION_NUMBER, FIELD(rate), "R", "0.05", "the learning rate", 1e-4, 1},
    {"training", OPTION_NUMBER, FIELD(milliseconds), "MS", "8",
     "how long each frame trains, in milliseconds", 1, 100},
    {"seed", OPTION_SEED, FIELD(seed), "N", "1", "of the first weights and the order of images"},
    {"stage", OPTION_CHOICE, FIELD(stage), NULL, "fragment", "the shaders that compute",
     GLNN_STAGE_FRAGMENT, GLNN_STAGE_COMPUTE, .name_of = option_stage},
    {"layout", OPTION_CHOICE, FIELD(layout), NULL, "tiled", "the way matrices lie in textures",
     GLNN_LAYOUT_TILED, GLNN_LAYOUT_UNPACKED, .name_of = option_layout},
    {"inside", OPTION_FLAG, FIELD(inside), .help = "begin with the passes of a step"},
    PANEL_ROWS(panel, "1280", "800"),
};

/* Lengths of the arrangement, in the units of the panel. The window scrolls if it is smaller. */
#define CONTROLS_WIDTH    19.0f
#define CONTROLS_HEIGHT   31.5f
#define CONTROL_WIDTH     10.0f
#define LEAST_WIDTH       42.0f /* next to the controls */
#define LEAST_WIDTH_BELOW 30.0f
#define LEAST_HEIGHT      40.0f
#define PASSES_WIDTH      19.0f
#define BUTTON_HEIGHT     2.1f

enum { LEARNING, INSIDE, TABS };

static const char *const tabs[TABS] = {"Learning (V)", "Look inside a step (V)"};

typedef struct program {
    training training;
    exhibit exhibit;
    inside inside;
    int tab;
    bool is_paused, wants_step, wants_inspection;
    float rate, milliseconds;
    int stage, layout;
    double frame_ms;            /* a mean of the last frames */
    double images, interval_ms; /* since the throughput was last computed */
    double images_per_second;
} program;

/* ---- The actions of the user */

static const char *state_of(const program *of)
{
    switch (of->training.state) {
    case TRAINING_MEASURES:
        return "measuring the device";
    case TRAINING_COMPILES:
        return "compiling programs";
    case TRAINING_RUNS:
        return of->is_paused ? "paused" : "training";
    }
    return "";
}

/* Prints what has changed, so that a log tells what was done. */
static void tell(const program *of, const char *what)
{
    printf("%s: step %llu, rate %g, stage %s, layout %s\n", what,
           (unsigned long long)of->training.steps, (double)of->rate, option_stage(of->stage),
           option_layout(of->layout));
    fflush(stdout);
}

static void restart(program *of)
{
    exhibit_hide(&of->exhibit);
    inside_hide(&of->inside);
    training_restart(&of->training, (glnn_layout)of->layout);
    tell(of, "restarted");
}

static void switch_stage(program *of)
{
    exhibit_hide(&of->exhibit);
    inside_hide(&of->inside);
    training_set_stage(&of->training, (glnn_stage)of->stage);
    tell(of, "restarted");
}

static void change_rate(program *of, float factor)
{
    const float rate = of->rate * factor;
    of->rate = rate < 1e-4f ? 1e-4f : rate > 1.0f ? 1.0f : rate;
    training_set_rate(&of->training, of->rate);
    tell(of, "rate changed");
}

static void toggle_pause(program *of)
{
    of->is_paused = !of->is_paused;
    tell(of, of->is_paused ? "paused" : "continued");
}

static void move(program *of, int passes)
{
    const int before = of->inside.pass;
    inside_move(&of->inside, passes);
    if (of->inside.pass != before)
        printf("pass %d of %d\n", of->inside.pass + 1,
               glnn_inspection_get_pass_count(of->inside.inspection));
    fflush(stdout);
}

static void use_keys(program *of)
{
    if (panel_is_pressed('V'))
        of->tab = (of->tab + 1) % TABS;
    if (panel_is_pressed('B'))
        move(of, -1);
    if (panel_is_pressed('F'))
        move(of, 1);
    if (panel_is_pressed('I'))
        of->wants_inspection = true;
    if (panel_is_pressed(' '))
        toggle_pause(of);
    if (panel_is_pressed('S'))
        of->is_paused = of->wants_step = true;
    if (panel_is_pressed('R'))
        restart(of);
    if (panel_is_pressed('N') && of->exhibit.network != NULL)
        exhibit_change(&of->exhibit);
    if (panel_is_pressed('-'))
        change_rate(of, 0.5f);
    if (panel_is_pressed('='))
        change_rate(of, 2.0f);
    if (panel_is_pressed('L')) {
        of->layout = of->layout == GLNN_LAYOUT_UNPACKED ? GLNN_LAYOUT_TILED : of->layout + 1;
        restart(of);
    }
    if (panel_is_pressed('T')) {
        of->stage = of->stage == GLNN_STAGE_FRAGMENT ? GLNN_STAGE_COMPUTE : GLNN_STAGE_FRAGMENT;
        switch_stage(of);
    }
}

/* ---- Controls and numbers */

static void show_buttons(program *of)
{
    const float width = (CONTROLS_WIDTH - 2.0f) / 2.0f;
    if (panel_button(of->is_paused ? "Continue (space)" : "Pause (space)", width))
        toggle_pause(of);
    panel_next_to();
    if (panel_button("One step (S)", width))
        of->is_paused = of->wants_step = true;
    if (panel_button("Restart (R)", width))
        restart(of);
    panel_next_to();
    if (panel_button("New digits (N)", width) && of->exhibit.network != NULL)
        exhibit_change(&of->exhibit);
}

static void show_choices(program *of)
{
    if (panel_slider("rate (- =)", CONTROL_WIDTH, &of->rate, 1e-4f, 1.0f, "%.4f", true))
        change_rate(of, 1.0f);
    panel_slider("ms a frame", CONTROL_WIDTH, &of->milliseconds, 1.0f, 100.0f, "%.0f", true);
    if (panel_choice("layout (L)", CONTROL_WIDTH, &of->layout, GLNN_LAYOUT_TILED,
                     GLNN_LAYOUT_UNPACKED, option_layout))
        restart(of);
    if (panel_choice("stage (T)", CONTROL_WIDTH, &of->stage, GLNN_STAGE_FRAGMENT,
                     GLNN_STAGE_COMPUTE, option_stage))
        switch_stage(of);
}

/* The latest number, or when there will be one. */
static void show_latest(const char *label, float width, const record *numbers, const char *unit,
                        const char *absent)
{
    if (numbers->count > 0)
        panel_value(label, width, "%.4g%s", (double)numbers->y[numbers->count - 1], unit);
    else
        panel_value(label, width, "%s", absent);
}

static void show_numbers(const program *of)
{
    const training *now = &of->training;
    const float width = 7.5f;
    panel_value("epoch", width, "%.2f", now->epochs);
    panel_value("steps", width, "%llu", (unsigned long long)now->steps);
    show_latest("loss", width, &now->losses, "", "after some steps");
    show_latest("training", width, &now->accuracies, " % right", "after some steps");
    show_latest("test", width, &now->test_accuracies, " % right", "after an epoch");
    panel_space(0.3f);
    panel_value("throughput", width, "%.0f images/s", of->images_per_second);
    panel_value("a step has", width, "%d passes", now->step_passes);
    panel_value("a frame takes", width, "%.1f ms", of->frame_ms);
    panel_space(0.3f);
    panel_paragraph(now->device.renderer);
}

static void show_controls(program *of, float height)
{
    const training *now = &of->training;
    panel_begin_section("Training", CONTROLS_WIDTH, height);
    show_buttons(of);
    panel_space(0.3f);
    show_choices(of);
    panel_space(0.3f);
    panel_text_in(PANEL_GOOD, "%s", state_of(of));
    if (now->state != TRAINING_RUNS)
        panel_bar("", 0.0f, (float)now->progress, PANEL_GOOD);
    panel_space(0.3f);
    show_numbers(of);
    panel_end_section();
}

/* ---- Curves */

static panel_curve curve_of(const char *name, panel_colour colour, const record *from)
{
    return (panel_curve){name, colour, from->count, from->x, from->y};
}

static void show_curves(const training *of, float width, float height)
{
    const panel_curve losses[] = {curve_of("training", PANEL_FIRST, &of->losses),
                                  curve_of("test", PANEL_SECOND, &of->test_losses)};
    const panel_curve accuracies[] = {curve_of("training", PANEL_FIRST, &of->accuracies),
                                      curve_of("test", PANEL_SECOND, &of->test_accuracies)};
    panel_begin_section("Curves by epoch", width, height);
    panel_get_room(&width, &height);
    panel_show_plot(
        &(panel_plot){.title = "loss", .curves = losses, .count = 2, .logarithmic = true},
        (width - PANEL_GAP) / 2.0f, 0.0f);
    panel_next_to();
    panel_show_plot(
        &(panel_plot){.title = "classified right", .unit = "%", .curves = accuracies, .count = 2},
        0.0f, 0.0f);
    panel_end_section();
}

/* ---- Frames */

static void show_learning(program *of, float width, float height)
{
    const float curves = 0.30f * height, weights = 0.38f * height;
    show_curves(&of->training, width, curves);
    gallery_show_weights(&of->exhibit, width, weights);
    gallery_show_digits(&of->exhibit, width, height - curves - weights - 2.0f * PANEL_GAP);
}

static void show_passes(program *of, float height)
{
    const float width = (PASSES_WIDTH - 2.0f * PANEL_GAP) / 3.0f;
    panel_begin_group();
    if (panel_button("Back (B)", width))
        move(of, -1);
    panel_next_to();
    if (panel_button("Forward (F)", width))
        move(of, 1);
    panel_next_to();
    if (panel_button("New step (I)", width))
        of->wants_inspection = true;
    inside_show_passes(&of->inside, PASSES_WIDTH, height - BUTTON_HEIGHT);
    panel_end_group();
}

static void show_inside(program *of, float width, float height)
{
    show_passes(of, height);
    panel_next_to();
    inside_show_pass(&of->inside, width - PASSES_WIDTH - PANEL_GAP, height);
}

/* In a window that is taller than wide, the controls lie above the rest. */
static void show(program *of)
{
    float width, height;
    panel_get_room(&width, &height);
    const bool wide = width > height;
    show_controls(of, wide ? fmaxf(height, LEAST_HEIGHT) : CONTROLS_HEIGHT);
    if (wide)
        panel_next_to();
    panel_begin_group();
    panel_get_room(&width, &height);
    width = fmaxf(width, wide ? LEAST_WIDTH : LEAST_WIDTH_BELOW);
    height = fmaxf(height, LEAST_HEIGHT) - BUTTON_HEIGHT;
    panel_tabs(tabs, TABS, &of->tab);
    if (of->tab == LEARNING)
        show_learning(of, width, height);
    else if (of->inside.inspection != NULL)
        show_inside(of, width, height);
    panel_end_group();
}

/* Keeps a step for the tab. */
static void look_inside(program *of)
{
    const bool is_wanted = of->inside.inspection == NULL || of->wants_inspection;
    if (of->tab != INSIDE || !is_wanted || of->training.state != TRAINING_RUNS)
        return;
    inside_show(&of->inside, of->training.ctx, training_inspect(&of->training));
    of->wants_inspection = false;
    tell(of, "looked inside");
}

/* The library may use the OpenGL state between begin and end, and the window before and after. */
static void train(program *of)
{
    training *now = &of->training;
    const bool is_at_rest = of->is_paused && !of->wants_step && now->state == TRAINING_RUNS;
    const training_state before = now->state;
    CHECK(glnn_context_begin(now->ctx));
    const int steps = is_at_rest ? 0 : training_run(now, of->milliseconds, of->wants_step);
    if (now->state != before)
        tell(of, state_of(of));
    if (now->network != NULL && of->exhibit.network == NULL)
        exhibit_show(&of->exhibit, now->ctx, now->network);
    if (now->state == TRAINING_RUNS)
        exhibit_ask(&of->exhibit);
    CHECK(glnn_context_end(now->ctx));
    if (of->wants_step && steps > 0) {
        of->wants_step = false;
        tell(of, "one step");
    }
    of->images += steps * now->with.batch;
}

static void measure_speed(program *of)
{
    const double ms = panel_get_frame_ms();
    of->frame_ms += 0.1 * (ms - of->frame_ms);
    of->interval_ms += ms;
    if (of->interval_ms > 500.0) {
        of->images_per_second = 1e3 * of->images / of->interval_ms;
        of->images = of->interval_ms = 0.0;
    }
}

static void start(program *out, const settings *with, const char *folder)
{
    *out = (program){.tab = with->inside ? INSIDE : LEARNING,
                     .rate = with->rate,
                     .milliseconds = with->milliseconds,
                     .stage = (int)with->stage,
                     .layout = (int)with->layout};
    exhibit_open(&out->exhibit, folder);
    training_start(&out->training, &(training_options){.folder = folder,
                                                       .hidden = with->hidden,
                                                       .batch = with->batch,
                                                       .rate = with->rate,
                                                       .seed = with->seed,
                                                       .stage = with->stage,
                                                       .layout = with->layout});
}

int main(int argc, char **argv)
{
    static program window;
    settings with;
    options_read(&(option_table){.program = argv[0],
                                 .summary = "Shows a network while it learns to read digits.",
                                 .rows = rows,
                                 .count = sizeof rows / sizeof rows[0],
                                 .size = sizeof with},
                 argc, argv, &with);
    const char *folder = mnist_find(with.data);
    REQUIRE(folder != NULL);
    glnn_log_set(device_print_message, NULL);
    REQUIRE(panel_open("libglnn: a network learns to read digits", &with.panel));
    start(&window, &with, folder);

    while (panel_begin()) {
        use_keys(&window);
        look_inside(&window);
        train(&window);
        show(&window);
        REQUIRE(panel_end());
        measure_speed(&window);
    }
    tell(&window, "end");
    exhibit_close(&window.exhibit);
    inside_hide(&window.inside);
    training_stop(&window.training);
    panel_close();
    return output_status();
}
