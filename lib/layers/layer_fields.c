#include "layers/layer_fields.h"

#include <stddef.h>

GLNN__DECLARE_NAMES(glnn_layer_kind)
GLNN__DECLARE_NAMES(glnn_activation)

#define AT(member) offsetof(glnn_layer_desc, member)

static const glnn__field fields[] = {
    GLNN__ROW(CHOICE, kind, GLNN__IN_FILES, .key = "layers",
              .names = &glnn__names_of_glnn_layer_kind),
    GLNN__ROW(INT, units, GLNN__IN_FILES, .least = 1, .zero = "layers without units",
              .users = GLNN__LAYER_UNITS),
    GLNN__ROW(CHOICE, activation, GLNN__IN_FILES, .key = "activations",
              .names = &glnn__names_of_glnn_activation,
              .zero = "relu, or identity of the last layer and before gelu",
              .users = GLNN__LAYER_ACTIVATION),
    GLNN__ROW(FLOAT, rate, GLNN__IN_FILES, .key = "rates", .most = 1, .below = true,
              .users = GLNN__LAYER_RATE),
    GLNN__ROW(INT, kernel.height, GLNN__IN_FILES, .key = "kernel_heights",
              .users = GLNN__LAYER_KERNEL),
    GLNN__ROW(INT, kernel.width, GLNN__IN_FILES, .key = "kernel_widths",
              .users = GLNN__LAYER_KERNEL),
    GLNN__ROW(INT, stride.height, GLNN__IN_FILES, .key = "stride_heights",
              .zero = "1, or that of the kernel for pooling", .users = GLNN__LAYER_STRIDE),
    GLNN__ROW(INT, stride.width, GLNN__IN_FILES, .key = "stride_widths",
              .zero = "1, that of the kernel for pooling, or 10 milliseconds of sound",
              .users = GLNN__LAYER_STRIDE),
    GLNN__ROW(INT, padding.height, GLNN__IN_FILES, .key = "padding_heights",
              .users = GLNN__LAYER_PADDING),
    GLNN__ROW(INT, padding.width, GLNN__IN_FILES, .key = "padding_widths",
              .users = GLNN__LAYER_PADDING),
    GLNN__ROW(INT, dilation.height, GLNN__IN_FILES, .key = "dilation_heights", .standard = 1,
              .stays = true, .users = GLNN__LAYER_DILATION),
    GLNN__ROW(INT, dilation.width, GLNN__IN_FILES, .key = "dilation_widths", .standard = 1,
              .stays = true, .users = GLNN__LAYER_DILATION),
    GLNN__ROW(INT, groups, GLNN__IN_FILES, .standard = 1, .stays = true,
              .users = GLNN__LAYER_GROUPS),
    GLNN__ROW(INT, skip, GLNN__IN_FILES, .key = "skips", .users = GLNN__LAYER_SKIP),
    GLNN__ROW(INT, inputs[0], GLNN__IN_FILES, .key = "first_inputs", .zero = "1, the layer before"),
    GLNN__ROW(INT, inputs[1], GLNN__IN_FILES, .key = "second_inputs", .users = GLNN__LAYER_INPUTS),
    GLNN__ROW(INT, inputs[2], GLNN__IN_FILES, .key = "third_inputs", .users = GLNN__LAYER_INPUTS),
    GLNN__ROW(INT, inputs[3], GLNN__IN_FILES, .key = "fourth_inputs", .users = GLNN__LAYER_INPUTS),
    GLNN__ROW(INT, first, GLNN__IN_FILES, .key = "firsts", .users = GLNN__LAYER_FIRST),
    GLNN__ROW(INT, shape.channels, GLNN__IN_FILES, .key = "shape_channels",
              .users = GLNN__LAYER_SHAPE),
    GLNN__ROW(INT, shape.height, GLNN__IN_FILES, .key = "shape_heights", .standard = 1,
              .stays = true, .users = GLNN__LAYER_SHAPE),
    GLNN__ROW(INT, shape.width, GLNN__IN_FILES, .key = "shape_widths", .standard = 1, .stays = true,
              .users = GLNN__LAYER_SHAPE),
    GLNN__ROW(INT, shares, GLNN__IN_FILES, .users = GLNN__LAYER_SHARES, .is_later = true),
    GLNN__ROW(INT, size, GLNN__IN_FILES, .key = "sizes", .standard = 5, .stays = true, .least = 1,
              .users = GLNN__LAYER_RESPONSE),
    GLNN__ROW(FLOAT, alpha, GLNN__IN_FILES, .key = "alphas", .standard = 0.0001, .stays = true,
              .above = true, .users = GLNN__LAYER_RESPONSE),
    GLNN__ROW(FLOAT, beta, GLNN__IN_FILES, .key = "betas", .standard = 0.75, .stays = true,
              .above = true, .users = GLNN__LAYER_RESPONSE),
    GLNN__ROW(FLOAT, k, GLNN__IN_FILES, .key = "ks", .standard = 2, .stays = true, .above = true,
              .users = GLNN__LAYER_RESPONSE),
    GLNN__ROW(INT, window, GLNN__IN_FILES, .key = "windows", .zero = "all times",
              .users = GLNN__LAYER_STATES),
    GLNN__ROW(BOOL, all_states, GLNN__IN_FILES, .users = GLNN__LAYER_STATES),
    GLNN__ROW(INT, sample_rate, GLNN__IN_FILES, .key = "sample_rates", .standard = 16000,
              .stays = true, .least = 1, .users = GLNN__LAYER_SPECTRUM),
    GLNN__ROW(FLOAT, floor, GLNN__IN_FILES, .key = "floors", .standard = 1e-8, .stays = true,
              .above = true, .users = GLNN__LAYER_SPECTRUM),
};

const glnn__fields glnn__layer_fields = GLNN__DESCRIPTION(glnn_layer_desc, fields);

bool glnn__layer_uses(const glnn__layer_type *type, const glnn__field *field)
{
    return (type->uses & field->users) == field->users;
}
