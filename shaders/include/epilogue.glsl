//! use blend
// Four hooks by which a second kernel, the epilogue, finishes a block before it is written.
// Without an epilogue all but the third do nothing.
//   epilogue_load(at, t)                    Loads texels of side outputs, which HELD(t) numbers.
//   epilogue(at, t, texel)                  Returns the texel to write; if the pass blends, to add.
//   epilogue_blended(at, t, texel, former)  Adds the texel to the former one (blend.glsl).
//   epilogue_sum(at, t, sum)                Receives the texel before it is rounded to 16 bits.
#if !EPILOGUE
#define epilogue_load(at, t)
#define epilogue(at, t, texel) texel
#endif
#if !EPILOGUE_BLENDS
#define epilogue_blended(at, t, texel, former) blended(texel, former)
#endif
#if !EPILOGUE_TAKES_SUM
#define epilogue_sum(at, t, sum)
#endif
