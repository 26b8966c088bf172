// Adam's step: -rate * mean / (sqrt(square) + epsilon), with both moments freed from the bias of
// their start at zero (Kingma, Ba 2015, algorithm 1).
layout(location = SCALAR_0) uniform float rate;
layout(location = SCALAR_1) uniform float epsilon;
layout(location = SCALAR_2) uniform float mean_correction;   // 1 / (1 - beta1^t)
layout(location = SCALAR_3) uniform float square_correction; // 1 / (1 - beta2^t)

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = -rate * mean_correction * MEAN_at(at, t) /
                  (sqrt(square_correction * SQUARE_at(at, t)) + epsilon);
}
