// What a softmax needs to know of a row of Z: its greatest element, and the logarithm of the sum of
// exp(z - greatest). Apart, so that large outputs cost no digits.

// Of a quad, what lies before the end of the row; past it it is too small to count.
vec4 cut_quad(int row, int q, int columns)
{
    return mix(vec4(-INFINITY), Z_edge_quad(row, q),
               lessThan(4 * q + ivec4(0, 1, 2, 3), ivec4(columns)));
}

// Quads that are kept while their greatest element is sought: fetched twice they would cost more than
// the sum so far, which has to be scaled to each new greatest element.
#define KEPT 8
#define FEW  4

// A greatest element so far, and the sum of exp(z - greatest).
struct Stats {
    float top;
    vec4 sums;
};

void add_quads(inout Stats stats, vec4 quads[KEPT], int count)
{
    vec4 tops = vec4(stats.top);
    for (int k = 0; k < count; ++k)
        tops = max(tops, quads[k]);
    float top = max(max(tops.x, tops.y), max(tops.z, tops.w));
    // Where all are minus infinity, they count as zeros beside the other chunks of the row.
    float origin = top == -INFINITY ? 0.0 : top;
    stats.sums *= exp(stats.top - origin);
    for (int k = 0; k < count; ++k)
        stats.sums += exp(quads[k] - origin);
    stats.top = top;
}

// Of the quads begin to end of a row: their greatest element, and the sum of exp(z - greatest).
vec2 chunk_stats(int row, int begin, int end)
{
    Stats stats = Stats(-INFINITY, vec4(0.0));
    vec4 quads[KEPT];
    int columns = min(4 * end, Z_size.y);
    int q = begin;
    for (; 4 * (q + KEPT) <= columns; q += KEPT) {
        for (int k = 0; k < KEPT; ++k)
            quads[k] = Z_quad(row, q + k);
        add_quads(stats, quads, KEPT);
    }
    for (; q < end; q += FEW) {
        for (int k = 0; k < FEW; ++k)
            quads[k] = cut_quad(row, q + k, columns);
        add_quads(stats, quads, FEW);
    }
    return vec2(stats.top, (stats.sums.x + stats.sums.y) + (stats.sums.z + stats.sums.w));
}

vec2 row_stats(int row)
{
    vec2 stats = chunk_stats(row, 0, (Z_size.y + 3) >> 2);
    return vec2(stats.x, log(stats.y));
}
