#include "distortions/distortion.h"

#include "base/names.h"
#include "base/random.h"

#include <cglm/cglm.h>
#include <float.h>
#include <math.h>
#include <stddef.h>

#define DEFAULT_SIGMA 4

static const char *const names[GLNN_DISTORTION_COUNT] = {
    [GLNN_DISTORTION_AFFINE] = "affine",
    [GLNN_DISTORTION_ELASTIC] = "elastic",
};

GLNN__DEFINE_NAMES(glnn_distortion_kind, names)

glnn_status glnn_distortion_add(glnn_distortion *distortion, glnn_distortion_kind kind)
{
    GLNN__NOT_NULL(distortion);
    if ((unsigned)kind >= GLNN_DISTORTION_COUNT)
        return glnn__fail(GLNN_E_ARG, "%s: `kind` is %d; it must be below %d", __func__, (int)kind,
                          (int)GLNN_DISTORTION_COUNT);
    if (kind == GLNN_DISTORTION_AFFINE) {
        distortion->shift = 1;
        distortion->rotation = 7.5f;
        distortion->scale = 0.15f;
        distortion->shear = 7.5f;
    } else {
        distortion->elastic = 34;
        distortion->sigma = DEFAULT_SIGMA;
    }
    return GLNN_OK;
}

bool glnn__distortion_is_affine(const glnn_distortion *d)
{
    return d->shift != 0 || d->rotation != 0 || d->scale != 0 || d->shear != 0;
}

bool glnn__distortion_is_active(const glnn_distortion *d)
{
    return glnn__distortion_is_affine(d) || d->elastic != 0;
}

bool glnn__distortion_is_asked(const glnn_distortion *d)
{
    return glnn__distortion_is_active(d) || d->sigma != 0 || d->probability != 0;
}

static bool has_shape(const glnn_shape *shape)
{
    return shape->channels != 0 || shape->height != 0 || shape->width != 0;
}

static bool is_shape(const glnn_shape *shape)
{
    return shape->channels > 0 && shape->height > 0 && shape->width > 0;
}

static bool has_features(const glnn_shape *shape, int features)
{
    return is_shape(shape) &&
           (double)shape->channels * shape->height * shape->width == (double)features;
}

glnn_status glnn__shape_resolve(const char *role, glnn_shape own, int features, glnn_shape *shape)
{
    const bool is_given = has_shape(shape);
    if (!is_given)
        *shape = own;
    if (!is_given && own.height <= 1 && own.width <= 1) {
        const int side = (int)lround(sqrt(features));
        *shape = (glnn_shape){1, side, side};
    }
    if (has_features(shape, features))
        return GLNN_OK;
    if (is_given)
        return glnn__fail(GLNN_E_SHAPE,
                          "%s is %d channels of %d x %d pixels, but a sample has %d features", role,
                          shape->channels, shape->height, shape->width, features);
    return glnn__fail(GLNN_E_SHAPE,
                      "%s is not set, and %d features are not the pixels of a square image", role,
                      features);
}

/* ---- Checks */

#define AT(member)     offsetof(glnn_distortion, member)
#define SHAPE_OF_INPUT "that of the network's input, or of one square channel"

static const glnn__field fields[] = {
    GLNN__ROW(INT, shape.channels, GLNN__IN_CHECKPOINTS, .key = "distortion.channels",
              .zero = SHAPE_OF_INPUT),
    GLNN__ROW(INT, shape.height, GLNN__IN_CHECKPOINTS, .key = "distortion.height",
              .zero = SHAPE_OF_INPUT),
    GLNN__ROW(INT, shape.width, GLNN__IN_CHECKPOINTS, .key = "distortion.width",
              .zero = SHAPE_OF_INPUT),
    GLNN__ROW(FLOAT, shift, GLNN__IN_CHECKPOINTS, .key = "distortion.shift"),
    GLNN__ROW(FLOAT, rotation, GLNN__IN_CHECKPOINTS, .key = "distortion.rotation", .most = 180),
    GLNN__ROW(FLOAT, scale, GLNN__IN_CHECKPOINTS, .key = "distortion.scale", .most = 1,
              .below = true),
    GLNN__ROW(FLOAT, shear, GLNN__IN_CHECKPOINTS, .key = "distortion.shear", .most = 60),
    GLNN__ROW(FLOAT, elastic, GLNN__IN_CHECKPOINTS, .key = "distortion.elastic"),
    GLNN__ROW(FLOAT, sigma, GLNN__IN_CHECKPOINTS, .key = "distortion.sigma",
              .standard = DEFAULT_SIGMA, .stays = true, .above = true),
    GLNN__ROW(FLOAT, probability, GLNN__IN_CHECKPOINTS, .key = "distortion.probability",
              .standard = 1, .stays = true, .above = true, .most = 1),
    GLNN__ROW(FLOAT, background, GLNN__IN_CHECKPOINTS, .key = "distortion.background",
              .least = -INFINITY),
};

