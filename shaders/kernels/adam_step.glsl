//! use adam
// Adam's step.
layout(location = SCALAR_0) uniform float rate;
layout(location = SCALAR_1) uniform float epsilon;
layout(location = SCALAR_2) uniform float mean_correction;
layout(location = SCALAR_3) uniform float square_correction;

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = adam_step(MEAN_at(at, t), SQUARE_at(at, t), rate, epsilon, mean_correction,
                            square_correction);
}
