// Columns of MOVES and of the winners of a search: for each of a sample's two winners the index of
// the prototype, -1 for none, and a number that belongs to it.
int winner_index(vec4 winners, int e)
{
    return int(e == 0 ? winners.x : winners.z);
}

float winner_number(vec4 winners, int e)
{
    return e == 0 ? winners.y : winners.w;
}

// Which columns of a column group lie inside a matrix with this many columns.
vec4 is_column(int group, int columns)
{
    return vec4(lessThan(ivec4(4 * group) + ivec4(0, 1, 2, 3), ivec4(columns)));
}
