// Links the entries of a scatter-add into lists. MOVES has (index, coefficient, index, coefficient)
// for each sample. The output has the next entry with the same index, or infinity, and the
// coefficient: next, coefficient, next, coefficient. The next entry is searched in the rest of the
// entry's own segment, then among the first entries of the segments after it
// (scatter_segments.glsl).
//
// Without links, each fragment of a row of sums would look through all entries.
// Uniforms:
//   count, segment_rows: as in scatter_segments.glsl

// The next entry in rows `begin` to `end` - 1, or infinity.
float next_in_segment(float index, int begin, int end)
{
    for (int i = begin; i < end; ++i) {
        vec4 move = MOVES_group(i, 0);
        if (move.x == index && move.y != 0.0)
            return float(2 * i);
        if (move.z == index && move.w != 0.0)
            return float(2 * i + 1);
    }
    return INFINITY;
}

float next_entry(float index, int row)
{
    int segment = row / segment_rows;
    float next = next_in_segment(index, row + 1, min((segment + 1) * segment_rows, count));
    for (int s = segment + 1; s < SEGMENTS_size.x && next == INFINITY; ++s)
        next = SEGMENTS_element(s, int(index));
    return next;
}

// Whether an entry names a row. It compares floats, because converting a large one is undefined.
bool is_named(float index, float coefficient)
{
    return index >= 0.0 && index < float(SEGMENTS_size.y) && coefficient != 0.0;
}

void block(ivec2 at)
{
    tile[0] = vec4(INFINITY, 0.0, INFINITY, 0.0);
    if (at.y >= count)
        return;
    vec4 move = MOVES_group(at.y, 0);
    tile[0].yw = move.yw;
    bool has_second = is_named(move.z, move.w);
    if (has_second)
        tile[0].z = next_entry(move.z, at.y);
    if (has_second && move.x == move.z)
        tile[0].x = float(2 * at.y + 1);
    else if (is_named(move.x, move.y))
        tile[0].x = next_entry(move.x, at.y);
}
