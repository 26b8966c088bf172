/* The preparations that learners keep. */
#include <glnn/preparation.h>

#include "base/status.h"
#include "learn/gmm.h"
#include "learn/kmeans.h"
#include "learn/lvq.h"
#include "learn/mlp.h"

/* The learner that a preparation is for. */
typedef struct prepared {
    const char *function; /* for error sentences */
    int inputs;
    int outputs;
    bool has_targets; /* its outputs may stand for targets */
} prepared;

static glnn_status check_fit(const prepared *of, const glnn_preparation *preparation)
{
    const int inputs = glnn_preparation_inputs(preparation);
    if (inputs != of->inputs)
        return glnn__fail(GLNN_E_SHAPE,
                          "%s: the preparation makes %d inputs, but the learner has %d",
                          of->function, inputs, of->inputs);
    if (preparation->classes > 0 && preparation->classes != of->outputs)
        return glnn__fail(GLNN_E_SHAPE,
                          "%s: the preparation has %d classes, but the learner has %d",
                          of->function, preparation->classes, of->outputs);
    if (preparation->columns.targets > 0 && !of->has_targets)
        return glnn__fail(GLNN_E_SHAPE,
                          "%s: the preparation has %d targets, but the learner learns none",
                          of->function, preparation->columns.targets);
    if (preparation->columns.targets > 0 && preparation->columns.targets != of->outputs)
        return glnn__fail(GLNN_E_SHAPE,
                          "%s: the preparation has %d targets, but the learner has %d outputs",
                          of->function, preparation->columns.targets, of->outputs);
    return GLNN_OK;
}

static glnn_status keep(const prepared *of, const glnn_preparation *preparation,
                        glnn_preparation *kept)
{
    glnn_preparation copy = {0};
    if (preparation)
        GLNN__TRY(glnn_preparation_copy(preparation, &copy));
    glnn_status status = copy.columns.features > 0 ? check_fit(of, &copy) : GLNN_OK;
    if (status) {
        glnn_preparation_free(&copy);
        return status;
    }
    glnn_preparation_free(kept);
    *kept = copy;
    return GLNN_OK;
}

static const glnn_preparation *non_empty(const glnn_preparation *preparation)
{
    return preparation->columns.features > 0 ? preparation : NULL;
}

glnn_status glnn_mlp_set_preparation(glnn_mlp *mlp, const glnn_preparation *preparation)
{
    if (!mlp)
        return glnn__fail(GLNN_E_ARG, "%s: the network is null", __func__);
    const prepared of = {.function = __func__,
                         .inputs = mlp->desc.inputs,
                         .outputs = mlp->desc.units[mlp->desc.layers - 1],
                         .has_targets = true};
    return keep(&of, preparation, &mlp->preparation);
}

const glnn_preparation *glnn_mlp_get_preparation(const glnn_mlp *mlp)
{
    return mlp ? non_empty(&mlp->preparation) : NULL;
}

glnn_status glnn_lvq_set_preparation(glnn_lvq *lvq, const glnn_preparation *preparation)
{
    if (!lvq)
        return glnn__fail(GLNN_E_ARG, "%s: the classifier is null", __func__);
    const prepared of = {
        .function = __func__, .inputs = lvq->desc.features, .outputs = lvq->desc.classes};
    return keep(&of, preparation, &lvq->preparation);
}

const glnn_preparation *glnn_lvq_get_preparation(const glnn_lvq *lvq)
{
    return lvq ? non_empty(&lvq->preparation) : NULL;
}

glnn_status glnn_kmeans_set_preparation(glnn_kmeans *kmeans, const glnn_preparation *preparation)
{
    if (!kmeans)
        return glnn__fail(GLNN_E_ARG, "%s: kmeans is null", __func__);
    const prepared of = {
        .function = __func__, .inputs = kmeans->desc.features, .outputs = kmeans->desc.classes};
    return keep(&of, preparation, &kmeans->preparation);
}

const glnn_preparation *glnn_kmeans_get_preparation(const glnn_kmeans *kmeans)
{
    return kmeans ? non_empty(&kmeans->preparation) : NULL;
}

glnn_status glnn_gmm_set_preparation(glnn_gmm *gmm, const glnn_preparation *preparation)
{
    if (!gmm)
        return glnn__fail(GLNN_E_ARG, "%s: the mixture is null", __func__);
    const prepared of = {
        .function = __func__, .inputs = gmm->desc.features, .outputs = gmm->desc.classes};
    return keep(&of, preparation, &gmm->preparation);
}

const glnn_preparation *glnn_gmm_get_preparation(const glnn_gmm *gmm)
{
    return gmm ? non_empty(&gmm->preparation) : NULL;
}
