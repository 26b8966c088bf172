//! use lengths
// The deltas of sums of a recurrent layer, for all times of all samples: those of the states times
// SLOPES (recurrent_slopes.glsl). EVEN and ODD have the deltas of the states at even and odd times,
// one after the other.
// Uniforms:
//   times: of a sample
//   state_rows: from a time to the next one in the same operand
//   of_input: not 0: of the sums of the input, else of those of the former state

void block(ivec2 at)
{
    int groups = (EVEN_size.y + 3) >> 2;
    int group[TEXELS_ACROSS];
    int slope[TEXELS_ACROSS];
    for (int u = 0; u < TEXELS_ACROSS; ++u) {
        int section = block_texel(at, u) / groups;
        group[u] = block_texel(at, u) - section * groups;
        slope[u] = block_texel(at, u) + (section == 2 && of_input != 0 ? groups : 0);
    }
    for (int r = 0; r < BLOCK_ROWS; ++r) {
        int row = block_row(at, r * TEXELS_ACROSS);
        int sequence = row / times;
        int time = row - sequence * times;
        int state = (time >> 1) * state_rows + sequence;
        bool counts = is_within(time, sequence);
        for (int u = 0; u < TEXELS_ACROSS; ++u) {
            vec4 delta = (time & 1) == 0 ? EVEN_edge_group(state, group[u])
                                         : ODD_edge_group(state, group[u]);
            tile[r * TEXELS_ACROSS + u] =
                counts ? delta * SLOPES_edge_group(row, slope[u]) : vec4(0.0);
        }
    }
}
