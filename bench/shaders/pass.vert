// A triangle that covers the viewport. `number` is the number of the pass within its phase. It
// arrives as the first vertex of the draw call, because that is cheaper than setting a uniform.
flat out int number;

void main()
{
    int corner = gl_VertexID % 3;
    number = gl_VertexID / 3;
    gl_Position = vec4(vec2(corner & 1, corner >> 1) * 4.0 - 1.0, 0.0, 1.0);
}
