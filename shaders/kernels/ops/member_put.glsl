//! use entries
// Puts the rows of blocks of X, one an entry, where the prototypes of the entries are. Several of one
// row hold the same.
int picked_row(int entry)
{
    return row_of_entry(entry, output_size.x);
}

void block(ivec2 at)
{
    int entry = 0;
    while (entry < 2 * count - 1 && picked_row(entry) != at.y)
        ++entry;
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = X_texel(block_row(ivec2(at.x, entry), t), block_texel(at, t));
}
