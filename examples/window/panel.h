/* A window with controls, text, plots and images: an interface in C to Dear ImGui.
 *
 * A program has one window. In each frame it describes the whole content between panel_begin and
 * panel_end; the functions in between add items from top to bottom. Lengths are in *units*. A unit
 * is the size of the text, so that a program looks the same at every content scale of a screen.
 *
 *     while (panel_begin()) {
 *         panel_begin_section("Training", 20, 0);
 *         if (panel_button("Pause", 0))
 *             ...
 *         panel_end_section();
 *         REQUIRE(panel_end());
 *     }
 *
 * The OpenGL context of the window is a core profile of 4.3 and current from panel_open on. Other
 * drawing is allowed at any time, except that panel_end clears the window. */
#ifndef EXAMPLES_PANEL_H
#define EXAMPLES_PANEL_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The distance of items, in units. */
#define PANEL_GAP 0.4f

/* ---- The window */

typedef struct panel_options {
    int frames;             /* 0: until the user closes the window         */
    int width, height;      /* of the window, in pixels at content scale 1 */
    float scale;            /* the content scale; 0: that of the screen    */
    const char *screenshot; /* a file for the last frame; NULL: none       */
} panel_options;

/* The rows of the options, of a program that has `member` in its settings (common/options.h). */
/* clang-format off */
#define PANEL_ROWS(member, default_width, default_height)                                          \
    {"frames",                                                                                     \
     OPTION_INTEGER,                                                                               \
     offsetof(settings, member.frames),                                                            \
     "N",                                                                                          \
     "0",                                                                                          \
     "end after so many frames; 0: when the window is closed",                                     \
     .high = 1e9},                                                                                 \
        {"width",  OPTION_INTEGER, offsetof(settings, member.width),                               \
         "N",      default_width,  "of the window at content scale 1",                             \
         .low = 1, .high = 8192},                                                                  \
        {"height", OPTION_INTEGER, offsetof(settings, member.height),                              \
         "N",      default_height, "of the window at content scale 1",                             \
         .low = 1, .high = 8192},                                                                  \
        {"scale",  OPTION_NUMBER, offsetof(settings, member.scale),                                \
         "S",      "0",           "content scale of text and controls; 0: that of the screen",     \
         .high = 8},                                                                               \
        {"screenshot", OPTION_TEXT, offsetof(settings, member.screenshot), "FILE",                 \
         .help = "write the last of --frames as a PNG file"}
/* clang-format on */

/* Opens the window. False with a failure: there is no display, or it lacks OpenGL 4.3. */
bool panel_open(const char *title, const panel_options *options);

/* Handles the user's input and begins a frame. False: the window is to be closed, or all frames of
 * the options have been drawn. */
bool panel_begin(void);

/* Draws the frame and shows it. False with a failure: OpenGL reported an error, or the screenshot
 * cannot be written. */
bool panel_end(void);

/* Closes the window and destroys its context. */
void panel_close(void);

/* Milliseconds from the end of the frame before the last to the end of the last one. */
double panel_get_frame_ms(void);

/* True in the frame after a key was pressed. Its name is its character on a US keyboard without
 * shift, but an upper-case letter. */
bool panel_is_pressed(char key);

/* ---- Arrangement */

/* Begins a framed part of the window with a title. A length of 0 is the rest of the room, and a
 * negative one leaves so much of it. If the items do not fit, the section scrolls. */
void panel_begin_section(const char *title, float width, float height);
void panel_end_section(void);

/* Items of a group lie below each other, also if the group lies next to another item. */
void panel_begin_group(void);
void panel_end_group(void);

/* The next item lies to the right of the last one instead of below it. */
void panel_next_to(void);

/* The room that is left to the right of and below the next item. */
void panel_get_room(float *width, float *height);

/* Leaves so much of the height free. */
void panel_space(float height);

/* ---- Items */

typedef enum panel_colour {
    PANEL_PLAIN = 0,
    PANEL_FAINT,
    PANEL_GOOD,
    PANEL_BAD,
    PANEL_FIRST, /* of curves */
    PANEL_SECOND,
    PANEL_COLOURS
} panel_colour;

__attribute__((format(printf, 1, 2))) void panel_text(const char *format, ...);
__attribute__((format(printf, 2, 3))) void panel_text_in(panel_colour colour, const char *format,
                                                         ...);

/* Text in lines as long as there is room. panel_passage shows it up to `end`; NULL: all. */
void panel_paragraph(const char *text);
void panel_passage(const char *text, const char *end);

/* A name, and its value in a column `width` further to the right. */
__attribute__((format(printf, 3, 4))) void panel_value(const char *name, float width,
                                                       const char *format, ...);

/* Each of these returns true in the frame in which the user uses it. The value of a slider follows
 * the pointer, but it returns true when the user lets it go with another value. Labels are also
 * identifiers: two items of a section have different labels, and "##" begins a part that is not
 * shown. */
bool panel_button(const char *label, float width);
bool panel_slider(const char *label, float width, float *value, float low, float high,
                  const char *format, bool logarithmic);

/* A line of a list. */
bool panel_entry(const char *label, bool is_chosen);

/* Tabs next to each other, of which one is chosen. The pointer and the program can choose. */
void panel_tabs(const char *const *labels, int count, int *chosen);

/* One of the values low to high of an enumeration, by their names. */
bool panel_choice(const char *label, float width, int *value, int low, int high,
                  const char *(*name_of)(int));

/* A bar from 0 to 1 between its label and a text of its value. */
void panel_bar(const char *label, float width, float share, panel_colour colour);

/* Where the pointer is on an image. */
typedef struct panel_pointer {
    bool over;    /* no other item and no other window lies above        */
    bool pressed; /* the left button was pressed on the image just now   */
    bool held;    /* it was pressed on the image and is not yet released */
    float x, y;   /* from 0 at the left and upper edge to 1, beyond them while it is held */
} panel_pointer;

typedef struct panel_image {
    const char *label; /* not shown                                                            */
    unsigned texture;  /* OpenGL's name of a 2D texture                                        */
    float width, height;
    float left, top, right, bottom; /* coordinates of the texture at the edges; all 0: 0, 0, 1, 1 */
} panel_image;

/* An image from a texture, which has to exist until panel_end. */
panel_pointer panel_show_image(const panel_image *image);

typedef struct panel_curve {
    const char *name;
    panel_colour colour;
    int count;
    const float *x, *y; /* the values of x never fall; a y that is not finite leaves a gap */
} panel_curve;

typedef struct panel_plot {
    const char *title, *unit; /* the unit of y, such as "%"; NULL: none                   */
    const panel_curve *curves;
    int count;
    float low, high;  /* the axis of y; equal: from the curves                            */
    bool logarithmic; /* the axis of y; values that are not positive are left out         */
} panel_plot;

/* Curves in a frame with axes and a legend. The axis of x begins at 0 or below. */
void panel_show_plot(const panel_plot *plot, float width, float height);

#ifdef __cplusplus
}
#endif
#endif
