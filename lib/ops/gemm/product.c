#include "ops/gemm/product.h"

#include <stdio.h>
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

enum { PLAIN, MAPPED, IN_PLACE, ADDED, FINISHES };

static unsigned char finish_of(const glnn__product *p)
{
    if (glnn__product_maps(p))
        return MAPPED;
    if (glnn__product_adds_in_place(p) || p->output_factor != 0)
        return IN_PLACE;
    return p->addend ? ADDED : PLAIN;
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
    out->finish = finish_of(p);
    out->stage = (unsigned char)ctx->info.stage;
    out->tuning = (unsigned char)ctx->info.tuning;
    out->accumulate = (unsigned char)p->accumulate;
    out->can_stack = can_stack;
}

static void write_window(const glnn__window *window, char *text, size_t size)
{
    size_t used = strlen(text);
    for (int i = 0; i < GLNN__MAX_CONSTANTS && window->mode && used < size; ++i)
        used += (size_t)snprintf(text + used, size - used, "%s%d", i == 0 ? " window " : " ",
                                 window->constants[i]);
}

void glnn__gemm_key_write(const glnn__gemm_key *key, char *text, size_t size)
{
    static const char *const finishes[FINISHES] = {"", " mapped", " in place", " added"};
    size_t used = (size_t)snprintf(
        text, size, "%s product %d x %d x %d %c%c%s", glnn_stage_name((glnn_stage)key->stage),
        key->shape.rows, key->shape.columns, key->shape.inner, key->transpose_a ? 't' : 'n',
        key->transpose_b ? 't' : 'n', key->augment ? "1" : "");
    for (int i = 0; i < 3 && used < size; ++i)
        used += (size_t)snprintf(text + used, size - used, " %s %s",
                                 glnn_layout_name((glnn_layout)key->layouts[i]),
                                 glnn_storage_name((glnn_storage)key->storages[i]));
    for (int i = 0; i < 3 && used < size; ++i)
        if (key->wraps[i] > 0)
            used += (size_t)snprintf(text + used, size - used, " %c wrapped %d", "abc"[i],
                                     key -> wraps[i]);
    if (used < size)
        snprintf(text + used, size - used, "%s%s", finishes[key->finish],
                 key->can_stack ? " stacked" : "");
    write_window(&key->window, text, size);
}
