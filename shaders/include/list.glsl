// Lists: long columns of numbers, one after the other in the rows of a matrix of LIST_COLUMNS
// columns, a power of two. A column of its own could not be longer than a texture.

int list_row(int i)
{
    return i / LIST_COLUMNS;
}

int list_column(int i)
{
    return i % LIST_COLUMNS;
}

// The index of the first of the numbers of texel t of a block, if the output is a list.
int list_index(ivec2 at, int t)
{
    return block_row(at, t) * LIST_COLUMNS + block_column(at, t);
}
