/* Where centres start: which samples they are drawn from. */
#include "prototypes/kmeans/kmeans.h"

#include "base/integers.h"
#include "base/log.h"
#include "base/random.h"
#include "base/status.h"
#include "learn/evaluate.h"
#include "ops/sample.h"
#include "pass/pass.h"
#include "prototypes/samples.h"

#include <glnn/copy.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Samples of the pool in a row of the grid of distances: a column of them might be too tall. */
#define GRID_SAMPLES 64

enum { CANDIDATES = GLNN__AFTER_SAMPLE };

static const glnn__kernel distances_kernel = {
    .name = "prototypes/seeding",
    .operands = {"X", "TARGET", "INDEX", "CENTRE", "CHOICE", "D"},
    .unviewed = 6,
    .uniforms = {GLNN__SAMPLE_UNIFORMS, [CANDIDATES] = "int candidates"},
};

/* The choice of the next centre of a class, among candidates. */
typedef struct class_draw {
    int samples;     /* in the pool                                                */
    int best;        /* the candidate that was taken last                          */
    bool is_uniform; /* candidates are drawn from samples, not from their distances */
} class_draw;

/* A candidate for the next centre of a class. */
typedef struct candidate {
    double left;      /* of the weight that is passed over before the draw    */
    double potential; /* the sum of the squared distances of the samples of its class, with it */
} candidate;

/* Placing centres. Without classes all samples are of class 0. */
typedef struct placing {
    glnn__kmeans *kmeans;
    const glnn_dataset *data;
    glnn_dataset *copy; /* of the pool, if the data set streams: it then replaces the set */
    glnn__random random;
    int run;            /* of a training, which begins with this start                */
    int classes, size;  /* of the pool: samples that centres are drawn from           */
    int *pool;          /* their numbers, in random order                             */
    class_draw *of;     /* each class                                                 */
    int *chosen;        /* numbers of samples, one a centre                           */
    int candidates;     /* for each centre                                            */
    candidate *drawn;   /* classes x candidates                                       */
    int rows;           /* of a grid                                                  */
    float *distances;   /* a grid: see seeding.glsl                                   */
    glnn__order pooled; /* the pool on the GPU                                        */
    glnn__order newest; /* the samples that are candidates, classes x candidates; then the
                           candidate of each class that was taken before              */
    glnn_matrix *newest_centres;
    glnn_matrix *grid, *former_grid; /* with the newest candidates, and with those before */
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
    if (s->run == 0)
        glnn__log(GLNN_LOG_WARNING,
                  "%s: class %d has %d samples for %d centres; it uses %d of them", s->data->name,
                  class, samples, centres, samples);
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
    glnn_learner *learner = &s->kmeans->prototypes.learner;
    const size_t size = (size_t)s->size;
    int *labels = malloc(size * sizeof *labels);
    float *inputs = malloc(size * (size_t)s->data->features * sizeof *inputs);
    glnn_status status =
        labels && inputs
            ? glnn__copy_samples(learner, s->data, s->pool, s->size, inputs)
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
    for (int i = 0; i < s->kmeans->prototypes.desc.count; ++i) {
        const int class = class_of(s, s->pool[i]);
        s->chosen[class * s->kmeans->desc.centres + s->of[class].samples++] = s->pool[i];
    }
}

/* The squared distance of sample i of the pool from the nearest centre of its class, as if this
 * candidate were one. */
static double distance_of(const placing *s, int i, int number)
{
    const int row = i / GRID_SAMPLES * s->candidates + number;
    return (double)s->distances[(size_t)row * GRID_SAMPLES + (size_t)(i % GRID_SAMPLES)];
}

static candidate *candidates_of(const placing *s, int class)
{
    return s->drawn + (ptrdiff_t)s->candidates * class;
}

/* Of the centres so far. */
static double potential_of(const placing *s, int class)
{
    return candidates_of(s, class)[s->of[class].best].potential;
}

/* A random share of the weight of each class is passed over before a candidate is drawn. The first
 * centre has no rivals: it is drawn once. */
