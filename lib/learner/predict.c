#include "learner/predict.h"

#include "base/status.h"
#include "data/check.h"
#include "gl/gl.h"

#include <stdlib.h>

glnn_status glnn__take_classes(const glnn_matrix *matrix, int column, int count, int *classes)
{
    const glnn_rect rect = {0, column, count, 1};
    float *found = malloc((size_t)count * sizeof *found);
    if (!found)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %d classes", count);
    const glnn_status status = glnn_matrix_download(matrix->ctx, matrix, &rect, found, 0);
    for (int i = 0; i < count && !status; ++i)
        classes[i] = (int)found[i];
    free(found);
    return status;
}

static glnn_status check_use(const glnn__learner *learner, int64_t samples, const float *inputs)
{
    if (samples < 1)
        return glnn__fail(GLNN_E_ARG, "%lld samples; there must be at least 1", (long long)samples);
    if (learner->type->check_set)
        GLNN__TRY(learner->type->check_set(learner->self));
    GLNN__TRY(glnn__check_finite("inputs", "sample", samples, learner->features, inputs));
    return learner->reads_half
               ? glnn__check_half("inputs", "sample", samples, learner->features, inputs)
               : GLNN_OK;
}

static glnn_status take_piece(const glnn__learner *learner, const glnn__piece *piece,
                              glnn__take_piece_fn take)
{
    GLNN__TRY(learner->type->prepare(learner->self, piece->count, 0));
    GLNN__TRY(learner->type->place(learner->self, piece->inputs));
    return take(learner->self, piece);
}

static glnn_status take_pieces(const glnn__learner *learner, int64_t samples, const float *inputs,
                               glnn__take_piece_fn take, void *user)
{
    const int capacity = learner->capacity;
    GLNN__TRY(check_use(learner, samples, inputs));
    for (int64_t first = 0; first < samples; first += capacity) {
        const glnn__piece piece = {
            .first = first,
            .count = samples - first < capacity ? (int)(samples - first) : capacity,
            .inputs = inputs + (size_t)first * (size_t)learner->features,
            .user = user,
        };
        GLNN__TRY(take_piece(learner, &piece, take));
    }
    return GLNN_OK;
}

glnn_status glnn__take_pieces(const glnn__learner *learner, const char *function, int64_t samples,
                              const float *inputs, glnn__take_piece_fn take, void *user)
{
    if (!inputs)
        return glnn__fail_null(function, "inputs");
    GLNN__TRY(glnn__gl_enter_for(learner->ctx, function));
    return glnn__gl_leave(learner->ctx, take_pieces(learner, samples, inputs, take, user));
}

/* Where predictions go. */
typedef struct predictions {
    const glnn__learner *learner;
    float *outputs; /* NULL: not wanted */
    int *classes;   /* NULL: not wanted */
} predictions;

static glnn_status predict_piece(void *self, const glnn__piece *piece)
{
    const predictions *to = piece->user;
    const size_t first = (size_t)piece->first, columns = (size_t)to->learner->predicted;
    return to->learner->type->predict(self, piece,
                                      to->outputs ? to->outputs + first * columns : NULL,
                                      to->classes ? to->classes + first : NULL);
}

glnn_status glnn__predict(const glnn__learner *learner, const char *function, int64_t samples,
                          const float *inputs, float *outputs, int *classes)
{
    predictions to = {learner, outputs, classes};
    if (!outputs && !classes)
        return glnn__fail(GLNN_E_ARG, "%s: `outputs` and `classes` are both null", function);
    return glnn__take_pieces(learner, function, samples, inputs, predict_piece, &to);
}
