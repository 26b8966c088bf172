#include "prototypes/prototypes.h"

#include "base/status.h"
#include "ops/distances.h"
#include "ops/gemm/layout.h"
#include "train/training.h"

#include <stdlib.h>

glnn_status glnn__prototypes_choose_layout(glnn_context *ctx, int capacity, int count, int features,
                                           glnn_layout *layout)
{
    const glnn__layout_use scores = {
        .rows = capacity, .columns = count, .inner = features, .transpose_b = true};
    return glnn__layout_choose(ctx, &scores, 1, layout);
}

static glnn_status create_matrix(glnn__prototypes *p, glnn_layout layout, int rows, int columns,
                                 const char *name, glnn_matrix **out)
{
    return glnn__matrix_create_zero(p->ctx, layout, rows, columns, name, out);
}

static glnn_status create_classes(glnn__prototypes *p)
{
    p->class_numbers = malloc((size_t)p->desc.count * sizeof *p->class_numbers);
    if (!p->class_numbers)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the classes of %d prototypes",
                          p->desc.count);
    return create_matrix(p, GLNN_LAYOUT_PACKED, 1, p->desc.count, "classes of prototypes",
                         &p->classes);
}

glnn_status glnn__prototypes_create(glnn_context *ctx, const glnn__prototypes_desc *desc,
                                    glnn__prototypes *p)
{
    const int count = desc->count, features = desc->features;
    const glnn__layout_use scores = {
        .rows = desc->capacity, .columns = count, .inner = features, .transpose_b = true};
    *p = (glnn__prototypes){.ctx = ctx, .desc = *desc};
    desc = &p->desc;
    GLNN__TRY(glnn__layout_choose(ctx, &scores, 1, &p->desc.layout));
    GLNN__TRY(create_matrix(p, desc->layout, count, features, "prototypes", &p->values));
    if (desc->has_classes)
        GLNN__TRY(create_classes(p));
    if (desc->image_columns > 0)
        GLNN__TRY(create_matrix(p, desc->layout, count, desc->image_columns, "images of prototypes",
                                &p->images));
    GLNN__TRY(glnn__offset_create(features, &p->offset));
    GLNN__TRY(create_matrix(p, GLNN_LAYOUT_PACKED, 1, count, "norms of prototypes", &p->norms));
    GLNN__TRY(create_matrix(p, desc->layout, count, features, "sums of samples", &p->sums));
    GLNN__TRY(create_matrix(p, desc->layout, count, desc->weight_columns, "weights of samples",
                            &p->weights));
    return glnn__trained_create(ctx, desc->capacity, 8, &p->trained);
}

static void destroy_batch(glnn__prototypes *p)
{
    glnn_matrix **const matrices[] = {&p->input, &p->points, &p->winners, &p->distances};
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; ++i) {
        glnn_matrix_destroy(*matrices[i]);
        *matrices[i] = NULL;
    }
    glnn__scatter_add_destroy(&p->links);
    p->rows = 0;
}

void glnn__prototypes_destroy(glnn__prototypes *p)
{
    destroy_batch(p);
    glnn_matrix_destroy(p->values);
    glnn_matrix_destroy(p->classes);
    glnn_matrix_destroy(p->norms);
    glnn_matrix_destroy(p->images);
    glnn_matrix_destroy(p->sums);
    glnn_matrix_destroy(p->weights);
    glnn__offset_destroy(&p->offset);
    glnn__trained_destroy(&p->trained);
    free(p->class_numbers);
}

static glnn_status create_batch(glnn__prototypes *p, int rows)
{
    GLNN__TRY(glnn__matrix_create_scratch(p->ctx, p->desc.layout, rows, p->desc.features, "input",
                                          &p->input));
    if (p->images)
        GLNN__TRY(glnn__matrix_create_scratch(p->ctx, p->desc.layout, rows, p->images->columns,
                                              "images", &p->points));
    GLNN__TRY(
        glnn__matrix_create_scratch(p->ctx, GLNN_LAYOUT_PACKED, rows, 4, "winners", &p->winners));
    GLNN__TRY(glnn__matrix_create_scratch(p->ctx, GLNN_LAYOUT_PACKED, rows,
                                          glnn__pair_distance_columns(p->desc.features),
                                          "distances", &p->distances));
    return glnn__scatter_add_create(p->ctx, rows, p->desc.count, &p->links);
}

glnn_status glnn__prototypes_prepare(glnn__prototypes *p, int rows)
{
    if (rows == p->rows)
        return GLNN_OK;
    destroy_batch(p);
    const glnn_status status = create_batch(p, rows);
    if (status)
        destroy_batch(p);
    else
        p->rows = rows;
    return status;
}

glnn_status glnn__prototypes_set_classes(glnn__prototypes *p, const int *class_numbers)
{
    const size_t count = (size_t)p->desc.count;
    float *numbers = malloc(count * sizeof *numbers);
    if (!numbers)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the classes of %zu prototypes", count);
    for (size_t i = 0; i < count; ++i) {
        p->class_numbers[i] = class_numbers[i];
        numbers[i] = (float)class_numbers[i];
    }
    const glnn_status status = glnn_matrix_upload(p->ctx, p->classes, NULL, numbers, 0);
    free(numbers);
    return status;
}

int glnn__prototypes_class_of(const glnn__prototypes *p, int prototype)
{
    return p->class_numbers ? p->class_numbers[prototype] : 0;
}

glnn_status glnn__prototypes_upload(glnn__prototypes *p, const float *values)
{
    GLNN__TRY(glnn__offset_upload(p->ctx, &p->offset, values, p->values));
    p->is_set = true;
    p->has_norms = false;
    return GLNN_OK;
}

glnn_status glnn__prototypes_download(const glnn__prototypes *p, float *values)
{
    return glnn__offset_download(p->ctx, &p->offset, p->values, values);
}

glnn_status glnn__prototypes_gather(glnn__prototypes *p, const glnn__batch *batch)
{
    GLNN__TRY(glnn__batch_gather(batch, p->input));
    return glnn__offset_shift(p->ctx, &p->offset, p->input);
}

glnn_status glnn__prototypes_place(glnn__prototypes *p, const float *inputs)
{
    GLNN__TRY(glnn_matrix_upload(p->ctx, p->input, NULL, inputs, 0));
    return glnn__offset_shift(p->ctx, &p->offset, p->input);
}

glnn_status glnn__take_rows(glnn_context *ctx, const glnn_matrix *matrix, int count, float **out)
{
    const glnn_rect rect = {0, 0, count, matrix->columns};
    *out = malloc((size_t)count * (size_t)matrix->columns * sizeof **out);
    if (!*out)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %d rows of %s", count, matrix->name);
    return glnn_matrix_download(ctx, matrix, &rect, *out, 0);
}
