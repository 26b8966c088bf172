// The first entry of each prototype in all segments; -1 where there is none.
void block(ivec2 at)
{
    tile[0] = vec4(-1.0);
    for (int s = SEGMENTS_size.x - 1; s >= 0; --s) {
        vec4 entry = SEGMENTS_quad(s, at.x);
        tile[0] = mix(tile[0], entry, greaterThanEqual(entry, vec4(0.0)));
    }
}
