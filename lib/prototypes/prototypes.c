#include "prototypes/prototypes.h"

#include "base/status.h"
#include "device/trials.h"
#include "learn/predict.h"
#include "learn/train/training.h"
#include "ops/distances.h"
#include "ops/gemm/layout.h"
#include "ops/gemm/product.h"

#include <glnn/map.h>

#include <stdlib.h>

static int image_columns(const glnn__prototypes *p)
{
    return p->desc.metric == GLNN__METRIC_OMEGA ? p->desc.learnt.rows : p->desc.features;
}

/* The matrices that stay. */
static glnn__matrices matrices_of(glnn__prototypes *p)
{
    const glnn__prototypes_desc *desc = &p->desc;
    const glnn_layout layout = desc->layout, packed = GLNN_LAYOUT_PACKED;
    const int count = desc->count, features = desc->features;
    const int images = desc->metric == GLNN__METRIC_PLAIN ? 0 : count;
    return (glnn__matrices){{
        {&p->values, layout, count, features, "prototypes"},
        {&p->low, layout, desc->two_parts ? count : 0, features, "low digits of prototypes"},
        {&p->moved, layout, desc->two_parts ? count : 0, features, "moves of prototypes"},
        {&p->classes, packed, desc->classes > 0 ? 1 : 0, count, "classes of prototypes"},
        {&p->images, layout, images, image_columns(p), "images of prototypes"},
        {&p->norms, packed, 1, count, "norms of prototypes"},
        {&p->offset, packed, 1, features, "offset"},
        {&p->sums, layout, count, features, "sums of samples"},
        {&p->weights, layout, count, desc->weight_columns, "weights of samples"},
        {&p->learnt, desc->learnt.layout ? desc->learnt.layout : layout, desc->learnt.rows,
         desc->learnt.columns, desc->learnt.name},
    }};
}

/* Those of a batch. */
static glnn__matrices matrices_of_batch(glnn__prototypes *p, int rows)
{
    const glnn_layout layout = p->desc.layout, packed = GLNN_LAYOUT_PACKED;
    const int features = p->desc.features;
    return (glnn__matrices){{
        {&p->input, layout, rows, features, "input"},
        {&p->points, layout, p->images ? rows : 0, image_columns(p), "images"},
        {&p->winners, packed, rows, 4, "winners"},
        {&p->distances, packed, rows, glnn__pair_distance_columns(features), "distances"},
    }};
}

static glnn_status create_classes(glnn__prototypes *p)
{
    p->class_numbers = malloc((size_t)p->desc.count * sizeof *p->class_numbers);
    return p->class_numbers ? glnn__prototypes_number_classes(p)
                            : glnn__fail(GLNN_E_NOMEM, "no memory for the classes of %d prototypes",
                                         p->desc.count);
}

/* The members of the learner that follow from the prototypes. */
static void fill_learner(glnn__prototypes *p)
{
    glnn_learner *learner = &p->learner;
    learner->features = p->desc.features;
    learner->outputs = p->desc.classes;
    learner->predicted = glnn__prototypes_outputs(p);
    learner->stores_classes = true;
    learner->capacity = p->desc.capacity;
    learner->layout = p->desc.layout;
    learner->is_set = &p->is_set;
}

glnn_status glnn__prototypes_create(const glnn__prototypes_desc *desc, glnn__prototypes *p)
{
    glnn_context *ctx = p->learner.ctx;
    const glnn__layout_use scores = {.rows = desc->capacity,
                                     .columns = desc->count,
                                     .inner = desc->features,
                                     .transpose_b = true};
    p->ctx = ctx;
    p->desc = *desc;
    GLNN__TRY(glnn__layout_choose(ctx, &scores, 1, &p->desc.layout));
    if (desc->two_parts)
        GLNN__TRY(glnn__driver_expect(ctx, GLNN__PROPERTY_ROUNDING_ERRORS));
    const glnn__matrices matrices = matrices_of(p);
    GLNN__TRY(glnn__matrices_create(ctx, glnn__matrix_create_zero, &matrices));
    if (desc->classes > 0)
        GLNN__TRY(create_classes(p));
    fill_learner(p);
    return glnn__learner_create_metrics(&p->learner, 8);
}

