#include "data/emphasis.h"

#include "base/integers.h"
#include "base/status.h"
#include "data/sequence.h"
#include "pass/list.h"

#include <math.h>
#include <stdlib.h>

/* Children of a node in the tree of sums; a divisor of GLNN__SEQUENCE_COLUMNS. */
enum { GLNN__CHILDREN = 64 };

static const glnn__enumerator tree[] = {GLNN__ENUMERATOR(GLNN__CHILDREN), {0}};

enum { EXPONENT, WEIGHTS_COUNT };

static const glnn__kernel weights_kernel = {
    .name = "data/emphasis_weights",
    .operands = {"TOTAL", "RECENT"},
    .unviewed = 1,
    .uniforms = {[EXPONENT] = "float exponent", [WEIGHTS_COUNT] = "int count"},
};

static const glnn__kernel sums_kernel = {
    .name = "data/emphasis_sums",
    .operands = {"X"},
    .unviewed = 1,
    .enumerations = {glnn__sequence_enumerators, tree},
};

enum { WEIGHTS, TOTAL, SUMS };
enum { DRAW_COUNT, OFFSET };

static const glnn__kernel draw_kernel = {
    .name = "data/emphasis_draw",
    .operands = {[WEIGHTS] = "WEIGHTS", [TOTAL] = "TOTAL", [SUMS] = "SUMS1", "SUMS2", "SUMS3"},
    .unviewed = 5,
    .uniforms = {[DRAW_COUNT] = "int count", [OFFSET] = "float offset"},
    .enumerations = {glnn__sequence_enumerators, tree},
};

/* The uniforms of include/permutation.glsl, and the next one. */
enum { COUNT, HALF_BITS, DRAW, KEY_LOW, KEY_HIGH, FIRST };

#define PERMUTATION_UNIFORMS                                                                       \
    [COUNT] = "int count", [HALF_BITS] = "int half_bits", [DRAW] = "int draw",                     \
    [KEY_LOW] = "int key_low", [KEY_HIGH] = "int key_high"

static const glnn__kernel order_kernel = {
    .name = "data/emphasis_order",
    .operands = {"DRAWN"},
    .unviewed = 1,
    .uniforms = {PERMUTATION_UNIFORMS, [FIRST] = "int first"},
    .enumerations = {glnn__sequence_enumerators},
};

static const glnn__kernel recent_kernel = {
    .name = "data/emphasis_recent",
    .operands = {"DRAWN", "PRESENTED", "RECENT"},
    .unviewed = 2,
    .uniforms = {PERMUTATION_UNIFORMS},
    .enumerations = {glnn__sequence_enumerators},
};

static const glnn__kernel factors_kernel = {
    .name = "data/emphasis_factors",
    .operands = {"WEIGHTS", "ORDER"},
    .unviewed = 2,
    .uniforms = {"int count"},
    .enumerations = {glnn__sequence_enumerators},
};

static const glnn__kernel placed_kernel = {
    .name = "data/emphasis_placed",
    .operands = {"PLACES", "PRESENTED", "RECENT"},
    .unviewed = 2,
    .enumerations = {glnn__sequence_enumerators},
};

/* ---- Creation */

/* 0 for the samples that are trained on, -1 for the others and after the last one. */
static glnn_status upload_recent(glnn_context *ctx, const glnn__order *order, int count,
                                 glnn_matrix *recent)
{
    const size_t places = (size_t)recent->rows * GLNN__SEQUENCE_COLUMNS;
    float *losses = malloc(places * sizeof *losses);
    if (!losses)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the recent losses of %d samples",
                          order->samples);
    for (size_t i = 0; i < places; ++i)
        losses[i] = -1;
    for (int i = 0; i < count; ++i)
        losses[order->entries[i]] = 0;
    const glnn_status status = glnn_matrix_upload(ctx, recent, NULL, losses, 0);
    free(losses);
    return status;
}

static glnn_status create_sums(glnn_context *ctx, int samples, glnn__emphasis *out)
{
    int length = samples;
    do {
        length = glnn__ceil_div(length, GLNN__CHILDREN);
        GLNN__TRY(glnn__sequence_create(ctx, GLNN_LAYOUT_PACKED, length, "sums of weights",
                                        &out->sums[out->levels++]));
    } while (length > 1);
    return GLNN_OK;
}

