/* Where elements lie in texels, against a formula for one element at a time. */
#include "support/support.h"

#include "tex/layout.h"

#include <limits.h>

static const struct {
    int rows, columns;
} sizes[] = {{1, 1}, {4, 8}, {5, 9}, {3, 7}, {8, 16}, {13, 31}, {1, 40}, {33, 1}};

/* A layout, and how often the texture is wrapped. */
typedef struct form {
    glnn_layout layout;
    int wrap;
} form;

enum { WRAPS = 4 };

/* Those of TILED. Each test runs with both numbers. */
static int tile_layers = GLNN__TILE_LAYERS;

static const glnn__layout_info *info_of(glnn_layout layout)
{
    return glnn__layout_get(layout, tile_layers);
}

static int with_eight_layers(void **state)
{
    (void)state;
    tile_layers = 8;
    return 0;
}

static int with_four_layers(void **state)
{
    (void)state;
    tile_layers = 4;
    return 0;
}

/* Fills in each form, numbered from 0; false after the last one. PAGED is never wrapped. */
static bool get_form(int number, form *out)
{
    const int rendered = (GLNN_LAYOUT_PAGED - GLNN_LAYOUT_TILED) * WRAPS;
    *out = number < rendered
               ? (form){(glnn_layout)(GLNN_LAYOUT_TILED + number / WRAPS), number % WRAPS}
               : (form){GLNN_LAYOUT_PAGED, 0};
    return number <= rendered;
}

/* A texel, and which of its floats. */
typedef struct location {
    int x, y, layer, channel;
} location;

static location locate_block(glnn_layout layout, int row, int column)
{
    switch (layout) {
    case GLNN_LAYOUT_TILED:
        return tile_layers == 4
                   ? (location){column / 4, row / 4, row % 4, column % 4}
                   : (location){column / 8, row / 4, row % 4 * 2 + column % 8 / 4, column % 4};
    case GLNN_LAYOUT_UNPACKED:
        return (location){column, row, 0, 0};
    default:
        return (location){column / 4, row, 0, column % 4};
    }
}

static location locate(form of, int row, int column)
{
    location at = locate_block(of.layout, row, column);
    const int side = 1 << of.wrap;
    at.x = at.x * side + at.y % side;
    at.y /= side;
    return at;
}

static int channels_of(glnn_layout layout)
{
    return layout == GLNN_LAYOUT_UNPACKED ? 1 : 4;
}

static int layers_of(glnn_layout layout)
{
    return layout == GLNN_LAYOUT_TILED ? tile_layers : 1;
}

/* The rows of texels that hold any element of the rectangle, in its columns of blocks. */
static glnn__blocks cover(form of, const glnn_rect *rect)
{
    const int last_row = rect->row + rect->rows - 1;
    const int last_column = rect->column + rect->columns - 1, side = 1 << of.wrap;
    const int left = locate_block(of.layout, 0, rect->column).x;
    const int right = locate_block(of.layout, 0, last_column).x;
    const int top = locate(of, rect->row, 0).y, bottom = locate(of, last_row, 0).y;
    return (glnn__blocks){left * side, top, (right - left + 1) * side, bottom - top + 1};
}

static size_t index_of(form of, const glnn__blocks *blocks, int row, int column)
{
    const location at = locate(of, row, column);
    const size_t y = (size_t)(at.layer * blocks->height + at.y - blocks->y);
    const size_t texel = y * (size_t)blocks->width + (size_t)(at.x - blocks->x);
    return texel * (size_t)channels_of(of.layout) + (size_t)at.channel;
}

static size_t floats_of_blocks(glnn_layout layout, const glnn__blocks *blocks)
{
    return (size_t)(blocks->width * blocks->height * layers_of(layout) * channels_of(layout));
}

