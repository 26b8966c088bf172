//! use region
// A wrapped output: 2^WRAP rows of blocks lie side by side in a row of texels. The stages then
// count texels, and block_of() finds the block of a texel. The texels after the last row of blocks
// are padding.
#if WRAP
UNIFORM_AT(TEXELS) ivec4 texels; // first column and row to compute, width, height

// Of the stacks in place of the blocks.
#define STACK_WRAP (WRAP - STACK / 2)

ivec2 block_of(ivec2 texel)
{
    return ivec2(texel.x >> STACK_WRAP, texel.y << STACK_WRAP | texel.x & (1 << STACK_WRAP) - 1);
}

bool is_in_texels(ivec2 texel)
{
    return all(lessThan(texel, texels.xy + texels.zw));
}

bool is_padding(ivec2 at)
{
    return at.y * BLOCK_ROWS >= output_size.x;
}
#else
#define block_of(texel) texel
#define is_in_texels(texel) true
#endif
