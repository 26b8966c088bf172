// What a softmax needs to know of a row of Z: its greatest element, and the logarithm of the sum of
// exp(z - greatest). Apart, so that large outputs cost no digits.

// The quad that the end of a row cuts; past the end it is too small to count.
vec4 cut_quad(int row)
{
    int q = Z_size.y >> 2;
    return mix(vec4(-INFINITY), Z_edge_quad(row, q),
               lessThan(4 * q + ivec4(0, 1, 2, 3), ivec4(Z_size.y)));
}

// Of the quads begin to end of a row: their greatest element, and the sum of exp(z - greatest).
vec2 chunk_stats(int row, int begin, int end)
{
    int whole = min(end, Z_size.y >> 2);
    vec4 tops = vec4(-INFINITY);
    for (int q = begin; q < whole; ++q)
        tops = max(tops, Z_quad(row, q));
    if (whole < end)
        tops = max(tops, cut_quad(row));
    float top = max(max(tops.x, tops.y), max(tops.z, tops.w));
    // Where all are minus infinity, they count as zeros beside the other chunks of the row.
    float origin = top == -INFINITY ? 0.0 : top;
    vec4 sums = vec4(0.0);
    for (int q = begin; q < whole; ++q)
        sums += exp(Z_quad(row, q) - origin);
    if (whole < end)
        sums += exp(cut_quad(row) - origin);
    return vec2(top, (sums.x + sums.y) + (sums.z + sums.w));
}

vec2 row_stats(int row)
{
    vec2 stats = chunk_stats(row, 0, (Z_size.y + 3) >> 2);
    return vec2(stats.x, log(stats.y));
}
