// OLVQ1's rate of a prototype: 0 before its first win, and at most what the schedule says.

// The rate by which a prototype moves that wins a sample of its class (s = 1) or another (s = -1).
vec4 next_rate(vec4 rate, float s)
{
    vec4 started = mix(min(rate, rate_limit), vec4(rate_limit), equal(rate, vec4(0.0)));
    return min(started / (1.0 + s * started), rate_limit);
}
