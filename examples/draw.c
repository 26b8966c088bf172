/* draw - a window to draw a digit in, which is recognised while it is drawn.
 *
 * `make draw` runs this program; `make draw ARGS=--help` lists its options. The library is a guest
 * in the OpenGL context of the window. The program draws the strokes into a texture. The library
 * adopts this texture, makes an image like those of MNIST from it, and computes the scores of the
 * classes. If a digit is read wrongly, the user says which one it is, and the model learns it. */
#include <glnn/context.h>
#include <glnn/texture.h>

#include <GL/glew.h>
#include <GLFW/glfw3.h>

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/check.h"
#include "common/failure.h"
#include "common/options.h"
#include "window/canvas.h"
#include "window/digit.h"
#include "window/panel.h"
#include "window/pictures.h"
#include "window/recogniser.h"

/* The part of a frame in which the device is measured. */
#define SLICE_MS 12.0

/* Learning ends when the class has this share, after at least and at most so many steps. */
#define LEARNT_SHARE 0.8f
enum { LEAST_STEPS = 16, MOST_STEPS = 200, LATENCIES = 32 };

typedef struct settings {
    const char *model, *save, *strokes;
    float pen;
    panel_options panel;
} settings;

#define FIELD(member) .field = offsetof(settings, member)

static const option_row rows[] = {
    {"model", OPTION_TEXT, FIELD(model), "FILE", "build/draw.safetensors",
     "network or prototypes that have learnt MNIST; `make draw` and train --save write one"},
    {"save", OPTION_TEXT, FIELD(save), "FILE", NULL,
     "where the key S saves the corrected model; unless given, the file of the model"},
    {"pen", OPTION_NUMBER, FIELD(pen), "WIDTH", "20", "of the pen, on a paper of 256 pixels", 1,
     64},
    {"strokes", OPTION_TEXT, FIELD(strokes), "FILE", NULL,
     "draw these strokes: a line `X Y` for each frame, from 0 to 1; another line lifts the pen"},
    PANEL_ROWS(panel, "960", "640"),
};

typedef struct program {
    glnn_context *ctx;
    canvas *paper;
    glnn_matrix *ink; /* the coarse level of the paper */
    digit *prepared;
    recogniser *model;
    pictures *image; /* that the model sees */
    const char *save;
    float pen;

    double warmth; /* below 1: the device is being measured */
    bool changed;  /* the paper or the model, since the last recognition */
    int class;     /* of the drawing; -1: the paper is empty             */
    float shares[RECOGNISER_CLASSES];
    int taught; /* the class that is being learnt */
    int steps;  /* of the learning                */
    double latencies[LATENCIES];
    int recognitions;
    char message[160];

    FILE *strokes;
    float last_x, last_y;
    bool pen_down;
    bool held;   /* the pointer draws                     */
    bool lifted; /* the pen, and this was not printed yet */
} program;

/* ---- Recognition */

