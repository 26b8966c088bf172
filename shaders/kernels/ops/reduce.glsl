// One step of a reduction: each element of the output folds several elements of X along an axis
// into one. Steps repeat until one element is left. A mean is a sum that the last step scales.
//
// Which elements a fold takes is its order. Interleaved folds begin next to each other and take
// every n-th element; a contiguous fold takes neighbouring elements. Devices differ in which is
// faster. With ACROSS, the fold of row i of X becomes column i of the output.
//
// For argmax and argmin, INDEX has the places that the step before chose, and X the values there.
//
// The uniforms count units: column groups along a row, elements along a column, places of INDEX. In
// a TILED X a unit is four of these, so that neighbouring fragments read from the same layer.
// Uniforms:
//   spread: from the begin of one fold to the begin of the next
//   stride: from one unit of a fold to its next
//   reach: from the begin of a fold to its end
//   extent: elements of X, or of INDEX, along the axis
//   scale: factor of the result
#define IS_INDEX (REDUCTION == GLNN_REDUCTION_ARGMAX || REDUCTION == GLNN_REDUCTION_ARGMIN)
#define IS_MAXIMUM                                                                                 \
    (REDUCTION == GLNN_REDUCTION_MAX || REDUCTION == GLNN_REDUCTION_ARGMAX ||                      \
     REDUCTION == GLNN_REDUCTION_LOGSUMEXP)
#define IS_SUM (REDUCTION == GLNN_REDUCTION_SUM || REDUCTION == GLNN_REDUCTION_SUM_OF_SQUARES)

#if IS_SUM
#define START 0.0
#else
#define START (IS_MAXIMUM ? -INFINITY : INFINITY)
#endif

// A turn of a loop folds TURNS column groups or elements, which are NEXT apart. The next turn
// begins TURNS * stride later.
#define TURNS 4
#if X_LAYOUT == GLNN_LAYOUT_TILED
#define UNIT TURNS
#define NEXT 1
#else
#define UNIT 1
#define NEXT stride
#endif
#define TURN_IS_INSIDE(i, end) ((i) + (TURNS - 1) * NEXT < (end))

// Where fold number `line` begins and ends, of `all` column groups or elements along the axis.
int first_of(int line)
{
    return UNIT * line * spread;
}

int end_of(int line, int all)
{
    return min(UNIT * (line * spread + reach), all);
}

#if AXIS == GLNN_AXIS_COLUMNS
// Element k of a column of texels, in a turn that begins with row i. In tiles i is a multiple of 4,
// so that k is a layer and needs no arithmetic.
TEXEL in_turn(int i, int k, int texel)
{
#if X_LAYOUT == GLNN_LAYOUT_TILED && TEXEL_COLUMNS == 4
    return X_tile(ivec2(texel >> 1, i >> 2), k, texel & 1);
#else
    return X_texel(i + k * NEXT, texel);
#endif
}
#else
// The column group that the end of a row cuts. Values that change no fold replace the rest.
vec4 last_group(int row)
{
    int q = extent >> 2;
    return mix(vec4(START), X_edge_group(row, q),
               lessThan(4 * q + ivec4(0, 1, 2, 3), ivec4(extent)));
}
#endif

#if IS_INDEX

// The value at a place that the step before chose. `line` is the row or column that is folded.
float value_at(int line, float index)
{
    int place = int(index);
#if FLAT
    int row = place / X_size.y;
    return X_edge_element(row, place - row * X_size.y);
#elif AXIS == GLNN_AXIS_ROWS
    return X_edge_element(line, place);
#else
    return X_edge_element(place, line);
#endif
}

// Compares a value with the best so far. Of equal values the one at the lowest place stays, and NaN
// never wins. If no value is better than the start, the first place stays.
void add(inout float best, inout float index, float value, float place)
{
    bool wins = IS_MAXIMUM ? value > best : value < best;
    index = value == best ? min(index, place) : index;
    index = wins ? place : index;
    best = wins ? value : best;
}

void add(inout vec4 best, inout vec4 index, vec4 value, vec4 place)
{
    bvec4 wins = IS_MAXIMUM ? greaterThan(value, best) : lessThan(value, best);
#if HAS_INDEX // otherwise places ascend, so the first of equal values has the lowest
    index = mix(index, min(index, place), equal(value, best));
#endif
    index = mix(index, place, wins);
    best = mix(best, value, wins);
}

