/* Every way to compute a matrix product. Operands are read by texels or at sampled coordinates,
 * from one texture or layer by layer. The output is written to render targets or images, by
 * fragments of one block or of two. */
#include "support/product.h"

#include <string.h>

#include "ops/gemm/plan.h"
#include "pass/pass.h"

typedef struct reading {
    glnn__fetching fetching;
    bool layered;
    glnn_writes writes;
    int stack;
    const glnn__plan *cut; /* NULL: as planned */
} reading;

/* Makes a plan that of a reading; a slice of a stacked output begins with a whole stack. False: the
 * product cannot be read so. */
static bool change_plan(glnn_context *ctx, const glnn__product *asked, const reading *r,
                        glnn__plan *plan)
{
    bool *layered = plan->blocking.layered;
    for (int i = 0; i < GLNN__FACTORS; ++i)
        layered[i] = r->layered && glnn__plan_can_split(ctx, asked, plan, i);
    plan->fetching = r->fetching;
    plan->blocking.stack = r->stack > 1 ? r->stack : 1;
    if (plan->partial && r->stack > 1)
        plan->block_rows = (plan->block_rows + 2 * r->stack - 1) / (2 * r->stack) * 2 * r->stack;
    return r->layered == (layered[0] || layered[1]) &&
           (r->stack < 2 || glnn__pass_can_stack(ctx, asked->c));
}

/* The product, planned as always but for the reading; false where it cannot be read so. */
static bool run_reading(const product *p, const gemm_operands *in, const reading *r,
                        glnn_matrix **out)
{
    glnn_context *ctx = glnn_test_context();
    const glnn_gemm_desc *d = &p->desc;
    glnn_matrix *c = matrix_stored(in->c, p->c, p->stored_c);
    glnn__product asked = {
        .a = matrix_stored(in->a, p->a, p->stored_a),
        .b = matrix_stored(in->b, p->b, p->stored_b),
        .addend = p->beta != 0 ? c : NULL,
        .bias = p->bias ? matrix_of(in->bias, p->a) : NULL,
        .derivative_of = p->derivative_of ? matrix_of(in->y, p->b) : NULL,
        .c = c,
        .alpha.f = p->alpha,
        .beta.f = p->beta,
        .transpose_a = d->transpose_a,
        .transpose_b = d->transpose_b,
        .augment = d->augment,
        .activation = d->activation,
        .derivative = d->derivative,
        .slice = d->slice,
        .accumulate = d->accumulate,
    };
    glnn__plan plan;
    *out = c;
    const glnn_writes former = ctx->info.writes;
    ctx->info.writes = r->writes ? r->writes : GLNN_WRITES_AUTO;
    expect_ok(glnn__gl_enter(ctx));
    glnn_status status = glnn__plan_choose(ctx, &asked, &plan);
    bool can = true;
    if (r->cut) {
        plan = *r->cut;
        glnn__plan_complete(ctx, &asked, &plan);
    } else {
        can = change_plan(ctx, &asked, r, &plan);
    }
    if (!status && can)
        status = glnn__plan_run(ctx, &asked, &plan);
    expect_ok(glnn__gl_leave(ctx, status));
    ctx->info.writes = former;
    return can;
}

static const reading readings[] = {
    {.fetching = GLNN__FETCHING_TEXELS},
    {.fetching = GLNN__FETCHING_SAMPLES},
    {.fetching = GLNN__FETCHING_TEXELS, .layered = true},
    {.fetching = GLNN__FETCHING_SAMPLES, .layered = true},
    {.writes = GLNN_WRITES_TARGETS},
    {.writes = GLNN_WRITES_IMAGES},
    {.writes = GLNN_WRITES_IMAGES, .stack = GLNN__STACK},
    {.fetching = GLNN__FETCHING_SAMPLES,
     .layered = true,
     .writes = GLNN_WRITES_IMAGES,
     .stack = GLNN__STACK},
};

/* Those that all products have. */
#define ALWAYS (all_cases_are_run() ? 4 : 2)

/* Returns how many readings there were. Unless all cases are run, products with odd and with even
 * numbers have other readings, but for the first one. */
