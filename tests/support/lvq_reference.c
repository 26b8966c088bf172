#include "lvq_reference.h"

static expected with_bounds(array value)
{
    return (expected){value, array_new(value.rows, value.columns)};
}

lvq_reference lvq_reference_of(const glnn_learner *lvq)
{
    const glnn_lvq_desc *desc = glnn_lvq_get_desc(lvq);
    const int count = tensor_rows(lvq, "prototypes");
    int *classes = malloc((size_t)count * sizeof *classes);
    lvq_reference made = {.desc = *desc,
                          .epochs = glnn_lvq_get_epochs(lvq),
                          .classes = array_new(count, 1),
                          .prototypes = with_bounds(prototypes_of(lvq))};
    assert_non_null(classes);
    expect_ok(lvq_read(lvq, NULL, classes));
    for (int p = 0; p < count; ++p)
        made.classes.data[p] = classes[p];
    free(classes);
    if (desc->kind == GLNN_LVQ_GMLVQ)
        made.omega = with_bounds(omega_of(lvq));
    else
        made.relevances = with_bounds(relevances_of(lvq));
    if (desc->kind == GLNN_LVQ_OLVQ1)
        made.rates = with_bounds(rates_of(lvq));
    return made;
}

/* Component k of the image of x - m, and what float32 may differ by: images of x and m are rounded
 * before they are subtracted, but where the metric is the Euclidean one. */
static bounded component_of(const lvq_reference *lvq, array inputs, int row, int prototype, int k)
{
    const array m = lvq->prototypes.value;
    if (lvq->desc.kind != GLNN_LVQ_GMLVQ) {
        const double x = *at(inputs, row, k), y = *at(m, prototype, k);
        const double root = sqrt(*at(lvq->relevances.value, 0, k));
        const double size = lvq->desc.kind == GLNN_LVQ_GRLVQ ? fabs(x) + fabs(y) : fabs(x - y);
        return (bounded){root * (x - y), 4 * EPS * root * size};
    }
    bounded sum = {0, 0};
    for (int j = 0; j < inputs.columns; ++j) {
        const double factor = *at(lvq->omega.value, k, j);
        const double x = *at(inputs, row, j), y = *at(m, prototype, j);
        sum.value += factor * (x - y);
        sum.bound += (inputs.columns + 4) * EPS * fabs(factor) * (fabs(x) + fabs(y));
    }
    return sum;
}

static int components_of(const lvq_reference *lvq)
{
    return lvq->desc.kind == GLNN_LVQ_GMLVQ ? lvq->omega.value.rows : lvq->desc.features;
}

double lvq_reference_distance(const lvq_reference *lvq, array inputs, int row, int prototype,
                              double *bound)
{
    const int components = components_of(lvq);
    double sum = 0, spread = 0;
    for (int k = 0; k < components; ++k) {
        const bounded z = component_of(lvq, inputs, row, prototype, k);
        sum += z.value * z.value;
        spread += (2 * fabs(z.value) + z.bound) * z.bound;
    }
    *bound = spread + (components + 8) * EPS * sum;
    return sum;
}

/* The nearest prototype whose class is or is not `class`, as `same` says; class -1: of any class
 * but prototype `except`. */
static int nearest_of(const lvq_reference *lvq, array inputs, int row, int class, bool same,
                      int except)
{
    int best = -1;
    double least = INFINITY, bound;
    for (int p = 0; p < lvq->classes.rows; ++p) {
        if (p == except || (class >= 0 && ((int)lvq->classes.data[p] == class) != same))
            continue;
        const double d = lvq_reference_distance(lvq, inputs, row, p, &bound);
        if (d < least) {
            least = d;
            best = p;
        }
    }
    return best;
}

lvq_winners lvq_reference_nearest(const lvq_reference *lvq, array inputs, int row)
{
    const int first = nearest_of(lvq, inputs, row, -1, false, -1);
    return (lvq_winners){first, nearest_of(lvq, inputs, row, -1, false, first)};
}

/* The sums of a step. */
typedef struct step_sums {
    lvq_reference *lvq;
    samples batch;
    double rate;
    lvq_measure measure;
    expected moves;   /* prototypes x features: sums of a (x - m)             */
    expected pushes;  /* the part of it whose a is negative                    */
    array sizes;      /* prototypes x 1: sums of |a|                           */
    array push_sizes; /* prototypes x 1: the part of it whose a is negative   */
    array spreads;    /* prototypes x 1: bounds of these                       */
    expected metric;  /* like the relevances or Omega: sums of a times what d is of it */
} step_sums;

