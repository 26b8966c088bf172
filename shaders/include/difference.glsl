//! use winner
// The squared distance of two rows is summed from their differences, because |x|^2 - 2 x m + |m|^2
// loses its digits where x is close to m. Column groups are added up first, then their four
// columns.

// The squared differences of a column group of rows of X and M. Only an UNPACKED operand has other
// numbers than zeros after its last column.
vec4 squared_difference(vec4 x, vec4 m, int group)
{
    vec4 difference = x - m;
#if X_LAYOUT == GLNN_LAYOUT_UNPACKED || M_LAYOUT == GLNN_LAYOUT_UNPACKED
    difference *= is_column(group, X_size.y);
#endif
    return difference * difference;
}

float sum_of(vec4 columns)
{
    return (columns.x + columns.y) + (columns.z + columns.w);
}
