/* Training and measuring a classifier of prototypes. */
#include "prototypes/lvq.h"

#include "base/status.h"
#include "train/confusion.h"

#include <glnn/copy.h>

/* The slope of a margin's loss is steep, xi / 4 at the border, and classes that overlap push LVQ1's
 * prototypes out of the data at higher rates. OLVQ1's rates fall by themselves, but a prototype that is
 * wrong as often as right keeps the first one. */
#define DEFAULT_RATE           0.005f
#define DEFAULT_OWN_RATE       0.01f
#define DEFAULT_POSTERIOR_RATE 0.01f

static int least(int a, int b)
{
    return a < b ? a : b;
}

static glnn_status step(void *self, const glnn__batch *batch, float rate)
{
    glnn_lvq *lvq = self;
    GLNN__TRY(glnn__lvq_step(lvq, batch, rate));
    lvq->epochs += (double)batch->count / batch->epoch_samples;
    return GLNN_OK;
}

static glnn_status measure(void *self, const glnn__batch *batch)
{
    glnn_lvq *lvq = self;
    glnn__lvq_part part = {0};
    GLNN__TRY(glnn__lvq_prepare(lvq, least(batch->full, lvq->desc.capacity)));
    for (int offset = 0; offset < batch->count; offset += lvq->prototypes.rows) {
        part.batch = glnn__batch_part(batch, offset, lvq->prototypes.rows);
        GLNN__TRY(glnn__lvq_forward(lvq, &part, &lvq->prototypes.measured));
    }
    return GLNN_OK;
}

static glnn_status snapshot(void *self)
{
    glnn_lvq *lvq = self;
    glnn__offset_keep(&lvq->prototypes.offset);
    GLNN__TRY(glnn__snapshot_take(lvq->ctx, lvq->prototypes.values, &lvq->snapshot[0]));
    for (int i = 0; i < GLNN__LVQ_LEARNT; ++i)
        if (lvq->learnt[i])
            GLNN__TRY(glnn__snapshot_take(lvq->ctx, lvq->learnt[i], &lvq->snapshot[1 + i]));
    return GLNN_OK;
}

static glnn_status restore(void *self)
{
    glnn_lvq *lvq = self;
    GLNN__TRY(glnn_copy(lvq->ctx, lvq->snapshot[0], lvq->prototypes.values));
    for (int i = 0; i < GLNN__LVQ_LEARNT; ++i)
        if (lvq->learnt[i])
            GLNN__TRY(glnn_copy(lvq->ctx, lvq->snapshot[1 + i], lvq->learnt[i]));
    lvq->has_images = false;
    return glnn__offset_restore(lvq->ctx, &lvq->prototypes.offset);
}

static float default_rate(const glnn_lvq *lvq)
{
    switch (lvq->desc.kind) {
    case GLNN_LVQ_RSLVQ:
        return DEFAULT_POSTERIOR_RATE;
    case GLNN_LVQ_OLVQ1:
        return DEFAULT_OWN_RATE;
    default:
        return DEFAULT_RATE;
    }
}

/* Ends an epoch of a kind whose prototypes may leave the data. */
static glnn_status end_epoch(void *self, double loss, bool *is_done)
{
    (void)loss;
    (void)is_done;
    return glnn__lvq_check_reach(self);
}

static glnn__learner learner_of(glnn_lvq *lvq)
{
    return (glnn__learner){
        .ctx = lvq->ctx,
        .self = lvq,
        .scores = &lvq->prototypes.scores,
        .measured = &lvq->prototypes.measured,
        .piece = lvq->desc.capacity,
        .default_rate = default_rate(lvq),
        .step = step,
        .end_epoch = glnn__lvq_is_limited(lvq) ? end_epoch : NULL,
        .measure = measure,
        .keep = snapshot,
        .restore = restore,
    };
}

static glnn_status check_use(const glnn_lvq *lvq, const char *what, const glnn_dataset *data)
{
    if (!lvq || !data)
        return glnn__fail(GLNN_E_ARG, "%s: an argument is null", what);
    GLNN__TRY(glnn__lvq_check_data(lvq, data));
    return glnn__lvq_check_set(lvq, what);
}

/* What a training has to know of its data. */
static glnn_status begin(glnn_lvq *lvq, const glnn_dataset *data)
{
    GLNN__TRY(glnn__lvq_find_scale(lvq, data));
    return glnn__lvq_is_limited(lvq) ? glnn__lvq_find_reach(lvq, data) : GLNN_OK;
}

glnn_status glnn_lvq_train(glnn_lvq *lvq, const glnn_dataset *data, const glnn_train_desc *desc,
                           glnn_train_result *result)
{
    static const glnn_train_desc defaults;
    GLNN__TRY(check_use(lvq, __func__, data));
    desc = desc ? desc : &defaults;
    if (desc->validation)
        GLNN__TRY(glnn__lvq_check_data(lvq, desc->validation));
    if (lvq->desc.kind == GLNN_LVQ_OLVQ1 && desc->schedule.rate >= 1)
        return glnn__fail(GLNN_E_ARG, "%s: a rate of %g; with olvq1 it has to be below 1", __func__,
                          (double)desc->schedule.rate);
    GLNN__TRY(glnn__gl_enter(lvq->ctx));
    GLNN__TRY(glnn__gl_leave(lvq->ctx, begin(lvq, data)));
    const glnn__learner learner = learner_of(lvq);
    return glnn__train(&learner, data, desc, result);
}

/* Counts the classes of the winners of a part's samples. */
static glnn_status count_part(void *self, const glnn__batch *part, int *confusion)
{
    glnn_lvq *lvq = self;
    const int *labels = part->data->labels + part->first;
    glnn__winners found;
    GLNN__TRY(glnn__prototypes_gather(&lvq->prototypes, part));
    glnn_status status = glnn__lvq_find_winners(lvq, part->count, &found);
    for (int i = 0; i < part->count && !status; ++i) {
        if (found.classes[i] >= 0)
            confusion[labels[i] * lvq->desc.classes + found.classes[i]]++;
        else
            status =
                glnn__fail(GLNN_E_DIVERGED, "%s: a squared distance overflows", part->data->name);
    }
    glnn__winners_free(&found);
    return status;
}

static glnn_status evaluate(glnn_lvq *lvq, const glnn_dataset *data, double *loss, double *accuracy,
                            int *confusion)
{
    const glnn__learner learner = learner_of(lvq);
    GLNN__TRY(glnn__lvq_find_scale(lvq, data));
    GLNN__TRY(glnn__measure(&learner, data, loss, accuracy));
    if (!confusion)
        return GLNN_OK;
    GLNN__TRY(glnn__lvq_prepare(lvq, least(data->samples, lvq->desc.capacity)));
    return glnn__confusion_fill(data, lvq->prototypes.rows, lvq->desc.classes, lvq, count_part,
                                confusion);
}

glnn_status glnn_lvq_evaluate(glnn_lvq *lvq, const glnn_dataset *data, double *loss,
                              double *accuracy, int *confusion)
{
    GLNN__TRY(check_use(lvq, __func__, data));
    GLNN__TRY(glnn__gl_enter(lvq->ctx));
    return glnn__gl_leave(lvq->ctx, evaluate(lvq, data, loss, accuracy, confusion));
}
