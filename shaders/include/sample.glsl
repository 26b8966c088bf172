// sample_of(row) is the number of the sample of the data set in a row of the batch: entry `first` +
// row of INDEX, or `first` + row itself without an INDEX.
// Uniforms:
//   first: the first entry of the batch
//   count: rows of the batch that have a sample
//   samples: samples of the data set

int sample_of(int row)
{
    int i = first + min(row, count - 1);
#if HAS_INDEX
    // Converting a float outside the range of int is undefined, so it is clamped before.
    return int(clamp(INDEX_edge_element(i, 0), 0.0, float(samples - 1)));
#else
    return i;
#endif
}
