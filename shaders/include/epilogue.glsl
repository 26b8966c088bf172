// What a second descriptor does with what the kernel computed, before it is written: epilogue(at, t,
// texel) returns what is added to what the output held, or written where nothing is added; and
// epilogue_sum(at, t, sum), if the descriptor takes sums, sees what is written, before it is rounded.
#if !EPILOGUE
#define epilogue(at, t, texel) texel
#endif
#if !EPILOGUE_TAKES_SUM
#define epilogue_sum(at, t, sum)
#endif