static glnn_status create_for_order(glnn_context *ctx, int samples, glnn__emphasis *out)
{
    const int page = glnn__least(samples, ctx->info.max_texture_size);
    GLNN__TRY(
        glnn__sequence_create(ctx, GLNN_LAYOUT_PACKED, samples, "drawn samples", &out->drawn));
    return glnn__matrix_create_zero(ctx, GLNN_LAYOUT_PACKED, page, 1, "page of an order",
                                    &out->page);
}

static glnn_status create_for_factors(glnn_context *ctx, int samples, glnn__emphasis *out)
{
    GLNN__TRY(glnn__sequence_create(ctx, GLNN_LAYOUT_PACKED, samples, "factors of losses",
                                    &out->factors));
    return glnn__sequence_create(ctx, GLNN_LAYOUT_PACKED, samples, "places of samples",
                                 &out->places);
}

glnn_status glnn__emphasis_create(glnn_context *ctx, float exponent, glnn_emphasis_kind kind,
                                  uint64_t seed, const glnn__order *order, int count,
                                  glnn__emphasis *out)
{
    const int samples = order->samples;
    *out = (glnn__emphasis){.exponent = exponent, .kind = kind, .seed = seed, .count = count};
    GLNN__TRY(
        glnn__sequence_create(ctx, GLNN_LAYOUT_PACKED, samples, "recent losses", &out->recent));
    GLNN__TRY(upload_recent(ctx, order, count, out->recent));
    GLNN__TRY(glnn__sequence_create(ctx, GLNN_LAYOUT_UNPACKED, samples, "losses of an epoch",
                                    &out->presented));
    GLNN__TRY(glnn__sequence_create(ctx, GLNN_LAYOUT_PACKED, samples, "weights of samples",
                                    &out->weights));
    GLNN__TRY(create_sums(ctx, samples, out));
    return kind == GLNN_EMPHASIS_WEIGHT ? create_for_factors(ctx, samples, out)
                                        : create_for_order(ctx, samples, out);
}

void glnn__emphasis_destroy(glnn__emphasis *emphasis)
{
    glnn_matrix *const matrices[] = {emphasis->recent, emphasis->presented, emphasis->weights,
                                     emphasis->drawn,  emphasis->page,      emphasis->factors,
                                     emphasis->places};
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; ++i)
        glnn_matrix_destroy(matrices[i]);
    for (int i = 0; i < GLNN__EMPHASIS_LEVELS; ++i)
        glnn_matrix_destroy(emphasis->sums[i]);
    *emphasis = (glnn__emphasis){0};
}

/* ---- The beginning of an epoch */

static const glnn_matrix *total_of(const glnn__emphasis *of)
{
    return of->sums[of->levels - 1];
}

/* The weights of all samples and their sums; `total` as in emphasis_weights.glsl. */
static glnn_status weigh(glnn_context *ctx, const glnn__emphasis *of, const glnn_matrix *total)
{
    GLNN__TRY(glnn__pass_run(
        ctx, &(glnn__pass){
                 .kernel = &weights_kernel,
                 .operands = {{.matrix = total}, {.matrix = of->recent}},
                 .output = of->weights,
                 .uniforms = {[EXPONENT] = {.f = of->exponent}, [WEIGHTS_COUNT] = {.i = of->count}},
             }));
    for (int i = 0; i < of->levels; ++i)
        GLNN__TRY(
            glnn__pass_run(ctx, &(glnn__pass){
                                    .kernel = &sums_kernel,
                                    .operands = {{.matrix = i ? of->sums[i - 1] : of->weights}},
                                    .output = of->sums[i],
                                }));
    return GLNN_OK;
}

/* A number in [0, 1) that float32 can add to each number below `count` without rounding. */
static float offset_of(const glnn__emphasis *of, int epoch)
{
    static const uint32_t purpose = 0x4F464653; /* no other random number has this counter */
    const uint32_t counter[4] = {0, 0, (uint32_t)epoch, purpose};
    uint32_t words[4];
    int bits = 24;
    while (bits > 0 && (int64_t)of->count << bits > GLNN__MAX_NUMBERED)
        --bits;
    glnn__philox(of->seed, counter, words);
    return ldexpf((float)(words[0] >> (31 - bits) >> 1), -bits);
}

static glnn_status draw_samples(glnn_context *ctx, const glnn__emphasis *of, int epoch)
{
    glnn__pass pass = {
        .kernel = &draw_kernel,
        .operands = {[WEIGHTS] = {.matrix = of->weights}, [TOTAL] = {.matrix = total_of(of)}},
        .output = of->drawn,
        .uniforms = {[DRAW_COUNT] = {.i = of->count}, [OFFSET] = {.f = offset_of(of, epoch)}},
    };
    for (int i = 0; i + 1 < of->levels; ++i)
        pass.operands[SUMS + i].matrix = of->sums[i];
    return glnn__pass_run(ctx, &pass);
}

