// What is added to Adam's second moment: (1 - beta2) g^2. The gradient is not stored: it is what
// took the first moment from OLD_MEAN to NEW_MEAN = beta1 OLD_MEAN + (1 - beta1) g.
layout(location = SCALAR_0) uniform float beta1;
layout(location = SCALAR_1) uniform float beta2;

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        TEXEL gradient = (NEW_MEAN_at(at, t) - beta1 * OLD_MEAN_at(at, t)) / (1.0 - beta1);
        tile[t] = (1.0 - beta2) * gradient * gradient;
    }
}
