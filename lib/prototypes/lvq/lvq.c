/* Making and unmaking a classifier of prototypes. */
#include "prototypes/lvq/lvq.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>

#define DEFAULT_CAPACITY     1024
#define DEFAULT_KMEANS_STEPS 5
#define MOST_KMEANS_STEPS    1000
#define DEFAULT_XI           20
#define DEFAULT_WINDOW       0.3f
#define DEFAULT_EPSILON      0.2f
#define DEFAULT_GRLVQ_RATE   1
#define DEFAULT_GMLVQ_RATE   0.05f

const char *glnn_lvq_kind_name(glnn_lvq_kind kind)
{
    static const char *const names[GLNN_LVQ_KIND_COUNT] = {
        [GLNN_LVQ_GLVQ] = "glvq",    [GLNN_LVQ_GRLVQ] = "grlvq", [GLNN_LVQ_GMLVQ] = "gmlvq",
        [GLNN_LVQ_RSLVQ] = "rslvq",  [GLNN_LVQ_LVQ1] = "lvq1",   [GLNN_LVQ_OLVQ1] = "olvq1",
        [GLNN_LVQ_LVQ21] = "lvq2.1", [GLNN_LVQ_LVQ3] = "lvq3",
    };
    return (unsigned)kind < GLNN_LVQ_KIND_COUNT ? names[kind] : "unknown";
}

static glnn_status check_choices(const glnn_lvq_desc *desc)
{
    if ((unsigned)desc->kind >= GLNN_LVQ_KIND_COUNT ||
        (unsigned)desc->init >= GLNN_LVQ_INIT_COUNT || (unsigned)desc->search >= GLNN_SEARCH_COUNT)
        return glnn__fail(GLNN_E_ARG, "kind %d, initialiser %d or search %d is unknown",
                          (int)desc->kind, (int)desc->init, (int)desc->search);
    if ((unsigned)desc->layout > GLNN_LAYOUT_UNPACKED)
        return glnn__fail(GLNN_E_ARG, "layout %s (%d) cannot be trained in",
                          glnn_layout_name(desc->layout), (int)desc->layout);
    if (desc->features < 1 || desc->classes < 1)
        return glnn__fail(GLNN_E_ARG,
                          "%d features and %d classes; there must be at least 1 of each",
                          desc->features, desc->classes);
    if (desc->prototypes < 0 || desc->kmeans_steps < 0 || desc->capacity < 0)
        return glnn__fail(GLNN_E_ARG,
                          "%d prototypes a class, %d steps of k-means, a capacity of %d: none may "
                          "be negative",
                          desc->prototypes, desc->kmeans_steps, desc->capacity);
    if (desc->kmeans_steps > MOST_KMEANS_STEPS)
        return glnn__fail(GLNN_E_ARG, "%d steps of k-means; there can be %d", desc->kmeans_steps,
                          MOST_KMEANS_STEPS);
    if (desc->rank < 0 || desc->rank > desc->features)
        return glnn__fail(GLNN_E_ARG, "a rank of %d for %d features", desc->rank, desc->features);
    return GLNN_OK;
}

