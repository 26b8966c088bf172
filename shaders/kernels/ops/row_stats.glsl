//! use row_stats
// For each row of Z: the greatest element in column 0, and log(sum exp(z - greatest)) in column 1.
// The softmax and its loss follow from these.
//
// A long row is read in parallel and takes two passes. The first one (CHUNKS) computes the greatest
// element and the sum of each chunk, in columns 4 i and 4 i + 1 for chunk i. The second one joins
// them, as the operand PARTS.
// Uniforms:
//   chunk: column groups of a chunk

vec2 stats_of(int row, int texel)
{
#if CHUNKS
    int begin = texel * chunk;
    return chunk_stats(row, begin, min(begin + chunk, (Z_size.y + 3) >> 2));
#elif HAS_PARTS
    int count = PARTS_size.y >> 2;
    float top = -INFINITY;
    for (int i = 0; i < count; ++i)
        top = max(top, PARTS_group(row, i).x);
    float sum = 0.0;
    for (int i = 0; i < count; ++i) {
        vec2 part = PARTS_group(row, i).xy;
        sum += part.y * exp(part.x - top);
    }
    return vec2(top, log(sum));
#else
    return row_stats(row);
#endif
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        tile[t] = TEXEL(0.0);
        int row = block_row(at, t);
        int column = block_column(at, t);
        if (row >= output_size.x || column >= output_size.y)
            continue;
        vec2 stats = stats_of(row, column / TEXEL_COLUMNS);
#if TEXEL_COLUMNS == 1
        tile[t] = stats[column];
#else
        tile[t].xy = stats;
#endif
    }
}
