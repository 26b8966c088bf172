//! use scan
// The two winners of one part of a row of SCORES: texel `part` of the output's row. With LAST, only
// scores after the second winner in LAST take part. With PARTS instead of SCORES, the winners of
// neighbouring parts are joined; they stand side by side in PARTS, and in stripes of rows one below
// the other.
// Uniforms:
//   part_groups: column groups of scores in a part
//   factor: texels of a row of PARTS that are joined
//   stripes: of rows of PARTS
//   stripe_rows: rows of PARTS in each
//
// It is one pass where argument reductions would be two, the second without the winner of the
// first.

#if HAS_PARTS

vec4 winners_of(ivec2 at)
{
    int begin = at.x * factor;
    int end = min(begin + factor, PARTS_size.y >> 2);
    vec4 winners = NONE;
    for (int s = 0; s < stripes; ++s)
        for (int q = begin; q < end; ++q)
            winners = join(winners, PARTS_group(s * stripe_rows + at.y, q));
    return winners;
}

#else

// Without those of the scores of a column group that are not after `last`.
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
