#include "common/glvq.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "common/cpu.h"
#include "common/harness.h"

/* Samples of one matrix product: this many scores stay in a processor's cache. */
enum { CHUNK = 64 };

static const float mean_deviation = 0.4f;

/* The move of one of a sample's two prototypes: m += a (x - m). */
typedef struct glvq_move {
    int prototype;
    float a;
} glvq_move;

int glvq_count(const glvq_case *of)
{
    return of->classes * of->prototypes;
}

static size_t area(int rows, int columns)
{
    return (size_t)rows * (size_t)columns;
}

/* ---- Data */

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 40;
}

/* The sum of four uniform numbers is normal enough, and quick for millions of samples. */
static float next_normal(uint64_t *state)
{
    float sum = -2;
    for (int i = 0; i < 4; ++i)
        sum += (float)next_random(state) * 0x1p-24f;
    return sum * 1.7320508f;
}

static void scatter(uint64_t *state, const float *mean, float deviation, int features, float *out)
{
    for (int j = 0; j < features; ++j)
        out[j] = mean[j] + deviation * next_normal(state);
}

glvq_data glvq_data_new(const glvq_case *of, int samples)
{
    uint64_t state = 0x9e3779b97f4a7c15u;
    const int features = of->features;
    float *origin = allocate(area(1, features), sizeof(float));
    float *means = allocate(area(of->classes, features), sizeof(float));
    glvq_data data = {
        .samples = samples,
        .inputs = allocate(area(samples, features), sizeof(float)),
        .labels = allocate((size_t)samples, sizeof(int)),
        .prototypes = allocate(area(glvq_count(of), features), sizeof(float)),
    };
    for (int c = 0; c < of->classes; ++c)
        scatter(&state, origin, mean_deviation, features, means + area(c, features));
    for (int p = 0; p < glvq_count(of); ++p)
        scatter(&state, means + area(p / of->prototypes, features), mean_deviation / 2, features,
                data.prototypes + area(p, features));
    for (int i = 0; i < samples; ++i) {
        data.labels[i] = (int)(next_random(&state) % (uint64_t)of->classes);
        scatter(&state, means + area(data.labels[i], features), 1, features,
                data.inputs + area(i, features));
    }
    free(origin);
    free(means);
    return data;
}

void glvq_data_free(glvq_data *data)
{
    free(data->inputs);
    free(data->labels);
    free(data->prototypes);
}

/* ---- On the CPU */

static float norm_of(const float *m, int features)
{
    float norm = 0;
    for (int j = 0; j < features; ++j)
        norm += m[j] * m[j];
    return norm;
}

glvq glvq_new(const glvq_case *of, const glvq_data *data, glvq_way way)
{
    const int count = glvq_count(of), most = 2 * of->batch;
    glvq g = {
        .of = *of,
        .way = way,
        .rate = GLVQ_RATE,
        .scale = GLVQ_SCALE,
        .prototypes = allocate(area(count, of->features), sizeof(float)),
        .scores = allocate(area(way == GLVQ_BLAS ? CHUNK : 1, count), sizeof(float)),
        .norms = allocate((size_t)count, sizeof(float)),
        .moves = allocate((size_t)most, sizeof(glvq_move)),
        .places = allocate((size_t)count, sizeof(int)),
        .moved = allocate((size_t)most, sizeof(int)),
        .sums = allocate(area(most, of->features), sizeof(float)),
        .weights = allocate((size_t)most, sizeof(float)),
    };
    memcpy(g.prototypes, data->prototypes, area(count, of->features) * sizeof(float));
    for (int p = 0; p < count; ++p) {
        g.places[p] = -1;
        g.norms[p] = norm_of(g.prototypes + area(p, of->features), of->features);
    }
    return g;
}

void glvq_free(glvq *g)
{
    free(g->prototypes);
    free(g->scores);
    free(g->norms);
    free(g->moves);
    free(g->places);
    free(g->moved);
    free(g->sums);
    free(g->weights);
}

static float squared_distance(const float *x, const float *m, int features)
{
    float sum = 0;
    for (int j = 0; j < features; ++j)
        sum += (x[j] - m[j]) * (x[j] - m[j]);
    return sum;
}