/* Sample `row` moves a prototype by a (x - m). */
static void add_move(step_sums *sums, int row, int prototype, bounded a)
{
    const array inputs = sums->batch.inputs, m = sums->lvq->prototypes.value;
    const int terms = inputs.rows + 6;
    for (int j = 0; j < inputs.columns; ++j) {
        const double x = *at(inputs, row, j), y = *at(m, prototype, j);
        const double bound =
            a.bound * fabs(x - y) + terms * EPS * fabs(a.value) * (fabs(x) + fabs(y));
        *at(sums->moves.value, prototype, j) += a.value * (x - y);
        *at(sums->moves.bound, prototype, j) += bound;
        *at(sums->pushes.value, prototype, j) += fmin(a.value, 0) * (x - y);
        *at(sums->pushes.bound, prototype, j) += a.value < 0 ? bound : 0;
    }
    sums->sizes.data[prototype] += fabs(a.value);
    sums->push_sizes.data[prototype] += fmax(-a.value, 0);
    sums->spreads.data[prototype] += a.bound + terms * EPS * fabs(a.value);
}

/* The part of the same move that changes the metric. */
static void add_metric(step_sums *sums, int row, int prototype, bounded a)
{
    const lvq_reference *lvq = sums->lvq;
    const array inputs = sums->batch.inputs, m = lvq->prototypes.value;
    const double terms = 2 * inputs.rows + 10;
    for (int k = 0; k < sums->metric.value.rows; ++k) {
        const bounded z = component_of(lvq, inputs, row, prototype, k);
        for (int j = 0; j < inputs.columns; ++j) {
            const double e = *at(inputs, row, j) - *at(m, prototype, j);
            const bounded other =
                lvq->desc.kind == GLNN_LVQ_GMLVQ ? z : (bounded){e, 2 * EPS * fabs(e)};
            *at(sums->metric.value, k, j) += a.value * other.value * e;
            *at(sums->metric.bound, k, j) +=
                (a.bound * (fabs(other.value) + other.bound) + fabs(a.value) * other.bound) *
                    fabs(e) +
                terms * EPS * fabs(a.value * other.value * e);
        }
    }
}

static void add_margin(step_sums *sums, int row, int label)
{
    const lvq_reference *lvq = sums->lvq;
    const array inputs = sums->batch.inputs;
    const double xi = (double)lvq->desc.xi + (double)lvq->desc.xi_growth * lvq->epochs;
    const int c = nearest_of(lvq, inputs, row, label, true, -1);
    const int r = nearest_of(lvq, inputs, row, label, false, -1);
    double f = (r >= 0) - (c >= 0), spread = 0, d[2], e[2];
    if (c >= 0 && r >= 0) {
        d[0] = lvq_reference_distance(lvq, inputs, row, c, &e[0]);
        d[1] = lvq_reference_distance(lvq, inputs, row, r, &e[1]);
        const double sum = d[0] + d[1];
        f = sum > 0 ? (d[0] - d[1]) / sum : 0;
        spread = sum > 0 ? 2 * (e[0] + e[1]) / sum + 4 * EPS : 0;
    }
    const double l = 1 / (1 + exp(-xi * f));
    sums->measure.loss += l;
    sums->measure.bound += xi / 4 * spread + 64 * EPS;
    sums->measure.right += c >= 0 && (r < 0 || d[0] < d[1] || (d[0] == d[1] && c < r));
    if (c < 0 || r < 0 || d[0] + d[1] == 0)
        return;
    const double sum = d[0] + d[1];
    const double slope = sums->rate * (double)lvq->desc.scale * 4 * xi * l * (1 - l);
    const double relative = 2 * xi * spread + 128 * EPS * (1 + xi) + 2 * (e[0] + e[1]) / sum;
    for (int i = 0; i < 2; ++i) {
        const double other = d[1 - i];
        const double a = (i == 0 ? slope : -slope) * other / (sum * sum);
        const bounded move = {a, fabs(a) * relative + slope * e[1 - i] / (sum * sum)};
        add_move(sums, row, i == 0 ? c : r, move);
        if (sums->metric.value.data != NULL)
            add_metric(sums, row, i == 0 ? c : r, move);
    }
}

/* OLVQ1's rate of a prototype once it has won another sample. */
static double next_rate(double rate, double limit, bool is_right)
{
    const double started = rate == 0 ? limit : fmin(rate, limit);
    return fmin(started / (is_right ? 1 + started : 1 - started), limit);
}

