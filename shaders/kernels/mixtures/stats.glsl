//! use metrics
//! use sample
// Statistics of the row of a sample. Z has the logarithms of the densities of all components.
// The metrics are added too. The loss is minus the logarithm of the density.
//
// The columns are these.
//   0  The greatest density of the components of the sample's class, or of all if it has no label.
//   1  log(sum exp(z - greatest)) over the same components.
//   2  The class with the greatest density.
//   3  The sample's own class, or -1 without labels.
//
// The uniforms are these.
//   per_class  The components of a class.
//   classes    The number of classes.
//
// For one class, ops/row_stats and a pass that adds the metrics would take 1.6 to 2 times as long
// (llvmpipe). For several classes it would be that many passes.

// Column group q of a row of Z, with -infinity outside of columns `begin` to `end` - 1.
vec4 densities(int row, int q, int begin, int end)
{
    ivec4 column = 4 * q + ivec4(0, 1, 2, 3);
    bvec4 is_from_begin = greaterThanEqual(column, ivec4(begin));
    vec4 z = mix(vec4(-INFINITY), Z_edge_group(row, q), is_from_begin);
    return mix(vec4(-INFINITY), z, lessThan(column, ivec4(end)));
}

vec2 class_stats(int row, int c)
{
    int begin = c * per_class;
    int end = begin + per_class;
    vec4 most = vec4(-INFINITY);
    for (int q = begin >> 2; 4 * q < end; ++q)
        most = max(most, densities(row, q, begin, end));
    float greatest = max(max(most.x, most.y), max(most.z, most.w));
    vec4 sums = vec4(0.0);
    for (int q = begin >> 2; 4 * q < end; ++q)
        sums += exp(densities(row, q, begin, end) - greatest);
    return vec2(greatest, log((sums.x + sums.y) + (sums.z + sums.w)));
}

// Joins the statistics of two sets of components.
vec2 join(vec2 a, vec2 b)
{
    float greatest = max(a.x, b.x);
    return vec2(greatest, log(exp((a.x - greatest) + a.y) + exp((b.x - greatest) + b.y)));
}

vec4 stats(int row)
{
#if LABELS
    int own = int(TARGET_element(sample_of(row), 0));
#else
    int own = -1;
#endif
    vec2 chosen = class_stats(row, 0);
    vec2 best = vec2(chosen.x + chosen.y, 0.0);
    for (int c = 1; c < classes; ++c) {
        vec2 of_class = class_stats(row, c);
        float density = of_class.x + of_class.y;
        best = density > best.x ? vec2(density, c) : best;
        chosen = own < 0 ? join(chosen, of_class) : own == c ? of_class : chosen;
    }
    return vec4(chosen, best.y, own);
}

// Stores the metrics too.
vec4 measured(int row)
{
    vec4 sum = former_metrics(row, 0);
    vec4 of_row = stats(row);
    bool is_right = of_row.z == of_row.w;
    store_metrics(row, 0, sum + metrics_of(-(of_row.x + of_row.y), is_right ? 1.0 : 0.0));
    return of_row;
}

void measure_row(int row)
{
    if (row < count)
        measured(row);
}

void block(ivec2 at)
{
    tile[0] = at.y < count ? measured(at.y) : vec4(0.0);
}
