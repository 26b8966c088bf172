/* Training k-means: Lloyd's iteration and mini-batches. */
#include "prototypes/kmeans/kmeans.h"

#include "base/integers.h"
#include "base/log.h"
#include "base/status.h"
#include "pass/list.h"

#include <glnn/copy.h>
#include <glnn/map.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Moves the centres by what was summed up. */
static glnn_status update(glnn__kmeans *kmeans)
{
    glnn__prototypes *p = &kmeans->prototypes;
    if (kmeans->is_lloyd)
        GLNN__TRY(glnn_copy(kmeans->ctx, p->weights, p->learnt));
    else
        GLNN__TRY(glnn_axpy(kmeans->ctx, 1, p->weights, p->learnt));
    return glnn__means_update(p, p->learnt);
}

/* Looks through a part of a batch for samples far from their centres. Waits; but it is not often
 * that a centre is without samples. */
static glnn_status look_through(void *self, const void *part)
{
    glnn__kmeans *kmeans = self;
    const int count = *(const int *)part;
    glnn__prototypes *p = &kmeans->prototypes;
    glnn__winners found = {.classes = malloc((size_t)count * sizeof(int)),
                           .distances = malloc((size_t)count * sizeof(float))};
    float *samples = NULL;
    glnn_status status = found.classes && found.distances
                             ? glnn__prototypes_take_winners(p, count, &found)
                             : glnn__fail(GLNN_E_NOMEM, "no memory for %d winners", count);
    if (!status)
        status = glnn__take_rows(kmeans->ctx, p->input, count, &samples);
    for (int i = 0; i < count && !status; ++i) {
        const int class = found.classes[i];
        const float *sample = samples + (size_t)i * (size_t)p->desc.features;
        if (class >= 0)
            glnn__far_offer(&kmeans->far, class, found.distances[i], sample);
    }
    free(found.classes);
    free(found.distances);
    free(samples);
    return status;
}

static glnn_status prepare(void *self, int rows, int group)
{
    glnn__kmeans *kmeans = self;
    unsigned *flags = &kmeans->prototypes.learner.flags;
    (void)group;
    *flags = kmeans->far.is_wanted ? *flags | GLNN__LOOKS_FAR : *flags & ~(unsigned)GLNN__LOOKS_FAR;
    return glnn__prototypes_prepare(&kmeans->prototypes, rows);
}

/* Assigns the samples of a part and measures them. */
static glnn_status assign(glnn__kmeans *kmeans, const glnn__batch *part,
                          const glnn__metrics *metrics)
{
    glnn__prototypes *p = &kmeans->prototypes;
    GLNN__TRY(glnn__prototypes_gather(p, part));
    return glnn__means_assign(p, part, kmeans->desc.classes > 0 && part->data->labels, metrics);
}

static glnn_status clear_sums(glnn__kmeans *kmeans)
{
    GLNN__TRY(glnn_fill(kmeans->ctx, 0, kmeans->prototypes.sums));
    return glnn_fill(kmeans->ctx, 0, kmeans->prototypes.weights);
}

static glnn_status add(glnn__kmeans *kmeans, const glnn__batch *part, const glnn__step *step)
{
    glnn__prototypes *p = &kmeans->prototypes;
    GLNN__TRY(assign(kmeans, part, &p->learner.metrics));
    GLNN__TRY(glnn__means_add(p, part->count, kmeans->is_lloyd || !step->is_first ? 1 : 0));
    return p->learner.flags & GLNN__LOOKS_FAR ? glnn__list_call(kmeans->ctx, look_through, kmeans,
                                                                &part->count, sizeof part->count)
                                              : GLNN_OK;
}

/* The sums of Lloyd's iteration are over an epoch, those of others over a step. */
static void visit(void *self, glnn__visitor *visitor)
{
    glnn__kmeans *kmeans = self;
    const glnn__role role = kmeans->is_lloyd ? GLNN__ROLE_SUM : GLNN__ROLE_STEP;
    glnn__prototypes_visit(self, visitor);
    glnn__visit_matrix(visitor, role, 0, kmeans->prototypes.sums, NULL, "sums");
    glnn__visit_matrix(visitor, role, 0, kmeans->prototypes.weights, NULL, "weights");
    glnn__far_visit(&kmeans->far, visitor);
}

static glnn_status gradient(void *self, const glnn__batch *part, const glnn__step *step)
{
    return part->count > 0 ? add(self, part, step) : GLNN_OK;
}

static glnn_status apply(void *self, const glnn__step *step)
{
    glnn__kmeans *kmeans = self;
    (void)step;
    GLNN__TRY(update(kmeans));
    return kmeans->is_lloyd ? clear_sums(kmeans) : GLNN_OK;
}

