/* Training and measuring a classifier of prototypes. */
#include "prototypes/lvq/lvq.h"

#include "base/status.h"
#include "pass/list.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Reach: the repulsion of LVQ1, OLVQ1, LVQ2.1 and LVQ3 grows with the distance, so that at too
 * high a rate their prototypes may leave the data for good */

/* How many times as far as the samples a prototype may be from their mean. */
#define MOST_TIMES 1000

/* The prototype that is farthest from the mean of the samples. */
typedef struct farthest {
    int index;
    double distance;
} farthest;

static double distance_of(const float *prototype, const double *mean, int features)
{
    double sum = 0;
    for (int j = 0; j < features; ++j) {
        const double difference = (double)prototype[j] - mean[j];
        sum += difference * difference;
    }
    return sqrt(sum);
}

static glnn_status find_farthest(glnn__lvq *lvq, farthest *out)
{
    const size_t features = (size_t)lvq->desc.features;
    const int count = lvq->prototypes.desc.count;
    float *prototypes = malloc((size_t)count * features * sizeof *prototypes);
    if (!prototypes)
        return glnn__fail(GLNN_E_NOMEM, "no memory to look at %d prototypes", count);
    const glnn_status status = glnn__prototypes_download(&lvq->prototypes, prototypes);
    *out = (farthest){0, -1};
    for (int p = 0; p < count && !status; ++p) {
        const double distance =
            distance_of(prototypes + (size_t)p * features, lvq->reach.mean, lvq->desc.features);
        if (!(distance <= out->distance))
            *out = (farthest){p, distance};
        if (isnan(distance))
            break;
    }
    free(prototypes);
    return status;
}

/* How far the prototypes may go from samples that were looked at. */
static glnn_status find_reach(glnn__lvq *lvq)
{
    farthest start;
    GLNN__TRY(find_farthest(lvq, &start));
    lvq->reach.limit = MOST_TIMES * fmax(sqrt(fmax(lvq->reach.square, 0)), start.distance);
    lvq->reach.epochs = 0;
    return GLNN_OK;
}

static glnn_status check_reach(glnn__lvq *lvq)
{
    glnn__lvq_reach *reach = &lvq->reach;
    farthest now;
    reach->epochs++;
    GLNN__TRY(find_farthest(lvq, &now));
    if (now.distance <= reach->limit)
        return GLNN_OK;
    return glnn__fail(GLNN_E_DIVERGED,
                      "after epoch %d prototype %d, of class %d, is at a distance of %.3g "
                      "from the mean of the samples, whose own is %.3g; the limit is %.3g; a lower "
                      "rate may help",
                      reach->epochs, now.index, lvq->prototypes.class_numbers[now.index],
                      now.distance, sqrt(fmax(reach->square, 0)), reach->limit);
}

/* ---- The learner */

static glnn_status prepare(void *self, int rows, int group)
{
    (void)group;
    glnn__lvq_fill_slots(self);
    return glnn__lvq_prepare(self, rows);
}

static glnn_status gradient(void *self, const glnn__batch *part, const glnn__step *step)
{
    return glnn__lvq_is_single(self, part, step) ? glnn__lvq_move_single(self, part)
                                                 : glnn__lvq_add(self, part, step);
}

static void describe_step(const void *self, int samples, glnn__task_work *out)
{
    glnn__prototypes_describe_step(self, samples, out);
    if (samples == 1 && glnn__lvq_has_single(self))
        out->passes = 2;
}

static glnn_status add_epochs(void *self, const void *epochs)
{
    ((glnn__lvq *)self)->epochs += *(const double *)epochs;
    return GLNN_OK;
}

static glnn_status apply(void *self, const glnn__step *step)
{
    glnn__lvq *lvq = self;
    const double epochs = (double)step->samples / step->epoch_samples;
    GLNN__TRY(glnn__lvq_finish(lvq, step));
    return glnn__list_call(lvq->ctx, add_epochs, lvq, &epochs, sizeof epochs);
}

