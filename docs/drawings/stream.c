/* A data set that streams: an epoch's buffers and windows and what happens to them, recorded. */
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

enum { SAMPLES = 32, BATCH = 4, FEATURES = 8, WINDOW_SAMPLES = 8, MAX_EVENTS = 16, FOLLOWED = 9 };
enum { BUFFERS = 3, CELL = 23, LEFT = 32, LANES = 110, SLOT = 50, LANE = 30 };

typedef enum event_kind { READ, COPY, STEP } event_kind;

typedef struct event {
    event_kind kind;
    int buffer;       /* of READ and COPY     */
    int first, count; /* entries of the order */
} event;

typedef struct events {
    int count;
    event events[MAX_EVENTS];
    int order[SAMPLES];
} events;

static events *recording;

static void note(event_kind kind, int buffer, int first, int count)
{
    if (recording && recording->count < MAX_EVENTS)
        recording->events[recording->count++] = (event){kind, buffer, first, count};
}

void __real_glnn__reader_fill(glnn__reader *reader, const glnn__collection *what);
void __wrap_glnn__reader_fill(glnn__reader *reader, const glnn__collection *what);

void __wrap_glnn__reader_fill(glnn__reader *reader, const glnn__collection *what)
{
    if (recording)
        memcpy(recording->order + what->first, what->order + what->first,
               (size_t)what->count * sizeof *what->order);
    note(READ, glnn__reader_next_free(reader), what->first, what->count);
    __real_glnn__reader_fill(reader, what);
}

glnn_status __real_glnn__reader_take(glnn__reader *reader);
glnn_status __wrap_glnn__reader_take(glnn__reader *reader);

/* Copies follow each other, a window at a time. */
glnn_status __wrap_glnn__reader_take(glnn__reader *reader)
{
    int copies = 0;
    for (int i = 0; recording && i < recording->count; ++i)
        copies += recording->events[i].kind == COPY;
    note(COPY, glnn__reader_next_taken(reader), copies * WINDOW_SAMPLES, WINDOW_SAMPLES);
    return __real_glnn__reader_take(reader);
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
    note(STEP, -1, at, out->count);
    return status;
}

bool __real_glnn__reader_is_ready(glnn__reader *reader);
bool __wrap_glnn__reader_is_ready(glnn__reader *reader);

/* The drawing is of threads that are as fast as the steps ... */
bool __wrap_glnn__reader_is_ready(glnn__reader *reader)
{
    while (recording && glnn__reader_next_taken(reader) >= 0 &&
           !__real_glnn__reader_is_ready(reader))
        ;
    return __real_glnn__reader_is_ready(reader);
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
                             .buffers = BUFFERS,
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

/* Windows take turns. */
static int letter(const event *of)
{
    return of->first / WINDOW_SAMPLES % 2 == 0 ? 'A' : 'B';
}

static void draw_sample(svg *s, const events *e, int sample, double x, double y)
{
    const bool is_it = sample == e->order[FOLLOWED];
    svg_rect(s, is_it ? SVG_FOLLOWED : SVG_PLAIN, x, y, CELL, CELL);
    (is_it ? svg_text_on_followed : svg_text)(s, SVG_SMALL, SVG_CENTRE, x + CELL / 2.0, y + 16,
                                              "%d", sample);
}

static void draw_samples(svg *s, const events *e)
{
    svg_text(s, SVG_HEADING, SVG_LEFT, 20, 112, "Samples in main memory or in files");
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
            svg_text(s, SVG_SMALL, SVG_CENTRE, x + width / 2, 275, "buffer %d, window %c",
                     at->buffer + 1, letter(at));
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

/* The slots of the CPU. Starting the threads takes none, but it waits for the first buffer. */
static void fill_slots(const events *e, double slots[MAX_EVENTS])
{
    double slot = 0;
    for (int i = 0; i < e->count; ++i) {
        const bool waits = i > 0 && e->events[i].kind == COPY && slot == 0;
        slot += waits;
        slots[i] = slot;
        slot += e->events[i].kind != READ;
    }
}

/* A buffer has its samples until they are copied. */
static void draw_buffer(svg *s, const events *e, const double *slots, int at, double y)
{
    const event *of = &e->events[at];
    int end = at;
    while (e->events[end].kind != COPY || e->events[end].first != of->first)
        ++end;
    const double top = y + of->buffer * LANE;
    draw_box(s, SVG_PLAIN, slots[at], slots[end] - slots[at], top);
    svg_text(s, SVG_SMALL, SVG_CENTRE, x_of((slots[at] + slots[end]) / 2), top + 16, "%d to %d",
             of->first + 1, of->first + of->count);
}

/* The GPU follows the orders, one after the other. */
static void draw_lanes(svg *s, const events *e, double y)
{
    int step = 0;
    double slots[MAX_EVENTS];
    fill_slots(e, slots);
    for (int i = 0; i < e->count; ++i) {
        const event *at = &e->events[i];
        if (at->kind == READ) {
            draw_buffer(s, e, slots, i, y);
            continue;
        }
        char name[16];
        snprintf(name, sizeof name, at->kind == COPY ? "copy %c" : "step %d",
                 at->kind == COPY ? letter(at) : ++step);
        for (int lane = 0; lane < 2; ++lane) {
            const double slot = slots[i] + 0.4 * lane, top = y + (BUFFERS + lane) * LANE;
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
    svg *s = svg_begin(path, 530, "An epoch of a data set that streams through two windows",
                       "Threads read samples in shuffled order into three buffers ahead of their "
                       "use. OpenGL copies the buffers to two windows of texture by turns.");
    svg_text(s, SVG_LABEL, SVG_LEFT, 20, 56,
             "%d samples, %d in a batch; windows A and B are textures, buffers are in main memory",
             SAMPLES, BATCH);
    svg_legend(s, 20, 76, keys);
    draw_samples(s, e);
    draw_windows(s, e);
    svg_text(s, SVG_HEADING, SVG_LEFT, 20, 316, "Who works when");
    for (int b = 0; b < BUFFERS; ++b)
        svg_text(s, SVG_LABEL, SVG_LEFT, 20, 346 + b * LANE, "buffer %d", b + 1);
    svg_text(s, SVG_LABEL, SVG_LEFT, 20, 346 + BUFFERS * LANE, "CPU submits");
    svg_text(s, SVG_LABEL, SVG_LEFT, 20, 346 + (BUFFERS + 1) * LANE, "GPU runs");
    draw_lanes(s, e, 330);
    svg_arrow(s, SVG_PLAIN, LANES + 2, 492, 780, 492);
    svg_text(s, SVG_LABEL, SVG_LEFT, 20, 496, "time");
    svg_text(s, SVG_SMALL, SVG_LEFT, LANES + 2, 516,
             "The rows in each buffer. A slow read delays nothing while another buffer is full.");
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
