#include "ops/gemm_plan.h"

#include "base/status.h"
#include "ops/strips.h"
#include "pass/pass.h"
#include "pass/speed.h"
#include "pass/tuning.h"

/* What keeps a device busy, and the shortest slice worth being computed apart. They decide by stage
 * and shape alone, so that equal products have equal sums in every run. */
typedef struct fullness {
    int fragments; /* or invocations */
    int groups;    /* of the kernel that shares what it reads */
    int min_inner; /* below it a pass more costs more than it saves */
    int min_slice;
} fullness;

static const fullness fills[] = {
    [GLNN_STAGE_FRAGMENT] = {.fragments = 8192, .min_inner = 384, .min_slice = 192},
    [GLNN_STAGE_COMPUTE] = {.fragments = 8192, .groups = 256, .min_inner = 512, .min_slice = 64},
};

/* Elements along a side of what a small and a large work group compute, for one invocation along
 * its side; and from how many large groups on they are worth it. */
#define ELEMENTS_OF_INVOCATION 8
#define SMALL_GROUP            8
#define LARGE_GROUP            16
#define MANY_GROUPS            64

/* How a product is cut. */
typedef struct cuts {
    int inner; /* inner indices, without a constant unit */
    int slice; /* inner indices of one slice, a multiple of four where there are several */
    int slices;
    bool partial;   /* slices side by side, then a fold; else one pass a slice, blended */
    bool in_place;  /* beta * c is left to blending */
    bool maps;      /* the finished sum goes through a map */
    int block_rows; /* rows of blocks of c */
    int group; /* invocations along a side of a work group that shares what it reads; 0: none */
    glnn__fetching fetching;
    int strips;
} cuts;

static int round_up(int value, int multiple)
{
    return (value + multiple - 1) / multiple * multiple;
}

