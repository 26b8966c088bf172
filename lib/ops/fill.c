#include "ops/fill.h"

#include "base/status.h"
#include "ops/check.h"

#include <glnn/map.h>

#include <float.h>
#include <math.h>

enum { RANDOM_NONE, RANDOM_UNIFORM, RANDOM_NORMAL };

static const glnn__enumerator randoms[] = {GLNN__ENUMERATOR(RANDOM_NONE),
                                           GLNN__ENUMERATOR(RANDOM_UNIFORM),
                                           GLNN__ENUMERATOR(RANDOM_NORMAL),
                                           {0}};

enum { RANDOM };
enum { OFFSET, SCALE, MOST, KEY_LOW, KEY_HIGH };

static const glnn__kernel fill_kernel = {
    .name = "ops/fill",
    .options = {[RANDOM] = "RANDOM"},
    .uniforms = {[OFFSET] = "float offset",
                 [SCALE] = "float scale",
                 [MOST] = "float most",
                 [KEY_LOW] = "int key_low",
                 [KEY_HIGH] = "int key_high"},
    .enumerations = {randoms},
};

static glnn__pass fill_pass(unsigned random, uint64_t seed, float offset, float scale, float most,
                            glnn_matrix *out)
{
    return (glnn__pass){
        .kernel = &fill_kernel,
        .output = out,
        .options = {[RANDOM] = random},
        .uniforms = {[OFFSET] = {.f = offset},
                     [SCALE] = {.f = scale},
                     [MOST] = {.f = most},
                     [KEY_LOW] = {.i = (int)(uint32_t)seed},
                     [KEY_HIGH] = {.i = (int)(uint32_t)(seed >> 32)}},
    };
}

glnn__pass glnn__fill_pass(float value, glnn_matrix *out)
{
    return fill_pass(RANDOM_NONE, 0, value, 0, 0, out);
}

glnn_status glnn__scale(glnn_context *ctx, glnn__uniform factor, glnn_matrix *out)
{
    glnn__pass pass = glnn__fill_pass(0, out);
    pass.blend = factor.slot || factor.f != 0;
    pass.blend_factor = factor;
    return glnn__pass_run(ctx, &pass);
}

glnn_status glnn_fill(glnn_context *ctx, float value, glnn_matrix *out)
{
    GLNN__TRY(glnn__check_output(ctx, __func__, "out", out));
    const glnn__pass pass = glnn__fill_pass(value, out);
    return glnn__pass_run(ctx, &pass);
}

glnn_status glnn_fill_uniform(glnn_context *ctx, uint64_t seed, float low, float high,
                              glnn_matrix *out)
{
    GLNN__TRY(glnn__check_output(ctx, __func__, "out", out));
    if (!(low <= high) || !isfinite(low) || !isfinite(high))
        return glnn__fail(
            GLNN_E_ARG,
            "%s: low is %g and high is %g; both must be finite, and low must not exceed high",
            __func__, (double)low, (double)high);
    if (!isfinite(high - low))
        return glnn__fail(GLNN_E_ARG,
                          "%s: low is %g and high is %g; their difference must not exceed %g",
                          __func__, (double)low, (double)high, (double)FLT_MAX);
    const glnn__pass pass =
        fill_pass(RANDOM_UNIFORM, seed, low, high - low, nextafterf(high, low), out);
    return glnn__pass_run(ctx, &pass);
}

glnn_status glnn_fill_normal(glnn_context *ctx, uint64_t seed, float mean, float deviation,
                             glnn_matrix *out)
{
    GLNN__TRY(glnn__check_output(ctx, __func__, "out", out));
    if (!(deviation >= 0) || !isfinite(mean) || !isfinite(deviation))
        return glnn__fail(
            GLNN_E_ARG,
            "%s: mean is %g and deviation is %g; both must be finite, and deviation must not "
            "be negative",
            __func__, (double)mean, (double)deviation);
    const glnn__pass pass = fill_pass(RANDOM_NORMAL, seed, mean, deviation, 0, out);
    return glnn__pass_run(ctx, &pass);
}
