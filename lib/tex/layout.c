#include "tex/layout.h"

#include "base/integers.h"
#include "base/names.h"

#include <string.h>

static const glnn__layout_info layouts[GLNN_LAYOUT_COUNT] = {
    [GLNN_LAYOUT_TILED] = {4, 8, 4, 8, true},
    [GLNN_LAYOUT_PACKED] = {1, 4, 4, 1, false},
    [GLNN_LAYOUT_UNPACKED] = {1, 1, 1, 1, false},
    [GLNN_LAYOUT_PAGED] = {1, 4, 4, 1, true},
};

static const size_t storage_bytes[GLNN_STORAGE_COUNT] = {
    [GLNN_STORAGE_FLOAT32] = 4,
    [GLNN_STORAGE_FLOAT16] = 2,
};

static const char *const layout_names[GLNN_LAYOUT_COUNT] = {
    [GLNN_LAYOUT_AUTO] = "auto",     [GLNN_LAYOUT_TILED] = "tiled",
    [GLNN_LAYOUT_PACKED] = "packed", [GLNN_LAYOUT_UNPACKED] = "unpacked",
    [GLNN_LAYOUT_PAGED] = "paged",
};

static const char *const storage_names[GLNN_STORAGE_COUNT] = {
    [GLNN_STORAGE_FLOAT32] = "float32",
    [GLNN_STORAGE_FLOAT16] = "float16",
};

GLNN__DEFINE_NAMES(glnn_layout, layout_names)
GLNN__DEFINE_NAMES(glnn_storage, storage_names)

const glnn__layout_info *glnn__layout_get(glnn_layout layout)
{
    return &layouts[layout];
}

size_t glnn__storage_bytes(glnn_storage storage)
{
    return storage_bytes[storage];
}

glnn__extent glnn__layout_extent(glnn_layout layout, int rows, int columns, int page_rows)
{
    const glnn__layout_info *info = &layouts[layout];
    glnn__extent extent = {
        .width = glnn__ceil_div(columns, info->block_columns),
        .height = glnn__ceil_div(rows, info->block_rows),
        .layers = info->block_layers,
    };
    if (layout == GLNN_LAYOUT_PAGED && extent.height > page_rows) {
        extent.layers = glnn__ceil_div(rows, page_rows);
        extent.height = page_rows;
    }
    return extent;
}

size_t glnn__extent_bytes(glnn_layout layout, glnn_storage storage, glnn__extent extent)
{
    return (size_t)extent.width * (size_t)extent.height * (size_t)extent.layers *
           (size_t)layouts[layout].channels * glnn__storage_bytes(storage);
}

glnn__blocks glnn__layout_cover(glnn_layout layout, const glnn_rect *rect)
{
    const glnn__layout_info *info = &layouts[layout];
    int x = rect->column / info->block_columns;
    int y = rect->row / info->block_rows;
    return (glnn__blocks){
        .x = x,
        .y = y,
        .width = (rect->column + rect->columns - 1) / info->block_columns - x + 1,
        .height = (rect->row + rect->rows - 1) / info->block_rows - y + 1,
    };
}

static bool is_whole(int begin, int count, int block, int size)
{
    return begin % block == 0 && (count % block == 0 || begin + count == size);
}

bool glnn__layout_is_whole(glnn_layout layout, const glnn_rect *rect, int rows, int columns)
{
    const glnn__layout_info *info = &layouts[layout];
    return is_whole(rect->row, rect->rows, info->block_rows, rows) &&
           is_whole(rect->column, rect->columns, info->block_columns, columns);
}

size_t glnn__blocks_floats(glnn_layout layout, const glnn__blocks *blocks)
{
    const glnn__layout_info *info = &layouts[layout];
    return (size_t)blocks->width * (size_t)blocks->height * (size_t)info->block_layers *
           (size_t)info->channels;
}