static size_t check_readings(const product *p, size_t number)
{
    const gemm_operands in = operands_of(p);
    array first = {0};
    size_t count = 0;
    for (size_t i = 0; i < COUNT_OF(readings); ++i) {
        glnn_matrix *c;
        if (i > 0 && !all_cases_are_run() && (i + number) % 2)
            continue;
        if (!run_reading(p, &in, &readings[i], &c))
            continue;
        /* Where fragments share, a stack adds in another order. */
        const bool has_own_order =
            readings[i].stack > 1 && glnn__pass_can_share(glnn_test_context(), c);
        if (count == 0 || has_own_order)
            expect_close(c, reference_product(p, &in), "%s %d x %d x %d, %s, reading %zu",
                         transposes_of(&p->desc), p->m, p->n, p->k, glnn_layout_name(p->c), i);
        if (count++ == 0)
            first = values_of(c);
        if (has_own_order)
            continue;
        expect_same_bits(values_of(c), first, "%s %d x %d x %d, %s, reading %zu",
                         transposes_of(&p->desc), p->m, p->n, p->k, glnn_layout_name(p->c), i);
    }
    release_all();
    return count;
}

static const product products[] = {
    {.m = 5, .n = 9, .k = 7, .alpha = 1, .bias = true, .desc = {.augment = true}},
    {.m = 33, .n = 35, .k = 65, .alpha = 1, .beta = 0.5f},
    {.m = 34,
     .n = 37,
     .k = 50,
     .alpha = 0.5f,
     .beta = -0.5f,
     .derivative_of = true,
     .desc = {.activation = GLNN_MAP_TANH}},
    {.m = 9,
     .n = 21,
     .k = 83,
     .alpha = 1,
     .desc = {.slice = 16, .accumulate = GLNN_ACCUMULATE_PARTIAL}},
    {.m = 17,
     .n = 21,
     .k = 83,
     .alpha = 1,
     .desc = {.slice = 12, .accumulate = GLNN_ACCUMULATE_BLEND}},
    {.m = 17,
     .n = 21,
     .k = 83,
     .alpha = 1,
     .desc = {.slice = 13, .accumulate = GLNN_ACCUMULATE_PARTIAL}},
};

static void every_reading_agrees_with_reference_bit_by_bit(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(products); ++i)
        for (int which = 0; which < 4; ++which)
            for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
                product p = products[i];
                set_transposes(&p, which);
                if ((p.desc.augment && p.desc.transpose_b) ||
                    case_is_left_out((int)i + which + (int)layout))
                    continue;
                p.a = p.b = p.c = layout;
                const size_t count = check_readings(&p, i + (size_t)which);
                assert_true(count >= ALWAYS);
            }
}

/* Which cuts a plan takes depends on the device's figures; here each has its turn. Any two of the
 * products, transposes and layouts meet. */
static void every_cut_agrees_with_reference(void **state)
{
    (void)state;
    static const product cut_products[] = {
        {.m = 70, .n = 68, .k = 301, .alpha = 1, .beta = 0.5f},
        {.m = 33,
         .n = 17,
         .k = 66,
         .alpha = 1,
         .derivative_of = true,
         .desc = {.activation = GLNN_MAP_TANH}},
        {.m = 5, .n = 66, .k = 258, .alpha = 1, .bias = true, .desc = {.augment = true}},
    };
    for (size_t i = 0; i < COUNT_OF(cut_products); ++i)
        for (int which = 0; which < 4; ++which)
            for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
                product p = cut_products[i];
                glnn__plan cuts[GLNN__MAX_CUTS];
                set_transposes(&p, which);
                const bool is_met = all_cases_are_run() || ((int)i + which + (int)layout) % 2 == 0;
                if (!is_met || (p.desc.augment && p.desc.transpose_b))
                    continue;
                p.a = p.b = p.c = layout;
                const gemm_operands in = operands_of(&p);
                const glnn__product shape = {
                    .layout = layout, .rows = p.m, .columns = p.n, .inner = p.k};
                const int count = glnn__cost_cuts(glnn_test_context(), &shape, cuts);
                for (int c = 0; c < count; ++c) {
                    glnn_matrix *out;
                    if (case_is_left_out(c + which + (int)i))
                        continue;
                    run_reading(&p, &in, &(reading){.cut = &cuts[c]}, &out);
                    expect_close(out, reference_product(&p, &in),
                                 "%s %d x %d x %d, %s, %d slices%s, groups of %d",
                                 transposes_of(&p.desc), p.m, p.n, p.k, glnn_layout_name(layout),
                                 cuts[c].slices, cuts[c].blocking.group_slices > 0 ? " joined" : "",
                                 cuts[c].blocking.group_side);
                }
                release_all();
            }
}