static void destroy_batch(glnn__prototypes *p)
{
    const glnn__matrices batch = matrices_of_batch(p, 0);
    glnn__matrices_destroy(&batch);
    glnn__scatter_add_destroy(&p->links);
    p->rows = 0;
}

void glnn__prototypes_destroy(glnn__prototypes *p)
{
    const glnn__matrices matrices = matrices_of(p);
    destroy_batch(p);
    glnn__matrices_destroy(&matrices);
    free(p->class_numbers);
}

glnn_status glnn__prototypes_prepare(glnn__prototypes *p, int rows)
{
    p->learner.flags &= ~(unsigned)GLNN__SHIFTS;
    p->learner.flags |= p->uses_offset ? GLNN__SHIFTS : 0u;
    if (rows == p->rows)
        return GLNN_OK;
    destroy_batch(p);
    const glnn__matrices batch = matrices_of_batch(p, rows);
    GLNN__TRY(glnn__matrices_create(p->ctx, glnn__matrix_create_scratch, &batch));
    GLNN__TRY(glnn__scatter_add_create(p->ctx, rows, p->desc.count, &p->links));
    p->rows = rows;
    return GLNN_OK;
}

glnn_status glnn__prototypes_set_classes(glnn__prototypes *p, const float *values)
{
    for (int i = 0; i < p->desc.count; ++i)
        p->class_numbers[i] = (int)values[i];
    return glnn_matrix_upload(p->ctx, p->classes, NULL, values, 0);
}

glnn_status glnn__prototypes_number_classes(glnn__prototypes *p)
{
    const glnn__prototypes_desc *desc = &p->desc;
    float *numbers = malloc((size_t)desc->count * sizeof *numbers);
    if (!numbers)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the classes of %d prototypes", desc->count);
    for (int c = 0, i = 0; c < desc->classes; ++c)
        for (int end = i + (desc->counts ? desc->counts[c] : desc->count / desc->classes); i < end;)
            numbers[i++] = (float)c;
    const glnn_status status = glnn__prototypes_set_classes(p, numbers);
    free(numbers);
    return status;
}

int glnn__prototypes_class_of(const glnn__prototypes *p, int prototype)
{
    return p->class_numbers ? p->class_numbers[prototype] : 0;
}

glnn_status glnn__prototypes_map(const glnn__prototypes *p, const glnn_matrix *x, glnn_matrix *out)
{
    if (p->desc.metric == GLNN__METRIC_ROOTS)
        return glnn_binary_apply(p->ctx, GLNN_BINARY_MULTIPLY, x, p->learnt, out);
    const glnn__product product = {
        .a = x,
        .b = p->learnt,
        .c = out,
        .alpha = {.f = 1},
        .transpose_b = true,
    };
    return glnn__product_run(p->ctx, &product);
}

/* p->input is not yet relative to the offset. */
static glnn_status find_points(glnn__prototypes *p)
{
    GLNN__TRY(glnn__prototypes_shift(p, p->input));
    if (!p->images)
        return GLNN_OK;
    if (!(p->learner.flags & GLNN__HAS_IMAGES))
        GLNN__TRY(glnn__prototypes_map(p, p->values, p->images));
    p->learner.flags |= GLNN__HAS_IMAGES;
    return glnn__prototypes_map(p, p->input, p->points);
}

glnn_status glnn__prototypes_gather(glnn__prototypes *p, const glnn__batch *batch)
{
    GLNN__TRY(glnn__batch_gather(batch, p->input));
    return find_points(p);
}

glnn_status glnn__prototypes_place(glnn__prototypes *p, const glnn__piece *piece)
{
    GLNN__TRY(glnn__piece_copy(piece, p->input));
    return find_points(p);
}
