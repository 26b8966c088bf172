//! use sample
//! use logit
// RSLVQ: in columns 0 and 1 the logarithms of the sums of exp(logit) over the prototypes of the
// sample's class and over all; in columns 4 to 7 totals, as in lvq_moves.glsl.
#define GREATEST_FINITE 3.4e38

// Running sums of exp(logit - greatest), so that nothing overflows.
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

struct Outcome {
    vec2 logarithms;
    bool is_right;
};

Outcome outcome_of(int row)
{
    float label = TARGET_element(sample_of(row), 0);
    Sum own = Sum(-INFINITY, 0.0);
    Sum all = own;
    float best = INFINITY;
    bool is_right = false;
    for (int p = 0; p < Z_size.y; ++p) {
        float score = Z_element(row, p);
        bool is_own = CLASSES_element(0, p) == label;
        float z = logit(score);
        if (is_own)
            add(own, z);
        add(all, z);
        is_right = score < best ? is_own : is_right;
        best = min(best, score);
    }
    return Outcome(vec2(own.greatest + log(own.sum), all.greatest + log(all.sum)), is_right);
}

vec4 quad_of(int row, int quad)
{
    vec4 old = OLD_quad(row, quad);
    if (row >= count)
        return old;
    Outcome outcome = outcome_of(row);
    if (quad == 0)
        return vec4(outcome.logarithms, 0.0, 0.0);
    float loss = outcome.logarithms.y - outcome.logarithms.x;
    bool is_finite = abs(loss) < GREATEST_FINITE;
    return old + vec4(loss, outcome.is_right ? 1.0 : 0.0, is_finite ? 1.0 : 0.0, 1.0);
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