static bool reads_target(const glnn__product *p)
{
    return p->a == p->c || p->b == p->c || p->bias == p->c || p->derivative_of == p->c;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Work groups of so many invocations a side that cover c. */
static int count_groups(const glnn_matrix *c, int group)
{
    const int side = ELEMENTS_OF_INVOCATION * group;
    return ((c->rows - 1) / side + 1) * ((c->columns - 1) / side + 1);
}

/* The kernel that shares what it reads pays where its groups are mostly full. */
static int choose_group(const glnn_context *ctx, const glnn__product *p)
{
    const int smallest = ELEMENTS_OF_INVOCATION * SMALL_GROUP / 2;
    if (ctx->info.stage != GLNN_STAGE_COMPUTE || p->c->layout == GLNN_LAYOUT_UNPACKED ||
        p->c->rows < smallest || p->c->columns < smallest)
        return 0;
    return count_groups(p->c, LARGE_GROUP) >= MANY_GROUPS ? LARGE_GROUP : SMALL_GROUP;
}

/* The length of a slice: the caller's, or such that the slices side by side fill the device. */
static int choose_slice(const glnn_context *ctx, const glnn__product *p, const cuts *plan,
                        int fragments)
{
    const fullness *fill = &fills[ctx->info.stage];
    const int inner = plan->inner;
    if (p->slice > 0)
        return round_up(least(p->slice, inner), 4);
    if (p->accumulate == GLNN_ACCUMULATE_BLEND || inner < fill->min_inner)
        return inner;
    const int fitting = ctx->info.max_texture_size / p->c->texture->extent.height;
    const int wanted =
        plan->group ? fill->groups / count_groups(p->c, plan->group) : fill->fragments / fragments;
    const int slices = least(least(wanted, inner / fill->min_slice), fitting);
    return slices > 1 ? round_up((inner - 1) / slices + 1, 8) : inner;
}

/* Multiply-adds below which it does not matter how operands are read. */
#define SHORT_PRODUCT 1048576.0

static glnn_status choose_reading(glnn_context *ctx, const glnn__product *p, cuts *plan)
{
    const double multiply_adds = (double)p->c->rows * p->c->columns * plan->inner;
    if (plan->group || multiply_adds < SHORT_PRODUCT)
        return GLNN_OK;
    return glnn__tuning_fetching(ctx, p->c->layout, &plan->fetching);
}

static glnn_status make_plan(glnn_context *ctx, const glnn__product *p, cuts *out)
{
    const glnn__extent extent = p->c->texture->extent;
    const int fragments = extent.width * extent.height;
    *out = (cuts){
        .inner = p->transpose_a ? p->a->rows : p->a->columns,
        .maps = p->activation != GLNN_MAP_IDENTITY || p->derivative_of,
        .block_rows = extent.height,
    };
    out->group = choose_group(ctx, p);
    out->slice = choose_slice(ctx, p, out, fragments);
    out->slices = (out->inner - 1) / out->slice + 1;
    /* Slices of the caller's go side by side only where there are few blocks and room. */
    const bool fits = out->slices <= ctx->info.max_texture_size / extent.height;
    const bool few = p->slice == 0 || fragments < fills[ctx->info.stage].fragments;
    out->partial = out->slices > 1 && (p->accumulate == GLNN_ACCUMULATE_PARTIAL ||
                                       (p->accumulate == GLNN_ACCUMULATE_AUTO && fits && few));
    out->in_place = p->addend == p->c && !out->maps && !reads_target(p);
    GLNN__TRY(choose_reading(ctx, p, out));
    return glnn__strips(ctx, p->c->layout,
                        (double)p->c->rows * p->c->columns * out->slice *
                            (out->partial ? out->slices : 1),
                        out->fetching, &out->strips);
}

/* The pass over inner indices begin to end, into `output`. */
static glnn__pass product_pass(const glnn__product *p, const cuts *plan, int begin, int end,
                               glnn_matrix *output)
{
    const int block_rows = glnn__layout_get(output->layout)->block_rows;
    return (glnn__pass){
        .kernel = plan->group ? GLNN__KERNEL_GEMM_SHARED : GLNN__KERNEL_GEMM,
        .operands = {{.matrix = p->a}, {.matrix = p->b}},
        .output = output,
        .options = {p->transpose_a, p->transpose_b, p->augment, plan->partial},
        .scalars = {1},
        .integers = {begin, end, plan->slice, plan->block_rows},
        .fetching = plan->fetching,
        .strips = plan->partial && plan->group ? 1 : plan->strips,
        .group_side = (unsigned)plan->group,
        .group_elements = ELEMENTS_OF_INVOCATION * plan->group,
        .group_layers = plan->partial ? plan->slices : 1,
        .group_rows = block_rows * plan->block_rows,
    };
}

/* Gives a pass what follows the sum. The operands start at `first`, the options at `option`. */
static void add_finish(const glnn__product *p, const cuts *plan, int first, int option,
                       glnn__pass *pass)
{
    pass->operands[first].matrix = plan->in_place ? NULL : p->addend;
    pass->operands[first + 1] = (glnn__operand){p->bias, glnn__view_broadcast(true, false)};
    pass->operands[first + 2].matrix = p->derivative_of;
    pass->options[option] = p->activation;
    pass->options[option + 1] = p->derivative;
    pass->scalars[0] = p->alpha;
    pass->scalars[1] = p->beta;
    pass->blend = plan->in_place;
    pass->blend_factor = p->beta;
}

static glnn_status run_whole(glnn_context *ctx, const glnn__product *p, const cuts *plan)
{
    glnn__pass pass = product_pass(p, plan, 0, plan->inner, p->c);
    add_finish(p, plan, 2, 4, &pass);
    return glnn__pass_run(ctx, &pass);
}

/* Sums `slices` products that stand one below the other in `sums`, and finishes. */
static glnn_status run_fold(glnn_context *ctx, const glnn__product *p, const cuts *plan,
                            const glnn_matrix *sums, int slices)
{
    glnn__pass pass = {
        .kernel = GLNN__KERNEL_FOLD,
        .operands = {{.matrix = sums}},
        .output = p->c,
        .integers = {slices, plan->block_rows},
    };
    add_finish(p, plan, 1, 0, &pass);
    return glnn__pass_run(ctx, &pass);
}

static glnn_status run_partial(glnn_context *ctx, const glnn__product *p, const cuts *plan)
{
    const int rows = glnn__layout_get(p->c->layout)->block_rows * plan->block_rows * plan->slices;
    glnn_matrix *sums;
    GLNN__TRY(glnn__matrix_create_scratch(ctx, p->c->layout, rows, p->c->columns,
                                          "partial products", &sums));
    glnn__pass pass = product_pass(p, plan, 0, plan->inner, sums);
    glnn_status status = glnn__pass_run(ctx, &pass);
    if (!status)
        status = run_fold(ctx, p, plan, sums, plan->slices);
    glnn_matrix_destroy(sums);
    return status;
}

static glnn_status blend_slices(glnn_context *ctx, const glnn__product *p, const cuts *plan,
                                glnn_matrix *sums, bool finishes)
{
    for (int s = 0; s < plan->slices; ++s) {
        const int begin = s * plan->slice;
        const int end = begin + plan->slice < plan->inner ? begin + plan->slice : plan->inner;
        glnn__pass pass = product_pass(p, plan, begin, end, sums);
        if (finishes && s == 0)
            add_finish(p, plan, 2, 4, &pass);
        else if (finishes)
            pass.scalars[0] = p->alpha;
        if (s > 0) {
            pass.blend = true;
            pass.blend_factor = 1;
        }
        GLNN__TRY(glnn__pass_run(ctx, &pass));
    }
    return GLNN_OK;
}

/* Slices are added right into c where nothing follows the sum, nothing else reads c, and it holds
 * sums in full. */
static glnn_status run_blended(glnn_context *ctx, const glnn__product *p, const cuts *plan)
{
    if (!plan->maps && !reads_target(p) && p->c->storage == GLNN_STORAGE_FLOAT32)
        return blend_slices(ctx, p, plan, p->c, true);
    glnn_matrix *sums;
    GLNN__TRY(glnn__matrix_create_scratch(ctx, p->c->layout, p->c->rows, p->c->columns,
                                          "sum of slices", &sums));
    glnn_status status = blend_slices(ctx, p, plan, sums, false);
    if (!status)
        status = run_fold(ctx, p, plan, sums, 1);
    glnn_matrix_destroy(sums);
    return status;
}

glnn_status glnn__product_run(glnn_context *ctx, const glnn__product *product)
{
    cuts plan;
    GLNN__TRY(glnn__gl_enter(ctx));
    glnn_status status = glnn__stage_resolve(ctx);
    if (!status)
        status = make_plan(ctx, product, &plan);
    if (!status && plan.slices == 1)
        status = run_whole(ctx, product, &plan);
    else if (!status && plan.partial)
        status = run_partial(ctx, product, &plan);
    else if (!status)
        status = run_blended(ctx, product, &plan);
    return glnn__gl_leave(ctx, status);
}