static void add_nearest(step_sums *sums, int row, int label)
{
    lvq_reference *lvq = sums->lvq;
    const int p = lvq_reference_nearest(lvq, sums->batch.inputs, row).first;
    const bool is_right = (int)lvq->classes.data[p] == label;
    bounded rate = {sums->rate, 0};
    if (lvq->desc.kind == GLNN_LVQ_OLVQ1) {
        double *own = &lvq->rates.value.data[p], *bound = &lvq->rates.bound.data[p];
        *own = next_rate(*own, sums->rate, is_right);
        *bound = *bound * (1 + 4 * sums->rate) + 8 * EPS * *own;
        rate = (bounded){*own, *bound};
    }
    add_move(sums, row, p, (bounded){is_right ? rate.value : -rate.value, rate.bound});
    sums->measure.loss += !is_right;
    sums->measure.right += is_right;
}

static void add_window(step_sums *sums, int row, int label)
{
    const lvq_reference *lvq = sums->lvq;
    const lvq_winners two = lvq_reference_nearest(lvq, sums->batch.inputs, row);
    const bool first = (int)lvq->classes.data[two.first] == label;
    sums->measure.loss += !first;
    sums->measure.right += first;
    if (two.second < 0)
        return;
    const bool second = (int)lvq->classes.data[two.second] == label;
    const double border = (1 - (double)lvq->desc.window) / (1 + (double)lvq->desc.window);
    double ignored;
    const double d[2] = {
        lvq_reference_distance(lvq, sums->batch.inputs, row, two.first, &ignored),
        lvq_reference_distance(lvq, sums->batch.inputs, row, two.second, &ignored)};
    double a[2] = {0, 0};
    if (first && second && lvq->desc.kind == GLNN_LVQ_LVQ3)
        a[0] = a[1] = sums->rate * (double)lvq->desc.epsilon;
    else if (first != second && d[0] > border * border * d[1])
        a[first ? 1 : 0] = -(a[first ? 0 : 1] = sums->rate);
    for (int i = 0; i < 2; ++i)
        if (a[i] != 0)
            add_move(sums, row, i == 0 ? two.first : two.second,
                     (bounded){a[i], 2 * EPS * fabs(a[i])});
}

static void add_posteriors(step_sums *sums, int row, int label)
{
    const lvq_reference *lvq = sums->lvq;
    const array inputs = sums->batch.inputs;
    const bounded loss = lvq_reference_likelihood_loss(lvq, inputs, row, label);
    sums->measure.loss += loss.value;
    sums->measure.bound += loss.bound;
    const int nearest = lvq_reference_nearest(lvq, inputs, row).first;
    sums->measure.right += (int)lvq->classes.data[nearest] == label;
    for (int p = 0; p < lvq->classes.rows; ++p) {
        const bounded share = lvq_reference_share(lvq, inputs, row, label, p);
        add_move(sums, row, p, (bounded){sums->rate * share.value, sums->rate * share.bound});
    }
}

static step_sums sum_up(lvq_reference *lvq, samples batch, double rate)
{
    step_sums sums = {.lvq = lvq, .batch = batch, .rate = rate};
    sums.moves = with_bounds(array_new(lvq->classes.rows, lvq->desc.features));
    sums.pushes = with_bounds(array_new(lvq->classes.rows, lvq->desc.features));
    sums.sizes = array_new(lvq->classes.rows, 1);
    sums.push_sizes = array_new(lvq->classes.rows, 1);
    sums.spreads = array_new(lvq->classes.rows, 1);
    if (lvq->desc.kind == GLNN_LVQ_GRLVQ)
        sums.metric = with_bounds(array_new(1, lvq->desc.features));
    if (lvq->desc.kind == GLNN_LVQ_GMLVQ)
        sums.metric = with_bounds(array_new(lvq->omega.value.rows, lvq->desc.features));
    for (int i = 0; i < batch.inputs.rows; ++i) {
        const int label = (int)batch.labels.data[i];
        switch (lvq->desc.kind) {
        case GLNN_LVQ_RSLVQ:
            add_posteriors(&sums, i, label);
            break;
        case GLNN_LVQ_LVQ1:
        case GLNN_LVQ_OLVQ1:
            add_nearest(&sums, i, label);
            break;
        case GLNN_LVQ_LVQ21:
        case GLNN_LVQ_LVQ3:
            add_window(&sums, i, label);
            break;
        default:
            add_margin(&sums, i, label);
        }
    }
    sums.measure.loss /= batch.inputs.rows;
    sums.measure.bound =
        sums.measure.bound / batch.inputs.rows + batch.inputs.rows * EPS * sums.measure.loss;
    return sums;
}

