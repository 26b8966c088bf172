/* A data set that streams: an epoch's windows and what happens to them, recorded. */
#include "data/stream.h"
#include "data/batch_iterator.h"
#include "drawings.h"
#include "gl/gl.h"
#include "recorder.h"
#include "svg.h"

#include <glnn/network.h>
#include <glnn/trainer.h>

#include <stdio.h>
#include <string.h>

enum { SAMPLES = 24, BATCH = 4, FEATURES = 8, WINDOW_SAMPLES = 8, MAX_EVENTS = 16, FOLLOWED = 9 };
enum { CELL = 30, LEFT = 40, LANES = 110, SLOT = 62, LANE = 30 };

typedef enum event_kind { COLLECT, COPY, STEP } event_kind;

typedef struct event {
    event_kind kind;
    int window, first, count; /* entries of the order */
} event;

typedef struct events {
    int count;
    event events[MAX_EVENTS];
    int order[SAMPLES];
} events;

static events *recording;

static void note(event_kind kind, int window, int first, int count)
{
    if (recording && recording->count < MAX_EVENTS)
        recording->events[recording->count++] = (event){kind, window, first, count};
}

static int number_of(const glnn__stream *stream, const glnn__window *window)
{
    return (int)(window - stream->windows);
}

glnn_status __real_glnn__stream_collect(glnn__stream *stream, glnn__window *window,
                                        const int *order, int first, int count);
glnn_status __wrap_glnn__stream_collect(glnn__stream *stream, glnn__window *window,
                                        const int *order, int first, int count);

glnn_status __wrap_glnn__stream_collect(glnn__stream *stream, glnn__window *window,
                                        const int *order, int first, int count)
{
    if (recording)
        memcpy(recording->order + first, order + first, (size_t)count * sizeof *order);
    note(COLLECT, number_of(stream, window), first, count);
    return __real_glnn__stream_collect(stream, window, order, first, count);
}

glnn_status __real_glnn__stream_upload(glnn__stream *stream, glnn__window *window);
glnn_status __wrap_glnn__stream_upload(glnn__stream *stream, glnn__window *window);

glnn_status __wrap_glnn__stream_upload(glnn__stream *stream, glnn__window *window)
{
    note(COPY, number_of(stream, window), window->first, window->count);
    return __real_glnn__stream_upload(stream, window);
}

glnn_status __real_glnn__batch_iterator_next(glnn__batch_iterator *batches, int most,
                                             glnn__batch *out);
glnn_status __wrap_glnn__batch_iterator_next(glnn__batch_iterator *batches, int most,
                                             glnn__batch *out);

glnn_status __wrap_glnn__batch_iterator_next(glnn__batch_iterator *batches, int most,
                                             glnn__batch *out)
{
    const int at = batches->at;
    const glnn_status status = __real_glnn__batch_iterator_next(batches, most, out);
    note(STEP, batches->window, at, out->count);
    return status;
}

bool __real_glnn__collector_is_sound(glnn__collector *collector);
bool __wrap_glnn__collector_is_sound(glnn__collector *collector);

/* The drawing is of threads that are as fast as the steps ... */
bool __wrap_glnn__collector_is_sound(glnn__collector *collector)
{
    while (recording && !__real_glnn__collector_is_sound(collector))
        ;
    return __real_glnn__collector_is_sound(collector);
}

bool __real_glnn__upload_is_free(glnn__upload *upload);
bool __wrap_glnn__upload_is_free(glnn__upload *upload);

/* ... and of a GPU that does not lag. */
bool __wrap_glnn__upload_is_free(glnn__upload *upload)
{
    if (recording)
        glnn__gl_wait(upload->ctx);
    return __real_glnn__upload_is_free(upload);
}

/* A budget of two windows. */
static glnn_dataset *create_data(glnn_context *ctx)
{
    static const float inputs[SAMPLES * FEATURES];
    static const int labels[SAMPLES];
    const size_t floats =
        glnn__texel_floats(FEATURES) + glnn__texel_floats(glnn__target_columns(FEATURES, labels));
    glnn_dataset *data;
    require(glnn_dataset_create(
        ctx,
        &(glnn_dataset_desc){.samples = SAMPLES,
                             .features = FEATURES,
                             .inputs = inputs,
                             .labels = labels,
                             .classes = 2,
                             .texture_budget = 2 * WINDOW_SAMPLES * floats * sizeof(float)},
        &data));
    return data;
}

/* An epoch of training. */
static void record(glnn_context *ctx, events *out)
{
    glnn_dataset *data = create_data(ctx);
    glnn_learner *network;
    glnn_trainer *trainer;
    require(glnn_network_create(ctx,
                                &(glnn_network_desc){.features = FEATURES,
                                                     .layers = {{.units = 2}},
                                                     .layout = GLNN_LAYOUT_TILED},
                                &network));
    require(glnn_trainer_create(network, data, &(glnn_train_desc){.batch = BATCH, .seed = 1},
                                &trainer));
    *out = (events){0};
    recording = out;
    require(glnn_trainer_step(trainer, 0, 0, NULL, NULL));
    recording = NULL;
    glnn_trainer_destroy(trainer);
    glnn_learner_destroy(network);
    glnn_dataset_destroy(data);
}

/* Windows have letters in the order of their use. */
static int letter(const events *e, int window)
{
    return window == e->events[0].window ? 'A' : 'B';
}

static void draw_sample(svg *s, const events *e, int sample, double x, double y)
{
    const bool is_it = sample == e->order[FOLLOWED];
    svg_rect(s, is_it ? SVG_FOLLOWED : SVG_PLAIN, x, y, CELL, CELL);
    (is_it ? svg_text_on_followed : svg_text)(s, SVG_SMALL, SVG_CENTRE, x + CELL / 2, y + 19, "%d",
                                              sample);
}

