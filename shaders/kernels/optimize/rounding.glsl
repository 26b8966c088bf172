//! use round
// Rounds a gradient to 16 bits for other processes, as the epilogue of the pass that computes it.
// RESIDUAL is what the steps before left out. It is added, and what this step leaves out is the new
// one. `scale` and `unit` are a power of two and its inverse.

// Limits the magnitudes of finite numbers.
vec4 limited(vec4 x)
{
    vec4 bounded = mix(x, limit * sign(x), greaterThan(abs(x), vec4(limit)));
    return mix(bounded, x, equal(abs(x), vec4(INFINITY)));
}

TEXEL epilogue(ivec2 at, int t, TEXEL gradient)
{
    vec4 sum = vec4(gradient) + imageLoad(RESIDUAL_texture, BLOCK_PLACE(at, t));
    vec4 sent = to_half(scale * limited(sum));
    imageStore(RESIDUAL_texture, BLOCK_PLACE(at, t), sum - unit * sent);
    return TO_TEXEL(sent);
}
