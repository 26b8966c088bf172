// The sum of two floats is a float and a rounding error, which is a float too (Knuth 1969, section
// 4.2.2). Algebra would reduce that error to zero, and `precise` keeps compilers from it. OpenGL ES
// need not have `precise`: there each result passes an operation that compilers cannot leave out.
// It changes no bit, because the size of a matrix is positive.
#ifdef precise
#define AS_COMPUTED(number) uintBitsToFloat(floatBitsToUint(number) ^ uint(output_size.x) >> 31u)
#else
#define AS_COMPUTED(number) (number)
#endif

TEXEL exact_sum(TEXEL a, TEXEL b, out TEXEL error)
{
    precise TEXEL added = AS_COMPUTED(b);
    precise TEXEL sum = AS_COMPUTED(a + added);
    precise TEXEL taken = AS_COMPUTED(sum - a);
    precise TEXEL lost_of_a = AS_COMPUTED(a - AS_COMPUTED(sum - taken));
    precise TEXEL lost_of_b = AS_COMPUTED(added - taken);
    precise TEXEL lost = lost_of_a + lost_of_b;
    error = lost;
    return sum;
}
