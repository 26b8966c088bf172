#include "product.h"

#include "ops/gemm/plan.h"
#include "pass/pass.h"

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
        .a = array_stored(array_random(ta ? p->k : m, ta ? m : p->k, -1.0, 1.0), p->stored_a),
        .b = array_stored(array_random(tb ? p->n : k, tb ? k : p->n, -1.0, 1.0), p->stored_b),
        .c = array_stored(array_random(p->m, p->n, -1.0, 1.0), p->stored_c),
    };
    if (p->bias)
        in.bias = array_stored(array_random(1, p->n, -1.0, 1.0), p->stored_a);
    if (p->derivative_of)
        in.y = array_stored(array_random(p->m, p->n, 0.05, 0.95), p->stored_b);
    return in;
}

glnn_matrix *run_product(const product *p, const gemm_operands *in)
{
    glnn_gemm_desc desc = p->desc;
    desc.bias = p->bias ? matrix_stored(in->bias, p->a, p->stored_a) : NULL;
    desc.derivative_of = p->derivative_of ? matrix_stored(in->y, p->b, p->stored_b) : NULL;
    glnn_matrix *c = matrix_stored(in->c, p->c, p->stored_c);
    expect_ok(glnn_gemm(glnn_test_context(), &desc, p->alpha,
                        matrix_stored(in->a, p->a, p->stored_a),
                        matrix_stored(in->b, p->b, p->stored_b), p->beta, c));
    return c;
}

expected reference_product(const product *p, const gemm_operands *in)
{
    return reference_gemm(&p->desc, p->alpha, p->beta, in);
}

void check_product(const product *p)
{
    const gemm_operands in = operands_of(p);
    const glnn_gemm_desc *d = &p->desc;
    expect_close(
        run_product(p, &in), reference_product(p, &in),
        "gemm %s %s %s x %s %s -> %s %s, m %d n %d k %d, alpha %g beta %g, bias %d, map %s, "
        "derivative of %s, augment %d, slice %d accumulate %d",
        transposes_of(d), glnn_layout_name(p->a), glnn_storage_name(p->stored_a),
        glnn_layout_name(p->b), glnn_storage_name(p->stored_b), glnn_layout_name(p->c),
        glnn_storage_name(p->stored_c), p->m, p->n, p->k, (double)p->alpha, (double)p->beta,
        p->bias, glnn_map_name(d->activation),
        p->derivative_of ? glnn_map_name(d->derivative) : "nothing", d->augment, d->slice,
        (int)d->accumulate);
    release_all();
}

void check_on_equal_layouts(product p)
{
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        p.a = p.b = p.c = layout;
        check_product(&p);
    }
}

void set_transposes(product *p, int which)
{
    p->desc.transpose_a = which / 2 == 1;
    p->desc.transpose_b = which % 2 == 1;
}

glnn_status multiply_layered(glnn_context *ctx, const glnn_matrix *a, const glnn_matrix *b,
                             glnn_matrix *c)
{
    const bool can_split = glnn__pass_can_split(ctx, a->layout);
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = &glnn__gemm_kernel,
                                   .operands = {{.matrix = a}, {.matrix = b}},
                                   .output = c,
                                   .uniforms = {[GLNN__GEMM_INNER_END] = {.i = a->columns},
                                                [GLNN__GEMM_SLICE_LENGTH] = {.i = a->columns},
                                                [GLNN__GEMM_SLICE_BLOCKS] = {.i = 1},
                                                [GLNN__GEMM_ALPHA] = {.f = 1}},
                                   .blocking.layered = {can_split, can_split},
                               });
}
