/* A step of one sample in the fewest passes: to the winners of parts of the prototypes, and from
 * these to prototypes that have moved. The sample is read where it lies in the data set. */
#include "prototypes/lvq/lvq.h"

#include "base/status.h"
#include "ops/nearest.h"
#include "ops/sample.h"
#include "pass/pass.h"

enum { RULE, LABELLED };
enum { RATE = GLNN__AFTER_SAMPLE, XI, LEAST_RATIO, EPSILON };

static const glnn__kernel move_kernel = {
    .name = "prototypes/move_winners",
    .operands = {"PARTS", "CLASSES", "TARGET", "INDEX", "X", "M"},
    .unviewed = 5,
    .options = {[RULE] = "RULE", [LABELLED] = "LABELLED"},
    .uniforms = {GLNN__SAMPLE_UNIFORMS, [RATE] = "float rate", [XI] = "float xi",
                 [LEAST_RATIO] = "float least_ratio", [EPSILON] = "float epsilon"},
    .side_outputs = {"METRICS"},
    .enumerations = {glnn__rules},
};

bool glnn__lvq_has_single(const glnn__lvq *lvq)
{
    const glnn__prototypes *p = &lvq->prototypes;
    const glnn_search search = p->desc.search;
    return lvq->traits->rule != GLNN__RULE_POSTERIOR && lvq->desc.kind != GLNN_LVQ_OLVQ1 &&
           p->desc.metric == GLNN__METRIC_PLAIN && !p->low && !p->uses_offset &&
           (search == GLNN_SEARCH_AUTO || search == GLNN_SEARCH_FUSED);
}

/* These passes record no losses for emphasis. */
bool glnn__lvq_is_single(const glnn__lvq *lvq, const glnn__batch *part, const glnn__step *step)
{
    return part->count == 1 && lvq->candidates && glnn__lvq_has_single(lvq) &&
           glnn__lvq_moves_at_once(lvq, step) && !part->distorter &&
           !lvq->prototypes.learner.metrics.losses;
}

static glnn_status find_candidates(glnn__lvq *lvq, const glnn__batch *part, bool is_labelled)
{
    const glnn__prototypes *p = &lvq->prototypes;
    return glnn__nearest_run(lvq->ctx,
                             &(glnn__nearest){
                                 .kind = is_labelled ? GLNN__NEAREST_LABELLED : GLNN__NEAREST_TWO,
                                 .search = GLNN_SEARCH_FUSED,
                                 .samples = part->data->inputs,
                                 .is_in_dataset = true,
                                 .prototypes = p->values,
                                 .classes = is_labelled ? p->classes : NULL,
                                 .targets = is_labelled ? part->data->targets : NULL,
                                 .order = part->order,
                                 .first = glnn__batch_first(part),
                                 .count = 1,
                                 .dataset_samples = part->data->samples,
                                 .winners = lvq->candidates,
                             });
}

/* 0, for all blocks, if those of the winners are many of them. */
static int picks_of(const glnn_matrix *prototypes)
{
    const glnn__extent *extent = &prototypes->texture->extent;
    return extent->wrap == 0 && extent->height >= 4 ? 2 : 0;
}

static glnn_status move(glnn__lvq *lvq, const glnn__batch *part, bool is_labelled)
{
    const glnn__prototypes *p = &lvq->prototypes;
    const glnn__moves moves = glnn__lvq_moves(lvq, true);
    return glnn__pass_run(
        lvq->ctx,
        &(glnn__pass){
            .kernel = &move_kernel,
            .operands = {{.matrix = lvq->candidates},
                         {.matrix = is_labelled ? NULL : p->classes},
                         {.matrix = is_labelled ? NULL : part->data->targets},
                         {.matrix = part->order},
                         {.matrix = part->data->inputs},
                         {.matrix = p->values}},
            .output = p->values,
            .side_outputs = {p->learner.metrics.rows},
            .side_adds = {true},
            .options = {[RULE] = moves.rule, [LABELLED] = is_labelled},
            .uniforms =
                {GLNN__SAMPLE_VALUES(glnn__batch_first(part), 1, part->data->samples),
                 [RATE] = moves.rate, [XI] = moves.xi, [LEAST_RATIO] = {.f = moves.least_ratio},
                 [EPSILON] = {.f = moves.epsilon}},
            .picks = picks_of(p->values),
        });
}

glnn_status glnn__lvq_move_single(glnn__lvq *lvq, const glnn__batch *part)
{
    const bool is_labelled = lvq->traits->rule == GLNN__RULE_MARGIN;
    const glnn__label former = glnn__label_part(lvq->ctx, "find nearest prototypes");
    const glnn_status status = find_candidates(lvq, part, is_labelled);
    GLNN__TRY(glnn__label_end(lvq->ctx, former, status));
    glnn__label_part(lvq->ctx, "move prototypes");
    return glnn__label_end(lvq->ctx, former, move(lvq, part, is_labelled));
}
