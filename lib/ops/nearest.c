#include "ops/nearest.h"

#include "base/integers.h"
#include "base/names.h"
#include "ops/distances.h"
#include "ops/sample.h"
#include "pass/list.h"

#include <glnn/copy.h>

enum { LABELLED };
enum { PART_GROUPS = GLNN__AFTER_SAMPLE, FACTOR, STRIPE_COUNT, STRIPE_ROWS };

static const glnn__kernel scan_kernel = {
    .name = "ops/nearest",
    .operands = {"SCORES", "CLASSES", "TARGET", "INDEX", "LAST", "PARTS"},
    .unviewed = 6,
    .options = {[LABELLED] = "LABELLED"},
    .uniforms = {GLNN__SAMPLE_UNIFORMS, [PART_GROUPS] = "int part_groups", [FACTOR] = "int factor",
                 [STRIPE_COUNT] = "int stripes", [STRIPE_ROWS] = "int stripe_rows"},
};

enum { PART_PROTOTYPES = GLNN__AFTER_SAMPLE, STRIPE_BLOCKS };

static const glnn__kernel fused_kernel = {
    .name = "ops/nearest_fused",
    .operands = {"X", "M", "NORMS", "CLASSES", "TARGET", "INDEX"},
    .unviewed = 6,
    .options = {[LABELLED] = "LABELLED"},
    .uniforms = {GLNN__SAMPLE_UNIFORMS, [PART_PROTOTYPES] = "int part_prototypes",
                 [STRIPE_BLOCKS] = "int stripe_blocks"},
};

/* Prototypes that a fragment compares with GLNN_SEARCH_REDUCTION. */
#define REDUCTION_PART 128

/* Parts that a fragment joins. */
#define FOLD 64

/* Fewer samples than FEW_SAMPLES do not fill a block of scores. With fewer than FEW_WITHOUT_NORMS
 * the search computes norms itself, faster than another pass. A fragment compares FEW_PROTOTYPES in
 * less time than a further pass needs to start. */
#define FEW_SAMPLES       4
#define FEW_WITHOUT_NORMS 16
#define FEW_PROTOTYPES    (2 * REDUCTION_PART)

/* With AUTO, scores may take one part in so many of the texture budget. */
#define SHARE 4

static const char *const search_names[GLNN_SEARCH_COUNT] = {
    [GLNN_SEARCH_AUTO] = "auto",
    [GLNN_SEARCH_TILES] = "tiles",
    [GLNN_SEARCH_REDUCTION] = "reduction",
    [GLNN_SEARCH_FUSED] = "fused",
};

GLNN__DEFINE_NAMES(glnn_search, search_names)

/* ---- The way to search */

/* Whether a matrix fits in a texture that is not wrapped. */
static bool fits(const glnn_context *ctx, glnn_layout layout, int rows, int columns)
{
    const int side = ctx->info.max_texture_size;
    const glnn__extent extent = glnn__layout_extent(layout, rows, columns, side);
    return extent.width <= side && extent.height <= side && extent.wrap == 0;
}

/* Scores have the layout of the prototypes if they fit in a texture. */
static glnn_layout score_layout(const glnn_context *ctx, const glnn__nearest *n)
{
    const glnn_layout layout = n->prototypes->layout;
    if (layout == GLNN_LAYOUT_PAGED || !fits(ctx, layout, n->samples->rows, n->prototypes->rows))
        return GLNN_LAYOUT_TILED;
    return layout;
}

static glnn_search choose_search(const glnn_context *ctx, const glnn__nearest *n)
{
    const glnn_layout layout = score_layout(ctx, n);
    const glnn__extent extent = glnn__layout_extent(layout, n->samples->rows, n->prototypes->rows,
                                                    ctx->info.max_texture_size);
    if (n->search != GLNN_SEARCH_AUTO)
        return n->search;
    if (!fits(ctx, layout, n->samples->rows, n->prototypes->rows) ||
        glnn__extent_bytes(layout, GLNN_STORAGE_FLOAT32, extent) > ctx->info.texture_budget / SHARE)
        return GLNN_SEARCH_FUSED;
    if (n->samples->rows < (n->norms ? FEW_SAMPLES : FEW_WITHOUT_NORMS))
        return GLNN_SEARCH_FUSED;
    return n->prototypes->rows <= FEW_PROTOTYPES ? GLNN_SEARCH_TILES : GLNN_SEARCH_REDUCTION;
}

