/* Making and destroying learners, and what a kind answers itself. */
#include "learn/learner.h"

#include "base/log.h"
#include "base/names.h"
#include "base/status.h"
#include "gl/gl.h"
#include "learn/snapshot.h"

#include <glnn/export.h>

#include <stdlib.h>

static const char *const kind_names[] = {
    [GLNN_LEARNER_NETWORK] = "network", [GLNN_LEARNER_LVQ] = "lvq",
    [GLNN_LEARNER_KMEANS] = "kmeans",   [GLNN_LEARNER_GMM] = "gmm",
    [GLNN_LEARNER_SVM] = "svm",
};

GLNN__DEFINE_NAMES(glnn_learner_kind, kind_names)

/* ---- Making and destroying */

static void report(void *self)
{
    const glnn_learner *learner = self;
    char text[128];
    learner->type->print(learner, text, sizeof text);
    glnn__log(GLNN_LOG_WARNING, "glnn_context_destroy: a %s still exists: %s", learner->type->name,
              text);
}

glnn_status glnn__learner_create(const char *function, glnn_context *ctx,
                                 const glnn__learner_type *type, const void *desc,
                                 glnn_learner **out)
{
    if (!out)
        return glnn__fail_null(function, "out");
    *out = NULL;
    if (!ctx)
        return glnn__fail_null(function, "ctx");
    GLNN__TRY(glnn__context_check(function, NULL, ctx));
    if (!desc)
        return glnn__fail_null(function, "desc");
    glnn_learner *learner = calloc(1, type->size);
    if (!learner)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a %s", function, type->name);
    learner->type = type;
    learner->ctx = ctx;
    glnn_status status = glnn__gl_enter_for(ctx, function);
    if (!status)
        status = glnn__gl_leave(ctx, type->build(learner, desc));
    if (status) {
        glnn_learner_destroy(learner);
        return status;
    }
    glnn__object_add(ctx, &learner->object, report, learner);
    *out = learner;
    return GLNN_OK;
}

glnn_status glnn__learner_create_metrics(glnn_learner *learner, int columns)
{
    glnn_context *ctx = learner->ctx;
    const int capacity = learner->capacity;
    glnn_status status = glnn__metrics_create(ctx, capacity, columns, &learner->metrics);
    if (!status)
        status = glnn__metrics_create(ctx, capacity, columns, &learner->measured);
    return status == GLNN_E_LIMIT ? glnn__fail(status, "a capacity of %d samples is too large: %s",
                                               capacity, glnn_last_error())
                                  : status;
}

void glnn_learner_destroy(glnn_learner *learner)
{
    if (!learner)
        return;
    glnn__dependent_remove(&learner->object);
    if (learner->held_by)
        *learner->held_by = NULL;
    glnn__lists_destroy(&learner->lists);
    glnn__snapshot_destroy(&learner->snapshot);
    glnn_preparation_free(&learner->preparation);
    learner->type->destroy(learner);
    glnn__metrics_destroy(&learner->metrics);
    glnn__metrics_destroy(&learner->measured);
    if (learner->remains)
        *learner->remains = learner;
    else
        free(learner);
}

/* ---- Properties */

glnn_status glnn__learner_check_kind(const char *function, const glnn_learner *learner,
                                     glnn_learner_kind kind)
{
    if (learner->type->kind == kind)
        return GLNN_OK;
    return glnn__fail(GLNN_E_ARG, "%s: is for learners of kind %s; this one is of kind %s",
                      function, glnn_learner_kind_name(kind),
                      glnn_learner_kind_name(learner->type->kind));
}

glnn_status glnn__learner_check_set(const glnn_learner *learner)
{
    return !learner->is_set || *learner->is_set ? GLNN_OK
                                                : glnn__fail(GLNN_E_STATE, "%s", learner->unset);
}

glnn_learner_kind glnn_learner_get_kind(const glnn_learner *learner)
{
    return learner ? learner->type->kind : GLNN_LEARNER_KIND_COUNT;
}

int glnn_learner_get_features(const glnn_learner *learner)
{
    return learner ? learner->features : 0;
}

int glnn_learner_get_outputs(const glnn_learner *learner)
{
    return learner ? learner->predicted : 0;
}

/* ---- Calls that a kind answers itself */

glnn_status glnn_learner_initialise(glnn_learner *learner, const glnn_dataset *data)
{
    GLNN__HELD(learner);
    GLNN__NOT_NULL(data);
    if (!learner->type->initialise)
        return glnn__fail(GLNN_E_UNSUPPORTED,
                          "%s: a %s has its first parameters from the start, not from samples",
                          __func__, learner->type->name);
    GLNN__TRY(glnn__gl_enter(learner->ctx));
    return glnn__gl_leave(learner->ctx, learner->type->initialise(learner, data));
}

glnn_status glnn_learner_export_c(const glnn_learner *learner, const char *path, const char *name)
{
    GLNN__HELD(learner);
    GLNN__NOT_NULL(path);
    GLNN__NOT_NULL(name);
    if (!learner->type->export_c)
        return glnn__fail(GLNN_E_UNSUPPORTED, "%s: a %s cannot be exported as C source", __func__,
                          learner->type->name);
    return glnn__fail_in(__func__, learner->type->export_c(learner, path, name));
}
