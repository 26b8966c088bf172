//! use sample
//! use winner
// What the winners of a sample do, in columns 0 to 3 (index, factor of x - m, index, factor), and
// in columns 4 to 7 totals: loss, 1 if it is classified right, 1 if the loss is a finite number, 1,
// added to what OLD has.

#define GREATEST_FINITE 3.4e38

// least_ratio: of squared distances inside the window

vec2 distances_of(int row)
{
    vec2 sum = vec2(0.0);
    for (int i = 0; i < DISTANCES_size.y >> 2; ++i)
        sum += DISTANCES_quad(row, i).xy;
    return sum;
}

// What a sample comes to.
struct Outcome {
    vec2 factors;
    float loss;
    bool is_right;
};

// The winners are the nearest of the sample's class and the nearest of any other.
Outcome by_margin(vec4 winners, vec2 d)
{
    bvec2 exist = greaterThanEqual(winners.xz, vec2(0.0));
    float sum = d.x + d.y;
    bool has_margin = all(exist) && sum != 0.0;
    float f = has_margin ? (d.x - d.y) / sum : float(exist.y) - float(exist.x);
    float e = exp(-abs(xi * f));
    float slope = rate * 4.0 * xi * e / ((1.0 + e) * (1.0 + e));
    Outcome outcome;
    outcome.factors = has_margin ? vec2(slope, -slope) * (d.yx / sum / sum) : vec2(0.0);
    outcome.loss = (f > 0.0 ? 1.0 : e) / (1.0 + e);
    outcome.is_right =
        exist.x && (winners.y < winners.w || winners.y == winners.w && winners.x < winners.z);
    return outcome;
}

float class_of(float index)
{
    return index < 0.0 ? -1.0 : CLASSES_element(0, int(index));
}

// The winners are the two nearest.
Outcome by_classes(vec4 winners, vec2 d, float label)
{
    bool first_is_right = class_of(winners.x) == label;
    bool second_is_right = class_of(winners.z) == label;
    Outcome outcome;
    outcome.is_right = first_is_right;
    outcome.loss = first_is_right ? 0.0 : 1.0;
    outcome.factors = vec2(0.0);
#if RULE == LVQ_NEAREST
    outcome.factors.x = first_is_right ? rate : -rate;
#else
    if (winners.z < 0.0)
        return outcome;
    if (first_is_right && second_is_right)
        outcome.factors = vec2(epsilon * rate);
    else if (first_is_right != second_is_right &&
             min(d.x, d.y) > least_ratio * max(d.x, d.y))
        outcome.factors = first_is_right ? vec2(rate, -rate) : vec2(-rate, rate);
#endif
    return outcome;
}

Outcome outcome_of(int row, vec4 winners, vec2 d)
{
#if RULE == LVQ_MARGIN
    return by_margin(winners, d);
#elif RULE == LVQ_ASSIGN
    return Outcome(vec2(1.0, 0.0), d.x, true);
#else
    return by_classes(winners, d, TARGET_element(sample_of(row), 0));
#endif
}

// Without a winner, every distance is NaN or infinite; that of a winner may be infinite too.
Outcome checked_outcome(int row, vec4 winners)
{
    vec2 d = distances_of(row);
    if (max(winners.x, winners.z) < 0.0 || !(d.x + d.y < GREATEST_FINITE))
        return Outcome(vec2(0.0), INFINITY, false);
    return outcome_of(row, winners, d);
}

vec4 quad_of(int row, int quad)
{
    vec4 winners = WINNERS_edge_quad(row, 0);
    bool is_sample = row < count;
    vec4 old = OLD_quad(row, 1);
    Outcome outcome = Outcome(vec2(0.0), 0.0, false);
    if (is_sample)
        outcome = checked_outcome(row, winners);
    if (quad == 0)
        return is_sample ? vec4(winners.x, outcome.factors.x, winners.z, outcome.factors.y)
                         : vec4(-1.0, 0.0, -1.0, 0.0);
    bool is_finite = abs(outcome.loss) < GREATEST_FINITE;
    return is_sample ? old + vec4(outcome.loss, outcome.is_right ? 1.0 : 0.0,
                                  is_finite ? 1.0 : 0.0, 1.0)
                     : old;
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int row = min(block_row(at, t), OLD_size.x - 1);
        vec4 texel = quad_of(row, block_column(at, t) >> 2);
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            COMPONENT(tile[t], c) = texel[(block_column(at, t) + c) & 3];
    }
}
