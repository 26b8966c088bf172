// RSLVQ: a prototype's share of the density at a sample is exp(logit) over the sum of all.
// Uniforms:
//   precision_half: 1 / (2 sigma^2)

// From the score |m|^2 - 2 x m; the |x|^2 that it lacks is the same for all prototypes.
#define logit(score) (-precision_half * (score))
