//! use maps
//! use random
// Dropout: out = scale X for elements that are kept, 0 for the others. An element is kept if the
// random number drawn for it is at least `rate`. With Y = f(x) the result is also multiplied by
// f'(x), f given by ACTIVATION, which is the backward step.
//
// The random number depends on the element's place in the batch, on the layer and on the step. Row
// 0 is the first of the `rows` rows of sample `first` of the batch. The backward step therefore
// draws the same numbers and needs no stored mask.

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int column = block_column(at, t);
        vec4 drawn = uniform_numbers(
            uvec4(first * rows + block_row(at, t), column >> 2, layer, training_step),
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
