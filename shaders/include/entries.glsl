// ENTRIES as they were given, without links: (index, coefficient), two in a row.
// Uniforms:
//   count: rows

vec2 entry_at(int entry)
{
    vec4 moves = ENTRIES_quad(entry >> 1, 0);
    return (entry & 1) == 0 ? moves.xy : moves.zw;
}

// The first entry of a prototype from `entry` on; 2 count where there is none.
int find_entry(int prototype, int entry)
{
    for (; entry < 2 * count; ++entry) {
        vec2 move = entry_at(entry);
        if (move.x == float(prototype) && move.y != 0.0)
            break;
    }
    return entry;
}

// The row of blocks of `prototypes` that has an entry's prototype, or -1.
int row_of_entry(int entry, int prototypes)
{
    vec2 move = entry_at(entry);
    bool is_named = move.x >= 0.0 && move.x < float(prototypes) && move.y != 0.0;
    return is_named ? int(move.x) / BLOCK_ROWS : -1;
}
