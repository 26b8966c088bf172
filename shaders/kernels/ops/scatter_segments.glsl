// For each segment of rows of MOVES (index, coefficient, index, coefficient) and each index the
// first entry that has it: 2 i + e for the e-th of row i; infinity if none has.
// Uniforms:
//   count: rows that stand for samples
//   segment_rows: rows of MOVES in a segment
//
// It orders entries by index without atomics, whose order would change the bits of sums from run to
// run.

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
