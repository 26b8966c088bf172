// The class of the prototype that is nearest to each sample, -1 if there is none. Column 0 of
// WINNERS is the number of that prototype, and CLASSES has a column for each prototype.
// Uniforms:
//   count: the samples

float class_of(int row)
{
    int winner = int(WINNERS_edge_element(row, 0));
    return winner < 0 ? -1.0 : CLASSES_element(0, winner);
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int row = block_row(at, t);
        tile[t] = TEXEL(0.0);
        if (row < count && block_column(at, t) == 0)
            COMPONENT(tile[t], 0) = class_of(row);
    }
}