static void mixed_layouts_and_storages_are_read_in_every_way(void **state)
{
    (void)state;
    static const glnn_layout mixes[][3] = {
        {GLNN_LAYOUT_TILED, GLNN_LAYOUT_PACKED, GLNN_LAYOUT_TILED},
        {GLNN_LAYOUT_UNPACKED, GLNN_LAYOUT_TILED, GLNN_LAYOUT_TILED},
        {GLNN_LAYOUT_PAGED, GLNN_LAYOUT_TILED, GLNN_LAYOUT_TILED},
        {GLNN_LAYOUT_TILED, GLNN_LAYOUT_TILED, GLNN_LAYOUT_PACKED},
    };
    for (size_t i = 0; i < COUNT_OF(mixes); ++i)
        for (int which = 0; which < 4; ++which) {
            product p = {.m = 13, .n = 19, .k = 29, .alpha = 1, .a = mixes[i][0], .b = mixes[i][1]};
            if (case_is_left_out((int)i + which))
                continue;
            p.c = mixes[i][2];
            p.stored_a = i % 2 ? GLNN_STORAGE_FLOAT16 : GLNN_STORAGE_FLOAT32;
            p.stored_b = i % 2 ? GLNN_STORAGE_FLOAT32 : GLNN_STORAGE_FLOAT16;
            set_transposes(&p, which);
            check_readings(&p, i + (size_t)which);
        }
}

static bool are_textures(glnn_context *ctx, const GLuint layers[GLNN__TILE_LAYERS])
{
    int count = 0;
    expect_ok(glnn__gl_enter(ctx));
    for (int i = 0; i < GLNN__TILE_LAYERS; ++i)
        count += glIsTexture(layers[i]) != GL_FALSE;
    expect_ok(glnn__gl_leave(ctx, GLNN_OK));
    assert_true(count == 0 || count == GLNN__TILE_LAYERS);
    return count > 0;
}

/* A product whose result is an operand moves to another texture each time, and back by the pool. */
static void views_stay_with_textures_and_go_with_them(void **state)
{
    (void)state;
    enum { N = 16 };
    glnn_context *ctx = context_new(0, 0);
    context_use(ctx);
    array identity = array_new(N, N);
    for (int i = 0; i < N; ++i)
        *at(identity, i, i) = 1;
    const array values = array_random(N, N, -1, 1);
    const glnn_matrix *one = matrix_of(identity, GLNN_LAYOUT_TILED);
    glnn_matrix *m = matrix_of(values, GLNN_LAYOUT_TILED);
    GLuint layers[2][GLNN__TILE_LAYERS];
    for (int i = 0; i < 6; ++i) {
        const glnn__texture *texture = m->texture;
        expect_ok(multiply_layered(ctx, one, m, m));
        assert_true(m->texture != texture);
        assert_true(are_textures(ctx, texture->layers));
        if (i >= 2)
            assert_memory_equal(texture->layers, layers[i % 2], sizeof layers[0]);
        memcpy(layers[i % 2], texture->layers, sizeof layers[0]);
        expect_equal(m, values, "layered product %d", i);
    }
    /* The budget has no room for more: the texture in the pool makes some, that of m stays. */
    ctx->info.texture_budget = ctx->info.texture_bytes;
    matrix_zero(8, 8, GLNN_LAYOUT_TILED);
    assert_false(are_textures(ctx, layers[1]));
    assert_true(are_textures(ctx, layers[0]));
}

static void layers_are_read_one_by_one_only_where_there_are_units(void **state)
{
    (void)state;
    glnn_context *ctx = context_new(0, 0);
    ctx->texture_units = 16;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
        assert_false(glnn__pass_can_split(ctx, layout));
    ctx->texture_units = 32;
    assert_true(glnn__pass_can_split(ctx, GLNN_LAYOUT_TILED));
    assert_false(glnn__pass_can_split(ctx, GLNN_LAYOUT_PACKED));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_reading_agrees_with_reference_bit_by_bit),
        TEST(every_cut_agrees_with_reference),
        TEST(mixed_layouts_and_storages_are_read_in_every_way),
        TEST(views_stay_with_textures_and_go_with_them),
        TEST(layers_are_read_one_by_one_only_where_there_are_units),
    };
    return cmocka_run_group_tests_name("gemm readings", tests, test_group_setup,
                                       test_group_teardown);
}