static void draw_shares(placing *s, bool is_first)
{
    for (int c = 0; c < s->classes; ++c) {
        const double potential = is_first ? 0 : potential_of(s, c);
        s->of[c].is_uniform = !(potential > 0);
        double share = 0;
        for (int l = 0; l < s->candidates; ++l) {
            if (!is_first || l == 0)
                share = ((double)glnn__random_next(&s->random) + 0.5) * 0x1p-32;
            candidates_of(s, c)[l].left =
                share * (s->of[c].is_uniform ? s->of[c].samples : potential);
        }
    }
}

/* Samples of each class become candidates: with probabilities as the distances, or equal ones
 * where all are 0 or there are none yet. */
static void draw_candidates(placing *s, bool is_first)
{
    draw_shares(s, is_first);
    for (int i = 0; i < s->size; ++i) {
        const int c = class_of(s, s->pool[i]);
        const double weight = s->of[c].is_uniform ? 1 : distance_of(s, i, s->of[c].best);
        int *samples = s->newest.entries + c * s->candidates;
        candidate *drawn = candidates_of(s, c);
        for (int l = 0; l < s->candidates && weight > 0; ++l) {
            samples[l] = drawn[l].left > 0 ? s->pool[i] : samples[l];
            drawn[l].left -= weight;
        }
    }
}

/* With the candidate that lowers the potential most as centre number `index` of its class. Of equal
 * ones the first counts. */
static void take_best(placing *s, int index)
{
    for (int c = 0; c < s->classes; ++c) {
        const candidate *drawn = candidates_of(s, c);
        s->of[c].best = 0;
        for (int l = 1; l < s->candidates; ++l)
            if (drawn[l].potential < drawn[s->of[c].best].potential)
                s->of[c].best = l;
        s->newest.entries[s->classes * s->candidates + c] = s->of[c].best;
        s->chosen[c * s->kmeans->desc.centres + index] =
            s->newest.entries[c * s->candidates + s->of[c].best];
    }
}

/* Sums the distances of the samples of each class, for each of its candidates. */
static glnn_status sum_potentials(placing *s)
{
    for (int l = 0; l < s->classes * s->candidates; ++l)
        s->drawn[l].potential = 0;
    for (int i = 0; i < s->size; ++i) {
        candidate *drawn = candidates_of(s, class_of(s, s->pool[i]));
        for (int l = 0; l < s->candidates; ++l) {
            const double distance = distance_of(s, i, l);
            if (!isfinite(distance))
                return glnn__fail(GLNN_E_DIVERGED,
                                  "%s: the squared distance of sample %d from a centre is %g",
                                  s->data->name, s->pool[i], distance);
            drawn[l].potential += distance;
        }
    }
    return GLNN_OK;
}

/* Finds the distances with each of the newest candidates, and waits for them. */
static glnn_status find_distances(placing *s, bool is_first)
{
    glnn_context *ctx = s->kmeans->ctx;
    glnn_matrix *grid = s->former_grid;
    s->former_grid = s->grid;
    s->grid = grid;
    GLNN__TRY(glnn__order_upload(ctx, &s->newest));
    GLNN__TRY(glnn_gather_rows(ctx, s->data->inputs, s->newest.matrix, 0,
                               s->classes * s->candidates, s->newest_centres));
    GLNN__TRY(glnn__pass_run(
        ctx,
        &(glnn__pass){
            .kernel = &distances_kernel,
            .operands = {{.matrix = s->data->inputs},
                         {.matrix = s->kmeans->desc.classes > 0 ? s->data->targets : NULL},
                         {.matrix = s->pooled.matrix},
                         {.matrix = s->newest_centres},
                         {.matrix = is_first ? NULL : s->newest.matrix},
                         {.matrix = is_first ? NULL : s->former_grid}},
            .output = s->grid,
            .uniforms = {GLNN__SAMPLE_VALUES((glnn__uniform){.i = 0}, s->size, s->data->samples),
                         [CANDIDATES] = {.i = s->candidates}},
        }));
    GLNN__TRY(glnn_matrix_download(ctx, s->grid, NULL, s->distances, 0));
    return sum_potentials(s);
}

static glnn_status create_grids(placing *s)
{
    glnn_context *ctx = s->kmeans->ctx;
    const int columns = GRID_SAMPLES * s->candidates;
    glnn_matrix **grids[] = {&s->grid, &s->former_grid};
    for (int i = 0; i < 2; ++i)
        GLNN__TRY(glnn__matrix_create_scratch(ctx, GLNN_LAYOUT_PACKED, s->rows, columns,
                                              "distances of samples", grids[i]));
    return GLNN_OK;
}

