// n / d for 0 <= n < 2^21 and d > 0. A division of integers is slow on most devices. The half keeps
// the quotient of floats at least 0.5 / d away from the integers, which exceeds its rounding error.
int quotient(int n, int d)
{
    return int((float(n) + 0.5) / float(d));
}
