/* Where centres start: which samples they are drawn from. */
#include "prototypes/kmeans/kmeans.h"

#include "base/integers.h"
#include "base/log.h"
#include "base/random.h"
#include "base/status.h"
#include "gl/lifetime.h"
#include "learner/evaluate.h"
#include "ops/sample.h"
#include "pass/pass.h"
#include "prototypes/samples.h"

#include <glnn/copy.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const glnn__kernel distances_kernel = {
    .name = "prototypes/seeding",
    .operands = {"X", "TARGET", "INDEX", "CENTRE", "D"},
    .unviewed = 4,
    .uniforms = {GLNN__SAMPLE_UNIFORMS},
};

/* The distances of the pool stand in rows of so many: a column of them might be too tall. */
#define GRID_COLUMNS 64

/* The choice of the next centre of a class. */
typedef struct class_draw {
    int samples;     /* in the pool                                              */
    double left;     /* of what the next centre is drawn from                    */
    bool is_uniform; /* it is drawn from the samples, not from their distances   */
} class_draw;

/* Placing centres. Without classes all samples are of class 0. */
typedef struct placing {
    glnn_kmeans *kmeans;
    const glnn_dataset *data;
    glnn_dataset *copy; /* of the pool, if the data set streams: it then replaces the set */
    glnn__random random;
    int classes, size;  /* of the pool: samples that centres are drawn from           */
    int *pool;          /* their numbers, in random order                             */
    class_draw *of;     /* each class                                                 */
    float *distances;   /* squared, of each in the pool from the nearest centre so far */
    int *chosen;        /* numbers of samples, one a centre                           */
    int rows;           /* of the grid                                                */
    glnn__order pooled; /* the pool on the GPU                                        */
    glnn__order newest; /* the centres chosen last, one a class                       */
    glnn_matrix *newest_centres, *grid;
} placing;

static int class_of(const placing *s, int sample)
{
    return s->kmeans->desc.classes > 0 ? s->data->labels[sample] : 0;
}

static int count_samples(const placing *s)
{
    return s->kmeans->chosen ? s->kmeans->chosen->count : s->data->samples;
}

/* The samples that centres may be drawn from, `count` of them, in random order. */
static void shuffle(placing *s, int *numbers, int count)
{
    const glnn__chosen *chosen = s->kmeans->chosen;
    for (int i = 0; i < count; ++i)
        numbers[i] = chosen ? chosen->samples[i] : i;
    glnn__random_shuffle(&s->random, numbers, count);
}

/* The class in the data set that a class of centres is; -1: of any. */
static int class_in_data(const placing *s, int class)
{
    const glnn__chosen *chosen = s->kmeans->chosen;
    return s->kmeans->desc.classes > 0 ? class : chosen ? chosen->class : -1;
}

static glnn_status check_count(const placing *s, int samples, int class)
{
    const int centres = s->kmeans->desc.centres;
    if (samples >= centres)
        return GLNN_OK;
    if (class < 0)
        return glnn__fail(GLNN_E_SHAPE, "%s: %d samples for %d centres", s->data->name, samples,
                          centres);
    if (samples == 0)
        return glnn__fail(GLNN_E_SHAPE, "%s: class %d has no samples", s->data->name, class);
    glnn__log(GLNN_LOG_WARNING, "%s: class %d has %d samples for %d centres; it uses %d of them",
              s->data->name, class, samples, centres, samples);
    return GLNN_OK;
}

/* A class of fewer samples than centres repeats them: the later ones of equal centres stay without
 * samples. The loop also reaches the samples that it appends, until there are enough. */
static glnn_status repeat_samples(placing *s)
{
    for (int c = 0; c < s->classes; ++c)
        GLNN__TRY(check_count(s, s->of[c].samples, class_in_data(s, c)));
    for (int i = 0; i < s->size; ++i) {
        const int class = class_of(s, s->pool[i]);
        if (s->of[class].samples >= s->kmeans->desc.centres)
            continue;
        s->of[class].samples++;
        s->pool[s->size++] = s->pool[i];
    }
    return GLNN_OK;
}

