#include "optimizer_reference.h"

static double decayed(const glnn_optimizer *o, double rate, double value)
{
    return (1 - rate * (double)o->weight_decay) * value;
}

/* v = momentum v + g; w = decayed w - rate v. */
static void descend(const glnn_optimizer *o, double rate, bounded g, parameter *p)
{
    const double old = (double)o->momentum * p->state[0].value;
    const double v = old + g.value, w = p->value.value;
    const double v_bound = g.bound + 3 * EPS * (fabs(old) + fabs(g.value));
    p->state[0] = (bounded){v, v_bound};
    p->value = (bounded){decayed(o, rate, w) - rate * v,
                         rate * v_bound + 4 * EPS * (fabs(w) + rate * fabs(v))};
}

/* v = momentum v + g; w = decayed w - rate (g + momentum v), for which the library may subtract a
 * multiple of the old velocity from one of the new. */
static void descend_nesterov(const glnn_optimizer *o, double rate, bounded g, parameter *p)
{
    const double mu = (double)o->momentum, old = mu * p->state[0].value;
    const double v = old + g.value, w = p->value.value;
    const double v_bound = g.bound + 3 * EPS * (fabs(old) + fabs(g.value));
    p->state[0] = (bounded){v, v_bound};
    p->value = (bounded){decayed(o, rate, w) - rate * (g.value + mu * v),
                         rate * (1 + mu) * v_bound +
                             6 * EPS * (fabs(w) + rate * ((1 + mu) * fabs(v) + fabs(old)))};
}

/* Kingma, Ba 2015, algorithm 1. The library takes the gradient back out of the two first moments,
 * which costs roundings of their size divided by 1 - beta1. Of the step's own roundings, 24 eps,
 * 15 are what GLSL allows to a square root and a quotient. */
static void descend_adam(const glnn_optimizer *o, double rate, uint64_t t, bounded g, parameter *p)
{
    const double b1 = (double)o->beta1, b2 = (double)o->beta2, epsilon = (double)o->epsilon;
    const double old = b1 * p->state[0].value, w = p->value.value;
    const double m = old + (1 - b1) * g.value;
    const double m_rounding = 4 * EPS * (fabs(old) + (1 - b1) * fabs(g.value));
    const double m_bound = (1 - b1) * g.bound + m_rounding;
    const double g_bound =
        g.bound + (m_rounding + 2 * EPS * (fabs(m) + fabs(old))) / (1 - b1) + EPS * fabs(g.value);
    const double v = b2 * p->state[1].value + (1 - b2) * g.value * g.value;
    const double v_bound =
        (1 - b2) * (2 * fabs(g.value) * g_bound + g_bound * g_bound) + 4 * EPS * v;
    const double m_scale = 1 / (1 - pow(b1, (double)t)), v_scale = 1 / (1 - pow(b2, (double)t));
    const double divisor = sqrt(v_scale * v) + epsilon;
    const double least = sqrt(v_scale * fmax(v - v_bound, 0)) + epsilon;
    const double step = rate * m_scale * m / divisor;
    const double furthest = rate * m_scale * (fabs(m) + m_bound) / least;
    p->state[0] = (bounded){m, m_bound};
    p->state[1] = (bounded){v, v_bound};
    p->value = (bounded){decayed(o, rate, w) - step,
                         furthest - fabs(step) + 24 * EPS * furthest + 4 * EPS * fabs(w)};
}

void optimizer_reference_step(const glnn_optimizer *o, double rate, uint64_t step, bounded gradient,
                              parameter *p)
{
    if (o->kind == GLNN_OPTIMIZER_ADAM)
        descend_adam(o, rate, step, gradient, p);
    else if (o->kind == GLNN_OPTIMIZER_NESTEROV)
        descend_nesterov(o, rate, gradient, p);
    else
        descend(o, rate, gradient, p);
}
