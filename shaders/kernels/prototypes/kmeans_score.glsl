// What training counts, per row of a batch, as in score.glsl: the loss is the squared distance that
// kmeans_assign.glsl left in MOVE. With LABELS, WINNER has the nearest centre of the sample's class
// and the nearest of any other; the sample is right where the first would win among all.
#define GREATEST_FINITE 3.4e38

bool is_right(int row)
{
#if LABELS
    float own = WINNER_element(row, 1);
    float other = WINNER_element(row, 3);
    bool is_first = WINNER_element(row, 2) < 0.0 || WINNER_element(row, 0) < WINNER_element(row, 2);
    return own < other || (own == other && is_first);
#else
    return false;
#endif
}

vec4 score(int row)
{
    float loss = MOVE_element(row, 3);
    bool is_finite = abs(loss) < GREATEST_FINITE;
    return vec4(loss, is_right(row) ? 1.0 : 0.0, is_finite ? 1.0 : 0.0, 1.0);
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int row = block_row(at, t);
        int column = block_column(at, t);
        vec4 scores = row < count && column < 4 ? score(row) : vec4(0.0);
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            COMPONENT(tile[t], c) = scores[(column + c) & 3];
    }
}
