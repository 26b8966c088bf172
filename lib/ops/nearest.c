#include "ops/nearest.h"

#include "base/integers.h"
#include "base/names.h"
#include "ops/distances.h"
#include "ops/gemm/plan.h"
#include "ops/sample.h"
#include "pass/list.h"

#include <glnn/copy.h>

#include <math.h>

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

enum { PART_PROTOTYPES = GLNN__AFTER_SAMPLE };

static const glnn__kernel fused_kernel = {
    .name = "ops/nearest_fused",
    .operands = {"X", "M", "NORMS", "CLASSES", "TARGET", "INDEX"},
    .unviewed = 6,
    .options = {[LABELLED] = "LABELLED"},
    .uniforms = {GLNN__SAMPLE_UNIFORMS, [PART_PROTOTYPES] = "int part_prototypes"},
};

enum { IN_DATASET = LABELLED + 1 };
enum { STRIPE_ROWS_OF_FEW = PART_PROTOTYPES + 1, SLICE_GROUPS };

static const glnn__kernel few_kernel = {
    .name = "ops/nearest_few",
    .operands = {"X", "M", "CLASSES", "TARGET", "INDEX"},
    .unviewed = 5,
    .options = {[LABELLED] = "LABELLED", [IN_DATASET] = "IN_DATASET"},
    .uniforms = {GLNN__SAMPLE_UNIFORMS, [PART_PROTOTYPES] = "int part_prototypes",
                 [STRIPE_ROWS_OF_FEW] = "int stripe_rows", [SLICE_GROUPS] = "int slice_groups"},
};

/* Prototypes that a fragment compares with GLNN_SEARCH_REDUCTION. */
#define REDUCTION_PART 128

/* A fragment joins so many parts in less time than a further pass needs to start. */
#define FEW_PARTS 128

/* With fewer samples the search computes norms itself, faster than another pass. */
#define FEW_WITHOUT_NORMS 16

/* With AUTO, scores may take one part in so many of the texture budget. */
#define SHARE 4

static const char *const search_names[GLNN_SEARCH_COUNT] = {
    [GLNN_SEARCH_AUTO] = "auto",
    [GLNN_SEARCH_TILES] = "tiles",
    [GLNN_SEARCH_REDUCTION] = "reduction",
    [GLNN_SEARCH_FUSED] = "fused",
};

GLNN__DEFINE_NAMES(glnn_search, search_names)

/* The rows of the batch. */
static int rows_of(const glnn__nearest *n)
{
    return n->is_in_dataset ? n->count : n->samples->rows;
}

/* ---- The way to search */

/* Whether a matrix fits in a texture that is not wrapped. */
static bool fits(const glnn_context *ctx, glnn_layout layout, int rows, int columns)
{
    const int side = ctx->info.max_texture_size;
    const glnn__extent extent =
        glnn__layout_extent(glnn__layout_in(ctx, layout), rows, columns, side);
    return extent.width <= side && extent.height <= side && extent.wrap == 0;
}

glnn_layout glnn__nearest_score_layout(const glnn_context *ctx, glnn_layout layout, int rows,
                                       int prototypes)
{
    return layout == GLNN_LAYOUT_PAGED || !fits(ctx, layout, rows, prototypes) ? GLNN_LAYOUT_TILED
                                                                               : layout;
}

