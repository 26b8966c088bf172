// One step of a reduction: each element of the output folds `factor` elements of X along an axis,
// in ascending order. The numbers are those of glnn_reduction and glnn_axis; the mean is a sum with
// a scale.
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

layout(location = SCALAR_0) uniform float scale;
layout(location = INTEGER_0) uniform int factor; // a multiple of 4
layout(location = INTEGER_1) uniform int extent; // elements along the axis that are folded

#if IS_INDEX || IS_MAXIMUM || REDUCTION == REDUCTION_MIN
#define START (IS_MAXIMUM ? -INFINITY : INFINITY)
#else
#define START 0.0
#endif

// The fold so far, and for an index the place of its value.
struct Fold {
    float value;
    float index;
};

void add(inout Fold fold, float value, float index)
{
#if REDUCTION == REDUCTION_SUM
    fold.value += value;
#elif REDUCTION == REDUCTION_SUM_OF_SQUARES
    fold.value += value * value;
#else
    // A strict comparison: of equal values the first stays, and NaN never wins.
    bool wins = IS_MAXIMUM ? value > fold.value : value < fold.value;
    fold.index = wins ? index : fold.index;
    fold.value = wins ? value : fold.value;
#endif
}

// Element (row, column) of what is folded: of X, or at the place that a former step chose. FLAT
// indices count over all elements of X, others along the axis.
void add_element(inout Fold fold, int row, int column)
{
#if IS_INDEX && HAS_INDEX
    float index = INDEX_element(row, column);
#if FLAT
    int place = int(index);
    add(fold, X_element(place / X_size.y, place - place / X_size.y * X_size.y), index);
#elif AXIS == AXIS_ROWS
    add(fold, X_element(row, int(index)), index);
#else
    add(fold, X_element(int(index), column), index);
#endif
#elif FLAT
    add(fold, X_element(row, column), float(row * X_size.y + column));
#else
    add(fold, X_element(row, column), float(AXIS == AXIS_ROWS ? column : row));
#endif
}

Fold fold_range(int row, int column)
{
    int begin = (AXIS == AXIS_ROWS ? column : row) * factor;
    int end = min(begin + factor, extent);
    Fold fold = Fold(START, 0.0);
#if IS_INDEX
    // Where nothing wins against the start, the first place is the answer.
    if (begin < extent) {
        Fold first = Fold(START, -1.0);
#if HAS_INDEX
        first.index = AXIS == AXIS_ROWS ? INDEX_element(row, begin) : INDEX_element(begin, column);
#elif FLAT
        first.index = float(AXIS == AXIS_ROWS ? row * X_size.y + begin : begin * X_size.y + column);
#else
        first.index = float(begin);
#endif
        fold = first;
    }
#endif
    for (int i = begin; i < end; ++i)
        add_element(fold, AXIS == AXIS_ROWS ? row : i, AXIS == AXIS_ROWS ? i : column);
    return fold;
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        for (int c = 0; c < TEXEL_COLUMNS; ++c) {
            int row = block_row(at, t);
            int column = block_column(at, t) + c;
            Fold fold = Fold(0.0, 0.0);
            if (row < output_size.x && column < output_size.y)
                fold = fold_range(row, column);
            COMPONENT(tile[t], c) = IS_INDEX ? fold.index : scale * fold.value;
        }
}
