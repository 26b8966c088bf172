//! use sample
//! use metrics
// How the two winners of a sample move by the learning rule, and the sample's metrics.
// Uniforms:
//   rate, xi, epsilon: of the learning rules
//   least_ratio: the least ratio of the squared distances inside the window of LVQ2.1 and LVQ3

struct Outcome {
    vec4 columns; // index, factor, index, factor: each winner m moves by factor * (x - m)
    float loss;
    bool is_right;
};

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
Outcome outcome_of(int row, vec4 winners, vec2 d)
{
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

vec4 metrics_of(Outcome of)
{
    return metrics_of(of.loss, of.is_right ? 1.0 : 0.0);
}
