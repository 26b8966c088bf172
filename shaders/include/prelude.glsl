// What every kernel can rely on: the names of layouts, readings and uniform locations, the size of
// the output and the block that is being computed.
//
// The variant defines, for the layout of the output:
//   BLOCK_ROWS, BLOCK_COLUMNS  elements of a block
//   BLOCK_TEXELS               texels of a block, one a layer of the texture
//   TEXELS_ACROSS              texels of a block side by side in a row
//   TEXEL, TEXEL_COLUMNS       type of a texel, and how many columns it holds: float 1, vec4 4
//   ROUNDS                     its storage has 16 bits

// Numbers of glnn_layout.
#define TILED 0
#define PACKED 1
#define UNPACKED 2
#define PAGED 3

// Numbers of glnn__reading.
#define READING_SAME 0
#define READING_TEXELS 1
#define READING_SQUARES 2
#define READING_COLUMN 3
#define READING_LINE 4
#define READING_ELEMENTS 5

// Numbers of glnn__fetching.
#define FETCHING_TEXELS 0
#define FETCHING_SAMPLES 1
#define SAMPLES (FETCHING == FETCHING_SAMPLES)

// Numbers of glnn__literals.
#define LITERALS_NONE 0
#define LITERALS_SIZES 1
#define LITERALS_ALL 2

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

// Rows, columns.
#if LITERALS
const ivec2 output_size = OUTPUT_LITERAL_SIZE;
#else
layout(location = 14) uniform ivec2 output_size;
#endif

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

// Component c of a texel, as something that can be assigned to.
#if TEXEL_COLUMNS == 1
#define COMPONENT(texel, c) texel
#else
#define COMPONENT(texel, c) texel[c]
#endif

#define INFINITY uintBitsToFloat(0x7F800000u)
