// Columns of MOVES, and of what a search finds: for either of a sample's two winners the index of
// the prototype, -1 where there is none, and a number that belongs to it.
int winner_index(vec4 winners, int e)
{
    return int(e == 0 ? winners.x : winners.z);
}

float winner_number(vec4 winners, int e)
{
    return e == 0 ? winners.y : winners.w;
}

// Which of the four columns of a column group are columns of a matrix with so many.
vec4 is_column(int group, int columns)
{
    return vec4(lessThan(ivec4(4 * group) + ivec4(0, 1, 2, 3), ivec4(columns)));
}
