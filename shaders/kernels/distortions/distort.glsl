//! use sample
//! use random
// Row i of the output is the distorted image of sample_of(i). ATLAS has the images, as
// kernels/distortions/atlas.glsl writes them, and its texture filter interpolates between pixels.
// Each element is pixel (x, y) of a channel and has the value of the image at
//
//   map (x, y) + displacement(x, y)
//
// where map is the inverse of: scale, shear, rotate and shift about the centre. The displacement
// comes from a part of FIELD that begins at a random cell. All numbers that are drawn depend on the
// seed, the step and the place of the image in the step.
// Constants: CHANNELS, HEIGHT and WIDTH of an image.
// Uniforms:
//   key_low, key_high: the seed
//   training_step: the step
//   place: of row 0 in the step
//   strips: images next to each other in ATLAS
//   shift, rotation, scale, shear: the ranges, in pixels, radians, relative, radians
//   probability: the share of images that are distorted
//   elastic: the factor of the displacement
//   cells: of FIELD in a pixel
// The rows after the last sample become zero.

struct distortion {
    vec2 x, y, origin; // the map: x * column + y * row + origin
    ivec2 cell;        // of FIELD, at pixel (0, 0)
    vec4 parts;        // of the components of FIELD in the displacement
};

vec4 draw(int row, int number)
{
    return uniform_numbers(uvec4(place + row, training_step, number, DISTORTION_MARK),
                           uvec2(key_low, key_high));
}

void draw_map(vec4 u, vec4 v, inout distortion d)
{
    vec4 within = 2.0 * u - 1.0;
    float angle = rotation * within.z;
    vec2 turn = vec2(cos(angle), sin(angle));
    float slant = tan(shear * (2.0 * v.y - 1.0));
    vec2 factor = 1.0 / (1.0 + scale * vec2(within.w, 2.0 * v.x - 1.0));
    vec2 centre = 0.5 * vec2(WIDTH - 1, HEIGHT - 1);
    d.x = factor * vec2(turn.x + slant * turn.y, -turn.y);
    d.y = factor * vec2(turn.y - slant * turn.x, turn.x);
    vec2 moved = centre + shift * within.xy;
    d.origin = centre - moved.x * d.x - moved.y * d.y;
}

distortion draw_distortion(int row)
{
    distortion d = distortion(vec2(1.0, 0.0), vec2(0.0, 1.0), vec2(0.0), ivec2(0), vec4(0.0));
    vec4 v = draw(row, 1);
    if (v.z >= probability)
        return d;
#if IS_AFFINE
    draw_map(draw(row, 0), v, d);
#endif
#if DISPLACEMENT != DISPLACEMENT_NONE
    vec4 w = draw(row, 2);
    vec2 angles = 6.28318530717958648 * w.zw;
    d.cell = ivec2(w.xy * vec2(textureSize(FIELD_texture, 0)));
    d.parts = elastic * vec4(cos(angles.x), sin(angles.x), cos(angles.y), sin(angles.y));
#endif
    return d;
}

#if DISPLACEMENT != DISPLACEMENT_NONE
// A field of independent components is as random in any direction.
vec2 displacement(distortion d, int x, int y)
{
    ivec2 side = textureSize(FIELD_texture, 0);
#if DISPLACEMENT == DISPLACEMENT_CELLS
    ivec2 place = d.cell + ivec2(x, y) & side - 1;
    FIELD_note(place, 0);
    vec4 field = texelFetch(FIELD_texture, place, 0);
#else
    vec2 cell = vec2(d.cell) + cells * vec2(x, y) + 0.5;
    vec4 field = FIELD_between(cell / vec2(side));
#endif
    field *= d.parts;
    return field.xz + field.yw;
}
#endif

// The texel before the first pixel of an image, which is background.
vec2 border_of(int image)
{
    int row = image / strips;
    int strip = image - row * strips;
    return vec2(strip * CHANNELS * (WIDTH + 1), row * (HEIGHT + 1));
}

// The place in the atlas of the value of an element. The position in the image is rounded to 1/256
// of a pixel, the precision of texture filters. The coordinates in the atlas are then exact, so
// the value does not depend on the place of the image in it.
vec2 place_of(distortion d, vec2 border, int column)
{
    int line = column / WIDTH;
    int channel = line / HEIGHT;
    int x = column - line * WIDTH;
    int y = line - channel * HEIGHT;
    vec2 position = d.x * float(x) + d.y * float(y) + d.origin;
#if DISPLACEMENT != DISPLACEMENT_NONE
    position += displacement(d, x, y);
#endif
    position = floor(256.0 * position + 0.5) / 256.0;
    position = clamp(position, vec2(-1.0), vec2(WIDTH, HEIGHT));
    return border + vec2(channel * (WIDTH + 1), 0.0) + position + 1.5;
}

// All numbers are drawn before the first place is computed, and all places are computed before the
// first value is fetched. So no row waits for another one. Compilers that do not know the pragma
// unroll these loops anyway.
#pragma optionNV(unroll all)
void block(ivec2 at)
{
    distortion of[BLOCK_ROWS];
    vec2 border[BLOCK_ROWS];
    vec2 places[BLOCK_ROWS * BLOCK_COLUMNS];
    int row = at.y * BLOCK_ROWS;
    int column = at.x * BLOCK_COLUMNS;
    for (int r = 0; r < BLOCK_ROWS; ++r) {
        of[r] = draw_distortion(row + r);
        border[r] = border_of(sample_of(row + r));
    }
    vec2 texel_size = 1.0 / vec2(textureSize(ATLAS_texture, 0));
    for (int i = 0; i < BLOCK_ROWS * BLOCK_COLUMNS; ++i) {
        int r = i / BLOCK_COLUMNS;
        places[i] = texel_size * place_of(of[r], border[r], column + i % BLOCK_COLUMNS);
    }
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        TEXEL x = TEXEL(0.0);
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            COMPONENT(x, c) = ATLAS_between(places[t * TEXEL_COLUMNS + c]).r;
        tile[t] = row + t / TEXELS_ACROSS < count ? x : TEXEL(0.0);
    }
}
