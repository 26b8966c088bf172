#include "prototypes/kmeans/far.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

glnn_status glnn__far_create(glnn__far *far, int classes, int features, const int *wanted)
{
    *far = (glnn__far){.is_wanted = true, .features = features, .classes = classes};
    far->first = calloc((size_t)classes + 1, sizeof *far->first);
    for (int c = 0; c < classes && far->first; ++c)
        far->first[c + 1] = far->first[c] + wanted[c];
    if (far->first) {
        const size_t places = (size_t)far->first[classes];
        far->distances = calloc(places + 1, sizeof *far->distances);
        far->samples = calloc((places + 1) * (size_t)features, sizeof *far->samples);
    }
    if (far->distances && far->samples)
        return GLNN_OK;
    glnn__far_destroy(far);
    return glnn__fail(GLNN_E_NOMEM, "no memory for samples far from their centres");
}

void glnn__far_destroy(glnn__far *far)
{
    free(far->first);
    free(far->distances);
    free(far->samples);
    *far = (glnn__far){0};
}

/* The places of each class. */
static void exchange_wanted(const glnn__far *far, int classes, int most, glnn__state *state,
                            int *wanted)
{
    for (int c = 0; c < classes; ++c) {
        wanted[c] = far->first ? far->first[c + 1] - far->first[c] : 0;
        glnn__state_int(state, &wanted[c], "far.places.%d", c);
        if (!state->status && (wanted[c] < 0 || wanted[c] > most))
            state->status = glnn__fail(GLNN_E_FORMAT, "%s: class %d has %d empty centres of %d",
                                       state->path, c, wanted[c], most);
    }
}

/* Makes room for what is loaded. */
static glnn_status make_room(glnn__far *far, int classes, int features, const int *wanted)
{
    int places = 0;
    for (int c = 0; c < classes; ++c)
        places += wanted[c];
    glnn__far_destroy(far);
    return places > 0 ? glnn__far_create(far, classes, features, wanted) : GLNN_OK;
}

void glnn__far_state(glnn__far *far, int classes, int features, int most, glnn__state *state)
{
    int *wanted = malloc((size_t)classes * sizeof *wanted);
    if (!wanted) {
        state->status = glnn__fail(GLNN_E_NOMEM, "no memory for %d classes", classes);
        return;
    }
    exchange_wanted(far, classes, most, state, wanted);
    if (glnn__state_loads(state))
        state->status = make_room(far, classes, features, wanted);
    if (far->is_wanted) {
        const size_t places = (size_t)far->first[classes];
        glnn__state_floats(state, far->distances, places, "far.distances");
        glnn__state_floats(state, far->samples, places * (size_t)features, "far.samples");
    }
    free(wanted);
}

void glnn__far_offer(glnn__far *far, int class, float distance, const float *sample)
{
    const size_t size = (size_t)far->features;
    size_t at = (size_t)far->first[class];
    const size_t end = (size_t)far->first[class + 1];
    if (at == end || !(distance > far->distances[end - 1]))
        return;
    while (!(distance > far->distances[at]))
        ++at;
    float *distances = far->distances + at, *samples = far->samples + at * size;
    memmove(distances + 1, distances, (end - at - 1) * sizeof *distances);
    memmove(samples + size, samples, (end - at - 1) * size * sizeof *samples);
    *distances = distance;
    memcpy(samples, sample, size * sizeof *samples);
}

void glnn__far_clear(glnn__far *far)
{
    if (far->is_wanted)
        memset(far->distances, 0, (size_t)far->first[far->classes] * sizeof *far->distances);
}

/* The distances of all processes, those of one after those of another: ranks x places. */
static glnn_status exchange_distances(const glnn__far *far, glnn__exchange *exchange,
                                      double *distances)
{
    const int places = far->first[far->classes], ranks = glnn__exchange_ranks(exchange);
    double *own = distances + (size_t)glnn__exchange_rank(exchange) * (size_t)places;
    for (int i = 0; i < places; ++i)
        own[i] = (double)far->distances[i];
    return glnn__exchange_sum(exchange, distances, ranks * places);
}

/* The rank whose next place of the class has the greatest distance; next[] counts those taken. */
static int find_farthest(const glnn__far *far, int class, const double *distances, int ranks,
                         const int *next)
{
    const int begin = far->first[class], end = far->first[class + 1];
    const size_t places = (size_t)far->first[far->classes];
    double greatest = -1;
    int best = 0;
    for (int r = 0; r < ranks; ++r) {
        const int at = begin + next[r];
        const double distance = at < end ? distances[(size_t)r * places + (size_t)at] : -1;
        best = distance > greatest ? r : best;
        greatest = distance > greatest ? distance : greatest;
    }
    return best;
}

/* Chooses the farthest of all processes; the samples of other processes become zero. */
static void choose(glnn__far *far, int rank, const double *distances, int ranks, int *next,
                   double *samples)
{
    const size_t size = (size_t)far->features, places = (size_t)far->first[far->classes];
    for (int c = 0; c < far->classes; ++c) {
        memset(next, 0, (size_t)ranks * sizeof *next);
        for (int place = far->first[c]; place < far->first[c + 1]; ++place) {
            const int from = find_farthest(far, c, distances, ranks, next);
            const size_t at = (size_t)(far->first[c] + next[from]++);
            far->distances[place] = (float)distances[(size_t)from * places + at];
            for (size_t j = 0; j < size && from == rank; ++j)
                samples[(size_t)place * size + j] = (double)far->samples[at * size + j];
        }
    }
}

glnn_status glnn__far_merge(glnn__far *far, glnn__exchange *exchange)
{
    const int ranks = glnn__exchange_ranks(exchange), places = far->first[far->classes];
    const size_t count = (size_t)places * (size_t)far->features;
    double *distances = calloc((size_t)ranks * (size_t)places, sizeof *distances);
    double *samples = calloc(count, sizeof *samples);
    int *next = malloc((size_t)ranks * sizeof *next);
    glnn_status status =
        distances && samples && next
            ? exchange_distances(far, exchange, distances)
            : glnn__fail(GLNN_E_NOMEM, "no memory for samples of %d processes", ranks);
    if (!status) {
        choose(far, glnn__exchange_rank(exchange), distances, ranks, next, samples);
        status = glnn__exchange_sum(exchange, samples, (int)count);
    }
    for (size_t i = 0; i < count && !status; ++i)
        far->samples[i] = (float)samples[i];
    free(distances);
    free(samples);
    free(next);
    return status;
}