static void visit(void *self, glnn__visitor *visitor)
{
    glnn__lvq *lvq = self;
    glnn__prototypes *p = &lvq->prototypes;
    glnn__prototypes_visit(p, visitor);
    glnn__visit_matrix(visitor, GLNN__ROLE_STEP, 0, p->sums, NULL, "sums");
    glnn__visit_matrix(visitor, GLNN__ROLE_STEP, 0, p->weights, NULL, "weights");
    glnn__visit_matrix(visitor, GLNN__ROLE_STEP, 0, lvq->pushes, NULL, "pushes");
    glnn__visit_matrix(visitor, GLNN__ROLE_STEP, 0, lvq->gradient, NULL, "gradient");
}

static void changed(void *self)
{
    ((glnn__lvq *)self)->ends.has_gradient = false;
    glnn__prototypes_follow_change(self);
}

static glnn_status measure(void *self, const glnn__batch *part)
{
    glnn__lvq *lvq = self;
    return glnn__lvq_forward(lvq, part, false, &lvq->prototypes.learner.measured);
}

static glnn_status predict(void *self, const glnn__piece *piece, float *outputs, int *classes)
{
    double precision_half = 0;
    if (outputs)
        GLNN__TRY(glnn__lvq_find_precision(self, &precision_half));
    return glnn__prototypes_predict(self, piece, precision_half, outputs, classes);
}

/* The prototypes of some rules may leave the data. */
static glnn_status end_epoch(void *self, double loss, bool *is_done)
{
    (void)loss;
    (void)is_done;
    return glnn__lvq_is_limited(self) ? check_reach(self) : GLNN_OK;
}

static void forget(void *self)
{
    glnn__prototypes_forget(self);
    glnn__lvq_forget_scale(self);
}

static glnn_status meet(void *self, const glnn_dataset *data)
{
    return glnn__lvq_needs_scale(self) ? glnn__lvq_look_at(self, data) : GLNN_OK;
}

/* A training has to know of its data too how far the prototypes may go. */
static glnn_status begin(void *self, const glnn_dataset *data, glnn_train_desc *desc)
{
    glnn__lvq *lvq = self;
    (void)desc;
    lvq->ends.has_gradient = lvq->ends.is_measured =
        false; /* a training has sums of its own there */
    if (!lvq->prototypes.is_set)
        GLNN__TRY(glnn__lvq_initialise(lvq, data));
    if (glnn__lvq_needs_scale(lvq) || glnn__lvq_is_limited(lvq))
        GLNN__TRY(glnn__lvq_look_at(lvq, data));
    return glnn__lvq_is_limited(lvq) ? find_reach(lvq) : GLNN_OK;
}

const glnn_lvq_desc *glnn_lvq_get_desc(const glnn_learner *learner)
{
    const glnn__lvq *lvq = glnn__lvq_of(learner);
    return lvq ? &lvq->desc : NULL;
}

static const char *variant(const void *self)
{
    const glnn__lvq *lvq = self;
    return glnn_lvq_kind_name(lvq->desc.kind);
}

static void print(const void *self, char *text, size_t size)
{
    const glnn__lvq *lvq = self;
    snprintf(text, size, "%s with %d prototypes", variant(self), lvq->prototypes.desc.count);
}

const glnn__learner_type glnn__lvq_type = {
    .name = "classifier",
    .kind = GLNN_LEARNER_LVQ,
    .size = sizeof(glnn__lvq),
    .build = glnn__lvq_build,
    .destroy = glnn__lvq_destroy,
    .variant = variant,
    .print = print,
    .prepare = prepare,
    .gradient = gradient,
    .apply = apply,
    .describe_step = describe_step,
    .measure = measure,
    .predict = predict,
    .store = glnn__prototypes_store,
    .visit = visit,
    .changed = changed,
    .state = glnn__lvq_state,
    .initialise = glnn__lvq_initialise,
    .forget = forget,
    .file = &glnn__lvq_file,
    .export_c = glnn__lvq_export_c,
    .meet = meet,
    .begin = begin,
    .end_epoch = end_epoch,
};

glnn_status glnn_lvq_create(glnn_context *ctx, const glnn_lvq_desc *desc, glnn_learner **out)
{
    return glnn__learner_create(__func__, ctx, &glnn__lvq_type, desc, out);
}