/* Repulsion of LVQ1 to LVQ3 by its limit: it may outweigh attraction by one sample at the rate. */
static void limit_pushes(step_sums *sums)
{
    const array moves = sums->moves.value, bounds = sums->moves.bound;
    for (int p = 0; p < moves.rows && sums->lvq->desc.kind >= GLNN_LVQ_LVQ1; ++p) {
        const double size = sums->push_sizes.data[p];
        const double most = sums->sizes.data[p] - size + sums->rate;
        const double spread = size > 0 ? 4 * sums->spreads.data[p] / size + 4 * EPS : 0;
        const double excess = size > most ? 1 - most / size : 0;
        const double doubt = size + sums->spreads.data[p] > most ? spread : 0;
        for (int j = 0; j < moves.columns; ++j) {
            const double push = *at(sums->pushes.value, p, j);
            *at(moves, p, j) -= excess * push;
            *at(bounds, p, j) += excess * *at(sums->pushes.bound, p, j) + doubt * fabs(push);
        }
    }
}

/* The moves by their limit. */
static void limit_moves(step_sums *sums)
{
    const array moves = sums->moves.value, bounds = sums->moves.bound;
    for (int p = 0; p < moves.rows; ++p) {
        const double size = fmax(sums->sizes.data[p], 1);
        const double relative =
            sums->sizes.data[p] + sums->spreads.data[p] > 1 ? sums->spreads.data[p] / size : 0;
        for (int j = 0; j < moves.columns; ++j) {
            *at(moves, p, j) /= size;
            *at(bounds, p, j) =
                *at(bounds, p, j) / size + (relative + 4 * EPS) * fabs(*at(moves, p, j));
        }
    }
}

/* The moves as Omega' Omega turns them. */
static expected turned(const lvq_reference *lvq, expected moves)
{
    const array omega = lvq->omega.value;
    expected out = with_bounds(array_new(moves.value.rows, moves.value.columns));
    for (int p = 0; p < moves.value.rows; ++p)
        for (int k = 0; k < omega.rows; ++k) {
            bounded image = {0, 0};
            double size = 0;
            for (int j = 0; j < omega.columns; ++j) {
                image.value += *at(omega, k, j) * *at(moves.value, p, j);
                image.bound += fabs(*at(omega, k, j)) * *at(moves.bound, p, j);
                size += fabs(*at(omega, k, j) * *at(moves.value, p, j));
            }
            image.bound += (omega.columns + omega.rows + 8) * EPS * size;
            for (int j = 0; j < omega.columns; ++j) {
                *at(out.value, p, j) += *at(omega, k, j) * image.value;
                *at(out.bound, p, j) += fabs(*at(omega, k, j)) *
                                        (image.bound + (omega.rows + 4) * EPS * fabs(image.value));
            }
        }
    return out;
}

static void move_prototypes(lvq_reference *lvq, expected moves)
{
    const array m = lvq->prototypes.value;
    for (int p = 0; p < m.rows; ++p)
        for (int j = 0; j < m.columns; ++j) {
            const bool scales = lvq->desc.kind == GLNN_LVQ_GRLVQ;
            const double scale = scales ? *at(lvq->relevances.value, 0, j) : 1;
            const double move = scale * *at(moves.value, p, j);
            *at(m, p, j) += move;
            *at(lvq->prototypes.bound, p, j) = scale * *at(moves.bound, p, j) +
                                               8 * EPS * fabs(move) + 2 * EPS * fabs(*at(m, p, j));
        }
}

lvq_measure lvq_reference_measure(const lvq_reference *lvq, samples batch)
{
    lvq_reference copy = *lvq;
    if (copy.rates.value.data != NULL)
        copy.rates = with_bounds(array_copy(lvq->rates.value));
    return sum_up(&copy, batch, 0.5).measure;
}

lvq_measure lvq_reference_step(lvq_reference *lvq, samples batch, double rate)
{
    step_sums sums = sum_up(lvq, batch, rate);
    limit_pushes(&sums);
    limit_moves(&sums);
    move_prototypes(lvq, lvq->desc.kind == GLNN_LVQ_GMLVQ ? turned(lvq, sums.moves) : sums.moves);
    lvq_reference_step_metric(lvq, sums.metric, batch.inputs.rows);
    return sums.measure;
}