#if HAS_INDEX && AXIS == GLNN_AXIS_ROWS
float fold(int row, int column)
{
    int begin = column * spread;
    int end = min(begin + reach, extent);
    float best = START;
    float index = INDEX_element(row, begin);
    for (int i = begin; i < end; i += stride) {
        float place = INDEX_element(row, i);
        add(best, index, value_at(row, place), place);
    }
    return index;
}
#elif HAS_INDEX
TEXEL fold(int row, int column)
{
    int texel = column / TEXEL_COLUMNS;
    TEXEL best = TEXEL(START);
    int begin = row * spread;
    int end = min(begin + reach, extent);
    TEXEL index = INDEX_texel(begin, texel);
    for (int i = begin; i < end; i += stride) {
        TEXEL place = INDEX_texel(i, texel);
        TEXEL value;
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            COMPONENT(value, c) = value_at(column + c, COMPONENT(place, c));
        add(best, index, value, place);
    }
    return index;
}
#elif AXIS == GLNN_AXIS_ROWS
// Each of the four columns of a group has a best of its own, with its column group. The end takes
// the best of the four.
float fold(int row, int column)
{
    int q = first_of(column);
    int end = end_of(column, (extent + 3) >> 2);
    int whole = min(end, extent >> 2);
    vec4 best = vec4(START);
    vec4 group = vec4(q);
    for (; TURN_IS_INSIDE(q, whole); q += TURNS * stride)
        for (int k = 0; k < TURNS; ++k)
            add(best, group, X_group(row, q + k * NEXT), vec4(q + k * NEXT));
    for (; q < whole; q += NEXT)
        add(best, group, X_group(row, q), vec4(q));
    if (q < end)
        add(best, group, last_group(row), vec4(q));
    vec4 index = 4.0 * group + vec4(0.0, 1.0, 2.0, 3.0);
    for (int c = 1; c < 4; ++c)
        add(best[0], index[0], best[c], index[c]);
#if FLAT
    return index[0] + float(row * X_size.y);
#else
    return index[0];
#endif
}
#else
// Each component of a texel folds a column of its own.
TEXEL fold(int row, int column)
{
    int texel = column / TEXEL_COLUMNS;
    TEXEL best = TEXEL(START);
    int i = first_of(row);
    int end = end_of(row, extent);
    TEXEL index = TEXEL(i);
    for (; TURN_IS_INSIDE(i, end); i += TURNS * stride)
        for (int k = 0; k < TURNS; ++k)
            add(best, index, in_turn(i, k, texel), TEXEL(i + k * NEXT));
    for (; i < end; i += NEXT)
        add(best, index, X_texel(i, texel), TEXEL(i));
    return index;
}
#endif

#else

#if REDUCTION == GLNN_REDUCTION_LOGSUMEXP
// A fold is the greatest element so far and the sum of exp(x - greatest): a vec2, or a mat2x4 of
// four folds side by side. Joining two folds scales the sum of the lesser one to the greatest
// element of both.
vec2 join(vec2 a, vec2 b)
{
    float rise = a.x == b.x ? 0.0 : b.x - a.x; // also for equal infinities
    float scale = exp(-abs(rise));
    return rise > 0.0 ? vec2(b.x, a.y * scale + b.y) : vec2(a.x, a.y + b.y * scale);
}

mat2x4 join(mat2x4 a, mat2x4 b)
{
    vec4 rise = mix(b[0] - a[0], vec4(0.0), equal(a[0], b[0]));
    vec4 scale = exp(-abs(rise));
    bvec4 rises = greaterThan(rise, vec4(0.0));
    return mat2x4(mix(a[0], b[0], rises), mix(a[1] + b[1] * scale, a[1] * scale + b[1], rises));
}

vec2 fold_of(float x, float count)
{
    return vec2(x, count);
}

mat2x4 fold_of(vec4 x, float count)
{
    return mat2x4(x, vec4(count));
}

#define LANE_FOLD vec2
#define GROUP_FOLD mat2x4
#if TEXEL_COLUMNS == 1
#define TEXEL_FOLD vec2
#else
#define TEXEL_FOLD mat2x4
#endif
#define START_FOLD(type) fold_of(type(START), 0.0)
#define ADD(fold, x) join(fold, fold_of(x, 1.0))
#define JOIN(a, b) join(a, b)
#define LANE(fold, c) vec2(fold[0][c], fold[1][c])
#define RESULT(fold) (fold[0] + log(fold[1]))
#else
// The greater or the lesser of two values. A NaN in b never wins.
float better(float a, float b)
{
    return (IS_MAXIMUM ? b > a : b < a) ? b : a;
}

