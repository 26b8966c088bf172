#include "search.h"

#include "ops/distances.h"

#include <stdio.h>

vectors vectors_of(const problem *p)
{
    vectors v = {
        .x = array_random(p->samples, p->features, -1.0, 1.0),
        .m = array_random(p->prototypes, p->features, -1.0, 1.0),
        .classes = array_random(1, p->prototypes, 0.0, p->classes),
        .labels = array_random(p->samples + 7, 1, 0.0, p->classes),
        .order = array_random(p->samples + 7, 1, 0.0, p->samples + 7),
        .first = 5,
        .count = p->samples,
        .is_exact = p->is_exact,
    };
    array *whole[] = {&v.classes, &v.labels, &v.order};
    for (size_t i = 0; i < COUNT_OF(whole); ++i)
        for (size_t j = 0; j < length_of(*whole[i]); ++j)
            whole[i]->data[j] = floor(whole[i]->data[j]);
    array *rounded[] = {&v.x, &v.m};
    for (size_t i = 0; i < COUNT_OF(rounded) && p->is_exact; ++i)
        for (size_t j = 0; j < length_of(*rounded[i]); ++j)
            rounded[i]->data[j] = nearbyint(2.0 * rounded[i]->data[j]);
    return v;
}

void find_scores(vectors *v, bool are_distances)
{
    const int k = v->x.columns;
    v->scores = (expected){array_new(v->x.rows, v->m.rows), array_new(v->x.rows, v->m.rows)};
    for (int i = 0; i < v->x.rows; ++i)
        for (int p = 0; p < v->m.rows; ++p) {
            double norm = 0.0, product = 0.0, size = 0.0, distance = 0.0;
            for (int j = 0; j < k; ++j) {
                double x = *at(v->x, i, j), m = *at(v->m, p, j);
                norm += m * m;
                product += x * m;
                size += fabs(x * m);
                distance += (x - m) * (x - m);
            }
            *at(v->scores.value, i, p) = are_distances ? distance : norm - 2.0 * product;
            if (!v->is_exact)
                *at(v->scores.bound, i, p) = are_distances
                                                 ? EPS * (k / 4 + 6) * distance
                                                 : EPS * ((2 * k + 6) * size + (k + 2) * norm);
        }
}

static bool is_candidate(const vectors *v, int sample, int prototype, place which)
{
    if (which == ANY)
        return true;
    int entry = (int)*at(v->order, v->first + sample, 0);
    bool is_own = *at(v->classes, 0, prototype) == *at(v->labels, entry, 0);
    return is_own == (which == OWN_CLASS);
}

/* The least of the candidates without those in `taken`; -1: none. */
static int least_of(const vectors *v, int sample, place which, const int *taken, int taken_count)
{
    int least = -1;
    for (int p = 0; p < v->m.rows; ++p) {
        bool is_taken = false;
        for (int i = 0; i < taken_count; ++i)
            is_taken = is_taken || taken[i] == p;
        if (!is_taken && is_candidate(v, sample, p, which) &&
            (least < 0 || *at(v->scores.value, sample, p) < *at(v->scores.value, sample, least)))
            least = p;
    }
    return least;
}

int check_winner(const vectors *v, int sample, place which, const int *taken, int taken_count,
                 double index, double value, const char *what)
{
    int want = least_of(v, sample, which, taken, taken_count), got = (int)index;
    if (want < 0) {
        if (index != -1.0 || value != INFINITY)
            fail_at(__FILE__, __LINE__, "%s: sample %d has %g with score %g, expected none", what,
                    sample, index, value);
        return got;
    }
    bool is_valid =
        got == index && got >= 0 && got < v->m.rows && is_candidate(v, sample, got, which);
    for (int i = 0; i < taken_count; ++i)
        is_valid = is_valid && taken[i] != got;
    if (!is_valid)
        fail_at(__FILE__, __LINE__, "%s: sample %d has %g, expected %d", what, sample, index, want);
    double least = *at(v->scores.value, sample, want), found = *at(v->scores.value, sample, got);
    double bound = *at(v->scores.bound, sample, got);
    if (found > least + bound + *at(v->scores.bound, sample, want) ||
        (v->is_exact && got != want) || fabs(value - found) > bound)
        fail_at(__FILE__, __LINE__,
                "%s: sample %d has %d with score %.9g (%.17g), expected %d with %.17g", what,
                sample, got, value, found, want, least);
    return got;
}

static const char *text_of(const vectors *v, const way *w)
{
    static char text[256];
    snprintf(text, sizeof text, "%s, %s, %d x %d %s samples, %d %s prototypes%s",
             glnn_search_name(w->search),
             w->kind == GLNN__NEAREST_TWO ? "the nearest two" : "one of its class and one other",
             v->x.rows, v->x.columns, glnn_layout_name(w->samples), v->m.rows,
             glnn_layout_name(w->prototypes), w->norms ? "" : ", without norms");
    return text;
}

glnn__nearest nearest_of(vectors *v, const way *w)
{
    const bool is_fused = w->search == GLNN_SEARCH_AUTO || w->search == GLNN_SEARCH_FUSED;
    find_scores(v, is_fused && v->x.rows < GLNN__FEW_SAMPLES);
    glnn__nearest nearest = {
        .kind = w->kind,
        .search = w->search,
        .samples = matrix_of(v->x, w->samples),
        .prototypes = matrix_of(v->m, w->prototypes),
        .first = {.i = v->first},
        .count = v->count,
        .dataset_samples = v->labels.rows,
        .winners = matrix_of(array_numbered(v->x.rows, 4), GLNN_LAYOUT_PACKED),
    };
    if (w->norms) {
        glnn_matrix *norms = matrix_zero(1, v->m.rows, GLNN_LAYOUT_PACKED);
        expect_ok(glnn__row_norms(glnn_test_context(), nearest.prototypes, norms));
        nearest.norms = norms;
    }
    if (w->kind == GLNN__NEAREST_LABELLED) {
        nearest.classes = matrix_of(v->classes, GLNN_LAYOUT_PACKED);
        nearest.targets = matrix_of(v->labels, GLNN_LAYOUT_PAGED);
    }
    if (w->order)
        nearest.order = matrix_of(v->order, GLNN_LAYOUT_PAGED);
    else
        for (int i = 0; i < v->order.rows; ++i)
            *at(v->order, i, 0) = i;
    return nearest;
}

static void check_row(const vectors *v, const way *w, array winners, int row)
{
    const char *what = text_of(v, w);
    bool labelled = w->kind == GLNN__NEAREST_LABELLED;
    int first = check_winner(v, row, labelled ? OWN_CLASS : ANY, NULL, 0, *at(winners, row, 0),
                             *at(winners, row, 1), what);
    check_winner(v, row, labelled ? OTHER_CLASS : ANY, &first, labelled ? 0 : 1,
                 *at(winners, row, 2), *at(winners, row, 3), what);
}

array check_search(vectors *v, const way *w)
{
    glnn__nearest nearest = nearest_of(v, w);
    expect_ok(glnn__nearest_run(glnn_test_context(), &nearest));
    array winners = values_of(nearest.winners);
    for (int i = 0; i < v->count; ++i)
        check_row(v, w, winners, i);
    for (int i = v->count; i < winners.rows; ++i)
        for (int j = 0; j < 4; ++j)
            if (*at(winners, i, j) != (j % 2 ? 0.0 : -1.0))
                fail_at(__FILE__, __LINE__, "%s: row %d without a sample has %g in column %d",
                        text_of(v, w), i, *at(winners, i, j), j);
    return winners;
}
