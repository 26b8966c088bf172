// The weights of samples by their recent losses, all of them sequences. RECENT is -1 for a sample
// that is not trained on; its weight is 0. Without TOTAL the weight of another is
//
//   (loss + 2^-20)^exponent
//
// With TOTAL, the sum of these numbers, the weight is 1 + the quotient of the number and the mean
// one. This is rounded to a multiple of 2^-10. Sums of equal weights are then exact as long as they
// are below 2^14.
// Uniforms:
//   exponent
//   count: samples that are trained on

#define FLOOR exp2(-20.0)
#define UNITS 1024.0

float weight(float loss)
{
    if (loss < 0.0)
        return 0.0;
    float power = pow(loss + FLOOR, exponent);
#if HAS_TOTAL
    return 1.0 + round(power * (float(count) / TOTAL_element(0, 0)) * UNITS) / UNITS;
#else
    return power;
#endif
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        TEXEL loss = RECENT_at(at, t);
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            COMPONENT(tile[t], c) = weight(COMPONENT(loss, c));
    }
}
