/* Where prototypes start, and what the numbers of the description that are left to the data are. */
#include "prototypes/lvq/lvq.h"
#include "prototypes/samples.h"

#include "base/log.h"
#include "base/random.h"
#include "base/status.h"
#include "train/evaluate.h"

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
static void use_scale(glnn_lvq *lvq, double scale)
{
    glnn_lvq_desc *desc = &lvq->desc;
    if (desc->scale == 0)
        desc->scale = scale > 0 && isnormal((float)scale) ? (float)scale : 1;
    if (desc->sigma == 0)
        desc->sigma = (float)(SIGMA_SHARE * sqrt((double)desc->scale));
}

glnn_status glnn__lvq_find_scale(glnn_lvq *lvq, const glnn_dataset *data)
{
    if (lvq->desc.scale > 0 && lvq->desc.sigma > 0)
        return GLNN_OK;
    double scale, *mean = malloc((size_t)lvq->desc.features * sizeof *mean);
    if (!mean)
        return glnn__fail(GLNN_E_NOMEM, "no memory for a mean of %d features", lvq->desc.features);
    glnn_status status = glnn__find_spread(&lvq->prototypes, data, mean, &scale);
    if (!status)
        use_scale(lvq, scale);
    free(mean);
    return status;
}

/* Placing the prototypes. */
typedef struct placing {
    glnn_lvq *lvq;
    const glnn_dataset *data;
    glnn__random random;
    double *mean; /* of all samples */
    double deviation;
    int *starts;         /* classes + 1: where the samples of each begin in `sorted` */
    int *sorted;         /* samples by class, each class shuffled */
    int *samples;        /* which are visited */
    double *class_means; /* sums over the samples of each class; NULL: not needed */
    float *prototypes;
} placing;

static glnn_status make_room(placing *p)
{
    const size_t classes = (size_t)p->lvq->desc.classes,
                 count = (size_t)p->lvq->prototypes.desc.count;
    const size_t features = (size_t)p->lvq->desc.features, samples = (size_t)p->data->samples;
    p->mean = malloc(features * sizeof *p->mean);
    p->starts = calloc(classes + 1, sizeof *p->starts);
    p->sorted = malloc(samples * sizeof *p->sorted);
    p->samples = malloc((samples > count ? samples : count) * sizeof *p->samples);
    p->prototypes = calloc(count * features, sizeof *p->prototypes);
    if (!p->mean || !p->starts || !p->sorted || !p->samples || !p->prototypes)
        return glnn__fail(GLNN_E_NOMEM, "no memory to place %zu prototypes", count);
    return GLNN_OK;
}

static int samples_of(const placing *p, int class)
{
    return p->starts[class + 1] - p->starts[class];
}

/* Sorts the samples by class and shuffles each class. */
static void sort_samples(placing *p)
{
    const int *labels = p->data->labels;
    const int classes = p->lvq->desc.classes;
    for (int i = 0; i < p->data->samples; ++i)
        p->starts[labels[i] + 1]++;
    for (int c = 0; c < classes; ++c)
        p->starts[c + 1] += p->starts[c];
    for (int i = p->data->samples - 1; i >= 0; --i)
        p->sorted[--p->starts[labels[i] + 1]] = i;
    /* Filling from the back has moved each start to where its class begins: one place to the left. */
    memmove(p->starts, p->starts + 1, (size_t)classes * sizeof *p->starts);
    p->starts[classes] = p->data->samples;
    for (int c = 0; c < classes; ++c)
        glnn__random_shuffle(&p->random, p->sorted + p->starts[c], samples_of(p, c));
}

static double uniform(placing *p)
{
    return ((double)glnn__random_next(&p->random) + 0.5) / 4294967296.0;
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
        double *sums = p->class_means + (size_t) class * (size_t)features;
        for (int j = 0; j < features; ++j)
            sums[j] += (double)rows[(size_t)i * (size_t)features + (size_t)j];
    }
}

static void copy_rows(void *user, int first, int count, const float *rows)
{
    const placing *p = user;
    const size_t features = (size_t)p->lvq->desc.features;
    memcpy(prototype(p, first), rows, (size_t)count * features * sizeof *rows);
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
    const double *sums = p->class_means + (size_t) class * (size_t)features;
    (void)number;
    for (int j = 0; j < features; ++j)
        prototype(p, index)[j] = (float)(samples > 0 ? sums[j] / samples : p->mean[j]);
    if (samples == 0 || p->lvq->desc.prototypes_of[class] > 1)
        add_jitter(p, index);
}