static glnn_layout score_layout(const glnn_context *ctx, const glnn__nearest *n)
{
    return glnn__nearest_score_layout(ctx, n->prototypes->layout, rows_of(n), n->prototypes->rows);
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

/* The neighbouring parts of each stripe that a fragment joins: two passes join all. */
static int joined_across(const parts *p)
{
    const int all = p->across * p->stripes;
    return all <= FEW_PARTS ? p->across : glnn__ceil_div((int)ceil(sqrt(all)), p->stripes);
}

/* Joins neighbouring parts until `winners` has room for them. Destroys `from`. */
static glnn_status fold_parts(glnn_context *ctx, const glnn__nearest *n, parts p, glnn_matrix *from,
                              glnn_matrix *winners)
{
    while (from) {
        const int joined = joined_across(&p);
        const parts next = {
            .layout = GLNN_LAYOUT_PACKED,
            .across = glnn__ceil_div(p.across, joined),
            .stripes = 1,
            .stripe_rows = rows_of(n),
        };
        glnn_matrix *to = NULL;
        glnn_status status =
            4 * next.across > winners->columns ? create_parts(ctx, &next, &to) : GLNN_OK;
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
    GLNN__TRY(glnn__matrix_create_scratch(ctx, score_layout(ctx, n), rows_of(n),
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
        .stripe_rows = rows_of(n),
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

/* Output enough for all multiprocessors of a device. */
#define FRAGMENTS 8192

/* The prototypes of a part, of which there are at most `most`: a multiple of `step`. */
static int part_of(int prototypes, int step, int most)
{
    const int steps = glnn__ceil_div(prototypes, step);
    return step * glnn__ceil_div(steps, most < steps ? most : steps);
}

/* A fragment takes the samples of a block, and a part of the prototypes for each texel across. It
 * compares 8 prototypes at a time. */
static int plan_fused(const glnn_context *ctx, const glnn__nearest *n, parts *out)
{
    const glnn__layout_info *info = glnn__layout_in(ctx, GLNN_LAYOUT_TILED);
    const int blocks = glnn__ceil_div(rows_of(n), info->block_rows);
    const int texels = info->block_columns / 4;
    const int part = part_of(n->prototypes->rows, 8, texels * glnn__ceil_div(FRAGMENTS, blocks));
    *out = (parts){
        .layout = GLNN_LAYOUT_TILED,
        .across = texels * glnn__ceil_div(glnn__ceil_div(n->prototypes->rows, part), texels),
        .stripes = 1,
        .stripe_rows = blocks * info->block_rows,
    };
    return part;
}

static glnn_status run_parts(glnn_context *ctx, const glnn__nearest *n, const parts *p,
                             glnn__pass *pass)
{
    glnn_matrix *from = NULL;
    /* A fragment of several samples needs blocks of as many rows. */
    const bool is_all = 4 * p->across <= n->winners->columns &&
                        (p->layout != GLNN_LAYOUT_TILED || n->winners->layout == p->layout);
    if (!is_all)
        GLNN__TRY(create_parts(ctx, p, &from));
    pass->output = is_all ? n->winners : from;
    pass->fetches = (double)rows_of(n) * n->prototypes->rows * n->prototypes->columns;
    glnn_status status = glnn__pass_time(ctx, p->layout, pass->fetches, &pass->expected_us);
    if (!status)
        status = glnn__pass_run(ctx, pass);
    if (status) {
        glnn__scratch_destroy(from);
        return status;
    }
    return fold_parts(ctx, n, *p, from, n->winners);
}

static glnn_status run_fused(glnn_context *ctx, const glnn__nearest *n)
{
    parts p;
    const int part = plan_fused(ctx, n, &p);
    return run_parts(
        ctx, n, &p,
        &(glnn__pass){
            .kernel = &fused_kernel,
            .operands = {{.matrix = n->samples},
                         {.matrix = n->prototypes},
                         {.matrix = n->norms},
                         {.matrix = n->classes},
                         {.matrix = n->targets},
                         {.matrix = n->classes ? n->order : NULL}},
            .options = {[LABELLED] = n->kind == GLNN__NEAREST_LABELLED},
            .uniforms =
                {GLNN__SAMPLE_VALUES(n->first, n->count, n->dataset_samples), [PART_PROTOTYPES] =
                                                                                  {.i = part}},
        });
}

/* ---- Few samples */

/* A fragment takes one sample, and compares 4 prototypes at a time. Stripes give the output enough
 * rows for groups of fragments. */
static int plan_few(int rows, int prototypes, parts *out)
{
    const int part = part_of(prototypes, 4, glnn__ceil_div(FRAGMENTS, rows));
    const int count = glnn__ceil_div(prototypes, part);
    const int stripes = count > FEW_PARTS ? 4 : 1;
    *out = (parts){
        .layout = GLNN_LAYOUT_PACKED,
        .across = glnn__ceil_div(count, stripes),
        .stripes = stripes,
        .stripe_rows = rows,
    };
    return part;
}

static bool is_few(const glnn__nearest *n)
{
    return n->search == GLNN_SEARCH_FUSED && rows_of(n) < GLNN__FEW_SAMPLES;
}

int glnn__nearest_candidates(int prototypes)
{
    parts p;
    plan_few(1, prototypes, &p);
    return p.stripes == 1 ? p.across : glnn__ceil_div(p.across, joined_across(&p));
}

static glnn_status run_few(glnn_context *ctx, const glnn__nearest *n)
{
    parts p;
    const int part = plan_few(rows_of(n), n->prototypes->rows, &p);
    const int features = n->prototypes->columns;
    const int slices = glnn__pair_distance_columns(features) / 4;
    return run_parts(
        ctx, n, &p,
        &(glnn__pass){
            .kernel = &few_kernel,
            .operands = {{.matrix = n->samples},
                         {.matrix = n->prototypes},
                         {.matrix = n->classes},
                         {.matrix = n->targets},
                         {.matrix = n->classes || n->is_in_dataset ? n->order : NULL}},
            .options =
                {[LABELLED] = n->kind == GLNN__NEAREST_LABELLED, [IN_DATASET] = n->is_in_dataset},
            .uniforms =
                {GLNN__SAMPLE_VALUES(n->first, n->count, n->dataset_samples),
                 [PART_PROTOTYPES] = {.i = part}, [STRIPE_ROWS_OF_FEW] = {.i = p.stripe_rows},
                 [SLICE_GROUPS] = {.i = (glnn__ceil_div(features, 4) - 1) / slices + 1}},
        });
}

/* ---- The fastest way by the device profile */

/* Passes that join so many parts, and the time that they take. */
static double join_us(const glnn__profile *profile, int count)
{
    const int passes = count == 1 ? 0 : count <= FEW_PARTS ? 1 : 2;
    return passes * glnn__profile_writing(profile)->pass_us;
}

/* The time of comparing all scores, if a fragment compares those of `part_groups` column groups. A
 * column group takes as long as a step of a product, four inner indices of a block: both mostly
 * wait for what they fetch. */
static double scan_us(const glnn_context *ctx, const glnn__profile *profile, const glnn__nearest *n,
                      glnn_layout layout, int part_groups)
{
    const glnn__layout_info *info = glnn__layout_in(ctx, layout);
    const int groups = glnn__ceil_div(n->prototypes->rows, 4);
    const int count = glnn__ceil_div(groups, part_groups);
    const double step = 4.0 * info->block_rows * info->block_columns;
    const double speed = glnn__profile_product(profile, layout, (double)rows_of(n) * count);
    return glnn__profile_writing(profile)->pass_us + (double)rows_of(n) * groups * step / speed +
           join_us(profile, count);
}

/* The faster way to compare scores that are stored. */
static glnn_search choose_scan(const glnn_context *ctx, const glnn__profile *profile,
                               const glnn__nearest *n, glnn_layout layout, double *us)
{
    const double tiles = scan_us(ctx, profile, n, layout, glnn__ceil_div(n->prototypes->rows, 4));
    const double reduction = scan_us(ctx, profile, n, layout, REDUCTION_PART / 4);
    *us = fmin(tiles, reduction);
    return tiles <= reduction ? GLNN_SEARCH_TILES : GLNN_SEARCH_REDUCTION;
}

/* The time of scores that are stored, and of their norms if they are missing. */
static glnn_status scores_us(glnn_context *ctx, const glnn__profile *profile,
                             const glnn__nearest *n, glnn_layout layout, double *us)
{
    const glnn__product shape = {.layout = layout,
                                 .rows = rows_of(n),
                                 .columns = n->prototypes->rows,
                                 .inner = n->prototypes->columns};
    glnn__plan plan;
    GLNN__TRY(glnn__cost_choose(ctx, &shape, &plan));
    *us = glnn__cost_time(ctx, profile, &shape, &plan);
    if (!n->norms)
        *us += glnn__profile_writing(profile)->pass_us;
    return GLNN_OK;
}

/* The time of scores that are not stored. */
static double fused_us(const glnn_context *ctx, const glnn__profile *profile,
                       const glnn__nearest *n)
{
    parts p;
    plan_fused(ctx, n, &p);
    const int block_rows = glnn__layout_in(ctx, p.layout)->block_rows;
    const double fragments = (double)p.across * p.stripe_rows / block_rows;
    return glnn__profile_writing(profile)->pass_us + join_us(profile, p.across) +
           (double)p.stripe_rows * n->prototypes->rows * n->prototypes->columns /
               glnn__profile_product(profile, p.layout, fragments);
}

static bool must_not_store(const glnn_context *ctx, const glnn__nearest *n, glnn_layout layout)
{
    const int rows = rows_of(n), prototypes = n->prototypes->rows;
    const glnn__layout_info *info = glnn__layout_in(ctx, layout);
    const glnn__extent extent =
        glnn__layout_extent(info, rows, prototypes, ctx->info.max_texture_size);
    return !fits(ctx, layout, rows, prototypes) ||
           glnn__extent_bytes(info, GLNN_STORAGE_FLOAT32, extent) >
               ctx->info.texture_budget / SHARE;
}

/* Searches of fewer multiply-adds are short anyway, so programs with small data measure nothing. */
#define SHORT_SEARCH 1048576.0

static glnn_status get_profile(glnn_context *ctx, const glnn__nearest *n, glnn_layout layout,
                               const glnn__profile **out)
{
    const glnn_matrix *m = n->prototypes;
    *out = glnn__profile_builtin(ctx, ctx->info.stage);
    if ((double)rows_of(n) * m->rows * m->columns < SHORT_SEARCH)
        return GLNN_OK;
    return glnn__profile_for_plans(
        ctx, GLNN__PROFILE_PRODUCTS(layout) | (unsigned)GLNN__PROFILE_TILED, out);
}

/* Very few samples have a kernel of their own. For many, the scores are stored: a product computes
 * them faster than a kernel that also compares them. */
static glnn_status choose_search(glnn_context *ctx, const glnn__nearest *n, glnn_search *out)
{
    const glnn_layout layout = score_layout(ctx, n);
    const glnn__profile *profile;
    double scanned, computed;
    *out = n->search;
    if (n->search != GLNN_SEARCH_AUTO)
        return GLNN_OK;
    *out = GLNN_SEARCH_FUSED;
    if (rows_of(n) < GLNN__FEW_SAMPLES || must_not_store(ctx, n, layout))
        return GLNN_OK;
    GLNN__TRY(get_profile(ctx, n, layout, &profile));
    const glnn_search stored = choose_scan(ctx, profile, n, layout, &scanned);
    if (rows_of(n) < FEW_WITHOUT_NORMS && !n->norms) {
        GLNN__TRY(scores_us(ctx, profile, n, layout, &computed));
        if (fused_us(ctx, profile, n) < computed + scanned)
            return GLNN_OK;
    }
    *out = stored;
    return GLNN_OK;
}

/* ---- Both */

/* Completes a search: chooses the way to search, and computes the norms if the search does not. The
 * caller destroys *norms in any case. */
static glnn_status complete(glnn_context *ctx, glnn__nearest *n, glnn_matrix **norms)
{
    *norms = NULL;
    GLNN__TRY(choose_search(ctx, n, &n->search));
    if (n->norms || (n->search == GLNN_SEARCH_FUSED && rows_of(n) < FEW_WITHOUT_NORMS))
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
    GLNN__TRY(glnn__gl_enter_recording(ctx));
    glnn_status status = complete(ctx, &n, &norms);
    if (!status)
        status = is_few(&n)                      ? run_few(ctx, &n)
                 : n.search == GLNN_SEARCH_FUSED ? run_fused(ctx, &n)
                                                 : run_stored(ctx, &n);
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
        status = glnn__matrix_create_scratch(ctx, GLNN_LAYOUT_PACKED, rows_of(n), 4,
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
    GLNN__TRY(glnn__gl_enter_recording(ctx));
    glnn_status status = complete(ctx, &unlabelled, &norms);
    if (!status)
        status = run_list(ctx, &unlabelled, k, out);
    glnn__scratch_destroy(norms);
    return glnn__gl_leave(ctx, status);
}
