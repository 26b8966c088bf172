#include "ops/gemm/product.h"

#include <string.h>

glnn__shape glnn__product_shape(const glnn__product *p)
{
    const bool has_window = p->window.mode != GLNN__WINDOW_NONE;
    const int inner = has_window && !p->transpose_a ? glnn__window_lines(&p->window)
                      : has_window                  ? p->b->rows
                      : p->transpose_a              ? p->a->rows
                                                    : p->a->columns;
    return (glnn__shape){.layout = p->c->layout,
                         .rows = glnn__window_rows(&p->window, p->c->rows),
                         .columns = p->c->columns,
                         .inner = inner,
                         .alike = p->window.columns};
}

bool glnn__shape_is_short(const glnn__shape *shape)
{
    return (double)shape->rows * shape->columns * shape->inner < 1048576;
}

bool glnn__product_maps(const glnn__product *p)
{
    return p->activation != GLNN_MAP_IDENTITY || p->derivative_of;
}

bool glnn__product_reads_output(const glnn__product *p)
{
    return p->a == p->c || p->b == p->c || p->bias == p->c || p->derivative_of == p->c;
}

bool glnn__product_adds_in_place(const glnn__product *p)
{
    return p->addend == p->c && !glnn__product_maps(p) && !glnn__product_reads_output(p);
}

void glnn__gemm_key_fill(const glnn_context *ctx, const glnn__product *p, bool can_stack,
                         glnn__gemm_key *out)
{
    const glnn_matrix *const matrices[] = {p->a, p->b, p->c};
    memset(out, 0, sizeof *out);
    out->shape = glnn__product_shape(p);
    out->window = p->window;
    out->slice = p->slice;
    for (int i = 0; i < 3; ++i) {
        out->layouts[i] = (unsigned char)matrices[i]->layout;
        out->storages[i] = (unsigned char)matrices[i]->storage;
        out->wraps[i] = (unsigned char)matrices[i]->texture->extent.wrap;
    }
    out->transpose_a = p->transpose_a;
    out->transpose_b = p->transpose_b;
    out->augment = p->augment;
    out->stage = (unsigned char)ctx->info.stage;
    out->tuning = (unsigned char)ctx->info.tuning;
    out->accumulate = (unsigned char)p->accumulate;
    out->can_stack = can_stack;
}
