//! use sequence
// The factor of the loss at each place of an order, a sequence: half of the weight of its sample
// (emphasis_weights.glsl), so that the mean factor is 1. WEIGHTS is a sequence, and ORDER a column.
// Uniforms:
//   count: places of the order

float factor_at(int place)
{
    int i = int(ORDER_element(place, 0));
    return 0.5 * WEIGHTS_element(sequence_row(i), sequence_column(i));
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        for (int c = 0; c < TEXEL_COLUMNS; ++c) {
            int place = sequence_index(at, t) + c;
            bool is_there = block_column(at, t) + c < SEQUENCE_COLUMNS && place < count;
            COMPONENT(tile[t], c) = is_there ? factor_at(place) : 0.0;
        }
}
