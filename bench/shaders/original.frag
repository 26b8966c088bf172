// One operation of the original scheme, the one that is defined.
// The parameter is a factor, or the number of terms that the fragments of a row add up.
layout(location = 4) uniform float parameter;

void main()
{
#if defined(PRODUCTS)
    // The part of the inner product of row and vector that these columns make.
    result = 0.0;
    for (int i = COLUMNS * at.x; i < min(COLUMNS * (at.x + 1), int(parameter)); ++i)
        result += VALUE(0, i, at.y) * VALUE(1, 0, i);
#elif defined(SUMS)
    result = 0.0;
    for (int i = SUMMANDS * at.x; i < min(SUMMANDS * (at.x + 1), int(parameter)); ++i)
        result += VALUE(0, i, at.y);
#elif defined(SIGMOID)
    result = 1.0 / (1.0 + exp(-VALUE(0, 0, at.y)));
#elif defined(OUTPUT_DELTA)
    float y = VALUE(0, 0, at.y);
    result = (y - VALUE(1, 0, at.y)) * y * (1.0 - y);
#elif defined(HIDDEN_DELTA)
    float y = VALUE(1, 0, at.y);
    result = VALUE(0, 0, at.y) * y * (1.0 - y);
#elif defined(OUTER)
    // The parameter is 0 for the first pattern of a gradient, and 1 for the others.
    result = parameter * VALUE(0, at.x, at.y) + VALUE(1, 0, at.y) * VALUE(2, 0, at.x);
#elif defined(TRANSPOSE)
    result = VALUE(0, at.y, at.x);
#elif defined(UPDATE)
    result = VALUE(0, at.x, at.y) + parameter * VALUE(1, at.x, at.y);
#endif
}
