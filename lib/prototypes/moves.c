#include "prototypes/moves.h"

#include "base/status.h"
#include "data/sequence.h"
#include "ops/distances.h"
#include "ops/sample.h"
#include "pass/pass.h"

#include <glnn/map.h>

const glnn__enumerator glnn__rules[] = {
    GLNN__ENUMERATOR(GLNN__RULE_MARGIN),    GLNN__ENUMERATOR(GLNN__RULE_NEAREST),
    GLNN__ENUMERATOR(GLNN__RULE_WINDOW),    GLNN__ENUMERATOR(GLNN__RULE_ASSIGN),
    GLNN__ENUMERATOR(GLNN__RULE_POSTERIOR), {0}};

enum { RULE };
enum { PRECISION_HALF = GLNN__AFTER_SAMPLE, RATE, XI, LEAST_RATIO, EPSILON, ENTRY };
enum { LOSSES };

static const glnn__kernel moves_kernel = {
    .name = "prototypes/moves",
    .operands = {"WINNERS", "DISTANCES", "CLASSES", "TARGET", "INDEX", "OLD"},
    .unviewed = 6,
    .options = {[RULE] = "RULE"},
    .uniforms = {GLNN__SAMPLE_UNIFORMS, [PRECISION_HALF] = "float precision_half",
                 [RATE] = "float rate", [XI] = "float xi", [LEAST_RATIO] = "float least_ratio",
                 [EPSILON] = "float epsilon", [ENTRY] = "int entry"},
    .side_outputs = {[LOSSES] = "LOSSES"},
    .enumerations = {glnn__rules, glnn__sequence_enumerators},
};

enum { MOVE_COUNT, MOVE_ENTRY };

static const glnn__kernel weigh_kernel = {
    .name = "prototypes/weigh",
    .operands = {"FACTORS", "MOVES"},
    .unviewed = 2,
    .uniforms = {[MOVE_COUNT] = "int count", [MOVE_ENTRY] = "int entry"},
    .enumerations = {glnn__sequence_enumerators},
};

enum { ADD };
enum { EXCESS };

static const glnn__kernel apply_kernel = {
    .name = "prototypes/apply",
    .operands = {"WEIGHTS", "SIZE", "SUMS", "M", "SCALES", "PUSHES"},
    .unviewed = 2,
    .options = {[ADD] = "ADD"},
    .uniforms = {[EXCESS] = "float excess"},
};

static const glnn__kernel low_kernel = {
    .name = "prototypes/low",
    .operands = {"HIGH", "ADDED"},
};

glnn__nearest glnn__prototypes_nearest(const glnn__prototypes *p)
{
    return (glnn__nearest){
        .search = p->desc.search,
        .samples = p->points ? p->points : p->input,
        .prototypes = p->images ? p->images : p->values,
        .winners = p->winners,
    };
}

bool glnn__prototypes_know_distances(const glnn__prototypes *p, int rows)
{
    const glnn_search search = p->desc.search;
    return rows < GLNN__FEW_SAMPLES && (search == GLNN_SEARCH_AUTO || search == GLNN_SEARCH_FUSED);
}

/* With the norms of prototypes that serve several searches, found by the first one. */
static glnn_status search(glnn__prototypes *p, glnn__nearest *nearest)
{
    if (p->desc.keeps_norms && !(p->learner.flags & GLNN__HAS_NORMS))
        GLNN__TRY(glnn__row_norms(p->ctx, nearest->prototypes, p->norms));
    p->learner.flags |= p->desc.keeps_norms ? GLNN__HAS_NORMS : 0u;
    nearest->norms = p->desc.keeps_norms ? p->norms : NULL;
    GLNN__TRY(glnn__nearest_run(p->ctx, nearest));
    if (glnn__prototypes_know_distances(p, p->rows))
        return GLNN_OK;
    return glnn__pair_distances(p->ctx, nearest->samples, nearest->prototypes, p->winners,
                                nearest->count, p->distances);
}

glnn_status glnn__prototypes_search(glnn__prototypes *p, int count)
{
    glnn__nearest nearest = glnn__prototypes_nearest(p);
    nearest.kind = GLNN__NEAREST_TWO;
    nearest.count = count;
    return search(p, &nearest);
}

glnn_status glnn__prototypes_find_scores(glnn__prototypes *p, glnn_matrix *out)
{
    const glnn__nearest space = glnn__prototypes_nearest(p);
    GLNN__TRY(glnn__row_norms(p->ctx, space.prototypes, p->norms));
    return glnn__row_scores(p->ctx, space.samples, space.prototypes, p->norms, out);
}

static bool is_labelled(const glnn__moves *moves)
{
    return moves->rule == GLNN__RULE_MARGIN ||
           (moves->rule == GLNN__RULE_ASSIGN && moves->uses_labels);
}

static glnn_status search_batch(glnn__prototypes *p, const glnn__batch *batch,
                                const glnn__moves *moves)
{
    glnn__nearest nearest = glnn__prototypes_nearest(p);
    nearest.kind = GLNN__NEAREST_TWO;
    nearest.first = glnn__batch_first(batch);
    nearest.count = batch->count;
    if (is_labelled(moves)) {
        nearest.kind = GLNN__NEAREST_LABELLED;
        nearest.classes = p->classes;
        nearest.targets = batch->data->targets;
        nearest.order = batch->order;
        nearest.dataset_samples = batch->data->samples;
    }
    return search(p, &nearest);
}

