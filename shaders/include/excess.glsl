// The share of a prototype's push that is taken back. `size` is the sum of the absolute factors of
// its entries, and `push_size` the part of the negative ones. The negative ones may exceed the
// positive ones by at most `excess`.
float excess_share(float size, float push_size, float excess)
{
    float most = size - push_size + excess;
    return push_size > most ? 1.0 - most / push_size : 0.0;
}
