// Every shader begins with this file. It gives a kernel the size of the output and the block to
// compute.
//
// A block is the rectangle of elements that one fragment computes. A kernel defines block(ivec2
// at), where `at` is the block's column and row in the grid of blocks, and fills `tile`, the texels
// of the block. A texel holds one element or a column group: four neighbouring columns of a row,
// the first of which is a multiple of four. The kernel does not know the layout. The text generated
// before this file defines the enumerators, options and uniforms of the kernel. For the layout of
// the output it defines these constants.
//   BLOCK_ROWS, BLOCK_COLUMNS  The elements of a block.
//   BLOCK_TEXELS               The texels of a block, each in a layer of its own.
//   STACK                      The blocks of the layout in one block of the pass, one below the
//                              other. It is above 1 only if the output is an image.
//   TEXELS_ACROSS              The texels of a block next to each other in a row.
//   TEXEL, TEXEL_COLUMNS       The type of a texel and its number of columns: float 1, vec4 4.
//   STORAGE                    The storage of the output.
//   TILE_LAYERS                The layers of a TILED matrix: 8, or 4 with half of the columns.
//   WRAP                       2^WRAP rows of blocks of the layout lie side by side in a row of
//                              texels (lib/tex/layout.h).

// A stacked block only stays in registers if all loops over it are unrolled. Compilers that do not
// know this pragma ignore it.
#if STACK > 1
#pragma optionNV(unroll all)
#endif

#define SAMPLES (FETCHING == FETCHING_SAMPLES)

// Rows and columns of the output.
UNIFORM_AT(OUTPUT_SIZE) ivec2 output_size;

// block(at) fills it and the stage writes it. Texel t begins with the element in row block_row(at,
// t) and column block_column(at, t).
TEXEL tile[BLOCK_TEXELS];

// The texels that an invocation holds between loading and storing: those of a block, or one.
#if SLICES || HAS_MAIN
#define TEXELS_HELD 1
#else
#define TEXELS_HELD BLOCK_TEXELS
#endif
#define HELD(t) ((t) % TEXELS_HELD)

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

// The texel of a block of the layout.
#if WRAP
ivec2 wrapped(ivec2 block)
{
    return ivec2(block.x << WRAP | block.y & (1 << WRAP) - 1, block.y >> WRAP);
}
#else
#define wrapped(block) block
#endif

// Where texel t of the block is in a texture of the output's layout that is wrapped alike.
#if STACK > 1
#define LAYERS (BLOCK_TEXELS / STACK)
#define BLOCK_PLACE(at, t)                                                                         \
    ivec3(wrapped(ivec2((at).x, (at).y * STACK + (t) / LAYERS)), (t) % LAYERS)
#elif BLOCK_TEXELS > 1
#define BLOCK_PLACE(at, t) ivec3(wrapped(at), t)
#else
#define BLOCK_PLACE(at, t) wrapped(at)
#endif

// COMPONENT is column c of a texel, and can be assigned to. TO_TEXEL converts the vec4 that GLSL
// returns for any fetch.
#if TEXEL_COLUMNS == 1
#define COMPONENT(texel, c) texel
#define TO_TEXEL(value) (value).r
#else
#define COMPONENT(texel, c) texel[c]
#define TO_TEXEL(value) value
#endif

#define INFINITY uintBitsToFloat(0x7F800000u)
