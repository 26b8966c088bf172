// The fragment of a point of rows.vert.
layout(location = 0) out vec4 target;
flat in vec4 row_texel;

void main()
{
    target = row_texel;
}
