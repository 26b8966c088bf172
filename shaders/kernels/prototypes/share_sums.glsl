// RSLVQ: for each prototype, a column of SHARES, the sum of its factors and of their absolute
// values.
//
// One pass, where a map and two reductions take 3 times as long for one sample and as long for 128;
// from then on they are faster (llvmpipe), but a step of RSLVQ takes 20 times as long as either.
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