/* As many samples of each class as it needs come first, then what else there is room for. */
static glnn_status fill_pool(placing *s)
{
    const int samples = count_samples(s), wanted = s->kmeans->desc.init_samples;
    const int limit = samples < wanted ? samples : wanted;
    int *order = malloc((size_t)samples * sizeof *order);
    if (!order)
        return glnn__fail(GLNN_E_NOMEM, "no memory to draw centres from %d samples", samples);
    shuffle(s, order, samples);
    int left = 0;
    for (int i = 0; i < samples; ++i) {
        const int class = class_of(s, order[i]);
        if (s->of[class].samples >= s->kmeans->desc.centres) {
            order[left++] = order[i];
            continue;
        }
        s->of[class].samples++;
        s->pool[s->size++] = order[i];
    }
    glnn_status status = repeat_samples(s);
    for (int i = 0; !status && i < left && s->size < limit; ++i) {
        s->of[class_of(s, order[i])].samples++;
        s->pool[s->size++] = order[i];
    }
    free(order);
    return status;
}

/* A data set that streams lends its pool: a resident copy, whose samples are numbered from 0 on. */
static glnn_status copy_pool(placing *s)
{
    const glnn__learner learner = glnn__kmeans_learner(s->kmeans);
    const size_t size = (size_t)s->size;
    int *labels = malloc(size * sizeof *labels);
    float *inputs = malloc(size * (size_t)s->data->features * sizeof *inputs);
    glnn_status status =
        labels && inputs
            ? glnn__copy_samples(&learner, s->data, s->pool, s->size, inputs)
            : glnn__fail(GLNN_E_NOMEM, "no memory to draw centres from %d samples", s->size);
    for (int i = 0; i < s->size && !status; ++i) {
        labels[i] = class_of(s, s->pool[i]);
        s->pool[i] = i;
    }
    if (!status)
        status = glnn_dataset_create(s->kmeans->ctx,
                                     &(glnn_dataset_desc){.samples = s->size,
                                                          .features = s->data->features,
                                                          .inputs = inputs,
                                                          .labels = labels,
                                                          .classes = s->classes,
                                                          .name = s->data->name},
                                     &s->copy);
    free(labels);
    free(inputs);
    s->data = status ? s->data : s->copy;
    return status;
}

/* The pool begins with as many random samples of each class as it has centres. */
static void choose_samples(placing *s)
{
    for (int c = 0; c < s->classes; ++c)
        s->of[c].samples = 0;
    for (int i = 0; i < glnn_kmeans_get_count(s->kmeans); ++i) {
        const int class = class_of(s, s->pool[i]);
        s->chosen[class * s->kmeans->desc.centres + s->of[class].samples++] = s->pool[i];
    }
}

/* How much of the weight of each class is passed over before its next centre: a random share. */
static void draw_shares(placing *s, int index)
{
    for (int c = 0; c < s->classes; ++c)
        s->of[c].left = 0;
    for (int i = 0; index > 0 && i < s->size; ++i)
        s->of[class_of(s, s->pool[i])].left += (double)s->distances[i];
    for (int c = 0; c < s->classes; ++c) {
        const double share = ((double)glnn__random_next(&s->random) + 0.5) * 0x1p-32;
        s->of[c].is_uniform = !(s->of[c].left > 0);
        s->of[c].left = share * (s->of[c].is_uniform ? s->of[c].samples : s->of[c].left);
    }
}

/* One sample of each class becomes centre number `index` of its class: with probabilities as the
 * distances, or equal ones where all are 0 or there are none yet. */
static void choose_next(placing *s, int index)
{
    draw_shares(s, index);
    for (int i = 0; i < s->size; ++i) {
        const int c = class_of(s, s->pool[i]);
        const double weight = s->of[c].is_uniform ? 1 : (double)s->distances[i];
        if (!(s->of[c].left > 0 && weight > 0))
            continue;
        s->newest.entries[c] = s->pool[i];
        s->of[c].left -= weight;
    }
    for (int c = 0; c < s->classes; ++c)
        s->chosen[c * s->kmeans->desc.centres + index] = s->newest.entries[c];
}

static glnn_status check_distances(const placing *s)
{
    for (int i = 0; i < s->size; ++i)
        if (!isfinite(s->distances[i]))
            return glnn__fail(GLNN_E_DIVERGED,
                              "%s: the squared distance of sample %d from a centre is %g",
                              s->data->name, s->pool[i], (double)s->distances[i]);
    return GLNN_OK;
}

/* Updates the distances by the centres chosen last, and waits for them. */
static glnn_status find_distances(placing *s, bool is_first)
{
    glnn_context *ctx = s->kmeans->ctx;
    GLNN__TRY(glnn__order_upload(ctx, &s->newest));
    GLNN__TRY(
        glnn_gather_rows(ctx, s->data->inputs, s->newest.matrix, 0, s->classes, s->newest_centres));
    GLNN__TRY(glnn__pass_run(
        ctx, &(glnn__pass){
                 .kernel = &distances_kernel,
                 .operands = {{.matrix = s->data->inputs},
                              {.matrix = s->kmeans->desc.classes > 0 ? s->data->targets : NULL},
                              {.matrix = s->pooled.matrix},
                              {.matrix = s->newest_centres},
                              {.matrix = is_first ? NULL : s->grid}},
                 .output = s->grid,
                 .uniforms = {GLNN__SAMPLE_VALUES(0, s->size, s->data->samples)},
             }));
    GLNN__TRY(glnn_matrix_download(ctx, s->grid, NULL, s->distances, 0));
    return check_distances(s);
}

