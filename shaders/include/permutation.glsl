//! use random
// A random permutation of the numbers 0 to count - 1, and its inverse: a Feistel network of four
// rounds whose function is Philox (Luby and Rackoff 1988). The network permutes the numbers of
// 2 half_bits bits; a number that is too large is permuted again until it is not (Black and Rogaway
// 2002).
// Uniforms:
//   count: numbers that are permuted
//   half_bits: at least 1, with count <= 4^half_bits
//   draw: another permutation for each number
//   key_low, key_high: the seed
#define PERMUTATION 0x5045524Du
#define FEISTEL_ROUNDS 4

uint mixed(uint half_number, int round_number)
{
    uvec4 counter = uvec4(half_number, round_number, draw, PERMUTATION);
    return philox(counter, uvec2(key_low, key_high)).x & ((1u << half_bits) - 1u);
}

uint joined(uvec2 halves)
{
    return halves.x << half_bits | halves.y;
}

uvec2 halves_of(uint number)
{
    return uvec2(number >> half_bits, number & ((1u << half_bits) - 1u));
}

int permuted(int place)
{
    uint number = uint(place);
    do {
        uvec2 halves = halves_of(number);
        for (int i = 0; i < FEISTEL_ROUNDS; ++i)
            halves = uvec2(halves.y, halves.x ^ mixed(halves.y, i));
        number = joined(halves);
    } while (number >= uint(count));
    return int(number);
}

// The place whose permuted number this is.
int place_of(int permuted_number)
{
    uint number = uint(permuted_number);
    do {
        uvec2 halves = halves_of(number);
        for (int i = FEISTEL_ROUNDS - 1; i >= 0; --i)
            halves = uvec2(halves.y ^ mixed(halves.x, i), halves.x);
        number = joined(halves);
    } while (number >= uint(count));
    return int(number);
}
