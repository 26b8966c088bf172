// factor * GRADIENT; where there are SQUARES, the square of the norm of all gradients of the step,
// scaled down if that norm is more than clip_norm.
void block(ivec2 at)
{
    float scale = factor;
#if HAS_SQUARES
    float norm = sqrt(SQUARES_element(0, 0));
    if (norm > clip_norm)
        scale *= clip_norm / norm;
#endif
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = scale * GRADIENT_at(at, t);
}