/* ---- Parts of rows, and joining them */

/* Where the winners of the parts of each row are: next to each other, and in stripes of rows one
 * below the other. */
typedef struct parts {
    glnn_layout layout;
    int across, stripes;
    int stripe_rows; /* rows of the matrix in each */
} parts;

static glnn_status create_parts(glnn_context *ctx, const parts *p, glnn_matrix **out)
{
    return glnn__matrix_create_scratch(ctx, p->layout, p->stripes * p->stripe_rows, 4 * p->across,
                                       "winners of parts", out);
}

/* A pass of nearest.glsl. */
typedef struct scan {
    const glnn_matrix *scores, *last, *parts;
    int part_groups;                  /* of scores */
    int factor, stripes, stripe_rows; /* of parts  */
    glnn_matrix *winners;
} scan;

static glnn_status run_scan(glnn_context *ctx, const glnn__nearest *n, const scan *s)
{
    return glnn__pass_run(
        ctx,
        &(glnn__pass){
            .kernel = &scan_kernel,
            .operands = {{.matrix = s->scores},
                         {.matrix = n->classes},
                         {.matrix = n->targets},
                         {.matrix = n->classes ? n->order : NULL},
                         {.matrix = s->last},
                         {.matrix = s->parts}},
            .output = s->winners,
            .options = {[LABELLED] = n->kind == GLNN__NEAREST_LABELLED},
            .uniforms = {GLNN__SAMPLE_VALUES(n->first, n->count, n->dataset_samples),
                         [PART_GROUPS] = {.i = s->part_groups}, [FACTOR] = {.i = s->factor},
                         [STRIPE_COUNT] = {.i = s->stripes}, [STRIPE_ROWS] = {.i = s->stripe_rows}},
        });
}

/* Joins neighbouring parts until one is left, in `winners`. Destroys `from`. */
static glnn_status fold_parts(glnn_context *ctx, const glnn__nearest *n, parts p, glnn_matrix *from,
                              glnn_matrix *winners)
{
    while (from) {
        const int joined = p.stripes < FOLD / 4 ? FOLD / p.stripes : 4;
        const parts next = {
            .layout = GLNN_LAYOUT_PACKED,
            .across = glnn__ceil_div(p.across, joined),
            .stripes = 1,
            .stripe_rows = n->samples->rows,
        };
        glnn_matrix *to = NULL;
        glnn_status status = next.across > 1 ? create_parts(ctx, &next, &to) : GLNN_OK;
        if (!status)
            status = run_scan(ctx, n,
                              &(scan){.parts = from,
                                      .factor = joined,
                                      .stripes = p.stripes,
                                      .stripe_rows = p.stripe_rows,
                                      .winners = to ? to : winners});
        glnn__scratch_destroy(from);
        if (status) {
            glnn__scratch_destroy(to);
            return status;
        }
        from = to;
        p = next;
    }
    return GLNN_OK;
}

/* ---- Scores that are stored */

static glnn_status make_scores(glnn_context *ctx, const glnn__nearest *n, glnn_matrix **out)
{
    GLNN__TRY(glnn__matrix_create_scratch(ctx, score_layout(ctx, n), n->samples->rows,
                                          n->prototypes->rows, "scores of prototypes", out));
    const glnn_status status = glnn__row_scores(ctx, n->samples, n->prototypes, n->norms, *out);
    if (status)
        glnn__scratch_destroy(*out);
    return status;
}

