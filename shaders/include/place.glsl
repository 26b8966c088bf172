// The texel of a block of a matrix that the shader writes. Its name replaces the word in capitals,
// and the variant defines how its texture is wrapped.
ivec2 WRITTEN_place(ivec2 block)
{
    return ivec2(block.x << WRITTEN_WRAP | block.y & (1 << WRITTEN_WRAP) - 1,
                 block.y >> WRITTEN_WRAP);
}
