//! use maps
// Gaussian error linear units: out = X P(X), with the distribution function P of a standard normal
// number. With DY the result is the backward step, DY (P(X) + X p(X)) f'(x), with its density p. f
// is the ACTIVATION by which X = f(x) was computed.
//
// P is computed by formula 7.1.26 of Abramowitz, Stegun: Handbook of mathematical functions (1964),
// which errs by at most 1.5e-7 for the error function.

// P(-|x|), where e is exp(-x^2 / 2). It loses no digits far from 0.
TEXEL tail(TEXEL x, TEXEL e)
{
    TEXEL t = 1.0 / (1.0 + 0.3275911 * 0.70710678 * abs(x));
    return 0.5 * e * t *
           (0.254829592 +
            t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
}

void block(ivec2 at)
{
    for (int i = 0; i < BLOCK_TEXELS; ++i) {
        TEXEL x = X_at(at, i);
        TEXEL e = exp(-0.5 * x * x);
        TEXEL below = tail(x, e);
        below = mix(below, 1.0 - below, step(TEXEL(0.0), x));
#if HAS_DY
        tile[i] = DY_at(at, i) * (below + 0.39894228 * x * e) * map_derivative(ACTIVATION, x);
#else
        tile[i] = x * below;
#endif
    }
}
