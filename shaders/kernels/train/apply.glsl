// factor * GRADIENT, scaled down if the norm of all gradients of the step is more than clip_norm. SQUARES
// is the square of that norm.
void block(ivec2 at)
{
    float norm = sqrt(SQUARES_element(0, 0));
    float scale = norm > clip_norm ? factor * (clip_norm / norm) : factor;
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = scale * GRADIENT_at(at, t);
}
