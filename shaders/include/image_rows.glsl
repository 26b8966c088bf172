// Images as rows of pixels: row (n * height + y) * width + x is pixel (y, x) of image n.

// The image, y and x of a row. Divisions of unsigned integers by constants are multiplications.
ivec3 pixel_of(int row, int height, int width)
{
    uint line = uint(row) / uint(width);
    uint image = line / uint(height);
    return ivec3(image, line - image * uint(height), uint(row) - line * uint(width));
}

bool is_within(int y, int x, int height, int width)
{
    return uint(y) < uint(height) && uint(x) < uint(width);
}
