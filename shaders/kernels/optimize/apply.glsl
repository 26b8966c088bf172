// out = factor * GRADIENT. With SQUARES, the squared norm of all gradients of the step, the
// gradient is also multiplied by clip_norm / norm if the norm exceeds clip_norm.
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
