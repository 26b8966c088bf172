// One step of a reduction: each element of the output folds `factor` elements of X along an axis,
// in an order that depends on the layout alone. The numbers are those of glnn_reduction and
// glnn_axis; the mean is a sum with a scale.
#define REDUCTION_SUM 0
#define REDUCTION_SUM_OF_SQUARES 2
#define REDUCTION_MAX 3
#define REDUCTION_MIN 4
#define REDUCTION_ARGMAX 5
#define REDUCTION_ARGMIN 6

#define AXIS_ROWS 1
#define AXIS_COLUMNS 2

#define IS_INDEX (REDUCTION == REDUCTION_ARGMAX || REDUCTION == REDUCTION_ARGMIN)
#define IS_MAXIMUM (REDUCTION == REDUCTION_MAX || REDUCTION == REDUCTION_ARGMAX)
#define IS_SUM (REDUCTION == REDUCTION_SUM || REDUCTION == REDUCTION_SUM_OF_SQUARES)

layout(location = SCALAR_0) uniform float scale;
layout(location = INTEGER_0) uniform int factor; // a multiple of 4
layout(location = INTEGER_1) uniform int extent; // elements along the axis that are folded

#if IS_SUM
#define START 0.0
#else
#define START (IS_MAXIMUM ? -INFINITY : INFINITY)
#endif

#if IS_INDEX

// The best value so far, and its place.
struct Best {
    float value;
    float index;
};

// A strict comparison: of equal values the first stays, and NaN never wins.
void add(inout Best best, float value, float index)
{
    bool wins = IS_MAXIMUM ? value > best.value : value < best.value;
    best.index = wins ? index : best.index;
    best.value = wins ? value : best.value;
}

// The index of element (row, column): over all elements of X, or along the axis.
float index_of(int row, int column)
{
#if FLAT
    return float(row * X_size.y + column);
#else
    return float(AXIS == AXIS_ROWS ? column : row);
#endif
}

#if HAS_INDEX
// The value at a place that a step before chose.
float value_at(int row, int column, float index)
{
    int place = int(index);
#if FLAT
    int x_row = place / X_size.y;
    return X_element(x_row, place - x_row * X_size.y);
#elif AXIS == AXIS_ROWS
    return X_element(row, place);
#else
    return X_element(place, column);
#endif
}
#endif

// Folds one more element, or with AXIS_ROWS the four that start at `i`.
void add_at(inout Best best, int row, int column, int i, bool is_quad)
{
#if HAS_INDEX
    float index =
        AXIS == AXIS_ROWS ? INDEX_element(row, i) : INDEX_element(i, column);
    add(best, value_at(row, column, index), index);
#elif AXIS == AXIS_ROWS
    if (is_quad) {
        vec4 values = X_quad(row, i >> 2);
        for (int c = 0; c < 4; ++c)
            add(best, values[c], index_of(row, i + c));
    } else {
        add(best, X_element(row, i), index_of(row, i));
    }
#else
    add(best, X_element(i, column), index_of(i, column));
#endif
}

float fold(int row, int column)
{
    const int stride = AXIS == AXIS_ROWS && !bool(HAS_INDEX) ? 4 : 1;
    int i = (AXIS == AXIS_ROWS ? column : row) * factor;
    int end = min(i + factor, extent);
    // Where nothing wins against the start, the first place is the answer.
#if HAS_INDEX
    Best best = Best(START, AXIS == AXIS_ROWS ? INDEX_element(row, i) : INDEX_element(i, column));
#else
    Best best = Best(START, AXIS == AXIS_ROWS ? index_of(row, i) : index_of(i, column));
#endif
    for (; i + stride <= end; i += stride)
        add_at(best, row, column, i, stride == 4);
    for (; i < end; ++i)
        add_at(best, row, column, i, false);
    return best.index;
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        for (int c = 0; c < TEXEL_COLUMNS; ++c) {
            int row = block_row(at, t);
            int column = block_column(at, t) + c;
            COMPONENT(tile[t], c) =
                row < output_size.x && column < output_size.y ? fold(row, column) : 0.0;
        }
}

#else

// Of two values the one that the reduction keeps; NaN is never kept.
float keep(float a, float b)
{
    return (IS_MAXIMUM ? b > a : b < a) ? b : a;
}

vec4 keep(vec4 a, vec4 b)
{
    return mix(a, b, IS_MAXIMUM ? greaterThan(b, a) : lessThan(b, a));
}

// A fold so far with one more element, and two folds as one.
#if REDUCTION == REDUCTION_SUM
#define ADD(fold, x) (fold + x)
#define JOIN(a, b) (a + b)
#elif REDUCTION == REDUCTION_SUM_OF_SQUARES
#define ADD(fold, x) (fold + x * x)
#define JOIN(a, b) (a + b)
#else
#define ADD(fold, x) keep(fold, x)
#define JOIN(a, b) keep(a, b)
#endif

#if AXIS == AXIS_ROWS
// Four folds side by side, one a column of the quads, and in the end one.
float fold(int row, int column)
{
    int begin = column * factor;
    int end = min(begin + factor, extent);
    vec4 folds = vec4(START);
    for (int q = begin >> 2; q < end >> 2; ++q) {
        vec4 x = X_quad(row, q);
        folds = ADD(folds, x);
    }
    float rest = START;
    for (int j = end & ~3; j < end; ++j) {
        float x = X_element(row, j);
        rest = ADD(rest, x);
    }
    float left = JOIN(folds.x, folds.y);
    float right = JOIN(folds.z, folds.w);
    float quads = JOIN(left, right);
    return JOIN(quads, rest);
}
#endif

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int row = block_row(at, t);
        int column = block_column(at, t);
        tile[t] = TEXEL(0.0);
#if AXIS == AXIS_ROWS
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            if (row < output_size.x && column + c < output_size.y)
                COMPONENT(tile[t], c) = scale * fold(row, column + c);
#else
        if (row < output_size.x) {
            TEXEL folds = TEXEL(START);
            int end = min((row + 1) * factor, extent);
            for (int i = row * factor; i < end; ++i) {
                TEXEL x = X_texel(i, column / TEXEL_COLUMNS);
                folds = ADD(folds, x);
            }
            tile[t] = scale * folds;
        }
#endif
    }
}

#endif
