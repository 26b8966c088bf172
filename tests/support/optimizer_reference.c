#include "optimizer_reference.h"

/* Of a step: how far it moves, to be subtracted from the parameter. */
typedef bounded (*step_of)(const glnn_optimizer *o, double rate, uint64_t t, bounded g,
                           parameter *p);

/* v = momentum v + g; the step is rate v. */
static bounded descend(const glnn_optimizer *o, double rate, uint64_t t, bounded g, parameter *p)
{
    (void)t;
    const double old = (double)o->momentum * p->state[0].value;
    const double v = old + g.value;
    const double v_bound = g.bound + 3 * EPS * (fabs(old) + fabs(g.value));
    p->state[0] = (bounded){v, v_bound};
    return (bounded){rate * v, rate * v_bound + 4 * EPS * rate * fabs(v)};
}

/* v = momentum v + g; the step is rate (g + momentum v), for which the library may subtract a
 * multiple of the old velocity from one of the new. */
static bounded descend_nesterov(const glnn_optimizer *o, double rate, uint64_t t, bounded g,
                                parameter *p)
{
    (void)t;
    const double mu = (double)o->momentum, old = mu * p->state[0].value;
    const double v = old + g.value;
    const double v_bound = g.bound + 3 * EPS * (fabs(old) + fabs(g.value));
    p->state[0] = (bounded){v, v_bound};
    return (bounded){rate * (g.value + mu * v),
                     rate * (1 + mu) * v_bound +
                         6 * EPS * (rate * ((1 + mu) * fabs(v) + fabs(old)))};
}

/* beta2 s + (1 - beta2) g^2 */
static bounded next_square(double beta2, bounded g, bounded former)
{
    const double s = beta2 * former.value + (1 - beta2) * g.value * g.value;
    return (bounded){s,
                     (1 - beta2) * (2 * fabs(g.value) * g.bound + g.bound * g.bound) + 4 * EPS * s};
}

/* x / (sqrt(scale s) + epsilon). Of its roundings, 24 eps, 15 are what GLSL allows to a square root
 * and a quotient. */
static bounded over_root(bounded x, double scale, bounded s, double epsilon)
{
    const double least = sqrt(scale * fmax(s.value - s.bound, 0)) + epsilon;
    const double value = x.value / (sqrt(scale * s.value) + epsilon);
    const double furthest = (fabs(x.value) + x.bound) / least;
    return (bounded){value, furthest - fabs(value) + 24 * EPS * furthest};
}

/* Kingma, Ba 2015, algorithm 1. The library takes the gradient back out of the two first moments,
 * which costs roundings of their size divided by 1 - beta1. */
static bounded descend_adam(const glnn_optimizer *o, double rate, uint64_t t, bounded g,
                            parameter *p)
{
    const double b1 = (double)o->beta1, b2 = (double)o->beta2;
    const double old = b1 * p->state[0].value;
    const double m = old + (1 - b1) * g.value;
    const double m_rounding = 4 * EPS * (fabs(old) + (1 - b1) * fabs(g.value));
    const double m_bound = (1 - b1) * g.bound + m_rounding;
    const double g_bound =
        g.bound + (m_rounding + 2 * EPS * (fabs(m) + fabs(old))) / (1 - b1) + EPS * fabs(g.value);
    const double m_scale = 1 / (1 - pow(b1, (double)t)), s_scale = 1 / (1 - pow(b2, (double)t));
    p->state[0] = (bounded){m, m_bound};
    p->state[1] = next_square(b2, (bounded){g.value, g_bound}, p->state[1]);
    return over_root((bounded){rate * m_scale * m, rate * m_scale * m_bound}, s_scale, p->state[1],
                     (double)o->epsilon);
}

/* s = beta2 s + (1 - beta2) g^2; v = momentum v + g / (sqrt(s) + epsilon); the step is rate v. */
static bounded descend_rmsprop(const glnn_optimizer *o, double rate, uint64_t t, bounded g,
                               parameter *p)
{
    (void)t;
    p->state[0] = next_square((double)o->beta2, g, p->state[0]);
    bounded v = over_root(g, 1, p->state[0], (double)o->epsilon);
    if (o->momentum > 0) {
        const double old = (double)o->momentum * p->state[1].value;
        v.bound += 3 * EPS * (fabs(old) + fabs(v.value));
        v.value += old;
        p->state[1] = v;
    }
    return (bounded){rate * v.value, rate * v.bound + 4 * EPS * rate * fabs(v.value)};
}

static double sign_of(double x)
{
    return x > 0 ? 1 : x < 0 ? -1 : 0;
}

/* Igel, Huesken 2000, algorithm 4: state 0 is the former gradient, state 1 the step. A gradient
 * within its bound may have either sign, so the step may become any of three in any direction. */
static bounded descend_rprop(const glnn_optimizer *o, double rate, uint64_t t, bounded g,
                             parameter *p)
{
    (void)rate;
    (void)t;
    const double former = p->state[1].value > 0 ? p->state[1].value : (double)o->step_first;
    const double agreement = sign_of(g.value) * sign_of(p->state[0].value);
    const double longer = fmin((double)o->step_increase * former, (double)o->step_max);
    const double shorter = fmax((double)o->step_decrease * former, (double)o->step_min);
    const double length = agreement > 0 ? longer : agreement < 0 ? shorter : former;
    const double kept = agreement < 0 ? 0 : g.value;
    const bool is_sure = fabs(g.value) > g.bound || g.bound == 0;
    p->state[0] = (bounded){kept, is_sure ? (kept != 0 ? g.bound : 0) : fabs(g.value) + g.bound};
    p->state[1] = (bounded){length, is_sure ? 2 * EPS * length : longer - shorter};
    return (bounded){sign_of(kept) * length, is_sure ? 2 * EPS * length : 2 * longer};
}

void optimizer_reference_step(const glnn_optimizer *o, double rate, uint64_t step, bounded gradient,
                              parameter *p)
{
    static const step_of steps[GLNN_OPTIMIZER_COUNT] = {
        [GLNN_OPTIMIZER_SGD] = descend,         [GLNN_OPTIMIZER_NESTEROV] = descend_nesterov,
        [GLNN_OPTIMIZER_ADAM] = descend_adam,   [GLNN_OPTIMIZER_RMSPROP] = descend_rmsprop,
        [GLNN_OPTIMIZER_RPROP] = descend_rprop,
    };
    const bounded moved = steps[o->kind](o, rate, step, gradient, p);
    const double w = p->value.value, decay = rate * (double)o->weight_decay;
    const double rounded =
        o->two_parts ? decay * fabs(w) + fabs(moved.value) + EPS * fabs(w) : fabs(w);
    p->value = (bounded){(1 - decay) * w - moved.value, moved.bound + 6 * EPS * rounded};
}
