// Blurs images, one in each row, along one AXIS with a Gaussian. The outermost pixels of an image
// continue beyond its edge.
// Uniforms:
//   height, width: of an image
//   radius: pixels on either side
//   falloff: -1 / (2 sigma^2)

float blurred(int row, int column)
{
    int line = column / width;
#if AXIS == AXIS_X
    int place = column - line * width;
    int first = column - place;
    int stride = 1;
    int last = width - 1;
#else
    int place = line % height;
    int first = column - place * width;
    int stride = width;
    int last = height - 1;
#endif
    float sum = 0.0;
    float weights = 0.0;
    for (int i = -radius; i <= radius; ++i) {
        float weight = exp(falloff * float(i * i));
        sum += weight * X_edge_element(row, first + clamp(place + i, 0, last) * stride);
        weights += weight;
    }
    return sum / weights;
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            COMPONENT(tile[t], c) = blurred(block_row(at, t), block_column(at, t) + c);
}
