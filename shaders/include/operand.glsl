// Reading one operand, whose name replaces the word in capitals below. The variant defines its
// layout, the reading of its view, its texture unit and the locations of its uniforms.

#if OPERAND_LAYOUT == GLNN_LAYOUT_TILED || OPERAND_LAYOUT == GLNN_LAYOUT_PAGED
layout(binding = OPERAND_UNIT) uniform sampler2DArray OPERAND_texture;
#else
layout(binding = OPERAND_UNIT) uniform sampler2D OPERAND_texture;
#endif
layout(location = OPERAND_MAP) uniform ivec3 OPERAND_map[2]; // row, column from (row, column, 1)
// Rows, columns.
layout(location = OPERAND_SIZE) uniform ivec2 OPERAND_size;

// The layers, each as a texture of its own. Their index has to be constant.
#if OPERAND_LAYERED
layout(binding = OPERAND_LAYER_UNIT) uniform sampler2D OPERAND_layers[8];
#endif

// SAMPLES reads a texel at the coordinates of its centre, if that is faster than texelFetch.
// Filters are nearest, so the value is the same. Pages are always fetched.
#define OPERAND_SAMPLES (SAMPLES && OPERAND_LAYOUT != GLNN_LAYOUT_PAGED)
#if OPERAND_SAMPLES
layout(location = OPERAND_HALF_TEXEL) uniform vec2 OPERAND_half_texel;
// Computed, so that it stays in a register. A uniform would be read in each turn of a loop.
vec2 OPERAND_texel_size = 2.0 * OPERAND_half_texel;
#endif

// The texel at `place` (column, row of texels) of a layer.
vec4 OPERAND_fetch(ivec2 place, int layer)
{
#if OPERAND_SAMPLES && OPERAND_LAYOUT == GLNN_LAYOUT_TILED
    return textureLod(OPERAND_texture, vec3((vec2(place) + 0.5) * OPERAND_texel_size, layer), 0.0);
#elif OPERAND_SAMPLES
    return textureLod(OPERAND_texture, (vec2(place) + 0.5) * OPERAND_texel_size, 0.0);
#elif OPERAND_LAYOUT == GLNN_LAYOUT_TILED || OPERAND_LAYOUT == GLNN_LAYOUT_PAGED
    return texelFetch(OPERAND_texture, ivec3(place, layer), 0);
#else
    return texelFetch(OPERAND_texture, place, 0);
#endif
}

// The texel that holds columns 4 group to 4 group + 3 of a row; of an unpacked operand, the element
// in column `group`.
vec4 OPERAND_stored(int row, int group)
{
#if OPERAND_LAYOUT == GLNN_LAYOUT_TILED
    return OPERAND_fetch(ivec2(group >> 1, row >> 2), (row & 3) << 1 | (group & 1));
#elif OPERAND_LAYOUT == GLNN_LAYOUT_PAGED
    int page_rows = textureSize(OPERAND_texture, 0).y;
    int page = row / page_rows;
    return OPERAND_fetch(ivec2(group, row - page * page_rows), page);
#else
    return OPERAND_fetch(ivec2(group, row), 0);
#endif
}

// Element (row, column), which lies inside the matrix.
float OPERAND_element(int row, int column)
{
#if OPERAND_LAYOUT == GLNN_LAYOUT_UNPACKED
    return OPERAND_stored(row, column).r;
#else
    return OPERAND_stored(row, column >> 2)[column & 3];
#endif
}

// Columns 4 group to 4 group + 3 of a row, all of which lie inside the matrix or in its padding.
vec4 OPERAND_group(int row, int group)
{
#if OPERAND_LAYOUT == GLNN_LAYOUT_UNPACKED
    int column = 4 * group;
    return vec4(OPERAND_stored(row, column).r, OPERAND_stored(row, column + 1).r,
                OPERAND_stored(row, column + 2).r, OPERAND_stored(row, column + 3).r);
#else
    return OPERAND_stored(row, group);
#endif
}

// Coordinates that may lie outside the matrix, for texelFetch; a sampler clamps by itself.
#if OPERAND_SAMPLES
#define OPERAND_inside(coordinate, size) (coordinate)
#else
#define OPERAND_inside(coordinate, size) clamp(coordinate, 0, (size) - 1)
#endif

// The same for any coordinates. Outside the matrix it returns some value of the matrix or its
// padding, so that no texel outside the texture is read.
vec4 OPERAND_edge_group(int row, int group)
{
    int y = OPERAND_inside(row, OPERAND_size.x);
#if OPERAND_LAYOUT == GLNN_LAYOUT_UNPACKED
    ivec4 x = OPERAND_inside(ivec4(4 * group) + ivec4(0, 1, 2, 3), OPERAND_size.y);
    return vec4(OPERAND_stored(y, x.x).r, OPERAND_stored(y, x.y).r, OPERAND_stored(y, x.z).r,
                OPERAND_stored(y, x.w).r);
#else
    return OPERAND_stored(y, OPERAND_inside(group, (OPERAND_size.y + 3) >> 2));
#endif
}

