#include "pixels.h"

array pixels_of(array flat, glnn_shape shape)
{
    const int plane = shape.height * shape.width;
    array out = array_new(flat.rows * plane, shape.channels);
    for (int n = 0; n < flat.rows; ++n)
        for (int c = 0; c < shape.channels; ++c)
            for (int p = 0; p < plane; ++p)
                *at(out, n * plane + p, c) = *at(flat, n, c * plane + p);
    return out;
}

array flat_of(array pixels, glnn_shape shape)
{
    const int plane = shape.height * shape.width;
    array out = array_new(pixels.rows / plane, shape.channels * plane);
    for (int n = 0; n < out.rows; ++n)
        for (int c = 0; c < shape.channels; ++c)
            for (int p = 0; p < plane; ++p)
                *at(out, n, c * plane + p) = *at(pixels, n * plane + p, c);
    return out;
}
