// Part of a chain of passes, for the trials of stores to images: each invocation stores one number,
// which a pass after the first one takes from the other side of the former result and increases.
// FETCHES and LOADS choose how it reads; the first pass does neither.
layout(local_size_x = 8, local_size_y = 8) in;
layout(r32f, binding = 0) uniform writeonly image2D result;
layout(r32f, binding = 1) uniform readonly image2D loaded;
layout(binding = 0) uniform sampler2D fetched;

void main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = ivec2(gl_NumWorkGroups.xy * 8u);
    ivec2 from = size - 1 - at;
#ifdef FETCHES
    float number = texelFetch(fetched, from, 0).r + 1.0;
#elif defined LOADS
    float number = imageLoad(loaded, from).r + 1.0;
#else
    float number = float(at.y * size.x + at.x);
#endif
    imageStore(result, at, vec4(number));
}
