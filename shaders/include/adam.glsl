// Adam (Kingma, Ba 2015, algorithm 1).

// What is added to the second moment: (1 - beta2) g^2. The gradient is not stored: it is what took
// the first moment from `former` to `mean` = beta1 former + (1 - beta1) g.
TEXEL adam_moment(TEXEL former, TEXEL mean, float beta1, float beta2)
{
    TEXEL gradient = (mean - beta1 * former) / (1.0 - beta1);
    return (1.0 - beta2) * gradient * gradient;
}

// The step: -rate * mean / (sqrt(square) + epsilon), with both moments freed from the bias of their
// start at zero: the corrections are 1 / (1 - beta1^t) and 1 / (1 - beta2^t).
TEXEL adam_step(TEXEL mean, TEXEL square, float rate, float epsilon, float mean_correction,
                float square_correction)
{
    return -rate * mean_correction * mean / (sqrt(square_correction * square) + epsilon);
}
