//! use own_rate
// OLVQ1: the rates of prototypes after the wins of a batch, in the order of its samples.

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int column = block_column(at, t);
        vec4 indices = vec4(column) + vec4(0.0, 1.0, 2.0, 3.0);
        vec4 rates = vec4(RATES_at(at, t));
        for (int i = 0; i < count; ++i) {
            vec4 moves = MOVES_quad(i, 0);
            rates = mix(rates, next_rate(rates, sign(moves.y)), equal(indices, moves.xxxx));
        }
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            COMPONENT(tile[t], c) = rates[c];
    }
}
