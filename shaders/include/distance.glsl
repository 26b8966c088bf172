// The squared distance of a row of X from a row of CENTRE, summed from differences: inner products
// would cancel where the two are close.
float squared_distance(int row, int centre)
{
    vec4 squares = vec4(0.0);
    int whole = X_size.y >> 2;
    for (int q = 0; q < whole; ++q) {
        vec4 difference = X_quad(row, q) - CENTRE_quad(centre, q);
        squares += difference * difference;
    }
    float rest = 0.0;
    for (int j = whole << 2; j < X_size.y; ++j) {
        float difference = X_element(row, j) - CENTRE_element(centre, j);
        rest += difference * difference;
    }
    return ((squares.x + squares.y) + (squares.z + squares.w)) + rest;
}
