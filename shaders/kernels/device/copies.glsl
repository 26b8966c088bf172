// Copies elements of X in a loop, one place down, for the trial of copy loops. The output has one
// texel.

void block(ivec2 at)
{
    float from[6], to[5];
    for (int i = 0; i < 6; i++)
        from[i] = X_element(0, i);
    for (int i = 0; i < 5; i++)
        to[i] = from[i + 1];
    tile[0] = vec4(to[0], to[1], to[2], to[4]);
}
