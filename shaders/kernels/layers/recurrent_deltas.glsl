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
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int sequence = block_row(at, t) / times;
        int time = block_row(at, t) - sequence * times;
        int section = block_texel(at, t) / groups;
        int group = block_texel(at, t) - section * groups;
        int row = (time >> 1) * state_rows + sequence;
        vec4 delta = (time & 1) == 0 ? EVEN_edge_group(row, group) : ODD_edge_group(row, group);
        section += section == 2 && of_input != 0 ? 1 : 0;
        vec4 slope = SLOPES_edge_group(block_row(at, t), section * groups + group);
        tile[t] = is_within(time, sequence) ? delta * slope : vec4(0.0);
    }
}
