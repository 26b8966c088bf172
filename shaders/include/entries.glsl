// Entries of a scatter-add, read directly from the moves. ENTRIES has a row (index, coefficient,
// index, coefficient) for each sample, so entry 2 i + e is the e-th of sample i. The index names a
// row of the output. An entry with the coefficient 0 names none.
// Uniforms:
//   count: samples

vec2 entry_at(int entry)
{
    vec4 moves = ENTRIES_group(entry >> 1, 0);
    return (entry & 1) == 0 ? moves.xy : moves.zw;
}

// The first entry from `entry` on that names row `index`; 2 count if there is none.
int find_entry(int index, int entry)
{
    for (; entry < 2 * count; ++entry) {
        vec2 move = entry_at(entry);
        if (move.x == float(index) && move.y != 0.0)
            break;
    }
    return entry;
}

// The row of blocks that has the row which an entry names; -1 if it names none.
int block_row_of(int entry)
{
    vec2 move = entry_at(entry);
    bool is_named = move.x >= 0.0 && move.x < float(output_size.x) && move.y != 0.0;
    return is_named ? int(move.x) / BLOCK_ROWS : -1;
}

// The same for picks.vert, but -1 if an earlier entry names the same row of blocks: each is drawn
// only once.
int picked_row(int entry)
{
    int row = block_row_of(entry);
    for (int i = 0; i < entry; ++i)
        row = block_row_of(i) == row ? -1 : row;
    return row;
}
