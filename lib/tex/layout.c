#include "tex/layout.h"

#include "base/integers.h"
#include "base/names.h"

#include <limits.h>
#include <string.h>

static const glnn__layout_info layouts[GLNN_LAYOUT_COUNT] = {
    [GLNN_LAYOUT_TILED] = {4, 8, 4, GLNN__TILE_LAYERS, true, false},
    [GLNN_LAYOUT_PACKED] = {1, 4, 4, 1, false, false},
    [GLNN_LAYOUT_UNPACKED] = {1, 1, 1, 1, false, false},
    [GLNN_LAYOUT_PAGED] = {1, 4, 4, 1, true, true},
};

/* TILED with half of the layers. */
static const glnn__layout_info narrow_tiles = {4, 4, 4, GLNN__TILE_LAYERS / 2, true, false};

static const size_t storage_bytes[GLNN_STORAGE_COUNT] = {
    [GLNN_STORAGE_FLOAT32] = 4,
    [GLNN_STORAGE_FLOAT16] = 2,
    [GLNN_STORAGE_UNORM8] = 1,
};

static const char *const layout_names[GLNN_LAYOUT_COUNT] = {
    [GLNN_LAYOUT_AUTO] = "auto",     [GLNN_LAYOUT_TILED] = "tiled",
    [GLNN_LAYOUT_PACKED] = "packed", [GLNN_LAYOUT_UNPACKED] = "unpacked",
    [GLNN_LAYOUT_PAGED] = "paged",
};

static const char *const storage_names[GLNN_STORAGE_COUNT] = {
    [GLNN_STORAGE_FLOAT32] = "float32",
    [GLNN_STORAGE_FLOAT16] = "float16",
    [GLNN_STORAGE_UNORM8] = "unorm8",
};

GLNN__DEFINE_NAMES(glnn_layout, layout_names)
GLNN__DEFINE_NAMES(glnn_storage, storage_names)

const glnn__layout_info *glnn__layout_get(glnn_layout layout, int tile_layers)
{
    const bool is_narrow = layout == GLNN_LAYOUT_TILED && tile_layers < GLNN__TILE_LAYERS;
    return is_narrow ? &narrow_tiles : &layouts[layout];
}

int glnn__layout_channels(glnn_layout layout)
{
    return layouts[layout].channels;
}

size_t glnn__storage_bytes(glnn_storage storage)
{
    return storage_bytes[storage];
}

glnn__extent glnn__layout_wrapped(const glnn__layout_info *layout, int rows, int columns, int wrap)
{
    const int64_t width = (int64_t)glnn__ceil_div(columns, layout->block_columns) << wrap;
    return (glnn__extent){
        .width = width < INT_MAX ? (int)width : INT_MAX,
        .height = ((glnn__ceil_div(rows, layout->block_rows) - 1) >> wrap) + 1,
        .layers = layout->block_layers,
        .wrap = wrap,
    };
}

/* Rows of blocks side by side, if the width allows. More would waste more texels in the last row of
 * texels; with fewer, neighbouring fragments of a narrow matrix would be far apart. */
#define USUAL_WRAP 4

glnn__extent glnn__layout_extent(const glnn__layout_info *layout, int rows, int columns, int side)
{
    glnn__extent extent = glnn__layout_wrapped(layout, rows, columns, 0);
    if (layout->has_pages && extent.height > side) {
        extent.layers = glnn__ceil_div(rows, side);
        extent.height = side;
    }
    while (extent.height > side)
        extent = glnn__layout_wrapped(layout, rows, columns, extent.wrap + 1);
    if (extent.wrap == 0 || extent.wrap >= USUAL_WRAP)
        return extent;
    const glnn__extent usual = glnn__layout_wrapped(layout, rows, columns, USUAL_WRAP);
    return usual.width <= side ? usual : extent;
}

/* ---- The work of threads */

/* A rasteriser draws 4 x 4 fragments at a time, even if fewer are inside. */
#define QUAD 4

/* Textures of more squares keep all threads busy; those of fewer quads take no time. */
#define MOST_SQUARES 16
#define FEWEST_QUADS 8

enum { MOST_THREADS = 4 };

static int quads_of(int length)
{
    return glnn__ceil_div(glnn__least(length, GLNN__THREAD_SIDE), QUAD);
}