static void draw_samples(svg *s, const events *e)
{
    svg_text(s, SVG_HEADING, SVG_LEFT, 20, 112, "Samples in main memory or in a file");
    svg_text(s, SVG_HEADING, SVG_LEFT, 20, 196, "The shuffled order, cut into windows of %d rows",
             WINDOW_SAMPLES);
    for (int i = 0; i < SAMPLES; ++i) {
        draw_sample(s, e, i, LEFT + i * CELL, 124);
        draw_sample(s, e, e->order[i], LEFT + i * CELL, 208);
    }
    for (int i = 0; i < SAMPLES; i += BATCH)
        svg_rect(s, SVG_FRAME, LEFT + i * CELL, 208, BATCH * CELL, CELL);
}

/* The textures that hold the windows, and the steps that read them. */
static void draw_windows(svg *s, const events *e)
{
    int step = 0;
    for (int i = 0; i < e->count; ++i) {
        const event *at = &e->events[i];
        const double x = LEFT + at->first * CELL, width = at->count * CELL;
        if (at->kind == COPY) {
            svg_rect(s, SVG_WRITTEN, x + 3, 260, width - 6, 22);
            svg_text(s, SVG_SMALL, SVG_CENTRE, x + width / 2, 275, "window %c",
                     letter(e, at->window));
        } else if (at->kind == STEP) {
            svg_text(s, SVG_SMALL, SVG_CENTRE, x + width / 2, 252, "step %d", ++step);
        }
    }
}

static double x_of(double slot)
{
    return LANES + slot * SLOT;
}

static void draw_box(svg *s, svg_look look, double slot, double slots, double y)
{
    svg_rect(s, look, x_of(slot) + 2, y, slots * SLOT - 4, LANE - 6);
}

/* The slots of the CPU. Starting the threads takes none, unless the CPU then waits for them. */
static void fill_slots(const events *e, double slots[MAX_EVENTS])
{
    double slot = 0;
    for (int i = 0; i < e->count; ++i) {
        const bool waits = e->events[i].kind == COLLECT && e->events[i + 1].kind == COPY;
        slots[i] = slot;
        slot += waits || e->events[i].kind != COLLECT;
    }
}

/* From the start of collecting to the copy that needs the samples. */
static void draw_collecting(svg *s, const events *e, const double *slots, int at, double y)
{
    int end = at;
    while (e->events[end].kind != COPY || e->events[end].window != e->events[at].window)
        ++end;
    draw_box(s, SVG_PLAIN, slots[at], slots[end] - slots[at], y);
    svg_text(s, SVG_SMALL, SVG_CENTRE, x_of((slots[at] + slots[end]) / 2), y + 16, "collect %c",
             letter(e, e->events[at].window));
}

/* The GPU follows the orders, one after the other. */
static void draw_lanes(svg *s, const events *e, double y)
{
    int step = 0;
    double slots[MAX_EVENTS];
    fill_slots(e, slots);
    for (int i = 0; i < e->count; ++i) {
        const event *at = &e->events[i];
        if (at->kind == COLLECT) {
            draw_collecting(s, e, slots, i, y);
            continue;
        }
        char name[16];
        snprintf(name, sizeof name, at->kind == COPY ? "copy %c" : "step %d",
                 at->kind == COPY ? letter(e, at->window) : ++step);
        for (int lane = 1; lane <= 2; ++lane) {
            const double slot = slots[i] + 0.4 * (lane - 1), top = y + lane * LANE;
            draw_box(s, at->kind == COPY ? SVG_WRITTEN : SVG_READ, slot, 1, top);
            svg_text(s, SVG_SMALL, SVG_CENTRE, x_of(slot + 0.5), top + 16, "%s", name);
        }
    }
}

static bool draw(const char *path, const events *e)
{
    static const svg_key keys[] = {{SVG_FOLLOWED, "one sample"},
                                   {SVG_WRITTEN, "a window is written"},
                                   {SVG_READ, "a window is read"},
                                   {0}};
    svg *s = svg_begin(path, 470, "An epoch of a data set that streams through two windows",
                       "Samples are collected in shuffled order into two windows of texture by "
                       "turns: threads fill one while the GPU works on the other.");
    svg_text(s, SVG_LABEL, SVG_LEFT, 20, 56,
             "%d samples, %d in a batch; windows A and B are textures", SAMPLES, BATCH);
    svg_legend(s, 20, 76, keys);
    draw_samples(s, e);
    draw_windows(s, e);
    svg_text(s, SVG_HEADING, SVG_LEFT, 20, 316, "Who works when");
    svg_text(s, SVG_LABEL, SVG_LEFT, 20, 346, "threads");
    svg_text(s, SVG_LABEL, SVG_LEFT, 20, 346 + LANE, "CPU submits");
    svg_text(s, SVG_LABEL, SVG_LEFT, 20, 346 + 2 * LANE, "GPU runs");
    draw_lanes(s, e, 330);
    svg_arrow(s, SVG_PLAIN, LANES + 2, 432, 780, 432);
    svg_text(s, SVG_LABEL, SVG_LEFT, 20, 436, "time");
    svg_text(
        s, SVG_SMALL, SVG_LEFT, LANES + 2, 456,
        "Steps 1 and 2 read window A. When the CPU has submitted both, the threads collect its "
        "next samples.");
    return svg_end(s);
}

bool draw_stream(const char *path)
{
    static events e;
    glnn_context *ctx = recorder_context();
    record(ctx, &e);
    glnn_context_destroy(ctx);
    return draw(path, &e);
}
