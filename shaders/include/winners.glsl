// The two winners of a sample: index, score, index, score. With LABELLED, the first is the nearest
// prototype of the sample's class and the second the nearest of any other class. Without, they are
// the nearest prototype and the second nearest. Of equal scores the lowest index wins.
#define NONE vec4(-1.0, INFINITY, -1.0, INFINITY)
#define NO_SAMPLE vec4(-1.0, 0.0, -1.0, 0.0)

// Compares (index, score) by score, then by index. NaN comes before nothing, so it never wins.
bool is_before(vec2 a, vec2 b)
{
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}

vec4 join(vec4 a, vec4 b)
{
#if LABELLED
    return vec4(is_before(b.xy, a.xy) ? b.xy : a.xy, is_before(b.zw, a.zw) ? b.zw : a.zw);
#else
    if (is_before(b.xy, a.xy))
        return vec4(b.xy, is_before(b.zw, a.xy) ? b.zw : a.xy);
    return vec4(a.xy, is_before(b.xy, a.zw) ? b.xy : a.zw);
#endif
}
