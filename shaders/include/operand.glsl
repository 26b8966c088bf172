// Reads one operand. Its name replaces the word in capitals in all names below. The variant defines
// its layout, how its view is read and the locations of its uniforms, of which one is its texture
// unit. All functions work for all layouts; each compiles to the code of one.
//
// The functions `at` and `texel`, and those with `edge` or `any` in their names, take any place.
// Outside the matrix they return some number of the matrix or its padding. The others are only
// defined inside.

#if OPERAND_IS_ARRAY
UNIFORM_AT(OPERAND_UNIT) sampler2DArray OPERAND_texture;
#else
UNIFORM_AT(OPERAND_UNIT) sampler2D OPERAND_texture;
#endif
UNIFORM_AT(OPERAND_MAP) ivec3 OPERAND_map[2]; // row, column from (row, column, 1)
// Rows and columns of the operand.
UNIFORM_AT(OPERAND_SIZE) ivec2 OPERAND_size;

// The layers of a TILED operand as textures of their own; their index has to be constant.
#if OPERAND_LAYERED
UNIFORM_AT(OPERAND_LAYER_UNIT) sampler2D OPERAND_layers[8];
#endif

// With SAMPLES a texel is sampled at its centre, which is faster than texelFetch on some devices.
// The filter is nearest, so the value is the same. Pages and operands that are placed are always
// fetched.
#define OPERAND_SAMPLES (SAMPLES && OPERAND_LAYOUT != GLNN_LAYOUT_PAGED && !OPERAND_IS_PLACED)
#if OPERAND_SAMPLES
UNIFORM_AT(OPERAND_HALF_TEXEL) vec2 OPERAND_half_texel;
// Computed, so that it stays in a register; a uniform would be read again in each turn of a loop.
// OpenGL ES has no variables that begin with the value of a uniform.
#ifdef GL_ES
#define OPERAND_texel_size (2.0 * OPERAND_half_texel)
#else
vec2 OPERAND_texel_size = 2.0 * OPERAND_half_texel;
#endif
#endif

// An operand that is placed is a level and a layer of a host's texture. The channels after the
// first OPERAND_CHANNELS are padding, whatever the host stores there.
#if OPERAND_IS_PLACED
UNIFORM_AT(OPERAND_HALF_TEXEL) ivec2 OPERAND_level; // level, layer

vec4 OPERAND_fetch_placed(ivec2 place)
{
#if OPERAND_IS_ARRAY
    vec4 texel = texelFetch(OPERAND_texture, ivec3(place, OPERAND_level.y), OPERAND_level.x);
#else
    vec4 texel = texelFetch(OPERAND_texture, place, OPERAND_level.x);
#endif
    return mix(vec4(0.0), texel, lessThan(ivec4(0, 1, 2, 3), ivec4(OPERAND_CHANNELS)));
}
#endif

// Precedes each fetch. If the shader counts those of this operand (stage/fetches.glsl), it compares
// the texel with that of the fragment.
#if OPERAND_IS_COUNTED
ivec3 own_texel;
int fetch_count = 0;
#define OPERAND_note(place, layer) fetch_count += int(ivec3(place, layer) == own_texel)
#else
#define OPERAND_note(place, layer)
#endif

// A texel of a layer of the texture.
vec4 OPERAND_fetch_texel(ivec2 place, int layer)
{
    OPERAND_note(place, layer);
#if OPERAND_IS_PLACED
    return OPERAND_fetch_placed(place);
#elif OPERAND_SAMPLES && OPERAND_LAYOUT == GLNN_LAYOUT_TILED
    return textureLod(OPERAND_texture, vec3((vec2(place) + 0.5) * OPERAND_texel_size, layer), 0.0);
#elif OPERAND_SAMPLES
    return textureLod(OPERAND_texture, (vec2(place) + 0.5) * OPERAND_texel_size, 0.0);
#elif OPERAND_LAYOUT == GLNN_LAYOUT_TILED || OPERAND_LAYOUT == GLNN_LAYOUT_PAGED
    return texelFetch(OPERAND_texture, ivec3(place, layer), 0);
#else
    return texelFetch(OPERAND_texture, place, 0);
#endif
}

