#include "clusters.h"

gmm_reference gmm_reference_of(const glnn_learner *gmm)
{
    const glnn_gmm_desc *desc = glnn_gmm_get_desc(gmm);
    const int count = tensor_rows(gmm, "weights"), size = covariance_size(gmm);
    float *weights = floats_new((size_t)count);
    float *means = floats_new((size_t)count * (size_t)desc->features);
    float *covariances = floats_new((size_t)count * (size_t)size);
    expect_ok(gmm_read(gmm, weights, means, covariances));
    return (gmm_reference){.desc = *desc,
                           .count = count,
                           .weights = array_of_floats(count, 1, weights),
                           .means = array_of_floats(count, desc->features, means),
                           .covariances = array_of_floats(count, size, covariances)};
}

/* Any of the three kinds as a full matrix. */
static array covariance_of(const gmm_reference *of, int j)
{
    const int n = of->desc.features;
    array full = array_new(n, n);
    for (int f = 0; f < n; ++f)
        for (int g = 0; g < n; ++g) {
            if (of->desc.covariance == GLNN_COVARIANCE_FULL)
                *at(full, f, g) = *at(of->covariances, j, f * n + g);
            else if (f == g)
                *at(full, f, g) = *at(of->covariances, j, of->covariances.columns > 1 ? f : 0);
        }
    return full;
}

/* Gauss-Jordan without pivots, which a positive definite matrix does not need. */
static array invert(array matrix, double *log_determinant)
{
    const int n = matrix.rows;
    array left = array_copy(matrix), inverse = array_new(n, n);
    *log_determinant = 0;
    for (int i = 0; i < n; ++i)
        *at(inverse, i, i) = 1;
    for (int i = 0; i < n; ++i) {
        const double pivot = *at(left, i, i);
        *log_determinant += log(pivot);
        for (int k = 0; k < n; ++k) {
            *at(left, i, k) /= pivot;
            *at(inverse, i, k) /= pivot;
        }
        for (int r = 0; r < n; ++r) {
            const double factor = r == i ? 0 : *at(left, r, i);
            for (int k = 0; k < n; ++k) {
                *at(left, r, k) -= factor * *at(left, i, k);
                *at(inverse, r, k) -= factor * *at(inverse, i, k);
            }
        }
    }
    return inverse;
}

static double centre_of(const gmm_reference *of, int f)
{
    double sum = 0;
    for (int j = 0; j < of->count; ++j)
        sum += of->weights.data[j] * *at(of->means, j, f);
    return sum;
}

/* The summands are as large as (|x - o| + |m - o|)' |S^-1| (|x - o| + |m - o|), where o is the mean
 * of the mixture. The factor 4 covers products of two factors of S^-1 whose signs differ. */
static void density(const gmm_reference *of, array inputs, int i, int j, array inverse,
                    double constant, double *value, double *bound)
{
    const int n = of->desc.features;
    double distance = 0, size = 0;
    for (int f = 0; f < n; ++f)
        for (int g = 0; g < n; ++g) {
            const double s = *at(inverse, f, g);
            const double of_f = centre_of(of, f), of_g = centre_of(of, g);
            distance += (*at(inputs, i, f) - *at(of->means, j, f)) * s *
                        (*at(inputs, i, g) - *at(of->means, j, g));
            size += (fabs(*at(inputs, i, f) - of_f) + fabs(*at(of->means, j, f) - of_f)) * fabs(s) *
                    (fabs(*at(inputs, i, g) - of_g) + fabs(*at(of->means, j, g) - of_g));
        }
    *value = constant - distance / 2;
    *bound = EPS * (n + 8) * (4 * size + fabs(constant));
}

expected gmm_reference_densities(const gmm_reference *of, array inputs)
{
    expected made = {array_new(inputs.rows, of->count), array_new(inputs.rows, of->count)};
    for (int j = 0; j < of->count; ++j) {
        double log_determinant;
        const array inverse = invert(covariance_of(of, j), &log_determinant);
        const double constant = log(of->weights.data[j]) - log_determinant / 2 -
                                of->desc.features * log(2 * acos(-1)) / 2;
        for (int i = 0; i < inputs.rows; ++i)
            density(of, inputs, i, j, inverse, constant, at(made.value, i, j),
                    at(made.bound, i, j));
    }
    return made;
}

