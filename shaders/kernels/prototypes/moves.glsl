//! use sample
//! use winner
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
//   rate, xi, epsilon: of the learning rules
//   entry: the place of the first row in the order of the epoch
//   least_ratio: the least ratio of the squared distances inside the window of LVQ2.1 and LVQ3
//
// Operations for labels, margin, factors, loss and counts would be a dozen passes. They take 2.6
// times as long for 1024 samples, 11 times for one (llvmpipe).

#define GREATEST_FINITE 3.4e38

struct Outcome {
    vec4 columns; // 0 to 3
    float loss;
    bool is_right;
};

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

vec2 distances_of(int row)
{
    vec2 sum = vec2(0.0);
    for (int i = 0; i < DISTANCES_size.y >> 2; ++i)
        sum += DISTANCES_group(row, i).xy;
    return sum;
}

Outcome outcome(vec4 winners, vec2 factors, float loss, bool is_right)
{
    return Outcome(vec4(winners.x, factors.x, winners.z, factors.y), loss, is_right);
}

// Whether the nearest prototype of the sample's class is nearer than that of any other class.
bool own_wins(vec4 winners)
{
    bool is_first = winners.y < winners.w || winners.y == winners.w && winners.x < winners.z;
    return winners.x >= 0.0 && is_first;
}

Outcome by_margin(vec4 winners, vec2 d)
{
    bvec2 exist = greaterThanEqual(winners.xz, vec2(0.0));
    float sum = d.x + d.y;
    bool has_margin = all(exist) && sum != 0.0;
    float f = has_margin ? (d.x - d.y) / sum : float(exist.y) - float(exist.x);
    float e = exp(-abs(xi * f));
    float slope = rate * 4.0 * xi * e / ((1.0 + e) * (1.0 + e));
    vec2 factors = has_margin ? vec2(slope, -slope) * (d.yx / sum / sum) : vec2(0.0);
    return outcome(winners, factors, (f > 0.0 ? 1.0 : e) / (1.0 + e), own_wins(winners));
}

#if HAS_CLASSES

float class_of(float index)
{
    return index < 0.0 ? -1.0 : CLASSES_element(0, int(index));
}

// The winners are the two nearest.
Outcome by_classes(vec4 winners, vec2 d, float label)
{
    bool first_is_right = class_of(winners.x) == label;
    bool second_is_right = class_of(winners.z) == label;
    vec2 factors = vec2(0.0);
#if RULE == RULE_NEAREST
    factors.x = first_is_right ? rate : -rate;
#else
    bool is_inside = min(d.x, d.y) > least_ratio * max(d.x, d.y);
    if (winners.z >= 0.0 && first_is_right && second_is_right)
        factors = vec2(epsilon * rate);
    else if (winners.z >= 0.0 && first_is_right != second_is_right && is_inside)
        factors = first_is_right ? vec2(rate, -rate) : vec2(-rate, rate);
#endif
    return outcome(winners, factors, first_is_right ? 0.0 : 1.0, first_is_right);
}

#endif

// A sample without a winner has no finite distance. The distance of a winner may be infinite too.
Outcome outcome_of(int row)
{
    vec4 winners = WINNERS_group(row, 0);
    vec2 d = distances_of(row);
    float best = RULE == RULE_ASSIGN ? winners.x : max(winners.x, winners.z);
    if (best < 0.0 || !(d.x + d.y < GREATEST_FINITE))
        return outcome(winners, vec2(0.0), INFINITY, false);
#if RULE == RULE_MARGIN
    return by_margin(winners, d);
#elif RULE == RULE_ASSIGN
    return outcome(winners, vec2(1.0, 0.0), d.x, HAS_CLASSES == 1 && own_wins(winners));
#else
    return by_classes(winners, d, TARGET_element(sample_of(row), 0));
#endif
}

#endif

vec4 column_group(int row, int group)
{
    vec4 old = OLD_group(row, 1);
    if (row >= count)
        return group == 0 ? vec4(-1.0, 0.0, -1.0, 0.0) : old;
    Outcome of_row = outcome_of(row);
    if (group == 0)
        return of_row.columns;
    bool is_finite = abs(of_row.loss) < GREATEST_FINITE;
    store_loss(entry + row, of_row.loss);
    return old + vec4(of_row.loss, of_row.is_right ? 1.0 : 0.0, is_finite ? 1.0 : 0.0, 1.0);
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
