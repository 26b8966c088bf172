// X divided by the square root of SQUARES, the sum of the squares of its elements.
void block(ivec2 at)
{
    float norm = sqrt(SQUARES_element(0, 0));
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = X_at(at, t) / norm;
}
