//! use maps
//! use metrics
//! use sample
//! use losses
//! use factors
// The slope of a sample's loss with respect to the outputs z of a support vector machine. t is 1
// for the class of the sample and -1 for the others:
//
//   hinge          -t if t z < 1, else 0
//   squared hinge  -2 t max(0, 1 - t z)
//
// Each slope is multiplied by the factor of its sample of the FACTORS. Rows without a sample become
// zero. The fragments in the first column of blocks also add the
// metrics of their rows to METRICS.
// Uniforms:
//   classes: columns of Z
//   entry: the place of the first row in the order of the epoch
float sign_of(int column, int label)
{
    return column == label ? 1.0 : -1.0;
}

float loss_of(float slack)
{
    return LOSS == GLNN_SVM_SQUARED_HINGE ? slack * slack : slack;
}

float slope_of(float slack)
{
    if (LOSS == GLNN_SVM_SQUARED_HINGE)
        return 2.0 * slack;
    return slack > 0.0 ? 1.0 : 0.0;
}

TEXEL delta(TEXEL z, int column, int label)
{
    for (int c = 0; c < TEXEL_COLUMNS; ++c) {
        float t = sign_of(column + c, label);
        COMPONENT(z, c) = -t * slope_of(rectified(1.0 - t * COMPONENT(z, c)));
    }
    return z;
}

vec4 metrics_of_row(int row, int label)
{
    float loss = 0.0;
    float greatest = -INFINITY;
    int found = -1;
    for (int q = 0; 4 * q < classes; ++q) {
        vec4 z = Z_edge_group(row, q);
        for (int c = 0; c < 4; ++c) {
            int column = 4 * q + c;
            if (column >= classes)
                break;
            loss += loss_of(rectified(1.0 - sign_of(column, label) * z[c]));
            found = z[c] > greatest ? column : found;
            greatest = max(z[c], greatest);
        }
    }
    return metrics_of(loss, found == label ? 1.0 : 0.0);
}

void measure(int row, int label)
{
    vec4 former = former_metrics(row, 0);
    vec4 metrics = metrics_of_row(row, label);
    store_metrics(row, 0, former + metrics);
    store_loss(entry + row, metrics.x);
}

void measure_row(int row)
{
    if (row < count)
        measure(row, int(TARGET_element(sample_of(row), 0)));
}

void block(ivec2 at)
{
    for (int r = 0; r < BLOCK_ROWS; ++r) {
        int row = at.y * BLOCK_ROWS + r;
        int label = int(TARGET_element(sample_of(row), 0));
        for (int i = 0; i < TEXELS_ACROSS; ++i) {
            int t = r * TEXELS_ACROSS + i;
            TEXEL slopes = delta(Z_texel(row, block_texel(at, i)), block_column(at, t), label);
            tile[t] = row < count ? WEIGHED(slopes, entry + row) : TEXEL(0.0);
        }
        if (at.x == 0 && row < count)
            measure(row, label);
    }
}