static glnn_status measure(void *self, const glnn__batch *part)
{
    glnn__kmeans *kmeans = self;
    return assign(kmeans, part, &kmeans->prototypes.learner.measured);
}

/* No sample came to this centre in the epoch. */
static bool is_empty(const glnn__kmeans *kmeans, int centre)
{
    const float before = kmeans->is_lloyd ? 0 : kmeans->sizes_before[centre];
    return kmeans->sizes_now[centre] == before;
}

/* Puts centres without samples on the far samples that were found; *placed counts them. */
static glnn_status place_empty(glnn__kmeans *kmeans, int *placed)
{
    const glnn__far *far = &kmeans->far;
    const int features = kmeans->desc.features;
    for (int p = 0, place = 0; p < kmeans->prototypes.desc.count; ++p) {
        const int class = p / kmeans->desc.centres;
        place = p % kmeans->desc.centres == 0 ? far->first[class] : place;
        const float *row = glnn__far_row(far, place);
        if (!is_empty(kmeans, p) || place == far->first[class + 1] || row[0] == 0)
            continue;
        const glnn_rect centre = {p, 0, 1, features}, element = {p, 0, 1, 1};
        GLNN__TRY(glnn_matrix_upload(kmeans->ctx, kmeans->prototypes.values, &centre, row + 1, 0));
        GLNN__TRY(
            glnn_matrix_upload(kmeans->ctx, kmeans->prototypes.learnt, &element, &(float){0}, 0));
        kmeans->sizes_now[p] = 0;
        ++place;
        ++*placed;
    }
    if (*placed > 0)
        glnn__prototypes_changed(&kmeans->prototypes);
    return GLNN_OK;
}

/* Asks for far samples of each class, one for each of its centres that has no samples. */
static glnn_status want_far(glnn__kmeans *kmeans)
{
    const int classes = glnn__kmeans_class_count(kmeans);
    int *wanted = calloc((size_t)classes, sizeof *wanted), empty = 0;
    if (!wanted)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %d classes", classes);
    for (int p = 0; p < kmeans->prototypes.desc.count; ++p) {
        const int is_one = is_empty(kmeans, p);
        wanted[p / kmeans->desc.centres] += is_one;
        empty += is_one;
    }
    glnn_status status =
        empty > 0 ? glnn__far_create(&kmeans->far, classes, kmeans->desc.features, wanted)
                  : GLNN_OK;
    free(wanted);
    return status;
}

/* Centres without samples are found out at the end of an epoch, and far samples during the next. */
static glnn_status handle_empty(glnn__kmeans *kmeans, bool *is_settled)
{
    int placed = 0;
    GLNN__TRY(
        glnn_matrix_download(kmeans->ctx, kmeans->prototypes.learnt, NULL, kmeans->sizes_now, 0));
    if (kmeans->far.is_wanted) {
        GLNN__TRY(place_empty(kmeans, &placed));
        glnn__far_destroy(&kmeans->far);
        *is_settled = placed == 0;
    } else {
        GLNN__TRY(want_far(kmeans));
        *is_settled = !kmeans->far.is_wanted;
    }
    memcpy(kmeans->sizes_before, kmeans->sizes_now,
           (size_t)kmeans->prototypes.desc.count * sizeof(float));
    return GLNN_OK;
}

/* A run ends by the tolerance. Where another one follows, it also ends after its share of the
 * epochs, and begin_epoch starts the next: its centres are still to be validated and set aside. */
static void end_run(glnn__kmeans *kmeans, bool has_converged, bool *is_done)
{
    glnn__run *run = &kmeans->run;
    const bool is_last = run->number >= kmeans->desc.restarts;
    *is_done = is_last && has_converged;
    run->epochs++;
    if (is_last || !(has_converged || run->epochs >= run->limit))
        return;
    glnn__log(GLNN_LOG_INFO, "k-means: run %d of %d ends after %d epochs with an error of %g",
              run->number + 1, kmeans->desc.restarts + 1, run->epochs, kmeans->last_loss);
    run->number++;
    run->epochs = 0;
}

static glnn_status end_epoch(void *self, double loss, bool *is_done)
{
    glnn__kmeans *kmeans = self;
    bool is_settled;
    GLNN__TRY(handle_empty(kmeans, &is_settled));
    const double tolerance = (double)kmeans->desc.tolerance;
    const bool has_converged = is_settled && tolerance >= 0 && isfinite(kmeans->last_loss) &&
                               kmeans->last_loss - loss <= tolerance * kmeans->last_loss;
    kmeans->last_loss = loss;
    end_run(kmeans, has_converged, is_done);
    return GLNN_OK;
}