/* The quads of the thread that has most of them, if each takes the next square when it is free. */
static int busiest(glnn__extent extent, int threads)
{
    int quads[MOST_THREADS] = {0}, most = 0;
    for (int y = 0; y < extent.height; y += GLNN__THREAD_SIDE)
        for (int x = 0; x < extent.width; x += GLNN__THREAD_SIDE) {
            int free = 0;
            for (int i = 1; i < threads; ++i)
                free = quads[i] < quads[free] ? i : free;
            quads[free] += quads_of(extent.width - x) * quads_of(extent.height - y);
            most = quads[free] > most ? quads[free] : most;
        }
    return most;
}

/* How long two and four threads take. The extent does not depend on the machine. */
static int work_of(glnn__extent extent)
{
    return 2 * busiest(extent, 2) + 4 * busiest(extent, 4);
}

/* 2^SPREAD_WRAP rows of blocks side by side serve all shapes. Fewer choices make fewer programs. */
#define SPREAD_WRAP 3

/* At most a sixteenth more texels than without wrapping, or a few of a small texture. */
#define FEW_TEXELS 32

glnn__extent glnn__layout_spread(const glnn__layout_info *layout, int rows, int columns, int side)
{
    const glnn__extent usual = glnn__layout_extent(layout, rows, columns, side);
    const glnn__extent spread = glnn__layout_wrapped(layout, rows, columns, SPREAD_WRAP);
    const int64_t texels = (int64_t)usual.width * usual.height;
    const int64_t padding = (int64_t)spread.width * spread.height - texels;
    const bool is_useful = usual.wrap == 0 && texels >= FEWEST_QUADS * QUAD * QUAD &&
                           texels <= MOST_SQUARES * GLNN__THREAD_SIDE * GLNN__THREAD_SIDE;
    if (is_useful && spread.width <= side && (padding <= FEW_TEXELS || 16 * padding <= texels) &&
        20 * work_of(spread) < 19 * work_of(usual))
        return spread;
    return usual;
}

size_t glnn__extent_bytes(const glnn__layout_info *layout, glnn_storage storage,
                          glnn__extent extent)
{
    return (size_t)extent.width * (size_t)extent.height * (size_t)extent.layers *
           (size_t)layout->channels * glnn__storage_bytes(storage);
}

glnn__blocks glnn__layout_cover(const glnn__layout_info *layout, const glnn_rect *rect)
{
    int x = rect->column / layout->block_columns;
    int y = rect->row / layout->block_rows;
    return (glnn__blocks){
        .x = x,
        .y = y,
        .width = (rect->column + rect->columns - 1) / layout->block_columns - x + 1,
        .height = (rect->row + rect->rows - 1) / layout->block_rows - y + 1,
    };
}

glnn__blocks glnn__blocks_wrap(const glnn__blocks *blocks, int wrap)
{
    const int y = blocks->y >> wrap;
    return (glnn__blocks){
        .x = blocks->x << wrap,
        .y = y,
        .width = blocks->width << wrap,
        .height = ((blocks->y + blocks->height - 1) >> wrap) - y + 1,
    };
}

glnn__blocks glnn__layout_cover_texels(const glnn__layout_info *layout, int wrap,
                                       const glnn_rect *rect)
{
    const glnn__blocks blocks = glnn__layout_cover(layout, rect);
    return glnn__blocks_wrap(&blocks, wrap);
}

static bool is_whole(int begin, int count, int block, int size)
{
    return begin % block == 0 && (count % block == 0 || begin + count == size);
}

bool glnn__layout_is_whole(const glnn__layout_info *layout, int wrap, const glnn_rect *rect,
                           int rows, int columns)
{
    return is_whole(rect->row, rect->rows, layout->block_rows << wrap, rows) &&
           is_whole(rect->column, rect->columns, layout->block_columns, columns);
}

size_t glnn__blocks_floats(const glnn__layout_info *layout, const glnn__blocks *texels)
{
    return (size_t)texels->width * (size_t)texels->height * (size_t)layout->block_layers *
           (size_t)layout->channels;
}

/* The texels of a rectangle, and how blocks lie in them. */
typedef struct grid {
    const glnn__layout_info *info;
    int wrap;
    glnn__blocks texels;
} grid;

