#include "learn/predict.h"

#include "base/status.h"
#include "data/check.h"
#include "gl/gl.h"
#include "learn/passes.h"
#include "ops/check.h"
#include "ops/gather.h"

#include <glnn/copy.h>

#include <stdlib.h>

glnn_status glnn__take_outputs(const glnn_matrix *matrix, int count, float *outputs)
{
    const glnn_rect rows = {0, 0, count, matrix->columns};
    return glnn_matrix_download(matrix->ctx, matrix, &rows, outputs, 0);
}

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

glnn_status glnn__piece_copy(const glnn__piece *piece, glnn_matrix *out)
{
    if (piece->part)
        return glnn__batch_gather(piece->part, out);
    if (piece->inputs) /* while passes are recorded, the samples in place stay */
        return out->ctx->list ? GLNN_OK : glnn_matrix_upload(out->ctx, out, NULL, piece->inputs, 0);
    return glnn__gather(out->ctx, piece->matrix, NULL, (glnn__uniform){.i = (int)piece->first},
                        piece->count, piece->matrix->rows, out);
}

glnn_status glnn__piece_store(const glnn__piece *piece, const glnn_matrix *from, int column,
                              int columns, glnn_matrix *out)
{
    const glnn_rect found = {0, column, piece->count, columns};
    return glnn_copy_rect(out->ctx, from, &found, out, (int)piece->first, 0);
}

/* Samples of the program. */
typedef struct source {
    int64_t count;
    const float *inputs;       /* NULL: they are in the matrix */
    const glnn_matrix *matrix; /* NULL: they are in memory     */
} source;

static glnn_status check_inputs(glnn_learner *learner, const source *from)
{
    if (from->count < 1)
        return glnn__fail(GLNN_E_ARG, "%lld samples; there must be at least 1",
                          (long long)from->count);
    GLNN__TRY(glnn__check_finite("inputs", "sample", from->count, learner->features, from->inputs));
    return learner->reads_half
               ? glnn__check_half("inputs", "sample", from->count, learner->features, from->inputs)
               : GLNN_OK;
}

/* A pass that writes the rows of one piece then needs not read those of the others. */
int glnn__piece_rows(glnn_learner *learner, int64_t samples)
{
    enum { BLOCK_ROWS = 4 };
    const int capacity = learner->capacity;
    if (samples <= capacity)
        return (int)samples;
    return capacity < BLOCK_ROWS ? capacity : capacity - capacity % BLOCK_ROWS;
}

static glnn_status take_piece(glnn_learner *learner, const glnn__piece *piece,
                              glnn__take_piece_fn take)
{
    GLNN__TRY(learner->type->prepare(learner, piece->count, 0));
    return take(learner, piece);
}

static glnn_status take_pieces(glnn_learner *learner, const source *from, glnn__take_piece_fn take,
                               void *user)
{
    GLNN__TRY(glnn__learner_check_set(learner));
    if (!from->matrix)
        GLNN__TRY(check_inputs(learner, from));
    const int rows = glnn__piece_rows(learner, from->count);
    for (int64_t first = 0; first < from->count; first += rows) {
        const int64_t left = from->count - first;
        const glnn__piece piece = {
            .first = first,
            .count = left < rows ? (int)left : rows,
            .inputs =
                from->inputs ? from->inputs + (size_t)first * (size_t)learner->features : NULL,
            .matrix = from->matrix,
            .user = user,
        };
        GLNN__TRY(take_piece(learner, &piece, take));
    }
    return GLNN_OK;
}

glnn_status glnn__take_pieces(glnn_learner *learner, const char *function, int64_t samples,
                              const float *inputs, glnn__take_piece_fn take, void *user)
{
    const source from = {.count = samples, .inputs = inputs};
    if (!inputs)
        return glnn__fail_null(function, "inputs");
    GLNN__TRY(glnn__gl_enter_for(learner->ctx, function));
    return glnn__gl_leave(learner->ctx, take_pieces(learner, &from, take, user));
}

/* Where predictions go. */
typedef struct predicted {
    glnn_learner *learner;
    float *outputs; /* NULL: not wanted */
    int *classes;   /* NULL: not wanted */
} predicted;

static glnn_status predict_piece(void *self, const glnn__piece *piece)
{
    const predicted *to = piece->user;
    const size_t first = (size_t)piece->first, columns = (size_t)to->learner->predicted;
    return to->learner->type->predict(self, piece,
                                      to->outputs ? to->outputs + first * columns : NULL,
                                      to->classes ? to->classes + first : NULL);
}

glnn_status glnn_learner_predict(glnn_learner *learner, int64_t samples, const float *inputs,
                                 float *outputs, int *classes)
{
    predicted to = {learner, outputs, classes};
    GLNN__HELD(learner);
    if (!outputs && !classes)
        return glnn__fail(GLNN_E_ARG, "%s: `outputs` and `classes` are both null", __func__);
    return glnn__take_pieces(learner, __func__, samples, inputs, predict_piece, &to);
}

/* Where predictions go that stay in a matrix. */
typedef struct stored {
    glnn_learner *learner;
    glnn_matrix *outputs;
} stored;

static glnn_status describe_store(void *self, const void *what)
{
    const glnn__piece *piece = what;
    const stored *to = piece->user;
    return to->learner->type->store(self, piece, to->outputs);
}

static glnn_status store_piece(void *self, const glnn__piece *piece)
{
    const stored *to = piece->user;
    glnn_learner *learner = to->learner;
    const glnn__list_key key = {.of = {piece->matrix, to->outputs},
                                .numbers = {GLNN__LIST_STORE, piece->count, (int)piece->first}};
    return glnn__lists_run(&learner->lists, learner->ctx, GLNN__LIST_STORE, &key, &learner->flags,
                           describe_store, self, piece);
}

/* Texels of 8 bits hold numbers up to 1. */
static glnn_status check_classes(const char *function, const glnn_matrix *classes)
{
    if (classes->storage != GLNN_STORAGE_UNORM8)
        return GLNN_OK;
    return glnn__fail(
        GLNN_E_ARG,
        "%s: `predictions` (%s) is unorm8, which has no class numbers above 1; it must be "
        "float32 or float16",
        function, classes->name);
}

glnn_status glnn_learner_predict_matrix(glnn_learner *learner, const glnn_matrix *inputs,
                                        glnn_matrix *predictions)
{
    const char *function = __func__;
    GLNN__HELD(learner);
    glnn_context *ctx = learner->ctx;
    const int columns = learner->stores_classes ? 1 : learner->predicted;
    stored to = {learner, predictions};
    GLNN__TRY(glnn__check_operand(ctx, function, "inputs", inputs));
    GLNN__TRY(glnn__check_output(ctx, function, "predictions", predictions));
    if (learner->stores_classes)
        GLNN__TRY(check_classes(function, predictions));
    GLNN__TRY(glnn__check_shape(function, "inputs", inputs, inputs->rows, learner->features));
    GLNN__TRY(glnn__check_shape(function, "predictions", predictions, inputs->rows, columns));
    GLNN__TRY(glnn__gl_enter_for(ctx, function));
    const source from = {.count = inputs->rows, .matrix = inputs};
    return glnn__gl_leave(ctx, take_pieces(learner, &from, store_piece, &to));
}
