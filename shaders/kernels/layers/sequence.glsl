//! use maps
// A sequence in rows of HOP numbers, so that windows of it, which begin HOP numbers apart, are
// windows of an image of BLOCKS pixels with HOP channels.
// Without BACKWARD, X has a sequence of LENGTH numbers in each row. Number i of sample n goes to
// row n * BLOCKS + i / HOP, column i % HOP of the output. Numbers after the last one are zero.
// With BACKWARD, X has such rows, and the output has the sequences. Numbers after the last row are
// zero. With Y = f(x) the result is also multiplied by f'(x), f given by ACTIVATION.

#if BACKWARD
// The sequence of a row, and the place of a column in it.
ivec2 place_of(int row, int column)
{
    uint line = uint(column) / uint(HOP);
    return ivec2(row * BLOCKS + int(line), column - int(line) * HOP);
}

bool is_there(int row, int column)
{
    return uint(column) / uint(HOP) < uint(BLOCKS);
}
#else
ivec2 place_of(int row, int column)
{
    uint image = uint(row) / uint(BLOCKS);
    return ivec2(image, (row - int(image) * BLOCKS) * HOP + column);
}

bool is_there(int row, int column)
{
    return column < HOP && place_of(row, column).y < LENGTH;
}
#endif

TEXEL numbers_at(int row, int column)
{
    TEXEL numbers = TEXEL(0.0);
#if HOP % 4 == 0 && LENGTH % 4 == 0 && TEXEL_COLUMNS == 4
    ivec2 place = place_of(row, column);
    if (is_there(row, column))
        numbers = X_edge_group(place.x, place.y >> 2);
#else
    for (int c = 0; c < TEXEL_COLUMNS; ++c) {
        ivec2 place = place_of(row, column + c);
        if (is_there(row, column + c))
            COMPONENT(numbers, c) = X_edge_element(place.x, place.y);
    }
#endif
    return numbers;
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        tile[t] = numbers_at(block_row(at, t), block_column(at, t));
#if HAS_Y
        tile[t] *= map_derivative(ACTIVATION, Y_at(at, t));
#endif
    }
}
