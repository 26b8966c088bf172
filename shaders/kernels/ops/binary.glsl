// out = alpha (X op Y), element by element. Operands that are repeated along rows or columns need
// no code here: their views repeat them.

TEXEL operation(TEXEL x, TEXEL y)
{
#if OPERATION == GLNN_BINARY_ADD
    return x + y;
#elif OPERATION == GLNN_BINARY_SUBTRACT
    return x - y;
#elif OPERATION == GLNN_BINARY_MULTIPLY
    return x * y;
#elif OPERATION == GLNN_BINARY_DIVIDE
    return x / y;
#elif OPERATION == GLNN_BINARY_MAXIMUM
    return max(x, y);
#elif OPERATION == DIVIDE_BY_ROOT
    return x / sqrt(y);
#else
    return min(x, y);
#endif
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = alpha * operation(X_at(at, t), Y_at(at, t));
}
