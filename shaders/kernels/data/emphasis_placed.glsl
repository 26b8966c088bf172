//! use sequence
// The recent loss of each sample after an epoch that presented each sample once, a sequence. PLACES
// are the places of the samples in the order of the epoch, and PRESENTED the losses at the places,
// also sequences. A sample that is not trained on keeps its RECENT loss, -1.

#define GREATEST exp2(20.0)

float recent(int sample_index, float former)
{
    int place = int(PLACES_edge_element(sequence_row(sample_index), sequence_column(sample_index)));
    float loss = PRESENTED_element(sequence_row(place), sequence_column(place));
    return former < 0.0 ? former : clamp(loss, 0.0, GREATEST);
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        TEXEL former = RECENT_at(at, t);
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            COMPONENT(tile[t], c) = block_column(at, t) + c < SEQUENCE_COLUMNS
                                        ? recent(sequence_index(at, t) + c, COMPONENT(former, c))
                                        : 0.0;
    }
}