static glnn_status check_numbers(const glnn_lvq_desc *desc)
{
    const struct {
        const char *name;
        float value, limit;
    } numbers[] = {
        {"xi", desc->xi, INFINITY},
        {"growth of xi", desc->xi_growth, INFINITY},
        {"window", desc->window, 1},
        {"epsilon", desc->epsilon, nextafterf(1, 2)},
        {"sigma", desc->sigma, INFINITY},
        {"scale", desc->scale, INFINITY},
        {"metric's rate", desc->metric_rate, INFINITY},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        if (!(numbers[i].value >= 0 && numbers[i].value < numbers[i].limit))
            return glnn__fail(GLNN_E_ARG, "%s: %s is %g; it has to be in [0, %g)",
                              glnn_lvq_kind_name(desc->kind), numbers[i].name,
                              (double)numbers[i].value, (double)numbers[i].limit);
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

static void fill_defaults(glnn_lvq_desc *desc)
{
    if (desc->prototypes == 0 && !desc->prototypes_of)
        desc->prototypes = 1;
    if (desc->kmeans_steps == 0)
        desc->kmeans_steps = DEFAULT_KMEANS_STEPS;
    if (desc->xi == 0)
        desc->xi = DEFAULT_XI;
    if (desc->window == 0)
        desc->window = DEFAULT_WINDOW;
    if (desc->epsilon == 0)
        desc->epsilon = DEFAULT_EPSILON;
    if (desc->rank == 0)
        desc->rank = desc->features;
    if (desc->metric_rate == 0)
        desc->metric_rate = desc->kind == GLNN_LVQ_GMLVQ ? DEFAULT_GMLVQ_RATE : DEFAULT_GRLVQ_RATE;
    if (desc->capacity == 0)
        desc->capacity = DEFAULT_CAPACITY;
}

/* Copies the counts of prototypes. */
static glnn_status copy_counts(glnn_lvq *lvq)
{
    int *copy = malloc((size_t)lvq->desc.classes * sizeof *copy);
    for (int c = 0; c < lvq->desc.classes && copy; ++c)
        copy[c] = prototypes_of(&lvq->desc, c);
    lvq->desc.prototypes_of = copy;
    return copy ? GLNN_OK : glnn__fail(GLNN_E_NOMEM, "no memory for %d classes", lvq->desc.classes);
}

static glnn__rule rule_of(glnn_lvq_kind kind)
{
    switch (kind) {
    case GLNN_LVQ_RSLVQ:
        return GLNN__RULE_POSTERIOR;
    case GLNN_LVQ_LVQ1:
    case GLNN_LVQ_OLVQ1:
        return GLNN__RULE_NEAREST;
    case GLNN_LVQ_LVQ21:
    case GLNN_LVQ_LVQ3:
        return GLNN__RULE_WINDOW;
    default:
        return GLNN__RULE_MARGIN;
    }
}

static glnn_status create_prototypes(glnn_lvq *lvq, int count)
{
    const glnn_lvq_desc *desc = &lvq->desc;
    const int image_columns = desc->kind == GLNN_LVQ_GRLVQ   ? desc->features
                              : desc->kind == GLNN_LVQ_GMLVQ ? desc->rank
                                                             : 0;
    const glnn__prototypes_desc of = {
        .count = count,
        .features = desc->features,
        .has_classes = true,
        .weight_columns = 2,
        .image_columns = image_columns,
        .layout = desc->layout,
        .search = desc->search,
        .capacity = desc->capacity,
    };
    GLNN__TRY(glnn__prototypes_create(lvq->ctx, &of, &lvq->prototypes));
    lvq->desc.layout = lvq->prototypes.desc.layout;
    return GLNN_OK;
}

static glnn_status create_matrix(glnn_lvq *lvq, glnn_layout layout, int rows, int columns,
                                 const char *name, glnn_matrix **out)
{
    return glnn__matrix_create_zero(lvq->ctx, layout, rows, columns, name, out);
}

static glnn_status create_metric(glnn_lvq *lvq, int count)
{
    const glnn_lvq_desc *desc = &lvq->desc;
    const glnn_layout layout = desc->layout;
    if (desc->kind == GLNN_LVQ_GRLVQ)
        return create_matrix(lvq, layout, 1, desc->features, "roots of relevances",
                             &lvq->learnt[GLNN__LVQ_ROOTS]);
    GLNN__TRY(create_matrix(lvq, GLNN_LAYOUT_PACKED, 1, 1, "norm of omega", &lvq->norm));
    GLNN__TRY(create_matrix(lvq, layout, desc->rank, desc->features, "omega",
                            &lvq->learnt[GLNN__LVQ_OMEGA]));
    GLNN__TRY(
        create_matrix(lvq, layout, count, desc->features, "moves of prototypes", &lvq->moved));
    GLNN__TRY(create_matrix(lvq, layout, count, desc->rank, "images of moves", &lvq->moved_image));
    return create_matrix(lvq, layout, desc->rank, desc->features, "gradient of omega",
                         &lvq->gradient);
}

static glnn_status create_all(glnn_lvq *lvq, int count)
{
    glnn_lvq_desc *desc = &lvq->desc;
    GLNN__TRY(glnn__prototypes_choose_layout(lvq->ctx, desc->capacity, count, desc->features,
                                             &desc->layout));
    GLNN__TRY(create_prototypes(lvq, count));
    if (lvq->prototypes.images)
        GLNN__TRY(create_metric(lvq, count));
    if (desc->kind == GLNN_LVQ_OLVQ1)
        GLNN__TRY(create_matrix(lvq, GLNN_LAYOUT_PACKED, 1, count, "rates of prototypes",
                                &lvq->learnt[GLNN__LVQ_RATES]));
    if (glnn__lvq_is_limited(lvq))
        GLNN__TRY(create_matrix(lvq, desc->layout, count, desc->features, "pushes of samples",
                                &lvq->pushes));
    GLNN__TRY(glnn__lvq_number_classes(lvq));
    return glnn__lvq_reset(lvq);
}

glnn_status glnn_lvq_create(glnn_context *ctx, const glnn_lvq_desc *desc, glnn_lvq **out)
{
    if (out)
        *out = NULL;
    if (!ctx || !desc || !out)
        return glnn__fail(GLNN_E_ARG, "glnn_lvq_create: an argument is null");
    glnn_lvq_desc filled = *desc;
    int count = 0;
    GLNN__TRY(check_choices(desc));
    GLNN__TRY(check_numbers(desc));
    fill_defaults(&filled);
    GLNN__TRY(count_prototypes(&filled, &count));
    glnn_lvq *lvq = calloc(1, sizeof *lvq);
    if (!lvq)
        return glnn__fail(GLNN_E_NOMEM, "no memory for a classifier");
    lvq->ctx = ctx;
    lvq->desc = filled;
    lvq->rule = rule_of(filled.kind);
    lvq->finds_scale = desc->scale == 0;
    lvq->finds_sigma = desc->sigma == 0;
    glnn_status status = copy_counts(lvq);
    if (!status)
        status = glnn__gl_enter(ctx);
    if (!status)
        status = glnn__gl_leave(ctx, create_all(lvq, count));
    if (status)
        glnn_lvq_destroy(lvq);
    else
        *out = lvq;
    return status;
}

/* The matrices whose size is that of a batch. */
static void destroy_batch(glnn_lvq *lvq)
{
    const bool has_slices = lvq->desc.kind == GLNN_LVQ_GRLVQ;
    glnn_matrix **const matrices[] = {&lvq->shares, &lvq->differences, &lvq->weighted,
                                      has_slices ? &lvq->gradient : NULL};
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; ++i) {
        if (!matrices[i])
            continue;
        glnn_matrix_destroy(*matrices[i]);
        *matrices[i] = NULL;
    }
    lvq->rows = 0;
}

void glnn_lvq_destroy(glnn_lvq *lvq)
{
    if (!lvq)
        return;
    destroy_batch(lvq);
    glnn__prototypes_destroy(&lvq->prototypes);
    for (int i = 0; i < GLNN__LVQ_LEARNT; ++i) {
        glnn_matrix_destroy(lvq->learnt[i]);
        glnn_matrix_destroy(lvq->snapshot[i]);
    }
    glnn_matrix_destroy(lvq->prototypes_snapshot);
    glnn_matrix_destroy(lvq->pushes);
    glnn_matrix_destroy(lvq->moved);
    glnn_matrix_destroy(lvq->moved_image);
    glnn_matrix_destroy(lvq->gradient);
    glnn_matrix_destroy(lvq->norm);
    free((int *)lvq->desc.prototypes_of);
    free(lvq->reach.mean);
    free(lvq);
}

static glnn_status create_batch(glnn_lvq *lvq, int rows)
{
    const glnn_layout layout = lvq->desc.layout;
    const int features = lvq->desc.features;
    switch (lvq->desc.kind) {
    case GLNN_LVQ_RSLVQ:
        return glnn__matrix_create_scratch(lvq->ctx, layout, rows, lvq->prototypes.desc.count,
                                           "shares of prototypes", &lvq->shares);
    case GLNN_LVQ_GRLVQ:
        return glnn__matrix_create_scratch(lvq->ctx, layout,
                                           (rows - 1) / GLNN__LVQ_SLICE_SAMPLES + 1, features,
                                           "gradient of relevances", &lvq->gradient);
    case GLNN_LVQ_GMLVQ:
        GLNN__TRY(glnn__matrix_create_scratch(lvq->ctx, layout, 2 * rows, features, "differences",
                                              &lvq->differences));
        return glnn__matrix_create_scratch(lvq->ctx, layout, 2 * rows, lvq->desc.rank,
                                           "images of differences", &lvq->weighted);
    default:
        return GLNN_OK;
    }
}

glnn_status glnn__lvq_prepare(glnn_lvq *lvq, int rows)
{
    GLNN__TRY(glnn__prototypes_prepare(&lvq->prototypes, rows));
    if (rows == lvq->rows)
        return GLNN_OK;
    destroy_batch(lvq);
    const glnn_status status = create_batch(lvq, rows);
    if (status)
        destroy_batch(lvq);
    else
        lvq->rows = rows;
    return status;
}
