/* One step in double precision, sample by sample. */
#include <math.h>
#include <string.h>

#include "common/glvq.h"
#include "common/harness.h"

typedef struct sample {
    const float *x;
    int label;
    double *distances; /* from all prototypes */
    double doubt;      /* scores that differ by less may change places in float32 */
} sample;

static const float *prototype_of(const glvq_case *of, const glvq_data *data, int p)
{
    return data->prototypes + (size_t)p * (size_t)of->features;
}

/* Four sums side by side save time, not digits. */
static double squared_distance(const float *x, const float *m, int features)
{
    double sums[4] = {0, 0, 0, 0};
    for (int j = 0; j < features; ++j) {
        const double difference = (double)x[j] - (double)m[j];
        sums[j & 3] += difference * difference;
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

static double norm_of(const float *x, int features)
{
    double sum = 0;
    for (int j = 0; j < features; ++j)
        sum += (double)x[j] * (double)x[j];
    return sum;
}

/* Twice the error of a score that is found from inner products. */
static double doubt_of(const float *x, double greatest_norm, int features)
{
    const double product = sqrt(norm_of(x, features) * greatest_norm);
    return 0x1p-23 * ((2 * features + 6) * product + (features + 2) * greatest_norm);
}

static bool has_class(const glvq_case *of, int p, int label)
{
    return p / of->prototypes == label;
}

static int nearest(const glvq_case *of, const sample *s, bool own)
{
    int least = -1;
    for (int p = 0; p < glvq_count(of); ++p)
        if (has_class(of, p, s->label) == own &&
            (least < 0 || s->distances[p] < s->distances[least]))
            least = p;
    return least;
}

/* The sums of each prototype. */
typedef struct sums {
    double *moves, *sizes; /* count x features: of a (x - m), and of its absolute value */
    double *weights;       /* count: of |a| */
    int *entries;          /* count */
    bool *doubtful;        /* count: some sample may move it or not */
} sums;

static void add(const glvq_case *of, const glvq_data *data, const float *x, int p, double a,
                sums *to)
{
    const float *m = prototype_of(of, data, p);
    double *moves = to->moves + (size_t)p * (size_t)of->features;
    double *sizes = to->sizes + (size_t)p * (size_t)of->features;
    for (int j = 0; j < of->features; ++j) {
        const double move = a * ((double)x[j] - (double)m[j]);
        moves[j] += move;
        sizes[j] += fabs(move);
    }
    to->weights[p] += fabs(a);
    to->entries[p]++;
}

static void add_sample(const glvq_case *of, const glvq_data *data, const sample *s, sums *to)
{
    const int winners[] = {nearest(of, s, true), nearest(of, s, false)};
    const double own = s->distances[winners[0]], other = s->distances[winners[1]];
    const double sum = own + other;
    const double l = 1 / (1 + exp(-(double)GLVQ_XI * (own - other) / sum));
    const double slope =
        (double)GLVQ_RATE * (double)GLVQ_SCALE * 4 * (double)GLVQ_XI * l * (1 - l) / (sum * sum);
    add(of, data, s->x, winners[0], slope * other, to);
    add(of, data, s->x, winners[1], -slope * own, to);
    /* Where another may win, neither what it nor what any of the winners does is certain. */
    for (int p = 0; p < glvq_count(of); ++p) {
        const double least = has_class(of, p, s->label) ? own : other;
        if (p != winners[0] && p != winners[1] && s->distances[p] <= least + s->doubt)
            to->doubtful[p] = to->doubtful[winners[0]] = to->doubtful[winners[1]] = true;
    }
}

/* A factor is off by xi times what f is, and f by what rounding does to two distances. */
static void finish(const glvq_case *of, const glvq_data *data, const sums *from, glvq_reference *r)
{
    const double factor_error = 4 * (1 + (double)GLVQ_XI) * (of->features + 4) * 0x1p-24;
    for (int p = 0; p < r->count; ++p) {
        const float *m = prototype_of(of, data, p);
        const double scale = from->weights[p] > 1 ? 1 / from->weights[p] : 1;
        for (int j = 0; j < of->features; ++j) {
            const size_t k = (size_t)p * (size_t)of->features + (size_t)j;
            r->prototypes[k] = (double)m[j] + scale * from->moves[k];
            r->bounds[k] = from->doubtful[p] ? INFINITY
                                             : scale * from->sizes[k] *
                                                       (factor_error + from->entries[p] * 0x1p-23) +
                                                   0x1p-23 * fabs(r->prototypes[k]);
        }
    }
}

glvq_reference glvq_reference_new(const glvq_case *of, const glvq_data *data)
{
    const int count = glvq_count(of);
    const size_t size = (size_t)count * (size_t)of->features;
    double greatest_norm = 0;
    glvq_reference r = {count, of->features, allocate(size, sizeof(double)),
                        allocate(size, sizeof(double))};
    sums all = {
        allocate(size, sizeof(double)),          allocate(size, sizeof(double)),
        allocate((size_t)count, sizeof(double)), allocate((size_t)count, sizeof(int)),
        allocate((size_t)count, sizeof(bool)),
    };
    sample s = {.distances = allocate((size_t)count, sizeof(double))};
    for (int p = 0; p < count; ++p)
        greatest_norm = fmax(greatest_norm, norm_of(prototype_of(of, data, p), of->features));
    for (int i = 0; i < of->batch; ++i) {
        s.x = data->inputs + (size_t)i * (size_t)of->features;
        s.label = data->labels[i];
        s.doubt = doubt_of(s.x, greatest_norm, of->features);
        for (int p = 0; p < count; ++p)
            s.distances[p] = squared_distance(s.x, prototype_of(of, data, p), of->features);
        add_sample(of, data, &s, &all);
    }
    finish(of, data, &all, &r);
    free(s.distances);
    free(all.moves);
    free(all.sizes);
    free(all.weights);
    free(all.entries);
    free(all.doubtful);
    return r;
}

void glvq_reference_free(glvq_reference *r)
{
    free(r->prototypes);
    free(r->bounds);
}

double glvq_judge(const glvq_reference *r, const float *prototypes)
{
    double worst = 0;
    const size_t size = (size_t)r->count * (size_t)r->features;
    for (size_t k = 0; k < size; ++k) {
        const double error = fabs((double)prototypes[k] - r->prototypes[k]);
        const double ratio = error == 0 ? 0 : error / r->bounds[k];
        worst = ratio <= worst ? worst : isnan(ratio) ? INFINITY : ratio;
    }
    return worst;
}
