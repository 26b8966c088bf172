// The first step of a scatter-add. Each row of MOVES is a sample with two entries (index,
// coefficient), and segments are groups of segment_rows rows. Element (s, j) of the output is the
// first entry in segment s with index j: 2 i + e for the e-th entry of row i. It is infinity if the
// segment has none.
//
// This orders the entries without atomic operations. Atomics would add in another order each time,
// and the bits of the sums would change from run to run.
// Uniforms:
//   count: rows that have a sample
//   segment_rows: rows of a segment

void block(ivec2 at)
{
    vec4 indices = vec4(4 * at.x) + vec4(0.0, 1.0, 2.0, 3.0);
    int begin = at.y * segment_rows;
    tile[0] = vec4(INFINITY);
    for (int i = min(begin + segment_rows, count) - 1; i >= begin; --i) {
        vec4 move = MOVES_group(i, 0);
        if (move.w != 0.0)
            tile[0] = mix(tile[0], vec4(2 * i + 1), equal(indices, move.zzzz));
        if (move.y != 0.0)
            tile[0] = mix(tile[0], vec4(2 * i), equal(indices, move.xxxx));
    }
}
