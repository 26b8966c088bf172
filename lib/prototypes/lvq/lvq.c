/* Making and unmaking a classifier of prototypes. */
#include "prototypes/lvq/lvq.h"

#include "base/integers.h"
#include "base/status.h"
#include "gl/lifetime.h"
#include "io/fields.h"

#include <stddef.h>
#include <stdlib.h>

/* The slope of a margin's loss is steep, xi / 4 at the border, and classes that overlap push LVQ1's
 * prototypes out of the data at higher rates. OLVQ1's rates fall by themselves, but a prototype
 * that is wrong as often as right keeps the first one. */
#define DEFAULT_RATE           0.005f
#define DEFAULT_OWN_RATE       0.01f
#define DEFAULT_POSTERIOR_RATE 0.01f

/* Of the metric. */
#define METRIC_RATE 1
#define OMEGA_RATE  0.05

static const glnn__lvq_traits kinds[GLNN_LVQ_KIND_COUNT] = {
    [GLNN_LVQ_GLVQ] = {GLNN__RULE_MARGIN, DEFAULT_RATE, 1, GLNN__METRIC_PLAIN, NULL},
    [GLNN_LVQ_GRLVQ] = {GLNN__RULE_MARGIN, DEFAULT_RATE, 1, GLNN__METRIC_ROOTS, "relevances"},
    [GLNN_LVQ_GMLVQ] = {GLNN__RULE_MARGIN, DEFAULT_RATE, (float)OMEGA_RATE, GLNN__METRIC_OMEGA,
                        "omega"},
    [GLNN_LVQ_RSLVQ] = {GLNN__RULE_POSTERIOR, DEFAULT_POSTERIOR_RATE, 1, GLNN__METRIC_PLAIN, NULL},
    [GLNN_LVQ_LVQ1] = {GLNN__RULE_NEAREST, DEFAULT_RATE, 1, GLNN__METRIC_PLAIN, NULL},
    [GLNN_LVQ_OLVQ1] = {GLNN__RULE_NEAREST, DEFAULT_OWN_RATE, 1, GLNN__METRIC_PLAIN, "rates"},
    [GLNN_LVQ_LVQ21] = {GLNN__RULE_WINDOW, DEFAULT_RATE, 1, GLNN__METRIC_PLAIN, NULL},
    [GLNN_LVQ_LVQ3] = {GLNN__RULE_WINDOW, DEFAULT_RATE, 1, GLNN__METRIC_PLAIN, NULL},
};

GLNN__DECLARE_NAMES(glnn_lvq_kind)
GLNN__DECLARE_NAMES(glnn_lvq_init)
GLNN__DECLARE_NAMES(glnn_search)
GLNN__DECLARE_NAMES(glnn_layout)

#define AT(member) offsetof(glnn_lvq_desc, member)

static const glnn__field fields[] = {
    GLNN__ROW(CHOICE, kind, GLNN__IN_FILES, .names = &glnn__names_of_glnn_lvq_kind),
    GLNN__ROW(INT, features, GLNN__IN_FILES, .least = 1),
    GLNN__ROW(INT, classes, GLNN__IN_FILES, .least = 1),
    GLNN__ROW(INT, prototypes, GLNN__NOT_KEPT, .standard = 1, .stays = true, .least = 1),
    GLNN__ROW(CHOICE, init, GLNN__NOT_KEPT, .names = &glnn__names_of_glnn_lvq_init),
    GLNN__ROW(INT, kmeans_steps, GLNN__NOT_KEPT, .standard = 5, .least = 1, .most = 1000),
    GLNN__ROW(FLOAT, xi, GLNN__IN_FILES, .standard = 20, .above = true),
    GLNN__ROW(FLOAT, xi_growth, GLNN__IN_FILES),
    GLNN__ROW(FLOAT, window, GLNN__IN_FILES, .standard = 0.3, .above = true, .most = 1,
              .below = true),
    GLNN__ROW(FLOAT, epsilon, GLNN__IN_FILES, .standard = 0.2, .above = true, .most = 1),
    GLNN__ROW(FLOAT, sigma, GLNN__IN_FILES, .zero = "one found from the data"),
    GLNN__ROW(FLOAT, scale, GLNN__IN_FILES, .zero = "one found from the data"),
    GLNN__ROW(INT, rank, GLNN__IN_FILES, .least = 1, .zero = "as many as features"),
    GLNN__ROW(FLOAT, metric_rate, GLNN__IN_FILES, .above = true,
              .zero = GLNN__TEXT(METRIC_RATE) " with grlvq, " GLNN__TEXT(OMEGA_RATE) " with gmlvq"),
    GLNN__ROW(BOOL, two_parts, GLNN__IN_CHECKPOINTS),
    GLNN__ROW(CHOICE, search, GLNN__NOT_KEPT, .names = &glnn__names_of_glnn_search),
    GLNN__ROW(CHOICE, layout, GLNN__NOT_KEPT, .names = &glnn__names_of_glnn_layout,
              .most = GLNN_LAYOUT_UNPACKED),
    GLNN__ROW(INT, capacity, GLNN__NOT_KEPT, .standard = 1024, .least = 1),
    GLNN__ROW(UINT64, seed, GLNN__IN_FILES),
};

