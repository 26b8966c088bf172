// Two hooks by which a second kernel, the epilogue, finishes a block before it is written.
//   epilogue(at, t, texel)    returns the texel to write; if the pass blends, to add
//   epilogue_sum(at, t, sum)  receives the final texel before it is rounded to 16 bits
// Without an epilogue both do nothing.
#if !EPILOGUE
#define epilogue(at, t, texel) texel
#endif
#if !EPILOGUE_TAKES_SUM
#define epilogue_sum(at, t, sum)
#endif
