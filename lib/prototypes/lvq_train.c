/* Training and measuring a classifier of prototypes. */
#include "prototypes/lvq.h"

#include "base/status.h"
#include "train/evaluate.h"
#include "train/snapshot.h"
#include "train/trainer.h"

#include <string.h>

/* The slope of a margin's loss is steep, xi / 4 at the border, and classes that overlap push LVQ1's
 * prototypes out of the data at higher rates. OLVQ1's rates fall by themselves, but a prototype that is
 * wrong as often as right keeps the first one. */
#define DEFAULT_RATE           0.005f
#define DEFAULT_OWN_RATE       0.01f
#define DEFAULT_POSTERIOR_RATE 0.01f

static glnn__lvq_rule rule_of(const glnn_lvq *lvq)
{
    switch (lvq->desc.kind) {
    case GLNN_LVQ_RSLVQ:
        return GLNN__LVQ_POSTERIOR;
    case GLNN_LVQ_LVQ1:
    case GLNN_LVQ_OLVQ1:
        return GLNN__LVQ_NEAREST;
    case GLNN_LVQ_LVQ21:
    case GLNN_LVQ_LVQ3:
        return GLNN__LVQ_WINDOW;
    default:
        return GLNN__LVQ_MARGIN;
    }
}

static glnn_status prepare(void *self, int rows, int group)
{
    (void)group;
    return glnn__lvq_prepare(self, rows);
}

/* Nothing but the prototypes changes, and the sums over one part are all. */
static bool moves_at_once(const glnn_lvq *lvq, const glnn__step *step, glnn__lvq_rule rule)
{
    const bool sums = rule == GLNN__LVQ_POSTERIOR || lvq->images;
    return !sums && step->is_first && step->is_last;
}

static glnn__lvq_part part_of(const glnn_lvq *lvq, const glnn__step *step)
{
    const glnn__lvq_rule rule = rule_of(lvq);
    return (glnn__lvq_part){
        .rule = rule,
        .rate = step->rate,
        .is_first = step->is_first,
        .moves = moves_at_once(lvq, step, rule),
    };
}

static glnn_status gradient(void *self, const glnn__batch *batch, const glnn__step *step)
{
    glnn__lvq_part part = part_of(self, step);
    return glnn__lvq_add(self, batch, &part);
}

static glnn_status apply(void *self, const glnn__step *step)
{
    glnn_lvq *lvq = self;
    const glnn__lvq_part last = part_of(lvq, step);
    GLNN__TRY(glnn__lvq_finish(lvq, &last, step->samples));
    lvq->epochs += (double)step->samples / step->epoch_samples;
    return GLNN_OK;
}

static glnn_status measure(void *self, const glnn__batch *batch)
{
    glnn_lvq *lvq = self;
    const glnn__lvq_part part = {.batch = *batch, .rule = rule_of(lvq)};
    return glnn__lvq_forward(lvq, &part, &lvq->trained.measured);
}

/* The classes of the winners. */
static glnn_status classify(void *self, const glnn__batch *part, int *classes)
{
    glnn_lvq *lvq = self;
    glnn__winners found;
    GLNN__TRY(glnn__lvq_gather(lvq, part));
    const glnn_status status = glnn__lvq_take_winners(lvq, part->count, &found);
    if (!status)
        memcpy(classes, found.classes, (size_t)part->count * sizeof *classes);
    glnn__winners_free(&found);
    return status;
}

static glnn_status place(void *self, const float *inputs)
{
    glnn_lvq *lvq = self;
    GLNN__TRY(glnn_matrix_upload(lvq->ctx, lvq->input, NULL, inputs, 0));
    return glnn__offset_shift(lvq->ctx, &lvq->offset, lvq->input);
}

static glnn_status snapshot(void *self)
{
    glnn_lvq *lvq = self;
    glnn__offset_keep(&lvq->offset);
    for (int i = 0; i < GLNN__LVQ_LEARNT; ++i)
        GLNN__TRY(glnn__snapshot_take(lvq->learnt[i], &lvq->snapshot[i]));
    return GLNN_OK;
}

static glnn_status restore(void *self)
{
    glnn_lvq *lvq = self;
    for (int i = 0; i < GLNN__LVQ_LEARNT; ++i)
        GLNN__TRY(glnn__snapshot_restore(lvq->snapshot[i], lvq->learnt[i]));
    lvq->has_images = false;
    return glnn__offset_restore(lvq->ctx, &lvq->offset);
}

