//! use sequence
//! use permutation
// Some places of the order of an epoch, from place `first` on: row i of the only column is the
// sample at place first + i. The samples of the sequence DRAWN come in random order.
// Uniforms:
//   first: the first place
//   count, half_bits, draw, key_low, key_high: of permutation.glsl

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int place = first + block_row(at, t);
        tile[t] = TEXEL(0.0);
        if (block_column(at, t) == 0 && place < count) {
            int k = permuted(place);
            COMPONENT(tile[t], 0) = DRAWN_element(sequence_row(k), sequence_column(k));
        }
    }
}