static void state(void *self, glnn__state *state)
{
    glnn__kmeans *kmeans = self;
    glnn__prototypes *p = &kmeans->prototypes;
    glnn__state_bool(state, &p->is_set, "is_set");
    glnn__state_double(state, &kmeans->last_loss, "last_loss");
    glnn__state_int(state, &kmeans->run.number, "run");
    glnn__state_int(state, &kmeans->run.epochs, "run.epochs");
    glnn__state_floats(state, kmeans->sizes_before, (size_t)p->desc.count, "sizes_before");
    glnn__far_state(&kmeans->far, glnn__kmeans_class_count(kmeans), p->desc.features,
                    kmeans->desc.centres, state);
}

static glnn_status predict(void *self, const glnn__piece *piece, float *outputs, int *classes)
{
    return glnn__prototypes_predict(self, piece, 0, outputs, classes);
}

/* Forgets the samples and losses of former runs. */
static glnn_status begin_run(glnn__kmeans *kmeans)
{
    kmeans->last_loss = INFINITY;
    glnn__far_destroy(&kmeans->far);
    GLNN__TRY(clear_sums(kmeans));
    return glnn_matrix_download(kmeans->ctx, kmeans->prototypes.learnt, NULL, kmeans->sizes_before,
                                0);
}

static glnn_status begin(void *self, const glnn_dataset *data, glnn_train_desc *desc)
{
    glnn__kmeans *kmeans = self;
    kmeans->is_lloyd = kmeans->prototypes.learner.updates_by_epoch;
    kmeans->run = (glnn__run){
        .data = data,
        .limit = glnn__ceil_div(desc->epochs, kmeans->desc.restarts + 1),
    };
    if (!kmeans->prototypes.is_set)
        GLNN__TRY(glnn__kmeans_initialise(kmeans, data, 0));
    return begin_run(kmeans);
}

static glnn_status begin_epoch(void *self)
{
    glnn__kmeans *kmeans = self;
    const glnn__run *run = &kmeans->run;
    if (run->number == 0 || run->epochs > 0)
        return GLNN_OK;
    GLNN__TRY(glnn__kmeans_initialise(kmeans, run->data, run->number));
    return begin_run(kmeans);
}

const glnn_kmeans_desc *glnn_kmeans_get_desc(const glnn_learner *learner)
{
    const glnn__kmeans *kmeans = glnn__kmeans_of(learner);
    return kmeans ? &kmeans->desc : NULL;
}

static void print(const void *self, char *text, size_t size)
{
    const glnn__kmeans *kmeans = self;
    snprintf(text, size, "%d centres", kmeans->prototypes.desc.count);
}

static glnn_status initialise(void *self, const glnn_dataset *data)
{
    return glnn__kmeans_initialise(self, data, 0);
}

const glnn__learner_type glnn__kmeans_type = {
    .name = "k-means",
    .kind = GLNN_LEARNER_KMEANS,
    .size = sizeof(glnn__kmeans),
    .build = glnn__kmeans_build,
    .destroy = glnn__kmeans_destroy,
    .print = print,
    .prepare = prepare,
    .gradient = gradient,
    .apply = apply,
    .describe_step = glnn__prototypes_describe_step,
    .measure = measure,
    .predict = predict,
    .store = glnn__prototypes_store,
    .visit = visit,
    .changed = glnn__prototypes_follow_change,
    .state = state,
    .initialise = initialise,
    .forget = glnn__prototypes_forget,
    .export_c = glnn__kmeans_export_c,
    .file = &glnn__kmeans_file,
    .begin = begin,
    .begin_epoch = begin_epoch,
    .end_epoch = end_epoch,
};

glnn_status glnn_kmeans_create(glnn_context *ctx, const glnn_kmeans_desc *desc, glnn_learner **out)
{
    return glnn__learner_create(__func__, ctx, &glnn__kmeans_type, desc, out);
}

glnn_status glnn__kmeans_train_chosen(glnn_learner *learner, const glnn_dataset *data,
                                      const glnn__chosen *chosen, const glnn_train_desc *desc,
                                      glnn_train_result *result)
{
    glnn__kmeans *kmeans = glnn__kmeans_of(learner);
    kmeans->chosen = chosen;
    learner->chosen = chosen->samples;
    learner->chosen_count = chosen->count;
    glnn__prototypes_forget(kmeans);
    const glnn_status status = glnn_learner_train(learner, data, desc, result);
    kmeans->chosen = NULL;
    learner->chosen = NULL;
    return status;
}
