//! use adam
// What is added to Adam's second moment.
layout(location = SCALAR_0) uniform float beta1;
layout(location = SCALAR_1) uniform float beta2;

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = adam_moment(OLD_MEAN_at(at, t), NEW_MEAN_at(at, t), beta1, beta2);
}
