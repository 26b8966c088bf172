//! use scan
// The winners of one part of a row of SCORES: texel `part` of the output's row. With LAST, only what
// comes behind the second winner of LAST takes part.
layout(location = INTEGER_3) uniform int part_quads; // quads of scores in a part

vec4 scan_part(int row, int part)
{
    float label = label_of(row);
    int end = min((part + 1) * part_quads, (SCORES_size.y + 3) >> 2);
    int whole = min(end, SCORES_size.y >> 2);
    Scan scan = scan_begin();
#if HAS_LAST
    vec2 last = LAST_quad(row, 0).zw;
#endif
    for (int q = part * part_quads; q < end; ++q) {
        vec4 score = q < whole ? SCORES_quad(row, q)
                               : before_end(SCORES_edge_quad(row, q), q, SCORES_size.y);
#if HAS_LAST
        for (int c = 0; c < 4; ++c)
            if (!is_before(last, vec2(4 * q + c, score[c])))
                score[c] = INFINITY;
#endif
        scan_add(scan, score, has_class(q, label), q);
    }
    return scan_end(scan);
}

void block(ivec2 at)
{
    tile[0] = at.y < count ? scan_part(at.y, at.x) : NO_SAMPLE;
}
