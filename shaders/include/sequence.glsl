// Sequences: long columns of numbers, one after the other in the rows of a matrix of
// SEQUENCE_COLUMNS columns, a power of two. A column of its own could not be longer than a texture.

int sequence_row(int i)
{
    return i / SEQUENCE_COLUMNS;
}

int sequence_column(int i)
{
    return i % SEQUENCE_COLUMNS;
}

// The index of the first of the numbers of texel t of a block, if the output is a sequence.
int sequence_index(ivec2 at, int t)
{
    return block_row(at, t) * SEQUENCE_COLUMNS + block_column(at, t);
}