static glnn_status place_at_means(placing *p)
{
    const size_t size = (size_t)p->lvq->desc.classes * (size_t)p->lvq->desc.features;
    p->class_means = calloc(size, sizeof *p->class_means);
    if (!p->class_means)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %d means", p->lvq->desc.classes);
    GLNN__TRY(
        glnn__visit_samples(&p->lvq->prototypes, p->data, NULL, p->data->samples, add_to_means, p));
    for_each(p, place_at_mean);
    return GLNN_OK;
}

static void choose_sample(placing *p, int index, int class, int number)
{
    const int samples = samples_of(p, class);
    p->samples[index] = samples > 0 ? p->sorted[p->starts[class] + number % samples] : 0;
}

static void vary_sample(placing *p, int index, int class, int number)
{
    const int samples = samples_of(p, class);
    for (int j = 0; j < p->lvq->desc.features && samples == 0; ++j)
        prototype(p, index)[j] = (float)p->mean[j];
    if (number >= samples)
        add_jitter(p, index);
}

static glnn_status place_at_samples(placing *p)
{
    for_each(p, choose_sample);
    GLNN__TRY(glnn__visit_samples(&p->lvq->prototypes, p->data, p->samples,
                                  p->lvq->prototypes.desc.count, copy_rows, p));
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
        memcpy(p->samples + count, p->sorted + p->starts[c], (size_t)here * sizeof *p->samples);
        count += here;
    }
    return count;
}

/* One step of k-means within all classes at once. */
static glnn_status step_kmeans(glnn_lvq *lvq, const glnn_dataset *data, const glnn__order *order)
{
    glnn__prototypes *p = &lvq->prototypes;
    glnn__batch_iterator batches;
    glnn_status status =
        glnn__batch_iterator_begin(data, order, 0, order->samples, p->rows, &batches);
    for (float factor = 0; !status && glnn__batch_iterator_left(&batches) > 0; factor = 1) {
        glnn__batch batch;
        status = glnn__batch_iterator_next(&batches, p->rows, &batch);
        if (!status)
            status = glnn__prototypes_gather(p, &batch);
        if (!status)
            status = glnn__lvq_find_images(lvq);
        if (!status)
            status = glnn__means_assign(p, &batch, true, &p->trained.metrics);
        if (!status)
            status = glnn__means_add(p, batch.count, factor);
    }
    glnn__batch_iterator_end(&batches);
    lvq->has_images = false;
    return status ? status : glnn__means_update(p, NULL);
}

static glnn_status run_kmeans(placing *p)
{
    glnn_lvq *lvq = p->lvq;
    glnn__order order;
    const int count = choose_pool(p), capacity = lvq->desc.capacity;
    GLNN__TRY(glnn__order_of(lvq->ctx, p->samples, count, &order));
    glnn_status status =
        glnn__prototypes_prepare(&lvq->prototypes, count < capacity ? count : capacity);
    for (int i = 0; i < lvq->desc.kmeans_steps && !status; ++i)
        status = step_kmeans(lvq, p->data, &order);
    glnn__order_destroy(&order);
    return status;
}

static glnn_lvq_init choose_init(const glnn_lvq *lvq)
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
    double scale;
    GLNN__TRY(make_room(p));
    GLNN__TRY(glnn__lvq_reset(p->lvq));
    GLNN__TRY(glnn__lvq_number_classes(p->lvq));
    GLNN__TRY(glnn__find_spread(&p->lvq->prototypes, p->data, p->mean, &scale));
    use_scale(p->lvq, scale);
    p->deviation = sqrt(fmax(scale, 0) / p->lvq->desc.features);
    sort_samples(p);
    warn_of_few(p);
    GLNN__TRY(init == GLNN_LVQ_INIT_MEANS ? place_at_means(p) : place_at_samples(p));
    GLNN__TRY(glnn_lvq_set_prototypes(p->lvq, p->prototypes, NULL));
    return init == GLNN_LVQ_INIT_KMEANS ? run_kmeans(p) : GLNN_OK;
}

glnn_status glnn_lvq_initialise(glnn_lvq *lvq, const glnn_dataset *data)
{
    if (!lvq || !data)
        return glnn__fail(GLNN_E_ARG, "%s: an argument is null", __func__);
    const glnn__learner learner = glnn__lvq_learner(lvq);
    GLNN__TRY(glnn__check_data(&learner, data, true));
    placing p = {.lvq = lvq, .data = data};
    glnn__random_start(&p.random, lvq->desc.seed);
    if (lvq->finds_scale)
        lvq->desc.scale = 0;
    if (lvq->finds_sigma)
        lvq->desc.sigma = 0;
    GLNN__TRY(glnn__gl_enter(lvq->ctx));
    glnn_status status = glnn__gl_leave(lvq->ctx, place(&p));
    free(p.mean);
    free(p.starts);
    free(p.sorted);
    free(p.samples);
    free(p.class_means);
    free(p.prototypes);
    return status;
}
