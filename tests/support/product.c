#include "product.h"

const char *transposes_of(const glnn_gemm_desc *desc)
{
    static const char *const names[] = {"nn", "nt", "tn", "tt"};
    return names[2 * desc->transpose_a + desc->transpose_b];
}

gemm_operands operands_of(const product *p)
{
    bool ta = p->desc.transpose_a, tb = p->desc.transpose_b;
    int m = p->m - (p->desc.augment && ta), k = p->k + (p->desc.augment && !ta);
    gemm_operands in = {
        .a = array_random(ta ? p->k : m, ta ? m : p->k, -1.0, 1.0),
        .b = array_random(tb ? p->n : k, tb ? k : p->n, -1.0, 1.0),
        .c = array_random(p->m, p->n, -1.0, 1.0),
    };
    if (p->bias)
        in.bias = array_random(1, p->n, -1.0, 1.0);
    if (p->derivative_of)
        in.y = array_random(p->m, p->n, 0.05, 0.95);
    return in;
}

glnn_matrix *run_product(const product *p, const gemm_operands *in)
{
    glnn_gemm_desc desc = p->desc;
    desc.bias = p->bias ? matrix_of(in->bias, p->a) : NULL;
    desc.derivative_of = p->derivative_of ? matrix_of(in->y, p->b) : NULL;
    glnn_matrix *c = matrix_of(in->c, p->c);
    expect_ok(
        glnn_gemm(glnn_test_context(), &desc, matrix_of(in->a, p->a), matrix_of(in->b, p->b), c));
    return c;
}

void check_product(const product *p)
{
    const gemm_operands in = operands_of(p);
    const glnn_gemm_desc *d = &p->desc;
    expect_close(run_product(p, &in), reference_gemm(d, &in),
                 "gemm %s %s x %s -> %s, m %d n %d k %d, alpha %g beta %g, bias %d, map %s, "
                 "derivative of %s, augment %d, slice %d accumulate %d",
                 transposes_of(d), glnn_layout_name(p->a), glnn_layout_name(p->b),
                 glnn_layout_name(p->c), p->m, p->n, p->k, (double)d->alpha, (double)d->beta,
                 p->bias, glnn_map_name(d->activation),
                 p->derivative_of ? glnn_map_name(d->derivative) : "nothing", d->augment, d->slice,
                 (int)d->accumulate);
    release_all();
}

void check_on_equal_layouts(product p)
{
    for (glnn_layout layout = 0; layout < RENDERED_LAYOUTS; ++layout) {
        p.a = p.b = p.c = layout;
        check_product(&p);
    }
}

void set_transposes(product *p, int which)
{
    p->desc.transpose_a = which / 2 == 1;
    p->desc.transpose_b = which % 2 == 1;
}
