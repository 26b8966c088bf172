// Learning vector quantisation pushes a prototype away from samples of other classes. Too large a
// push makes prototypes fly off, so it is limited: the negative factors of a prototype may exceed
// the positive ones by at most `excess`. excess_share() is the part of the push to take back, from
// 0 to 1.
//   size       the sum of |factor|
//   push_size  the sum of |factor| over the negative ones
float excess_share(float size, float push_size, float excess)
{
    float most = size - push_size + excess;
    return push_size > most ? 1.0 - most / push_size : 0.0;
}
