/* Where prototypes start, and what the numbers of the description that are left to the data are. */
#include "prototypes/lvq/lvq.h"
#include "prototypes/samples.h"

#include "base/log.h"
#include "base/status.h"
#include "learn/evaluate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Samples that k-means looks at for each prototype. */
#define KMEANS_SAMPLES 32

/* RSLVQ's sigma is this share of the square root of the scale. */
#define SIGMA_SHARE 0.125

/* The random part of a coordinate, by the deviation of the data. */
#define JITTER 0.01

/* Data without any spread leaves no unit but 1. */
static void use_scale(glnn__lvq *lvq, double scale)
{
    glnn_lvq_desc *desc = &lvq->desc;
    if (desc->scale == 0)
        desc->scale = scale > 0 && isnormal((float)scale) ? (float)scale : 1;
    if (desc->sigma == 0)
        desc->sigma = (float)(SIGMA_SHARE * sqrt((double)desc->scale));
}

void glnn__lvq_forget_scale(glnn__lvq *lvq)
{
    if (lvq->finds_scale)
        lvq->desc.scale = 0;
    if (lvq->finds_sigma)
        lvq->desc.sigma = 0;
}

bool glnn__lvq_needs_scale(const glnn__lvq *lvq)
{
    return !((lvq->desc.kind == GLNN_LVQ_RSLVQ ? lvq->desc.sigma : lvq->desc.scale) > 0);
}

glnn_status glnn__lvq_look_at(glnn__lvq *lvq, const glnn_dataset *data)
{
    glnn_learner *learner = &lvq->prototypes.learner;
    GLNN__TRY(glnn__find_spread(learner, data, lvq->reach.mean, &lvq->reach.square));
    use_scale(lvq, lvq->reach.square);
    return GLNN_OK;
}

/* Placing the prototypes. */
typedef struct placing {
    glnn__lvq *lvq;
    const glnn_dataset *data;
    double deviation;    /* of a feature */
    glnn__order sorted;  /* samples by class, each class shuffled */
    glnn__groups groups; /* the classes in it */
    int *samples;        /* which are visited */
    double *class_means; /* sums over the samples of each class; NULL: not needed */
    float *prototypes;
} placing;

static glnn_status make_room(placing *p)
{
    const size_t count = (size_t)p->lvq->prototypes.desc.count;
    const size_t samples = (size_t)p->data->samples;
    p->samples = malloc((samples > count ? samples : count) * sizeof *p->samples);
    p->prototypes = calloc(count * (size_t)p->lvq->desc.features, sizeof *p->prototypes);
    return p->samples && p->prototypes
               ? GLNN_OK
               : glnn__fail(GLNN_E_NOMEM, "no memory to place %zu prototypes", count);
}

static int samples_of(const placing *p, int class)
{
    return p->groups.begins[class + 1] - p->groups.begins[class];
}

/* Sorts the samples by class and shuffles each class. */
static glnn_status sort_samples(placing *p)
{
    const int samples = p->data->samples, classes = p->lvq->desc.classes;
    GLNN__TRY(glnn__order_create(samples, p->lvq->desc.seed, &p->sorted));
    GLNN__TRY(glnn__order_group(&p->sorted, 0, samples, p->data->labels, classes, &p->groups));
    for (int c = 0; c < classes; ++c)
        glnn__random_shuffle(&p->sorted.random, p->sorted.entries + p->groups.begins[c],
                             samples_of(p, c));
    return GLNN_OK;
}

static double uniform(placing *p)
{
    return ((double)glnn__random_next(&p->sorted.random) + 0.5) / 4294967296.0;
}

/* A normal number: Box, Muller 1958. */
static double normal(placing *p)
{
    const double u = uniform(p), v = uniform(p);
    return sqrt(-2 * log(u)) * cos(2 * acos(-1) * v);
}

static float *prototype(const placing *p, int index)
{
    return p->prototypes + (size_t)index * (size_t)p->lvq->desc.features;
}

static void add_jitter(placing *p, int index)
{
    for (int j = 0; j < p->lvq->desc.features; ++j)
        prototype(p, index)[j] += (float)(JITTER * p->deviation * normal(p));
}

static void add_to_means(void *user, int first, int count, const float *rows)
{
    placing *p = user;
    const int features = p->lvq->desc.features;
    for (int i = 0; i < count; ++i) {
        const int class = p->data->labels[first + i];
        double *sums = p->class_means + (size_t)features * (size_t)(class);
        for (int j = 0; j < features; ++j)
            sums[j] += (double)rows[(size_t)i * (size_t)features + (size_t)j];
    }
}

/* Calls for each prototype what places it: its class, and how many of the class came before. */
static void for_each(placing *p, void (*place)(placing *p, int index, int class, int number))
{
    for (int i = 0, number = 0; i < p->lvq->prototypes.desc.count; ++i) {
        const int class = p->lvq->prototypes.class_numbers[i];
        number = i > 0 && p->lvq->prototypes.class_numbers[i - 1] == class ? number + 1 : 0;
        place(p, i, class, number);
    }
}

static void place_at_mean(placing *p, int index, int class, int number)
{
    const int features = p->lvq->desc.features, samples = samples_of(p, class);
    const double *sums = p->class_means + (size_t)features * (size_t)(class);
    (void)number;
    for (int j = 0; j < features; ++j)
        prototype(p, index)[j] = (float)(samples > 0 ? sums[j] / samples : p->lvq->reach.mean[j]);
    if (samples == 0 || p->lvq->desc.prototypes_of[class] > 1)
        add_jitter(p, index);
}

