// A second descriptor finishes the kernel's block before it is written. epilogue(at, t, texel)
// returns the texel that the pass writes, or adds to the output if it blends. epilogue_sum(at, t,
// sum) receives the final texel before it is rounded, if the descriptor takes sums.
#if !EPILOGUE
#define epilogue(at, t, texel) texel
#endif
#if !EPILOGUE_TAKES_SUM
#define epilogue_sum(at, t, sum)
#endif
