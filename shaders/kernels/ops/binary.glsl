// alpha * (X op Y), element by element, by the numbers of glnn_binary and one more; broadcasting is in the views.
#define OPERATION_ADD 0
#define OPERATION_SUBTRACT 1
#define OPERATION_MULTIPLY 2
#define OPERATION_DIVIDE 3
#define OPERATION_MAXIMUM 4
#define OPERATION_MINIMUM 5
#define OPERATION_DIVIDE_BY_ROOT 6

layout(location = SCALAR_0) uniform float alpha;

TEXEL operation(TEXEL x, TEXEL y)
{
#if OPERATION == OPERATION_ADD
    return x + y;
#elif OPERATION == OPERATION_SUBTRACT
    return x - y;
#elif OPERATION == OPERATION_MULTIPLY
    return x * y;
#elif OPERATION == OPERATION_DIVIDE
    return x / y;
#elif OPERATION == OPERATION_MAXIMUM
    return max(x, y);
#elif OPERATION == OPERATION_DIVIDE_BY_ROOT
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