const glnn__fields glnn__lvq_fields = GLNN__DESCRIPTION(glnn_lvq_desc, fields);

/* Checks the description, and fills in all of it but the counts of prototypes. */
static glnn_status check_desc(glnn_lvq_desc *desc)
{
    GLNN__TRY(glnn__fields_check(&glnn__lvq_fields, desc));
    if (desc->rank > desc->features)
        return glnn__fail(GLNN_E_ARG, "a rank of %d for %d features", desc->rank, desc->features);
    if (desc->prototypes == 0 && !desc->prototypes_of)
        desc->prototypes = 1;
    if (desc->rank == 0)
        desc->rank = desc->features;
    if (desc->metric_rate == 0)
        desc->metric_rate = kinds[desc->kind].metric_rate;
    return GLNN_OK;
}

static int prototypes_of(const glnn_lvq_desc *desc, int class)
{
    return desc->prototypes_of ? desc->prototypes_of[class] : desc->prototypes;
}

static glnn_status count_prototypes(const glnn_lvq_desc *desc, int *out)
{
    int64_t count = 0;
    for (int c = 0; c < desc->classes; ++c) {
        const int here = prototypes_of(desc, c);
        if (here < 0 || (here == 0 && desc->kind == GLNN_LVQ_RSLVQ))
            return glnn__fail(GLNN_E_ARG, "class %d has %d prototypes; %s needs at least %d", c,
                              here, glnn_lvq_kind_name(desc->kind), desc->kind == GLNN_LVQ_RSLVQ);
        count += here;
    }
    if (count < 1)
        return glnn__fail(GLNN_E_ARG, "no class has a prototype");
    if (count > GLNN__MAX_PROTOTYPES)
        return glnn__fail(GLNN_E_LIMIT, "%lld prototypes; at most %d can be numbered",
                          (long long)count, GLNN__MAX_PROTOTYPES);
    *out = (int)count;
    return GLNN_OK;
}

/* Copies the counts of prototypes. */
static glnn_status copy_counts(glnn__lvq *lvq, const glnn_lvq_desc *desc)
{
    int *copy = malloc((size_t)lvq->desc.classes * sizeof *copy);
    for (int c = 0; c < lvq->desc.classes && copy; ++c)
        copy[c] = prototypes_of(desc, c);
    lvq->desc.prototypes_of = copy;
    return copy ? GLNN_OK : glnn__fail(GLNN_E_NOMEM, "no memory for %d classes", lvq->desc.classes);
}

/* The matrices that stay. */
static glnn__matrices matrices_of(glnn__lvq *lvq)
{
    const glnn_layout layout = lvq->desc.layout;
    const int count = lvq->prototypes.desc.count, features = lvq->desc.features;
    const int rank = lvq->desc.rank, omega = lvq->desc.kind == GLNN_LVQ_GMLVQ ? 1 : 0;
    const int limited = glnn__lvq_is_limited(lvq) ? 1 : 0;
    const int gradient_rows = lvq->desc.kind == GLNN_LVQ_GRLVQ ? 1 : omega * rank;
    const int wins = lvq->desc.kind == GLNN_LVQ_OLVQ1 ? lvq->desc.capacity : 0;
    return (glnn__matrices){{
        {&lvq->pushes, layout, limited * count, features, "pushes of samples"},
        {&lvq->norm, GLNN_LAYOUT_PACKED, omega, 1, "norm of omega"},
        {&lvq->moved, layout, omega * count, features, "moves of prototypes"},
        {&lvq->moved_image, layout, omega * count, rank, "images of moves"},
        {&lvq->gradient, layout, gradient_rows, features, "gradient of the metric"},
        {&lvq->wins, GLNN_LAYOUT_PACKED, wins, 4, "wins of prototypes"},
    }};
}

/* Those of a batch. */
static glnn__matrices matrices_of_batch(glnn__lvq *lvq, int rows)
{
    const glnn_lvq_desc *desc = &lvq->desc;
    const glnn_layout layout = desc->layout;
    const int shares = desc->kind == GLNN_LVQ_RSLVQ ? rows : 0;
    const int slices = desc->kind == GLNN_LVQ_GRLVQ ? rows : 0;
    const int differences = desc->kind == GLNN_LVQ_GMLVQ ? 2 * rows : 0;
    const int candidates = rows == 1 ? glnn__nearest_candidates(lvq->prototypes.desc.count) : 0;
    return (glnn__matrices){{
        {&lvq->candidates, GLNN_LAYOUT_PACKED, rows == 1, 4 * candidates, "candidates"},
        {&lvq->shares, layout, shares, lvq->prototypes.desc.count, "shares of prototypes"},
        {&lvq->slices, layout, glnn__ceil_div(slices, GLNN__LVQ_SLICE_SAMPLES), desc->features,
         "gradient of relevances"},
        {&lvq->differences, layout, differences, desc->features, "differences"},
        {&lvq->weighted, layout, differences, desc->rank, "images of differences"},
    }};
}

