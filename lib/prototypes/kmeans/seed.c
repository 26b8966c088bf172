/* Seeding: which samples the centres start from. */
#include "prototypes/kmeans/kmeans.h"

#include "base/log.h"
#include "base/random.h"
#include "base/status.h"
#include "data/collector.h"
#include "data/stream.h"
#include "ops/sample.h"
#include "pass/pass.h"
#include "train/evaluate.h"

#include <glnn/copy.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const glnn__kernel seeding_kernel = {
    .name = "prototypes/seeding",
    .operands = {"X", "TARGET", "INDEX", "CENTRE", "D"},
    .unviewed = 4,
    .uniforms = {GLNN__SAMPLE_UNIFORMS},
};

/* The distances of the pool stand in rows of so many: a column of them might be too tall. */
#define GRID_COLUMNS 64

/* Seeding under way. Without classes all samples are of class 0. */
typedef struct seeding {
    glnn_kmeans *kmeans;
    const glnn_dataset *data;
    glnn_dataset *copy; /* of the pool, where the data set streams; it then stands in for it */
    glnn__random random;
    int classes;
    int size;         /* of the pool: samples that centres are drawn from           */
    int *pool;        /* their numbers, in random order                             */
    int *counts;      /* of the pool, by class                                      */
    float *distances; /* squared, of each in the pool from the nearest centre so far */
    double *left;     /* of what a class's next centre is drawn from                */
    bool *is_uniform; /* a class draws from its samples, not from their distances   */
    float *chosen;    /* numbers of samples, one a centre                           */
    float *newest;    /* the centres chosen last, one a class                       */
    int rows;         /* of the grid                                                */
    glnn_matrix *pool_index, *newest_index, *newest_centres, *grid, *chosen_index;
} seeding;

static int class_of(const seeding *s, int sample)
{
    return s->kmeans->desc.classes > 0 ? s->data->labels[sample] : 0;
}

static int count_samples(const seeding *s)
{
    return s->kmeans->chosen ? s->kmeans->chosen->count : s->data->samples;
}

/* The samples that seeds may be drawn from, `count` of them, in random order. */
static void shuffle(seeding *s, int *numbers, int count)
{
    const glnn__chosen *chosen = s->kmeans->chosen;
    for (int i = 0; i < count; ++i)
        numbers[i] = chosen ? chosen->samples[i] : i;
    glnn__random_shuffle(&s->random, numbers, count);
}

/* The class that a class of the seeding is of the data set; -1: of any. */
static int class_in_data(const seeding *s, int class)
{
    const glnn__chosen *chosen = s->kmeans->chosen;
    return s->kmeans->desc.classes > 0 ? class : chosen ? chosen->class : -1;
}

static glnn_status check_count(const seeding *s, int samples, int class)
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
 * samples. What is appended here is met again, until there are enough. */
static glnn_status repeat_samples(seeding *s)
{
    for (int c = 0; c < s->classes; ++c)
        GLNN__TRY(check_count(s, s->counts[c], class_in_data(s, c)));
    for (int i = 0; i < s->size; ++i) {
        const int class = class_of(s, s->pool[i]);
        if (s->counts[class] >= s->kmeans->desc.centres)
            continue;
        s->counts[class]++;
        s->pool[s->size++] = s->pool[i];
    }
    return GLNN_OK;
}

/* As many samples of each class as it needs come first, then what else there is room for. */
static glnn_status fill_pool(seeding *s)
{
    const int samples = count_samples(s), wanted = s->kmeans->desc.seeding_samples;
    const int limit = samples < wanted ? samples : wanted;
    int *order = malloc((size_t)samples * sizeof *order);
    if (!order)
        return glnn__fail(GLNN_E_NOMEM, "no memory to seed centres from %d samples", samples);
    shuffle(s, order, samples);
    int left = 0;
    for (int i = 0; i < samples; ++i) {
        const int class = class_of(s, order[i]);
        if (s->counts[class] >= s->kmeans->desc.centres) {
            order[left++] = order[i];
            continue;
        }
        s->counts[class]++;
        s->pool[s->size++] = order[i];
    }
    glnn_status status = repeat_samples(s);
    for (int i = 0; !status && i < left && s->size < limit; ++i) {
        s->counts[class_of(s, order[i])]++;
        s->pool[s->size++] = order[i];
    }
    free(order);
    return status;
}

/* The samples of the pool, dense, and where there are classes their labels. */
static glnn_status collect_pool(const seeding *s, float *inputs, int *labels)
{
    const size_t features = (size_t)s->data->features;
    const size_t stride = glnn__texel_floats(s->data->features);
    const size_t target =
        glnn__texel_floats(glnn__target_columns(s->data->outputs, s->data->labels));
    float *targets = malloc((size_t)s->size * target * sizeof *targets);
    if (!targets)
        return glnn__fail(GLNN_E_NOMEM, "no memory to seed centres from %d samples", s->size);
    glnn_status status = glnn__collect(&s->data->stream->source, &(glnn__collection){
                                                                     .order = s->pool,
                                                                     .count = s->size,
                                                                     .inputs = inputs,
                                                                     .targets = targets,
                                                                 });
    free(targets);
    for (size_t i = 0; i < (size_t)s->size && !status; ++i) {
        memmove(inputs + i * features, inputs + i * stride, features * sizeof *inputs);
        labels[i] = class_of(s, s->pool[i]);
    }
    return status;
}

