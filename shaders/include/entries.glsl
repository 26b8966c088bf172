// ENTRIES without links: (index, coefficient), two in a row.
// Uniforms:
//   count: rows

vec2 entry_at(int entry)
{
    vec4 moves = ENTRIES_group(entry >> 1, 0);
    return (entry & 1) == 0 ? moves.xy : moves.zw;
}

// The first entry with an index from `entry` on; 2 count if there is none.
int find_entry(int index, int entry)
{
    for (; entry < 2 * count; ++entry) {
        vec2 move = entry_at(entry);
        if (move.x == float(index) && move.y != 0.0)
            break;
    }
    return entry;
}

// The row of blocks of the output that an entry names, or -1.
int block_row_of(int entry)
{
    vec2 move = entry_at(entry);
    bool is_named = move.x >= 0.0 && move.x < float(output_size.x) && move.y != 0.0;
    return is_named ? int(move.x) / BLOCK_ROWS : -1;
}

// The same, or -1 if an entry before it names the row too: each row of blocks is drawn once.
int picked_row(int entry)
{
    int row = block_row_of(entry);
    for (int i = 0; i < entry; ++i)
        row = block_row_of(i) == row ? -1 : row;
    return row;
}
