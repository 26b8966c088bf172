// Sums of squares of X in four columns. Row i of the output has those of rows i, i + n, ... of X,
// where n is the number of rows of the output. Column c has those of columns c, c + 4, ... Blending
// adds the sums of several matrices. They are finite only if all elements are.
void block(ivec2 at)
{
    int whole = X_size.y >> 2;
    bvec4 is_inside = lessThan(4 * whole + ivec4(0, 1, 2, 3), ivec4(X_size.y));
    vec4 sum = vec4(0.0);
    for (int row = at.y; row < X_size.x; row += output_size.x) {
        for (int q = 0; q < whole; ++q) {
            vec4 x = X_group(row, q);
            sum += x * x;
        }
        vec4 x = mix(vec4(0.0), X_edge_group(row, whole), is_inside);
        sum += x * x;
    }
    tile[0] = sum;
}
