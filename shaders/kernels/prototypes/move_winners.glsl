//! use parts
//! use outcome
// A step of one sample: joins the PARTS of a search (nearest_few.glsl) to two winners, moves
// these among the prototypes M, and adds the sample's metrics to columns 4 to 7 of METRICS. The
// pass draws only the rows of blocks of the winners. The block in the first column of the first one
// adds the metrics, so that row is drawn if there is no winner too.
//
// The RULE is the learning rule. The factors of one sample need one limit: none exceeds 1.
//
// A step with passes of their own for the sample, the winners, their distances, factors and moves
// takes 1.9 times as long (3755 prototypes of 160 features, H100).

vec4 find_winners()
{
    return join_parts(NONE, 0, 0, PARTS_size.y >> 2);
}

int block_row_of(vec4 winners)
{
    return max(int(winners.x), 0) / BLOCK_ROWS;
}

// For picks.vert: the rows of blocks of both winners.
int picked_row(int entry)
{
    vec4 winners = find_winners();
    int first = block_row_of(winners);
    int second = winners.z < 0.0 ? first : int(winners.z) / BLOCK_ROWS;
    return entry == 0 ? first : second == first ? -1 : second;
}

Outcome found(vec4 winners)
{
    bvec2 exist = greaterThanEqual(winners.xz, vec2(0.0));
    return outcome_of(0, winners, mix(vec2(0.0), winners.yw, exist));
}

void measure_row(int row)
{
    if (row == 0)
        store_metrics(0, 1, former_metrics(0, 1) + metrics_of(found(find_winners())));
}

void block(ivec2 at)
{
    vec4 former = former_metrics(0, 1);
    vec4 winners = find_winners();
    Outcome of_sample = found(winners);
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        float row = float(block_row(at, t));
        float factor = row == winners.x   ? of_sample.columns.y
                       : row == winners.z ? of_sample.columns.w
                                          : 0.0;
        TEXEL m = M_at(at, t);
        TEXEL move = factor * (X_texel(sample_of(0), block_texel(at, t)) - m);
        tile[t] = m + move / max(abs(factor), 1.0);
    }
    if (at == ivec2(0, block_row_of(winners)))
        store_metrics(0, 1, former + metrics_of(of_sample));
}
