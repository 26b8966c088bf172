// Functions for a row with two winners: index, number, index, number. An index is that of a
// prototype, or -1 for none. The number is a distance, a score or a factor. e is 0 for the first
// winner, 1 for the second.
int winner_index(vec4 winners, int e)
{
    return int(e == 0 ? winners.x : winners.z);
}

float winner_number(vec4 winners, int e)
{
    return e == 0 ? winners.y : winners.w;
}

// 1 for each column of a column group inside a matrix of this many columns, else 0.
vec4 is_column(int group, int columns)
{
    return vec4(lessThan(ivec4(4 * group) + ivec4(0, 1, 2, 3), ivec4(columns)));
}