/* The place of element (row, column) among the texels of `blocks`. */
static size_t place(const glnn__layout_info *info, const glnn__blocks *blocks, int row, int column)
{
    size_t block_row = (size_t)(row / info->block_rows - blocks->y);
    size_t block_column = (size_t)(column / info->block_columns - blocks->x);
    size_t texels_across = (size_t)(info->block_columns / info->channels);
    size_t layer = (size_t)(row % info->block_rows) * texels_across +
                   (size_t)(column % info->block_columns / info->channels);
    size_t texel =
        (layer * (size_t)blocks->height + block_row) * (size_t)blocks->width + block_column;
    return texel * (size_t)info->channels + (size_t)(column % info->channels);
}

/* A part of a row: `count` times `floats` elements, which begin every `channels` floats of the
 * texels and every `block_columns` of the row. */
typedef struct run {
    size_t place;
    int column, count, floats;
} run;

/* Of a row: a texel that it begins within, those of each layer, and one that it ends within. */
enum { MOST_RUNS = GLNN__TILE_LAYERS + 2 };

/* Cuts the elements of a row from `column` to `end` into runs, so that whole texels are moved
 * without a thought for where each of them lies. */
static int cut_row(const glnn__layout_info *info, const glnn__blocks *blocks, int row, int column,
                   int end, run *runs)
{
    if (info->block_layers == 1) {
        runs[0] = (run){place(info, blocks, row, column), column, 1, end - column};
        return 1;
    }
    const int channels = info->channels, texels_across = info->block_columns / channels;
    int used = 0;
    if (column % channels) {
        const int rest = channels - column % channels;
        const int floats = rest < end - column ? rest : end - column;
        runs[used++] = (run){place(info, blocks, row, column), column, 1, floats};
        column += floats;
    }
    const int texels = (end - column) / channels;
    for (int i = 0; i < texels_across && i < texels; ++i) {
        const int first = column + i * channels;
        runs[used++] = (run){place(info, blocks, row, first), first,
                             glnn__ceil_div(texels - i, texels_across), channels};
    }
    column += texels * channels;
    if (column < end)
        runs[used++] = (run){place(info, blocks, row, column), column, 1, end - column};
    return used;
}

/* Of a fixed size, a copy of a texel is a move of the processor instead of a call. */
static void copy_run(const run *r, float *to, int to_step, const float *from, int from_step)
{
    if (r->floats != 4) {
        memcpy(to, from, (size_t)r->floats * sizeof *to);
        return;
    }
    for (int i = 0; i < r->count; ++i, to += to_step, from += from_step)
        memcpy(to, from, 4 * sizeof *to);
}

void glnn__layout_pack(glnn_layout layout, const glnn_rect *rect, const float *data, int ld,
                       float *texels)
{
    const glnn__layout_info *info = &layouts[layout];
    const glnn__blocks blocks = glnn__layout_cover(layout, rect);
    for (int i = 0; i < rect->rows; ++i) {
        const float *source = data + (size_t)i * (size_t)ld;
        run runs[MOST_RUNS];
        const int count =
            cut_row(info, &blocks, rect->row + i, rect->column, rect->column + rect->columns, runs);
        for (const run *r = runs; r < runs + count; ++r)
            copy_run(r, texels + r->place, info->channels, source + (r->column - rect->column),
                     info->block_columns);
    }
}

void glnn__layout_unpack(glnn_layout layout, const glnn_rect *rect, const float *texels,
                         float *data, int ld)
{
    const glnn__layout_info *info = &layouts[layout];
    const glnn__blocks blocks = glnn__layout_cover(layout, rect);
    for (int i = 0; i < rect->rows; ++i) {
        float *target = data + (size_t)i * (size_t)ld;
        run runs[MOST_RUNS];
        const int count =
            cut_row(info, &blocks, rect->row + i, rect->column, rect->column + rect->columns, runs);
        for (const run *r = runs; r < runs + count; ++r)
            copy_run(r, target + (r->column - rect->column), info->block_columns, texels + r->place,
                     info->channels);
    }
}