double log_sum(array densities, int row, int first, int count)
{
    double greatest = -INFINITY, sum = 0;
    for (int j = first; j < first + count; ++j)
        greatest = fmax(greatest, *at(densities, row, j));
    for (int j = first; j < first + count; ++j)
        sum += exp(*at(densities, row, j) - greatest);
    return greatest + log(sum);
}

/* Responsibilities, from densities that stand there. */
static double share(const gmm_reference *of, samples all, array densities)
{
    const int size = of->desc.components;
    double total = 0;
    for (int i = 0; i < all.inputs.rows; ++i) {
        const int first = of->desc.classes > 0 ? (int)all.labels.data[i] * size : 0;
        const double sum = log_sum(densities, i, first, size);
        for (int j = 0; j < of->count; ++j)
            *at(densities, i, j) =
                j >= first && j < first + size ? exp(*at(densities, i, j) - sum) : 0;
        total += sum / all.inputs.rows;
    }
    return total;
}

static double moment(const gmm_reference *of, array inputs, array shares, int j, int f, int g)
{
    double sum = 0;
    for (int i = 0; i < inputs.rows; ++i)
        sum += *at(shares, i, j) * (*at(inputs, i, f) - *at(of->means, j, f)) *
               (*at(inputs, i, g) - *at(of->means, j, g));
    return sum;
}

static void fit_covariance(gmm_reference *of, array inputs, array shares, int j, double total)
{
    const int n = of->desc.features;
    double mean = 0;
    for (int f = 0; f < n; ++f) {
        for (int g = 0; of->desc.covariance == GLNN_COVARIANCE_FULL && g < n; ++g)
            *at(of->covariances, j, f * n + g) = moment(of, inputs, shares, j, f, g) / total;
        const double variance = moment(of, inputs, shares, j, f, f) / total;
        if (of->desc.covariance == GLNN_COVARIANCE_DIAGONAL)
            *at(of->covariances, j, f) = variance;
        mean += variance / n;
    }
    if (of->desc.covariance == GLNN_COVARIANCE_SPHERICAL)
        *at(of->covariances, j, 0) = mean;
}

/* The mean covariance of a class, drawn to its diagonal; 1 x size. */
static array pooled_of(const gmm_reference *of, int first, double extra, double count)
{
    const int n = of->desc.features, size = of->covariances.columns;
    array pooled = array_new(1, size);
    double sum = 0;
    for (int j = first; j < first + of->desc.components; ++j)
        sum += of->weights.data[j];
    for (int e = 0; e < size; ++e) {
        for (int j = first; j < first + of->desc.components; ++j)
            pooled.data[e] += of->weights.data[j] / sum * *at(of->covariances, j, e);
        if (of->desc.covariance == GLNN_COVARIANCE_FULL && e / n != e % n)
            pooled.data[e] *= sum * count / (sum * count + extra);
    }
    return pooled;
}

static void shrink_covariances(gmm_reference *of, double count)
{
    const double extra = (double)of->desc.shrinkage * of->desc.features;
    if (extra <= 0 || of->desc.covariance == GLNN_COVARIANCE_SPHERICAL)
        return;
    for (int first = 0; first < of->count; first += of->desc.components) {
        const array pooled = pooled_of(of, first, extra, count);
        for (int j = first; j < first + of->desc.components; ++j)
            for (int e = 0; e < pooled.columns; ++e) {
                const double own = of->weights.data[j] * count;
                *at(of->covariances, j, e) =
                    (own * *at(of->covariances, j, e) + extra * pooled.data[e]) / (own + extra);
            }
    }
}

double gmm_reference_iterate(gmm_reference *of, samples all)
{
    const array shares = gmm_reference_densities(of, all.inputs).value;
    const double log_likelihood = share(of, all, shares);
    for (int j = 0; j < of->count; ++j) {
        double total = 0;
        for (int i = 0; i < all.inputs.rows; ++i)
            total += *at(shares, i, j);
        for (int f = 0; f < of->desc.features; ++f) {
            double sum = 0;
            for (int i = 0; i < all.inputs.rows; ++i)
                sum += *at(shares, i, j) * *at(all.inputs, i, f);
            *at(of->means, j, f) = sum / total;
        }
        fit_covariance(of, all.inputs, shares, j, total);
        of->weights.data[j] = total / all.inputs.rows;
    }
    shrink_covariances(of, all.inputs.rows);
    return log_likelihood;
}
