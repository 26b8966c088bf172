//! use scan
// The winners of one part of a row of SCORES: texel `part` of the output's row. With LAST, only what
// comes behind the second winner of LAST takes part.
// Uniforms:
//   part_quads: quads of scores in a part

// Without those of the quad's scores that are not behind `last`.
vec4 behind(vec2 last, vec4 score, int quad)
{
#if HAS_LAST
    for (int c = 0; c < 4; ++c)
        if (!is_before(last, vec2(4 * quad + c, score[c])))
            score[c] = INFINITY;
#endif
    return score;
}

vec4 scan_part(int row, int part)
{
    float label = label_of(row);
    int end = min((part + 1) * part_quads, (SCORES_size.y + 3) >> 2);
    int whole = min(end, SCORES_size.y >> 2);
    Scan scan = scan_begin();
#if HAS_LAST
    vec2 last = LAST_quad(row, 0).zw;
#else
    vec2 last = vec2(0.0);
#endif
    for (int q = part * part_quads; q < whole; ++q)
        scan_add(scan, behind(last, SCORES_quad(row, q), q), classes_of(q), label, q);
    if (whole < end) {
        vec4 score = before_end(SCORES_edge_quad(row, whole), whole, SCORES_size.y);
        scan_add(scan, behind(last, score, whole), classes_of(whole), label, whole);
    }
    return scan_end(scan);
}

void block(ivec2 at)
{
    tile[0] = at.y < count ? scan_part(at.y, at.x) : NO_SAMPLE;
}
