//! use outcome
//! use logit
//! use losses
// Decides for each sample how its winners move, and adds its metrics.
// Columns:
//   0 to 3  index, factor, index, factor: each winner m moves by factor * (x - m)
//   4 to 7  OLD plus the metrics: loss, 1 if classified correctly, 1 if the loss is finite, 1
// The RULE is the learning rule. DISTANCES are those of the winners. With RULE_POSTERIOR (RSLVQ)
// all prototypes move, so DISTANCES are the scores of all of them. Columns 0 and 1 then have the
// logarithms of two sums of exp(logit), over the prototypes of the sample's class and over all.
// Uniforms:
//   entry: the place of the first row in the order of the epoch
//
// Operations for labels, margin, factors, loss and counts would be a dozen passes. They take 2.6
// times as long for 1024 samples, 11 times for one (llvmpipe).

#if RULE == RULE_POSTERIOR

// A sum of exp(logit - greatest), with the greatest logit so far: nothing overflows.
struct Sum {
    float greatest;
    float sum;
};

void add(inout Sum to, float z)
{
    float greatest = max(to.greatest, z);
    if (greatest > to.greatest)
        to.sum *= exp(to.greatest - greatest);
    to.sum += exp(z - greatest);
    to.greatest = greatest;
}

Outcome outcome_of(int row)
{
    float label = TARGET_element(sample_of(row), 0);
    Sum own = Sum(-INFINITY, 0.0);
    Sum all = own;
    float best = INFINITY;
    bool is_right = false;
    for (int p = 0; p < DISTANCES_size.y; ++p) {
        float score = DISTANCES_element(row, p);
        bool is_own = CLASSES_element(0, p) == label;
        float z = logit(score);
        if (is_own)
            add(own, z);
        add(all, z);
        is_right = score < best ? is_own : is_right;
        best = min(best, score);
    }
    vec2 logarithms = vec2(own.greatest + log(own.sum), all.greatest + log(all.sum));
    return Outcome(vec4(logarithms, 0.0, 0.0), logarithms.y - logarithms.x, is_right);
}

#else

// Without DISTANCES the winners have theirs in place of scores.
vec2 distances_of(int row, vec4 winners)
{
#if !HAS_DISTANCES
    return mix(vec2(0.0), winners.yw, greaterThanEqual(winners.xz, vec2(0.0)));
#else
    vec2 sum = vec2(0.0);
    for (int i = 0; i < DISTANCES_size.y >> 2; ++i)
        sum += DISTANCES_group(row, i).xy;
    return sum;
#endif
}

#endif

Outcome found(int row)
{
#if RULE == RULE_POSTERIOR
    return outcome_of(row);
#else
    vec4 winners = WINNERS_group(row, 0);
    return outcome_of(row, winners, distances_of(row, winners));
#endif
}

void measure_row(int row)
{
    if (row < count)
        store_loss(entry + row, found(row).loss);
}

vec4 column_group(int row, int group)
{
    vec4 old = OLD_group(row, 1);
    if (row >= count)
        return group == 0 ? vec4(-1.0, 0.0, -1.0, 0.0) : old;
    Outcome of_row = found(row);
    if (group == 1)
        store_loss(entry + row, of_row.loss);
    return group == 0 ? of_row.columns : old + metrics_of(of_row);
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int row = min(block_row(at, t), OLD_size.x - 1);
        vec4 values = column_group(row, block_column(at, t) >> 2);
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            COMPONENT(tile[t], c) = values[(block_column(at, t) + c) & 3];
    }
}
