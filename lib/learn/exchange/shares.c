#include "learn/exchange/shares.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>

glnn_status glnn__shares_create(int ranks, glnn__shares *out)
{
    const size_t count = (size_t)ranks;
    *out = (glnn__shares){
        .ranks = ranks,
        .weights = malloc(count * sizeof *out->weights),
        .remainders = malloc(count * sizeof *out->remainders),
        .begins = calloc(count + 1, sizeof *out->begins),
    };
    if (!out->weights || !out->remainders || !out->begins)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the shares of %d processes", ranks);
    for (int r = 0; r < ranks; ++r)
        out->remainders[r] = 1;
    glnn__shares_set(out, out->remainders);
    return GLNN_OK;
}

void glnn__shares_destroy(glnn__shares *shares)
{
    free(shares->weights);
    free(shares->remainders);
    free(shares->begins);
    free(shares->turns);
    *shares = (glnn__shares){0};
}

void glnn__shares_set(glnn__shares *shares, const double *weights)
{
    shares->total = 0;
    shares->least = weights[0];
    shares->count = 0;
    for (int r = 0; r <= shares->ranks; ++r)
        shares->begins[r] = 0;
    for (int r = 0; r < shares->ranks; ++r) {
        shares->weights[r] = weights[r];
        shares->total += weights[r];
        shares->least = fmin(shares->least, weights[r]);
    }
}

double glnn__shares_exact(const glnn__shares *shares, int count, int rank)
{
    return count * shares->weights[rank] / shares->total;
}

/* Hands out the samples that rounding down has left: fewer than there are ranks. */
static void add_left(glnn__shares *shares, int left)
{
    for (; left > 0; --left) {
        int next = 0;
        for (int r = 1; r < shares->ranks; ++r)
            next = shares->remainders[r] > shares->remainders[next] ? r : next;
        shares->remainders[next] = -1;
        shares->begins[next + 1]++;
    }
}

void glnn__shares_divide(glnn__shares *shares, int count)
{
    int left = count;
    if (shares->count == count)
        return;
    for (int r = 0; r < shares->ranks; ++r) {
        const double exact = glnn__shares_exact(shares, count, r);
        shares->begins[r + 1] = (int)exact;
        shares->remainders[r] = exact - shares->begins[r + 1];
        left -= shares->begins[r + 1];
    }
    add_left(shares, left);
    for (int r = 0; r < shares->ranks; ++r)
        shares->begins[r + 1] += shares->begins[r];
    shares->count = count;
}

static int next_turn(glnn__shares *shares, int done)
{
    int next = 0;
    double furthest = -1;
    for (int r = 0; r < shares->ranks; ++r) {
        const double behind = glnn__shares_exact(shares, done + 1, r) - shares->remainders[r];
        next = behind > furthest ? r : next;
        furthest = fmax(behind, furthest);
    }
    shares->remainders[next]++;
    return next;
}

glnn_status glnn__shares_take_turns(glnn__shares *shares, int count)
{
    free(shares->turns);
    shares->turns = malloc((size_t)count * sizeof *shares->turns);
    if (!shares->turns)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the turns of %d batches", count);
    for (int r = 0; r < shares->ranks; ++r)
        shares->remainders[r] = 0; /* batches that the rank has had */
    for (int i = 0; i < count; ++i)
        shares->turns[i] = next_turn(shares, i);
    return GLNN_OK;
}