const glnn__fields glnn__distortion_fields = GLNN__DESCRIPTION(glnn_distortion, fields);

float glnn__falloff(float sigma)
{
    return -0.5f / fmaxf(sigma * sigma, FLT_MIN);
}

/* Numbers that need another one. */
static glnn_status check_use(const glnn_distortion *d)
{
    if (d->sigma != 0 && d->elastic == 0)
        return glnn__fail(GLNN_E_ARG, "`distortion.sigma` is %g, but `distortion.elastic` is 0",
                          (double)d->sigma);
    if (d->probability != 0 && !glnn__distortion_is_active(d))
        return glnn__fail(GLNN_E_ARG,
                          "`distortion.probability` is %g, but nothing is to be distorted",
                          (double)d->probability);
    return GLNN_OK;
}

static glnn_status check_sigma(const glnn_distortion *d)
{
    const int side = d->shape.height > d->shape.width ? d->shape.height : d->shape.width;
    if (d->sigma <= (float)side)
        return GLNN_OK;
    return glnn__fail(GLNN_E_ARG,
                      "`distortion.sigma` is %g; it has to be in 0 to %d, the larger side of an "
                      "image",
                      (double)d->sigma, side);
}

glnn_status glnn__distortion_resolve(const glnn_distortion *desc, glnn_shape own, int features,
                                     glnn_distortion *out)
{
    static const glnn__field whole[] = {{"distortion", .nested = &glnn__distortion_fields}};
    static const glnn__fields all = GLNN__FIELDS(whole);
    *out = *desc;
    GLNN__TRY(glnn__fields_check(&all, out));
    GLNN__TRY(check_use(desc));
    GLNN__TRY(glnn__shape_resolve("`distortion.shape`", own, features, &out->shape));
    GLNN__TRY(check_sigma(out));
    if (out->elastic != 0 && out->sigma == 0)
        out->sigma = DEFAULT_SIGMA;
    if (out->probability == 0)
        out->probability = 1;
    return GLNN_OK;
}

/* ---- The affine map of an image */

/* Four numbers in [0, 1), as the shader draws them. */
static void draw(uint64_t seed, uint64_t step, int place, uint32_t number, float out[4])
{
    const uint32_t counter[4] = {(uint32_t)place, (uint32_t)step, number, GLNN__DISTORTION_MARK};
    uint32_t words[4];
    glnn__philox(seed, counter, words);
    for (int i = 0; i < 4; ++i)
        out[i] = (float)(words[i] >> 8) * 0x1p-24f;
}

static float within(float number, float range)
{
    return (2 * number - 1) * range;
}

/* The map about the centre of the image, which comes before and after. */
static void compose(const glnn_distortion *d, const float u[4], const float v[4], mat3 out)
{
    vec2 centre = {0.5f * (float)(d->shape.width - 1), 0.5f * (float)(d->shape.height - 1)};
    vec2 shift = {within(u[0], d->shift), within(u[1], d->shift)};
    vec2 factors = {1 + within(u[3], d->scale), 1 + within(v[0], d->scale)};
    mat3 shear = GLM_MAT3_IDENTITY_INIT;
    shear[1][0] = tanf(glm_rad(within(v[1], d->shear)));
    glm_mat3_identity(out);
    glm_translate2d(out, centre);
    glm_translate2d(out, shift);
    glm_rotate2d(out, glm_rad(within(u[2], d->rotation)));
    glm_mat3_mul(out, shear, out);
    glm_scale2d(out, factors);
    glm_vec2_negate(centre);
    glm_translate2d(out, centre);
}

static glnn_status check_matrix(const glnn_distortion *distortion, int place)
{
    glnn_distortion resolved;
    const glnn_shape *s = &distortion->shape;
    if (!is_shape(s) || (double)s->channels * s->height * s->width > INT32_MAX)
        return glnn__fail(GLNN_E_ARG, "`distortion.shape` is %d channels of %d x %d pixels",
                          s->channels, s->height, s->width);
    if (place < 0)
        return glnn__fail(GLNN_E_ARG, "`place` is %d; it must not be negative", place);
    return glnn__distortion_resolve(distortion, *s, s->channels * s->height * s->width, &resolved);
}

glnn_status glnn_distortion_get_matrix(const glnn_distortion *distortion, uint64_t seed,
                                       uint64_t step, int place, float m[9])
{
    GLNN__NOT_NULL(distortion);
    GLNN__NOT_NULL(m);
    GLNN__TRY(glnn__fail_in(__func__, check_matrix(distortion, place)));
    float u[4], v[4];
    mat3 map;
    draw(seed, step, place, 0, u);
    draw(seed, step, place, 1, v);
    if (distortion->probability != 0 && v[2] >= distortion->probability)
        glm_mat3_identity(map);
    else
        compose(distortion, u, v, map);
    for (int i = 0; i < 9; ++i)
        m[i] = map[i % 3][i / 3];
    return GLNN_OK;
}
