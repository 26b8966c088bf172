//! use lengths
// The delta of the states of a recurrent layer at a time, with a row for each sample: the delta of
// the layer's output, and what the delta of the next state gives.
//
//   out = D + (later s_1) W_1' + (later s_2) W_2' + ... + later s_h
//
// where `later` is a row of LATER, the s are sections of SLOPES (recurrent_slopes.glsl), the W are
// those of WEIGHTS, and s_h is 0 for h = tanh(x + s). If the next state is the same because the
// sequence has ended, it gives its delta. D has `places` rows for each sample.
// Uniforms:
//   time
//   times: of a sample
//   first: the row of the output for the first sample
//   shift: from a row of the output to that of the next state's delta
//   places
//   place: of this time in D; below 0: none
//   passes: 0: the next state counts this one as a constant

void block(ivec2 at)
{
    int groups = (LATER_size.y + 3) >> 2;
    int next = time + 1;
    vec4 sums[BLOCK_TEXELS];
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        sums[t] = vec4(0.0);
    int last = next < times && passes != 0 ? groups : 0;
    for (int k = 0; k < last; ++k)
        for (int g = 0; g < GATES; ++g) {
            vec4 delta[BLOCK_ROWS];
            for (int r = 0; r < BLOCK_ROWS; ++r) {
                int row = block_row(at, r * TEXELS_ACROSS);
                delta[r] = LATER_edge_group(row + shift, k) *
                           SLOPES_edge_group((row - first) * times + next, g * groups + k);
            }
            for (int u = 0; u < TEXELS_ACROSS; ++u)
                for (int c = 0; c < 4; ++c) {
                    vec4 w = WEIGHTS_edge_group(4 * block_texel(at, u) + c, g * groups + k);
                    for (int r = 0; r < BLOCK_ROWS; ++r)
                        sums[r * TEXELS_ACROSS + u][c] += dot(delta[r], w);
                }
        }
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int sequence = block_row(at, t) - first;
        int group = block_texel(at, t);
        vec4 delta = vec4(0.0);
        if (place >= 0 && (places == 1 || is_within(time, sequence)))
            delta = D_edge_group(sequence * places + place, group);
        if (next < times) {
            vec4 later = LATER_edge_group(block_row(at, t) + shift, group);
            bool keeps = !is_within(next, sequence);
#if GATES == 3
            sums[t] += later * SLOPES_edge_group(sequence * times + next, 4 * groups + group);
#endif
            if (keeps || passes != 0)
                delta += keeps ? later : sums[t];
        }
        tile[t] = delta;
    }
}