static void check_rect(form of, glnn_rect rect, int ld)
{
    const glnn_layout layout = of.layout;
    const int wrap = of.wrap;
    const glnn__blocks want = cover(of, &rect);
    const glnn__blocks got = glnn__layout_cover_texels(info_of(layout), wrap, &rect);
    assert_memory_equal(&want, &got, sizeof want);
    const size_t count = floats_of_blocks(layout, &want), length = (size_t)(rect.rows * ld);
    assert_int_equal(glnn__blocks_floats(info_of(layout), &want), count);
    float *data = floats_new(length), *back = floats_new(length);
    float *packed = floats_new(count), *naive = floats_new(count);
    for (size_t i = 0; i < length; ++i) {
        data[i] = (float)(i + 1);
        back[i] = -1;
    }
    for (size_t i = 0; i < count; ++i)
        packed[i] = naive[i] = -2;
    for (int i = 0; i < rect.rows; ++i)
        for (int j = 0; j < rect.columns; ++j)
            naive[index_of(of, &want, rect.row + i, rect.column + j)] = data[i * ld + j];
    glnn__layout_pack(info_of(layout), wrap, &rect, data, ld, packed);
    assert_memory_equal(packed, naive, count * sizeof(float));
    glnn__layout_unpack(info_of(layout), wrap, &rect, packed, back, ld);
    for (int i = 0; i < rect.rows; ++i)
        for (int j = 0; j < ld; ++j)
            assert_true(back[i * ld + j] == (j < rect.columns ? data[i * ld + j] : -1));
    release_all();
}

static void packing_follows_the_formula_and_unpacking_undoes_it(void **state)
{
    (void)state;
    form of;
    for (int i = 0; get_form(i, &of); ++i)
        for (size_t s = 0; s < COUNT_OF(sizes); ++s)
            for (int row = 0; row < 6; ++row)
                for (int column = 0; column < 10; ++column) {
                    const glnn_rect rect = {row, column, sizes[s].rows, sizes[s].columns};
                    check_rect(of, rect, rect.columns);
                    check_rect(of, rect, rect.columns + 3);
                }
}

static void a_texture_has_room_for_all_elements_and_no_block_more(void **state)
{
    (void)state;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < GLNN_LAYOUT_COUNT; ++layout)
        for (size_t s = 0; s < COUNT_OF(sizes); ++s) {
            const glnn__extent extent =
                glnn__layout_extent(info_of(layout), sizes[s].rows, sizes[s].columns, 16384);
            const location last = locate_block(layout, sizes[s].rows - 1, sizes[s].columns - 1);
            assert_int_equal(extent.width, last.x + 1);
            assert_int_equal(extent.height, last.y + 1);
            assert_int_equal(extent.layers, layers_of(layout));
            assert_int_equal(extent.wrap, 0);
            const size_t elements =
                (size_t)(extent.width * extent.height * extent.layers * channels_of(layout));
            assert_int_equal(glnn__extent_bytes(info_of(layout), GLNN_STORAGE_FLOAT32, extent),
                             elements * 4);
            assert_int_equal(glnn__extent_bytes(info_of(layout), GLNN_STORAGE_FLOAT16, extent),
                             elements * 2);
        }
}

static void a_paged_texture_has_a_layer_for_every_page(void **state)
{
    (void)state;
    static const int cases[][3] = {/* rows, height, layers */
                                   {1, 1, 1},     {99, 99, 1},   {100, 100, 1},
                                   {101, 100, 2}, {200, 100, 2}, {201, 100, 3}};
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const glnn__extent extent =
            glnn__layout_extent(info_of(GLNN_LAYOUT_PAGED), cases[i][0], 5, 100);
        assert_int_equal(extent.width, 2);
        assert_int_equal(extent.height, cases[i][1]);
        assert_int_equal(extent.layers, cases[i][2]);
    }
}

static void a_texture_is_wrapped_if_the_matrix_is_higher_and_the_width_allows(void **state)
{
    (void)state;
    static const struct {
        int rows, columns, width, height, wrap;
    } cases[] = {
        {400, 8, 1, 100, 0},    {401, 8, 16, 7, 4},
        {6400, 48, 96, 100, 4}, {6401, 24, 96, 51, 5},
        {401, 56, 14, 51, 1},   {801, 200, 100, 51, 2},
        {801, 208, 104, 51, 2}, {1 << 30, 8, 1 << 22, 64, 22},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const glnn__extent extent = glnn__layout_extent(info_of(GLNN_LAYOUT_TILED), cases[i].rows,
                                                        cases[i].columns / 8 * tile_layers, 100);
        assert_int_equal(extent.width, cases[i].width);
        assert_int_equal(extent.height, cases[i].height);
        assert_int_equal(extent.layers, tile_layers);
        assert_int_equal(extent.wrap, cases[i].wrap);
    }
    assert_int_equal(glnn__layout_extent(glnn__layout_get(GLNN_LAYOUT_UNPACKED, GLNN__TILE_LAYERS),
                                         INT_MAX, 1 << 20, 16384)
                         .width,
                     INT_MAX);
}

