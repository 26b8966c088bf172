/* Samples, their scatter in double, and what fitted projections have in common. */
#ifndef TESTS_SCATTER_H
#define TESTS_SCATTER_H

#include "support.h"

#include <glnn/projection.h>

/* How far an element of a scatter may be off, against the variances. */
#define SCATTER_ERROR (1028 * EPS)

/* Samples around `offset` whose features hang together, of spreads from 1 to 2. */
static inline array samples_random(int rows, int features, double offset)
{
    array x = array_random(rows, features, -1, 1);
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < features; ++j)
            *at(x, i, j) = (float)(offset + (1 + (double)j / features) * *at(x, i, j) +
                                   (j ? 0.5 * (*at(x, i, j - 1) - offset) : 0));
    }
    return x;
}

static inline array means_of(array x, const int *labels, int classes)
{
    array means = array_new(classes, x.columns), counts = array_new(classes, 1);
    for (int i = 0; i < x.rows; ++i) {
        int class = labels ? labels[i] : 0;
        *at(counts, class, 0) += 1;
        for (int j = 0; j < x.columns; ++j)
            *at(means, class, j) += *at(x, i, j);
    }
    for (int c = 0; c < classes; ++c)
        for (int j = 0; j < x.columns; ++j)
            *at(means, c, j) /= *at(counts, c, 0) > 0 ? *at(counts, c, 0) : 1;
    return means;
}

/* 1/rows sum (x - m) (x - m)', m the mean of the row's class. */
static inline array scatter_of(array x, const int *labels, int classes)
{
    array means = means_of(x, labels, classes), scatter = array_new(x.columns, x.columns);
    for (int i = 0; i < x.rows; ++i) {
        int class = labels ? labels[i] : 0;
        for (int j = 0; j < x.columns; ++j)
            for (int k = 0; k < x.columns; ++k)
                *at(scatter, j, k) += (*at(x, i, j) - *at(means, class, j)) *
                                      (*at(x, i, k) - *at(means, class, k)) / x.rows;
    }
    return scatter;
}

static inline double trace_of(array square)
{
    double trace = 0;
    for (int j = 0; j < square.rows; ++j)
        trace += *at(square, j, j);
    return trace;
}

static inline const float *direction(const glnn_projection *projection, int component)
{
    return glnn_projection_get_directions(projection) +
           (size_t)component * (size_t)glnn_projection_get_features(projection);
}

/* u' S v */
static inline double form(array s, const float *u, const float *v)
{
    double sum = 0;
    for (int j = 0; j < s.rows; ++j)
        for (int k = 0; k < s.columns; ++k)
            sum += (double)u[j] * *at(s, j, k) * (double)v[k];
    return sum;
}

static inline double inner(int length, const float *u, const float *v)
{
    double sum = 0;
    for (int j = 0; j < length; ++j)
        sum += (double)u[j] * (double)v[j];
    return sum;
}

static inline void expect_near(double got, double want, double bound, const char *what)
{
    if (!(fabs(got - want) <= bound))
        fail_msg("%s is %.9g instead of %.9g, the bound is %.3g", what, got, want, bound);
}

static inline void expect_positive_sign(const glnn_projection *projection, int component)
{
    const float *w = direction(projection, component);
    int greatest = 0;
    for (int j = 0; j < glnn_projection_get_features(projection); ++j)
        greatest = fabsf(w[j]) > fabsf(w[greatest]) ? j : greatest;
    assert_true(w[greatest] > 0);
}

/* Two fits of the same samples have the same bits; destroys both. */
static inline void expect_same_projection(glnn_projection *first, glnn_projection *second)
{
    size_t components = (size_t)glnn_projection_get_components(first);
    size_t features = (size_t)glnn_projection_get_features(first);
    assert_int_equal(glnn_projection_get_components(second), components);
    assert_memory_equal(glnn_projection_get_directions(first),
                        glnn_projection_get_directions(second),
                        components * features * sizeof(float));
    assert_memory_equal(glnn_projection_get_eigenvalues(first),
                        glnn_projection_get_eigenvalues(second), components * sizeof(float));
    glnn_projection_destroy(first);
    glnn_projection_destroy(second);
}

#endif
