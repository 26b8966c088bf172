// The blocks to compute. The compute stage has no viewport, and that of a wrapped output can have
// further blocks.
UNIFORM_AT(REGION) ivec4 region; // first column and row of blocks, width, height

bool is_in_region(ivec2 at)
{
    return all(greaterThanEqual(at, region.xy)) && all(lessThan(at, region.xy + region.zw));
}
