#include "layers/layer_numbers.h"

#include <stddef.h>

static const char *kind_name(int kind)
{
    return glnn_layer_kind_name((glnn_layer_kind)kind);
}

static const char *activation_name(int activation)
{
    return glnn_activation_name((glnn_activation)activation);
}

#define AT(field) offsetof(glnn_layer_desc, field)

const glnn__layer_number glnn__layer_numbers[GLNN__LAYER_NUMBERS] = {
    {.name = "kind",
     .field = {"layers", GLNN__FIELD_CHOICE, AT(kind), kind_name, .choices = GLNN_LAYER_COUNT}},
    {.name = "units", .flag = GLNN__LAYER_UNITS, .field = {"units", .offset = AT(units)}},
    {.name = "activation",
     .flag = GLNN__LAYER_ACTIVATION,
     .field = {"activations", GLNN__FIELD_CHOICE, AT(activation), activation_name,
               .choices = GLNN_ACTIVATION_COUNT}},
    {.name = "rate",
     .flag = GLNN__LAYER_RATE,
     .may_differ = true,
     .field = {"rates", GLNN__FIELD_FLOAT, .offset = AT(rate)}},
    {.name = "kernel.height",
     .flag = GLNN__LAYER_KERNEL,
     .field = {"kernel_heights", .offset = AT(kernel.height)}},
    {.name = "kernel.width",
     .flag = GLNN__LAYER_KERNEL,
     .field = {"kernel_widths", .offset = AT(kernel.width)}},
    {.name = "stride.height",
     .flag = GLNN__LAYER_STRIDE,
     .field = {"stride_heights", .offset = AT(stride.height)}},
    {.name = "stride.width",
     .flag = GLNN__LAYER_STRIDE,
     .field = {"stride_widths", .offset = AT(stride.width)}},
    {.name = "padding.height",
     .flag = GLNN__LAYER_PADDING,
     .field = {"padding_heights", .offset = AT(padding.height)}},
    {.name = "padding.width",
     .flag = GLNN__LAYER_PADDING,
     .field = {"padding_widths", .offset = AT(padding.width)}},
    {.name = "groups", .flag = GLNN__LAYER_GROUPS, .field = {"groups", .offset = AT(groups)}},
    {.name = "skip", .flag = GLNN__LAYER_SKIP, .field = {"skips", .offset = AT(skip)}},
};

double glnn__layer_number_get(const glnn__layer_number *number, const glnn_layer_desc *desc)
{
    const void *at = (const char *)desc + number->field.offset;
    return number->field.kind == GLNN__FIELD_FLOAT ? (double)*(const float *)at : *(const int *)at;
}