static float squared_distance_unrolled(const float *x, const float *m, int features)
{
    float sums[4] = {0, 0, 0, 0};
    int j = 0;
    for (; j + 4 <= features; j += 4)
        for (int i = 0; i < 4; ++i)
            sums[i] += (x[j + i] - m[j + i]) * (x[j + i] - m[j + i]);
    for (; j < features; ++j)
        sums[0] += (x[j] - m[j]) * (x[j] - m[j]);
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/* Scores of `samples` samples: distances, or with BLAS what differs from them by |x|^2. */
static void find_scores(glvq *g, const float *inputs, int samples)
{
    const int count = glvq_count(&g->of), features = g->of.features;
    for (int p = 0; p < count && g->way == GLVQ_PLAIN; ++p)
        g->scores[p] = squared_distance(inputs, g->prototypes + area(p, features), features);
    for (int p = 0; p < count && g->way == GLVQ_UNROLLED; ++p)
        g->scores[p] =
            squared_distance_unrolled(inputs, g->prototypes + area(p, features), features);
    if (g->way != GLVQ_BLAS)
        return;
    for (int i = 0; i < samples; ++i)
        memcpy(g->scores + area(i, count), g->norms, (size_t)count * sizeof(float));
    const product p = {
        .transpose_b = true, .m = samples, .n = count, .k = features, .alpha = -2, .beta = 1};
    cpu_product_blas(&p, inputs, g->prototypes, g->scores);
}

/* The least of scores `begin` to `end` - 1, or `least` where that is not more. */
static int least_score(const float *scores, int begin, int end, int least)
{
    for (int p = begin; p < end; ++p)
        if (least < 0 || scores[p] < scores[least])
            least = p;
    return least;
}

static void find_winners(const glvq *g, const float *scores, int label, glvq_move winners[2])
{
    const int begin = label * g->of.prototypes, end = begin + g->of.prototypes;
    winners[0].prototype = least_score(scores, begin, end, -1);
    winners[1].prototype = least_score(scores, 0, begin, -1);
    winners[1].prototype = least_score(scores, end, glvq_count(&g->of), winners[1].prototype);
}

static void find_factors(const glvq *g, const float *x, glvq_move winners[2])
{
    const int features = g->of.features;
    const float own =
        squared_distance(x, g->prototypes + area(winners[0].prototype, features), features);
    const float other =
        squared_distance(x, g->prototypes + area(winners[1].prototype, features), features);
    const float sum = own + other;
    const float l = 1 / (1 + expf(-GLVQ_XI * (own - other) / sum));
    const float slope = g->rate * g->scale * 4 * GLVQ_XI * l * (1 - l);
    winners[0].a = slope * (other / sum / sum);
    winners[1].a = -slope * (own / sum / sum);
}

static int add_move(glvq *g, int moved, const float *x, glvq_move move)
{
    const int features = g->of.features;
    int place = g->places[move.prototype];
    if (place < 0) {
        place = g->places[move.prototype] = moved;
        g->moved[moved++] = move.prototype;
        g->weights[place] = 0;
        memset(g->sums + area(place, features), 0, (size_t)features * sizeof(float));
    }
    const float *m = g->prototypes + area(move.prototype, features);
    float *sum = g->sums + area(place, features);
    for (int j = 0; j < features; ++j)
        sum[j] += move.a * (x[j] - m[j]);
    g->weights[place] += fabsf(move.a);
    return moved;
}

static void update(glvq *g, const float *inputs)
{
    const int features = g->of.features;
    int moved = 0;
    for (int i = 0; i < g->of.batch; ++i) {
        find_factors(g, inputs + area(i, features), g->moves + 2 * i);
        for (int e = 0; e < 2; ++e)
            moved = add_move(g, moved, inputs + area(i, features), g->moves[2 * i + e]);
    }
    for (int k = 0; k < moved; ++k) {
        const float scale = g->weights[k] > 1 ? 1 / g->weights[k] : 1;
        float *m = g->prototypes + area(g->moved[k], features);
        for (int j = 0; j < features; ++j)
            m[j] += scale * g->sums[area(k, features) + (size_t)j];
        g->norms[g->moved[k]] = norm_of(m, features);
        g->places[g->moved[k]] = -1;
    }
}

/* Notes the time since *from as that of a phase. */
static void lap(glvq *g, glvq_phase phase, double *from)
{
    const double now = glnn__clock_seconds();
    g->seconds[phase] += now - *from;
    *from = now;
}

void glvq_step(glvq *g, const glvq_data *data, int first)
{
    const int chunk = g->way == GLVQ_BLAS ? CHUNK : 1, count = glvq_count(&g->of);
    const float *inputs = data->inputs + area(first, g->of.features);
    double from = glnn__clock_seconds();
    for (int i = 0; i < g->of.batch; i += chunk) {
        const int samples = g->of.batch - i < chunk ? g->of.batch - i : chunk;
        find_scores(g, inputs + area(i, g->of.features), samples);
        lap(g, GLVQ_DISTANCE, &from);
        for (int k = 0; k < samples; ++k)
            find_winners(g, g->scores + area(k, count), data->labels[first + i + k],
                         g->moves + 2 * (i + k));
        lap(g, GLVQ_MINIMUM, &from);
    }
    update(g, inputs);
    lap(g, GLVQ_UPDATE, &from);
}

double glvq_error(glvq *g, const glvq_data *data)
{
    const int count = glvq_count(&g->of);
    int wrong = 0;
    for (int i = 0; i < data->samples; ++i) {
        find_scores(g, data->inputs + area(i, g->of.features), 1);
        wrong += least_score(g->scores, 0, count, -1) / g->of.prototypes != data->labels[i];
    }
    return (double)wrong / data->samples;
}
