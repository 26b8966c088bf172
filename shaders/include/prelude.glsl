// What every kernel can rely on: the names of layouts, readings and uniform locations, the size of
// the output and the block that is being computed.
//
// The variant defines, for the layout of the output:
//   BLOCK_ROWS, BLOCK_COLUMNS  elements of a block
//   BLOCK_TEXELS               texels of a block, one a layer of the texture
//   STACK                      blocks of the layout in one of these, one below the other; more than
//                              one only for images
//   TEXELS_ACROSS              texels of a block side by side in a row
//   TEXEL, TEXEL_COLUMNS       type of a texel, and how many columns it holds: float 1, vec4 4
//   ROUNDS                     its storage has 16 bits

// The elements of a large block have to stay in registers, so loops over them are unrolled whatever
// they hold; compilers that do not know this pragma ignore it.
#if STACK > 1
#pragma optionNV(unroll all)
#endif

// Numbers of glnn_layout.
#define TILED 0
#define PACKED 1
#define UNPACKED 2
#define PAGED 3

// Numbers of glnn__reading.
#define READING_SAME 0
#define READING_TEXELS 1
#define READING_SQUARES 2
#define READING_ROW 3
#define READING_COLUMN 4
#define READING_LINE 5
#define READING_ELEMENTS 6

// Numbers of glnn__fetching.
#define FETCHING_TEXELS 0
#define FETCHING_SAMPLES 1
#define SAMPLES (FETCHING == FETCHING_SAMPLES)

// Locations of the uniforms that a kernel declares for itself.
#define SCALAR_0 0
#define SCALAR_1 1
#define SCALAR_2 2
#define SCALAR_3 3
#define SCALAR_4 4
#define SCALAR_5 5
#define INTEGER_0 6
#define INTEGER_1 7
#define INTEGER_2 8
#define INTEGER_3 9
#define INTEGER_4 10
#define INTEGER_5 11
#define INTEGER_6 12
#define INTEGER_7 13

#define REGION 15       // of the compute stage
#define BLEND_FACTOR 40 // of a pass that adds to its output by itself

// Of what is done beside the block: include/update.glsl.
#define UPDATE_0 41
#define UPDATE_1 42
#define UPDATE_2 43
#define UPDATE_3 44
#define UPDATE_4 45
#define UPDATE_5 46

// Rows, columns.
layout(location = 14) uniform ivec2 output_size;

// The block: block(at) fills it, the stage writes it out. Texel t holds the columns from
// block_column(at, t) on of row block_row(at, t).
TEXEL tile[BLOCK_TEXELS];

int block_row(ivec2 at, int t)
{
    return at.y * BLOCK_ROWS + t / TEXELS_ACROSS;
}

int block_column(ivec2 at, int t)
{
    return at.x * BLOCK_COLUMNS + t % TEXELS_ACROSS * TEXEL_COLUMNS;
}

// The same column, counted in texels.
int block_texel(ivec2 at, int t)
{
    return at.x * TEXELS_ACROSS + t % TEXELS_ACROSS;
}

// Where texel t of the block lies in a texture of the output's layout.
#if STACK > 1
#define LAYERS (BLOCK_TEXELS / STACK)
#define BLOCK_PLACE(at, t) ivec3((at).x, (at).y * STACK + (t) / LAYERS, (t) % LAYERS)
#elif BLOCK_TEXELS > 1
#define BLOCK_PLACE(at, t) ivec3(at, t)
#else
#define BLOCK_PLACE(at, t) at
#endif

// Component c of a texel, as something that can be assigned to; a texel of what GLSL reads as vec4.
#if TEXEL_COLUMNS == 1
#define COMPONENT(texel, c) texel
#define TO_TEXEL(value) (value).r
#else
#define COMPONENT(texel, c) texel[c]
#define TO_TEXEL(value) value
#endif

#define INFINITY uintBitsToFloat(0x7F800000u)
