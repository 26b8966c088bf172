// The losses that are sums over the outputs y of a sample. LOSS is the kind and t the target, and
// hinge_sign is -1 or 1.
// Uniforms:
//   loss_parameter: the width of the square in the loss of Huber, or the quantile

#define hinge_sign(t) (2.0 * (t) - 1.0)

// The loss of one output. NaN stays NaN, which comparisons decide. SIGMOID_LOSS takes the output
// before its sigmoid, so that no logarithm overflows.
float output_loss(float y, float t)
{
#if LOSS == SIGMOID_LOSS
    return max(y, 0.0) - smoothed(t) * y + log(1.0 + exp(-abs(y)));
#elif LOSS == SQUARED_LOSS
    return 0.5 * (y - t) * (y - t);
#elif LOSS == ABSOLUTE_LOSS
    return abs(y - t);
#elif LOSS == HUBER_LOSS
    float d = abs(y - t);
    return d < loss_parameter ? 0.5 * d * d : loss_parameter * (d - 0.5 * loss_parameter);
#elif LOSS == HINGE_LOSS
    float slack = 1.0 - hinge_sign(t) * y;
    return slack < 0.0 ? 0.0 : slack;
#elif LOSS == QUANTILE_LOSS
    float d = y - t;
    return d < 0.0 ? -loss_parameter * d : (1.0 - loss_parameter) * d;
#elif LOSS == EXPRESSION_LOSS
    return expression(y, t).x;
#else
    return 0.0;
#endif
}

// The fit of an output to an element of a target vector: with SIGMOID_LOSS 1 if it is on the right
// side of 1/2, and otherwise its squared error.
float output_fit(float y, float t)
{
#if LOSS == SIGMOID_LOSS
    return (y > 0.0) == (t > 0.5) ? 1.0 : 0.0;
#else
    return (y - t) * (y - t);
#endif
}
