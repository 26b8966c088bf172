// The share of a prototype's push that is taken back. `size` is the sum of the absolute factors of its
// entries, `push_size` the part of it that the negative ones make: they may be more than the positive
// ones by no more than `excess`.
float excess_share(float size, float push_size, float excess)
{
    float most = size - push_size + excess;
    return push_size > most ? 1.0 - most / push_size : 0.0;
}
