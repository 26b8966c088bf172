//! use maps
//! use random
// X where a number drawn for the element is at least `rate`, times `scale`, else 0; times f'(x)
// where there is Y = f(x), f by ACTIVATION. The counter is the place in the batch, of which row 0
// is `first`, the layer and the step.

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int column = block_column(at, t);
        vec4 drawn = uniform_numbers(
            uvec4(first + block_row(at, t), column >> 2, layer, training_step),
            uvec2(key_low, key_high));
#if TEXEL_COLUMNS == 1
        tile[t] = scale * step(rate, drawn[column & 3]) * X_at(at, t);
#else
        tile[t] = scale * step(rate, drawn) * X_at(at, t);
#endif
#if HAS_Y
        tile[t] *= map_derivative(ACTIVATION, Y_at(at, t));
#endif
    }
}
