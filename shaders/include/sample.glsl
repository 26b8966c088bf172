// The sample of a data set for row i of a batch: row `first` + i of INDEX, or `first` + i without
// an index. Rows from `count` on have no sample.
// Uniforms:
//   samples: in the data set

int sample_of(int row)
{
    int i = first + min(row, count - 1);
#if HAS_INDEX
    // A float that no int holds has no defined conversion, so it is clamped as a float.
    return int(clamp(INDEX_edge_element(i, 0), 0.0, float(samples - 1)));
#else
    return i;
#endif
}
