// Counts turns in one element, for the trial of uniforms: the result tells all numbers of turns
// apart. Drivers that compile values of uniforms into a program do so where a loop depends on them.
layout(local_size_x = 1) in;
layout(r32f, binding = 0) uniform writeonly image2D result;
layout(location = 0) uniform int turns;

void main()
{
    float sum = 0.0;
    for (int i = 0; i < turns; ++i)
        sum = 0.5 * sum + 1.0;
    imageStore(result, ivec2(0), vec4(sum));
}
