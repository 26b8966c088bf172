#include "layers/pixels.h"

#include "ops/map.h"
#include "pass/pass.h"

enum { ACTIVATION, ALIGNED, SINGLE };
enum { PLANE };

static const glnn__kernel to_pixels_kernel = {
    .name = "layers/to_pixels",
    .operands = {"X", "Y"},
    .unviewed = 1,
    .options = {[ACTIVATION] = "ACTIVATION", [ALIGNED] = "ALIGNED", [SINGLE] = "SINGLE"},
    .uniforms = {[PLANE] = "int plane"},
    .enumerations = {glnn__map_enumerators},
};

static const glnn__kernel to_flat_kernel = {
    .name = "layers/to_flat",
    .operands = {"X", "Y"},
    .unviewed = 1,
    .options = {[ACTIVATION] = "ACTIVATION"},
    .uniforms = {[PLANE] = "int plane"},
    .enumerations = {glnn__map_enumerators},
};

glnn_status glnn__to_pixels_times(glnn_context *ctx, const glnn_matrix *flat, glnn_shape shape,
                                  glnn_map f, const glnn_matrix *y, glnn_matrix *pixels)
{
    const int plane = shape.height * shape.width;
    return glnn__pass_run(
        ctx, &(glnn__pass){
                 .kernel = &to_pixels_kernel,
                 .operands = {{.matrix = flat}, {.matrix = f == GLNN_MAP_IDENTITY ? NULL : y}},
                 .output = pixels,
                 .options =
                     {[ACTIVATION] = f, [ALIGNED] = plane % 4 == 0, [SINGLE] = shape.channels == 1},
                 .uniforms = {[PLANE] = {.i = plane}},
             });
}

glnn_status glnn__to_pixels(glnn_context *ctx, const glnn_matrix *flat, glnn_shape shape,
                            glnn_matrix *pixels)
{
    return glnn__to_pixels_times(ctx, flat, shape, GLNN_MAP_IDENTITY, NULL, pixels);
}

glnn_status glnn__to_flat_times(glnn_context *ctx, const glnn_matrix *pixels, glnn_shape shape,
                                glnn_map f, const glnn_matrix *y, glnn_matrix *flat)
{
    return glnn__pass_run(
        ctx, &(glnn__pass){
                 .kernel = &to_flat_kernel,
                 .operands = {{.matrix = pixels}, {.matrix = f == GLNN_MAP_IDENTITY ? NULL : y}},
                 .output = flat,
                 .options = {[ACTIVATION] = f},
                 .uniforms = {[PLANE] = {.i = shape.height * shape.width}},
             });
}

glnn_status glnn__to_flat(glnn_context *ctx, const glnn_matrix *pixels, glnn_shape shape,
                          glnn_matrix *flat)
{
    return glnn__to_flat_times(ctx, pixels, shape, GLNN_MAP_IDENTITY, NULL, flat);
}
