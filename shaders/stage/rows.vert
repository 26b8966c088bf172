// Writes a side output that has a texel for each row: a point for each row, which the kernel
// measures here. A row that stores nothing has a point outside of the viewport.
UNIFORM_AT(REGION) ivec4 region; // the viewport, in texels

void main()
{
    row_place = ivec2(-1);
    row_texel = vec4(0.0);
    measure_row(gl_VertexID);
    vec2 place = (vec2(row_place) + 0.5) / vec2(region.zw);
    gl_Position = vec4(2.0 * place - 1.0, 0.0, 1.0);
    gl_PointSize = 1.0;
}