static void set_permutation(const glnn__emphasis *of, int epoch, glnn__uniform *uniforms)
{
    int half_bits = 1;
    while ((int64_t)1 << 2 * half_bits < of->count)
        ++half_bits;
    uniforms[COUNT].i = of->count;
    uniforms[HALF_BITS].i = half_bits;
    uniforms[DRAW].i = epoch;
    uniforms[KEY_LOW].i = (int)(uint32_t)of->seed;
    uniforms[KEY_HIGH].i = (int)(uint32_t)(of->seed >> 32);
}

/* Rows of a matrix that become a page of another one. */
typedef struct paging {
    const glnn_matrix *from, *to;
    int page, rows;
} paging;

static glnn_status copy_page(void *ctx, const void *what)
{
    const paging *of = what;
    return glnn__texture_copy_page(ctx, of->from->texture, of->to->texture, of->page, of->rows);
}

/* A pass writes a page, because it cannot write a paged matrix. */
static glnn_status write_order(glnn_context *ctx, const glnn__emphasis *of, int epoch,
                               glnn_matrix *order)
{
    for (int first = 0; first < of->count; first += of->page->rows) {
        glnn__pass pass = {
            .kernel = &order_kernel,
            .operands = {{.matrix = of->drawn}},
            .output = of->page,
            .uniforms = {[FIRST] = {.i = first}},
        };
        set_permutation(of, epoch, pass.uniforms);
        GLNN__TRY(glnn__pass_run(ctx, &pass));
        GLNN__TRY(glnn__list_call(ctx, copy_page, ctx,
                                  &(paging){of->page, order, first / of->page->rows,
                                            glnn__least(of->page->rows, of->count - first)},
                                  sizeof(paging)));
    }
    return GLNN_OK;
}

static glnn_status upload_places(glnn_context *ctx, const glnn__emphasis *of,
                                 const glnn__order *order)
{
    const size_t size = (size_t)of->places->rows * GLNN__SEQUENCE_COLUMNS;
    float *places = calloc(size, sizeof *places);
    if (!places)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the places of %d samples", order->samples);
    for (int i = 0; i < of->count; ++i)
        places[order->entries[i]] = (float)i;
    const glnn_status status = glnn_matrix_upload(ctx, of->places, NULL, places, 0);
    free(places);
    return status;
}

static glnn_status find_factors(glnn_context *ctx, const glnn__emphasis *of,
                                const glnn__order *order)
{
    GLNN__TRY(upload_places(ctx, of, order));
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = &factors_kernel,
                                   .operands = {{.matrix = of->weights}, {.matrix = order->matrix}},
                                   .output = of->factors,
                                   .uniforms = {{.i = of->count}},
                               });
}

static glnn_status begin(glnn_context *ctx, const glnn__emphasis *of, int epoch,
                         const glnn__order *order)
{
    GLNN__TRY(weigh(ctx, of, NULL));
    GLNN__TRY(weigh(ctx, of, total_of(of)));
    if (of->kind == GLNN_EMPHASIS_WEIGHT)
        return find_factors(ctx, of, order);
    GLNN__TRY(draw_samples(ctx, of, epoch));
    return write_order(ctx, of, epoch, order->matrix);
}

glnn_status glnn__emphasis_begin(glnn_context *ctx, glnn__emphasis *of, int epoch,
                                 const glnn__order *order)
{
    const glnn__label former =
        glnn__label_part(ctx, of->kind == GLNN_EMPHASIS_WEIGHT ? "weigh samples" : "draw an order");
    return glnn__label_end(ctx, former, begin(ctx, of, epoch, order));
}

/* ---- Its end */

glnn_status glnn__emphasis_end(glnn_context *ctx, glnn__emphasis *of, int epoch)
{
    const bool weighs = of->kind == GLNN_EMPHASIS_WEIGHT;
    glnn__pass pass = {
        .kernel = weighs ? &placed_kernel : &recent_kernel,
        .operands = {{.matrix = weighs ? of->places : of->drawn},
                     {.matrix = of->presented},
                     {.matrix = of->recent}},
        .output = of->recent,
    };
    if (!weighs)
        set_permutation(of, epoch, pass.uniforms);
    const glnn__label former = glnn__label_part(ctx, "recent losses");
    return glnn__label_end(ctx, former, glnn__pass_run(ctx, &pass));
}
