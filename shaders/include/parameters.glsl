//! use round
// The end of every epilogue that updates parameters. If there is a COPY, it receives the new
// parameters in 16 bits. Each texel is read and written by one invocation alone.

void epilogue_sum(ivec2 at, int t, TEXEL values)
{
#if HAS_COPY
    imageStore(COPY_texture, BLOCK_PLACE(at, t), vec4(to_half(values)));
#endif
}