glnn_status glnn__prototypes_find_moves(glnn__prototypes *p, const glnn__batch *batch,
                                        const glnn__moves *moves, const glnn_matrix *scores_of,
                                        const glnn__metrics *to)
{
    const bool is_assignment = moves->rule == GLNN__RULE_ASSIGN;
    const bool has_labels = !is_assignment || moves->uses_labels;
    const glnn_matrix *distances =
        glnn__prototypes_know_distances(p, p->rows) ? NULL : p->distances;
    const glnn__pass pass = {
        .kernel = &moves_kernel,
        .operands = {{.matrix = scores_of ? NULL : p->winners},
                     {.matrix = scores_of ? scores_of : distances},
                     {.matrix = has_labels ? p->classes : NULL},
                     {.matrix = has_labels ? batch->data->targets : NULL},
                     {.matrix = has_labels ? batch->order : NULL},
                     {.matrix = to->rows}},
        .output = to->rows,
        .side_outputs = {[LOSSES] = to->losses},
        .options = {[RULE] = moves->rule},
        .uniforms = {GLNN__SAMPLE_VALUES(glnn__batch_first(batch), batch->count,
                                         has_labels ? batch->data->samples : 0),
                     [PRECISION_HALF] = {.f = moves->precision_half}, [RATE] = moves->rate,
                     [XI] = moves->xi, [LEAST_RATIO] = {.f = moves->least_ratio},
                     [EPSILON] = {.f = moves->epsilon}, [ENTRY] = glnn__batch_entry(batch)},
    };
    const glnn__label former = glnn__label_part(p->ctx, "find nearest prototypes");
    glnn_status status = scores_of ? GLNN_OK : search_batch(p, batch, moves);
    if (!status)
        status = glnn__pass_run(p->ctx, &pass);
    return glnn__label_end(p->ctx, former, status);
}

glnn_status glnn__prototypes_weigh_moves(glnn__prototypes *p, const glnn__batch *batch,
                                         const glnn__metrics *of)
{
    return of->factors
               ? glnn__pass_run(p->ctx,
                                &(glnn__pass){
                                    .kernel = &weigh_kernel,
                                    .operands = {{.matrix = of->factors}, {.matrix = of->rows}},
                                    .output = of->rows,
                                    .uniforms = {[MOVE_COUNT] = {.i = batch->count},
                                                 [MOVE_ENTRY] = glnn__batch_entry(batch)},
                                })
               : GLNN_OK;
}

/* The low digits need the prototypes before the move. */
glnn_status glnn__prototypes_add_moves(glnn__prototypes *p, glnn_matrix *moves)
{
    glnn__prototypes_changed(p);
    GLNN__TRY(glnn_axpy(p->ctx, 1, p->low, moves));
    GLNN__TRY(glnn__pass_run(p->ctx, &(glnn__pass){
                                         .kernel = &low_kernel,
                                         .operands = {{.matrix = p->values}, {.matrix = moves}},
                                         .output = p->low,
                                     }));
    return glnn_axpy(p->ctx, 1, moves, p->values);
}

static glnn_status run_apply(glnn__prototypes *p, const glnn__sums *how, bool adds,
                             glnn_matrix *out)
{
    return glnn__pass_run(
        p->ctx, &(glnn__pass){
                    .kernel = &apply_kernel,
                    .operands = {{.matrix = p->weights},
                                 {.matrix = how->sizes},
                                 {.matrix = p->sums},
                                 {.matrix = p->values},
                                 {.matrix = how->scales, .view = glnn__view_broadcast(true, false)},
                                 {.matrix = how->pushes}},
                    .output = out,
                    .options = {[ADD] = adds},
                    .uniforms = {[EXCESS] = how->excess},
                });
}

glnn_status glnn__prototypes_apply(glnn__prototypes *p, const glnn__sums *how)
{
    if (how->moves)
        return run_apply(p, how, false, how->moves);
    glnn__prototypes_changed(p);
    if (!p->low)
        return run_apply(p, how, true, p->values);
    GLNN__TRY(run_apply(p, how, false, p->moved));
    return glnn__prototypes_add_moves(p, p->moved);
}

glnn_status glnn__means_assign(glnn__prototypes *p, const glnn__batch *part, bool uses_labels,
                               const glnn__metrics *metrics)
{
    const glnn__moves moves = {.rule = GLNN__RULE_ASSIGN, .uses_labels = uses_labels};
    return glnn__prototypes_find_moves(p, part, &moves, NULL, metrics);
}

glnn_status glnn__means_add(glnn__prototypes *p, int count, float factor)
{
    const glnn_matrix *moves = p->learner.metrics.rows;
    GLNN__TRY(glnn__scatter_add_link(p->ctx, moves, count, &p->links));
    return glnn__scatter_add_sum(p->ctx, &p->links, moves, p->input, factor, p->sums, p->weights);
}

glnn_status glnn__means_update(glnn__prototypes *p, const glnn_matrix *sizes)
{
    return glnn__prototypes_apply(p, &(glnn__sums){.sizes = sizes});
}