static void small_textures_are_wrapped_so_that_threads_have_the_same_work(void **state)
{
    (void)state;
    static const struct {
        int rows, columns, width, height, wrap;
    } cases[] = {
        /* One square becomes four. */
        {128, 256, 256, 4, 3},
        /* Three squares and four rows become four squares, those of a square two. */
        {784, 256, 256, 25, 3},
        {512, 512, 512, 16, 3},
        /* Nothing is gained. */
        {784, 800, 100, 196, 0},
        {1024, 512, 64, 256, 0},
        /* Eight rows of blocks side by side would have more than a sixteenth of padding, */
        {360, 360, 45, 90, 0},
        /* which is allowed if it is small. */
        {257, 16, 16, 9, 3},
        /* Too small, and large enough. */
        {16, 80, 10, 4, 0},
        {2048, 2048, 256, 512, 0},
        /* Too high for a texture. */
        {65540, 8, 16, 1025, 4},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const glnn__extent extent = glnn__layout_spread(info_of(GLNN_LAYOUT_TILED), cases[i].rows,
                                                        cases[i].columns / 8 * tile_layers, 16384);
        assert_int_equal(extent.width, cases[i].width);
        assert_int_equal(extent.height, cases[i].height);
        assert_int_equal(extent.wrap, cases[i].wrap);
    }
    /* As wide as a texture may be. */
    assert_int_equal(
        glnn__layout_spread(info_of(GLNN_LAYOUT_TILED), 128, 32 * tile_layers, 200).wrap, 0);
}

/* Counts the elements, inside the matrix, of the texels that the rectangle touches. */
static bool holds_whole_blocks(form of, const glnn_rect *rect, int rows, int columns)
{
    const glnn__blocks blocks = cover(of, rect);
    int count = 0;
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            const location at = locate(of, i, j);
            count += at.x >= blocks.x && at.x < blocks.x + blocks.width && at.y >= blocks.y &&
                     at.y < blocks.y + blocks.height;
        }
    return count == rect->rows * rect->columns;
}

static void a_rectangle_is_whole_where_it_cuts_no_block(void **state)
{
    (void)state;
    enum { ROWS = 10, COLUMNS = 18 };
    form of;
    for (int i = 0; get_form(i, &of); ++i)
        for (int row = 0; row < ROWS; row += 1 + row % 2)
            for (int column = 0; column < COLUMNS; column += 2)
                for (int rows = 1; row + rows <= ROWS; ++rows)
                    for (int columns = 1; column + columns <= COLUMNS; ++columns) {
                        const glnn_rect rect = {row, column, rows, columns};
                        assert_int_equal(glnn__layout_is_whole(info_of(of.layout), of.wrap, &rect,
                                                               ROWS, COLUMNS),
                                         holds_whole_blocks(of, &rect, ROWS, COLUMNS));
                    }
}

static void layouts_have_names(void **state)
{
    (void)state;
    assert_string_equal(glnn_layout_name(GLNN_LAYOUT_TILED), "tiled");
    assert_string_equal(glnn_layout_name(GLNN_LAYOUT_PACKED), "packed");
    assert_string_equal(glnn_layout_name(GLNN_LAYOUT_UNPACKED), "unpacked");
    assert_string_equal(glnn_layout_name(GLNN_LAYOUT_PAGED), "paged");
    assert_string_equal(glnn_layout_name(GLNN_LAYOUT_COUNT), "unknown");
    assert_string_equal(glnn_layout_name((glnn_layout)-1), "unknown");
}

#define WITH_LAYERS(layers, test)                                                                  \
    {                                                                                              \
#test ", with " #layers " layers", test, with_##layers##_layers, NULL, NULL                \
    }
#define WITH_BOTH(test) WITH_LAYERS(eight, test), WITH_LAYERS(four, test)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_BOTH(packing_follows_the_formula_and_unpacking_undoes_it),
        WITH_BOTH(a_texture_has_room_for_all_elements_and_no_block_more),
        WITH_BOTH(a_texture_is_wrapped_if_the_matrix_is_higher_and_the_width_allows),
        WITH_BOTH(small_textures_are_wrapped_so_that_threads_have_the_same_work),
        cmocka_unit_test(a_paged_texture_has_a_layer_for_every_page),
        WITH_BOTH(a_rectangle_is_whole_where_it_cuts_no_block),
        cmocka_unit_test(layouts_have_names),
    };
    return cmocka_run_group_tests_name("layout", tests, NULL, NULL);
}