static glnn_status choose_plus_plus(placing *s)
{
    glnn_context *ctx = s->kmeans->ctx;
    const int centres = s->kmeans->desc.centres, drawn = s->classes * s->candidates;
    GLNN__TRY(glnn__order_of(ctx, s->pool, s->size, &s->pooled));
    GLNN__TRY(glnn__order_create(drawn + s->classes, 0, &s->newest));
    GLNN__TRY(glnn__matrix_create_scratch(ctx, s->kmeans->desc.layout, drawn, s->data->features,
                                          "candidates for centres", &s->newest_centres));
    GLNN__TRY(create_grids(s));
    for (int index = 0; index < centres; ++index) {
        draw_candidates(s, index == 0);
        if (centres > 1)
            GLNN__TRY(find_distances(s, index == 0));
        take_best(s, index);
    }
    return GLNN_OK;
}

/* Candidates for each centre, as in scikit-learn: 2 + ln centres, rounded down. */
static int count_candidates(int centres)
{
    return 2 + (int)log((double)centres);
}

static glnn_status allocate(placing *s)
{
    const int count = s->kmeans->prototypes.desc.count;
    const int limit = glnn__least(count_samples(s), s->kmeans->desc.init_samples);
    const int pool = limit > count ? limit : count;
    const size_t drawn = (size_t)s->classes * (size_t)s->candidates;
    s->rows = glnn__ceil_div(pool, GRID_SAMPLES);
    s->pool = malloc((size_t)pool * sizeof *s->pool);
    s->of = calloc((size_t)s->classes, sizeof *s->of);
    s->chosen = malloc((size_t)count * sizeof *s->chosen);
    s->drawn = calloc(drawn, sizeof *s->drawn);
    s->distances =
        malloc((size_t)s->rows * GRID_SAMPLES * (size_t)s->candidates * sizeof *s->distances);
    if (s->pool && s->of && s->chosen && s->drawn && s->distances)
        return GLNN_OK;
    return glnn__fail(GLNN_E_NOMEM, "no memory to draw %d centres from %d samples", count, pool);
}

/* The samples that were chosen become the centres. */
static glnn_status place_centres(const placing *s)
{
    glnn_learner *learner = &s->kmeans->prototypes.learner;
    const int count = s->kmeans->prototypes.desc.count;
    float *centres = malloc((size_t)count * (size_t)s->data->features * sizeof *centres);
    if (!centres)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %d centres", count);
    glnn_status status = glnn__copy_samples(learner, s->data, s->chosen, count, centres);
    if (!status)
        status = glnn__kmeans_start_from(s->kmeans, centres);
    free(centres);
    return status;
}

static glnn_status choose_and_place(placing *s)
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
    free(s->chosen);
    free(s->drawn);
    free(s->distances);
    glnn_dataset_destroy(s->copy);
    glnn__order_destroy(&s->pooled);
    glnn__order_destroy(&s->newest);
    glnn_matrix_destroy(s->newest_centres);
    glnn_matrix_destroy(s->grid);
    glnn_matrix_destroy(s->former_grid);
}

/* The seed of a run. Run 0 has that of the description, as if it were alone. */
static uint64_t seed_of(uint64_t seed, int run)
{
    const uint32_t counter[4] = {(uint32_t)run, 0, 0, 2}; /* streams have 1 there */
    uint32_t words[4];
    glnn__philox(seed, counter, words);
    return run == 0 ? seed : (uint64_t)words[1] << 32 | words[0];
}

glnn_status glnn__kmeans_initialise(glnn__kmeans *kmeans, const glnn_dataset *data, int run)
{
    glnn_learner *learner = &kmeans->prototypes.learner;
    GLNN__TRY(glnn__check_data(learner, data, true));
    placing s = {
        .kmeans = kmeans,
        .data = data,
        .run = run,
        .classes = glnn__kmeans_class_count(kmeans),
        .candidates = count_candidates(kmeans->desc.centres),
    };
    glnn__random_start(&s.random, seed_of(kmeans->desc.seed, run));
    const glnn_status status = choose_and_place(&s);
    release(&s);
    return status;
}