/* A data set that streams lends its pool: a resident copy, whose samples are numbered from 0 on. */
static glnn_status copy_pool(seeding *s)
{
    const size_t size = (size_t)s->size;
    int *labels = malloc(size * sizeof *labels);
    float *inputs = malloc(size * glnn__texel_floats(s->data->features) * sizeof *inputs);
    glnn_status status =
        labels && inputs
            ? GLNN_OK
            : glnn__fail(GLNN_E_NOMEM, "no memory to seed centres from %d samples", s->size);
    if (!status)
        status = collect_pool(s, inputs, labels);
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
    GLNN__TRY(status);
    s->data = s->copy;
    for (int i = 0; i < s->size; ++i)
        s->pool[i] = i;
    return GLNN_OK;
}

/* The pool begins with as many random samples of each class as it has centres. */
static void choose_samples(seeding *s)
{
    for (int c = 0; c < s->classes; ++c)
        s->counts[c] = 0;
    for (int i = 0; i < glnn_kmeans_count(s->kmeans); ++i) {
        const int class = class_of(s, s->pool[i]);
        s->chosen[class * s->kmeans->desc.centres + s->counts[class]++] = (float)s->pool[i];
    }
}

/* How much of the weight of each class is passed over before its next centre: a random share. */
static void draw_shares(seeding *s, int index)
{
    for (int c = 0; c < s->classes; ++c)
        s->left[c] = 0;
    for (int i = 0; index > 0 && i < s->size; ++i)
        s->left[class_of(s, s->pool[i])] += (double)s->distances[i];
    for (int c = 0; c < s->classes; ++c) {
        const double share = ((double)glnn__random_next(&s->random) + 0.5) * 0x1p-32;
        s->is_uniform[c] = !(s->left[c] > 0);
        s->left[c] = share * (s->is_uniform[c] ? s->counts[c] : s->left[c]);
    }
}

/* One sample of each class becomes centre number `index` of its class: with probabilities as the
 * distances, or equal ones where all are 0 or there are none yet. */
static void choose_next(seeding *s, int index)
{
    draw_shares(s, index);
    for (int i = 0; i < s->size; ++i) {
        const int c = class_of(s, s->pool[i]);
        const double weight = s->is_uniform[c] ? 1 : (double)s->distances[i];
        if (!(s->left[c] > 0 && weight > 0))
            continue;
        s->newest[c] = (float)s->pool[i];
        s->left[c] -= weight;
    }
    for (int c = 0; c < s->classes; ++c)
        s->chosen[c * s->kmeans->desc.centres + index] = s->newest[c];
}

static glnn_status check_distances(const seeding *s)
{
    for (int i = 0; i < s->size; ++i)
        if (!isfinite(s->distances[i]))
            return glnn__fail(GLNN_E_DIVERGED,
                              "%s: the squared distance of sample %d from a centre is %g",
                              s->data->name, s->pool[i], (double)s->distances[i]);
    return GLNN_OK;
}

/* What the centres chosen last make of the distances; waits for them. */
static glnn_status find_distances(seeding *s, bool is_first)
{
    glnn_context *ctx = s->kmeans->ctx;
    GLNN__TRY(glnn_matrix_upload(ctx, s->newest_index, NULL, s->newest, 0));
    GLNN__TRY(
        glnn_gather_rows(ctx, s->data->inputs, s->newest_index, 0, s->classes, s->newest_centres));
    GLNN__TRY(glnn__pass_run(
        ctx, &(glnn__pass){
                 .kernel = &seeding_kernel,
                 .operands = {{.matrix = s->data->inputs},
                              {.matrix = s->kmeans->desc.classes > 0 ? s->data->targets : NULL},
                              {.matrix = s->pool_index},
                              {.matrix = s->newest_centres},
                              {.matrix = is_first ? NULL : s->grid}},
                 .output = s->grid,
                 .uniforms = {GLNN__SAMPLE_VALUES(0, s->size, s->data->samples)},
             }));
    GLNN__TRY(glnn_matrix_download(ctx, s->grid, NULL, s->distances, 0));
    return check_distances(s);
}

static glnn_status create_index(seeding *s, int rows, const float *values, glnn_matrix **out)
{
    return glnn_matrix_create(s->kmeans->ctx,
                              &(glnn_matrix_desc){.rows = rows,
                                                  .columns = 1,
                                                  .layout = GLNN_LAYOUT_PAGED,
                                                  .data = values,
                                                  .name = "seeds"},
                              out);
}

