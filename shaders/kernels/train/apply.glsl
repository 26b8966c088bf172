// share * GRADIENT, scaled down where the root of SQUARES, the sum of squares of all gradients of the step,
// is more than clip_norm.
void block(ivec2 at)
{
    float norm = sqrt(SQUARES_element(0, 0));
    float scale = norm > clip_norm ? share * (clip_norm / norm) : share;
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = scale * GRADIENT_at(at, t);
}