// The texel of the block in column block.x and row block.y of blocks. In a wrapped operand,
// 2^OPERAND_WRAP rows of blocks lie side by side in a row of texels.
#if OPERAND_WRAP
ivec2 OPERAND_wrapped(ivec2 block)
{
    return ivec2(block.x << OPERAND_WRAP | block.y & (1 << OPERAND_WRAP) - 1,
                 block.y >> OPERAND_WRAP);
}
#else
#define OPERAND_wrapped(block) block
#endif

vec4 OPERAND_fetch(ivec2 block, int layer)
{
    return OPERAND_fetch_texel(OPERAND_wrapped(block), layer);
}

// Where a row is stored: its row of blocks, and its layer or the first of its two layers. A loop
// over the columns computes it once, because a division takes long on some devices.
ivec2 OPERAND_row(int row)
{
#if OPERAND_LAYOUT == GLNN_LAYOUT_TILED && TILE_LAYERS == 8
    return ivec2(row >> 2, (row & 3) << 1);
#elif OPERAND_LAYOUT == GLNN_LAYOUT_TILED
    return ivec2(row >> 2, row & 3);
#elif OPERAND_LAYOUT == GLNN_LAYOUT_PAGED
    int page_rows = textureSize(OPERAND_texture, 0).y;
    int page = row / page_rows;
    return ivec2(row - page * page_rows, page);
#else
    return ivec2(row, 0);
#endif
}

// The texel of a column group: columns 4 group to 4 group + 3 of a row. Of an UNPACKED operand, the
// element in column `group`.
ivec3 OPERAND_place(ivec2 row, int group)
{
#if OPERAND_LAYOUT == GLNN_LAYOUT_TILED && TILE_LAYERS == 8
    return ivec3(OPERAND_wrapped(ivec2(group >> 1, row.x)), row.y | (group & 1));
#else
    return ivec3(OPERAND_wrapped(ivec2(group, row.x)), row.y);
#endif
}

vec4 OPERAND_stored_in(ivec2 row, int group)
{
    ivec3 place = OPERAND_place(row, group);
    return OPERAND_fetch_texel(place.xy, place.z);
}

