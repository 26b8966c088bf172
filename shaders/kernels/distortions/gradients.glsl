// Sums of gradients by direction, one image in each row. Two column groups, a pair, have the sums
// of a place in 8 directions: the first group those at 0, 45, 90 and 135 degrees, the second group
// the opposite ones.
//   AXIS_X: X has images. Pair g is point g % 8 along line g / 8 - 1 of the image. The first and
//           the last line lie outside of it.
//   AXIS_Y: X has the output of AXIS_X. Pair g is point (g % 8, g / 8), and the output has the
//           square roots of the sums.
// Uniforms:
//   height, width: of an image
//   radius: pixels on either side of a point

// A Gaussian of 8 sqrt(2) / pi pixels of an image of 64, at pixel `place` of `size`.
float weight(int place, int point, int size)
{
    float away = float(8 * (2 * place + 1) - (2 * point + 1) * size) / float(2 * size);
    return exp(-2.46740110 * away * away);
}

// The pixels around a point, and one pixel outside of the image, where gradients are not 0.
ivec2 reach(int point, int size)
{
    int centre = (2 * point + 1) * size / 16;
    return ivec2(max(centre - radius, -1), min(centre + radius, size));
}

#if AXIS == AXIS_X
float pixel(int row, int x, int y)
{
    bool is_inside = x >= 0 && x < width && y >= 0 && y < height;
    return is_inside ? X_edge_element(row, y * width + x) : 0.0;
}

// The differences and sums along y, of which the Sobel operator makes those along x.
vec2 along_y(int row, int x, int y)
{
    float above = pixel(row, x, y - 1);
    float below = pixel(row, x, y + 1);
    return vec2(below - above, above + 2.0 * pixel(row, x, y) + below);
}

// The parts of a gradient in its two nearest directions, by the rule of the parallelogram.
vec4 parts(vec2 g)
{
    const float root = 1.41421356;
    return max(vec4(g.x - abs(g.y), root * min(g.x, g.y), g.y - abs(g.x), root * min(-g.x, g.y)),
               0.0);
}

vec4 sums(int row, int group)
{
    int point = group >> 1 & 7;
    int y = (group >> 4) - 1;
    ivec2 part = reach(point, width);
    vec4 sum = vec4(0.0);
    vec2 left = along_y(row, part.x - 1, y);
    vec2 middle = along_y(row, part.x, y);
    for (int x = part.x; x <= part.y; ++x) {
        vec2 right = along_y(row, x + 1, y);
        vec2 g = vec2(right.y - left.y, left.x + 2.0 * middle.x + right.x);
        sum += weight(x, point, width) * parts((group & 1) == 0 ? g : -g);
        left = middle;
        middle = right;
    }
    return sum;
}
#else
vec4 sums(int row, int group)
{
    int point = group >> 4;
    ivec2 part = reach(point, height);
    vec4 sum = vec4(0.0);
    for (int y = part.x; y <= part.y; ++y)
        sum += weight(y, point, height) * X_edge_group(row, 16 * (y + 1) + (group & 15));
    return sqrt(sum);
}
#endif

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int column = block_column(at, t);
        vec4 group = sums(block_row(at, t), column >> 2);
#if TEXEL_COLUMNS == 4
        tile[t] = group;
#else
        tile[t] = group[column & 3];
#endif
    }
}
