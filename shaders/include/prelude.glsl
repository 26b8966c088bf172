// The size of the output and the block being computed, for every kernel. Generated text before it
// defines the enumerators of layouts, readings and fetchings, and the uniforms of the kernel.
//
// The variant defines, for the layout of the output:
//   BLOCK_ROWS, BLOCK_COLUMNS  elements of a block
//   BLOCK_TEXELS               texels of a block, one a layer of the texture
//   STACK                      blocks of the layout in one of these, one below the other; above 1
//                              only for images
//   TEXELS_ACROSS              texels of a block side by side in a row
//   TEXEL, TEXEL_COLUMNS       type of a texel, and how many columns it holds: float 1, vec4 4
//   ROUNDS                     its storage has 16 bits

// The elements of a large block have to stay in registers, so all loops over them are unrolled.
// Compilers that do not know this pragma ignore it.
#if STACK > 1
#pragma optionNV(unroll all)
#endif

#define SAMPLES (FETCHING == FETCHING_SAMPLES)

// Rows, columns.
layout(location = OUTPUT_SIZE) uniform ivec2 output_size;

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

// The place of texel t of the block in a texture of the output's layout.
#if STACK > 1
#define LAYERS (BLOCK_TEXELS / STACK)
#define BLOCK_PLACE(at, t) ivec3((at).x, (at).y * STACK + (t) / LAYERS, (t) % LAYERS)
#elif BLOCK_TEXELS > 1
#define BLOCK_PLACE(at, t) ivec3(at, t)
#else
#define BLOCK_PLACE(at, t) at
#endif

// Component c of a texel, which can be assigned to; and the texel of a vec4 that GLSL has read.
#if TEXEL_COLUMNS == 1
#define COMPONENT(texel, c) texel
#define TO_TEXEL(value) (value).r
#else
#define COMPONENT(texel, c) texel[c]
#define TO_TEXEL(value) value
#endif

#define INFINITY uintBitsToFloat(0x7F800000u)
