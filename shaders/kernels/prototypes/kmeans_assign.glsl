//! use distance
// What k-means makes of each row's nearest centre (entry 0 of WINNER): it moves with coefficient 1,
// and no other does. The fourth column, where no second coefficient is needed, has the squared
// distance.

vec4 assign(int row)
{
    int centre = int(WINNER_element(row, 0));
    if (centre < 0)
        return vec4(-1.0, 0.0, -1.0, INFINITY);
    return vec4(centre, 1.0, -1.0, squared_distance(row, centre));
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int row = block_row(at, t);
        int column = block_column(at, t);
        vec4 move = row < count && column < 4 ? assign(row) : vec4(-1.0, 0.0, -1.0, 0.0);
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            COMPONENT(tile[t], c) = move[(column + c) & 3];
    }
}