static glnn_status place_at_means(placing *p)
{
    glnn_learner *learner = &p->lvq->prototypes.learner;
    const size_t size = (size_t)p->lvq->desc.classes * (size_t)p->lvq->desc.features;
    p->class_means = calloc(size, sizeof *p->class_means);
    if (!p->class_means)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %d means", p->lvq->desc.classes);
    GLNN__TRY(glnn__visit_samples(learner, p->data, NULL, p->data->samples, add_to_means, p));
    for_each(p, place_at_mean);
    return GLNN_OK;
}

static void choose_sample(placing *p, int index, int class, int number)
{
    const int samples = samples_of(p, class);
    p->samples[index] =
        samples > 0 ? p->sorted.entries[p->groups.begins[class] + number % samples] : 0;
}

static void vary_sample(placing *p, int index, int class, int number)
{
    const int samples = samples_of(p, class);
    for (int j = 0; j < p->lvq->desc.features && samples == 0; ++j)
        prototype(p, index)[j] = (float)p->lvq->reach.mean[j];
    if (number >= samples)
        add_jitter(p, index);
}

static glnn_status place_at_samples(placing *p)
{
    glnn_learner *learner = &p->lvq->prototypes.learner;
    for_each(p, choose_sample);
    GLNN__TRY(glnn__copy_samples(learner, p->data, p->samples, p->lvq->prototypes.desc.count,
                                 p->prototypes));
    for_each(p, vary_sample);
    return GLNN_OK;
}

static void warn_of_few(const placing *p)
{
    for (int c = 0; c < p->lvq->desc.classes; ++c)
        if (samples_of(p, c) < p->lvq->desc.prototypes_of[c])
            glnn__log(GLNN_LOG_WARNING, "%s: class %d has %d samples for %d prototypes",
                      p->data->name, c, samples_of(p, c), p->lvq->desc.prototypes_of[c]);
}

/* The samples that k-means looks at; returns how many. */
static int choose_pool(placing *p)
{
    int count = 0;
    for (int c = 0; c < p->lvq->desc.classes; ++c) {
        const int64_t wanted = (int64_t)KMEANS_SAMPLES * p->lvq->desc.prototypes_of[c];
        const int here = wanted < samples_of(p, c) ? (int)wanted : samples_of(p, c);
        memcpy(p->samples + count, p->sorted.entries + p->groups.begins[c],
               (size_t)here * sizeof *p->samples);
        count += here;
    }
    return count;
}

/* Adds a part to the sums of a step of k-means within all classes at once. */
static glnn_status add_part(glnn_learner *learner, const glnn__batch *part, void *user)
{
    glnn__prototypes *p = (glnn__prototypes *)learner;
    float *factor = user;
    GLNN__TRY(glnn__prototypes_gather(p, part));
    GLNN__TRY(glnn__means_assign(p, part, true, &p->learner.metrics));
    GLNN__TRY(glnn__means_add(p, part->count, *factor));
    *factor = 1;
    return GLNN_OK;
}

static glnn_status run_kmeans(placing *p)
{
    glnn_learner *learner = &p->lvq->prototypes.learner;
    const int count = choose_pool(p);
    glnn__order order;
    GLNN__TRY(glnn__order_of(learner->ctx, p->samples, count, &order));
    const glnn__range pool = {
        .data = p->data, .order = &order, .count = count, .rows = glnn__part_rows(learner, count)};
    glnn_status status = GLNN_OK;
    for (int i = 0; i < p->lvq->desc.kmeans_steps && !status; ++i) {
        status = glnn__take_range(learner, &pool, add_part, &(float){0});
        if (!status)
            status = glnn__means_update(&p->lvq->prototypes, NULL);
    }
    glnn__order_destroy(&order);
    return status;
}

static glnn_lvq_init choose_init(const glnn__lvq *lvq)
{
    if (lvq->desc.init != GLNN_LVQ_INIT_AUTO)
        return lvq->desc.init;
    for (int c = 0; c < lvq->desc.classes; ++c)
        if (lvq->desc.prototypes_of[c] > 1)
            return GLNN_LVQ_INIT_KMEANS;
    return GLNN_LVQ_INIT_MEANS;
}

static glnn_status place(placing *p)
{
    const glnn_lvq_init init = choose_init(p->lvq);
    GLNN__TRY(make_room(p));
    GLNN__TRY(glnn__lvq_reset(p->lvq));
    GLNN__TRY(glnn__prototypes_number_classes(&p->lvq->prototypes));
    GLNN__TRY(glnn__lvq_look_at(p->lvq, p->data));
    p->deviation = sqrt(fmax(p->lvq->reach.square, 0) / p->lvq->desc.features);
    GLNN__TRY(sort_samples(p));
    warn_of_few(p);
    GLNN__TRY(init == GLNN_LVQ_INIT_MEANS ? place_at_means(p) : place_at_samples(p));
    GLNN__TRY(glnn__prototypes_upload(&p->lvq->prototypes, p->prototypes));
    return init == GLNN_LVQ_INIT_KMEANS ? run_kmeans(p) : GLNN_OK;
}

glnn_status glnn__lvq_initialise(void *self, const glnn_dataset *data)
{
    glnn__lvq *lvq = self;
    glnn_learner *learner = &lvq->prototypes.learner;
    GLNN__TRY(glnn__check_data(learner, data, true));
    placing p = {.lvq = lvq, .data = data};
    glnn__lvq_forget_scale(lvq);
    const glnn_status status = place(&p);
    glnn__order_destroy(&p.sorted);
    glnn__groups_destroy(&p.groups);
    free(p.samples);
    free(p.class_means);
    free(p.prototypes);
    return status;
}
