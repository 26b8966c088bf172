// One step of a reduction: each element of the output folds `factor` elements of X along an axis,
// in an order that depends on shape and layout alone. The numbers are those of glnn_reduction and
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

// Elements of a column, or quads of a row, that a turn of a loop folds.
#define TURNS 4

#if AXIS == AXIS_COLUMNS
// Row i + k of a column of texels in a turn that begins with row i, a multiple of 4: k is a row of a
// tile then, and names its layer without arithmetic.
TEXEL in_turn(int i, int k, int texel)
{
#if TEXEL_COLUMNS == 4
    return X_tile(ivec2(texel >> 1, i >> 2), k, texel & 1);
#else
    return X_texel(i + k, texel);
#endif
}
#endif

#if AXIS == AXIS_ROWS
// The quad that `end` cuts: what it does not fold is what changes no fold.
vec4 last_quad(int row, int end)
{
    int q = end >> 2;
    return mix(vec4(START), X_edge_quad(row, q),
               lessThan(4 * q + ivec4(0, 1, 2, 3), ivec4(end)));
}
#endif

#if IS_INDEX

// Folds values with their places into the best so far. The comparison is strict: of equal values
// the first stays, and NaN never wins.
void add(inout float best, inout float index, float value, float place)
{
    bool wins = IS_MAXIMUM ? value > best : value < best;
    index = wins ? place : index;
    best = wins ? value : best;
}

void add(inout vec4 best, inout vec4 index, vec4 value, vec4 place)
{
    bvec4 wins = IS_MAXIMUM ? greaterThan(value, best) : lessThan(value, best);
    index = mix(index, place, wins);
    best = mix(best, value, wins);
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

// The value at a place that a step before chose; `line` is the row or column that is folded.
float value_at(int line, float index)
{
    int place = int(index);
#if FLAT
    int row = place / X_size.y;
    return X_edge_element(row, place - row * X_size.y);
#elif AXIS == AXIS_ROWS
    return X_edge_element(line, place);
#else
    return X_edge_element(place, line);
#endif
}

#if AXIS == AXIS_ROWS
// The index of the best of four, of equals the lowest.
float lowest(vec4 best, vec4 index)
{
    for (int c = 1; c < 4; ++c) {
        bool wins = IS_MAXIMUM ? best[c] > best[0] : best[c] < best[0];
        if (wins || (best[c] == best[0] && index[c] < index[0])) {
            best[0] = best[c];
            index[0] = index[c];
        }
    }
    return index[0];
}

// Where nothing wins against the start, the first place is the answer.
float fold(int row, int column)
{
    int begin = column * factor;
    int end = min(begin + factor, extent);
#if HAS_INDEX
    float best = START;
    float index = INDEX_element(row, begin);
    for (int i = begin; i < end; ++i) {
        float place = INDEX_element(row, i);
        add(best, index, value_at(row, place), place);
    }
    return index;
#else
    vec4 best = vec4(START);
    vec4 index = vec4(index_of(row, begin));
    vec4 place = index + vec4(0.0, 1.0, 2.0, 3.0);
    for (int q = begin >> 2; q < end >> 2; ++q) {
        add(best, index, X_quad(row, q), place);
        place += 4.0;
    }
    if ((end & 3) != 0)
        add(best, index, last_quad(row, end), place);
    return lowest(best, index);
#endif
}
#else
// Side by side, one lane a column.
TEXEL fold(int row, int column)
{
    int begin = row * factor;
    int end = min(begin + factor, extent);
    int texel = column / TEXEL_COLUMNS;
    TEXEL best = TEXEL(START);
#if HAS_INDEX
    TEXEL index = INDEX_texel(begin, texel);
    for (int i = begin; i < end; ++i) {
        TEXEL place = INDEX_texel(i, texel);
        TEXEL value;
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            COMPONENT(value, c) = value_at(column + c, COMPONENT(place, c));
        add(best, index, value, place);
    }
#else
    TEXEL index = TEXEL(index_of(begin, column));
    int i = begin;
    for (; i + TURNS <= end; i += TURNS)
        for (int k = 0; k < TURNS; ++k)
            add(best, index, in_turn(i, k, texel), TEXEL(index_of(i + k, column)));
    for (; i < end; ++i)
        add(best, index, X_texel(i, texel), TEXEL(index_of(i, column)));
#endif
    return index;
}
#endif

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

// As many folds take turns, so that none waits for the one before and rounding errors stay small; in
// the end they become one.
#if AXIS == AXIS_ROWS
// Each has four more side by side, one a column of the quads.
float fold(int row, int column)
{
    int begin = column * factor;
    int end = min(begin + factor, extent);
    vec4 folds[TURNS];
    for (int k = 0; k < TURNS; ++k)
        folds[k] = vec4(START);
    int q = begin >> 2;
    for (; q + TURNS <= end >> 2; q += TURNS)
        for (int k = 0; k < TURNS; ++k) {
            vec4 x = X_quad(row, q + k);
            folds[k] = ADD(folds[k], x);
        }
    for (; q < end >> 2; ++q) {
        vec4 x = X_quad(row, q);
        folds[0] = ADD(folds[0], x);
    }
    if ((end & 3) != 0) {
        vec4 x = last_quad(row, end);
        folds[1] = ADD(folds[1], x);
    }
    vec4 low = JOIN(folds[0], folds[1]);
    vec4 high = JOIN(folds[2], folds[3]);
    vec4 all = JOIN(low, high);
    float left = JOIN(all.x, all.y);
    float right = JOIN(all.z, all.w);
    return scale * JOIN(left, right);
}
#else
TEXEL fold(int row, int column)
{
    int begin = row * factor;
    int end = min(begin + factor, extent);
    int texel = column / TEXEL_COLUMNS;
    TEXEL folds[TURNS];
    for (int k = 0; k < TURNS; ++k)
        folds[k] = TEXEL(START);
    int i = begin;
    for (; i + TURNS <= end; i += TURNS)
        for (int k = 0; k < TURNS; ++k) {
            TEXEL x = in_turn(i, k, texel);
            folds[k] = ADD(folds[k], x);
        }
    for (; i < end; ++i) {
        TEXEL x = X_texel(i, texel);
        folds[0] = ADD(folds[0], x);
    }
    TEXEL low = JOIN(folds[0], folds[1]);
    TEXEL high = JOIN(folds[2], folds[3]);
    return scale * JOIN(low, high);
}
#endif

#endif

// An output of one line, which is what the last step writes, has no other texels than these.
#if LINE && AXIS == AXIS_ROWS
#define IS_WANTED(t) (t % TEXELS_ACROSS == 0)
#define WANTED_COLUMNS 1
#elif LINE
#define IS_WANTED(t) (t < TEXELS_ACROSS)
#else
#define IS_WANTED(t) true
#define WANTED_COLUMNS TEXEL_COLUMNS
#endif

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int row = block_row(at, t);
        int column = block_column(at, t);
        tile[t] = TEXEL(0.0);
        if (!IS_WANTED(t))
            continue;
#if AXIS == AXIS_ROWS
        for (int c = 0; c < WANTED_COLUMNS; ++c)
            if (row < output_size.x && column + c < output_size.y)
                COMPONENT(tile[t], c) = fold(row, column + c);
#else
        if (row < output_size.x && column < output_size.y)
            tile[t] = fold(row, column);
#endif
    }
}
