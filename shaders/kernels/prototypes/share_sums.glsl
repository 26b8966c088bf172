// RSLVQ: for each prototype the sum of its factors in column 0 and the sum of their absolute values
// in column 1. The factors of a prototype are a column of SHARES.
//
// A map and two reductions would take 3 times as long for one sample and as long for 128. For more
// samples they are faster (llvmpipe), but the whole step then takes 20 times as long as either.
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
