// Draws only the rows of blocks that the kernel picks: one rectangle of four vertices per instance,
// over row picked_row(instance). For -1 the rectangle is empty.
void main()
{
    int row = picked_row(gl_InstanceID);
    float rows = float((output_size.x + BLOCK_ROWS - 1) / BLOCK_ROWS);
    float y = row < 0 ? 0.0 : float(row + (gl_VertexID >> 1)) / rows;
    gl_Position = vec4(float(gl_VertexID & 1) * 2.0 - 1.0, 2.0 * y - 1.0, 0.0, 1.0);
}