vec4 OPERAND_stored(int row, int group)
{
    return OPERAND_stored_in(OPERAND_row(row), group);
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

// A column group that lies inside the matrix or, in its last columns, in the padding.
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

// Coordinates that may lie outside are clamped for texelFetch. A sampler clamps them itself.
#if OPERAND_SAMPLES
#define OPERAND_inside(coordinate, size) (coordinate)
#else
#define OPERAND_inside(coordinate, size) clamp(coordinate, 0, (size) - 1)
#endif

// The column group at any place. No texel outside the texture is read.
vec4 OPERAND_edge_group_in(ivec2 row, int group)
{
#if OPERAND_LAYOUT == GLNN_LAYOUT_UNPACKED
    ivec4 x = OPERAND_inside(ivec4(4 * group) + ivec4(0, 1, 2, 3), OPERAND_size.y);
    return vec4(OPERAND_stored_in(row, x.x).r, OPERAND_stored_in(row, x.y).r,
                OPERAND_stored_in(row, x.z).r, OPERAND_stored_in(row, x.w).r);
#else
    return OPERAND_stored_in(row, OPERAND_inside(group, (OPERAND_size.y + 3) >> 2));
#endif
}

vec4 OPERAND_edge_group(int row, int group)
{
    return OPERAND_edge_group_in(OPERAND_row(OPERAND_inside(row, OPERAND_size.x)), group);
}

// A texel of a tile of 4 x 8 elements: row r, 0 to 3, and column group t, 0 or 1. `place` is the
// column and row of the tile, which begins inside the matrix. A TILED operand needs no arithmetic.
vec4 OPERAND_any_tile(ivec2 place, int r, int t)
{
#if OPERAND_LAYOUT == GLNN_LAYOUT_TILED && TILE_LAYERS == 8
    return OPERAND_fetch(place, r << 1 | t);
#elif OPERAND_LAYOUT == GLNN_LAYOUT_TILED
    int group = OPERAND_inside(place.x << 1 | t, (OPERAND_size.y + 3) >> 2);
    return OPERAND_fetch(ivec2(group, place.y), r);
#else
    return OPERAND_edge_group(place.y << 2 | r, place.x << 1 | t);
#endif
}

// The same for constant r and t, which name a layer.
vec4 OPERAND_tile(ivec2 place, int r, int t)
{
#if OPERAND_LAYERED && SAMPLES
    return textureLod(OPERAND_layers[r << 1 | t],
                      (vec2(OPERAND_wrapped(place)) + 0.5) * OPERAND_texel_size, 0.0);
#elif OPERAND_LAYERED
    return texelFetch(OPERAND_layers[r << 1 | t], OPERAND_wrapped(place), 0);
#else
    return OPERAND_any_tile(place, r, t);
#endif
}

// A texel of the same columns as texel t of a row of the output's block, in column place.x of
// blocks. In the second function, r and t are constants.
#if TEXELS_ACROSS == 2
#define OPERAND_any_tile_of_block(place, r, t) OPERAND_any_tile(place, r, t)
#define OPERAND_tile_of_block(place, r, t) OPERAND_tile(place, r, t)
#else
#define OPERAND_any_tile_of_block(place, r, t)                                                     \
    OPERAND_any_tile(ivec2((place).x >> 1, (place).y), r, (place).x & 1)
#define OPERAND_tile_of_block(place, r, t) OPERAND_any_tile_of_block(place, r, t)
#endif

float OPERAND_edge_element(int row, int column)
{
    return OPERAND_element(OPERAND_inside(row, OPERAND_size.x),
                           OPERAND_inside(column, OPERAND_size.y));
}

// As many columns as a texel of the output holds, from column TEXEL_COLUMNS * t on.
TEXEL OPERAND_texel(int row, int t)
{
#if TEXEL_COLUMNS == 1
    return OPERAND_edge_element(row, t);
#else
    return OPERAND_edge_group(row, t);
#endif
}

// The elements for texel t of the output's block `at`, through the view of the operand.
TEXEL OPERAND_at(ivec2 at, int t)
{
    // A single fetch is as fast as a sample; eight samples of a tile share their coordinates.
#if OPERAND_READING == READING_SAME && OPERAND_LAYOUT == GLNN_LAYOUT_TILED
    ivec3 place = BLOCK_PLACE(at, t);
    return OPERAND_fetch_texel(place.xy, place.z);
#elif OPERAND_READING == READING_SAME && OPERAND_IS_PLACED
    return TO_TEXEL(OPERAND_fetch_placed(BLOCK_PLACE(at, t)));
#elif OPERAND_READING == READING_SAME
    OPERAND_note(BLOCK_PLACE(at, t), 0);
    return TO_TEXEL(texelFetch(OPERAND_texture, BLOCK_PLACE(at, t), 0));
#elif OPERAND_READING == READING_TEXELS
    int row = OPERAND_map[0].x * block_row(at, t) + OPERAND_map[0].z;
    // The shift is a multiple of TEXEL_COLUMNS, so a shift of bits replaces a slow division.
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
    // In a TILED block all four rows have the same four fetches, so a compiler does them once.
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

#if OPERAND_IS_COUNTED
#define COUNTED_size OPERAND_size
#define COUNTED_place(row, group) OPERAND_place(OPERAND_row(row), group)
#define COUNTED_COLUMNS (OPERAND_LAYOUT == GLNN_LAYOUT_UNPACKED ? 1 : 4)
#endif