// Texel (r, t), r from 0 to 3 and t 0 or 1, of the tile of 4 x 8 elements at `place` (column, row
// of tiles), which begins inside the matrix. It works for any layout, like OPERAND_edge_group, and
// needs no arithmetic in TILED.
vec4 OPERAND_any_tile(ivec2 place, int r, int t)
{
#if OPERAND_LAYOUT == GLNN_LAYOUT_TILED
    return OPERAND_fetch(place, r << 1 | t);
#else
    return OPERAND_edge_group(place.y << 2 | r, place.x << 1 | t);
#endif
}

// The same for a constant t, which names a layer.
vec4 OPERAND_tile(ivec2 place, int r, int t)
{
#if OPERAND_LAYERED && SAMPLES
    return textureLod(OPERAND_layers[r << 1 | t], (vec2(place) + 0.5) * OPERAND_texel_size, 0.0);
#elif OPERAND_LAYERED
    return texelFetch(OPERAND_layers[r << 1 | t], place, 0);
#else
    return OPERAND_any_tile(place, r, t);
#endif
}

float OPERAND_edge_element(int row, int column)
{
    return OPERAND_element(OPERAND_inside(row, OPERAND_size.x),
                           OPERAND_inside(column, OPERAND_size.y));
}

// As many columns as a texel of the output has, from column TEXEL_COLUMNS t on.
TEXEL OPERAND_texel(int row, int t)
{
#if TEXEL_COLUMNS == 1
    return OPERAND_edge_element(row, t);
#else
    return OPERAND_edge_group(row, t);
#endif
}

// The operand's elements under texel t of the block `at` of the output, by its view.
TEXEL OPERAND_at(ivec2 at, int t)
{
    // One fetch at a known place is no slower than a sample. Eight samples of a tile share
    // coordinates.
#if OPERAND_READING == READING_SAME && OPERAND_LAYOUT == GLNN_LAYOUT_TILED
    ivec3 place = BLOCK_PLACE(at, t);
    return OPERAND_fetch(place.xy, place.z);
#elif OPERAND_READING == READING_SAME
    return TO_TEXEL(texelFetch(OPERAND_texture, BLOCK_PLACE(at, t), 0));
#elif OPERAND_READING == READING_TEXELS
    int row = OPERAND_map[0].x * block_row(at, t) + OPERAND_map[0].z;
    // The shift is a multiple of a texel's columns; dividing would cost as much as the fetch.
    return OPERAND_texel(row, block_texel(at, t) + (OPERAND_map[1].z >> (TEXEL_COLUMNS / 2)));
#elif OPERAND_READING == READING_ROW
    return OPERAND_texel(0, block_texel(at, t));
#elif OPERAND_READING == READING_SQUARES
    int row = block_column(at, t);
    int column = block_row(at, t);
#if TEXEL_COLUMNS == 1
    return OPERAND_edge_element(row, column);
#elif OPERAND_LAYOUT == GLNN_LAYOUT_UNPACKED
    return vec4(OPERAND_edge_element(row, column), OPERAND_edge_element(row + 1, column),
                OPERAND_edge_element(row + 2, column), OPERAND_edge_element(row + 3, column));
#else
    // In a tiled block the four fetches do not depend on t / TEXELS_ACROSS: a compiler does them
    // once for four rows.
    int group = BLOCK_ROWS == 4 ? at.y : column >> 2;
    int r = BLOCK_ROWS == 4 ? t / TEXELS_ACROSS : column & 3;
    return vec4(OPERAND_edge_group(row, group)[r], OPERAND_edge_group(row + 1, group)[r],
                OPERAND_edge_group(row + 2, group)[r], OPERAND_edge_group(row + 3, group)[r]);
#endif
#elif OPERAND_READING == READING_COLUMN
    return TEXEL(OPERAND_edge_element(block_row(at, t), 0));
#elif OPERAND_READING == READING_LINE
    TEXEL result;
    for (int c = 0; c < TEXEL_COLUMNS; ++c)
        COMPONENT(result, c) = OPERAND_edge_element(block_column(at, t) + c, 0);
    return result;
#else
    TEXEL result;
    for (int c = 0; c < TEXEL_COLUMNS; ++c) {
        ivec3 place = ivec3(block_row(at, t), block_column(at, t) + c, 1);
        ivec3 row = OPERAND_map[0] * place;
        ivec3 column = OPERAND_map[1] * place;
        COMPONENT(result, c) =
            OPERAND_edge_element(row.x + row.y + row.z, column.x + column.y + column.z);
    }
    return result;
#endif
}
