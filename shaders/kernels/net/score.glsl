//! use score
// The scores of the rows of a batch. Blending adds those of all batches up.
vec4 score_of(int row)
{
    int sample_index = sample_of(row);
    return score(row, sample_index, target_key(sample_index), softmax_stats(row));
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int row = block_row(at, t);
        int column = block_column(at, t);
        vec4 scores = row < count && column < 4 ? score_of(row) : vec4(0.0);
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            COMPONENT(tile[t], c) = scores[(column + c) & 3];
    }
}
