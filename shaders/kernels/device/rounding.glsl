//! use exact_sum
// Sums HIGH + ADDED and their rounding errors, for the trial of rounding errors. Of four columns
// the first two are sums and the others their errors. The output is PACKED.

void block(ivec2 at)
{
    vec4 error;
    vec4 sum = exact_sum(HIGH_at(at, 0), ADDED_at(at, 0), error);
    tile[0] = vec4(sum.xy, error.xy);
}