/* Parameters next to the prototypes; only few kinds have any. */
static void describe_learnt(const glnn_lvq_desc *desc, glnn__prototypes_desc *out)
{
    out->learnt.name = kinds[desc->kind].learnt;
    if (!out->learnt.name)
        return;
    out->learnt.rows = desc->kind == GLNN_LVQ_GMLVQ ? desc->rank : 1;
    out->learnt.columns = desc->kind == GLNN_LVQ_OLVQ1 ? out->count : desc->features;
    if (desc->kind == GLNN_LVQ_OLVQ1)
        out->learnt.layout = GLNN_LAYOUT_PACKED;
}

static glnn_status create_prototypes(glnn__lvq *lvq, int count)
{
    glnn_lvq_desc *desc = &lvq->desc;
    glnn__prototypes_desc of = {
        .name = "prototype",
        .count = count,
        .features = desc->features,
        .classes = desc->classes,
        .counts = desc->prototypes_of,
        .weight_columns = 2,
        .metric = lvq->traits->metric,
        .two_parts = desc->two_parts,
        .layout = desc->layout,
        .search = desc->search,
        .capacity = desc->capacity,
    };
    describe_learnt(desc, &of);
    GLNN__TRY(glnn__prototypes_create(&of, &lvq->prototypes));
    desc->layout = lvq->prototypes.desc.layout;
    return GLNN_OK;
}

static glnn_status create_all(glnn__lvq *lvq, int count)
{
    lvq->reach.mean = malloc((size_t)lvq->desc.features * sizeof *lvq->reach.mean);
    if (!lvq->reach.mean)
        return glnn__fail(GLNN_E_NOMEM, "no memory for a mean of %d features", lvq->desc.features);
    GLNN__TRY(create_prototypes(lvq, count));
    const glnn__matrices matrices = matrices_of(lvq);
    GLNN__TRY(glnn__matrices_create(lvq->ctx, glnn__matrix_create_zero, &matrices));
    return glnn__lvq_reset(lvq);
}

static void fill_learner(glnn__lvq *lvq)
{
    glnn_learner *learner = &lvq->prototypes.learner;
    learner->labelled = "a classifier of labelled prototypes";
    learner->unset = "the classifier has no prototypes yet; glnn_learner_initialise, "
                     "glnn_learner_train and glnn_learner_set_tensor set them";
    learner->default_rate = lvq->traits->rate;
    learner->records_losses = true;
    learner->is_checked = true;
    learner->rate_limit = lvq->desc.kind == GLNN_LVQ_OLVQ1 ? 1 : 0;
}

glnn_status glnn__lvq_build(void *self, const void *description)
{
    glnn__lvq *lvq = self;
    const glnn_lvq_desc *desc = description;
    glnn_lvq_desc filled = *desc;
    int count = 0;
    GLNN__TRY(check_desc(&filled));
    GLNN__TRY(count_prototypes(&filled, &count));
    lvq->ctx = lvq->prototypes.learner.ctx;
    lvq->desc = filled;
    lvq->desc.prototypes_of = NULL; /* until it is a copy */
    lvq->traits = &kinds[desc->kind];
    lvq->finds_scale = desc->scale == 0;
    lvq->finds_sigma = desc->sigma == 0;
    GLNN__TRY(copy_counts(lvq, &filled));
    GLNN__TRY(create_all(lvq, count));
    fill_learner(lvq);
    return GLNN_OK;
}

void glnn__lvq_destroy(void *self)
{
    glnn__lvq *lvq = self;
    if (!lvq->traits) /* its description was refused */
        return;
    const glnn__matrices matrices = matrices_of(lvq), batch = matrices_of_batch(lvq, 0);
    glnn__matrices_destroy(&batch);
    glnn__matrices_destroy(&matrices);
    glnn__prototypes_destroy(&lvq->prototypes);
    free((int *)lvq->desc.prototypes_of);
    free(lvq->reach.mean);
}

glnn_status glnn__lvq_prepare(glnn__lvq *lvq, int rows)
{
    GLNN__TRY(glnn__prototypes_prepare(&lvq->prototypes, rows));
    if (rows == lvq->rows)
        return GLNN_OK;
    const glnn__matrices batch = matrices_of_batch(lvq, rows);
    lvq->rows = 0;
    GLNN__TRY(glnn__matrices_create(lvq->ctx, glnn__matrix_create_scratch, &batch));
    lvq->rows = rows;
    return GLNN_OK;
}
