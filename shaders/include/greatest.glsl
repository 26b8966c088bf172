// Whether x takes the place of the greatest number so far: it is greater, or NaN, which stays.
bool exceeds(float x, float greatest)
{
    return x > greatest || isnan(x);
}

bvec4 exceeds(vec4 x, vec4 greatest)
{
    return bvec4(ivec4(greaterThan(x, greatest)) | ivec4(isnan(x)));
}