static glnn_status choose_plus_plus(seeding *s)
{
    glnn_context *ctx = s->kmeans->ctx;
    for (int i = 0; i < s->size; ++i)
        s->distances[i] = (float)s->pool[i];
    GLNN__TRY(create_index(s, s->size, s->distances, &s->pool_index));
    GLNN__TRY(create_index(s, s->classes, NULL, &s->newest_index));
    GLNN__TRY(glnn__matrix_create_scratch(ctx, s->kmeans->desc.layout, s->classes,
                                          s->data->features, "newest centres", &s->newest_centres));
    GLNN__TRY(glnn__matrix_create_scratch(ctx, GLNN_LAYOUT_PACKED, s->rows, GRID_COLUMNS,
                                          "seeding distances", &s->grid));
    for (int index = 0; index < s->kmeans->desc.centres; ++index) {
        if (index > 0)
            GLNN__TRY(find_distances(s, index == 1));
        choose_next(s, index);
    }
    return GLNN_OK;
}

static glnn_status allocate(seeding *s)
{
    const int samples = count_samples(s), wanted = s->kmeans->desc.seeding_samples;
    const int limit = samples < wanted ? samples : wanted;
    const int pool = limit > glnn_kmeans_count(s->kmeans) ? limit : glnn_kmeans_count(s->kmeans);
    s->rows = (pool - 1) / GRID_COLUMNS + 1;
    s->pool = malloc((size_t)pool * sizeof *s->pool);
    s->counts = calloc((size_t)s->classes, sizeof *s->counts);
    s->distances = malloc((size_t)s->rows * GRID_COLUMNS * sizeof *s->distances);
    s->left = malloc((size_t)s->classes * sizeof *s->left);
    s->is_uniform = malloc((size_t)s->classes * sizeof *s->is_uniform);
    s->chosen = malloc((size_t)glnn_kmeans_count(s->kmeans) * sizeof *s->chosen);
    s->newest = malloc((size_t)s->classes * sizeof *s->newest);
    if (s->pool && s->counts && s->distances && s->left && s->is_uniform && s->chosen && s->newest)
        return GLNN_OK;
    return glnn__fail(GLNN_E_NOMEM, "no memory to seed %d centres from %d samples",
                      glnn_kmeans_count(s->kmeans), pool);
}

/* The samples that were chosen become the centres. */
static glnn_status place_centres(seeding *s)
{
    glnn_kmeans *kmeans = s->kmeans;
    float *centres =
        malloc((size_t)glnn_kmeans_count(kmeans) * (size_t)kmeans->desc.features * sizeof *centres);
    if (!centres)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %d centres", glnn_kmeans_count(kmeans));
    kmeans->prototypes.is_set = false;
    glnn_status status = glnn_gather_rows(kmeans->ctx, s->data->inputs, s->chosen_index, 0,
                                          glnn_kmeans_count(kmeans), kmeans->prototypes.values);
    if (!status)
        status = glnn_matrix_download(kmeans->ctx, kmeans->prototypes.values, NULL, centres, 0);
    if (!status)
        status = glnn__kmeans_start_from(kmeans, centres);
    free(centres);
    return status;
}

static glnn_status run(seeding *s)
{
    glnn_kmeans *kmeans = s->kmeans;
    GLNN__TRY(allocate(s));
    GLNN__TRY(fill_pool(s));
    if (s->data->stream)
        GLNN__TRY(copy_pool(s));
    if (kmeans->desc.seeding == GLNN_SEEDING_SAMPLES)
        choose_samples(s);
    else
        GLNN__TRY(choose_plus_plus(s));
    GLNN__TRY(create_index(s, glnn_kmeans_count(kmeans), s->chosen, &s->chosen_index));
    return place_centres(s);
}

static void release(seeding *s)
{
    free(s->pool);
    free(s->counts);
    free(s->distances);
    free(s->left);
    free(s->is_uniform);
    free(s->chosen);
    free(s->newest);
    glnn_dataset_destroy(s->copy);
    glnn_matrix_destroy(s->pool_index);
    glnn_matrix_destroy(s->newest_index);
    glnn_matrix_destroy(s->newest_centres);
    glnn_matrix_destroy(s->grid);
    glnn_matrix_destroy(s->chosen_index);
}

glnn_status glnn_kmeans_seed(glnn_kmeans *kmeans, const glnn_dataset *data)
{
    if (!kmeans || !data)
        return glnn__fail(GLNN_E_ARG, "glnn_kmeans_seed: an argument is null");
    const glnn__learner learner = glnn__kmeans_learner(kmeans);
    GLNN__TRY(glnn__check_data(&learner, data, true));
    seeding s = {
        .kmeans = kmeans,
        .data = data,
        .classes = kmeans->desc.classes > 0 ? kmeans->desc.classes : 1,
    };
    glnn__random_start(&s.random, kmeans->desc.seed);
    GLNN__TRY(glnn__gl_enter(kmeans->ctx));
    glnn_status status = run(&s);
    release(&s);
    return glnn__gl_leave(kmeans->ctx, status);
}
