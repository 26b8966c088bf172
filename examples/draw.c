/* draw - a window to draw a digit in, which is recognised while it is drawn.
 *
 * `make draw` runs this program; `make draw ARGS=--help` lists its options. The library is a guest
 * in the OpenGL context of the window. If a digit is read wrongly, the user says which one it is,
 * and the model learns it. examples/window/drawing.h has the drawing and its recognition; this file
 * has the input of the user and the window. */
#include <glnn/context.h>

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "common/check.h"
#include "common/failure.h"
#include "common/options.h"
#include "window/drawing.h"
#include "window/panel.h"

/* The part of a frame in which the device is measured. */
#define SLICE_MS 12.0

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
    drawing drawing;
    const char *save;
    float pen;     /* its width */
    FILE *strokes; /* NULL: none */
    double warmth; /* below 1: the device is being measured */
    bool held;     /* the pointer draws                     */
} program;

/* ---- Input */

static void read_stroke(program *of)
{
    char line[80];
    float x, y;
    if (of->strokes == NULL || fgets(line, sizeof line, of->strokes) == NULL)
        return;
    if (sscanf(line, "%f %f", &x, &y) == 2)
        drawing_move_pen(&of->drawing, x, y, of->pen);
    else
        drawing_lift_pen(&of->drawing);
}

static void read_keys(program *of)
{
    for (int i = 0; i < recogniser_get_classes(of->drawing.model); ++i)
        if (panel_is_pressed((char)('0' + i)))
            drawing_teach(&of->drawing, i);
    if (panel_is_pressed('C') || panel_is_pressed(' '))
        drawing_clear(&of->drawing);
    if (panel_is_pressed('S'))
        drawing_save(&of->drawing, of->save);
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
    const panel_pointer pointer =
        panel_show_image(&(panel_image){.label = "paper",
                                        .texture = canvas_get_texture(of->drawing.paper),
                                        .width = side,
                                        .height = side});
    if (pointer.pressed || (of->held && !pointer.held))
        drawing_lift_pen(&of->drawing);
    if (pointer.held)
        drawing_move_pen(&of->drawing, pointer.x, pointer.y, of->pen);
    of->held = pointer.held;
    if (panel_button("Clear (C)", 6.0f))
        drawing_clear(&of->drawing);
    panel_next_to();
    panel_slider("Pen", 9.0f, &of->pen, 4.0f, 48.0f, "%.0f", false);
}

static void show_model(program *of)
{
    enum { COLUMN = 5 };
    float place[4];
    pictures_get_place(of->drawing.image, 0, place);
    panel_show_image(&(panel_image){.label = "image",
                                    .texture = pictures_get_texture(of->drawing.image),
                                    .left = place[0],
                                    .top = place[1],
                                    .right = place[2],
                                    .bottom = place[3],
                                    .width = 9.0f,
                                    .height = 9.0f});
    panel_next_to();
    panel_begin_group();
    panel_paragraph(recogniser_describe(of->drawing.model));
    panel_value("Latency", COLUMN, "%.1f ms", drawing_get_latency(&of->drawing));
    panel_value("Frame", COLUMN, "%.1f ms", panel_get_frame_ms());
    if (panel_button("Save (S)", 6.0f))
        drawing_save(&of->drawing, of->save);
    panel_end_group();
}

static void show_classes(program *of)
{
    char label[24];
    if (of->warmth < 1.0)
        panel_text("Measuring the device, once: %.0f %%", 100.0 * of->warmth);
    else
        panel_text_in(PANEL_FAINT, "If this is wrong, press the right digit.");
    for (int i = 0; i < recogniser_get_classes(of->drawing.model); ++i) {
        snprintf(label, sizeof label, "%s##%d", recogniser_get_name(of->drawing.model, i), i);
        if (panel_button(label, 2.0f))
            drawing_teach(&of->drawing, i);
        panel_next_to();
        panel_bar("", 0.0f, of->drawing.shares[i],
                  i == of->drawing.class ? PANEL_GOOD : PANEL_FAINT);
    }
    panel_text("%s", of->drawing.message);
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
    *of = (program){.save = with->save ? with->save : with->model, .pen = with->pen};
    if (with->strokes) {
        of->strokes = fopen(with->strokes, "r");
        REQUIRE(of->strokes != NULL || refuse("%s: cannot be opened", with->strokes));
    }
    drawing_open(&of->drawing, with->model);
}

static void stop(program *of)
{
    if (of->strokes)
        fclose(of->strokes);
    drawing_close(&of->drawing);
}

static void work(program *of, double milliseconds)
{
    if (of->warmth < 1.0) {
        CHECK(glnn_context_warm_up(of->drawing.ctx, milliseconds, &of->warmth));
        return;
    }
    read_keys(of);
    read_stroke(of);
    drawing_work(&of->drawing);
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
        work(&all, with.panel.frames > 0 ? 0.0 : SLICE_MS);
        show(&all);
        REQUIRE(panel_end());
    }
    stop(&all);
    panel_close();
    return output_status();
}