static grid grid_of(const glnn__layout_info *layout, int wrap, const glnn_rect *rect)
{
    return (grid){layout, wrap, glnn__layout_cover_texels(layout, wrap, rect)};
}

/* The place of element (row, column) among the texels of a grid. */
static size_t place(const grid *g, int row, int column)
{
    const glnn__layout_info *info = g->info;
    const int block_row = row / info->block_rows, block_column = column / info->block_columns;
    const size_t x =
        (size_t)((block_column << g->wrap | (block_row & ((1 << g->wrap) - 1))) - g->texels.x);
    const size_t y = (size_t)((block_row >> g->wrap) - g->texels.y);
    size_t texels_across = (size_t)(info->block_columns / info->channels);
    size_t layer = (size_t)(row % info->block_rows) * texels_across +
                   (size_t)(column % info->block_columns / info->channels);
    size_t texel = (layer * (size_t)g->texels.height + y) * (size_t)g->texels.width + x;
    return texel * (size_t)info->channels + (size_t)(column % info->channels);
}

/* A part of a row: `count` times `floats` elements. They begin a block apart, in the texels
 * and in the row. */
typedef struct run {
    size_t place;
    int column, count, floats;
} run;

/* Of a row: a texel that it begins within, those of each layer, and one that it ends within. */
enum { MOST_RUNS = GLNN__TILE_LAYERS + 2 };

/* Cuts the elements of a row from `column` to `end` into runs, so that whole texels are moved
 * without a thought for where each of them lies. */
static int cut_row(const grid *g, int row, int column, int end, run *runs)
{
    if (g->info->block_layers == 1 && g->wrap == 0) {
        runs[0] = (run){place(g, row, column), column, 1, end - column};
        return 1;
    }
    const int channels = g->info->channels, texels_across = g->info->block_columns / channels;
    int used = 0;
    if (column % channels) {
        const int rest = channels - column % channels;
        const int floats = rest < end - column ? rest : end - column;
        runs[used++] = (run){place(g, row, column), column, 1, floats};
        column += floats;
    }
    const int texels = (end - column) / channels;
    for (int i = 0; i < texels_across && i < texels; ++i) {
        const int first = column + i * channels;
        runs[used++] =
            (run){place(g, row, first), first, glnn__ceil_div(texels - i, texels_across), channels};
    }
    column += texels * channels;
    if (column < end)
        runs[used++] = (run){place(g, row, column), column, 1, end - column};
    return used;
}

/* Of a fixed size, a copy of a texel is a move of the processor instead of a call. */
static void copy_run(const run *r, float *to, int to_step, const float *from, int from_step)
{
    const size_t size = (size_t)r->floats * sizeof *to;
    if (r->floats == 4)
        for (int i = 0; i < r->count; ++i, to += to_step, from += from_step)
            memcpy(to, from, 4 * sizeof *to);
    else
        for (int i = 0; i < r->count; ++i, to += to_step, from += from_step)
            memcpy(to, from, size);
}

void glnn__layout_pack(const glnn__layout_info *layout, int wrap, const glnn_rect *rect,
                       const float *data, int ld, float *texels)
{
    const grid g = grid_of(layout, wrap, rect);
    const int step = g.info->channels << wrap;
    for (int i = 0; i < rect->rows; ++i) {
        const float *source = data + (size_t)i * (size_t)ld;
        run runs[MOST_RUNS];
        const int count =
            cut_row(&g, rect->row + i, rect->column, rect->column + rect->columns, runs);
        for (const run *r = runs; r < runs + count; ++r)
            copy_run(r, texels + r->place, step, source + (r->column - rect->column),
                     g.info->block_columns);
    }
}

void glnn__layout_unpack(const glnn__layout_info *layout, int wrap, const glnn_rect *rect,
                         const float *texels, float *data, int ld)
{
    const grid g = grid_of(layout, wrap, rect);
    const int step = g.info->channels << wrap;
    for (int i = 0; i < rect->rows; ++i) {
        float *target = data + (size_t)i * (size_t)ld;
        run runs[MOST_RUNS];
        const int count =
            cut_row(&g, rect->row + i, rect->column, rect->column + rect->columns, runs);
        for (const run *r = runs; r < runs + count; ++r)
            copy_run(r, target + (r->column - rect->column), g.info->block_columns,
                     texels + r->place, step);
    }
}
