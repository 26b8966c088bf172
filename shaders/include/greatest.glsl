// `to` if x takes the place of the greatest number so far, else `from`. It does if it is greater,
// or NaN; a greatest number that is NaN stays. GLSL has no disjunction of vectors, so there are
// two selections.
float where_greater(float x, float greatest, float from, float to)
{
    float chosen = x > greatest ? to : from;
    return isnan(x) ? to : chosen;
}

vec4 where_greater(vec4 x, vec4 greatest, vec4 from, vec4 to)
{
    return mix(mix(from, to, greaterThan(x, greatest)), to, isnan(x));
}
