// RSLVQ: for each prototype, a column of SHARES, the sum of its factors and of their absolute
// values.
void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int prototype = min(block_row(at, t), SHARES_size.y - 1);
        vec4 sum = vec4(0.0);
        for (int i = 0; i < SHARES_size.x; ++i) {
            float share = SHARES_element(i, prototype);
            sum.xy += vec2(share, abs(share));
        }
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            COMPONENT(tile[t], c) = sum[(block_column(at, t) + c) & 3];
    }
}