/* The winners of each row of scores. With `last`, only scores after its second winners take
 * part. */
static glnn_status scan_scores(glnn_context *ctx, const glnn__nearest *n, const glnn_matrix *scores,
                               const glnn_matrix *last, glnn_matrix *winners)
{
    const int groups = glnn__ceil_div(n->prototypes->rows, 4);
    const bool is_whole = n->search == GLNN_SEARCH_TILES;
    const int part_groups = is_whole ? groups : REDUCTION_PART / 4;
    const parts p = {
        .layout = GLNN_LAYOUT_PACKED,
        .across = glnn__ceil_div(groups, part_groups),
        .stripes = 1,
        .stripe_rows = n->samples->rows,
    };
    glnn_matrix *from = NULL;
    if (p.across > 1)
        GLNN__TRY(create_parts(ctx, &p, &from));
    glnn_status status = run_scan(ctx, n,
                                  &(scan){.scores = scores,
                                          .last = last,
                                          .part_groups = part_groups,
                                          .winners = from ? from : winners});
    if (status) {
        glnn__scratch_destroy(from);
        return status;
    }
    return fold_parts(ctx, n, p, from, winners);
}

static glnn_status run_stored(glnn_context *ctx, const glnn__nearest *n)
{
    glnn_matrix *scores;
    GLNN__TRY(make_scores(ctx, n, &scores));
    const glnn_status status = scan_scores(ctx, n, scores, NULL, n->winners);
    glnn__scratch_destroy(scores);
    return status;
}

/* ---- Scores that are not stored */

/* A fragment takes the samples of a block, and a part of the prototypes for each texel across.
 * With few samples it takes one sample, and stripes give the output enough rows for groups of
 * fragments. */
#define MOST_STRIPES 4
#define FRAGMENTS    8192
#define STEP         8 /* prototypes that nearest_fused.glsl compares at a time */

static int plan_fused(const glnn__nearest *n, parts *out)
{
    const bool is_few = n->samples->rows < FEW_SAMPLES;
    const glnn_layout layout = is_few ? GLNN_LAYOUT_PACKED : GLNN_LAYOUT_TILED;
    const glnn__layout_info *info = glnn__layout_get(layout);
    const int blocks = glnn__ceil_div(n->samples->rows, info->block_rows);
    const int stripes = is_few ? MOST_STRIPES : 1;
    const int most = glnn__ceil_div(n->prototypes->rows, STEP);
    const int texels = info->block_columns / 4;
    const int wanted = texels * glnn__ceil_div(FRAGMENTS, blocks);
    const int part = STEP * glnn__ceil_div(most, wanted < most ? wanted : most);
    const int count = glnn__ceil_div(n->prototypes->rows, part);
    *out = (parts){
        .layout = layout,
        .across = texels * glnn__ceil_div(count, texels * stripes),
        .stripes = stripes,
        .stripe_rows = blocks * info->block_rows,
    };
    return part;
}

static glnn_status run_fused(glnn_context *ctx, const glnn__nearest *n)
{
    parts p;
    const int part = plan_fused(n, &p);
    glnn_matrix *from;
    GLNN__TRY(create_parts(ctx, &p, &from));
    glnn__pass pass = {
        .kernel = &fused_kernel,
        .operands = {{.matrix = n->samples},
                     {.matrix = n->prototypes},
                     {.matrix = n->norms},
                     {.matrix = n->classes},
                     {.matrix = n->targets},
                     {.matrix = n->classes ? n->order : NULL}},
        .output = from,
        .fetches = (double)n->samples->rows * n->prototypes->rows * n->prototypes->columns,
        .options = {[LABELLED] = n->kind == GLNN__NEAREST_LABELLED},
        .uniforms = {GLNN__SAMPLE_VALUES(n->first, n->count, n->dataset_samples),
                     [PART_PROTOTYPES] = {.i = part},
                     [STRIPE_BLOCKS] = {.i = p.stripe_rows /
                                             glnn__layout_get(p.layout)->block_rows}},
    };
    glnn_status status = glnn__pass_time(ctx, p.layout, pass.fetches, &pass.expected_us);
    if (!status)
        status = glnn__pass_run(ctx, &pass);
    if (status) {
        glnn__scratch_destroy(from);
        return status;
    }
    return fold_parts(ctx, n, p, from, n->winners);
}

