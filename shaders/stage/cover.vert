// One triangle that covers the whole viewport: (-1, -1), (3, -1), (-1, 3). The rasteriser cuts off
// the parts outside, so that exactly one fragment is left for each block of the output.
void main()
{
    gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}
