// For each segment of rows of MOVES (index, coefficient, index, coefficient) and each prototype the
// first entry that names it: 2 i + e for the e-th of row i; -1 where none does.
// Uniforms:
//   count: rows that stand for samples
//   segment_rows: rows of MOVES in a segment

void block(ivec2 at)
{
    vec4 prototypes = vec4(4 * at.x) + vec4(0.0, 1.0, 2.0, 3.0);
    int begin = at.y * segment_rows;
    tile[0] = vec4(-1.0);
    for (int i = min(begin + segment_rows, count) - 1; i >= begin; --i) {
        vec4 move = MOVES_quad(i, 0);
        if (move.w != 0.0)
            tile[0] = mix(tile[0], vec4(2 * i + 1), equal(prototypes, move.zzzz));
        if (move.y != 0.0)
            tile[0] = mix(tile[0], vec4(2 * i), equal(prototypes, move.xxxx));
    }
}
