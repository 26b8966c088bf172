#include "drawing.h"

#include <glnn/context.h>
#include <glnn/texture.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/check.h"
#include "common/failure.h"

/* Learning ends when the class has this share, after at least and at most so many steps. */
#define LEARNT_SHARE 0.8f
enum { LEAST_STEPS = 16, MOST_STEPS = 200 };

void drawing_open(drawing *out, const char *model)
{
    *out = (drawing){.changed = true, .class = -1};
    REQUIRE(access(model, R_OK) == 0 ||
            refuse("%s: this model is missing; `make draw` and train --save write one", model));
    CHECK(glnn_context_create(&(glnn_context_desc){.platform = GLNN_PLATFORM_ADOPT}, &out->ctx));
    out->model = recogniser_load(out->ctx, model);
    out->paper = canvas_create();
    REQUIRE(pictures_create(
        &(pictures_desc){.count = 1, .pixels = DIGIT_PIXELS, .width = DIGIT_SIDE}, &out->image));
    CHECK(glnn_matrix_adopt(out->ctx,
                            &(glnn_texture_desc){.texture = canvas_get_texture(out->paper),
                                                 .level = 1,
                                                 .name = "paper"},
                            &out->ink));
    out->prepared = digit_create(out->ctx, CANVAS_HALF);
    REQUIRE(pictures_draw(out->image, digit_get_sample(out->prepared), 1));
    printf("%s: %s\n", model, recogniser_describe(out->model));
}

void drawing_close(drawing *of)
{
    printf("recognitions %d  latency %.2f ms\n", of->recognitions, drawing_get_latency(of));
    recogniser_destroy(of->model);
    digit_destroy(of->prepared);
    glnn_matrix_destroy(of->ink);
    glnn_context_destroy(of->ctx);
    canvas_destroy(of->paper);
    pictures_destroy(of->image);
}

/* ---- Recognition */

static void tell(drawing *of, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Shows a sentence in the window and prints it. */
static void tell(drawing *of, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(of->message, sizeof of->message, format, values);
    va_end(values);
    puts(of->message);
    fflush(stdout);
}

static double get_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

/* The scores are read at once, in a few milliseconds of the frame. A download that ends in a later
 * frame would show them later. */
static void recognise(drawing *of)
{
    const int class = of->class;
    const double start = get_ms();
    CHECK(glnn_context_begin(of->ctx));
    digit_prepare(of->prepared, of->ink);
    of->class = recogniser_read(of->model, digit_get_sample(of->prepared), of->shares);
    of->latencies[of->recognitions++ % DRAWING_LATENCIES] = get_ms() - start;
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

double drawing_get_latency(const drawing *of)
{
    double sorted[DRAWING_LATENCIES];
    const int count = of->recognitions < DRAWING_LATENCIES ? of->recognitions : DRAWING_LATENCIES;
    memcpy(sorted, of->latencies, sizeof sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_numbers);
    return count > 0 ? sorted[count / 2] : 0.0;
}

/* ---- Learning */

void drawing_teach(drawing *of, int class)
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
static void learn(drawing *of)
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

void drawing_clear(drawing *of)
{
    recogniser_stop(of->model);
    canvas_clear(of->paper);
    of->changed = true;
    of->pen_down = false;
    tell(of, "Cleared.");
}

void drawing_save(drawing *of, const char *path)
{
    recogniser_save(of->model, path);
    tell(of, "Saved %s", path);
}

/* ---- The pen */

void drawing_move_pen(drawing *of, float x, float y, float width)
{
    x *= CANVAS_SIDE;
    y *= CANVAS_SIDE;
    if (recogniser_is_learning(of->model))
        recogniser_stop(of->model);
    if (!of->pen_down || x != of->last_x || y != of->last_y) {
        canvas_draw(of->paper, of->pen_down ? of->last_x : x, of->pen_down ? of->last_y : y, x, y,
                    width / 2.0f);
        of->changed = true;
    }
    of->pen_down = true;
    of->last_x = x;
    of->last_y = y;
}

void drawing_lift_pen(drawing *of)
{
    of->lifted = of->lifted || of->pen_down;
    of->pen_down = false;
}

/* ---- Frames */

void drawing_work(drawing *of)
{
    if (recogniser_is_learning(of->model))
        learn(of);
    if (of->changed)
        recognise(of);
    if (of->lifted && of->class >= 0)
        tell(of, "Read %s with %.0f %%.", recogniser_get_name(of->model, of->class),
             100.0 * (double)of->shares[of->class]);
    of->lifted = false;
}
