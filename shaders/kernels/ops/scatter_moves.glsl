// Moves of a scatter-add (scatter_links.glsl) from a column of row numbers, from entry `first` on:
// a row of the output is (number, coefficient, -1, 0). A number that is negative, or not below
// `rows`, names no row.
// Uniforms:
//   coefficient: of all entries
void block(ivec2 at)
{
    float number = INDEX_edge_element(first + at.y, 0);
    bool is_named = number >= 0.0 && number < float(rows);
    tile[0] = vec4(is_named ? floor(number) : -1.0, is_named ? coefficient : 0.0, -1.0, 0.0);
}
