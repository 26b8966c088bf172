// Mean and variance of the numbers of each sample, in steps. A sample has `rows` rows of X. A step
// folds `parts` of them into a row of its output, the LAST one all of them. The FIRST step reads
// the numbers. Later ones read the rows of the step before in X: the mean of a part, the sum of the
// squared distances from it, and the count. The LAST step gives mean and
// 1 / sqrt(variance + epsilon).
//
// Sums are of differences from the first number or mean of a fold, so that no digits are lost if
// the mean is large compared with the deviation.
// Uniforms:
//   rows: of a sample in X
//   parts: rows that a step folds into one
//   folds: rows of a sample in the output
//   epsilon: added to the variance

// Mean, sum of squared distances, and count of rows `begin` to `end` - 1.
vec4 fold(int begin, int end)
{
#if FIRST
    int columns = X_size.y;
    float origin = X_edge_element(begin, 0);
    vec4 sums = vec4(0.0);
    vec4 squared = vec4(0.0);
    for (int row = begin; row < end; ++row)
        for (int q = 0; 4 * q < columns; ++q) {
            vec4 distance = mix(vec4(0.0), X_edge_group(row, q) - origin,
                                lessThan(4 * q + ivec4(0, 1, 2, 3), ivec4(columns)));
            sums += distance;
            squared += distance * distance;
        }
    float count = float(end - begin) * float(columns);
    float sum = (sums.x + sums.y) + (sums.z + sums.w);
    float squares = (squared.x + squared.y) + (squared.z + squared.w);
#else
    float origin = X_edge_group(begin, 0).x;
    float count = 0.0;
    float sum = 0.0;
    float squares = 0.0;
    for (int row = begin; row < end; ++row) {
        vec4 part = X_edge_group(row, 0);
        float distance = part.x - origin;
        sum += part.z * distance;
        squares += part.y + part.z * distance * distance;
        count += part.z;
    }
#endif
    float shift = sum / count;
    return vec4(origin + shift, max(squares - sum * shift, 0.0), count, 0.0);
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int row = block_row(at, t);
        int image = row / folds;
        int part = row - image * folds;
        tile[t] = fold(image * rows + part * parts, image * rows + min((part + 1) * parts, rows));
#if LAST
        tile[t] = vec4(tile[t].x, 1.0 / sqrt(tile[t].y / tile[t].z + epsilon), 0.0, 0.0);
#endif
    }
}
