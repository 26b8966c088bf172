//! use scan
//! use parts
// Finds the two winners (winners.glsl) among the scores of a sample, which are a row of SCORES.
// Texel `part` of the output's row has the winners of one part of that row.
//
// With PARTS instead of SCORES, the operand holds the winners of parts, and this pass joins
// `factor` neighbouring parts into one. The parts of a sample lie side by side in PARTS and may
// continue in stripes of rows, one below the other.
//
// With LAST, the output of a pass before, only scores after the second winner in LAST take part.
// This lists more than two winners, two in each round.
//
// Two argument reductions would do the same, the second without the winner of the first. This
// kernel is one pass instead of two.
// Uniforms:
//   part_groups: column groups of scores in a part
//   factor: parts that are joined into one
//   stripes: stripes of rows of PARTS
//   stripe_rows: rows of a stripe

#if HAS_PARTS

vec4 winners_of(ivec2 at)
{
    int begin = at.x * factor;
    int end = min(begin + factor, PARTS_size.y >> 2);
    vec4 winners = NONE;
    for (int s = 0; s < stripes; ++s)
        winners = join_parts(winners, s * stripe_rows + at.y, begin, end);
    return winners;
}

#else

// The scores of a column group, with infinity for those that are not after `last`.
vec4 after(vec2 last, vec4 score, int group)
{
#if HAS_LAST
    for (int c = 0; c < 4; ++c)
        if (!is_before(last, vec2(4 * group + c, score[c])))
            score[c] = INFINITY;
#endif
    return score;
}

vec4 scan_part(int row, int part)
{
    float label = label_of(row);
    int end = min((part + 1) * part_groups, (SCORES_size.y + 3) >> 2);
    int whole = min(end, SCORES_size.y >> 2);
    Scan scan = scan_begin();
#if HAS_LAST
    vec2 last = LAST_group(row, 0).zw;
#else
    vec2 last = vec2(0.0);
#endif
    for (int q = part * part_groups; q < whole; ++q)
        scan_add(scan, after(last, SCORES_group(row, q), q), classes_of(q), label, q);
    if (whole < end) {
        vec4 score = before_end(SCORES_edge_group(row, whole), whole, SCORES_size.y);
        scan_add(scan, after(last, score, whole), classes_of(whole), label, whole);
    }
    return scan_end(scan);
}

vec4 winners_of(ivec2 at)
{
    return at.y < count ? scan_part(at.y, at.x) : NO_SAMPLE;
}

#endif

void block(ivec2 at)
{
    tile[0] = winners_of(at);
}