static void tell(program *of, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Shows a sentence in the window and prints it. */
static void tell(program *of, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(of->message, sizeof of->message, format, values);
    va_end(values);
    puts(of->message);
    fflush(stdout);
}

/* The latency is the time from the changed paper to the scores. */
static void recognise(program *of)
{
    const int class = of->class;
    const double start = glfwGetTime();
    CHECK(glnn_context_begin(of->ctx));
    digit_prepare(of->prepared, of->ink);
    of->class = recogniser_read(of->model, digit_get_sample(of->prepared), of->shares);
    of->latencies[of->recognitions++ % LATENCIES] = 1e3 * (glfwGetTime() - start);
    CHECK(glnn_context_end(of->ctx));
    REQUIRE(pictures_draw(of->image, digit_get_sample(of->prepared), 1));
    if (canvas_is_empty(of->paper)) {
        of->class = -1;
        memset(of->shares, 0, sizeof of->shares);
    }
    if (of->recognitions == 1)
        puts("ready");
    if (of->class != class && of->class >= 0)
        printf("class %s\n", recogniser_get_name(of->model, of->class));
    fflush(stdout);
    of->changed = false;
}

static int compare_numbers(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The median of the last ones. */
static double get_latency(const program *of)
{
    double sorted[LATENCIES];
    const int count = of->recognitions < LATENCIES ? of->recognitions : LATENCIES;
    memcpy(sorted, of->latencies, sizeof sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_numbers);
    return count > 0 ? sorted[count / 2] : 0.0;
}

/* ---- Learning */

static void teach(program *of, int class)
{
    if (canvas_is_empty(of->paper)) {
        tell(of, "Draw a digit first.");
        return;
    }
    if (of->changed)
        recognise(of);
    recogniser_teach(of->model, digit_get_sample(of->prepared), class);
    of->taught = class;
    of->steps = 0;
    tell(of, "Learning that this is %s ...", recogniser_get_name(of->model, class));
}

/* A step each frame, so that the bars show how the scores change. */
static void learn(program *of)
{
    const char *name = recogniser_get_name(of->model, of->taught);
    if (!recogniser_learn(of->model))
        return;
    ++of->steps;
    recognise(of);
    const bool learnt = of->class == of->taught && of->shares[of->taught] >= LEARNT_SHARE;
    if (of->steps < LEAST_STEPS || (!learnt && of->steps < MOST_STEPS))
        return;
    recogniser_stop(of->model);
    if (learnt)
        tell(of, "Learnt %s in %d steps.", name, of->steps);
    else
        tell(of, "After %d steps, %s has %.0f %%.", of->steps, name,
             100.0 * (double)of->shares[of->taught]);
}

static void clear(program *of)
{
    recogniser_stop(of->model);
    canvas_clear(of->paper);
    of->changed = true;
    of->pen_down = false;
    tell(of, "Cleared.");
}

static void save(program *of)
{
    recogniser_save(of->model, of->save);
    tell(of, "Saved %s", of->save);
}

/* ---- Input */

/* Draws from the last place of the pen, or begins a stroke. Places count from 0 to 1. */
static void move_pen(program *of, float x, float y)
{
    x *= CANVAS_SIDE;
    y *= CANVAS_SIDE;
    if (recogniser_is_learning(of->model))
        recogniser_stop(of->model);
    if (!of->pen_down || x != of->last_x || y != of->last_y) {
        canvas_draw(of->paper, of->pen_down ? of->last_x : x, of->pen_down ? of->last_y : y, x, y,
                    of->pen / 2.0f);
        of->changed = true;
    }
    of->pen_down = true;
    of->last_x = x;
    of->last_y = y;
}

static void lift_pen(program *of)
{
    of->lifted = of->lifted || of->pen_down;
    of->pen_down = false;
}

static void read_stroke(program *of)
{
    char line[80];
    float x, y;
    if (of->strokes == NULL || fgets(line, sizeof line, of->strokes) == NULL)
        return;
    if (sscanf(line, "%f %f", &x, &y) == 2)
        move_pen(of, x, y);
    else
        lift_pen(of);
}

static void read_keys(program *of)
{
    for (int i = 0; i < recogniser_get_classes(of->model); ++i)
        if (panel_is_pressed((char)('0' + i)))
            teach(of, i);
    if (panel_is_pressed('C') || panel_is_pressed(' '))
        clear(of);
    if (panel_is_pressed('S'))
        save(of);
}

/* ---- The window */

/* The low number wins over the high one. */
static float between(float value, float low, float high)
{
    return fmaxf(low, fminf(value, high));
}

static void show_paper(program *of)
{
    float width, height;
    panel_get_room(&width, &height);
    const float side = between(width, 1.0f, height - 2.5f);
    const panel_pointer pointer = panel_show_image(&(panel_image){
        .label = "paper", .texture = canvas_get_texture(of->paper), .width = side, .height = side});
    if (pointer.pressed || (of->held && !pointer.held))
        lift_pen(of);
    if (pointer.held)
        move_pen(of, pointer.x, pointer.y);
    of->held = pointer.held;
    if (panel_button("Clear (C)", 6.0f))
        clear(of);
    panel_next_to();
    panel_slider("Pen", 9.0f, &of->pen, 4.0f, 48.0f, "%.0f", false);
}

static void show_model(program *of)
{
    enum { COLUMN = 5 };
    float place[4];
    pictures_get_place(of->image, 0, place);
    panel_show_image(&(panel_image){.label = "image",
                                    .texture = pictures_get_texture(of->image),
                                    .left = place[0],
                                    .top = place[1],
                                    .right = place[2],
                                    .bottom = place[3],
                                    .width = 9.0f,
                                    .height = 9.0f});
    panel_next_to();
    panel_begin_group();
    panel_paragraph(recogniser_describe(of->model));
    panel_value("Latency", COLUMN, "%.1f ms", get_latency(of));
    panel_value("Frame", COLUMN, "%.1f ms", panel_get_frame_ms());
    if (panel_button("Save (S)", 6.0f))
        save(of);
    panel_end_group();
}

static void show_classes(program *of)
{
    char label[24];
    if (of->warmth < 1.0)
        panel_text("Measuring the device, once: %.0f %%", 100.0 * of->warmth);
    else
        panel_text_in(PANEL_FAINT, "If this is wrong, press the right digit.");
    for (int i = 0; i < recogniser_get_classes(of->model); ++i) {
        snprintf(label, sizeof label, "%s##%d", recogniser_get_name(of->model, i), i);
        if (panel_button(label, 2.0f))
            teach(of, i);
        panel_next_to();
        panel_bar("", 0.0f, of->shares[i], i == of->class ? PANEL_GOOD : PANEL_FAINT);
    }
    panel_text("%s", of->message);
    panel_text_in(PANEL_FAINT, "Keys: C clears, a digit corrects, S saves.");
}

/* The paper is as large as the window allows while the rest has its room. */
static void show(program *of)
{
    enum { LEAST = 12, SIDE_WIDTH = 25, SIDE_HEIGHT = 38, FRAME = 4 };
    float width, height;
    panel_get_room(&width, &height);
    const bool wide = width > height;
    if (wide)
        panel_begin_section("Draw a digit", between(width - SIDE_WIDTH, LEAST, height - FRAME / 2),
                            0.0f);
    else
        panel_begin_section("Draw a digit", 0.0f,
                            between(height - SIDE_HEIGHT, LEAST + FRAME, width + FRAME));
    show_paper(of);
    panel_end_section();
    if (wide)
        panel_next_to();
    panel_begin_group();
    panel_begin_section("As the model sees it", 0.0f, 12.0f);
    show_model(of);
    panel_end_section();
    panel_begin_section("What it reads", 0.0f, 0.0f);
    show_classes(of);
    panel_end_section();
    panel_end_group();
}

/* ---- The program */

static void start(program *of, const settings *with)
{
    const char *model = with->model;
    *of = (program){
        .save = with->save ? with->save : model, .pen = with->pen, .changed = true, .class = -1};
    if (with->strokes) {
        of->strokes = fopen(with->strokes, "r");
        REQUIRE(of->strokes != NULL || refuse("%s: cannot be opened", with->strokes));
    }
    REQUIRE(access(model, R_OK) == 0 ||
            refuse("%s: this model is missing; `make draw` and train --save write one", model));
    CHECK(glnn_context_create(&(glnn_context_desc){.platform = GLNN_PLATFORM_ADOPT}, &of->ctx));
    of->model = recogniser_load(of->ctx, model);
    of->paper = canvas_create();
    REQUIRE(pictures_create(
        &(pictures_desc){.count = 1, .pixels = DIGIT_PIXELS, .width = DIGIT_SIDE}, &of->image));
    CHECK(glnn_matrix_adopt(
        of->ctx,
        &(glnn_texture_desc){.texture = canvas_get_texture(of->paper), .level = 1, .name = "paper"},
        &of->ink));
    of->prepared = digit_create(of->ctx, CANVAS_HALF);
    REQUIRE(pictures_draw(of->image, digit_get_sample(of->prepared), 1));
    printf("%s: %s\n", model, recogniser_describe(of->model));
}

static void stop(program *of)
{
    printf("recognitions %d  latency %.2f ms\n", of->recognitions, get_latency(of));
    if (of->strokes)
        fclose(of->strokes);
    recogniser_destroy(of->model);
    digit_destroy(of->prepared);
    glnn_matrix_destroy(of->ink);
    glnn_context_destroy(of->ctx);
    canvas_destroy(of->paper);
    pictures_destroy(of->image);
}

/* The work of a frame before it is drawn. */
static void work(program *of)
{
    read_keys(of);
    read_stroke(of);
    if (recogniser_is_learning(of->model))
        learn(of);
    if (of->changed)
        recognise(of);
    if (of->lifted && of->class >= 0)
        tell(of, "Read %s with %.0f %%.", recogniser_get_name(of->model, of->class),
             100.0 * (double)of->shares[of->class]);
    of->lifted = false;
}

int main(int argc, char **argv)
{
    settings with;
    program all;
    options_read(&(option_table){.program = argv[0],
                                 .summary = "Recognises a digit while you draw it.",
                                 .rows = rows,
                                 .count = sizeof rows / sizeof rows[0],
                                 .size = sizeof with},
                 argc, argv, &with);
    REQUIRE(panel_open("draw", &with.panel));
    start(&all, &with);
    while (panel_begin()) {
        if (all.warmth < 1.0)
            CHECK(
                glnn_context_warm_up(all.ctx, with.panel.frames > 0 ? 0.0 : SLICE_MS, &all.warmth));
        else
            work(&all);
        show(&all);
        REQUIRE(panel_end());
    }
    stop(&all);
    panel_close();
    return output_status();
}
