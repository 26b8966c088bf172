#include "gallery.h"

#include <math.h>
#include <stdio.h>

#include "panel.h"

#define LEAST_PICTURE 2.0f /* the width of a test image, in units of the panel */

void gallery_show_weights(exhibit *of, float width, float height)
{
    int across, down;
    panel_begin_section("Weights of the first layer: red pixels excite a hidden unit, blue ones "
                        "inhibit it",
                        width, height);
    panel_get_room(&width, &height);
    if (of->network != NULL) {
        exhibit_draw_weights(of, pictures_get_columns(of->weights, width, height));
        pictures_get_size(of->weights, &across, &down);
        const float scale = fminf(width / (float)across, height / (float)down);
        panel_show_image(&(panel_image){.label = "weights",
                                        .texture = pictures_get_texture(of->weights),
                                        .width = scale * (float)across,
                                        .height = scale * (float)down});
    }
    panel_end_section();
}

static void show_picture(const pictures *from, int number, const char *name, float width)
{
    float place[4];
    char label[32];
    pictures_get_place(from, number, place);
    snprintf(label, sizeof label, "%s%d", name, number);
    panel_show_image(&(panel_image){label, pictures_get_texture(from), width,
                                    pictures_get_ratio(from) * width, place[0], place[1], place[2],
                                    place[3]});
}

static void show_digit(const exhibit *of, int number, float width)
{
    const int digit = of->digits[number], answer = of->answers[number];
    panel_begin_group();
    show_picture(of->shown, number, "digit", width);
    panel_text("%d", digit);
    if (answer >= 0) {
        panel_next_to();
        panel_text_in(answer == digit ? PANEL_GOOD : PANEL_BAD, "%d", answer);
    }
    for (int i = 0; of->has_asked && i < of->hidden; ++i) {
        char name[32];
        snprintf(name, sizeof name, "layer %d, ", i);
        show_picture(of->activations[i], number, name, width);
    }
    panel_end_group();
}

/* The height of a digit with its text and activations, for pictures of width 1 and without them. */
static float height_of_digit(const exhibit *of, float *text)
{
    float height = 1.0f;
    for (int i = 0; i < of->hidden; ++i)
        height += pictures_get_ratio(of->activations[i]);
    *text = 1.0f + PANEL_GAP * (1.0f + (float)of->hidden);
    return height;
}

void gallery_show_digits(exhibit *of, float width, float height)
{
    float text;
    panel_begin_section("Test images, each with its label and the answer of the network; the "
                        "activations of its hidden layers",
                        width, height);
    panel_get_room(&width, &height);
    if (of->network != NULL) {
        exhibit_draw_digits(of);
        const float each = width / EXHIBIT_DIGITS - PANEL_GAP, down = height_of_digit(of, &text);
        for (int i = 0; i < EXHIBIT_DIGITS; ++i) {
            if (i > 0)
                panel_next_to();
            show_digit(of, i, fmaxf(fminf(each, (height - text) / down), LEAST_PICTURE));
        }
    }
    panel_end_section();
}
