// The compute stage has no viewport, so invocations outside the region do nothing.
layout(location = REGION) uniform ivec4 region; // of blocks: x, y, width, height

bool is_in_region(ivec2 at)
{
    return all(greaterThanEqual(at, region.xy)) && all(lessThan(at, region.xy + region.zw));
}
