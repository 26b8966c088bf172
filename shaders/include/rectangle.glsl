// A rectangle of an operand, transposed or not, which the text of a program reads as a matrix. The
// operand's map has no coefficients but the rectangle: begin, size and whether it is transposed, of
// rows and then of columns (glnn__view_rectangle).

#define OPERAND_rows    (OPERAND_map[0].z == 0 ? OPERAND_map[0].y : OPERAND_map[1].y)
#define OPERAND_columns (OPERAND_map[0].z == 0 ? OPERAND_map[1].y : OPERAND_map[0].y)

// An element of the rectangle; past its edges that at the edge.
float OPERAND_at(int row, int column)
{
    ivec2 at = OPERAND_map[0].z == 0 ? ivec2(row, column) : ivec2(column, row);
    ivec2 place = clamp(at, ivec2(0), ivec2(OPERAND_map[0].y, OPERAND_map[1].y) - 1);
    return OPERAND_element(OPERAND_map[0].x + place.x, OPERAND_map[1].x + place.y);
}