vec4 better(vec4 a, vec4 b)
{
    return mix(a, b, IS_MAXIMUM ? greaterThan(b, a) : lessThan(b, a));
}

#define LANE_FOLD float
#define GROUP_FOLD vec4
#define TEXEL_FOLD TEXEL
#define START_FOLD(type) type(START)
#if REDUCTION == GLNN_REDUCTION_SUM
#define ADD(fold, x) (fold + x)
#define JOIN(a, b) (a + b)
#elif REDUCTION == GLNN_REDUCTION_SUM_OF_SQUARES
#define ADD(fold, x) (fold + x * x)
#define JOIN(a, b) (a + b)
#else
#define ADD(fold, x) better(fold, x)
#define JOIN(a, b) better(a, b)
#endif
#define LANE(fold, c) fold[c]
#define RESULT(fold) (scale * fold)
#endif

// ADD adds an element to a fold, JOIN joins two folds. TURNS folds take the elements in turn and
// are joined at the end, so that no addition waits for the one before and rounding errors stay
// small.
#if AXIS == GLNN_AXIS_ROWS
// Each of these folds is four at once, one per column of a group.
float fold(int row, int column)
{
    GROUP_FOLD folds[TURNS];
    for (int k = 0; k < TURNS; ++k)
        folds[k] = START_FOLD(vec4);
    int q = first_of(column);
    int end = end_of(column, (extent + 3) >> 2);
    int whole = min(end, extent >> 2);
    for (; TURN_IS_INSIDE(q, whole); q += TURNS * stride)
        for (int k = 0; k < TURNS; ++k) {
            vec4 x = X_group(row, q + k * NEXT);
            folds[k] = ADD(folds[k], x);
        }
    for (; q < whole; q += NEXT) {
        vec4 x = X_group(row, q);
        folds[0] = ADD(folds[0], x);
    }
    if (q < end) {
        vec4 x = last_group(row);
        folds[1] = ADD(folds[1], x);
    }
    GROUP_FOLD low = JOIN(folds[0], folds[1]);
    GROUP_FOLD high = JOIN(folds[2], folds[3]);
    GROUP_FOLD all = JOIN(low, high);
    LANE_FOLD left = JOIN(LANE(all, 0), LANE(all, 1));
    LANE_FOLD right = JOIN(LANE(all, 2), LANE(all, 3));
    left = JOIN(left, right);
    return RESULT(left);
}
#else
TEXEL fold(int row, int column)
{
    int texel = column / TEXEL_COLUMNS;
    TEXEL_FOLD folds[TURNS];
    for (int k = 0; k < TURNS; ++k)
        folds[k] = START_FOLD(TEXEL);
    int i = first_of(row);
    int end = end_of(row, extent);
    for (; TURN_IS_INSIDE(i, end); i += TURNS * stride)
        for (int k = 0; k < TURNS; ++k) {
            TEXEL x = in_turn(i, k, texel);
            folds[k] = ADD(folds[k], x);
        }
    for (; i < end; i += NEXT) {
        TEXEL x = X_texel(i, texel);
        folds[0] = ADD(folds[0], x);
    }
    TEXEL_FOLD low = JOIN(folds[0], folds[1]);
    TEXEL_FOLD high = JOIN(folds[2], folds[3]);
    low = JOIN(low, high);
    return RESULT(low);
}
#endif

#endif

// The last step writes a single line (LINE), which has only these texels.
#if LINE && AXIS == GLNN_AXIS_ROWS && !ACROSS
#define IS_WANTED(t) (t % TEXELS_ACROSS == 0)
#define WANTED_COLUMNS 1
#elif LINE
#define IS_WANTED(t) (t < TEXELS_ACROSS)
#define WANTED_COLUMNS TEXEL_COLUMNS
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
#if AXIS == GLNN_AXIS_ROWS
        for (int c = 0; c < WANTED_COLUMNS; ++c)
            if (row < output_size.x && column + c < output_size.y)
                COMPONENT(tile[t], c) =
                    ACROSS != 0 ? fold(column + c, row) : fold(row, column + c);
#else
        if (row < output_size.x && column < output_size.y)
            tile[t] = fold(row, column);
#endif
    }
}