static glnn_status choose_plus_plus(placing *s)
{
    glnn_context *ctx = s->kmeans->ctx;
    GLNN__TRY(glnn__order_of(ctx, s->pool, s->size, &s->pooled));
    GLNN__TRY(glnn__order_create(s->classes, 0, &s->newest));
    GLNN__TRY(glnn__matrix_create_scratch(ctx, s->kmeans->desc.layout, s->classes,
                                          s->data->features, "newest centres", &s->newest_centres));
    GLNN__TRY(glnn__matrix_create_scratch(ctx, GLNN_LAYOUT_PACKED, s->rows, GRID_COLUMNS,
                                          "distances of samples", &s->grid));
    for (int index = 0; index < s->kmeans->desc.centres; ++index) {
        if (index > 0)
            GLNN__TRY(find_distances(s, index == 1));
        choose_next(s, index);
    }
    return GLNN_OK;
}

static glnn_status allocate(placing *s)
{
    const int count = glnn_kmeans_get_count(s->kmeans);
    const int limit = glnn__least(count_samples(s), s->kmeans->desc.init_samples);
    const int pool = limit > count ? limit : count;
    s->rows = glnn__ceil_div(pool, GRID_COLUMNS);
    s->pool = malloc((size_t)pool * sizeof *s->pool);
    s->of = calloc((size_t)s->classes, sizeof *s->of);
    s->distances = malloc((size_t)s->rows * GRID_COLUMNS * sizeof *s->distances);
    s->chosen = malloc((size_t)count * sizeof *s->chosen);
    if (s->pool && s->of && s->distances && s->chosen)
        return GLNN_OK;
    return glnn__fail(GLNN_E_NOMEM, "no memory to draw %d centres from %d samples", count, pool);
}

/* The samples that were chosen become the centres. */
static glnn_status place_centres(const placing *s)
{
    const glnn__learner learner = glnn__kmeans_learner(s->kmeans);
    const int count = glnn_kmeans_get_count(s->kmeans);
    float *centres = malloc((size_t)count * (size_t)s->data->features * sizeof *centres);
    if (!centres)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %d centres", count);
    glnn_status status = glnn__copy_samples(&learner, s->data, s->chosen, count, centres);
    if (!status)
        status = glnn__kmeans_start_from(s->kmeans, centres);
    free(centres);
    return status;
}

static glnn_status run(placing *s)
{
    GLNN__TRY(allocate(s));
    GLNN__TRY(fill_pool(s));
    if (s->data->stream)
        GLNN__TRY(copy_pool(s));
    if (s->kmeans->desc.init == GLNN_KMEANS_INIT_SAMPLES)
        choose_samples(s);
    else
        GLNN__TRY(choose_plus_plus(s));
    return place_centres(s);
}

static void release(placing *s)
{
    free(s->pool);
    free(s->of);
    free(s->distances);
    free(s->chosen);
    glnn_dataset_destroy(s->copy);
    glnn__order_destroy(&s->pooled);
    glnn__order_destroy(&s->newest);
    glnn_matrix_destroy(s->newest_centres);
    glnn_matrix_destroy(s->grid);
}

glnn_status glnn__kmeans_initialise(glnn_kmeans *kmeans, const glnn_dataset *data)
{
    const glnn__learner learner = glnn__kmeans_learner(kmeans);
    GLNN__TRY(glnn__check_data(&learner, data, true));
    placing s = {.kmeans = kmeans, .data = data, .classes = glnn__kmeans_class_count(kmeans)};
    glnn__random_start(&s.random, kmeans->desc.seed);
    const glnn_status status = run(&s);
    release(&s);
    return status;
}

glnn_status glnn_kmeans_initialise(glnn_kmeans *kmeans, const glnn_dataset *data)
{
    GLNN__HELD(kmeans);
    GLNN__NOT_NULL(data);
    GLNN__TRY(glnn__gl_enter(kmeans->ctx));
    return glnn__gl_leave(kmeans->ctx, glnn__kmeans_initialise(kmeans, data));
}
