// Mean and variance of each column, in steps. A step folds parts of a column into larger parts, the
// LAST one into the whole column. Rows 4 k and 4 k + 1 of its output are the mean of part k and the
// sum of the squared distances from it. The FIRST step reads X, whose elements are parts of one
// row. Later steps read the parts of the step before in X.
//
// Sums are of differences from the first mean of a fold, so that no digits are lost if the mean is
// large compared with the deviation.
//
// The LAST step writes the running mean and the running variance, which are those of OLD, moved
// towards the column's. The mean of the column and 1 / sqrt(variance + epsilon) follow.
// Uniforms:
//   part_rows: rows in a part of X
//   rows: rows of a column, of which the last part can have fewer than the others
//   parts: that a step folds into one
//   momentum: by which the running numbers move; 0: they stay
//   epsilon: added to the variance

// Mean and sum of squared distances of part `part`.
void fold(int part, int texel, out TEXEL mean, out TEXEL squares)
{
    int begin = part * parts;
    int end = min(begin + parts, (rows - 1) / part_rows + 1);
    TEXEL origin = X_texel(FIRST != 0 ? begin : 4 * begin, texel);
    TEXEL sum = TEXEL(0.0);
    squares = TEXEL(0.0);
    for (int i = begin; i < end; ++i) {
#if FIRST
        TEXEL distance = X_texel(i, texel) - origin;
        sum += distance;
        squares += distance * distance;
#else
        float count = float(min(part_rows, rows - i * part_rows));
        TEXEL distance = X_texel(4 * i, texel) - origin;
        sum += count * distance;
        squares += X_texel(4 * i + 1, texel) + count * distance * distance;
#endif
    }
    TEXEL shift = sum / float(min(parts * part_rows, rows - begin * part_rows));
    mean = origin + shift;
    squares = max(squares - sum * shift, TEXEL(0.0));
}

TEXEL moved(TEXEL old, TEXEL to)
{
    return momentum > 0.0 ? old + momentum * (to - old) : old;
}

// Row `row` of the output, for a fold of these results.
TEXEL result(int row, int texel, TEXEL mean, TEXEL squares)
{
#if LAST
    if (row == 0)
        return moved(OLD_texel(0, texel), mean);
    if (row == 1)
        return moved(OLD_texel(1, texel), squares / float(max(rows - 1, 1)));
    if (row == 2)
        return mean;
    return 1.0 / sqrt(squares / float(rows) + epsilon);
#else
    return (row & 3) == 0 ? mean : (row & 3) == 1 ? squares : TEXEL(0.0);
#endif
}

void block(ivec2 at)
{
    for (int i = 0; i < TEXELS_ACROSS; ++i) {
        int texel = block_texel(at, i);
        TEXEL mean, squares;
        for (int r = 0; r < BLOCK_ROWS; ++r) {
            int row = at.y * BLOCK_ROWS + r;
            if (r % 4 == 0)
                fold(row / 4, texel, mean, squares);
            tile[r * TEXELS_ACROSS + i] = result(row, texel, mean, squares);
        }
    }
}
