//! use factors
// The rows of MOVES (moves.glsl), with both factors of each sample multiplied by the factor of its
// loss, of the FACTORS.
// Uniforms:
//   count: samples
//   entry: the place of the first row in the order of the epoch

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int row = min(block_row(at, t), output_size.x - 1);
        int column = block_column(at, t);
        vec4 values = MOVES_group(row, column >> 2);
        if (row < count && column < 4)
            values.yw = WEIGHED(values.yw, entry + row);
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            COMPONENT(tile[t], c) = values[(column + c) & 3];
    }
}