static glnn_status save(const void *self, const char *path)
{
    return glnn_lvq_save(self, path);
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

/* The prototypes of some rules may leave the data. */
static glnn_status end_epoch(void *self, double loss, bool *is_done)
{
    (void)loss;
    (void)is_done;
    return glnn__lvq_is_limited(rule_of(self)) ? glnn__lvq_check_reach(self) : GLNN_OK;
}

glnn_status glnn__lvq_check_data(const glnn_lvq *lvq, const glnn_dataset *data)
{
    if (data->ctx != lvq->ctx)
        return glnn__fail(GLNN_E_ARG, "%s: belongs to another context than the classifier",
                          data->name);
    if (!data->labels)
        return glnn__fail(GLNN_E_STATE, "%s: learning prototypes of classes needs labels",
                          data->name);
    if (data->features != lvq->desc.features || data->outputs != lvq->desc.classes)
        return glnn__fail(
            GLNN_E_SHAPE, "%s: %d features and %d classes; the classifier has %d and %d",
            data->name, data->features, data->outputs, lvq->desc.features, lvq->desc.classes);
    return GLNN_OK;
}

static glnn_status check_use(const glnn_lvq *lvq, const char *what, const glnn_dataset *data)
{
    if (!lvq || !data)
        return glnn__fail(GLNN_E_ARG, "%s: an argument is null", what);
    GLNN__TRY(glnn__lvq_check_data(lvq, data));
    return glnn__lvq_check_set(lvq, what);
}

static glnn_status evaluate(void *self, const glnn_dataset *data, glnn_metrics *metrics,
                            int *confusion)
{
    glnn_lvq *lvq = self;
    GLNN__TRY(check_use(lvq, "glnn_lvq_evaluate", data));
    GLNN__TRY(glnn__gl_enter(lvq->ctx));
    GLNN__TRY(glnn__gl_leave(lvq->ctx, glnn__lvq_find_scale(lvq, data)));
    const glnn__learner learner = glnn__lvq_learner(lvq);
    return glnn__evaluate(&learner, data, metrics, confusion);
}

glnn__learner glnn__lvq_learner(glnn_lvq *lvq)
{
    static const glnn__learner_type type = {
        .name = "classifier",
        .prepare = prepare,
        .gradient = gradient,
        .apply = apply,
        .measure = measure,
        .classify = classify,
        .place = place,
        .snapshot = snapshot,
        .restore = restore,
        .evaluate = evaluate,
        .save = save,
        .end_epoch = end_epoch,
    };
    return (glnn__learner){
        .type = &type,
        .ctx = lvq->ctx,
        .self = lvq,
        .trained = &lvq->trained,
        .features = lvq->desc.features,
        .capacity = lvq->desc.capacity,
        .default_rate = default_rate(lvq),
    };
}

/* What a training has to know of its data. */
static glnn_status begin(glnn_lvq *lvq, const glnn_dataset *data)
{
    GLNN__TRY(glnn__lvq_find_scale(lvq, data));
    return glnn__lvq_is_limited(rule_of(lvq)) ? glnn__lvq_find_reach(lvq, data) : GLNN_OK;
}

static glnn_status create_trainer(glnn_lvq *lvq, const char *function, const glnn_dataset *data,
                                  const glnn_train_desc *desc, glnn_trainer **out)
{
    static const glnn_train_desc defaults;
    GLNN__TRY(check_use(lvq, function, data));
    desc = desc ? desc : &defaults;
    if (desc->validation)
        GLNN__TRY(glnn__lvq_check_data(lvq, desc->validation));
    if (lvq->desc.kind == GLNN_LVQ_OLVQ1 && desc->schedule.rate >= 1)
        return glnn__fail(GLNN_E_ARG, "%s: a rate of %g; with olvq1 it has to be below 1", function,
                          (double)desc->schedule.rate);
    const glnn__learner learner = glnn__lvq_learner(lvq);
    GLNN__TRY(glnn__trainer_check(&learner, data, desc));
    GLNN__TRY(glnn__gl_enter(lvq->ctx));
    GLNN__TRY(glnn__gl_leave(lvq->ctx, begin(lvq, data)));
    return glnn__trainer_create(&learner, data, desc, out);
}

glnn_status glnn_lvq_trainer_create(glnn_lvq *lvq, const glnn_dataset *data,
                                    const glnn_train_desc *desc, glnn_trainer **out)
{
    if (!out)
        return glnn__fail(GLNN_E_ARG, "%s: out is null", __func__);
    *out = NULL;
    return create_trainer(lvq, __func__, data, desc, out);
}

glnn_status glnn_lvq_train(glnn_lvq *lvq, const glnn_dataset *data, const glnn_train_desc *desc,
                           glnn_train_result *result)
{
    glnn_trainer *trainer = NULL;
    const glnn_status created = create_trainer(lvq, __func__, data, desc, &trainer);
    return glnn__train(created, trainer, result);
}

glnn_status glnn_lvq_evaluate(glnn_lvq *lvq, const glnn_dataset *data, double *loss,
                              double *accuracy, int *confusion)
{
    glnn_metrics metrics;
    GLNN__TRY(evaluate(lvq, data, &metrics, confusion));
    if (loss)
        *loss = metrics.loss;
    if (accuracy)
        *accuracy = metrics.accuracy;
    return GLNN_OK;
}
