//! use sequence
//! use permutation
// The recent loss of each sample after an epoch, a sequence. It is the mean of the sample's losses
// in this epoch. If the epoch did not present the sample, it is the former one, RECENT. DRAWN are
// the ascending samples of the epoch, and PRESENTED are the losses at the places of its order, also
// sequences.
// Uniforms:
//   count, half_bits, draw, key_low, key_high: of permutation.glsl

#define MOST_LOSSES 64
#define GREATEST exp2(20.0)

int drawn_at(int k)
{
    return int(DRAWN_element(sequence_row(k), sequence_column(k)));
}

// The first number of DRAWN that is not less than a sample; `count` if all are.
int find(int sample_index)
{
    int begin = 0;
    int end = count;
    while (begin < end) {
        int middle = (begin + end) / 2;
        if (drawn_at(middle) < sample_index)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

float recent(int sample_index, float former)
{
    int begin = find(sample_index);
    int end = begin;
    float sum = 0.0;
    for (; end < min(begin + MOST_LOSSES, count) && drawn_at(end) == sample_index; ++end) {
        int place = place_of(end);
        sum += clamp(PRESENTED_element(sequence_row(place), sequence_column(place)), 0.0, GREATEST);
    }
    return end > begin ? sum / float(end - begin) : former;
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        TEXEL former = RECENT_at(at, t);
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            COMPONENT(tile[t], c) =
                block_column(at, t) + c < SEQUENCE_COLUMNS
                    ? recent(sequence_index(at, t) + c, COMPONENT(former, c))
                    : 0.0;
    }
}
