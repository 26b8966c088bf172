// The inner indices of a product: from inner_begin to inner_end, or with PARTIAL slices of
// slice_length of them, in `slice_blocks` rows of blocks each. Begins and lengths are multiples of 8,
// in a work group that computes all slices of 4; there the last ones may be empty.
layout(location = INTEGER_0) uniform int inner_begin;
layout(location = INTEGER_1) uniform int inner_end;
layout(location = INTEGER_2) uniform int slice_length;
layout(location = INTEGER_3) uniform int slice_blocks;
