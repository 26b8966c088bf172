// row_stats() computes what the softmax of a row of Z needs: the greatest element, and the
// logarithm of sum exp(z - greatest). The two are not added, so large outputs lose no digits.

// Column group q of a row, with -infinity after the end of the row.
vec4 cut_group(int row, int q, int columns)
{
    return mix(vec4(-INFINITY), Z_edge_group(row, q),
               lessThan(4 * q + ivec4(0, 1, 2, 3), ivec4(columns)));
}

// One loop does it: the greatest element and the sum together. KEPT column groups stay in registers
// until their greatest element is known, then the sum is scaled to it and they are added. Two loops
// would fetch each group twice, which takes longer than scaling.
#define KEPT 8
#define FEW  4

// The greatest element so far, and the sums of exp(z - greatest) of four columns each.
struct Stats {
    float top;
    vec4 sums;
};

void add_groups(inout Stats stats, vec4 groups[KEPT], int count)
{
    vec4 tops = vec4(stats.top);
    for (int k = 0; k < count; ++k)
        tops = max(tops, groups[k]);
    float top = max(max(tops.x, tops.y), max(tops.z, tops.w));
    // If all elements are -infinity, their exponentials are 0; subtracting the infinity gives NaN.
    float origin = top == -INFINITY ? 0.0 : top;
    stats.sums *= exp(stats.top - origin);
    for (int k = 0; k < count; ++k)
        stats.sums += exp(groups[k] - origin);
    stats.top = top;
}

// The greatest element of column groups `begin` to `end` - 1, and the sum of exp(z - greatest).
vec2 chunk_stats(int row, int begin, int end)
{
    Stats stats = Stats(-INFINITY, vec4(0.0));
    vec4 groups[KEPT];
    int columns = min(4 * end, Z_size.y);
    int q = begin;
    for (; 4 * (q + KEPT) <= columns; q += KEPT) {
        for (int k = 0; k < KEPT; ++k)
            groups[k] = Z_group(row, q + k);
        add_groups(stats, groups, KEPT);
    }
    for (; q < end; q += FEW) {
        for (int k = 0; k < FEW; ++k)
            groups[k] = cut_group(row, q + k, columns);
        add_groups(stats, groups, FEW);
    }
    return vec2(stats.top, (stats.sums.x + stats.sums.y) + (stats.sums.z + stats.sums.w));
}

vec2 row_stats(int row)
{
    vec2 stats = chunk_stats(row, 0, (Z_size.y + 3) >> 2);
    return vec2(stats.x, log(stats.y));
}