/* ---- Both */

/* Completes a search: chooses the way to search, and computes the norms if the search does not. The
 * caller destroys *norms in any case. */
static glnn_status complete(glnn_context *ctx, glnn__nearest *n, glnn_matrix **norms)
{
    *norms = NULL;
    n->search = choose_search(ctx, n);
    if (n->norms || (n->search == GLNN_SEARCH_FUSED && n->samples->rows < FEW_WITHOUT_NORMS))
        return GLNN_OK;
    GLNN__TRY(glnn__matrix_create_scratch(ctx, GLNN_LAYOUT_PACKED, 1, n->prototypes->rows,
                                          "norms of prototypes", norms));
    n->norms = *norms;
    return glnn__row_norms(ctx, n->prototypes, *norms);
}

glnn_status glnn__nearest_run(glnn_context *ctx, const glnn__nearest *nearest)
{
    glnn__nearest n = *nearest;
    glnn_matrix *norms;
    GLNN__TRY(glnn__gl_enter(ctx));
    glnn_status status = complete(ctx, &n, &norms);
    if (!status)
        status = n.search == GLNN_SEARCH_FUSED ? run_fused(ctx, &n) : run_stored(ctx, &n);
    glnn__scratch_destroy(norms);
    return glnn__gl_leave(ctx, status);
}

/* ---- Lists */

/* Each round finds two more winners, after those of the round before. */
static glnn_status run_rounds(glnn_context *ctx, const glnn__nearest *n, const glnn_matrix *scores,
                              int k, glnn_matrix *winners[2], glnn_matrix *out)
{
    for (int i = 0; 2 * i < k; ++i) {
        glnn_matrix *latest = winners[i % 2];
        GLNN__TRY(scan_scores(ctx, n, scores, i > 0 ? winners[1 - i % 2] : NULL, latest));
        const glnn_rect rect = {0, 0, latest->rows, 2 * i + 1 < k ? 4 : 2};
        GLNN__TRY(glnn_copy_rect(ctx, latest, &rect, out, 0, 4 * i));
    }
    return GLNN_OK;
}

static glnn_status run_list(glnn_context *ctx, const glnn__nearest *n, int k, glnn_matrix *out)
{
    glnn_matrix *scores, *winners[2] = {NULL, NULL};
    glnn_status status = GLNN_OK;
    GLNN__TRY(make_scores(ctx, n, &scores));
    for (int i = 0; i < 2 && !status; ++i)
        status = glnn__matrix_create_scratch(ctx, GLNN_LAYOUT_PACKED, n->samples->rows, 4,
                                             "nearest prototypes", &winners[i]);
    if (!status)
        status = run_rounds(ctx, n, scores, k, winners, out);
    glnn__scratch_destroy(winners[0]);
    glnn__scratch_destroy(winners[1]);
    glnn__scratch_destroy(scores);
    return status;
}

glnn_status glnn__nearest_list(glnn_context *ctx, const glnn__nearest *nearest, int k,
                               glnn_matrix *out)
{
    glnn__nearest unlabelled = *nearest;
    glnn_matrix *norms;
    unlabelled.kind = GLNN__NEAREST_TWO;
    unlabelled.search = GLNN_SEARCH_REDUCTION;
    unlabelled.classes = unlabelled.targets = NULL;
    GLNN__TRY(glnn__gl_enter(ctx));
    glnn_status status = complete(ctx, &unlabelled, &norms);
    if (!status)
        status = run_list(ctx, &unlabelled, k, out);
    glnn__scratch_destroy(norms);
    return glnn__gl_leave(ctx, status);
}
