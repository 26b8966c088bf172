#include "lvq_reference.h"

/* Logarithm of a prototype's density at a sample, without what all have in common. */
static bounded logit_of(const lvq_reference *lvq, array inputs, int row, int prototype)
{
    const double precision = 1 / (2 * (double)lvq->desc.sigma * (double)lvq->desc.sigma);
    double sum = 0, size = 0;
    for (int j = 0; j < inputs.columns; ++j) {
        const double x = *at(inputs, row, j), m = *at(lvq->prototypes.value, prototype, j);
        sum += m * m - 2 * x * m;
        size += m * m + 2 * fabs(x * m);
    }
    return (bounded){-precision * sum, precision * (2 * inputs.columns + 12) * EPS * size};
}

/* Logarithm of the sum of the densities, of all prototypes or of those of a class. */
static bounded log_sum(const lvq_reference *lvq, array inputs, int row, int class)
{
    double greatest = -INFINITY, sum = 0, bound = 0;
    for (int p = 0; p < lvq->classes.rows; ++p)
        if (class < 0 || (int)lvq->classes.data[p] == class)
            greatest = fmax(greatest, logit_of(lvq, inputs, row, p).value);
    for (int p = 0; p < lvq->classes.rows; ++p) {
        const bounded z = logit_of(lvq, inputs, row, p);
        if (class >= 0 && (int)lvq->classes.data[p] != class)
            continue;
        sum += exp(z.value - greatest);
        bound = fmax(bound, z.bound);
    }
    const double value = greatest + log(sum);
    return (bounded){value, bound + (64 + 4 * lvq->classes.rows) * EPS + 4 * EPS * fabs(value)};
}

/* exp(z - sum): a share of the density. */
static bounded share_of(bounded z, bounded sum)
{
    const double share = exp(z.value - sum.value);
    const double rounding = 4 * EPS * (fabs(z.value) + fabs(sum.value)) + 64 * EPS;
    return (bounded){share, share * (exp(z.bound + sum.bound + rounding) - 1)};
}

bounded lvq_reference_likelihood_loss(const lvq_reference *lvq, array inputs, int row, int label)
{
    const bounded own = log_sum(lvq, inputs, row, label), all = log_sum(lvq, inputs, row, -1);
    return (bounded){all.value - own.value, all.bound + own.bound};
}

bounded lvq_reference_share(const lvq_reference *lvq, array inputs, int row, int label,
                            int prototype)
{
    const bounded z = logit_of(lvq, inputs, row, prototype);
    const bounded of_all = share_of(z, log_sum(lvq, inputs, row, -1));
    const bounded of_own = (int)lvq->classes.data[prototype] == label
                               ? share_of(z, log_sum(lvq, inputs, row, label))
                               : (bounded){0, 0};
    return (bounded){of_own.value - of_all.value, of_own.bound + of_all.bound + 4 * EPS};
}
