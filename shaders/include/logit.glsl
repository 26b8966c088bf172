// RSLVQ models the density around each prototype m as a Gaussian: exp(logit), with logit = -|x -
// m|^2 / (2 sigma^2). A prototype's share of the density at a sample is its exp(logit) divided by
// the sum over all prototypes.
// Uniforms:
//   precision_half: 1 / (2 sigma^2)

// From the score |m|^2 - 2 x m, which lacks |x|^2. That factor is common to all prototypes and
// cancels in the shares.
#define logit(score) (-precision_half * (score))
